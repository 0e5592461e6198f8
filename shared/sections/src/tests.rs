use super::{Section, find_sections};
use limner_page::{Document, PageSnapshot, SheetOwner, Stylesheet};
use limner_style::StyleIndex;
use limner_style::layout::{Boxes, Rect};
use limner_types::SectionRole;

mod heroes;
mod sliders;

/// Returns the sections of a page in which elements with `data-box="x y width height"` have that
/// box, those with an empty one have none, and all others are as large as the viewport.
fn sections(css: &str, body: &str) -> Vec<Section> {
    let html = format!("<!doctype html><body>{body}");
    let sheet = Stylesheet { owner: SheetOwner::Adopted, text: Some(css.into()), ..Stylesheet::default() };
    let page = PageSnapshot { html, sheets: vec![sheet], ..PageSnapshot::default() };
    let document = Document::parse(&page.html);
    let mut boxes = vec![Some(Rect { x: 0.0, y: 0.0, width: 1440.0, height: 900.0 }); document.len()];
    for (node, element) in document.elements() {
        let Some(given) = element.attr("data-box") else { continue };
        if given.is_empty() {
            boxes[node.index()] = None;
            continue;
        }
        let numbers: Vec<f32> = given.split(' ').map(|number| number.parse().unwrap()).collect();
        let [x, y, width, height] = numbers[..] else { panic!("{given}") };
        boxes[node.index()] = Some(Rect { x, y, width, height });
    }
    let index = StyleIndex::new(&page, &document);
    find_sections(&document, &index, Some(Boxes::new(boxes))).sections
}

fn roles(css: &str, body: &str) -> Vec<String> {
    sections(css, body).into_iter().map(|section| section.reference.role.unwrap()).collect()
}

const BAR: &str = "<nav data-box='0 0 1440 60'><a href=/a>First</a> <a href=/b>Second</a> <a href=/c>Third</a></nav>";
const POSTS: &str = "<main data-box='0 500 1440 900'><article data-box='0 500 1440 300'><h2>A post about something</h2><p>It \
                     goes on for a sentence or two, and then it ends.</p></article><article data-box='0 800 1440 300'><h2>Another \
                     post</h2><p>This one goes on for a sentence or two, and then it ends as well.</p></article></main>";

#[test]
fn cards_with_similar_titles_are_similar_despite_different_utilities() {
    let card = |class: &str| format!("<div class='{class}'><h3>Title</h3><p>Some words about this one.</p></div>");
    let cards = ["group bg-a", "bg-a", "wide bg-a"].map(card).concat();
    let hero =
        "<section data-box='0 0 1440 600'><h1>The words of the page</h1><p>And more of them below.</p></section>";
    let body = format!("{hero}<section data-box='0 600 1440 600'><h2>All of it</h2><div>{cards}</div></section>");
    assert_eq!(roles("h1{font-size:60px}", &body), ["hero", "features"]);
}

#[test]
fn offscreen_elements_are_no_sections() {
    let skip = |y: i32| format!("<a href=#main data-box='0 {y} 200 40'>Skip to the contents of this page</a>");
    let hero =
        "<section data-box='0 0 1440 600'><h1>The words of the page</h1><p>And more of them below.</p></section>";
    let small = "<div class=copyright data-box='0 600 1440 80'>© Somebody, all rights are theirs</div>";
    // A part of it may be visible.
    for y in [-90, -38] {
        assert_eq!(roles("h1{font-size:60px}", &format!("{}{hero}{small}", skip(y))), ["hero", "footer"], "{y}");
    }
    for x in [-400, 1440] {
        let drawer = format!(
            "<div class=drawer data-box='{x} 0 400 900'><h2>Our gallery</h2><p>Contacts and more of us.</p></div>"
        );
        let css = "h1{font-size:60px} .drawer{position:fixed}";
        assert_eq!(roles(css, &format!("{drawer}{hero}{small}")), ["hero", "footer"], "{x}");
    }
}

