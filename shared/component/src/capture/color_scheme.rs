//! The color scheme of a component: values that depend on the visitor's scheme are resolved for the theme that the
//! component is made in.
//!
//! Before → after: `light-dark(#fff, #000)` → `#fff` in a light component.

use super::diff::value_reader::find_function;
use super::request::CaptureRequest;
use limner_style::color::{Scheme, SupportedSchemes};
use limner_types::Theme;

/// Maximum number of `light-dark()` functions that are resolved in a value.
const MAX_FUNCTIONS: usize = 64;
const FUNCTION: &str = "light-dark(";

/// Replaces each `light-dark()` by its argument for the scheme (Color 5 §3.2). A component's conditions distinguish its
/// themes, and the document it is pasted into may not declare a `color-scheme`.
pub(super) fn resolve_light_dark(value: &str, scheme: Scheme) -> String {
    let mut value = value.to_owned();
    for _ in 0..MAX_FUNCTIONS {
        let Some(start) = find_function(&value, FUNCTION) else { break };
        let inside = start + FUNCTION.len();
        let Some((comma, end)) = two_arguments(&value[inside..]) else { break };
        let arguments = &value[inside..inside + end];
        let chosen = if scheme == Scheme::Dark { &arguments[comma + 1..] } else { &arguments[..comma] };
        value = format!("{}{}{}", &value[..start], chosen.trim(), &value[inside + end + 1..]);
    }
    value
}

/// Returns the positions of the comma between two arguments and of the closing parenthesis.
fn two_arguments(text: &str) -> Option<(usize, usize)> {
    let (mut depth, mut comma) = (0_usize, None);
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth == 0 => return Some((comma?, at)),
            ')' => depth -= 1,
            ',' if depth == 0 => comma = comma.or(Some(at)),
            _ => {}
        }
    }
    None
}

/// Returns the `color-scheme` that a component in a theme declares where its page declares `value`: a dark component is
/// dark in any document.
pub(super) fn color_scheme(value: &str, scheme: Scheme) -> &str {
    if scheme == Scheme::Dark && value.split_whitespace().any(|word| word == "dark") { "dark" } else { value }
}

/// Returns the `color-scheme` that the page's `<meta>` declares; `None`: no declaration.
pub(super) fn metadata_color_scheme(order: &CaptureRequest<'_>) -> Option<&'static str> {
    let supported = order.index.supported_schemes();
    match supported {
        _ if supported == SupportedSchemes::default() => None,
        SupportedSchemes { dark: true, light: true } if order.scheme == Scheme::Dark => Some("dark"),
        SupportedSchemes { dark: true, light: true } => Some("light dark"),
        SupportedSchemes { dark: true, .. } => Some("dark"),
        _ => None,
    }
}

/// Returns the theme that corresponds to a color scheme.
pub(super) fn theme(scheme: Scheme) -> Theme {
    if scheme == Scheme::Dark { Theme::Dark } else { Theme::Light }
}

#[cfg(test)]
mod tests;
