//! Sections that are items of a flex container or of a grid (CSS Flexbox 1, CSS Grid 2): the effects on their sizes
//! that an ordinary block would not have.

use super::box_edges::is_border_box_size;
use crate::capture::diff::value_reader::px;
use limner_style::ComputedStyle;
use limner_style::computed::{BoxSizing, Display, FlexWrap, Overflow};
use limner_style::property::Longhand as L;
use limner_style::value::{Component, parse_components};

/// Vertical paddings and borders.
pub(crate) const EDGES_ABOVE: [L; 4] = [L::PaddingTop, L::PaddingBottom, L::BorderTopWidth, L::BorderBottomWidth];

/// Returns true if a box has vertical paddings or borders.
pub(crate) fn has_edges_above(style: &ComputedStyle) -> bool {
    EDGES_ABOVE.into_iter().any(|edge| style.get(edge) != "0px")
}

/// Returns true if an item is as high as its container and scrolls its overflow. In a block it would be as high as its
/// contents.
pub(crate) fn scrolls_in_container(item: &ComputedStyle, container: &ComputedStyle) -> bool {
    is_row_flex_item(item, container)
        && container.flex_wrap() == FlexWrap::Nowrap
        && !has_edges_above(container)
        && matches!(item.overflow_y(), Overflow::Auto | Overflow::Scroll)
        && item.get(L::Height) == "auto"
        && is_stretched(item, container)
}

/// Returns true if an item with `width: 100%` in a row shrinks to the remaining room, including its paddings.
pub(crate) fn fills_remaining_space(item: &ComputedStyle, container: &ComputedStyle) -> bool {
    item.get(L::Width) == "100%" && may_shrink(item, container)
}

/// Returns true if an item has a width in pixels, and shrinks where there is less room.
pub(crate) fn shrinks_below_width(item: &ComputedStyle, container: &ComputedStyle) -> bool {
    is_border_box_size(item)
        && px(item, L::Width).is_some()
        && item.get(L::MaxWidth) == "none"
        && may_shrink(item, container)
}

/// Returns true if an item may shrink below its declared width, down to the minimum width of its contents.
pub(crate) fn can_shrink(item: &ComputedStyle, container: &ComputedStyle) -> bool {
    is_row_flex_item(item, container) && item.get(L::FlexShrink) != "0"
}

/// Returns true if an item may shrink below its declared width and below the width of its contents.
fn may_shrink(item: &ComputedStyle, container: &ComputedStyle) -> bool {
    can_shrink(item, container)
        && item.overflow_x() != Overflow::Visible
        && matches!(item.get(L::MinWidth), "auto" | "0px")
}

/// The minimum height that a container gives an item. The variants differ in whether margins, paddings and borders are
/// part of it.
pub(crate) enum ImpliedHeight {
    /// A height like that of the property `height`: a flex basis in a column.
    SpecifiedHeight(String),
    /// The height of the margin box: that of a row which the item fills.
    MarginBoxHeight(String),
}

/// Returns the height that a container gives an item which has none. `place` is the item's position in a grid whose
/// items are all placed automatically.
pub(crate) fn implied_height(
    item: &ComputedStyle,
    container: &ComputedStyle,
    place: Option<usize>,
) -> Option<ImpliedHeight> {
    let is_free = item.get(L::Height) == "auto" && matches!(item.get(L::MinHeight), "auto" | "0px");
    let is_limited = [item, container].iter().any(|style| style.get(L::MaxHeight) != "none");
    let is_free = is_free && !is_limited;
    if !is_free || item.is_absolutely_positioned() {
        return None;
    }
    match container.display() {
        Display::Flex | Display::InlineFlex if container.flex_direction().is_column() => {
            let basis = item.get(L::FlexBasis);
            let shrinks = item.get(L::FlexShrink) != "0" && container.get(L::Height) != "auto";
            let is_kept = px(item, L::FlexBasis)? > 0.0 && item.get(L::FlexGrow) == "0" && !shrinks;
            is_kept.then(|| ImpliedHeight::SpecifiedHeight(basis.to_owned()))
        }
        Display::Flex | Display::InlineFlex => {
            let has_one_line = container.flex_wrap() == FlexWrap::Nowrap && is_stretched(item, container);
            let edges: f64 = EDGES_ABOVE.into_iter().map(|edge| px(container, edge)).sum::<Option<f64>>()?;
            let taken = if container.box_sizing() == BoxSizing::BorderBox { edges } else { 0.0 };
            let height = px(container, L::Height)? - taken;
            (has_one_line && height > 0.0).then(|| ImpliedHeight::MarginBoxHeight(format!("{height}px")))
        }
        Display::Grid | Display::InlineGrid if is_stretched(item, container) => {
            row_height(item, container, place).map(ImpliedHeight::MarginBoxHeight)
        }
        _ => None,
    }
}

/// Returns the height of the grid row that an item is in, if that is a length in pixels.
fn row_height(item: &ComputedStyle, container: &ComputedStyle, place: Option<usize>) -> Option<String> {
    let rows = parse_components(container.get(L::GridTemplateRows))?;
    let repeats = |track: &Component| track.as_function().is_some_and(|(name, _)| name == "repeat");
    if rows.iter().any(repeats) {
        return None;
    }
    let mut rows = rows.iter().filter(|track| !matches!(track, Component::Block(..)));
    let start = item.get(L::GridRowStart);
    let row = match (start, start.parse::<usize>()) {
        (_, Ok(line)) => line.checked_sub(1)?,
        ("auto", _) => {
            let columns = parse_components(container.get(L::GridTemplateColumns))?;
            let has_one_column = columns.len() <= 1 && !columns.iter().any(repeats);
            let is_placed = item.get(L::GridColumnStart) != "auto" || !has_one_column;
            (!is_placed && container.get(L::GridAutoFlow) == "row" && item.get(L::Order) == "0").then_some(place)??
        }
        (name, _) => {
            let mut areas = container.get(L::GridTemplateAreas).split('"').skip(1).step_by(2);
            areas.position(|row| row.split_ascii_whitespace().any(|area| area == name))?
        }
    };
    let spans = matches!(item.get(L::GridRowEnd), end if end != "auto" && end != start);
    match rows.nth(row)? {
        Component::Dimension { value, unit } if !spans && **unit == *"px" => Some(format!("{value}px")),
        _ => None,
    }
}

/// Returns true if an item fills the flex line or grid row that it is in.
fn is_stretched(item: &ComputedStyle, container: &ComputedStyle) -> bool {
    let stretches = |align: &str| matches!(align, "normal" | "stretch");
    stretches(item.get(L::AlignSelf)) || (item.get(L::AlignSelf) == "auto" && stretches(container.get(L::AlignItems)))
}

fn is_row_flex_item(item: &ComputedStyle, container: &ComputedStyle) -> bool {
    container.display().is_flex_container() && container.flex_direction().is_row() && !item.is_absolutely_positioned()
}