#[test]
fn slides_that_wait_for_their_script_are_sections() {
    let slide = |words: &str| {
        format!(
            "<section><h2>{words}</h2><p>A few more words about it, to be read from the last row of a hall.</p></section>"
        )
    };
    let slides = ["What this is about", "What it is made of", "Where it can be had"].map(slide).concat();
    let body = format!("<div class=deck><div class=slides>{slides}</div></div>");
    let found = sections(".slides>section{display:none}", &body);
    let previews: Vec<&str> = found.iter().map(|section| &section.reference.preview[..10]).collect();
    assert_eq!(previews, ["What this ", "What it is", "Where it c"]);
}

#[test]
fn links_at_the_end_of_a_page_are_no_header() {
    let title = "<div data-box='0 60 1440 2400'><h1>A chapter</h1><p>It goes on for a sentence or two, and then ends.</p></div>";
    let page = |y: u32| format!("{BAR}{title}{}", BAR.replace("0 0 1440 60", &format!("0 {y} 1440 60")));
    assert_eq!(roles("h1{font-size:40px}", &page(2460)), ["hero", "section", "header"]);
    assert_eq!(roles("h1{font-size:40px}", &page(70)), ["hero", "header", "header"], "a second bar");
}

const HERO: &str = "<h1>The words of the page</h1><p>And more of them below, as it should be.</p>";
const MORE: &str = "<h2>Help</h2><p>A sentence about it, and another about the next, and then an end of it all.</p>";

#[test]
fn wide_containers_are_sections_whatever_is_in_them() {
    let card = "<div class=card data-box='150 1500 500 80'><h3>A title of this</h3><p>Some words about it.</p></div>";
    let cards = [card, card, card].concat();
    let page = |class: &str| {
        let container = |y: u32, inner: &str| format!("<div class={class} data-box='150 {y} 1140 1000'>{inner}</div>");
        let parts = [container(60, &format!("{HERO}{MORE}")), container(1_060, &format!("{MORE}{cards}"))].concat();
        format!("<div data-box='0 0 1440 2060'>{BAR}<div data-box='0 60 1440 2000'>{parts}</div></div>")
    };
    assert_eq!(roles("h1{font-size:60px}", &page("container")), ["hero", "features", "header"]);
    assert_eq!(roles("h1{font-size:60px}", &page("post")), ["hero", "header"], "rows of one section");
}

#[test]
fn sections_with_a_picture_behind_them_are_one() {
    let page = |words: &str| {
        let behind = format!("<div class=behind data-box='0 60 1440 600'>{words}<img src=/view.jpg></div>");
        let parts = [band(100, "z", &format!("{HERO}{MORE}")), band(420, "z", MORE)].concat();
        let section = format!("<section data-box='0 60 1440 800'>{parts}{behind}</section>");
        format!("{BAR}<main>{section}<section data-box='0 860 1440 600'>{MORE}</section></main>")
    };
    let css = "h1{font-size:60px} .behind{position:absolute}";
    assert_eq!(roles(css, &page("")), ["hero", "section", "header"]);
    assert!(roles(css, &page("Words that are read")).len() > 3);
}

#[test]
fn elements_without_a_box_are_no_sections() {
    let wrapped = |y: u32, inner: &str| {
        format!(
            "<section class=outer data-box=''><section class=inner data-box='0 {y} 1440 400'>{inner}</section></section>"
        )
    };
    let body = format!("<main>{}{}</main>", wrapped(0, HERO), wrapped(400, MORE));
    for section in sections("h1{font-size:60px}", &body) {
        assert!(section.reference.selector.ends_with("> section"), "{:?}", section.reference);
    }
}

fn band(y: u32, class: &str, inner: &str) -> String {
    format!("<div class='{class}' data-box='0 {y} 1440 320'>{inner}</div>")
}

