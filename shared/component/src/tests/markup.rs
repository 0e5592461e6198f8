//! Tests markup that says what its contents are: headings, paragraphs, buttons, names of links.

use super::{attributes, component, component_for, count, names, texts};
use limner_types::Framework;

fn tailwind(body: &str, css: &str) -> String {
    component_for(body, css, Framework::Tailwind)["code"].as_str().unwrap().to_owned()
}

/// Returns the names of headings and paragraphs, in document order.
fn outline(body: &str) -> String {
    names(component(body, "")["code"].as_str().unwrap(), "h1, h2, h3, h4, h5, h6, p").join(" ")
}

#[test]
fn headings_leave_out_no_level() {
    for (body, expected) in [
        ("<h2>A</h2>x<h4>B</h4>x<h4>C</h4>x", "h2 h3 h3"),
        ("<h1>A</h1>x<h3>B</h3>x<h6>C</h6>x", "h1 h2 h3"),
        ("<h4>A</h4>x<h4>B</h4>x", "h4 h4"),
        ("<h3>Line</h3><h2>A</h2>x<h4>B</h4>x", "p h2 h3"),
        ("<div><h3>Line</h3></div><div><h2>A</h2></div>x", "p h2"),
        ("<h3>A</h3>x<h3>Last</h3><h2>B</h2>x", "h3 h3 h2"),
        ("<h1>A</h1>x<div><h1>B</h1>x</div>", "h1 h2"),
        ("<div><h1>A</h1></div>x<div><h1>B</h1></div>x", "h2 h2"),
        ("<div><h1>A</h1></div>x<div><h1>A</h1></div>x", "h1 h1"),
        ("<h2>98</h2><h2>%</h2>x<h2>Words</h2>", "p p h2"),
        ("<h1>404</h1><h2>Not found</h2>", "h1 h2"),
    ] {
        assert_eq!(outline(body), expected, "{body}");
    }
}

#[test]
fn sentences_are_paragraphs_under_preflight() {
    for (body, expected) in [
        ("<h2>A</h2><div class=t>We build and repair gardens</div>", "p"),
        ("<h2>A</h2><div class=t>Two words</div>", "div"),
        ("<h2>A</h2><div tabindex=0 class=t>We build and repair gardens</div>", "div"),
        ("<h2>A</h2><div class=t>We build and <b>repair</b> gardens</div>", "p"),
        ("<h2>A</h2><div class=t>We build and <div>repair</div> gardens</div>", "div"),
        ("<h2>A</h2><div class=t>We build and repair</div><div class=t>One, two, three, four</div>", "div"),
    ] {
        let code = tailwind(body, ".t{color:red}");
        assert_eq!(names(&code, "[class^='text-[#f00]']")[0], expected, "{body}: {code}");
    }
    let plain = component("<h2>A</h2><div class=t>We build and repair gardens</div>", "");
    assert_eq!(count(plain["code"].as_str().unwrap(), "div"), 1, "{plain}");
}

#[test]
fn empty_heading_is_a_box() {
    let code = tailwind("<p>A</p><h3 class=t></h3><p>B</p>", ".t{margin-bottom:8px;height:1px}");
    assert_eq!(count(&code, "p + div[class] + p"), 1, "{code}");
}

#[test]
fn boxes_with_the_role_of_a_button_are_buttons() {
    let code = tailwind("<h2>A</h2><div class=b role=button tabindex=0><span>Next</span></div>", ".b{display:flex}");
    assert_eq!((count(&code, "button[type=button]"), count(&code, "[role], [tabindex]")), (1, 0), "{code}");
    let code = tailwind("<h2>A</h2><div class=b role=button tabindex=0><div>Next</div></div>", ".b{display:flex}");
    assert_eq!(count(&code, "div[role=button]"), 1, "a button contains no blocks: {code}");
}

#[test]
fn links_with_an_icon_only_have_a_name() {
    let icon = "<svg viewBox='0 0 9 9'><path d='M0 0h9v9z'/></svg>";
    let name = |link: &str| {
        let code = tailwind(&format!("<h2>A</h2><p>B</p>{link}"), "a{display:block;height:9px}");
        attributes(&code, "a", "aria-label").pop()
    };
    let link = |href: &str, inside: &str| name(&format!("<a href='{href}'>{inside}</a>"));
    assert_eq!(link("https://www.instagram.com/ada", icon).as_deref(), Some("Instagram"));
    assert_eq!(link("tel:+49123", icon).as_deref(), Some("+49123"));
    assert_eq!(link("https://www.instagram.com/ada", "Ada"), None);
    assert_eq!(link("https://www.instagram.com/ada", "<img src=a.png alt=Ada>"), None);
}

