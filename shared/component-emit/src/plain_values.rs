//! Shortens values of components that are written with a stylesheet to what a person would write: font stacks, and shadows
//! with layers that draw nothing. Utilities have steps of their own for both.

use crate::font_stack;
use limner_component_model::css::split_list::{split_commas, split_spaces};
use limner_component_model::model::{Component, Declaration};
use std::borrow::Cow;

/// Returns the component with shorter values.
pub(super) fn shorten(component: &Component) -> Cow<'_, Component> {
    let shorter = shorter_values(component);
    let mut component = Cow::Borrowed(component);
    for ((at, number, index), value) in shorter {
        component.to_mut().elements[at].rules[number].declarations[index].value = value;
    }
    component
}

/// The indices of an element, of one of its rules and of a declaration in it.
type Place = (usize, usize, usize);

fn shorter_values(component: &Component) -> Vec<(Place, String)> {
    let mut found = Vec::new();
    for (at, element) in component.elements.iter().enumerate() {
        for (number, rule) in element.rules.iter().enumerate() {
            for (index, own) in rule.declarations.iter().enumerate() {
                found.extend(shorter_value(component, own).map(|value| ((at, number, index), value)));
            }
        }
    }
    found
}

/// Returns a shorter value with which a declaration looks the same, if there is one.
fn shorter_value(component: &Component, own: &Declaration) -> Option<String> {
    let value = match &*own.name {
        "font-family" if !own.value.contains("var(") => short_stack(component, &own.value)?,
        "box-shadow" => visible_layers(&own.value),
        _ => return None,
    };
    (value.len() < own.value.len()).then_some(value)
}

/// Returns a stack that begins with a font of the component, or with the system's, without the fonts that would only be
/// used in place of it.
fn short_stack(component: &Component, stack: &str) -> Option<String> {
    let families: Vec<String> = split_commas(stack).into_iter().map(str::to_owned).collect();
    let first = families.first()?.trim_matches(['"', '\'']);
    if component.font_faces.iter().any(|face| face.family.eq_ignore_ascii_case(first)) {
        return Some(font_stack::named_families(&families).join(", "));
    }
    let names_system_font = families.iter().any(|family| family == "system-ui");
    let is_sans = font_stack::system_stack(stack) == Some("sans");
    (is_sans && names_system_font).then(|| "system-ui, sans-serif".to_owned())
}

/// Removes the transparent layers without extent that older versions of Tailwind leave in shadows.
fn visible_layers(value: &str) -> String {
    let layers: Vec<&str> = split_commas(value).into_iter().filter(|layer| !is_empty_layer(layer)).collect();
    if layers.is_empty() { "none".to_owned() } else { layers.join(", ") }
}

fn is_empty_layer(layer: &str) -> bool {
    const TRANSPARENT: &[&str] = &["#0000", "#00000000", "transparent", "rgba(0, 0, 0, 0)", "rgb(0 0 0 / 0)"];
    let parts = split_spaces(layer);
    let (colors, lengths): (Vec<&str>, Vec<&str>) = parts.into_iter().partition(|part| TRANSPARENT.contains(part));
    colors.len() == 1 && lengths.iter().all(|length| matches!(*length, "0" | "0px"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use limner_component_model::model::FontFace;

    #[test]
    fn stacks_of_loaded_and_system_fonts_are_shortened() {
        let face = FontFace { family: "Inter".to_owned(), descriptors: Vec::new(), service: None };
        let component = Component { font_faces: vec![face], ..Component::default() };
        for (stack, expected) in [
            ("\"Inter\", -apple-system, \"Segoe UI\", Arial, sans-serif", Some("\"Inter\", sans-serif")),
            ("Lato, -apple-system, \"Segoe UI\", Arial, sans-serif", None),
            ("ui-sans-serif, system-ui, \"Segoe UI\", sans-serif", Some("system-ui, sans-serif")),
            ("-apple-system, \"Segoe UI\", Arial, sans-serif", None),
        ] {
            assert_eq!(short_stack(&component, stack).as_deref(), expected, "{stack}");
        }
    }

    #[test]
    fn layers_that_draw_nothing_are_removed() {
        for (value, expected) in [
            ("0 0 #0000, 0 0 #0000, 0 1px 2px 0 rgba(0, 0, 0, 0.05)", "0 1px 2px 0 rgba(0, 0, 0, 0.05)"),
            ("0 0 0 0 transparent", "none"),
            ("0 0 0 2px #0000, 0 0 red", "0 0 0 2px #0000, 0 0 red"),
        ] {
            assert_eq!(visible_layers(value), expected);
        }
    }
}