#[test]
fn sections_of_a_site_builder_are_sections_whatever_is_around_them() {
    let low = |y: u32, class: &str, inner: &str| {
        format!("<div class='{class}' data-box='120 {y} 1200 160'><div>{inner}</div></div>")
    };
    let foot = "<footer data-box='0 640 1440 80'>© X</footer>";
    let page = |class: &str| {
        let bands = [low(60, class, HERO), low(220, class, MORE), low(380, class, MORE)].concat();
        let article = format!("<article><div class=entry><div id=built>{bands}</div></div></article>");
        format!("<div id=page>{BAR}<div id=area><div id=content>{article}</div></div>{foot}</div>")
    };
    let builders = [
        "et_pb_section",
        "elementor-section elementor-top-section",
        "e-con e-parent",
        "vc_row wpb_row",
        "sppb-section",
    ];
    for class in builders {
        let found = roles("h1{font-size:60px}", &page(class));
        assert_eq!(found, ["hero", "section", "section", "header", "footer"], "{class}");
    }
    for class in ["band", "vc_row wpb_row vc_inner"] {
        assert_eq!(roles("h1{font-size:60px}", &page(class)), ["hero", "header"], "{class}");
    }
    let stray = page("et_pb_section").replace("<div id=built>", "<div id=built><h2>A stray title</h2>");
    let found = sections("h1{font-size:60px}", &stray);
    assert_eq!(found.iter().filter(|section| section.reference.preview.contains("The words of the page")).count(), 1);
    let bar = "<div class=elementor-top-section data-box='0 0 1440 40'>Call us: <a href=/a>First</a> <a href=/b>Second</a></div>";
    let bars = format!("<header><div>{bar}{bar}</div></header>{}", band(80, "hero", HERO));
    assert_eq!(roles("h1{font-size:60px}", &bars), ["hero", "header"], "the rows of a header");
}

#[test]
fn slider_in_a_section_of_a_builder_is_one_section() {
    let page = |class: &str, tag: &str, places: [&str; 3]| {
        let slide =
            |(words, place)| format!("<{tag} class=slide data-box='{place} 1440 800'><h2>{words}</h2>{MORE}</{tag}>");
        let slides = ["One", "Two", "Three"].into_iter().zip(places).map(slide).collect::<String>();
        let slider = format!(
            "<div class='{class}' data-box='0 60 1440 2400'><div data-box='0 60 1440 2400'>{slides}</div></div>"
        );
        format!("{BAR}<main><div>{slider}{}</div></main>", band(2460, class, MORE))
    };
    let (stacked, layers, row) = (["0 60", "0 860", "0 1660"], ["0 60"; 3], ["0 60", "1440 60", "2880 60"]);
    for (class, tag, places, is_whole) in [
        ("e-con e-parent", "div", stacked, true),
        ("e-con e-parent", "div", layers, true),
        ("e-con e-parent", "div", row, true),
        ("any", "div", stacked, false),
        ("any", "section", stacked, false),
        ("any", "div", layers, false),
        ("any", "section", layers, false),
        ("any", "div", row, true),
        ("any", "section", row, true),
    ] {
        let found = sections("h2{font-size:40px}", &page(class, tag, places));
        let whole = found.iter().any(|part| ["One", "Two"].iter().all(|word| part.reference.preview.contains(word)));
        let previews: Vec<&str> = found.iter().map(|part| part.reference.preview.as_str()).collect();
        assert_eq!(whole, is_whole, "{class} {tag} {places:?}: {previews:?}");
    }
}

#[test]
fn bands_of_one_class_that_fill_the_viewport_are_sections() {
    let bands = [band(60, "s hero", HERO), band(380, "s", MORE), band(700, "s", MORE)].concat();
    let foot = "<footer data-box='0 1020 1440 80'>© X</footer>";
    let page = |inner: &str| format!("{BAR}<div data-box='0 60 1440 960'>{inner}</div>{foot}");
    assert_eq!(roles("h1{font-size:60px}", &page(&bands)), ["hero", "section", "section", "header", "footer"]);
    let narrow = bands.replace("1440 320", "1140 320");
    assert_eq!(roles("h1{font-size:60px}", &page(&narrow)), ["hero", "header", "footer"]);
    let rows = format!("<section data-box='0 60 1440 960'><div data-box='0 60 1440 960'>{bands}</div></section>");
    let page = format!("{BAR}{rows}{foot}");
    assert_eq!(roles("h1{font-size:60px}", &page), ["hero", "header", "footer"], "rows of one section");
}

