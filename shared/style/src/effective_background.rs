//! Composites background colours down to an opaque one.

use crate::ComputedStyle;
use crate::color::{self, Color, Scheme, Space, functions_in, is_transparent};
use crate::computed::Display;
use crate::property::Longhand;
use crate::value::{parse_components, serialize_exact, split_commas};

/// A colour layer: red, green and blue from 0 to 255, and opacity from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ColorLayer {
    rgb: [f64; 3],
    alpha: f64,
}

/// The canvas colour of Chromium in a dark and in a light scheme.
const DARK_CANVAS: [f64; 3] = [18.0, 18.0, 18.0];
const LIGHT_CANVAS: [f64; 3] = [255.0; 3];
/// The luminance on which black and white text have the same contrast: `(l + 0.05) / 0.05 == 1.05 / (l + 0.05)`.
const EQUAL_CONTRAST: f64 = 0.179_13;

impl ColorLayer {
    /// Returns the background of an element as a colour. `None` if it has none, one of unknown pixels, or no box to paint
    /// it on (`display: contents`).
    pub fn from_style(style: &ComputedStyle) -> Option<Self> {
        let own = Self::from_background_color(style);
        let image = style.get(Longhand::BackgroundImage);
        if style.display() == Display::Contents
            || !image.contains("gradient(")
            || image.contains("url(")
            || style.clips_background_to_text()
        {
            return own;
        }
        Self::of_gradients(image, style.scheme())
            .into_iter()
            .rev()
            .fold(own, |below, layer| Some(below.map_or(layer, |below| layer.composite_over(below))))
    }

    /// Returns the mean colour of each layer of a computed image, the topmost first.
    fn of_gradients(image: &str, scheme: Scheme) -> Vec<Self> {
        let components = parse_components(image).unwrap_or_default();
        let layers = split_commas(&components).into_iter();
        layers.filter_map(|layer| Self::mean(&stops(&serialize_exact(layer), scheme))).collect()
    }

    /// Returns the background colour of an element, if it has one and a box to paint it on.
    pub fn from_background_color(style: &ComputedStyle) -> Option<Self> {
        let color = style.get(Longhand::BackgroundColor);
        (style.display() != Display::Contents && !is_transparent(color))
            .then(|| Self::parse(color, style.scheme()))
            .flatten()
    }

    /// Returns the canvas colour.
    pub fn canvas(scheme: Scheme) -> Self {
        Self { rgb: if scheme == Scheme::Dark { DARK_CANVAS } else { LIGHT_CANVAS }, alpha: 1.0 }
    }

    fn parse(color: &str, scheme: Scheme) -> Option<Self> {
        let (rgb, alpha) = color::parse(color, scheme)?.to_rgba();
        Some(Self { rgb: rgb.map(f64::from), alpha })
    }

    /// Returns the mean of the colours, weighted by opacity.
    fn mean(layers: &[Self]) -> Option<Self> {
        let alpha: f64 = layers.iter().map(|layer| layer.alpha).sum();
        if alpha <= 0.0 {
            return None;
        }
        let channel = |at: usize| layers.iter().map(|layer| layer.rgb[at] * layer.alpha).sum::<f64>() / alpha;
        Some(Self { rgb: [0, 1, 2].map(channel), alpha: alpha / layers.len() as f64 })
    }

    /// Returns true if nothing below shows through.
    pub fn is_opaque(self) -> bool {
        self.alpha >= 0.999
    }

    /// Returns true if the layer hides at least half of what is behind it.
    pub fn covers_half(self) -> bool {
        self.alpha >= 0.5
    }

    /// Composites the layer over another.
    pub fn composite_over(self, below: Self) -> Self {
        let alpha = self.alpha + below.alpha * (1.0 - self.alpha);
        if alpha <= 0.0 {
            return below;
        }
        let mix = |at: usize| (self.rgb[at] * self.alpha + below.rgb[at] * below.alpha * (1.0 - self.alpha)) / alpha;
        Self { rgb: [0, 1, 2].map(mix), alpha }
    }

