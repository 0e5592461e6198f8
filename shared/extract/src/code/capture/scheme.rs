//! The scheme of a component: what follows the visitor's scheme on the page is settled for the theme it is made in.

use super::Order;
use super::value::find_function;
use crate::code::model::Element;
use limner_style::color::{Scheme, SupportedSchemes};

/// Nested deeper than this, nobody means it.
const MOST_FUNCTIONS: usize = 64;
const FUNCTION: &str = "light-dark(";

/// The value with each `light-dark()` as what it is in that scheme (Color 5 §3.2): conditions tell the themes of a
/// component apart, and where it is pasted nothing may be known of schemes.
pub(super) fn settled(value: &str, scheme: Scheme) -> String {
    let mut value = value.to_owned();
    for _ in 0..MOST_FUNCTIONS {
        let Some(start) = find_function(&value, FUNCTION) else { break };
        let inside = start + FUNCTION.len();
        let Some((comma, end)) = two_arguments(&value[inside..]) else { break };
        let arguments = &value[inside..inside + end];
        let chosen = if scheme == Scheme::Dark { &arguments[comma + 1..] } else { &arguments[..comma] };
        value = format!("{}{}{}", &value[..start], chosen.trim(), &value[inside + end + 1..]);
    }
    value
}

/// Where the comma between two arguments is, and the parenthesis that ends them.
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

/// What a component in that theme declares as `color-scheme` where its page says `value`: a component that is made dark
/// is dark wherever it stands.
pub(super) fn color_scheme(value: &str, scheme: Scheme) -> &str {
    if scheme == Scheme::Dark && value.split_whitespace().any(|word| word == "dark") { "dark" } else { value }
}

/// The `color-scheme` that the page's metadata stand for; `None`: they say nothing.
pub(super) fn of_metadata(order: &Order<'_>) -> Option<&'static str> {
    let supported = order.index.supported_schemes();
    match supported {
        _ if supported == SupportedSchemes::default() => None,
        SupportedSchemes { dark: true, light: true } if order.scheme == Scheme::Dark => Some("dark"),
        SupportedSchemes { dark: true, light: true } => Some("light dark"),
        SupportedSchemes { dark: true, .. } => Some("dark"),
        _ => None,
    }
}

/// Pictures for one scheme are the picture, or none, in a component of one theme.
pub(super) fn settle_sources(elements: &mut [Element], scheme: Scheme) {
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

/// A query list as it is where dark is preferred; `None`: it does not ask.
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
    fn light_dark_is_what_it_is_in_the_scheme() {
        for (value, light, dark) in [
            ("light-dark(#fff, #000)", "#fff", "#000"),
            ("1px solid Light-Dark(rgb(1, 2, 3), rgb(4, 5, 6))", "1px solid rgb(1, 2, 3)", "1px solid rgb(4, 5, 6)"),
            ("light-dark(light-dark(a, b), c), light-dark(d,e)", "a, d", "c, e"),
            ("light-dark(a", "light-dark(a", "light-dark(a"),
            ("light-dark(a)", "light-dark(a)", "light-dark(a)"),
            ("red", "red", "red"),
            ("\"light-dark(a, b)\" c", "\"light-dark(a, b)\" c", "\"light-dark(a, b)\" c"),
        ] {
            assert_eq!((settled(value, Scheme::Light), settled(value, Scheme::Dark)), (light.into(), dark.into()));
        }
    }

    #[test]
    fn queries_for_a_scheme_are_answered() {
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
