//! Sizes, weights and families of fonts.

use super::length::length;
use limner_style::property::{is_generic_family, is_ui_family};
use limner_style::value::{Component, format_decimal, split_commas};

/// Returns a length, a percentage or an absolute size keyword.
pub(crate) fn size(component: &Component) -> Option<String> {
    const ABSOLUTE: &[&str] = &["xx-small", "x-small", "small", "medium", "large", "x-large", "xx-large", "xxx-large"];
    match component {
        Component::Ident(name) => {
            let name = name.to_ascii_lowercase();
            ABSOLUTE.contains(&name.as_str()).then_some(name)
        }
        other => length(other),
    }
}

/// Returns the weight as a number; `None` for `bolder` and `lighter`.
pub(crate) fn weight(component: &Component) -> Option<String> {
    match component {
        Component::Ident(name) => match &*name.to_ascii_lowercase() {
            "normal" => Some("400".to_owned()),
            "bold" => Some("700".to_owned()),
            _ => None,
        },
        Component::Number { value, .. } => Some(format_decimal(*value)),
        other => super::calc::parse(other, weight),
    }
}

/// Returns true for a name that is a keyword if it is not quoted.
fn is_generic(name: &str) -> bool {
    let is_other = ["emoji", "fangsong"].iter().any(|known| known.eq_ignore_ascii_case(name));
    is_other || is_generic_family(name) || is_ui_family(name)
}

/// Returns the stack with quotes only where they are needed.
pub(crate) fn families(value: &[Component]) -> Option<String> {
    let names: Vec<String> = split_commas(value).into_iter().map(family).collect::<Option<_>>()?;
    (!names.is_empty()).then(|| names.join(", "))
}

fn family(part: &[Component]) -> Option<String> {
    if let [Component::String(name)] = part {
        return Some(quoted(name));
    }
    let words: Vec<&str> = part.iter().map(Component::as_ident).collect::<Option<_>>()?;
    match words.as_slice() {
        [] => None,
        [only] if is_generic(only) => Some(only.to_ascii_lowercase()),
        words => Some(quoted(&words.join(" "))),
    }
}

/// Removes quotes from names that are plain identifiers.
fn quoted(name: &str) -> String {
    let starts_plain = name.trim_start_matches('-').starts_with(|first: char| first.is_ascii_alphabetic());
    let is_plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    let is_keyword =
        is_generic(name) || ["inherit", "initial", "unset", "revert", "revert-layer", "default"].contains(&name);
    if starts_plain && is_plain && !is_keyword && !name.starts_with("--") {
        return name.to_owned();
    }
    let mut text = String::new();
    // Writing to a String cannot fail.
    let _ = cssparser::serialize_string(name, &mut text);
    text
}