#[test]
fn article_that_is_the_whole_page_is_a_frame() {
    let bands = [band(60, "field", HERO), band(380, "field", MORE), band(700, "field", MORE)].concat();
    for (open, close) in [("<article><div>", "</div></article>"), ("<section><div><div>", "</div></div></section>")] {
        let body = format!("{BAR}<main>{open}{bands}{close}</main>");
        assert_eq!(roles("h1{font-size:60px}", &body), ["hero", "section", "section", "header"], "{open}");
        let small = body.replace("1440 320", "1440 120");
        assert_eq!(roles("h1{font-size:60px}", &small), ["hero", "header"], "{open}");
    }
}

#[test]
fn headers_with_only_a_fixed_bar_are_found() {
    let bar = "<nav class=fixed data-box='0 0 1440 60'><a href=/>Logo</a> <a href=/a>First</a></nav>";
    let hero = format!("<section data-box='0 0 1440 600'>{HERO}</section>");
    let page = |style: &str| format!("<header style='{style}' data-box='0 0 1440 0'>{bar}</header>{hero}");
    let css = "h1{font-size:60px} .fixed{position:fixed}";
    assert_eq!(roles(css, &page("")), ["hero", "header"]);
    assert_eq!(roles(css, &page("overflow:hidden")), ["hero"], "overflowing content is clipped");
}

#[test]
fn clipped_elements_are_no_sections() {
    let hero = format!("<section data-box='0 0 1440 600'>{HERO}</section>");
    for (style, is_there) in [
        ("position:absolute;clip:rect(0 0 0 0)", false),
        ("position:absolute;clip:rect(1px, 1px, 1px, 1px)", false),
        ("position:absolute;clip-path:inset(50%)", false),
        ("position:absolute;clip:rect(0 100px 40px 0)", true),
        ("clip:rect(0 0 0 0)", true),
    ] {
        let body = format!("<a href=#m style='{style}' data-box='0 0 200 60'>Skip to content</a>{hero}");
        let found = roles("h1{font-size:60px}", &body);
        assert_eq!(found.len() == 2, is_there, "{style}: {found:?}");
    }
}

#[test]
fn cookie_banners_are_no_sections() {
    let hero = format!("<section data-box='0 0 1440 600'>{HERO}</section>");
    let banner = "<div id=onetrust-consent-sdk data-box='0 0 1440 0'><div style='position:fixed' data-box='0 700 1440 \
                  200'><h2>We value your privacy</h2><p>Cookies, cookies, cookies.</p><button>Yes</button></div></div>";
    assert_eq!(roles("h1{font-size:60px}", &format!("{banner}{hero}")), ["hero"]);
    assert_eq!(roles("h1{font-size:60px}", banner), ["hero"], "unless it is the only part");
}

#[test]
fn footers_by_name_before_the_footer_element_are_ignored() {
    let css = "h1{font-size:60px} .button{padding:8px 16px;background:#00f}";
    let hero = format!("<section data-box='0 0 1440 600'>{HERO}</section>");
    let call = "<section class='footer-cta' data-box='0 600 1440 300'><h2>Sign up for more</h2><p>Every \
                week.</p><a href=/s>Subscribe</a></section>";
    let foot = "<footer data-box='0 900 1440 80'>Made by somebody</footer>";
    let after = "<div class=copyright data-box='0 980 1440 40'>A line of small print below the rest of it</div>";
    assert_eq!(roles(css, &format!("{hero}{call}{foot}")), ["hero", "cta", "footer"]);
    assert_eq!(roles(css, &format!("{hero}{call}")), ["hero", "cta"]);
    assert_eq!(roles(css, &format!("{hero}{foot}{after}")), ["hero", "footer", "footer"]);
    assert_eq!(roles(css, &format!("{hero}{}", after.replace("copyright", "page-footer"))), ["hero", "footer"]);
}

#[test]
fn pages_without_landmarks_have_a_bar_and_a_copyright_notice() {
    let css = "h1{font-size:60px}";
    let bar = "<div data-box='0 0 1440 64'><a href=/>Ida Holm</a> <a href=/work>Work</a></div>";
    let hero = format!("<div data-box='0 64 1440 600'>{HERO}</div>");
    let call = "<div data-box='0 664 1440 300'><h2>Write to me</h2><button>Write</button></div>";
    let foot = "<div data-box='0 964 1440 120'>© 2025 Ida Holm. All rights reserved.</div>";
    assert_eq!(roles(css, &format!("{bar}{hero}{call}{foot}")), ["hero", "cta", "header", "footer"]);
    let layer = foot.replace("<div", "<div data-framer-name=Footer").replace("©", "Since");
    assert_eq!(roles(css, &format!("{bar}{hero}{call}{layer}")), ["hero", "cta", "header", "footer"]);
}

