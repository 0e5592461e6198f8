//! What sticks to the upper edge of the window while the page scrolls: at a distance that leaves room for what the page has
//! there, a bar for one. The component begins without that, and what has not moved on the page does not move in it either.

use super::resolve::Resolver;
use super::value::px;
use crate::code::model::ElementId;
use limner_style::layout::Boxes;
use limner_style::property::Longhand as L;
use std::collections::BTreeMap;

/// By cell: the distances that are others in the component, in pixels.
pub(super) fn of(resolver: &Resolver<'_>) -> Vec<BTreeMap<ElementId, f64>> {
    let sticks = |at: usize| resolver.computed[at].iter().any(|style| style.get(L::Position) == "sticky");
    let found: Vec<usize> = (1..resolver.computed.len()).filter(|at| sticks(*at)).collect();
    if found.is_empty() {
        return Vec::new();
    }
    let distances = |cell: usize| {
        let Some(boxes) = resolver.boxes(cell) else { return BTreeMap::new() };
        found.iter().filter_map(|at| Some((ElementId(*at), distance(resolver, *at, cell, boxes)?))).collect()
    };
    (0..resolver.grid.len()).map(distances).collect()
}

/// How far below the upper edge an element sticks in the component, where that is another distance than on the page.
fn distance(resolver: &Resolver<'_>, at: usize, cell: usize, boxes: &Boxes) -> Option<f64> {
    let style = &resolver.computed[at][cell];
    let top = px(style, L::Top).filter(|top| *top > 0.0 && style.get(L::Position) == "sticky")?;
    let parent = |element: &ElementId| resolver.skeleton.bones[element.0].parent;
    let mut around = std::iter::successors(parent(&ElementId(at)), parent);
    let scrolls = |element: ElementId| resolver.computed[element.0][cell].get(L::OverflowY) != "visible";
    if around.any(scrolls) {
        // To something inside of the section, which is as it was.
        return None;
    }
    let root = boxes.get(resolver.skeleton.bones[0].node)?;
    let own = boxes.get(resolver.skeleton.node(ElementId(at))?)?;
    let (page, section) = (f64::from(own.y), f64::from(own.y - root.y));
    let moved = (top - page).max(0.0);
    // A tenth of a pixel is the layout's doubt, not a distance.
    let least = ((section.max(0.0) + moved) * 10.0).round() / 10.0;
    (least + 0.5 < top).then_some(least)
}
