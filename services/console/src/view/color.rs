//! Colours of extracted pages: shown only if they are plain hex, with the contrast of text on them (WCAG 2.2 §1.4.3).

/// A colour with its contrast values.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Swatch {
    pub(crate) hex: String,
    pub(crate) label: String,
    pub(crate) note: String,
    /// Contrast with white, such as `4.5`.
    pub(crate) on_white: String,
    pub(crate) on_black: String,
    /// The text colour with the higher contrast: black or white.
    pub(crate) text: &'static str,
}

impl Swatch {
    /// Returns `None` unless the colour is hex: nothing else is ever drawn.
    pub(crate) fn new(hex: &str, label: impl Into<String>, note: impl Into<String>) -> Option<Self> {
        let [red, green, blue] = parse(hex)?;
        let own = luminance([red, green, blue]);
        let (white, black) = (contrast(own, 1.0), contrast(own, 0.0));
        Some(Self {
            hex: hex.to_ascii_lowercase(),
            label: label.into(),
            note: note.into(),
            on_white: format!("{white:.1}"),
            on_black: format!("{black:.1}"),
            text: if white > black { "#ffffff" } else { "#000000" },
        })
    }
}

/// Parses `#rgb`, `#rrggbb` or `#rrggbbaa`; alpha is ignored.
fn parse(hex: &str) -> Option<[u8; 3]> {
    let digits = hex.strip_prefix('#')?;
    if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let channel = |text: &str| u8::from_str_radix(text, 16).ok();
    match digits.len() {
        3 => {
            let double = |index: usize| channel(&digits[index..=index].repeat(2));
            Some([double(0)?, double(1)?, double(2)?])
        }
        6 | 8 => Some([channel(&digits[0..2])?, channel(&digits[2..4])?, channel(&digits[4..6])?]),
        _ => None,
    }
}

fn luminance(rgb: [u8; 3]) -> f64 {
    let linear = |channel: u8| {
        let value = f64::from(channel) / 255.0;
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    let [red, green, blue] = rgb.map(linear);
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}

fn contrast(one: f64, other: f64) -> f64 {
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

/// Returns the contrast of two hex colours.
pub(crate) fn contrast_of(one: &str, other: &str) -> Option<f64> {
    Some(contrast(luminance(parse(one)?), luminance(parse(other)?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn swatch_shows_its_contrast_and_a_readable_text_colour() {
        let grey = Swatch::new("#767676", "", "").unwrap();
        assert_eq!((grey.on_white.as_str(), grey.on_black.as_str(), grey.text), ("4.5", "4.6", "#000000"));
        assert_eq!(Swatch::new("#FFF", "", "").unwrap().on_black, "21.0");
        assert!((contrast_of("#000000", "#ffffff").unwrap() - 21.0).abs() < 0.01);
    }

    #[test]
    fn only_hex_is_a_colour() {
        for hex in ["red", "", "#", "#12", "#12345", "#1234567", "#ggg", "url(x)", "#fff\"/>", "javascript:1", "#ééé"]
        {
            assert_eq!(Swatch::new(hex, "", ""), None, "{hex}");
        }
        assert!(Swatch::new("#11223344", "", "").is_some());
    }
}