#[test]
fn bar_in_a_hero_is_the_header_of_a_page_without_one() {
    let css = "h1{font-size:60px}";
    let links = "<nav data-box='600 20 800 40'><a href=/a>First</a> <a href=/b>Second</a></nav>";
    let bar = format!("<div class=top data-box='0 0 1440 80'><a href=/>Logo</a>{links}</div>");
    let hero = |bar: &str| {
        format!("<header data-box='0 0 1440 900'>{bar}<div data-box='0 200 1440 500'>{HERO}</div></header>")
    };
    let selector = |body: &str| {
        let found = sections(css, body).into_iter().find(|section| section.reference.role.as_deref() == Some("header"));
        found.map(|section| section.reference.selector)
    };
    assert_eq!(selector(&hero(&bar)).as_deref(), Some("body > header > div:nth-of-type(1)"));
    assert_eq!(selector(&hero(links)).as_deref(), Some("body > header > nav"));
    assert_eq!(selector(&format!("{BAR}{}", hero(&bar))).as_deref(), Some("body > nav"));
    assert_eq!(selector(&hero(&bar.replace("0 0 1440 80", "0 0 1440 380").replace("600 20", "600 320"))), None);
}

#[test]
fn sections_are_classified_by_title_and_content() {
    let css =
        "h1{font-size:60px} .box{display:flex;align-items:center;justify-content:center;height:48px;background:#00f}";
    let hero = format!("<section data-box='0 0 1440 600'>{HERO}</section>");
    let questions = ["Wie geht das?", "Was kostet es?", "Wer hilft?"]
        .map(|question| format!("<h3>{question}</h3><p>So geht das, und so weiter.</p>"))
        .concat();
    let quotes = ["Ada", "Bo"]
        .map(|name| format!("<div><p>“It has changed how we work, all of us, every day.”</p><b>{name}</b></div>"))
        .concat();
    for (section, role) in [
        ("<section><h2>Pricing</h2><p>$5 a month</p></section>".to_owned(), "pricing"),
        ("<section><h2>Preise</h2><p>5 € im Monat</p></section>".to_owned(), "pricing"),
        ("<section aria-label=Pricing><p>$5 a month or $50 a year</p></section>".to_owned(), "pricing"),
        ("<section aria-label=Features><p>It does a thing or two for you</p></section>".to_owned(), "features"),
        ("<section aria-label=FAQ><p>It does a thing or two for you</p></section>".to_owned(), "faq"),
        ("<section><h2>Preguntas frecuentes</h2><p>Una o dos</p></section>".to_owned(), "faq"),
        (format!("<section><h2>Gut zu wissen</h2>{questions}</section>"), "faq"),
        (format!("<section><h2>Early believers</h2>{quotes}</section>"), "testimonials"),
        (
            "<section><h2>Who</h2><i class=a-testimonial>Good!</i><i class=a-testimonial>Nice!</i></section>"
                .to_owned(),
            "testimonials",
        ),
        ("<section><h2>Ready to go?</h2><p>Now</p><a class=button href=/s>Sign up</a></section>".to_owned(), "cta"),
        ("<section><h2>Ready to go?</h2><p>Now</p><a class=box href=/s>Sign up</a></section>".to_owned(), "cta"),
        ("<section><h2>Ready to go?</h2><p>Now</p><a href=/s>Sign up</a></section>".to_owned(), "section"),
        // With its own background it is a call to action, unless it contains a contact form.
        (format!("<section style='background:#224'>{PAID}</section>"), "cta"),
        (format!("<section>{PAID}</section>"), "section"),
        (format!("<section style='background:#224'>{PAID}<input><textarea></textarea></section>"), "section"),
        ("<section><h2>Our clients speak</h2><p>They do.</p></section>".to_owned(), "testimonials"),
        (
            format!(
                "<section><figure><blockquote><p>{QUOTE}</p></blockquote><figcaption>Ada</figcaption></figure></section>"
            ),
            "testimonials",
        ),
        (format!("<section><h2>On it</h2><blockquote>{QUOTE}</blockquote></section>"), "section"),
        (
            format!(
                "<section><h2>All of it</h2><dl>{}</dl></section>",
                "<div><dt>Term</dt><dd>What it means to you</dd></div>".repeat(3)
            ),
            "features",
        ),
        (
            format!(
                "<section><h2>From the blog</h2>{}</section>",
                "<article><h3>Post</h3><p>What it is about here</p></article>".repeat(3)
            ),
            "section",
        ),
    ] {
        let more = format!("<section data-box='0 900 1440 300'>{MORE}</section>");
        let found = roles(css, &format!("{hero}{section}{more}"));
        assert_eq!(found[1], role, "{section}");
    }
}

