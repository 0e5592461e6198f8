//! Colours of extracted pages: shown only if they are plain hex, with the contrast of text on them (WCAG 2.2 §1.4.3).

/// A colour with its contrast values.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Swatch {
    pub(crate) hex: String,
    pub(crate) label: String,
    pub(crate) note: String,
    /// The looks of the colour: one if it is opaque, otherwise those on white and on black.
    pub(crate) grounds: Vec<Ground>,
}

/// A colour on a background, and the text on it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Ground {
    /// The background for people; empty if the colour hides it.
    pub(crate) label: &'static str,
    /// The background.
    pub(crate) under: &'static str,
    /// Its place and width in the swatch, in percent.
    pub(crate) x: u8,
    pub(crate) width: u8,
    /// The text colour with the higher contrast: black or white.
    pub(crate) text: &'static str,
    /// Contrast of white text, such as `4.5`.
    pub(crate) white: String,
    pub(crate) black: String,
}

impl Swatch {
    /// Returns `None` unless the colour is hex: nothing else is ever drawn.
    pub(crate) fn new(hex: &str, label: impl Into<String>, note: impl Into<String>) -> Option<Self> {
        let color = Rgba::parse(hex)?;
        let grounds = if color.alpha >= 1.0 {
            vec![Ground::new(color, "", ("#ffffff", WHITE), (0, 100))]
        } else {
            let on_white = Ground::new(color, "on white: ", ("#ffffff", WHITE), (0, 50));
            vec![on_white, Ground::new(color, "on black: ", ("#000000", BLACK), (50, 50))]
        };
        Some(Self { hex: hex.to_ascii_lowercase(), label: label.into(), note: note.into(), grounds })
    }
}

impl Ground {
    fn new(color: Rgba, label: &'static str, (under, below): (&'static str, Rgba), (x, width): (u8, u8)) -> Self {
        let own = color.over(below).luminance();
        let (white, black) = (contrast(own, 1.0), contrast(own, 0.0));
        let text = if white > black { "#ffffff" } else { "#000000" };
        Self { label, under, x, width, text, white: format!("{white:.1}"), black: format!("{black:.1}") }
    }
}

/// A colour: channels and opacity from 0 to 1.
#[derive(Debug, Clone, Copy)]
struct Rgba {
    rgb: [f64; 3],
    alpha: f64,
}

const WHITE: Rgba = Rgba { rgb: [1.0; 3], alpha: 1.0 };
const BLACK: Rgba = Rgba { rgb: [0.0; 3], alpha: 1.0 };

impl Rgba {
    /// Parses `#rgb`, `#rgba`, `#rrggbb` or `#rrggbbaa`.
    fn parse(hex: &str) -> Option<Self> {
        let digits = hex.strip_prefix('#')?;
        if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        let channel = |text: &str| u8::from_str_radix(text, 16).ok().map(|byte| f64::from(byte) / 255.0);
        let short = |index: usize| channel(&digits[index..=index].repeat(2));
        let long = |index: usize| channel(&digits[2 * index..2 * index + 2]);
        let alpha = match digits.len() {
            3 | 6 => 1.0,
            4 => short(3)?,
            8 => long(3)?,
            _ => return None,
        };
        let rgb = if digits.len() < 6 { [short(0)?, short(1)?, short(2)?] } else { [long(0)?, long(1)?, long(2)?] };
        Some(Self { rgb, alpha })
    }

    /// Returns the colour over an opaque one (Compositing §5.1).
    fn over(self, below: Self) -> Self {
        let mixed = |index: usize| self.rgb[index] * self.alpha + below.rgb[index] * (1.0 - self.alpha);
        Self { rgb: [mixed(0), mixed(1), mixed(2)], alpha: 1.0 }
    }

    fn luminance(self) -> f64 {
        let linear = |value: f64| if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) };
        let [red, green, blue] = self.rgb.map(linear);
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    }
}

fn contrast(one: f64, other: f64) -> f64 {
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

/// Returns a colour in lower-case hex notation; `None` for any other text.
pub(crate) fn hex(text: &str) -> Option<String> {
    Rgba::parse(text).map(|_| text.to_ascii_lowercase())
}

/// Returns the contrast of a text colour on a background, which is on white if it is translucent.
pub(crate) fn contrast_of(text: &str, background: &str) -> Option<f64> {
    let background = Rgba::parse(background)?.over(WHITE);
    let text = Rgba::parse(text)?.over(background);
    Some(contrast(text.luminance(), background.luminance()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grounds(hex: &str) -> Vec<(&'static str, String, String, &'static str)> {
        let swatch = Swatch::new(hex, "", "").unwrap();
        swatch.grounds.into_iter().map(|ground| (ground.label, ground.white, ground.black, ground.text)).collect()
    }

    #[test]
    fn swatch_shows_its_contrast_and_a_readable_text_colour() {
        assert_eq!(grounds("#767676"), [("", "4.5".to_owned(), "4.6".to_owned(), "#000000")]);
        assert_eq!(grounds("#FFF")[0].2, "21.0");
        assert!((contrast_of("#000000", "#ffffff").unwrap() - 21.0).abs() < 0.01);
    }

    #[test]
    fn translucent_colour_is_on_white_and_on_black() {
        let of = |label, white: &str, black: &str, text| (label, white.to_owned(), black.to_owned(), text);
        let clear = [of("on white: ", "1.0", "21.0", "#000000"), of("on black: ", "21.0", "1.0", "#ffffff")];
        assert_eq!(grounds("#00000000"), clear);
        assert_eq!(grounds("#0000"), clear);
        let [tint, _] = &grounds("#5b3df51f")[..] else { panic!("two backgrounds") };
        assert_eq!((tint.0, tint.3), ("on white: ", "#000000"));
        assert!(tint.1.parse::<f64>().unwrap() < 1.5, "nearly white: {tint:?}");
        // Half of black on white is as dark as the grey that it looks like.
        let half = contrast_of("#00000080", "#ffffff").unwrap();
        assert!((half - contrast_of("#7f7f7f", "#ffffff").unwrap()).abs() < 0.01, "{half}");
    }

    #[test]
    fn colours_without_hex_notation_have_no_swatch() {
        for hex in ["red", "", "#", "#12", "#12345", "#1234567", "#ggg", "url(x)", "#fff\"/>", "javascript:1", "#ééé"]
        {
            assert_eq!(Swatch::new(hex, "", ""), None, "{hex}");
        }
        assert!(Swatch::new("#11223344", "", "").is_some());
    }
}
