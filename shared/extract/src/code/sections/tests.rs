use super::{Section, find_with};
use limner_page::{Document, PageSnapshot, Sheet, SheetOwner};
use limner_style::StyleIndex;
use limner_style::layout::{Boxes, Rect};

/// Sections of a page on which what has `data-box="x y width height"` is there, and everything else as wide as a window.
fn sections(css: &str, body: &str) -> Vec<Section> {
    let html = format!("<!doctype html><body>{body}");
    let sheet = Sheet { owner: SheetOwner::Adopted, text: Some(css.into()), ..Sheet::default() };
    let page = PageSnapshot { html, sheets: vec![sheet], ..PageSnapshot::default() };
    let document = Document::parse(&page.html);
    let mut boxes = vec![Some(Rect { x: 0.0, y: 0.0, width: 1440.0, height: 900.0 }); document.len()];
    for (node, element) in document.elements() {
        let Some(given) = element.attr("data-box") else { continue };
        let numbers: Vec<f32> = given.split(' ').map(|number| number.parse().unwrap()).collect();
        let [x, y, width, height] = numbers[..] else { panic!("{given}") };
        boxes[node.index()] = Some(Rect { x, y, width, height });
    }
    let index = StyleIndex::new(&page, &document);
    find_with(&document, &index, Some(Boxes::new(boxes)))
}

fn roles(css: &str, body: &str) -> Vec<String> {
    sections(css, body).into_iter().map(|section| section.reference.role.unwrap()).collect()
}

const BAR: &str = "<nav data-box='0 0 1440 60'><a href=/a>First</a> <a href=/b>Second</a> <a href=/c>Third</a></nav>";
const POSTS: &str = "<main data-box='0 500 1440 900'><article data-box='0 500 1440 300'><h2>A post about something</h2><p>It \
                     goes on for a sentence or two, and then it ends.</p></article><article data-box='0 800 1440 300'><h2>Another \
                     post</h2><p>This one goes on for a sentence or two, and then it ends as well.</p></article></main>";

#[test]
fn a_high_header_with_a_title_is_the_hero_and_a_bar_is_not() {
    let css = "h1{font-size:60px} h2{font-size:36px}";
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
    ] {
        let body = title(tag, inner, height);
        let hero = &sections(css, &body)[0].reference;
        assert_eq!(hero.preview.starts_with("Clean words"), is_hero, "{tag} {inner} {height}: {hero:?}");
    }
}

#[test]
fn cards_are_alike_when_their_titles_are_whatever_their_utilities() {
    let card = |class: &str| format!("<div class='{class}'><h3>Title</h3><p>Some words about this one.</p></div>");
    let cards = ["group bg-a", "bg-a", "wide bg-a"].map(card).concat();
    let hero =
        "<section data-box='0 0 1440 600'><h1>The words of the page</h1><p>And more of them below.</p></section>";
    let body = format!("{hero}<section data-box='0 600 1440 600'><h2>All of it</h2><div>{cards}</div></section>");
    assert_eq!(roles("h1{font-size:60px}", &body), ["hero", "features"]);
}

#[test]
fn what_lies_off_the_page_is_no_section() {
    let skip = "<a href=#main data-box='0 -90 200 40'>Skip to the contents of this page</a>";
    let hero =
        "<section data-box='0 0 1440 600'><h1>The words of the page</h1><p>And more of them below.</p></section>";
    let small = "<div class=copyright data-box='0 600 1440 80'>© Somebody, all rights are theirs</div>";
    assert_eq!(roles("h1{font-size:60px}", &format!("{skip}{hero}{small}")), ["hero", "footer"]);
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
