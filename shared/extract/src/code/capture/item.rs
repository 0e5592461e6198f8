//! Sections that are items of a flex container or of a grid (CSS Flexbox 1, CSS Grid 2): what that makes of their sizes, and
//! an ordinary block would not.

use super::held_open::is_whole;
use super::value::px;
use limner_style::ComputedStyle;
use limner_style::property::Longhand as L;
use limner_style::value::{Component, parse_components};

/// What a box has above and below its contents.
pub(super) const EDGES_ABOVE: [L; 4] = [L::PaddingTop, L::PaddingBottom, L::BorderTopWidth, L::BorderBottomWidth];

/// Whether a box has any of that.
pub(super) fn has_edges_above(style: &ComputedStyle) -> bool {
    EDGES_ABOVE.into_iter().any(|edge| style.get(edge) != "0px")
}

/// Whether an item is as high as its container and scrolls what is higher. By itself it would be as high as its contents.
pub(super) fn scrolls_within(item: &ComputedStyle, container: &ComputedStyle) -> bool {
    is_in_row(item, container)
        && container.get(L::FlexWrap) == "nowrap"
        && !has_edges_above(container)
        && matches!(item.get(L::OverflowY), "auto" | "scroll")
        && item.get(L::Height) == "auto"
        && is_stretched(item, container)
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

/// The height that an item has at least because of what it is in. Whether edges are part of it depends on how that is said.
pub(super) enum Given {
    /// As its own `height` would be: a basis in a column.
    Own(String),
    /// With its margins: a row as high as it is.
    Whole(String),
}

/// The height that its container gives an item which has none. `place` is its place among the items of that, where each
/// follows the one before.
pub(super) fn given_height(item: &ComputedStyle, container: &ComputedStyle, place: Option<usize>) -> Option<Given> {
    let is_free = item.get(L::Height) == "auto" && matches!(item.get(L::MinHeight), "auto" | "0px");
    let is_limited = [item, container].iter().any(|style| style.get(L::MaxHeight) != "none");
    let is_free = is_free && !is_limited;
    if !is_free || !matches!(item.get(L::Position), "static" | "relative" | "sticky") {
        return None;
    }
    match (container.get(L::Display), container.get(L::FlexDirection)) {
        ("flex" | "inline-flex", "column" | "column-reverse") => {
            let basis = item.get(L::FlexBasis);
            let shrinks = item.get(L::FlexShrink) != "0" && container.get(L::Height) != "auto";
            let is_kept = px(item, L::FlexBasis)? > 0.0 && item.get(L::FlexGrow) == "0" && !shrinks;
            is_kept.then(|| Given::Own(basis.to_owned()))
        }
        ("flex" | "inline-flex", _) => {
            let has_one_line = container.get(L::FlexWrap) == "nowrap" && is_stretched(item, container);
            let edges: f64 = EDGES_ABOVE.into_iter().map(|edge| px(container, edge)).sum::<Option<f64>>()?;
            let taken = if container.get(L::BoxSizing) == "border-box" { edges } else { 0.0 };
            let height = px(container, L::Height)? - taken;
            (has_one_line && height > 0.0).then(|| Given::Whole(format!("{height}px")))
        }
        ("grid" | "inline-grid", _) if is_stretched(item, container) => {
            row_height(item, container, place).map(Given::Whole)
        }
        _ => None,
    }
}

/// The height of the row of a grid that an item is in, where that is a length.
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

/// Whether an item fills the line or row that it is in.
fn is_stretched(item: &ComputedStyle, container: &ComputedStyle) -> bool {
    let stretches = |align: &str| matches!(align, "normal" | "stretch");
    stretches(item.get(L::AlignSelf)) || (item.get(L::AlignSelf) == "auto" && stretches(container.get(L::AlignItems)))
}

fn is_in_row(item: &ComputedStyle, container: &ComputedStyle) -> bool {
    matches!(container.get(L::Display), "flex" | "inline-flex")
        && matches!(container.get(L::FlexDirection), "row" | "row-reverse")
        && matches!(item.get(L::Position), "static" | "relative" | "sticky")
}
