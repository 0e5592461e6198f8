//! Tests of the sliders and rows of site builders, whose scripts give them their size and show the first slide.

use super::page;
use crate::property::Longhand;
use crate::{Environment, StyleIndex};
use limner_page::Document;

/// Returns a computed value of the element with an ID, once all start states have ended.
#[track_caller]
fn value(css: &str, html: &str, id: &str, longhand: Longhand) -> String {
    let page = page(css, html);
    let document = Document::parse(&page.html);
    let index = StyleIndex::new(&page, &document).with_start_states_ended();
    let (node, _) = document.elements().find(|(_, element)| element.id().is_some_and(|own| *own == *id)).expect(id);
    index.styles(&Environment::default()).get(node).expect("a style").get(longhand).to_owned()
}

#[test]
fn full_width_rows_leave_their_column() {
    let row =
        |attributes: &str| format!("<div style='width:1000px;margin:auto'><div id=x {attributes}>Row</div></div>");
    let css = ".vc_row{margin:0 -15px}";
    let outside = "calc(50% - 720px)";
    for (attributes, margin, padding) in [
        ("class=vc_row data-vc-full-width=true", outside, "max(0px, calc(-50% + 705px))"),
        ("class=vc_row data-vc-full-width=true data-vc-stretch-content=true", outside, "0px"),
        ("class='elementor-section elementor-section-stretched'", outside, "0px"),
        ("class=vc_row", "-15px", "0px"),
        ("class=vc_row data-vc-full-width=true data-vc-full-width-init=true", "-15px", "0px"),
    ] {
        let html = row(attributes);
        let own = |longhand| value(css, &html, "x", longhand);
        assert_eq!(
            (own(Longhand::MarginLeft).as_str(), own(Longhand::PaddingLeft).as_str()),
            (margin, padding),
            "{html}"
        );
    }
}
