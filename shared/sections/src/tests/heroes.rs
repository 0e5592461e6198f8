//! Tests of the choice of the hero among the sections of a page.

use super::{BAR, HERO, MORE, POSTS, band, roles, sections};

#[test]
fn high_headers_with_a_title_are_heroes_and_bars_are_not() {
    let css = "h1,.title{font-size:60px} h2{font-size:36px}";
    let title = |tag: &str, inner: &str, height: u32| {
        format!("{BAR}<{tag} class=masthead data-box='0 60 1440 {height}'>{inner}</{tag}>{POSTS}")
    };
    let words = "<h1>Clean words</h1><span>A place to read about things</span>";
    for (tag, inner, height, is_hero) in [
        ("header", words, 440, true),
        ("div", words, 440, true),
        ("header", words, 90, false),
        ("header", "<h1><a href=/>A name of a site</a></h1>", 440, false),
        ("header", "<h1>Words</h1>", 440, false),
        ("div", "<div class=title>Clean words</div><div>A place to read about things</div>", 440, true),
        ("div", "<div class=title>Clean words</div><div>A place to read <a href=/>about</a></div>", 440, false),
    ] {
        let body = title(tag, inner, height);
        let hero = &sections(css, &body)[0].reference;
        assert_eq!(hero.preview.starts_with("Clean words"), is_hero, "{tag} {inner} {height}: {hero:?}");
    }
}

#[test]
fn price_lists_are_no_heroes() {
    let title = "<header data-box='0 0 1440 240'><h1>Pricing</h1><p>Quickly build a table that says what things cost.</p></header>";
    let card = |price: &str| {
        format!(
            "<div data-box='0 240 440 300'><h1>{price}</h1><p>Ten users included, and some help</p><button>Buy</button></div>"
        )
    };
    let cards = ["$0", "$15", "$29"].map(card).concat();
    let body = format!("{title}<section data-box='0 240 1440 700'><div>{cards}</div></section>");
    let found = sections("h1{font-size:56px}", &body);
    assert!(found[0].reference.preview.starts_with("Pricing"), "{:?}", found[0].reference);
    assert_eq!(found[1].reference.role.as_deref(), Some("pricing"));
}

#[test]
fn pictures_that_open_a_page_are_heroes() {
    let css = "h1{font-size:60px} h2{font-size:36px} .view{background-image:url(/view.jpg)} .far{position:absolute}";
    let image = "<div data-box='0 60 1440 500'><img src=/view.jpg data-box='0 60 1440 500'></div>";
    let painted = "<div class=view data-box='0 60 1440 500'><div data-box='0 60 1440 10'></div></div>";
    let behind = "<div class='view far' data-box='0 60 1440 500'></div>";
    let small = "<div data-box='0 60 1440 500'><img src=/view.jpg data-box='0 60 300 200'></div>";
    let low = "<div data-box='0 60 1440 400'><img src=/view.jpg data-box='0 60 1440 400'></div>";
    for (opening, below, starts_with) in [
        (image, MORE, ""),
        (painted, MORE, ""),
        (small, MORE, "Help"),
        (behind, MORE, "Help"),
        (image, HERO, ""),
        (low, HERO, "The words of the page"),
    ] {
        let body = format!("{BAR}<main>{opening}{}{}</main>", band(560, "s", below), band(900, "s", MORE));
        let hero = &sections(css, &body)[0].reference;
        assert_eq!(hero.preview.is_empty(), starts_with.is_empty(), "{opening}: {hero:?}");
        assert!(hero.preview.starts_with(starts_with), "{opening}: {hero:?}");
    }
    // The words are in the picture, except for those of its links.
    for (words, starts_with) in [
        ("<a href=/men>Shop men</a> <a href=/women>Shop women</a>", "Shop"),
        ("<a href=/men>Everything that men of all ages may ever want to wear</a>", "Help"),
    ] {
        let opening =
            format!("<div data-box='0 60 1440 400'><img src=/view.jpg data-box='0 60 1440 400'>{words}</div>");
        let body = format!("{BAR}<main>{opening}{}{}</main>", band(560, "s", MORE), band(900, "s", MORE));
        let hero = &sections(css, &body)[0].reference;
        assert!(hero.preview.starts_with(starts_with), "{opening}: {hero:?}");
    }
}

fn hero(css: &str, body: &str) -> String {
    sections(css, body)[0].reference.preview.clone()
}

#[test]
fn high_bands_with_the_bar_are_heroes() {
    let css = "h1{font-size:60px}";
    let words = "<h1>Clean words</h1><div>A place to read about things</div>";
    for (height, is_hero) in [(700, true), (150, false)] {
        let body = format!("<header data-box='0 0 1440 {height}'>{BAR}{words}</header>{POSTS}");
        assert_eq!(hero(css, &body).contains("Clean words"), is_hero, "{height}");
    }
    let body = format!(
        "<header data-box='0 0 1440 148'><h1>Clean words</h1><h2>A place to read about things</h2></header>{POSTS}"
    );
    assert!(hero(css, &body).starts_with("Clean words"), "a header with two titles is no bar");
}

#[test]
fn small_page_titles_win_over_parts_of_the_page() {
    let title = "<div data-box='300 60 600 60'><a href=/m>docs</a> <h1>Class Queue of messages</h1></div>";
    let part = "<section data-box='300 120 600 300'><p>A queue.</p><h4>Example</h4><pre>const q = queue</pre><button>Copy</button></section>";
    let next = "<section data-box='300 420 600 300'><h2>Methods</h2><p>There are some of them.</p></section>";
    let body = format!("{BAR}<main data-box='300 60 600 700'>{title}{part}{next}</main>");
    assert!(hero("h1{font-size:32px}", &body).contains("Class Queue"), "{:?}", roles("", &body));
}

