//! Orders painting roughly, by `z-index` (<https://drafts.csswg.org/css2/#z-index>).

use limner_style::ComputedStyle;
use limner_style::property::Longhand;

/// Returns the levels by which an element's `z-index` raises it.
pub(super) fn raise(style: &ComputedStyle) -> i32 {
    let index: i32 = style.get(Longhand::ZIndex).parse().unwrap_or(0);
    if style.is_positioned() { 1 + index.signum() } else { 0 }
}
