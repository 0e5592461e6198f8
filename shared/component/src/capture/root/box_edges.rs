//! The horizontal edges of boxes.

use crate::capture::diff::value_reader::px;
use limner_style::ComputedStyle;
use limner_style::computed::BoxSizing;
use limner_style::property::Longhand as L;

pub(crate) fn is_border_box(style: &ComputedStyle) -> bool {
    style.box_sizing() == BoxSizing::BorderBox
}

/// Returns true if the declared width is that of the border box.
pub(crate) fn is_border_box_size(style: &ComputedStyle) -> bool {
    is_border_box(style) || inline_edges(style) == Some(0.0)
}

/// Returns the sum of a block's horizontal paddings and borders; `None` for percentages.
pub(crate) fn inline_edges(style: &ComputedStyle) -> Option<f64> {
    let borders = [L::BorderLeftWidth, L::BorderRightWidth].into_iter().map(|edge| px(style, edge));
    Some(paddings(style)? + borders.sum::<Option<f64>>()?)
}

pub(crate) fn paddings(style: &ComputedStyle) -> Option<f64> {
    [L::PaddingLeft, L::PaddingRight].into_iter().map(|edge| px(style, edge)).sum()
}
