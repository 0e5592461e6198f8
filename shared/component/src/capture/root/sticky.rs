//! Adapts the offsets of sticky elements. On the page an element sticks at some distance from the upper edge of the
//! viewport, which leaves room for a bar, for example. The component begins without that bar; an element that has not
//! moved on the page must not move in the component either.

use crate::capture::context::SectionContext;
use crate::capture::diff::value_reader::px;
use crate::capture::environments::{EnvId, EnvMap};
use limner_component_model::model::ElementId;
use limner_style::computed::Position;
use limner_style::layout::Boxes;
use limner_style::property::Longhand as L;
use std::collections::BTreeMap;

/// Returns by environment the distances in pixels that differ in the component.
pub(crate) fn sticky_offsets(context: &SectionContext<'_>) -> EnvMap<BTreeMap<ElementId, f64>> {
    let sticks = |at: usize| context.computed[at].iter().any(|style| style.position() == Position::Sticky);
    let found: Vec<usize> = (1..context.computed.len()).filter(|at| sticks(*at)).collect();
    if found.is_empty() {
        return EnvMap::default();
    }
    let distances = |env: EnvId| {
        let Some(boxes) = context.boxes(env) else { return BTreeMap::new() };
        found.iter().filter_map(|at| Some((ElementId(*at), distance(context, *at, env, &boxes)?))).collect()
    };
    context.environments.map(distances)
}

/// Returns the distance from the upper edge at which an element sticks in the component, if it differs from that on the
/// page.
fn distance(context: &SectionContext<'_>, at: usize, env: EnvId, boxes: &Boxes) -> Option<f64> {
    let style = &context.computed[at][env];
    let top = px(style, L::Top).filter(|top| *top > 0.0 && style.position() == Position::Sticky)?;
    let parent = |element: &ElementId| context.tree.origins[element.0].parent;
    let mut ancestors = std::iter::successors(parent(&ElementId(at)), parent);
    let scrolls = |element: ElementId| context.computed[element.0][env].is_scroll_container();
    if ancestors.any(scrolls) {
        // The element sticks inside of a scroll container in the section, as on the page.
        return None;
    }
    let root = boxes.get(context.tree.origins[0].node)?;
    let own = boxes.get(context.tree.node(ElementId(at))?)?;
    let (page, section) = (f64::from(own.y), f64::from(own.y - root.y));
    let moved = (top - page).max(0.0);
    // The layout is accurate to a tenth of a pixel.
    let least = ((section.max(0.0) + moved) * 10.0).round() / 10.0;
    (least + 0.5 < top).then_some(least)
}
