//! Colours in hex.

use limner_style::color::{Scheme, of_component};
use limner_style::value::Component;

/// `#rrggbb`, or `#rrggbbaa`; `None` for what is no colour by itself (`currentcolor`).
pub(super) fn hex(component: &Component, scheme: Scheme) -> Option<String> {
    if !may_be(component) {
        return None;
    }
    of_component(component, scheme, None).map(|color| color.to_hex())
}

/// Numbers, strings and lengths are none.
fn may_be(component: &Component) -> bool {
    matches!(component, Component::Ident(_) | Component::Hash(_) | Component::Function { .. })
}

/// Every colour in a value and in its functions.
pub(super) fn each_in(component: &Component, scheme: Scheme, visit: &mut dyn FnMut(String, &Component)) {
    if let Some(found) = hex(component, scheme) {
        return visit(found, component);
    }
    if let Some((_, arguments)) = component.as_function() {
        arguments.iter().for_each(|argument| each_in(argument, scheme, visit));
    }
}

/// Whether a value is different in light and dark by itself.
pub(super) fn follows_scheme(value: &[Component]) -> bool {
    value.iter().any(|component| match component.as_function() {
        Some((name, arguments)) => name == "light-dark" || follows_scheme(arguments),
        None => false,
    })
}
