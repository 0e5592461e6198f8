//! Answers small questions about text in computed styles.

use limner_style::ComputedStyle;
use limner_style::property::Longhand;

/// Returns true if a background layer is clipped to the text (`background-clip: text`).
pub fn clips_text(style: &ComputedStyle) -> bool {
    style.get(Longhand::BackgroundClip).contains("text")
}

/// Maximum number of colours in one value.
const MAX_COLORS: usize = 16;

/// Returns the colours in a computed value such as a gradient, in order. Computed colours are
/// functions without nesting.
pub fn color_functions(value: &str) -> impl Iterator<Item = &str> {
    const FUNCTIONS: [&str; 7] = ["rgb(", "rgba(", "color(", "oklab(", "oklch(", "lab(", "lch("];
    let mut rest = value;
    let next = move || {
        let start = FUNCTIONS.iter().filter_map(|name| rest.find(name)).min()?;
        let end = start + rest[start..].find(')')? + 1;
        let found = &rest[start..end];
        rest = &rest[end..];
        Some(found)
    };
    std::iter::from_fn(next).take(MAX_COLORS)
}
