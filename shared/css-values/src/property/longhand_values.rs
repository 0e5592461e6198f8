//! Values of longhands, as the expansion of shorthands produces them.

use super::Longhand;
use crate::value::Component;

/// A longhand's name and its value.
pub(super) type LonghandValue = (&'static str, Vec<Component>);

pub(super) fn ident(keyword: &str) -> Vec<Component> {
    vec![Component::ident(keyword)]
}

/// Returns the initial value of a longhand.
pub(super) fn initial(part: &str) -> Vec<Component> {
    Longhand::from_name(part).map(|longhand| longhand.initial_components().to_vec()).unwrap_or_default()
}

pub(super) fn initials(parts: &[&'static str]) -> Vec<LonghandValue> {
    parts.iter().map(|part| (*part, initial(part))).collect()
}

/// Returns the length of the prefix that a longhand takes.
pub(super) fn prefix(part: &str, value: &[Component]) -> Option<usize> {
    let longhand = flow_relative_grammar(part)?;
    longhand.grammar().longest(value)
}

pub(super) fn split_slash(value: &[Component]) -> (&[Component], Option<&[Component]>) {
    match value.iter().position(|component| *component == Component::Slash) {
        Some(at) => (&value[..at], Some(&value[at + 1..])),
        None => (value, None),
    }
}

/// Returns the longhand whose grammar a flow-relative name has.
pub(super) fn flow_relative_grammar(part: &str) -> Option<Longhand> {
    Longhand::from_name(part).or_else(|| {
        let sides = ["block-start", "block-end", "inline-start", "inline-end"];
        let side = sides.into_iter().find(|side| part.contains(side))?;
        Longhand::from_name(&part.replace(side, "top"))
    })
}