#[test]
fn controls_with_an_icon_only_are_called_what_their_author_calls_them() {
    let icon = "<svg viewBox='0 0 9 9'><path d='M0 0h9v9z'/></svg>";
    let code = tailwind(&format!("<h2>A</h2><p>B</p><button class=slider-next>{icon}</button>"), "button{height:9px}");
    assert_eq!(attributes(&code, "button", "aria-label"), ["Next"], "{code}");
    let image = "<h2>A</h2><p>B</p><button aria-label=Next><img src=a.png alt=next></button>";
    let code = tailwind(image, "button{height:9px}");
    assert_eq!(attributes(&code, "button img", "alt"), [""], "one name: {code}");
}

#[test]
fn boxes_have_names_and_roles_that_fit() {
    let code =
        tailwind("<h2>A</h2><div aria-label=Size><button>S</button><button>M</button></div>", "div{padding:9px}");
    assert_eq!(count(&code, "[role=group][aria-label=Size]"), 1, "{code}");
    let code = tailwind("<h2>A</h2><div aria-label=Size>Words of a text</div>", "div{padding:9px}");
    assert_eq!(count(&code, "[aria-label]"), 0, "a box without a role has no name: {code}");
    let list = "<h2>A</h2><div role=list><button>S</button></div><div role=list><div role=listitem>A</div></div>";
    assert_eq!(count(&tailwind(list, "div{padding:9px}"), "[role=list]"), 1);
}

#[test]
fn sections_in_a_section_are_boxes_unless_they_have_a_name() {
    let code = tailwind(
        "<section class=a><h2>A</h2></section><section aria-label=B class=a><h2>B</h2></section>",
        ".a{padding:9px}",
    );
    assert_eq!(count(&code, "section section"), 1, "{code}");
}

#[test]
fn glyphs_of_icon_fonts_are_hidden_from_assistive_technology() {
    let code = tailwind(
        "<h2>A</h2><p>Call <i class=g></i> us <span class=h>\u{f095}</span></p>",
        ".g::before{content:'\\f095'} .h{color:red}",
    );
    assert_eq!(count(&code, "i[aria-hidden=true], span[aria-hidden=true]"), 2, "{code}");
}

#[test]
fn sources_that_are_never_chosen_are_left_out() {
    let sources = "<source srcset=a.webp type=image/webp><source srcset=a.webp type=image/jpeg><source srcset=b.webp media='(min-width:9px)'>";
    let code = tailwind(&format!("<h2>A</h2><picture>{sources}<img src=a.jpg></picture>"), "");
    assert_eq!(count(&code, "source"), 2, "{code}");
    let code =
        tailwind("<h2>A</h2><video src=a.mp4 autoplay muted><source src=b.mp4>Another browser plays it</video>", "");
    assert_eq!(count(&code, "source") + code.matches("Another").count(), 0, "{code}");
    assert_eq!(count(&code, "video[playsinline]"), 1, "{code}");
}

#[test]
fn words_in_boxes_of_their_own_are_a_text() {
    let words = "<h2>A</h2><p><span class=w>Ship</span> <span class=w>it</span> <span class=w>today</span></p>";
    assert_eq!(count(&tailwind(words, ".w{display:inline-block;position:relative}"), "span"), 0);
    assert_eq!(texts(&tailwind(words, ".w{display:inline-block}"), "p"), ["Ship it today"]);
    assert_eq!(count(&tailwind(words, ".w{display:inline-block;color:red}"), "span"), 3, "coloured");
}

#[test]
fn states_of_slides_are_left_out() {
    let slides =
        "<h2>A</h2><ul><li class=s aria-hidden=false>One</li><li class=s aria-hidden=true tabindex=-1>Two</li></ul>";
    let code = tailwind(&format!("{slides}<p class=t aria-hidden=true>Decoration</p>"), "");
    assert_eq!((count(&code, "li[aria-hidden], [tabindex]"), count(&code, "p[aria-hidden]")), (0, 1), "{code}");
}

