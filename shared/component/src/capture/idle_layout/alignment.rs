//! Alignments where nothing is left to distribute: of the only item in a container that is as high as it, of items that fill
//! their container; gaps between items where there is one.

use super::View;
use super::box_facts::{Placement, is_part};
use limner_component_model::model::{Child, ElementId};
use limner_style::computed::{Display, FlexWrap};
use limner_style::property::Longhand as L;

/// Returns true if an alignment, wrapping or gap has no effect.
pub(super) fn is_idle_alignment(view: &View<'_, '_, '_>, at: usize, longhand: L) -> bool {
    let (style, facts) = (view.style(at), view.boxes[at]);
    let display = style.display();
    let is_flex = display.is_flex_container() && view.is(at, L::WritingMode, &["horizontal-tb"]);
    let is_row = style.flex_direction().is_row();
    let wraps = style.flex_wrap() != FlexWrap::Nowrap;
    match longhand {
        L::AlignItems if is_flex && is_row => is_low(view, at),
        L::AlignItems if is_flex => items(view, at).is_some_and(|items| items.iter().all(|item| is_full(view, *item))),
        L::AlignSelf => {
            let Some(parent) = view.parent(at).filter(|parent| !view.facts.is_fixed(*parent)) else { return false };
            match facts.placement {
                Placement::Row => is_low(view, parent),
                Placement::Column => is_full(view, at),
                _ => false,
            }
        }
        L::Order => view.parent(at).is_some_and(|parent| view.boxes[parent].is_in_order),
        L::JustifyContent if is_flex && is_row => {
            let items = items(view, at);
            items.is_some_and(|items| matches!(items[..], [item] if is_full(view, item) || takes_all(view, item)))
        }
        L::JustifyContent if is_flex => facts.fits_contents,
        L::FlexWrap if is_flex => {
            let is_one = facts.items <= 1 || (!is_row && facts.holds_contents);
            is_one && view.is(at, L::AlignContent, &["normal", "stretch"]) && style.flex_wrap() == FlexWrap::Wrap
        }
        // Two equal gaps are one declaration.
        L::RowGap | L::ColumnGap if is_flex => {
            let is_across = (longhand == L::RowGap) == is_row;
            let is_single = !wraps || (!is_row && facts.holds_contents);
            let is_own = style.get(L::RowGap) != style.get(L::ColumnGap);
            facts.items <= 1 || (is_across && is_single && is_own)
        }
        _ => false,
    }
}

/// Returns true for a row that is exactly as high as its only item. Shares of the height of a stretched item are lengths.
fn is_low(view: &View<'_, '_, '_>, at: usize) -> bool {
    let facts = view.boxes[at];
    facts.fits_contents && facts.items <= 1 && !view.facts.has_shares(at)
}

/// Returns the items of a container in flow; nothing if a text or a generated box is one.
fn items(view: &View<'_, '_, '_>, at: usize) -> Option<Vec<usize>> {
    let mut found = Vec::new();
    for child in &view.facts.context.tree.elements[at].children {
        match child {
            Child::Text(text) if text.trim().is_empty() => {}
            Child::Text(_) => return None,
            Child::Element(ElementId(child)) => match view.style(*child).display() {
                _ if view.facts.is_fixed(*child) => return None,
                Display::None if view.facts.is_gone(*child, view.env) => {}
                Display::None => return None,
                Display::Contents => return None,
                _ if view.style(*child).is_absolutely_positioned() => return None,
                _ => found.push(*child),
            },
        }
    }
    (view.facts.generated(at) == 0).then_some(found)
}

/// Returns true for an item that is as wide as its container in any alignment.
fn is_full(view: &View<'_, '_, '_>, item: usize) -> bool {
    view.is(item, L::Width, &["100%"])
        && view.is(item, L::MaxWidth, &["none", "100%"])
        && [L::MarginLeft, L::MarginRight].iter().all(|margin| view.is(item, *margin, &["0px"]))
        && super::sizes::has_outer_size(view, item)
}

/// Returns true for an item that takes all room in its row.
fn takes_all(view: &View<'_, '_, '_>, item: usize) -> bool {
    let grows = view.style(item).get(L::FlexGrow).parse::<f64>().is_ok_and(|grow| grow >= 1.0);
    grows
        && (view.is(item, L::MaxWidth, &["none"])
            || is_part(view.style(item).get(L::MaxWidth)) && view.is(item, L::MaxWidth, &["100%"]))
}