const PAID: &str = "<h2>Get paid</h2><p>Start free.</p><button>Create account</button>";
const QUOTE: &str = "We went from forty days to twelve days of waiting for what we had earned.";

#[test]
fn final_forms_are_calls_to_action_without_another_one() {
    let hero = format!("<section data-box='0 0 1440 600'>{HERO}</section>");
    let form = format!("<section data-box='0 1200 1440 600'>{PAID}<input><textarea></textarea></section>");
    assert_eq!(roles("", &format!("{hero}{form}")), ["hero", "cta"]);
    let call = format!("<section style='background:#224' data-box='0 600 1440 300'>{PAID}</section>");
    assert_eq!(roles("", &format!("{hero}{call}{form}")), ["hero", "cta", "section"]);
}

#[test]
fn announcements_above_the_header_are_no_headers() {
    let hero = format!("<section data-box='0 60 1440 600'>{HERO}</section>");
    let bar = "<div role=banner data-box='0 0 1440 40'>Version three is out! <a href=/r>Read more</a></div>";
    assert_eq!(roles("", &format!("{bar}{BAR}{hero}")).iter().filter(|role| *role == "header").count(), 1);
    assert_eq!(roles("", &format!("{bar}{hero}")).iter().filter(|role| *role == "header").count(), 1, "the only one");
}

#[test]
fn article_titles_named_header_are_no_headers() {
    let text = format!("<div data-box='0 160 1440 600'>{PAID}</div>");
    let title = "<div class=header data-box='0 60 1440 90'><h1>Packages of everything</h1></div>";
    let found = roles("h1{font-size:24px}", &format!("{BAR}<main data-box='0 60 1440 700'>{title}{text}</main>"));
    assert_eq!(found.iter().filter(|role| *role == "header").count(), 1, "{found:?}");
    let named = "<div class=header data-box='0 0 1440 60'><b>Acme</b> <a href=/a>Docs</a> <a href=/b>Shop</a></div>";
    let found = roles("h1{font-size:24px}", &format!("{named}<main data-box='0 60 1440 700'>{text}</main>"));
    assert!(found.contains(&"header".to_owned()), "{found:?}");
}

#[test]
fn feed_is_one_section_though_its_first_card_is_wide() {
    let card = |x: u32, y: u32, width: u32| {
        format!(
            "<article class=card data-box='{x} {y} {width} 300'><h2>A post</h2><p>It goes on for a sentence or two, and \
             then it ends, as sentences do.</p></article>"
        )
    };
    let cards = [card(0, 600, 1400), card(0, 900, 460), card(470, 900, 460), card(940, 900, 460)].concat();
    let hero = format!("<section data-box='0 0 1440 600'>{HERO}</section>");
    let body = format!("{hero}<main data-box='0 600 1440 600'><div data-box='0 600 1440 600'>{cards}</div></main>");
    assert_eq!(sections("", &body).len(), 2, "{:?}", roles("", &body));
}

