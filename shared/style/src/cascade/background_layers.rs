//! Background and mask layers: positions, sizes, repeats and boxes.

use super::component_values::compute_components;
use super::compute_context::ComputeContext;
use super::position::{axis, point};
use crate::value::component::{Component, serialize, split_commas};

fn map_items(value: &[Component], one: impl Fn(&[Component]) -> String) -> String {
    split_commas(value).into_iter().map(one).collect::<Vec<_>>().join(", ")
}

/// Computes the positions on one axis; keywords become percentages.
pub(super) fn position(value: &[Component], context: &ComputeContext<'_>) -> String {
    map_items(value, |part| serialize(&[axis(part, context)]))
}

/// Computes positions with both axes in one value.
pub(super) fn positions(value: &[Component], context: &ComputeContext<'_>) -> String {
    map_items(value, |part| serialize(&point(part, context)))
}

/// Computes sizes; a lone width gets the height `auto`.
pub(super) fn sizes(value: &[Component], context: &ComputeContext<'_>) -> String {
    map_items(value, |part| match compute_components(part, context, true, false).as_slice() {
        [auto, other] if auto.is_ident("auto") && other.is_ident("auto") => "auto".into(),
        [width] if width.as_ident().is_none() => format!("{} auto", serialize(std::slice::from_ref(width))),
        both => serialize(both).to_ascii_lowercase(),
    })
}

pub(super) fn repeats(value: &[Component]) -> String {
    map_items(value, |part| {
        let words: Vec<String> = part.iter().filter_map(Component::as_ident).map(str::to_ascii_lowercase).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        match words.as_slice() {
            ["repeat", "no-repeat"] => "repeat-x".into(),
            ["no-repeat", "repeat"] => "repeat-y".into(),
            [a, b] if a == b => (*a).to_owned(),
            words => words.join(" "),
        }
    })
}

pub(super) fn boxes(value: &[Component]) -> String {
    map_items(value, |part| {
        let word = serialize(part).to_ascii_lowercase();
        match word.as_str() {
            "border" | "padding" | "content" => format!("{word}-box"),
            _ => word,
        }
    })
}
