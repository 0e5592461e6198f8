//! Computes the minimum width that ancestors impose on the section. They may be wider than a narrow viewport and keep
//! the section as wide: on pages made for one width, and on pages that scroll horizontally below some width.

use super::box_edges::{inline_edges, is_border_box, is_border_box_size, paddings};
use super::flex_grid_item;
use crate::capture::diff::value_reader::px;
use limner_style::ComputedStyle;
use limner_style::computed::{Display, FlexDirection, Overflow, Position};
use limner_style::property::Longhand as L;

/// Returns the minimum width in pixels of a section with the style `own`, if it is more than `narrowest`, the width of
/// the narrowest viewport. `ancestors` are the styles of its ancestors, from the nearest.
pub(crate) fn implied_min_width<'s>(
    ancestors: impl Iterator<Item = &'s ComputedStyle>,
    own: &ComputedStyle,
    narrowest: f64,
) -> Option<f64> {
    let edges_outside = if is_border_box(own) { 0.0 } else { inline_edges(own)? };
    let is_spanned = own.position() == Position::Absolute && own.get(L::Width) == "auto";
    let outside = match own.get(L::Width) {
        "auto" if is_spanned => margins(own) + edges_outside + px(own, L::Left)? + px(own, L::Right)?,
        "auto" => margins(own) + edges_outside,
        "100%" if edges_outside == 0.0 || own.display() == Display::Table => 0.0,
        _ => return None,
    };
    let limit = match own.get(L::MaxWidth) {
        "none" | "100%" => f64::INFINITY,
        _ => px(own, L::MaxWidth)?,
    };
    let is_wide_table = own.display() == Display::Table && own.get(L::Width) == "100%";
    if !is_spanned && !is_wide_table && !fills_container(own) {
        return None;
    }
    let (mut least, mut between) = (0.0_f64, outside);
    // An absolutely positioned box also spans the paddings of its containing block.
    let mut holder = is_spanned;
    let mut ancestors =
        ancestors.skip_while(|style| is_spanned && !style.is_containing_block_for_absolute()).peekable();
    let mut inner = own;
    while let Some(style) = ancestors.next() {
        if !style.display().is_block_container() && !is_one_column(style, inner) {
            break;
        }
        let edges = inline_edges(style)?;
        if std::mem::take(&mut holder) {
            between -= paddings(style)?;
        }
        let inside = |px: f64| px - between - if is_border_box(style) { edges } else { 0.0 };
        let gives_way = ancestors.peek().is_some_and(|container| flex_grid_item::can_shrink(style, container));
        let width = px(style, L::Width).filter(|_| style.get(L::MaxWidth) == "none");
        let at_least = px(style, L::MinWidth);
        least = width.filter(|_| !gives_way).into_iter().chain(at_least).map(inside).fold(least, f64::max);
        let is_whole_float = is_full_width_float(style);
        if width.is_some() || !(is_overflow_visible_block(style) || is_whole_float) {
            break;
        }
        between += edges + if is_whole_float { 0.0 } else { margins(style) };
        inner = style;
    }
    // The section need not be wider than its maximum width.
    (least > narrowest && least <= limit).then_some(least)
}

/// Returns true for a grid of one column, or a column flex container, that stretches this item in its inline axis.
fn is_one_column(style: &ComputedStyle, item: &ComputedStyle) -> bool {
    let is_stretched = |own: L, all: L| match item.get(own) {
        "auto" => matches!(style.get(all), "normal" | "stretch" | "legacy"),
        own => matches!(own, "normal" | "stretch"),
    };
    match style.display() {
        Display::Grid => {
            let is_placed = item.get(L::GridColumnStart) != "auto" || item.get(L::GridColumnEnd) != "auto";
            let is_single =
                style.get(L::GridTemplateColumns) == "none" && style.get(L::GridAutoFlow).starts_with("row");
            is_single && !is_placed && is_stretched(L::JustifySelf, L::JustifyItems)
        }
        Display::Flex => style.flex_direction() == FlexDirection::Column && is_stretched(L::AlignSelf, L::AlignItems),
        _ => false,
    }
}

/// Returns true for a floated column that its margins move next to another one, and that is nevertheless as wide as its
/// containing block.
fn is_full_width_float(style: &ComputedStyle) -> bool {
    style.is_floating()
        && style.get(L::Width) == "100%"
        && is_border_box_size(style)
        && style.overflow_x() == Overflow::Visible
        && matches!(style.position(), Position::Static | Position::Relative)
}

/// Returns true for a block that is as wide as its containing block, and does not clip wider contents.
fn is_overflow_visible_block(style: &ComputedStyle) -> bool {
    fills_container(style) && style.overflow_x() == Overflow::Visible
}

/// Returns true for a block that is as wide as its containing block.
pub(crate) fn fills_container(style: &ComputedStyle) -> bool {
    use Display as D;
    matches!(style.display(), D::Block | D::FlowRoot | D::ListItem | D::FlowRootListItem | D::Flex | D::Grid)
        && style.is_in_flow()
}

/// Returns the sum of a block's horizontal margins. `auto` margins are 0 as long as the block is too wide.
fn margins(style: &ComputedStyle) -> f64 {
    [L::MarginLeft, L::MarginRight].into_iter().filter_map(|margin| px(style, margin)).sum()
}
