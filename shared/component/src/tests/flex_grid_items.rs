//! Tests sections that are flex or grid items, and values that depend on a section's position on
//! its page.

use super::{ask_laid_out, ask_of, page_of};
use limner_page::{Document, PageSnapshot};
use limner_style::Environment;
use limner_style::layout::{Boxes, Layout, Rect};
use limner_types::Theme;

fn css(html: &str, css: &str) -> String {
    let page = page_of(format!("<!doctype html><html><body>{html}</body></html>"), css);
    ask_of(&page, Some(".h"), Theme::Light).unwrap()["css"].as_str().unwrap().to_owned()
}

#[test]
fn flex_and_grid_containers_may_determine_a_sections_height() {
    let words = "<p>Words on a page, more of them than one could read</p>";
    let body = format!("<main><div>Bar</div><section class=h>{words}</section></main>");
    for (rules, height) in [
        ("main{display:flex;flex-direction:column} .h{flex:0 0 80px}", Some("80px")),
        ("main{display:flex;flex-direction:column} .h{flex:1 0 80px}", None),
        ("main{display:flex;height:96px;padding:8px} .h{flex:1}", Some("96px")),
        ("main{display:flex;height:96px;padding:8px;box-sizing:border-box} .h{margin:4px}", Some("calc(80px - 8px)")),
        ("main{display:flex;height:96px;align-items:center}", None),
        ("main{display:grid;grid-template-rows:40px 60px}", Some("60px")),
        ("main{display:grid;grid-template-rows:[a] 40px 1fr}", None),
        ("main{display:grid;grid-template-rows:40px 60px} .h{grid-row:1}", Some("40px")),
        ("main{display:grid;grid-template:'a b' 50px 'c h' 70px/1fr 1fr} .h{grid-area:h}", Some("70px")),
        ("main{display:grid;grid-template-rows:40px 60px} .h{align-self:start}", None),
        // In the first row, or in an unknown one.
        ("main{display:grid;grid-template:40px 60px/repeat(3,1fr)}", None),
        ("main{display:grid;grid-template-rows:repeat(2,40px) 60px}", None),
        ("main{display:grid;grid-template-rows:40px 60px} div{position:absolute}", Some("40px")),
        ("main{display:grid;grid-template-rows:40px 60px} div{display:none}", Some("40px")),
        ("main{display:grid;grid-template-rows:40px 60px} div{grid-row:2}", None),
        // The height of any viewport.
        ("main{display:flex;height:100vh}", Some("100vh")),
        ("main{display:flex;height:100vh;padding:8px}", None),
        ("main{display:grid;grid-template-rows:40px 10vh}", None),
        ("main{display:flex;flex-direction:column} .h{flex:0 0 50vh}", None),
        // Something limits the height.
        ("main{display:flex;flex-direction:column;height:90px} .h{flex:0 1 80px}", None),
        ("main{display:flex;flex-direction:column} .h{flex:0 0 80px;max-height:50px}", None),
        ("main{display:flex;height:96px;max-height:50px}", None),
        ("main{display:grid;grid-template-rows:40px 60px} .h{height:5px}", None),
    ] {
        let css = css(&body, rules);
        match height {
            Some(height) => assert!(css.contains(&format!("min-height: {height};")), "{rules}: {css}"),
            None => assert!(!css.contains("min-height"), "{rules}: {css}"),
        }
    }
}

/// A layout in which elements with `data-box="x y width height"` have that box, and all others are
/// as large as the viewport.
#[derive(Debug)]
struct Given;

impl Layout for Given {
    fn boxes(&self, page: &PageSnapshot, _: &Environment) -> Option<Boxes> {
        let document = Document::parse(&page.html);
        let mut boxes = vec![Some(Rect { x: 0.0, y: 0.0, width: 1_440.0, height: 900.0 }); document.len()];
        for (node, element) in document.elements() {
            let Some(given) = element.attr("data-box") else { continue };
            let [x, y, width, height] = given.split(' ').map(|n| n.parse().unwrap()).collect::<Vec<f32>>()[..] else {
                panic!("{given}")
            };
            boxes[node.index()] = Some(Rect { x, y, width, height });
        }
        Some(Boxes::new(boxes))
    }
}

fn laid_out(html: &str, css: &str) -> String {
    let page = page_of(format!("<!doctype html><html><body>{html}</body></html>"), css);
    ask_laid_out(&page, Some(".h"), &Given)["css"].as_str().unwrap().to_owned()
}

#[test]
fn sticky_offsets_exclude_the_pages_header() {
    let page = |own: &str, section: &str| {
        format!(
            "<main class=h data-box='{section}'><article>Words on a page</article><aside data-box='{own}'>Contents</aside></main>"
        )
    };
    for (own, section, rules, top) in [
        ("0 76 200 100", "0 60 1440 500", "aside{position:sticky;top:76px}", "top: 16px;"),
        // Far enough below.
        ("0 960 200 100", "0 860 1440 500", "aside{position:sticky;top:76px}", "top: 76px;"),
        // A sticky element that has moved keeps its distance from the section's edge.
        ("0 20 200 100", "0 10 1440 500", "aside{position:sticky;top:76px}", "top: 66px;"),
    ] {
        let css = laid_out(&page(own, section), rules);
        assert!(css.contains(top), "{own} {section} {rules}: {css}");
    }
    let inner = "<main class=h data-box='0 60 1440 500'><div><p>Words on a page</p><aside data-box='0 76 200 100'>Contents</aside></div></main>";
    let css = laid_out(inner, "div{overflow:auto;height:300px} aside{position:sticky;top:76px}");
    assert!(css.contains("top: 76px;"), "a scroll container of the section is one of the component: {css}");
    // In Chromium it sticks to the viewport at 76 pixels: what clips does not scroll.
    let css = laid_out(inner, "div{overflow:clip;height:300px} aside{position:sticky;top:76px}");
    assert!(css.contains("top: 16px;"), "{css}");
}

#[test]
fn ancestor_background_images_keep_their_position() {
    let html = "<main data-box='0 80 1440 600'><section class=h data-box='30 130 1380 500'><h1>Words on a page</h1></section></main>";
    let whole = "<main data-box='0 80 1440 600'><section class=h data-box='0 130 1440 500'><h1>Words on a page</h1></section></main>";
    for (html, rules, expected) in [
        (html, "main{background:url(a.png)}", "\") -30px -50px;"),
        (html, "main{background:url(a.png) 40px 50px;border:10px solid}", "\") 20px 10px;"),
        (whole, "main{background:url(a.png) no-repeat 50% 100px}", "no-repeat 50% 50px;"),
        (whole, "main{background:url(a.png) 0 50px}", "background-image: url"),
    ] {
        let css = laid_out(html, rules);
        assert!(css.contains(expected), "{rules}: {css}");
    }
    // Unknown, since the position depends on the size of the ancestor.
    let css = laid_out(html, "main{background:url(a.png) no-repeat 50% 50%}");
    assert!(!css.contains("a.png"), "{css}");
}