    /// Returns the layer with another opacity.
    pub fn with_alpha(self, alpha: f64) -> Self {
        Self { alpha, ..self }
    }

    /// Returns the layer as part of an element of that opacity.
    pub fn faded(self, opacity: f64) -> Self {
        Self { alpha: self.alpha * opacity, ..self }
    }

    /// Returns true if nothing of the layer is seen.
    pub fn is_clear(self) -> bool {
        self.alpha < 0.005
    }

    /// Returns the colour in CSS notation, with its opacity.
    pub fn css_with_alpha(self) -> String {
        let [red, green, blue] = self.channels();
        format!("rgb({red} {green} {blue} / {}%)", (100.0 * self.alpha).round())
    }

    fn channels(self) -> [u8; 3] {
        self.rgb.map(|channel| channel.round().clamp(0.0, 255.0) as u8)
    }

    /// Returns the opaque colour in CSS notation.
    pub fn css(self) -> String {
        let [red, green, blue] = self.channels();
        format!("#{red:02x}{green:02x}{blue:02x}")
    }

    /// Returns true if white text has more contrast on the colour than black text (WCAG 2.2).
    pub fn is_dark(self) -> bool {
        self.luminance() < EQUAL_CONTRAST
    }

    /// Returns the relative luminance from 0 to 1 (WCAG 2.2).
    fn luminance(self) -> f64 {
        let [red, green, blue] = self.channels();
        let [_, luminance, _] = Color::from_rgb(red, green, blue).to_space(Space::XyzD65).components();
        luminance
    }
}

/// Returns the colours in a computed image.
fn stops(image: &str, scheme: Scheme) -> Vec<ColorLayer> {
    functions_in(image).filter_map(|stop| ColorLayer::parse(stop, scheme)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn translucent_layers_are_composited() {
        let layer = |color: &str| ColorLayer::parse(color, Scheme::Light).unwrap();
        let canvas = ColorLayer::canvas(Scheme::Light);
        assert_eq!(layer("rgba(0, 0, 0, 0.5)").composite_over(canvas).css(), "#808080");
        assert_eq!(layer("rgba(255, 255, 255, 0.1)").composite_over(layer("#111")).css(), "#292929");
        assert!(layer("rgba(0, 0, 0, 0.05)").composite_over(canvas).luminance() > 0.85);
        let both = stops("linear-gradient(90deg, rgb(0, 0, 0), rgb(34, 34, 34) 50%)", Scheme::Light);
        assert_eq!(ColorLayer::mean(&both).unwrap().css(), "#111111");
        assert!(ColorLayer::mean(&[]).is_none());
    }

    #[test]
    fn colours_that_white_text_is_read_on_are_dark() {
        let dark = ["#000", "#004000", "#0a66c2", "#0f7b3f", "#d0021b", "#666", "#5b21b6"];
        let light = ["#fff", "#777", "red", "#ff6600", "#ffd400", "#10b981", "#999"];
        for (colors, expected) in [(&dark, true), (&light, false)] {
            for color in colors {
                assert_eq!(ColorLayer::parse(color, Scheme::Light).unwrap().is_dark(), expected, "{color}");
            }
        }
    }

    /// A faint gleam above a dark gradient leaves it dark.
    #[test]
    fn gradients_of_an_image_are_composited() {
        let image = "radial-gradient(circle at 20% 20%, rgba(255, 255, 255, 0.1), rgba(0, 0, 0, 0) 40%), \
                     linear-gradient(rgb(16, 16, 16), rgb(32, 32, 32))";
        let layers = ColorLayer::of_gradients(image, Scheme::Light);
        assert_eq!(layers.len(), 2, "{layers:?}");
        let seen = layers[0].composite_over(layers[1]);
        assert!(seen.is_opaque() && seen.luminance() < 0.03, "{seen:?}");
    }
}
