//! Moves widths that are a pixel beside one of Tailwind's breakpoints to it: `min-[769px]:flex` → `md:flex`.
//!
//! Authors who write `max-width: 768px` and `min-width: 769px` mean the breakpoint that Tailwind has at 768 px; only there,
//! at one width, the two differ. A width stays if the component has the breakpoint too, or a width on its other side, or if
//! others would still need their pixels.

use super::theme::{BREAKPOINTS, step};
use limner_component_model::model::{Component, Condition};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// Returns the component with its widths at breakpoints where they are near one.
pub(super) fn move_to_breakpoints(component: Cow<'_, Component>) -> Cow<'_, Component> {
    let rules = component.elements.iter().flat_map(|element| &element.rules);
    let widths: BTreeSet<u32> = rules.flat_map(|rule| widths(&rule.condition)).collect();
    let moved = moved_widths(&widths);
    if moved.is_empty() {
        return component;
    }
    let mut component = component.into_owned();
    for rule in component.elements.iter_mut().flat_map(|element| &mut element.rules) {
        let condition = &mut rule.condition;
        for width in [&mut condition.min_width, &mut condition.max_width_exclusive].into_iter().flatten() {
            *width = moved.get(width).copied().unwrap_or(*width);
        }
    }
    Cow::Owned(component)
}

fn widths(condition: &Condition) -> impl Iterator<Item = u32> {
    condition.min_width.into_iter().chain(condition.max_width_exclusive)
}

/// Returns the breakpoint for each width that moves. Tailwind sorts pixels apart from its breakpoints, so where no width is
/// at a breakpoint, either all of them move or none.
fn moved_widths(widths: &BTreeSet<u32>) -> BTreeMap<u32, u32> {
    let is_named = |width: u32| step(BREAKPOINTS, f64::from(width)).is_some();
    let near = |width: u32| [width.saturating_sub(1), width + 1].into_iter().find(|other| is_named(*other));
    let is_alone = |width: u32, named: u32| {
        let around = widths.range(named.saturating_sub(1)..=named + 1);
        around.eq([&width])
    };
    let moved: BTreeMap<u32, u32> = widths
        .iter()
        .filter_map(|width| Some((*width, near(*width).filter(|named| is_alone(*width, *named))?)))
        .collect();
    let uses_names = widths.iter().any(|width| is_named(*width));
    if uses_names || moved.len() == widths.len() { moved } else { BTreeMap::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_beside_breakpoints_move_to_them() {
        for (widths, expected) in [
            (&[769][..], &[(769, 768)][..]),
            (&[641, 769, 1025], &[(641, 640), (769, 768), (1025, 1024)]),
            (&[767, 1280], &[(767, 768)]),
            (&[768, 769], &[]),
            (&[767, 769], &[]),
            (&[770], &[]),
            (&[750, 1025], &[]),
            (&[640, 750, 1025], &[(1025, 1024)]),
            (&[], &[]),
        ] {
            let moved: Vec<(u32, u32)> = moved_widths(&widths.iter().copied().collect()).into_iter().collect();
            assert_eq!(moved, expected, "{widths:?}");
        }
    }
}
