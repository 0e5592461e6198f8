//! Replaces empty boxes that only keep their neighbours apart by a margin.
//!
//! Before → after: `<h2>…</h2><div class="h-8"></div><p>…</p>` → `<h2 class="mb-8">…</h2><p>…</p>`.

use super::merge_into_child::insert;
use super::{child_element, declared};
use crate::capture::passes::PassContext;
use crate::capture::root::formatting_context::{Edge, leaks_margin};
use limner_component_model::model::{Component, Element, ElementId, Namespace, Rule};
use limner_style::computed::{Display, Position};
use std::collections::BTreeSet;

/// Neighbours that a margin can keep apart.
#[rustfmt::skip]
const BLOCKS: &[&str] = &[
    "article", "aside", "blockquote", "div", "dl", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "nav",
    "ol", "p", "section", "ul",
];

/// Moves the heights of spacers among the children of a block to the elements before them. Returns the spacers, and these
/// elements.
pub(super) fn absorb_spacers(
    context: &PassContext<'_, '_>,
    component: &mut Component,
    container: ElementId,
    is_free: &dyn Fn(&Element, ElementId) -> bool,
) -> Vec<(ElementId, ElementId)> {
    let children = &component.elements[container.0].children;
    let Some(ids) = children.iter().map(child_element).collect::<Option<Vec<ElementId>>>() else { return Vec::new() };
    let mut found: Vec<(ElementId, ElementId)> = Vec::new();
    for three in ids.windows(3) {
        let [before, spacer, after] = [three[0], three[1], three[2]];
        let element = &component.elements[spacer.0];
        let is_spacer = element.tag == "div"
            && element.children.is_empty()
            && element.attributes.iter().all(|own| own.name == "aria-hidden")
            && is_free(element, spacer)
            && has_height_only(&element.rules);
        let is_apart = is_spacer
            && found.last().is_none_or(|(last, _)| *last != before)
            && declared(&component.elements[before.0], "margin-bottom").next().is_none()
            && is_bare(context, component, before, Edge::Bottom)
            && is_bare(context, component, after, Edge::Top);
        if is_apart {
            found.push((spacer, before));
        }
    }
    for (spacer, before) in &found {
        for mut rule in std::mem::take(&mut component.elements[spacer.0].rules) {
            rule.declarations.iter_mut().for_each(|own| own.name = "margin-bottom".into());
            insert(&mut component.elements[before.0].rules, rule);
        }
    }
    let spacers: BTreeSet<ElementId> = found.iter().map(|(spacer, _)| *spacer).collect();
    let children = &mut component.elements[container.0].children;
    children.retain(|child| child_element(child).is_none_or(|id| !spacers.contains(&id)));
    found
}

/// Returns true if rules declare heights that are the same wherever they are, and nothing else.
fn has_height_only(rules: &[Rule]) -> bool {
    let is_fixed = |value: &str| {
        let is_number = |number: &str| number.parse::<f64>().is_ok_and(|number| number > 0.0);
        ["px", "rem", "vh", "vw"].iter().any(|unit| value.strip_suffix(unit).is_some_and(is_number))
    };
    let is_height = |rule: &Rule| {
        rule.pseudo.is_none()
            && rule.state.is_none()
            && rule.declarations.iter().all(|own| own.name == "height" && is_fixed(&own.value))
    };
    rules.iter().any(|rule| rule.condition.is_empty()) && rules.iter().all(is_height)
}

/// Returns true for a block that is always shown, without a margin at an edge.
fn is_bare(context: &PassContext<'_, '_>, component: &Component, id: ElementId, edge: Edge) -> bool {
    let element = &component.elements[id.0];
    let section = context.section;
    element.namespace == Namespace::Html
        && BLOCKS.contains(&element.tag.as_str())
        && element
            .rules
            .iter()
            .all(|rule| rule.state.is_none() || rule.declarations.iter().all(|own| own.name != "display"))
        && section.computed[id.0].entries().all(|(env, style)| {
            matches!(style.display(), Display::Block | Display::Flex | Display::Grid | Display::FlowRoot)
                && matches!(style.position(), Position::Static | Position::Relative)
                && !style.is_floating()
                && style.get(edge.margin()) == "0px"
                && !leaks_margin(section, id, env, edge)
        })
}
