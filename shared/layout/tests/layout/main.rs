//! Layout tests: small pages, hostile ones, and pages whose child process dies.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod boxes;
mod children;
mod columns;
mod compressible_images;
mod contents;
mod hostile;
mod lines;

use limner_layout::BlitzLayout;
use limner_page::{Document, NodeId, PageSnapshot, SheetOwner, Stylesheet};
use limner_style::Environment;
use limner_style::layout::{Boxes, Layout, Rect};
use std::sync::LazyLock;

/// Shared by all tests of a process: loading the installed fonts takes a while.
static LAYOUT: LazyLock<BlitzLayout> = LazyLock::new(|| BlitzLayout::new(2));

/// Builds a page whose `style` elements are its stylesheets, as a reader would.
fn page(html: &str) -> PageSnapshot {
    let document = Document::parse(html);
    let sheets = document.sheet_elements().into_iter().enumerate().map(|(number, node)| Stylesheet {
        owner: SheetOwner::Style,
        element: u32::try_from(number).ok(),
        text: Some(document.text_content(node)),
        ..Stylesheet::default()
    });
    PageSnapshot {
        url: "https://a.test/".into(),
        sheets: sheets.collect(),
        html: html.to_owned(),
        ..PageSnapshot::default()
    }
}

/// Lays out `html`; returns its document and boxes.
fn laid_out(html: &str) -> (Document, Boxes) {
    laid_out_in(html, &Environment::default())
}

fn laid_out_in(html: &str, environment: &Environment) -> (Document, Boxes) {
    let boxes = LAYOUT.boxes(&page(html), environment).unwrap_or_else(|| panic!("no boxes: {html:.200}"));
    (Document::parse(html), boxes)
}

/// Returns the element with that id.
fn by_id(document: &Document, id: &str) -> NodeId {
    let found = document.elements().find(|(_, element)| element.id().is_some_and(|own| &**own == id));
    found.unwrap_or_else(|| panic!("no element #{id}")).0
}

/// Returns the box of the element with that id.
fn rect(html: &str, id: &str) -> Rect {
    let (document, boxes) = laid_out(html);
    boxes.get(by_id(&document, id)).unwrap_or_else(|| panic!("#{id} has no box: {html}"))
}
