//! Palette-like names for colours: a hue and a lightness step, `blue-600`.

use limner_style::color::{Color, Scheme, Space, parse};

/// Hues in OKLCH, each with the upper bound of its angle.
const HUES: &[(f64, &str)] = &[
    (12.0, "pink"),
    (38.0, "red"),
    (62.0, "orange"),
    (85.0, "amber"),
    (112.0, "yellow"),
    (136.0, "lime"),
    (164.0, "green"),
    (190.0, "teal"),
    (226.0, "cyan"),
    (246.0, "sky"),
    (274.0, "blue"),
    (290.0, "indigo"),
    (310.0, "purple"),
    (336.0, "fuchsia"),
    (361.0, "pink"),
];

/// Steps with the lower bound of their lightness in OKLCH.
const STEPS: &[(f64, u16)] = &[
    (0.965, 50),
    (0.93, 100),
    (0.88, 200),
    (0.8, 300),
    (0.7, 400),
    (0.595, 500),
    (0.53, 600),
    (0.46, 700),
    (0.4, 800),
    (0.33, 900),
    (0.0, 950),
];

/// Minimum chroma; below it a colour is grey.
const MIN_CHROMA: f64 = 0.018;

/// Returns the place of a colour among others: greys before hues, and light before dark ones; translucent colours last.
pub(crate) fn place(color: &str) -> (u32, f64) {
    let Some(color) = parse(color, Scheme::Light) else { return (u32::MAX, 0.0) };
    let [lightness, chroma, hue] = oklch(&color);
    // The first and the last hue are both pink.
    let of_hue = if chroma < MIN_CHROMA {
        0
    } else {
        1 + HUES.iter().take_while(|(end, _)| hue >= *end).count() % (HUES.len() - 1)
    };
    let bucket = u32::try_from(of_hue).unwrap_or(0) + if color.alpha() < 1.0 { 100 } else { 0 };
    // Of equal colours the more opaque comes first.
    (bucket, -lightness - color.alpha() * 1e-6)
}

fn oklch(color: &Color) -> [f64; 3] {
    color.to_space(Space::Oklch).components().map(|v| if v.is_nan() { 0.0 } else { v })
}

/// Returns `black`, `white`, `gray-200`, `blue-600`; a translucent colour has its opacity in per cent: `black-a10`.
pub(crate) fn name(hex: &str) -> String {
    let Some(color) = parse(hex, Scheme::Light) else { return "color".to_owned() };
    let [lightness, chroma, hue] = oklch(&color);
    let percent = (color.alpha() * 100.0).round();
    if percent == 0.0 {
        return "transparent".to_owned();
    }
    let step = STEPS.iter().find(|(least, _)| lightness >= *least).map_or(950, |(_, step)| *step);
    let base = match &hex[..hex.len().min(7)] {
        "#000000" => "black".to_owned(),
        "#ffffff" => "white".to_owned(),
        _ if chroma < MIN_CHROMA => format!("gray-{step}"),
        _ => {
            let hue = HUES.iter().find(|(end, _)| hue < *end).map_or("pink", |(_, name)| name);
            format!("{hue}-{step}")
        }
    };
    if percent < 100.0 { format!("{base}-a{percent}") } else { base }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_have_palette_names() {
        for (hex, expected) in [
            ("#000000", "black"),
            ("#ffffff", "white"),
            ("#0000001a", "black-a10"),
            ("#00000000", "transparent"),
            ("#808080", "gray-500"),
            ("#f8f9fa", "gray-50"),
            ("#ef4444", "red-500"),
            ("#f97316", "orange-400"),
            ("#eab308", "yellow-400"),
            ("#84cc16", "lime-400"),
            ("#22c55e", "green-400"),
            ("#14b8a6", "teal-400"),
            ("#06b6d4", "cyan-400"),
            ("#0d6efd", "blue-600"),
            ("#6366f1", "indigo-600"),
            ("#a855f7", "purple-500"),
            ("#ec4899", "pink-500"),
        ] {
            assert_eq!(name(hex), expected, "{hex}");
        }
    }
}
