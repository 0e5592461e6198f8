//! Removes the layers that draw nothing from the shadows of components that are written with a stylesheet. Utilities
//! have steps of their own for shadows.
//!
//! `0 0 #0000, 0 1px 2px red` → `0 1px 2px red`.

use crate::tailwind::shadow::drawn_layers;
use limner_component_model::model::{Component, Declaration};
use std::borrow::Cow;

/// Returns the component without layers of shadows that draw nothing.
pub(super) fn remove_empty(component: &Component) -> Cow<'_, Component> {
    let mut declarations =
        component.elements.iter().flat_map(|element| &element.rules).flat_map(|rule| &rule.declarations);
    if !declarations.any(|own| shorter_value(own).is_some()) {
        return Cow::Borrowed(component);
    }
    let mut component = component.clone();
    let rules = component.elements.iter_mut().flat_map(|element| &mut element.rules);
    for own in rules.flat_map(|rule| &mut rule.declarations) {
        if let Some(value) = shorter_value(own) {
            own.value = value;
        }
    }
    Cow::Owned(component)
}

/// Returns the value of a shadow without the layers that draw nothing, if it has any.
fn shorter_value(own: &Declaration) -> Option<String> {
    if &*own.name != "box-shadow" {
        return None;
    }
    let value = without_empty_layers(&own.value);
    (value.len() < own.value.len()).then_some(value)
}

/// Removes the transparent layers without extent that older versions of Tailwind leave in shadows.
fn without_empty_layers(value: &str) -> String {
    let layers = drawn_layers(value);
    if layers.is_empty() { "none".to_owned() } else { layers.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_that_draw_nothing_are_removed() {
        for (value, expected) in [
            ("0 0 #0000, 0 0 #0000, 0 1px 2px 0 rgba(0, 0, 0, 0.05)", "0 1px 2px 0 rgba(0, 0, 0, 0.05)"),
            ("0 0 0 0 transparent", "none"),
            ("0 0 0 2px #0000, 0 0 red", "0 0 0 2px #0000, 0 0 red"),
        ] {
            assert_eq!(without_empty_layers(value), expected);
        }
    }
}
