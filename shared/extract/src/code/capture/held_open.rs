//! What is around a section may be wider than a narrow window, and keep the section as wide: pages that were made for one
//! width, and pages that scroll sideways below some width.

use super::value::px;
use limner_style::ComputedStyle;
use limner_style::property::Longhand as L;

/// The width in pixels that a section with this style has at least, when that is more than `narrowest`, the width of the
/// narrowest window. `around` is what is around it, from the nearest.
pub(super) fn held_open<'s>(
    around: impl Iterator<Item = &'s ComputedStyle>,
    own: &ComputedStyle,
    narrowest: f64,
) -> Option<f64> {
    let edges_outside = if is_border_box(own) { 0.0 } else { edges(own)? };
    let outside = match own.get(L::Width) {
        "auto" => margins(own) + edges_outside,
        "100%" if edges_outside == 0.0 => 0.0,
        _ => return None,
    };
    // What is held open would be wider than it may be.
    if !is_plain(own) || !matches!(own.get(L::MaxWidth), "none" | "100%") {
        return None;
    }
    let (mut least, mut between) = (0.0_f64, outside);
    for style in around {
        if !matches!(style.get(L::Display), "block" | "flow-root" | "list-item" | "inline-block" | "table-cell") {
            break;
        }
        let edges = edges(style)?;
        let inside = |px: f64| px - between - if is_border_box(style) { edges } else { 0.0 };
        let width = px(style, L::Width).filter(|_| style.get(L::MaxWidth) == "none");
        let at_least = px(style, L::MinWidth);
        least = width.into_iter().chain(at_least).map(inside).fold(least, f64::max);
        if width.is_some() || !is_plain(style) {
            break;
        }
        between += edges + margins(style);
    }
    (least > narrowest).then_some(least)
}

/// A block that is as wide as what it is in, and lets show what is wider than itself.
fn is_plain(style: &ComputedStyle) -> bool {
    matches!(style.get(L::Display), "block" | "flow-root" | "list-item" | "flex" | "grid")
        && matches!(style.get(L::Position), "static" | "relative" | "sticky")
        && style.get(L::Float) == "none"
        && style.get(L::OverflowX) == "visible"
}

fn is_border_box(style: &ComputedStyle) -> bool {
    style.get(L::BoxSizing) == "border-box"
}

/// Margins beside a block; those that are `auto` are none as long as it is too wide.
fn margins(style: &ComputedStyle) -> f64 {
    [L::MarginLeft, L::MarginRight].into_iter().filter_map(|margin| px(style, margin)).sum()
}

/// Paddings and borders beside a block; `None` for shares of what is around it.
fn edges(style: &ComputedStyle) -> Option<f64> {
    [L::PaddingLeft, L::PaddingRight, L::BorderLeftWidth, L::BorderRightWidth]
        .into_iter()
        .map(|edge| px(style, edge))
        .sum()
}