#[test]
fn sections_of_images_are_labelled_by_alternative_texts() {
    let hero = format!("<section data-box='0 0 1440 600'>{HERO}</section>");
    let logos = "<section data-box='0 600 1440 200'><img alt=Acme src=a><img alt='...' src=b><img alt=Orbit src=c><img alt=Acme src=a></section>";
    let found = sections("", &format!("{hero}{logos}"));
    assert_eq!(found[1].reference.label, "Acme, Orbit");
}

#[test]
fn sidebars_are_no_headers() {
    let hero = format!("<main data-box='300 0 1140 2000'>{HERO}</main>");
    let links = "<a href=/a>First</a> <a href=/b>Second</a> <a href=/c>Third</a>";
    for (tag, size, is_header) in [
        ("nav", "300 900", false),
        ("div class=nav", "23 2000", false),
        ("header", "300 900", true),
        ("nav", "1440 80", true),
    ] {
        let name = tag.split(' ').next().unwrap();
        let body = format!("<{tag} data-box='0 0 {size}'>{links}</{name}>{hero}");
        let found = roles("h1{font-size:60px}", &body);
        assert_eq!(found.contains(&"header".to_owned()), is_header, "{tag} {size}: {found:?}");
    } // Breadcrumbs in the content beside such a column are no header either.
    let trail = "<nav data-box='300 0 1140 40'><a href=/>Docs</a> <a href=/a>Here</a></nav>";
    let main = format!("<main data-box='300 0 1140 2000'><section>{trail}{HERO}</section></main>");
    let found = roles("h1{font-size:60px}", &format!("<nav data-box='0 0 300 900'>{links}</nav>{main}"));
    assert!(!found.contains(&"header".to_owned()), "{found:?}");
}

#[test]
fn button_by_itself_is_no_section() {
    let handle = "<button class=toggle aria-label='Show the list' data-box='0 0 23 900'>»</button>";
    let hero = format!("<section data-box='23 0 1417 900'>{HERO}</section>");
    let foot = "<footer data-box='0 900 1440 80'>© Somebody</footer>";
    assert_eq!(roles("h1{font-size:60px}", &format!("{handle}{hero}{foot}")), ["hero", "footer"]);
    assert_eq!(roles("", handle), ["hero"], "unless it is the only part");
}

#[test]
fn lines_between_sections_are_no_sections() {
    let hero = format!("<section data-box='0 0 1440 900'>{HERO}</section>");
    let foot = "<footer data-box='0 960 1440 80'>© Somebody</footer>";
    let links = "<a href=/a>First</a> › <a href=/b>Second</a>";
    for (line, is_section) in [
        (format!("<div data-box='0 900 1440 40'>{links}</div>"), false),
        (format!("<div class=bar data-box='0 900 1440 40'>{links}</div>"), true),
        (format!("<div class=bar data-box='0 900 1440 16'>{links}</div>"), false),
        (format!("<div data-box='0 900 1440 60'>{links}</div>"), true),
        ("<div data-box='0 900 1440 40'><label>Find <input></label></div>".to_owned(), true),
        ("<div data-box='0 900 1440 40'><h3>In short</h3></div>".to_owned(), true),
        ("<div data-box='0 900 30 20'><a href=/up><img src=up.png></a></div>".to_owned(), false),
        ("<div data-box='0 900 800 40'><video src=a.mp4></video></div>".to_owned(), true),
        ("<h3 data-box='0 900 1440 60'>A heading without its text</h3>".to_owned(), false),
        ("<a class='btn' href=/all data-box='0 900 140 60'>See all of it</a>".to_owned(), false),
    ] {
        let body = format!("<main>{hero}{line}</main>{foot}");
        let found = roles("h1{font-size:60px} .bar{background:#eee}", &body);
        assert_eq!(found.contains(&"section".to_owned()), is_section, "{line}: {found:?}");
    }
}

#[test]
fn summaries_of_code_are_no_questions() {
    let hero =
        "<section data-box='0 0 1440 600'><h1>The words of the page</h1><p>And more of them below.</p></section>";
    for (summary, role) in [("How to begin", "faq"), ("<code>fn begin()</code>", "section")] {
        let items = format!("<details><summary>{summary}</summary><p>Words</p></details>").repeat(3);
        let body = format!("{hero}<section data-box='0 600 1440 600'><h2>All of it</h2>{items}</section>");
        assert_eq!(roles("h1{font-size:60px}", &body)[1], role, "{summary}");
    }
}

