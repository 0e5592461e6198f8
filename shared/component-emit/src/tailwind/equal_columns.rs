//! Writes columns of equal fractions as `grid-cols-3` where their contents fit: `1fr` is at least as wide as the longest word, the
//! utility's tracks are not.
//!
//! `grid-template-columns: repeat(3, 1fr)` → `grid-cols-3`.

use super::declaration_block::DeclarationBlock;
use super::parse_value::{integer, number, px, split_spaces};
use limner_component_model::element_relations::ElementRelations;
use limner_component_model::model::{Child, Component, Element, ElementId};

/// Maximum length of a word, and maximum width of a box in pixels, that fit into a column.
const MAX_WORD: usize = 14;
const MAX_WIDTH: f64 = 160.0;

/// Elements with a width of their own, or whose words do not wrap.
const WIDE: &[&str] = &[
    "audio", "canvas", "code", "embed", "fieldset", "iframe", "input", "math", "object", "pre", "select", "table",
    "textarea", "video",
];

/// Returns true for each element whose contents fit into a narrow column: words wrap, and no box has a width.
pub(super) fn contents_fit(component: &Component, family: &ElementRelations) -> Vec<bool> {
    let mut fits = vec![true; component.elements.len()];
    // Children come after their parents.
    for at in (1..component.elements.len()).rev() {
        let is_narrow = fits[at] && is_narrow(&component.elements[at]);
        if let Some(parent) = family.parent(ElementId(at)) {
            fits[parent.0] &= is_narrow;
        }
    }
    for (at, element) in component.elements.iter().enumerate() {
        fits[at] &= words_fit(element);
    }
    fits
}

fn is_narrow(element: &Element) -> bool {
    let is_width = |name: &str, value: &str| match name {
        "width" | "min-width" => px(value).is_some_and(|width| width > MAX_WIDTH) || value.contains("content"),
        "white-space" | "text-wrap-mode" | "white-space-collapse" => !matches!(value, "normal" | "wrap" | "collapse"),
        "word-break" => value == "keep-all",
        "grid-template-columns" | "column-width" => value.contains("px") || value.contains("rem"),
        _ => false,
    };
    let mut declarations = element.rules.iter().flat_map(|rule| &rule.declarations);
    !WIDE.contains(&element.tag.as_str())
        && words_fit(element)
        && element.attribute("width").and_then(number).is_none_or(|width| width <= MAX_WIDTH || element.tag == "img")
        && !declarations.any(|own| is_width(&own.name, &own.value))
}

fn words_fit(element: &Element) -> bool {
    let fits = |word: &str| word.split(['-', '\u{ad}', '\u{200b}', '/']).all(|part| part.chars().count() <= MAX_WORD);
    element.children.iter().all(|child| match child {
        Child::Text(text) => text.split_whitespace().all(fits),
        Child::Element(_) => true,
    })
}

/// Takes columns of one fraction each.
pub(super) fn take_equal_columns(block: &mut DeclarationBlock<'_>) {
    let Some(count) = block.get("grid-template-columns").filter(|_| block.facts.contents_fit).and_then(equal_columns)
    else {
        return;
    };
    block.take("grid-template-columns");
    block.add(format!("grid-cols-{count}"), &["grid-template-columns"]);
}

/// Returns the number of columns that are one fraction each.
fn equal_columns(value: &str) -> Option<usize> {
    let compact = value.replace(' ', "");
    if let Some(inside) = compact.strip_prefix("repeat(").and_then(|rest| rest.strip_suffix(",1fr)")) {
        return usize::try_from(integer(inside)?).ok().filter(|count| *count > 0);
    }
    let tracks = split_spaces(value);
    (tracks.len() > 1 && tracks.iter().all(|track| *track == "1fr")).then_some(tracks.len())
}

#[cfg(test)]
mod tests {
    use super::equal_columns;

    #[test]
    fn columns_of_one_fraction_are_counted() {
        for (value, expected) in [
            ("repeat(3, 1fr)", Some(3)),
            ("1fr 1fr", Some(2)),
            ("1fr", None),
            ("1fr 2fr", None),
            ("repeat(auto-fill, 1fr)", None),
            ("repeat(2, 1fr 2fr)", None),
            ("repeat(0, 1fr)", None),
        ] {
            assert_eq!(equal_columns(value), expected, "{value}");
        }
    }
}
