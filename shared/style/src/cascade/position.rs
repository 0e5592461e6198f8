//! Positions (Values 4, section 8.3): of backgrounds, masks and the centres of gradients.

use super::component_values::{compute_components, compute_quantity};
use super::compute_context::ComputeContext;
use crate::value::component::Component;

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
        _ => return compute_components(part, context, true, false),
    };
    vec![axis(x, context), axis(y, context)]
}

/// Computes the position on one axis; keywords become percentages.
pub(super) fn axis(part: &[Component], context: &ComputeContext<'_>) -> Component {
    let keyword = part.iter().find_map(Component::as_ident).map(str::to_ascii_lowercase);
    let offset = part.iter().find(|component| component.as_ident().is_none());
    let Some(offset) = offset else {
        return match keyword.as_deref() {
            Some("center") => Component::Percentage(50.0),
            Some("right" | "bottom" | "x-end" | "y-end") => Component::Percentage(100.0),
            _ => Component::Percentage(0.0),
        };
    };
    let offset = match compute_quantity(offset, context) {
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
