//! Whether the component is what the section was: it is written, read back, and its computed values are held against
//! those of the page.

use super::grid::Grid;
use super::skeleton::Bone;
use super::{Order, PREFLIGHT, resolve};
use crate::code::emit;
use crate::code::model::{Baseline, Component};
use limner_page::{Document, NodeId, PageSnapshot, Sheet, SheetOwner};
use limner_style::property::Longhand;
use limner_style::{ComputedStyle, StyleIndex};

/// What decides how an element looks, apart from what its box follows from.
const COMPARED: &[&str] = &[
    "display",
    "position",
    "float",
    "clear",
    "visibility",
    "opacity",
    "color",
    "background-color",
    "background-image",
    "background-size",
    "background-position-x",
    "background-position-y",
    "background-repeat",
    "background-clip",
    "font-family",
    "font-size",
    "font-weight",
    "font-style",
    "line-height",
    "letter-spacing",
    "word-spacing",
    "text-align",
    "text-transform",
    "text-decoration-line",
    "text-decoration-color",
    "text-indent",
    "text-overflow",
    "text-shadow",
    "white-space-collapse",
    "text-wrap-mode",
    "vertical-align",
    "list-style-type",
    "list-style-position",
    "width",
    "height",
    "min-width",
    "min-height",
    "max-width",
    "max-height",
    "box-sizing",
    "aspect-ratio",
    "padding-top",
    "padding-right",
    "padding-bottom",
    "padding-left",
    "margin-top",
    "margin-right",
    "margin-bottom",
    "margin-left",
    "border-top-width",
    "border-right-width",
    "border-bottom-width",
    "border-left-width",
    "border-top-style",
    "border-right-style",
    "border-bottom-style",
    "border-left-style",
    "border-top-color",
    "border-right-color",
    "border-bottom-color",
    "border-left-color",
    "border-top-left-radius",
    "border-top-right-radius",
    "border-bottom-right-radius",
    "border-bottom-left-radius",
    "box-shadow",
    "filter",
    "backdrop-filter",
    "mix-blend-mode",
    "transform",
    "transform-origin",
    "overflow-x",
    "overflow-y",
    "z-index",
    "top",
    "right",
    "bottom",
    "left",
    "flex-direction",
    "flex-wrap",
    "flex-grow",
    "flex-shrink",
    "flex-basis",
    "order",
    "align-items",
    "align-self",
    "align-content",
    "justify-content",
    "justify-items",
    "justify-self",
    "row-gap",
    "column-gap",
    "grid-template-columns",
    "grid-template-rows",
    "grid-auto-flow",
    "grid-column-start",
    "grid-column-end",
    "grid-row-start",
    "grid-row-end",
    "object-fit",
    "object-position",
    "cursor",
    "fill",
    "stroke",
    "stroke-width",
    "clip-path",
];

/// The share of computed values, in percent, that the written component has in common with the section on its page: in
/// each mode, on a desktop and in the narrowest of its windows. The outside of the root is left out: a component does
/// not bring its margins along.
pub(super) fn coverage(order: &Order<'_>, grid: &Grid, bones: &[Bone], component: &Component) -> f64 {
    let page = page_of(component);
    let document = Document::parse(&page.html);
    let written = StyleIndex::new(&page, &document);
    let nodes = elements_of(&document);
    let properties: Vec<Longhand> = COMPARED.iter().filter_map(|name| Longhand::from_name(name)).collect();
    let (mut equal, mut all) = (0_usize, 0_usize);
    for cell in cells(grid) {
        let mut on_page = resolve::index_of(order, grid, cell).styles(&grid.environment(cell));
        let mut in_component = written.styles(&grid.environment(cell));
        for (at, bone) in bones.iter().enumerate().skip(1) {
            if bone.source != 0 || bone.is_copy {
                continue;
            }
            let Some(original) = on_page.get(bone.node) else { continue };
            all += properties.len();
            let copy = nodes.get(at).and_then(|node| in_component.get(*node));
            let Some(copy) = copy else { continue };
            equal += properties.iter().filter(|longhand| agree(&original, &copy, **longhand)).count();
        }
    }
    if all == 0 { 100.0 } else { (1_000.0 * equal as f64 / all as f64).floor() / 10.0 }
}

/// In each mode, the desktop and the narrowest window.
fn cells(grid: &Grid) -> Vec<usize> {
    let mut cells = Vec::new();
    for mode in 0..grid.modes.len() {
        let first = grid.cells(mode).start;
        cells.push(first + grid.desktop());
        if grid.desktop() > 0 {
            cells.push(first);
        }
    }
    cells
}

/// Addresses became absolute, which changes nothing to look at.
fn agree(original: &ComputedStyle, copy: &ComputedStyle, longhand: Longhand) -> bool {
    let (original, copy) = (original.get(longhand), copy.get(longhand));
    original == copy || (original.contains("url(") && copy.contains("url("))
}

fn page_of(component: &Component) -> PageSnapshot {
    let (markup, css) = emit::markup_and_sheet(component);
    let sheet = |text: String| Sheet { owner: SheetOwner::Adopted, text: Some(text), ..Sheet::default() };
    let mut sheets = Vec::new();
    if component.baseline == Baseline::Preflight {
        sheets.push(sheet(PREFLIGHT.to_owned()));
    }
    sheets.push(sheet(css));
    PageSnapshot { html: format!("<!doctype html><body>{markup}"), sheets, ..PageSnapshot::default() }
}

/// The elements of the component in document order, as the component counts them.
fn elements_of(document: &Document) -> Vec<NodeId> {
    let Some(body) = document.body() else { return Vec::new() };
    document.descendants(body).filter(|node| document.element(*node).is_some()).collect()
}
