//! Flow-relative longhands in vertical writing modes (Writing Modes 4, section 6; Logical Properties 1).

use super::Longhand;
use super::expand::ExpandedLonghand;

/// The directions in which lines and their text follow each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Flow {
    /// True for right-to-left text.
    pub rtl: bool,
    /// The writing mode.
    pub writing_mode: WritingMode,
}

/// A writing mode, by the sides on which lines and text begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum WritingMode {
    /// Lines from top to bottom.
    #[default]
    Horizontal,
    /// `vertical-rl`, `sideways-rl`: lines from right to left, text from the top.
    VerticalRl,
    /// `vertical-lr`: lines from left to right, text from the top.
    VerticalLr,
    /// `sideways-lr`: lines from left to right, text from the bottom.
    SidewaysLr,
}

impl WritingMode {
    /// Returns the mode of a value of `writing-mode`.
    pub fn from_keyword(keyword: &str) -> Self {
        match &*keyword.to_ascii_lowercase() {
            "vertical-rl" | "sideways-rl" | "tb" | "tb-rl" => Self::VerticalRl,
            "vertical-lr" => Self::VerticalLr,
            "sideways-lr" => Self::SidewaysLr,
            _ => Self::Horizontal,
        }
    }
}

/// Longhands of the four sides: top, right, bottom, left.
#[rustfmt::skip]
const SIDES: &[[Longhand; 4]] = {
    use Longhand as L;
    &[
        [L::Top, L::Right, L::Bottom, L::Left],
        [L::MarginTop, L::MarginRight, L::MarginBottom, L::MarginLeft],
        [L::PaddingTop, L::PaddingRight, L::PaddingBottom, L::PaddingLeft],
        [L::BorderTopWidth, L::BorderRightWidth, L::BorderBottomWidth, L::BorderLeftWidth],
        [L::BorderTopStyle, L::BorderRightStyle, L::BorderBottomStyle, L::BorderLeftStyle],
        [L::BorderTopColor, L::BorderRightColor, L::BorderBottomColor, L::BorderLeftColor],
        [L::ScrollMarginTop, L::ScrollMarginRight, L::ScrollMarginBottom, L::ScrollMarginLeft],
        [L::ScrollPaddingTop, L::ScrollPaddingRight, L::ScrollPaddingBottom, L::ScrollPaddingLeft],
    ]
};

/// Longhands of the corners: top left, top right, bottom right, bottom left.
const CORNERS: [Longhand; 4] = [
    Longhand::BorderTopLeftRadius,
    Longhand::BorderTopRightRadius,
    Longhand::BorderBottomRightRadius,
    Longhand::BorderBottomLeftRadius,
];

/// Longhands of the two axes: horizontal, vertical.
const AXES: &[[Longhand; 2]] = &[
    [Longhand::Width, Longhand::Height],
    [Longhand::MinWidth, Longhand::MinHeight],
    [Longhand::MaxWidth, Longhand::MaxHeight],
    [Longhand::ContainIntrinsicWidth, Longhand::ContainIntrinsicHeight],
    [Longhand::OverflowX, Longhand::OverflowY],
    [Longhand::OverscrollBehaviorX, Longhand::OverscrollBehaviorY],
];

/// Returns all longhands that a flow-relative one can be.
pub(super) fn alternatives(longhand: Longhand) -> &'static [Longhand] {
    let sides = SIDES.iter().find(|sides| sides.contains(&longhand)).map(|sides| &sides[..]);
    let axes = || AXES.iter().find(|axes| axes.contains(&longhand)).map(|axes| &axes[..]);
    let corners: &'static [Longhand] = if CORNERS.contains(&longhand) { &CORNERS } else { &[] };
    sides.or_else(axes).unwrap_or(corners)
}

impl ExpandedLonghand {
    /// Returns the longhand that it sets on an element with this flow.
    pub fn physical(&self, flow: Flow) -> Longhand {
        match flow.writing_mode {
            WritingMode::Horizontal if flow.rtl => self.rtl,
            WritingMode::Horizontal => self.longhand,
            _ if !self.is_flow_relative => self.longhand,
            _ => vertical(self.longhand, flow),
        }
    }
}

/// Returns the longhand of a vertical flow by the one of a horizontal flow from left to right.
fn vertical(longhand: Longhand, flow: Flow) -> Longhand {
    let at = |list: &[Longhand]| list.iter().position(|own| *own == longhand);
    if let Some((sides, side)) = SIDES.iter().find_map(|sides| Some((sides, at(sides)?))) {
        return sides[vertical_side(side, flow)];
    }
    if let Some((axes, axis)) = AXES.iter().find_map(|axes| Some((axes, at(axes)?))) {
        return axes[1 - axis];
    }
    // Each corner is where its block side and its inline side meet.
    const BLOCK_AND_INLINE: [(usize, usize); 4] = [(0, 3), (0, 1), (2, 1), (2, 3)];
    let Some((block, inline)) = at(&CORNERS).map(|corner| BLOCK_AND_INLINE[corner]) else { return longhand };
    let (left_or_right, top_or_bottom) = (vertical_side(block, flow), vertical_side(inline, flow));
    let corner = BLOCK_AND_INLINE.iter().position(|corner| *corner == (top_or_bottom, left_or_right));
    corner.map_or(longhand, |corner| CORNERS[corner])
}

/// Returns the side of a vertical flow (top, right, bottom, left: 0 to 3) by the one of a horizontal flow from left to
/// right.
fn vertical_side(side: usize, flow: Flow) -> usize {
    let block_start = if flow.writing_mode == WritingMode::VerticalRl { 1 } else { 3 };
    let is_upward = flow.rtl != (flow.writing_mode == WritingMode::SidewaysLr);
    let inline_start = if is_upward { 2 } else { 0 };
    match side {
        0 => block_start,
        2 => 4 - block_start,
        3 => inline_start,
        _ => 2 - inline_start,
    }
}
