//! Small questions about text.

use limner_style::ComputedStyle;
use limner_style::property::Longhand;

/// Whether a background shows through the letters alone, in one layer at least.
pub(crate) fn clips_text(style: &ComputedStyle) -> bool {
    style.get(Longhand::BackgroundClip).contains("text")
}

/// Most colours of one value that are looked at.
const MOST_COLORS: usize = 16;

/// The colours in a computed value such as a gradient, in order. Computed values write them as functions without nesting.
pub(crate) fn color_functions(value: &str) -> impl Iterator<Item = &str> {
    const FUNCTIONS: [&str; 7] = ["rgb(", "rgba(", "color(", "oklab(", "oklch(", "lab(", "lch("];
    let mut rest = value;
    let next = move || {
        let start = FUNCTIONS.iter().filter_map(|name| rest.find(name)).min()?;
        let end = start + rest[start..].find(')')? + 1;
        let found = &rest[start..end];
        rest = &rest[end..];
        Some(found)
    };
    std::iter::from_fn(next).take(MOST_COLORS)
}
