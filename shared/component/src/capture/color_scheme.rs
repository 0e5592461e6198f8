//! The color scheme of a component: values that depend on the visitor's scheme are resolved for the theme that the
//! component is made in.
//!
//! Before → after: `light-dark(#fff, #000)` → `#fff` in a light component.

use super::CaptureRequest;
use super::diff::value_text::find_function;
use limner_component_model::model::Element;
use limner_style::color::{Scheme, SupportedSchemes};

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

/// Resolves `prefers-color-scheme` in the `media` attribute of each `<source>` of a dark component.
pub(super) fn resolve_source_media(elements: &mut [Element], scheme: Scheme) {
    if scheme != Scheme::Dark {
        return;
    }
    for source in elements.iter_mut().filter(|element| element.tag == "source") {
        let Some(at) = source.attributes.iter().position(|attribute| attribute.name == "media") else { continue };
        match media_in(&source.attributes[at].value) {
            Some(media) if media.is_empty() => {
                source.attributes.remove(at);
            }
            Some(media) => source.attributes[at].value = media,
            None => {}
        }
    }
}

/// Evaluates `prefers-color-scheme` in a media query, with dark preferred. Returns the rest of the query; `None` if it
/// does not depend on the scheme, or is a list.
fn media_in(query: &str) -> Option<String> {
    if query.contains(',') {
        return None;
    }
    let feature = |part: &str| part.chars().filter(|c| !c.is_whitespace()).collect::<String>().to_ascii_lowercase();
    let parts: Vec<&str> = query.split(" and ").collect();
    let asks = |scheme: &str| parts.iter().any(|part| feature(part) == format!("(prefers-color-scheme:{scheme})"));
    if asks("light") {
        return Some("not all".to_owned());
    }
    let others = parts.iter().filter(|part| feature(part) != "(prefers-color-scheme:dark)");
    asks("dark").then(|| others.copied().collect::<Vec<_>>().join(" and ").trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn light_dark_resolves_to_the_argument_of_the_scheme() {
        for (value, light, dark) in [
            ("light-dark(#fff, #000)", "#fff", "#000"),
            ("1px solid Light-Dark(rgb(1, 2, 3), rgb(4, 5, 6))", "1px solid rgb(1, 2, 3)", "1px solid rgb(4, 5, 6)"),
            ("light-dark(light-dark(a, b), c), light-dark(d,e)", "a, d", "c, e"),
            ("light-dark(a", "light-dark(a", "light-dark(a"),
            ("light-dark(a)", "light-dark(a)", "light-dark(a)"),
            ("red", "red", "red"),
            ("\"light-dark(a, b)\" c", "\"light-dark(a, b)\" c", "\"light-dark(a, b)\" c"),
        ] {
            assert_eq!(
                (resolve_light_dark(value, Scheme::Light), resolve_light_dark(value, Scheme::Dark)),
                (light.into(), dark.into())
            );
        }
    }

    #[test]
    fn scheme_in_media_query_is_evaluated() {
        for (query, dark) in [
            ("(prefers-color-scheme: dark)", Some("")),
            ("(min-width: 600px) and (Prefers-Color-Scheme:dark)", Some("(min-width: 600px)")),
            ("(prefers-color-scheme: light)", Some("not all")),
            ("(min-width: 600px)", None),
            ("(prefers-color-scheme: dark), print", None),
        ] {
            assert_eq!(media_in(query).as_deref(), dark, "{query}");
        }
    }
}