/// Text directly in the body, like the rest of a broken comment, does not make the page one section.
#[test]
fn stray_text_between_sections_is_none() {
    let body = format!(
        "{BAR}< ==== Hero ==== -->{}{POSTS}",
        "<section data-box='0 60 1440 440'><h1>Words to greet with</h1><p>And what they are about, in more words than these.</p></section>"
    );
    let found = sections("h1{font-size:60px} h2{font-size:36px}", &body);
    assert_eq!(found[0].reference.label, "Words to greet with", "{found:?}");
    // Among parts that no element marks as sections, the words must be few.
    let part = |y: u32, title: &str| {
        let words = "Words that say more of it, and then some. ".repeat(6);
        format!("<div data-box='0 {y} 1440 500'><h2>{title}</h2><div>{words}</div></div>")
    };
    let body = |stray: &str| format!("{BAR}{stray}{}{}{}", part(60, "First"), part(560, "Second"), part(1060, "Third"));
    let count = |stray: &str| sections("h2{font-size:36px}", &body(stray)).len();
    assert_eq!(count("box-shadow: none }"), count(""));
    assert!(count(&"Running words of a text. ".repeat(20)) < count(""));
}

/// Headlines need not be heading elements.
#[test]
fn bands_with_a_headline_in_any_element_are_sections() {
    let page = |size: u32| {
        let band = "<div data-box='0 0 1440 500'><div class=jumbo>Name for sale</div><p>Secure it today and take the lead of \
                    the market tomorrow, with a name that works.</p></div>";
        let text = "<div data-box='0 500 1440 600'><h1>Your future online</h1><p>A name of this kind sets you apart from all \
                    of the others on the market today.</p></div>";
        sections(&format!(".jumbo{{font-size:{size}px}}"), &format!("<div data-box='0 0 1440 1100'>{band}{text}</div>"))
            .len()
    };
    assert_eq!((page(60), page(16)), (2, 1));
}

#[test]
fn pictures_that_change_below_the_bar_of_a_header_are_the_hero() {
    let slides = |class: &str| {
        format!(
            "<div class='{class}' data-box='0 90 1440 520'><section data-box='100 90 1240 520'>\
             <img src=a.jpg data-box='100 90 1240 520'><button>‹</button></section></div>"
        )
    };
    let bar = "<div data-box='0 0 1440 90'><a href=/>Logo</a> <a href=/a>One</a> <a href=/b>Two</a> <a href=/c>Three</a></div>";
    let page = |class: &str| {
        format!(
            "<header data-box='0 0 1440 610'>{bar}{}</header><main><section data-box='0 610 1440 500'>{MORE}</section>\
             <section data-box='0 1110 1440 500'>{MORE}</section></main>",
            slides(class)
        )
    };
    let found = |class: &str| sections("", &page(class));
    let heroes = |class: &str| -> Vec<String> {
        let heroes = found(class).into_iter().filter(|part| part.role == Some(SectionRole::Hero));
        heroes.map(|part| part.reference.selector).collect()
    };
    assert_eq!(heroes("main-slider"), ["body > header > div:nth-of-type(2)"]);
    assert_ne!(heroes("pictures"), ["body > header > div:nth-of-type(2)"], "nothing says that they change");
}

#[test]
fn header_of_bands_is_one_section_if_others_stand_beside_the_frame() {
    let cards = [band(320, "card", MORE), band(640, "card", MORE), band(960, "card", MORE)].concat();
    let top = format!("<header class=top data-box='0 0 1440 1280'>{}{cards}</header>", band(0, "head", HERO));
    let beside = format!(
        "<section data-box='0 1280 1440 500'>{MORE}</section><section data-box='0 1780 1440 500'>{MORE}</section>"
    );
    let page = |beside: &str| format!("<div><main data-box='0 0 1440 1280'>{top}</main></div>{beside}");
    let count = |html: &str| sections("h1{font-size:60px}", html).len();
    assert_eq!(count(&page(&beside)), 3);
    assert!(count(&page("")) > 3, "the only content of the frame is the page");
}
