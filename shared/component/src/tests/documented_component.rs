//! Holds `docs/life-of-a-component.md` against the component of its example page.

use super::{ask_for, page_of};
use limner_types::{Framework, Theme};

const PAGE: &str = include_str!("../../../../docs/examples/card.html");
const DOCUMENT: &str = include_str!("../../../../docs/life-of-a-component.md");

#[test]
fn documented_component_is_the_emitted_one() {
    let (_, rest) = PAGE.split_once("<style>").unwrap();
    let (css, body) = rest.split_once("</style>").unwrap();
    assert!(DOCUMENT.contains(css.trim_end()) && DOCUMENT.contains(body.trim()), "the document shows the page");
    let mut page = page_of(PAGE, css);
    page.url = "http://card.test/card.html".into();
    let field = |framework, name: &str| {
        let result = ask_for(&page, Some("#plans"), Theme::Light, framework).unwrap();
        assert_eq!(result["summary"]["styledCoverage"], 100.0);
        result[name].as_str().unwrap().to_owned()
    };
    let utilities = field(Framework::Tailwind, "code");
    assert!(DOCUMENT.contains(&utilities), "the document does not show\n{utilities}");
    let sheet = field(Framework::Html, "css");
    let (_, rest) = DOCUMENT.split_once("```css\n").unwrap();
    let (shown, _) = rest.split_once("```").unwrap();
    assert!(sheet.contains(shown.trim_end()), "the document shows rules that are not in\n{sheet}");
}