#[test]
fn anchors_that_lead_nowhere_are_boxes() {
    let code = tailwind("<h2>A</h2><a class=card><h3>B</h3></a><a class=word>C</a>", "a{padding:9px}");
    assert_eq!(
        (count(&code, "a"), count(&code, "div > h3"), texts(&code, "span")),
        (0, 1, vec!["C".to_owned()]),
        "{code}"
    );
    let menu = "<h2>A</h2><a class=item href=/a>B</a><a class=item>C</a>";
    assert_eq!(count(&tailwind(menu, "a{padding:9px}"), "a"), 2, "the current page");
}

#[test]
fn largest_text_of_a_section_without_headings_is_its_headline() {
    let hero =
        "<div class=big>Made for you</div><p>More words about what we make for you</p><a href=/a class=more>More</a>";
    let page =
        super::page_of(format!("<body><main><section class=hero id=s>{hero}</section></main>"), ".big{font-size:48px}");
    let result = super::ask_for(&page, Some("#s"), limner_types::Theme::Light, Framework::Tailwind).unwrap();
    let code = result["code"].as_str().unwrap();
    assert_eq!(texts(code, "h1"), ["Made for you"], "{code}");
}

#[test]
fn data_in_hidden_fields_are_left_out() {
    let field = |around: &str| format!("<h2>A</h2><{around} class=n><textarea>{{\"0\":1}}</textarea></{around}>");
    assert_eq!(count(&tailwind(&field("div"), ".n{display:none}"), "textarea"), 0);
    assert_eq!(count(&tailwind(&field("form"), ".n{display:none}"), "textarea"), 1, "sent");
    assert_eq!(count(&tailwind(&field("div"), ""), "textarea"), 1, "seen");
}

#[test]
fn root_with_a_heading_is_a_section() {
    let code = |html: &str| {
        let page = super::page_of(format!("<body><div id=s>{html}</div>"), "");
        let result = super::ask_for(&page, Some("#s"), limner_types::Theme::Light, Framework::Html).unwrap();
        result["code"].as_str().unwrap().to_owned()
    };
    assert_eq!(count(&code("<h2>A</h2><p>B</p>"), "html > section > h2"), 1);
}

#[test]
fn symbols_in_use_are_written_as_what_they_show() {
    let icon =
        "<svg width=24 height=24><symbol id=i viewBox='0 0 24 24'><path d='M0 0h9v9z'/></symbol><use href='#i'/></svg>";
    let code = tailwind(&format!("<h2>A</h2>{icon}"), "");
    assert_eq!(attributes(&code, "svg", "viewBox"), ["0 0 24 24"], "{code}");
    assert_eq!((count(&code, "svg path"), count(&code, "symbol, use")), (1, 0), "{code}");
}

#[test]
fn headings_are_bold_without_another_element() {
    let code = tailwind("<h2><strong>Title</strong></h2><p>Words</p>", "h2{font-weight:400}");
    assert_eq!((count(&code, "h2[class~=font-bold]"), count(&code, "strong")), (1, 0), "{code}");
    let code = tailwind("<h2><strong>Title</strong> more</h2><p>Words</p>", "h2{font-weight:600}");
    assert_eq!(texts(&code, "h2 > strong"), ["Title"], "{code}");
}

#[test]
fn parts_that_nothing_shows_are_left_out() {
    let spinner = "<span class=s><svg viewBox='0 0 9 9'><path d='M0 0h9v9z'/></svg></span>";
    let button = format!("<h2>A</h2><button><span>Send</span>{spinner}</button>");
    assert_eq!(count(&tailwind(&button, ".s{display:none}"), "button"), 1);
    assert_eq!(count(&tailwind(&button, ".s{display:none}"), "svg"), 0);
    assert_eq!(count(&tailwind(&button, ".s{display:none} button:focus .s{display:inline}"), "button svg"), 1);
    let answer = "<h2>A</h2><div class=s>An answer that a script shows</div>";
    assert_eq!(texts(&tailwind(answer, ".s{display:none}"), "h2 + *"), ["An answer that a script shows"]);
    let layer = "<h2>A</h2><div class=s></div><p>B</p>";
    assert_eq!(count(&tailwind(layer, ".s{position:absolute;inset:0;z-index:2}"), "[class~=absolute]"), 0);
    assert_eq!(count(&tailwind(layer, ".s{position:absolute;inset:0;background:red}"), "[class~=absolute]"), 1);
}
