//! Block formatting contexts, which contain floats.

use limner_style::ComputedStyle;
use limner_style::property::Longhand;

/// Returns true if a box is a block container that establishes a block formatting context (CSS 2, section 9.4.1).
pub(crate) fn contains(style: &ComputedStyle, parent_display: &str) -> bool {
    let display = style.get(Longhand::Display);
    let is_item = matches!(parent_display, "flex" | "inline-flex" | "grid" | "inline-grid");
    match display {
        "inline-block" | "flow-root" | "table-cell" | "table-caption" => true,
        "block" | "list-item" => {
            is_item
                || style.get(Longhand::Float) != "none"
                || matches!(style.get(Longhand::Position), "absolute" | "fixed")
                || !matches!(style.get(Longhand::OverflowX), "visible" | "clip")
                || !matches!(style.get(Longhand::OverflowY), "visible" | "clip")
        }
        _ => false,
    }
}
