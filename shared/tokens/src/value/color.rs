//! Colours in hex.

use limner_style::color::{Scheme, color_from_component};
use limner_style::value::Component;

/// Returns `#rrggbb`, or `#rrggbbaa`; `None` for other components and for colours that depend on another
/// (`currentcolor`).
pub(crate) fn hex(component: &Component, scheme: Scheme) -> Option<String> {
    if !may_be_color(component) {
        return None;
    }
    color_from_component(component, scheme, None).map(|color| color.to_hex())
}

/// Returns true for components that may be a colour; numbers, strings and lengths are not.
fn may_be_color(component: &Component) -> bool {
    matches!(component, Component::Ident(_) | Component::Hash(_) | Component::Function { .. })
}

/// Visits every colour in a value and in its functions.
pub(super) fn visit_colors(component: &Component, scheme: Scheme, visit: &mut dyn FnMut(String, &Component)) {
    if let Some(found) = hex(component, scheme) {
        return visit(found, component);
    }
    if let Some((_, arguments)) = component.as_function() {
        arguments.iter().for_each(|argument| visit_colors(argument, scheme, visit));
    }
}

/// Returns true if a value itself differs between light and dark.
pub(super) fn depends_on_scheme(value: &[Component]) -> bool {
    value.iter().any(|component| match component.as_function() {
        Some((name, arguments)) => name == "light-dark" || depends_on_scheme(arguments),
        None => false,
    })
}
