//! Colours of custom properties: their values, and what their names say about a brand.

use super::color::Rgba;
use super::name_tokens::{contains_any, split_words};

/// Returns the colour of a custom property. Some hold the channels of a colour only, for `rgb(var(--accent))` and the
/// like; three numbers count if the name is that of a colour, a hue with two percentages always does.
pub(super) fn variable_color(name: &str, value: &str) -> Option<Rgba> {
    const NAMES: &[&str] = &[
        "color",
        "colour",
        "colors",
        "rgb",
        "hsl",
        "background",
        "bg",
        "foreground",
        "fg",
        "surface",
        "ink",
        "text",
        "border",
        "ring",
        "muted",
        "secondary",
        "card",
    ];
    let is_color = || value.contains('%') || variable_weight(name) > 0.0 || contains_any(&split_words(name), NAMES);
    Rgba::parse(value).or_else(|| channels(value).filter(|_| is_color()))
}

/// Parses three channels without a function: `18, 18, 18`, `18 18 18`, `222 47% 11%`.
fn channels(value: &str) -> Option<Rgba> {
    let parts: Vec<&str> = value.split([',', ' ']).filter(|part| !part.is_empty()).collect();
    let [first, second, third] = parts.as_slice() else { return None };
    if second.ends_with('%') && third.ends_with('%') {
        let _: f64 = first.trim_end_matches("deg").parse().ok()?;
        return Rgba::parse(&format!("hsl({first} {second} {third})"));
    }
    let byte = |part: &str| part.parse::<u8>().ok();
    Some(Rgba::from_rgb([byte(first)?, byte(second)?, byte(third)?]))
}

/// Returns the weight of a custom property's name as evidence for a brand colour: 1 and more for brand and primary,
/// less for related names, 0 for all others.
pub(super) fn variable_weight(name: &str) -> f64 {
    let words = split_words(name);
    // A shade of a scale (`--primary-100`), and colours for use on or next to the colour, are not the colour.
    const SUBORDINATE_WORDS: &[&str] = &[
        "text",
        "foreground",
        "fg",
        "on",
        "contrast",
        "hover",
        "active",
        "focus",
        "disabled",
        "light",
        "lighter",
        "lightest",
        "dark",
        "darker",
        "darkest",
        "border",
        "shadow",
        "ring",
        "subtle",
        "muted",
        "inverse",
        "content",
        "rgb",
        "hsl",
        "bg",
        "background",
        "surface",
        "container",
        "soft",
        "faint",
        "alpha",
        "visited",
        "outline",
        "selection",
        "underline",
        "secondary",
        "danger",
        "error",
        "success",
        "warning",
        "info",
        "sidebar",
        "chart",
        "font",
        "code",
    ];
    let is_step = words
        .iter()
        .any(|word| word.len() >= 2 && word.chars().all(|c| c.is_ascii_digit()) && word != "500" && word != "600");
    if is_step || contains_any(&words, SUBORDINATE_WORDS) {
        return 0.0;
    }
    if contains_any(&words, &["brand", "primary", "corporate"]) {
        1.0
    } else if contains_any(&words, &["accent", "theme", "main", "highlight", "link", "key", "cta"]) {
        0.5
    } else {
        0.0
    }
}
