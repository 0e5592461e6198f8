//! Sorts classes in the order in which Tailwind generates its rules. Tailwind's Prettier plugin
//! writes classes in this order.

use super::utility::Utility;
use super::variant::Rank;
use std::cmp::{Ordering, Reverse};
use std::collections::HashMap;
use std::sync::LazyLock;

/// A class with its sort keys.
#[derive(Debug)]
pub(super) struct SortableClass {
    /// The class with its variants.
    pub(super) class: String,
    rank: Rank,
    properties: Vec<usize>,
    declarations: usize,
}

impl SortableClass {
    pub(super) fn new(class: String, rank: Rank, utility: &Utility) -> Self {
        let mut properties: Vec<usize> =
            utility.properties.iter().filter_map(|name| PROPERTY_ORDER.get(&**name).copied()).collect();
        properties.sort_unstable();
        properties.dedup();
        Self { class, rank, properties, declarations: utility.properties.len() }
    }
}

impl SortableClass {
    /// Compares by variants, then by the declared properties, their number, and the name.
    pub(super) fn compare(&self, other: &Self) -> Ordering {
        let unlike = self.properties.iter().zip(&other.properties).take_while(|(a, b)| a == b).count();
        // A class whose properties are a prefix of the other's comes last.
        let next = |sorted: &Self| sorted.properties.get(unlike).copied().unwrap_or(usize::MAX);
        self.rank
            .order_key()
            .cmp(other.rank.order_key())
            .then_with(|| next(self).cmp(&next(other)))
            .then_with(|| Reverse(self.declarations).cmp(&Reverse(other.declarations)))
            .then_with(|| alphanumeric(&self.class, &other.class))
    }
}

/// Compares by characters, except that runs of digits compare as numbers.
fn alphanumeric(a: &str, b: &str) -> Ordering {
    let (mut a_rest, mut b_rest) = (a, b);
    loop {
        let (Some(x), Some(y)) = (a_rest.chars().next(), b_rest.chars().next()) else {
            return a_rest.len().cmp(&b_rest.len());
        };
        if x.is_ascii_digit() && y.is_ascii_digit() {
            let (x, y) = (digits(a_rest), digits(b_rest));
            let by_value = x.parse::<u64>().unwrap_or(u64::MAX).cmp(&y.parse::<u64>().unwrap_or(u64::MAX));
            match by_value.then_with(|| x.cmp(y)) {
                Ordering::Equal => (a_rest, b_rest) = (&a_rest[x.len()..], &b_rest[y.len()..]),
                unequal => return unequal,
            }
            continue;
        }
        match x.cmp(&y) {
            Ordering::Equal => (a_rest, b_rest) = (&a_rest[x.len_utf8()..], &b_rest[y.len_utf8()..]),
            unequal => return unequal,
        }
    }
}

fn digits(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    &text[..end]
}

static PROPERTY_ORDER: LazyLock<HashMap<&'static str, usize>> =
    LazyLock::new(|| PROPERTIES.iter().enumerate().map(|(place, name)| (*name, place)).collect());

