//! Sections that are items in a row of a flex container (CSS Flexbox 1): what that makes of their sizes, and an ordinary
//! block would not.

use super::held_open::is_whole;
use super::value::px;
use limner_style::ComputedStyle;
use limner_style::property::Longhand as L;

/// Whether an item is as high as its container and scrolls what is higher. By itself it would be as high as its contents.
pub(super) fn scrolls_within(item: &ComputedStyle, container: &ComputedStyle) -> bool {
    let edges = [L::PaddingTop, L::PaddingBottom, L::BorderTopWidth, L::BorderBottomWidth];
    let is_stretched = |align: &str| matches!(align, "normal" | "stretch");
    is_in_row(item, container)
        && container.get(L::FlexWrap) == "nowrap"
        && edges.into_iter().all(|edge| container.get(edge) == "0px")
        && matches!(item.get(L::OverflowY), "auto" | "scroll")
        && item.get(L::Height) == "auto"
        && (is_stretched(item.get(L::AlignSelf))
            || (item.get(L::AlignSelf) == "auto" && is_stretched(container.get(L::AlignItems))))
}

/// Whether an item that asks for all the room in its row makes do with what is left, paddings and all.
pub(super) fn fills_what_is_left(item: &ComputedStyle, container: &ComputedStyle) -> bool {
    item.get(L::Width) == "100%" && shrinks(item, container)
}

/// Whether an item has a width, or less where there is less room.
pub(super) fn shrinks_from_width(item: &ComputedStyle, container: &ComputedStyle) -> bool {
    is_whole(item) && px(item, L::Width).is_some() && item.get(L::MaxWidth) == "none" && shrinks(item, container)
}

/// Whether an item may be narrower than it asks for: as narrow as its contents are at least.
pub(super) fn gives_way(item: &ComputedStyle, container: &ComputedStyle) -> bool {
    is_in_row(item, container) && item.get(L::FlexShrink) != "0"
}

/// Whether an item may be narrower than its contents, and than it asks for.
fn shrinks(item: &ComputedStyle, container: &ComputedStyle) -> bool {
    gives_way(item, container) && item.get(L::OverflowX) != "visible" && matches!(item.get(L::MinWidth), "auto" | "0px")
}

fn is_in_row(item: &ComputedStyle, container: &ComputedStyle) -> bool {
    matches!(container.get(L::Display), "flex" | "inline-flex")
        && matches!(container.get(L::FlexDirection), "row" | "row-reverse")
        && matches!(item.get(L::Position), "static" | "relative" | "sticky")
}
