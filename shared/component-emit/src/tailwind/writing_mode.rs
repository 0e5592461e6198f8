//! Finds the elements whose lines may be vertical.

use limner_component_model::element_relations::ElementRelations;
use limner_component_model::model::{Component, ElementId};

/// Returns true for every element that declares a vertical writing mode under some condition, or inherits one.
pub(super) fn vertical_elements(component: &Component, relations: &ElementRelations) -> Vec<bool> {
    let mut vertical: Vec<bool> = Vec::with_capacity(component.elements.len());
    for (at, element) in component.elements.iter().enumerate() {
        // Parents precede their children.
        let is_inherited = relations.parent(ElementId(at)).is_some_and(|parent| vertical[parent.0]);
        let own = element.rules.iter().filter(|rule| rule.pseudo.is_none()).flat_map(|rule| &rule.declarations);
        let mut modes = own.filter(|declaration| declaration.name == "writing-mode");
        vertical.push(is_inherited || modes.any(|mode| is_vertical(&mode.value)));
    }
    vertical
}

/// Returns true for the values of `writing-mode` but `horizontal-tb`.
pub(super) fn is_vertical(mode: &str) -> bool {
    mode != "horizontal-tb"
}
