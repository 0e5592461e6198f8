//! The order in which people write declarations.

use crate::css::property_names::is_or_begins;
use crate::shorthand::SIDES;

/// Returns the sort key of a property: custom properties, position, then the box from the outside in, text, painting,
/// motion.
pub(crate) fn sort_key(name: &str) -> (usize, usize, String) {
    const LEADING_PROPERTIES: &[&str] = &[
        "content",
        "position",
        "inset",
        "top",
        "right",
        "bottom",
        "left",
        "z-index",
        "float",
        "clear",
        "display",
        "visibility",
        "flex",
        "order",
        "grid",
        "align",
        "justify",
        "place",
        "row-gap",
        "column",
        "gap",
        "box-sizing",
        "width",
        "min-width",
        "max-width",
        "height",
        "min-height",
        "max-height",
        "aspect-ratio",
        "object",
        "margin",
        "padding",
        "overflow",
        "border",
        "outline",
        "box-shadow",
        "background",
        "color",
        "opacity",
        "font",
        "line-height",
        "letter-spacing",
        "text",
        "white-space",
        "word",
        "vertical-align",
        "list",
        "fill",
        "stroke",
        "filter",
        "backdrop",
        "mask",
        "transform",
        "translate",
        "rotate",
        "scale",
        "cursor",
        "pointer",
        "user-select",
        "transition",
        "animation",
    ];
    if name.starts_with("--") {
        return (0, 0, name.to_owned());
    }
    let rank = LEADING_PROPERTIES.iter().position(|prefix| is_or_begins(name, prefix));
    let side = SIDES.iter().position(|side| name.contains(side)).unwrap_or(0);
    // `border-radius` ends the borders.
    let side = if name.starts_with("border-") && name.ends_with("radius") { SIDES.len() + side } else { side };
    (1 + rank.unwrap_or(LEADING_PROPERTIES.len()), side, name.to_owned())
}
