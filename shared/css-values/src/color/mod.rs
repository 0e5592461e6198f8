//! Colours of every CSS syntax (Color 4 and 5): parsed to one type, converted between spaces, mixed, and serialized
//! like Chromium's computed values.

mod color_mix;
pub mod difference;
mod functions;
mod named;
mod parse;
mod spaces;
mod supported_schemes;
mod system;

pub use parse::{ColorContext, is_color, parse_component};
pub use parse::{color_from_component, functions_in, parse};
pub use spaces::Space;
pub use supported_schemes::SupportedSchemes;
pub use system::focus_ring;

use crate::value::number::format_number;
use std::fmt;

/// Returns true if a computed colour is fully transparent.
pub fn is_transparent(color: &str) -> bool {
    color == "transparent" || color.ends_with("/ 0)") || (color.starts_with("rgba(") && color.ends_with(", 0)"))
}

/// Light or dark, the two values of `color-scheme` that colours depend on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scheme {
    /// Dark text on a light background.
    #[default]
    Light,
    /// Light text on a dark background.
    Dark,
}

/// A colour: a space, three components and opacity. A missing component (`none`) is NaN.
#[derive(Debug, Clone, Copy)]
pub struct Color {
    space: Space,
    components: [f64; 3],
    alpha: f64,
}

impl PartialEq for Color {
    fn eq(&self, other: &Self) -> bool {
        let same = |a: f64, b: f64| a == b || (a.is_nan() && b.is_nan());
        self.space == other.space
            && self.components.iter().zip(other.components).all(|(a, b)| same(*a, b))
            && same(self.alpha, other.alpha)
    }
}

impl Color {
    /// `transparent`
    pub const TRANSPARENT: Self = Self { space: Space::Legacy, components: [0.0; 3], alpha: 0.0 };
    /// `black`
    pub const BLACK: Self = Self { space: Space::Legacy, components: [0.0; 3], alpha: 1.0 };

    pub(crate) fn new(space: Space, components: [f64; 3], alpha: f64) -> Self {
        Self { space, components, alpha: if alpha.is_nan() { alpha } else { alpha.clamp(0.0, 1.0) } }
    }

    /// Creates an opaque colour from sRGB channels of 0 to 255.
    pub fn from_rgb(red: u8, green: u8, blue: u8) -> Self {
        Self { space: Space::Legacy, components: [f64::from(red), f64::from(green), f64::from(blue)], alpha: 1.0 }
    }

    /// Returns the space the colour was given in.
    pub fn space(&self) -> Space {
        self.space
    }

    /// Returns the three components, in the units of the space; missing ones are NaN.
    pub fn components(&self) -> [f64; 3] {
        self.components
    }

    /// Returns the opacity from 0 to 1.
    pub fn alpha(&self) -> f64 {
        if self.alpha.is_nan() { 0.0 } else { self.alpha }
    }

    /// Returns the colour with its opacity multiplied by `share`.
    #[must_use]
    pub fn with_scaled_alpha(self, share: f64) -> Self {
        Self { alpha: self.alpha * share, ..self }
    }

    /// Converts the colour to another space; powerless components become missing.
    #[must_use]
    pub fn to_space(&self, space: Space) -> Self {
        Self { space, components: spaces::convert(self.components, self.space, space), alpha: self.alpha }
    }

    /// Returns red, green, blue (0 to 255, clipped to sRGB) and opacity (0 to 1), as shown on a screen.
    pub fn to_rgba(&self) -> ([u8; 3], f64) {
        let rgb = self.to_space(Space::Legacy).components;
        (rgb.map(|c| if c.is_nan() { 0 } else { c.round().clamp(0.0, 255.0) as u8 }), self.alpha())
    }

    /// Returns `#rrggbb`, or `#rrggbbaa` if the colour is not opaque.
    pub fn to_hex(&self) -> String {
        let ([r, g, b], alpha) = self.to_rgba();
        let opacity = (alpha * 255.0).round() as u8;
        let bytes = [r, g, b, opacity];
        let shown = if opacity == 255 { &bytes[..3] } else { &bytes };
        let digits = shown.iter().flat_map(|byte| [byte >> 4, byte & 15]);
        std::iter::once('#').chain(digits.filter_map(|digit| char::from_digit(digit.into(), 16))).collect()
    }
}

/// Serializes as `getComputedStyle` does.
impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.space == Space::Legacy {
            let ([r, g, b], alpha) = self.to_rgba();
            let opacity = (alpha * 255.0).round();
            return if opacity >= 255.0 {
                write!(f, "rgb({r}, {g}, {b})")
            } else {
                write!(f, "rgba({r}, {g}, {b}, {})", format_number(legacy_alpha(opacity)))
            };
        }
        let (name, resolved) = match self.space {
            Space::Hsl | Space::Hwb => ("color(srgb ", self.to_space(Space::Srgb)),
            other => (other.prefix(), *self),
        };
        let [a, b, c] = resolved.components.map(Channel);
        write!(f, "{name}{a} {b} {c}")?;
        if self.alpha.is_nan() || self.alpha < 1.0 {
            write!(f, " / {}", Channel(self.alpha))?;
        }
        f.write_str(")")
    }
}

struct Channel(f64);

impl fmt::Display for Channel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_nan() { f.write_str("none") } else { f.write_str(&format_number(self.0)) }
    }
}

/// Rounds to two decimals if they determine the byte, else to three (CSSOM, "serialize an alpha value").
fn legacy_alpha(byte: f64) -> f64 {
    let two = (byte / 255.0 * 100.0).round() / 100.0;
    if (two * 255.0).round() == byte { two } else { (byte / 255.0 * 1000.0).round() / 1000.0 }
}

#[cfg(test)]
mod tests;