/// The order of properties in Tailwind v4.
#[rustfmt::skip]
const PROPERTIES: &[&str] = &[
    "container-type", "pointer-events", "visibility", "position", "inset", "inset-inline", "inset-block",
    "inset-inline-start", "inset-inline-end", "inset-block-start", "inset-block-end", "top", "right", "bottom",
    "left", "isolation", "z-index", "order", "grid-column", "grid-column-start", "grid-column-end", "grid-row",
    "grid-row-start", "grid-row-end", "float", "clear", "--tw-container-component", "margin", "margin-inline",
    "margin-block", "margin-inline-start", "margin-inline-end", "margin-block-start", "margin-block-end",
    "margin-top", "margin-right", "margin-bottom", "margin-left", "box-sizing", "display", "field-sizing",
    "aspect-ratio", "height", "max-height", "min-height", "width", "max-width", "min-width", "flex", "flex-shrink",
    "flex-grow", "flex-basis", "table-layout", "caption-side", "border-collapse", "border-spacing",
    "transform-origin", "translate", "--tw-translate-x", "--tw-translate-y", "--tw-translate-z", "scale",
    "--tw-scale-x", "--tw-scale-y", "--tw-scale-z", "rotate", "--tw-rotate-x", "--tw-rotate-y", "--tw-rotate-z",
    "--tw-skew-x", "--tw-skew-y", "transform", "zoom", "animation", "cursor", "touch-action", "--tw-pan-x",
    "--tw-pan-y", "--tw-pinch-zoom", "resize", "scroll-snap-type", "--tw-scroll-snap-strictness", "scroll-snap-align",
    "scroll-snap-stop", "scroll-margin", "scroll-margin-inline", "scroll-margin-block", "scroll-margin-inline-start",
    "scroll-margin-inline-end", "scroll-margin-block-start", "scroll-margin-block-end", "scroll-margin-top",
    "scroll-margin-right", "scroll-margin-bottom", "scroll-margin-left", "scroll-padding", "scroll-padding-inline",
    "scroll-padding-block", "scroll-padding-inline-start", "scroll-padding-inline-end", "scroll-padding-block-start",
    "scroll-padding-block-end", "scroll-padding-top", "scroll-padding-right", "scroll-padding-bottom",
    "scroll-padding-left", "scrollbar-width", "scrollbar-color", "scrollbar-gutter", "list-style-position",
    "list-style-type", "list-style-image", "appearance", "columns", "break-before", "break-inside", "break-after",
    "grid-auto-columns", "grid-auto-flow", "grid-auto-rows", "grid-template-columns", "grid-template-rows",
    "flex-direction", "flex-wrap", "place-content", "place-items", "align-content", "align-items", "justify-content",
    "justify-items", "gap", "column-gap", "row-gap", "--tw-space-x-reverse", "--tw-space-y-reverse", "divide-x-width",
    "divide-y-width", "--tw-divide-y-reverse", "divide-style", "divide-color", "place-self", "align-self",
    "justify-self", "overflow", "overflow-x", "overflow-y", "overscroll-behavior", "overscroll-behavior-x",
    "overscroll-behavior-y", "scroll-behavior", "border-radius", "border-start-radius", "border-end-radius",
    "border-top-radius", "border-right-radius", "border-bottom-radius", "border-left-radius",
    "border-start-start-radius", "border-start-end-radius", "border-end-end-radius", "border-end-start-radius",
    "border-top-left-radius", "border-top-right-radius", "border-bottom-right-radius", "border-bottom-left-radius",
    "border-width", "border-inline-width", "border-block-width", "border-inline-start-width",
    "border-inline-end-width", "border-block-start-width", "border-block-end-width", "border-top-width",
    "border-right-width", "border-bottom-width", "border-left-width", "border-style", "border-inline-style",
    "border-block-style", "border-inline-start-style", "border-inline-end-style", "border-block-start-style",
    "border-block-end-style", "border-top-style", "border-right-style", "border-bottom-style", "border-left-style",
    "border-color", "border-inline-color", "border-block-color", "border-inline-start-color",
    "border-inline-end-color", "border-block-start-color", "border-block-end-color", "border-top-color",
    "border-right-color", "border-bottom-color", "border-left-color", "background-color", "background-image",
    "--tw-gradient-position", "--tw-gradient-stops", "--tw-gradient-via-stops", "--tw-gradient-from",
    "--tw-gradient-from-position", "--tw-gradient-via", "--tw-gradient-via-position", "--tw-gradient-to",
    "--tw-gradient-to-position", "mask-image", "--tw-mask-top", "--tw-mask-top-from-color",
    "--tw-mask-top-from-position", "--tw-mask-top-to-color", "--tw-mask-top-to-position", "--tw-mask-right",
    "--tw-mask-right-from-color", "--tw-mask-right-from-position", "--tw-mask-right-to-color",
    "--tw-mask-right-to-position", "--tw-mask-bottom", "--tw-mask-bottom-from-color",
    "--tw-mask-bottom-from-position", "--tw-mask-bottom-to-color", "--tw-mask-bottom-to-position", "--tw-mask-left",
    "--tw-mask-left-from-color", "--tw-mask-left-from-position", "--tw-mask-left-to-color",
    "--tw-mask-left-to-position", "--tw-mask-linear", "--tw-mask-linear-position", "--tw-mask-linear-from-color",
    "--tw-mask-linear-from-position", "--tw-mask-linear-to-color", "--tw-mask-linear-to-position", "--tw-mask-radial",
    "--tw-mask-radial-shape", "--tw-mask-radial-size", "--tw-mask-radial-position", "--tw-mask-radial-from-color",
    "--tw-mask-radial-from-position", "--tw-mask-radial-to-color", "--tw-mask-radial-to-position", "--tw-mask-conic",
    "--tw-mask-conic-position", "--tw-mask-conic-from-color", "--tw-mask-conic-from-position",
    "--tw-mask-conic-to-color", "--tw-mask-conic-to-position", "box-decoration-break", "background-size",
    "background-attachment", "background-clip", "background-position", "background-repeat", "background-origin",
    "mask-composite", "mask-mode", "mask-type", "mask-size", "mask-clip", "mask-position", "mask-repeat",
    "mask-origin", "fill", "stroke", "stroke-width", "object-fit", "object-position", "padding", "padding-inline",
    "padding-block", "padding-inline-start", "padding-inline-end", "padding-block-start", "padding-block-end",
    "padding-top", "padding-right", "padding-bottom", "padding-left", "text-align", "text-indent", "vertical-align",
    "font-family", "font-feature-settings", "font-size", "line-height", "font-weight", "letter-spacing", "text-wrap",
    "overflow-wrap", "word-break", "text-overflow", "hyphens", "white-space", "tab-size", "color", "text-transform",
    "font-style", "font-stretch", "font-variant-numeric", "text-decoration-line", "text-decoration-color",
    "text-decoration-style", "text-decoration-thickness", "text-underline-offset", "-webkit-font-smoothing",
    "placeholder-color", "caret-color", "accent-color", "color-scheme", "opacity", "background-blend-mode",
    "mix-blend-mode", "box-shadow", "--tw-shadow", "--tw-shadow-color", "--tw-ring-shadow", "--tw-ring-color",
    "--tw-inset-shadow", "--tw-inset-shadow-color", "--tw-inset-ring-shadow", "--tw-inset-ring-color",
    "--tw-ring-offset-width", "--tw-ring-offset-color", "outline", "outline-width", "outline-offset", "outline-color",
    "--tw-blur", "--tw-brightness", "--tw-contrast", "--tw-drop-shadow", "--tw-grayscale", "--tw-hue-rotate",
    "--tw-invert", "--tw-saturate", "--tw-sepia", "filter", "--tw-backdrop-blur", "--tw-backdrop-brightness",
    "--tw-backdrop-contrast", "--tw-backdrop-grayscale", "--tw-backdrop-hue-rotate", "--tw-backdrop-invert",
    "--tw-backdrop-opacity", "--tw-backdrop-saturate", "--tw-backdrop-sepia", "backdrop-filter",
    "transition-property", "transition-behavior", "transition-delay", "transition-duration",
    "transition-timing-function", "will-change", "contain", "content", "forced-color-adjust",
];
