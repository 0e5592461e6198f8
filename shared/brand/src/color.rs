//! Screen colours and their perceived distance (OKLab).

use limner_style::color::{self, Color, Scheme, Space};

/// An sRGB colour with its OKLab coordinates.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Rgba {
    /// Red, green, blue, opacity; 0 to 255.
    pub(super) rgba: [u8; 4],
    lab: [f64; 3],
}

/// Distance below which two colours look the same beside each other.
pub(super) const MIN_DISTINCT_DISTANCE: f64 = 0.02;
/// Chroma below which colours look grey; the slates of many palettes are among them.
pub(super) const GREY: f64 = 0.045;

impl Rgba {
    /// Creates a colour from red, green, blue and opacity.
    pub(super) fn new(rgba: [u8; 4]) -> Self {
        let [red, green, blue, _] = rgba;
        let lab = Color::from_rgb(red, green, blue).to_space(Space::Oklab).components();
        Self { rgba, lab: lab.map(|part| if part.is_nan() { 0.0 } else { part }) }
    }

    pub(super) fn from_rgb(rgb: [u8; 3]) -> Self {
        Self::new([rgb[0], rgb[1], rgb[2], 255])
    }

    pub(super) fn from_color(color: &Color) -> Self {
        let ([red, green, blue], alpha) = color.to_rgba();
        Self::new([red, green, blue, (alpha * 255.0).round() as u8])
    }

    /// Parses a computed or authored colour value; returns `None` if it is no colour.
    pub(super) fn parse(value: &str) -> Option<Self> {
        // Most background colours have the initial value.
        if value == TRANSPARENT {
            return Some(Self::transparent());
        }
        color::parse(value.trim(), Scheme::Light).map(|color| Self::from_color(&color))
    }

    /// Returns `#rrggbb`, or `#rrggbbaa` if translucent.
    pub(super) fn hex(self) -> String {
        let [red, green, blue, alpha] = self.rgba;
        match alpha {
            255 => format!("#{red:02x}{green:02x}{blue:02x}"),
            _ => format!("#{red:02x}{green:02x}{blue:02x}{alpha:02x}"),
        }
    }

    /// Returns the opacity from 0 (transparent) to 1.
    pub(super) fn alpha(self) -> f64 {
        f64::from(self.rgba[3]) / 255.0
    }

    /// Returns transparent black.
    pub(super) fn transparent() -> Self {
        Self { rgba: [0; 4], lab: [0.0; 3] }
    }

    /// Multiplies the opacity; returns `None` if the result is invisible.
    pub(super) fn with_opacity(mut self, opacity: f64) -> Option<Self> {
        self.rgba[3] = (f64::from(self.rgba[3]) * opacity).round() as u8;
        (self.rgba[3] > 12).then_some(self)
    }

    /// Returns the colour without transparency.
    pub(super) fn opaque(self) -> Self {
        let [red, green, blue, _] = self.rgba;
        Self { rgba: [red, green, blue, 255], ..self }
    }

    /// Composites the colour over an opaque one.
    pub(super) fn composite_over(self, background: Self) -> Self {
        if self.rgba[3] == 255 {
            return self;
        }
        let alpha = self.alpha();
        let mix = |top: u8, below: u8| (f64::from(top) * alpha + f64::from(below) * (1.0 - alpha)).round() as u8;
        let channel = |at: usize| mix(self.rgba[at], background.rgba[at]);
        Self::from_rgb([channel(0), channel(1), channel(2)])
    }

    /// Returns the OKLab lightness, 0 to 1.
    pub(super) fn lightness(self) -> f64 {
        self.lab[0]
    }

    /// Returns the OKLCh chroma, 0 (grey) to about 0.32 (sRGB's most colourful).
    pub(super) fn chroma(self) -> f64 {
        self.lab[1].hypot(self.lab[2])
    }

    /// Returns the OKLCh hue in degrees, 0 to 360.
    pub(super) fn hue(self) -> f64 {
        self.lab[2].atan2(self.lab[1]).to_degrees().rem_euclid(360.0)
    }

    pub(super) fn is_grey(self) -> bool {
        self.chroma() < GREY
    }

    /// Returns the distance in OKLab; opacity is ignored.
    pub(super) fn distance(self, other: Self) -> f64 {
        let [l, a, b] = [0, 1, 2].map(|at| self.lab[at] - other.lab[at]);
        (l * l + a * a + b * b).sqrt()
    }

    /// Returns the WCAG relative luminance, 0 to 1.
    pub(super) fn luminance(self) -> f64 {
        let linear = |channel: u8| {
            let part = f64::from(channel) / 255.0;
            if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * linear(self.rgba[0]) + 0.7152 * linear(self.rgba[1]) + 0.0722 * linear(self.rgba[2])
    }

    /// Returns the perceived brightness, 0 to 1 (luma of the gamma-encoded channels).
    pub(super) fn brightness(self) -> f64 {
        let [red, green, blue, _] = self.rgba.map(f64::from);
        (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255.0
    }

    /// Returns the WCAG 2.2 contrast ratio, 1 to 21.
    pub(super) fn contrast(self, other: Self) -> f64 {
        let (one, two) = (self.luminance(), other.luminance());
        (one.max(two) + 0.05) / (one.min(two) + 0.05)
    }
}

/// The computed value of `transparent`.
const TRANSPARENT: &str = "rgba(0, 0, 0, 0)";

pub(super) const WHITE: [u8; 3] = [255, 255, 255];

/// Returns every colour in a computed value such as a gradient, in order.
pub(super) fn colors_in(value: &str) -> Vec<Rgba> {
    limner_style::color::functions_in(value).filter_map(Rgba::parse).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contrast_and_distance_equal_their_definitions() {
        let shade = |hex: &str| Rgba::parse(hex).unwrap();
        assert!((shade("#000").contrast(shade("#fff")) - 21.0).abs() < 1e-9);
        assert!((shade("#767676").contrast(shade("#fff")) - 4.54).abs() < 0.01);
        assert!(shade("#005eb8").distance(shade("#015fb9")) < MIN_DISTINCT_DISTANCE);
        assert!(shade("#005eb8").distance(shade("#e12830")) > 0.2);
        assert!(shade("#333").is_grey() && shade("#212529").is_grey() && !shade("#1e3a5f").is_grey());
    }

    #[test]
    fn translucent_colors_composite_over_a_background() {
        let overlay = Rgba::parse("rgba(0, 0, 0, 0.5)").unwrap();
        assert_eq!(overlay.hex(), "#00000080");
        assert_eq!(overlay.composite_over(Rgba::from_rgb(WHITE)).hex(), "#7f7f7f");
        assert_eq!(overlay.opaque().hex(), "#000000");
    }

    #[test]
    fn gradient_colors_are_found() {
        for (value, expected) in [
            ("linear-gradient(90deg, rgb(255, 0, 0), rgba(0, 0, 255, 0.5) 40%)", "#ff0000 #0000ff80"),
            ("url(\"x.png\"), radial-gradient(oklch(0.7 0.1 200), rgb(1, 2, 3))", "#40b1b7 #010203"),
            ("url(\"rgb(.png\")", ""),
            ("none", ""),
        ] {
            let found: Vec<String> = colors_in(value).into_iter().map(Rgba::hex).collect();
            assert_eq!(found.join(" "), expected, "{value}");
        }
    }
}
