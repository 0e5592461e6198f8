//! Makes headings bold in whose only child all words are.
//!
//! Before → after: `<h2 class="font-semibold"><strong>Title</strong></h2>` → `<h2 class="font-bold">Title</h2>`.

use super::base_declaration::declare;
use super::is_heading;
use crate::capture::environments::EnvMap;
use limner_component_model::model::{Child, Component, Element, ElementId};
use limner_style::ComputedStyle;
use limner_style::property::Longhand;
use std::sync::Arc;

/// The weight of `bold`. What is bolder than semi-bold text is heavier than the faces that most pages have.
const BOLD: &str = "700";

/// Returns headings that are as bold as the `strong` around all that is in them, with the weight.
pub(super) fn bold_headings(
    component: &Component,
    computed: &[EnvMap<Arc<ComputedStyle>>],
    is_anonymous: &dyn Fn(&Element, ElementId) -> bool,
) -> Vec<(ElementId, ElementId, String)> {
    let mut found = Vec::new();
    for (at, heading) in component.elements.iter().enumerate().filter(|(_, element)| is_heading(element)) {
        let [Child::Element(id)] = heading.children[..] else { continue };
        let strong = &component.elements[id.0];
        let changes = |element: &Element| {
            let special = element.rules.iter().filter(|rule| rule.state.is_some() || rule.pseudo.is_some());
            special.flat_map(|rule| &rule.declarations).any(|own| own.name == "font-weight")
        };
        let mut weights = computed[id.0].iter().map(|style| style.get(Longhand::FontWeight));
        let Some(weight) = weights.next() else { continue };
        let is_plain = matches!(strong.tag.as_str(), "strong" | "b")
            && is_anonymous(strong, id)
            && strong
                .rules
                .iter()
                .all(|rule| rule.pseudo.is_none() && rule.declarations.iter().all(|own| own.name == "font-weight"))
            && !changes(heading)
            && !strong.children.is_empty();
        if is_plain && weight == BOLD && weights.all(|own| own == weight) {
            found.push((ElementId(at), id, weight.to_owned()));
        }
    }
    found
}

/// Gives an element the same weight under all conditions.
pub(super) fn set_weight(element: &mut Element, weight: &str) {
    for rule in element.rules.iter_mut().filter(|rule| rule.pseudo.is_none()) {
        rule.declarations.retain(|own| own.name != "font-weight");
    }
    element.rules.retain(|rule| !rule.declarations.is_empty());
    declare(element, "font-weight", weight);
}
