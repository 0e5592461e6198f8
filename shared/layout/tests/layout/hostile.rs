//! Hostile pages. All of them have boxes, or none, within seconds; node ids stay correct.

use crate::{laid_out, page};
use limner_layout::BlitzLayout;
use limner_page::Document;
use limner_style::Environment;
use limner_style::layout::Layout;
use std::time::Duration;

/// Markup that parsers repair in surprising ways.
const TANGLED: &[&str] = &[
    "<b><p>x</b>y</p><i>z",
    "<table><div>x<tr><td>y<table><td>z",
    "<p><table><p><td><b></p></table>x",
    "<a><a><a>x</a></a>",
    "<select><div><option>x<select>",
    "<svg><p>x<foreignObject><div>y</svg><math><mi><b>z",
    "<template><td>x</template><td>y",
    "<frameset><frame></frameset>",
    "<body><html class=a><head><body id=b><p>",
    "<x-a><template shadowrootmode=open><slot><x-b><template shadowrootmode=open></template></x-b></slot></template>t</x-a>",
    "<style>*{display:table-cell}</style><p>a<table><tr>b",
    "<style>*{display:contents}</style><p>a<b>c",
    "<style>*{position:absolute}</style><p>a<b>c",
    "<style>*{float:left}</style><p>a<b>c",
    "<style>*,*::before,*::after{content:'x';display:inline-block}</style><p>a<b>c",
    "<style>*{display:table-row;position:fixed}</style><table><caption>x<tr><td>y",
    "<style>td{display:inline}tr{display:flex}table{display:inline-grid}</style><table><tr><td>x",
    "",
    "\0",
    "<noscript><p>x",
    "<input><textarea><select><button><details><summary><dialog open><fieldset><legend><meter><progress>",
];

#[test]
fn node_ids_stay_correct_in_misnested_markup() {
    for html in TANGLED {
        for quirks in ["", "<!doctype html>"] {
            let html = format!("{quirks}{html}");
            let (document, boxes) = laid_out(&html);
            assert_eq!(boxes.by_node().len(), document.len(), "{html}");
            let root = document.document_element().unwrap();
            assert!(boxes.get(root).is_some_and(|rect| rect.width > 0.0), "{html}");
            for node in document.descendants(document.root()).filter(|node| boxes.get(*node).is_some()) {
                assert!(document.element(node).is_some(), "{html}: a box of a node that is not an element");
            }
        }
    }
}

/// Pages that are large in one dimension.
fn large() -> Vec<(&'static str, String)> {
    let nested = |open: &str, n: usize| open.repeat(n);
    vec![
        ("deep blocks", nested("<div>", 5_000)),
        ("deep inlines", format!("{}x", nested("<span>", 5_000))),
        ("deep flex", format!("<style>div{{display:flex}}</style>{}x", nested("<div>", 400))),
        ("deep grids", format!("<style>div{{display:grid}}</style>{}x", nested("<div>", 400))),
        ("deep tables", format!("{}x", nested("<table><tr><td>", 400))),
        ("deep floats", format!("<style>div{{float:left}}</style>{}x", nested("<div>", 400))),
        ("wide", nested("<p>x", 5_000)),
        ("many spans in a line", format!("<p>{}", "<b>x</b> ".repeat(5_000))),
        ("one long word", format!("<p>{}", "x".repeat(100_000))),
        ("spans of cells", "<table><tr><td colspan=65535 rowspan=65535>x<td colspan=1000>y</table>".repeat(3)),
        ("many spanned columns", format!("<table><tr>{}</table>", "<td colspan=1000>x".repeat(100))),
        ("grid lines far out", "<div style='display:grid'><p style='grid-row:9999;grid-column:9999'>x".into()),
        ("grid of many tracks", "<div style='display:grid;grid-template-columns:repeat(10000,1px)'><p>x".into()),
        ("huge lengths", "<p style='width:1e30px;height:1e30px;margin:-1e30px;padding:1e30px'>x".into()),
        ("no numbers", "<p style='width:calc(NaN * 1px);height:calc(infinity * 1px);flex:calc(NaN)'>x".into()),
        ("huge font", "<p style='font-size:1e9px;letter-spacing:1e9px'>x".into()),
        ("huge picture", "<img width=4294967295 height=4294967295><canvas width=1e30 height=-1></canvas>".into()),
        ("empty ratio", "<img style='aspect-ratio:0/0;width:10px'><svg viewBox='0 0 1e-40 1e40'></svg>".into()),
        ("endless counters", format!("<ol start=-99999999999 reversed>{}</ol>", "<li value=99999999999>x".repeat(100))),
        (
            "generated everywhere",
            format!("<style>*::before,*::after{{content:'x';display:block}}</style>{}", "<b>".repeat(300)),
        ),
        ("columns", "<div style='column-count:100000'>x y z".into()),
    ]
}

#[test]
fn page_of_too_many_boxes_has_none() {
    let layout = BlitzLayout::new(1).with_timeout(Duration::from_secs(120));
    let html = "<b></b>".repeat(200_000);
    assert_eq!(layout.boxes(&page(&html), &Environment::default()), None);
}

#[test]
fn large_pages_finish() {
    let layout = BlitzLayout::new(1).with_timeout(Duration::from_secs(60));
    for (name, html) in large() {
        let boxes = layout.boxes(&page(&html), &Environment::default());
        let nodes = Document::parse(&html).len();
        assert!(boxes.is_none_or(|boxes| boxes.by_node().len() == nodes), "{name}");
    }
    let after = layout.boxes(&page("<p>x"), &Environment::default());
    assert!(after.is_some(), "pages after hostile ones are laid out");
}