#[test]
fn names_about_a_contained_sidebar_are_ignored() {
    let side = "<aside data-box='0 0 272 900'><nav data-box='0 0 272 900'><h2>Start</h2><a href=/a>Guide</a> <a href=/b>Reference</a> \
                <a href=/c>Team</a></nav></aside>";
    for class in ["has-sidebar", "content no-sidebar", "right-sidebar"] {
        let page = format!(
            "<div class='{class}' data-box='0 60 1440 800'><h1>Our team</h1><p>Three people in three ports.</p></div>"
        );
        assert!(hero("", &format!("{side}{page}")).starts_with("Our team"), "{class}");
    }
}

#[test]
fn columns_beside_the_page_are_no_part_of_it() {
    let links = "<a href=/a>Guide</a> <a href=/b>Reference</a> <a href=/c>Team</a> <a href=/d>Changes</a>";
    let text = "<h1>Harborlight</h1><p>Watches the queues of a small team's services and tells people before customers notice.</p>";
    let body = format!(
        "<div data-box='0 0 1440 2000'><aside data-box='0 0 300 2000'>{links}</aside><div data-box='300 0 1140 2000'>\
         <div data-box='300 0 736 2000'>{text}</div><aside data-box='1036 0 200 2000'>{links}</aside></div></div>"
    );
    let found = sections("h1{font-size:40px}", &body);
    assert!(
        found[0].reference.preview.starts_with("Harborlight") && !found[0].reference.preview.contains("Guide"),
        "{found:?}"
    );
    assert_eq!(found.len(), 3, "{found:?}");
}

/// A picture with a call at the top greets, although the headings are below.
#[test]
fn opening_without_a_heading_is_the_hero() {
    let opening = "<section class=open data-box='0 60 1440 520'><img src=logo.png><p>Cakes and pastries of the day.</p>\
                   <button>Order now</button></section>";
    let values = "<section data-box='0 580 1440 400'><h2>Values we have</h2><p>We are committed to the best service for all \
                  of our customers.</p></section>";
    let found = sections("h2{font-size:36px}", &format!("{BAR}{opening}{values}"));
    assert!(
        found[0].reference.selector.contains("open") || found[0].reference.preview.starts_with("Cakes"),
        "{found:?}"
    );
}

/// The name of the site may be the largest text of its bar.
#[test]
fn headers_with_a_large_linked_name_are_bars() {
    let header = |name: &str| {
        format!(
            "<header data-box='0 0 1440 180'><p>Our shop: Elm Road</p><div class=name>{name}</div><nav><a href=/a>First</a> \
             <a href=/b>Second</a> <a href=/c>Third</a></nav><p>Call us any day between nine and five</p></header>{POSTS}"
        )
    };
    let first = |name: &str| roles(".name{font-size:32px} h2{font-size:24px}", &header(name))[0].clone();
    assert_eq!(roles(".name{font-size:32px}", &header("<a href=/>Emmer and Co</a>")).last().unwrap(), "header");
    assert_eq!(first("Bread of the best flour"), "hero");
}

/// A part that fills the window is seen first, however large the titles below it are.
#[test]
fn parts_that_fill_the_first_window_are_heroes() {
    let css = "h1{font-size:60px} .view{background-image:url(/view.jpg)} .far{position:absolute}";
    let below = |y: u32| format!("<section data-box='0 {y} 1440 400'>{HERO}</section>");
    let words = "<p>Doors open at nine on the last day of May</p>";
    let picture = "<div class='view far' data-box='0 60 1440 600'></div>";
    let wide = "<div class='view far' data-box='-500 60 2440 600'></div>";
    for (inner, height, is_hero) in [
        (words, 600, true),
        (words, 300, false),
        (words, 3_000, false),
        (picture, 600, true),
        (wide, 600, true),
        ("", 600, false),
        ("<p>$9</p><p>$19</p><p>and more of these prices</p>", 600, false),
    ] {
        let body = format!(
            "{BAR}<main><section class=first data-box='0 60 1440 {height}'>{inner}</section>{}</main>",
            below(60 + height)
        );
        assert_eq!(!hero(css, &body).starts_with("The words"), is_hero, "{inner} {height}");
    }
    // A picture behind the page is no part of it.
    let behind = "<div class=far data-box='0 60 1440 900'><div class=view data-box='0 60 1440 900'></div></div>";
    assert!(hero(css, &format!("{BAR}<main>{behind}{}</main>", below(60))).starts_with("The words"));
}

#[test]
fn bands_with_a_title_are_heroes_whatever_element_the_title_is() {
    let css = ".band{background:#123} .title{font-size:60px} h2{font-size:40px}";
    let text = "A sentence about it, and another about the next, and then an end of it all. ".repeat(5);
    let page = |title: &str| {
        format!(
            "{BAR}<div class=band data-box='0 60 1440 320'><div class=title>{title}</div></div>\
             <div data-box='0 380 1440 520'><h2>What we do</h2><p>{text}</p></div>"
        )
    };
    for title in ["Contact our doctors", "Prices"] {
        let found = sections(css, &page(title));
        let hero = found.iter().find(|section| section.reference.role.as_deref() == Some("hero")).unwrap();
        assert_eq!(hero.reference.preview, title);
    }
    let bands = format!(
        "<main><div><section class=band data-box='0 0 1440 560'><h2 class=title>About us</h2></section>\
         <section data-box='0 560 1440 600'><h2>Our story</h2><p>{text}</p></section></div></main>"
    );
    assert_eq!(sections(css, &bands)[0].reference.preview, "About us");
}
