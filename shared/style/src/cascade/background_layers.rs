//! Background and mask layers: positions, sizes, repeats and boxes.

use super::compute::{ComputeContext, generic};
use super::list_values::single;
use crate::value::component::{Component, serialize, split_commas};

fn map_items(value: &[Component], one: impl Fn(&[Component]) -> String) -> String {
    split_commas(value).into_iter().map(one).collect::<Vec<_>>().join(", ")
}

/// Computes the positions on one axis; keywords become percentages.
pub(super) fn position(value: &[Component], context: &ComputeContext<'_>) -> String {
    map_items(value, |part| serialize(&[axis(part, context)]))
}

fn axis(part: &[Component], context: &ComputeContext<'_>) -> Component {
    let keyword = part.iter().find_map(Component::as_ident).map(str::to_ascii_lowercase);
    let offset = part.iter().find(|component| component.as_ident().is_none());
    let Some(offset) = offset else {
        return match keyword.as_deref() {
            Some("center") => Component::Percentage(50.0),
            Some("right" | "bottom" | "x-end" | "y-end") => Component::Percentage(100.0),
            _ => Component::Percentage(0.0),
        };
    };
    let offset = match single(offset, context) {
        Component::Number { value: 0.0, .. } => Component::px(0.0),
        other => other,
    };
    let from_end = matches!(keyword.as_deref(), Some("right" | "bottom" | "x-end" | "y-end"));
    match (from_end, &offset) {
        (true, Component::Percentage(percent)) => Component::Percentage(100.0 - percent),
        (true, Component::Dimension { value, unit }) => {
            let sign = if *value < 0.0 { '+' } else { '-' };
            let length = Component::Dimension { value: value.abs(), unit: unit.clone() };
            Component::function("calc", vec![Component::Percentage(100.0), Component::Delim(sign), length])
        }
        _ => offset,
    }
}

/// Computes positions with both axes in one value.
pub(super) fn positions(value: &[Component], context: &ComputeContext<'_>) -> String {
    map_items(value, |part| serialize(&point(part, context)))
}

/// Computes the position of one layer on both axes.
pub(super) fn point(part: &[Component], context: &ComputeContext<'_>) -> Vec<Component> {
    let vertical = |component: &Component| component.is_ident("top") || component.is_ident("bottom");
    let horizontal = |component: &Component| component.is_ident("left") || component.is_ident("right");
    let center = [Component::ident("center")];
    let (x, y) = match part {
        [one] if vertical(one) => (&center[..], &part[..1]),
        [_] => (&part[..1], &center[..]),
        [a, b] if vertical(a) || horizontal(b) => (&part[1..], &part[..1]),
        [_, _] => (&part[..1], &part[1..]),
        [a, _, _, _] if vertical(a) => (&part[2..], &part[..2]),
        [_, _, _, _] => (&part[..2], &part[2..]),
        _ => return generic(part, context, true, false),
    };
    vec![axis(x, context), axis(y, context)]
}

/// Computes sizes; a lone width gets the height `auto`.
pub(super) fn sizes(value: &[Component], context: &ComputeContext<'_>) -> String {
    map_items(value, |part| match generic(part, context, true, false).as_slice() {
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
