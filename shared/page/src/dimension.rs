//! Dimension attributes of HTML (<https://html.spec.whatwg.org/multipage/common-microsyntaxes.html#rules-for-parsing-dimension-values>).
//!
//! `640`, ` 640px` and `640.0` are 640 pixels, `50%` is a percentage, `.5` and `auto` are errors. HTML ignores units: `10em`
//! are ten pixels for a browser, but not the size that the author of an image stated ([`Dimension::pixels`]).

/// Units of lengths that depend on the font or the viewport.
const RELATIVE_UNITS: &[&str] = &["em", "rem", "vw", "vh"];

/// A length in pixels or a percentage, as an attribute has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dimension<'a> {
    /// The digits before the decimal point.
    whole: &'a str,
    /// All that is read, with the percent sign.
    text: &'a str,
    /// The text after it.
    ignored: &'a str,
}

impl<'a> Dimension<'a> {
    /// Parses the value of an attribute; `None` for an error.
    pub fn parse(value: &'a str) -> Option<Self> {
        let value = value.trim_ascii_start();
        let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
        let whole = digits(value);
        if whole == 0 {
            return None;
        }
        let decimals = value[whole..].strip_prefix('.').map(digits);
        let number = whole + decimals.map_or(0, |decimals| decimals + 1);
        let end = number + usize::from(value[number..].starts_with('%'));
        Some(Self { whole: &value[..whole], text: &value[..end], ignored: &value[end..] })
    }

    /// Returns true for a percentage.
    pub fn is_percentage(&self) -> bool {
        self.text.ends_with('%')
    }

    /// Returns the number of pixels or percent.
    pub fn number(&self) -> f64 {
        // Digits with or without a decimal point are a number.
        self.text.trim_end_matches('%').parse().unwrap_or_default()
    }

    /// Returns a length in whole pixels; `None` for a percentage, and for a length that its author meant in a relative unit.
    pub fn pixels(&self) -> Option<u32> {
        let is_relative = RELATIVE_UNITS.iter().any(|unit| self.ignored.starts_with(unit));
        let is_percentage = self.is_percentage() || self.ignored.trim_start().starts_with('%');
        if is_relative || is_percentage { None } else { self.whole.parse().ok() }
    }

    /// Returns the length or percentage as CSS.
    pub fn to_css(&self) -> String {
        format!("{}{}", self.number(), if self.is_percentage() { "%" } else { "px" })
    }

    /// Returns the attribute without the ignored text, and without decimals that are all zero in a length.
    pub fn to_attribute(&self) -> String {
        let has_fraction = self.text[self.whole.len()..].bytes().any(|byte| (b'1'..=b'9').contains(&byte));
        if self.is_percentage() || has_fraction { self.text } else { self.whole }.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// (attribute, as CSS, in whole pixels, as an attribute)
    #[test]
    fn dimensions_are_parsed_as_in_the_standard() {
        for (value, css, pixels, attribute) in [
            ("640", "640px", Some(640), "640"),
            (" \n640px", "640px", Some(640), "640"),
            ("640.0", "640px", Some(640), "640"),
            ("640.50", "640.5px", Some(640), "640.50"),
            ("640.", "640px", Some(640), "640"),
            ("640.px", "640px", Some(640), "640"),
            ("0", "0px", Some(0), "0"),
            ("50%", "50%", None, "50%"),
            ("33.3%", "33.3%", None, "33.3%"),
            ("50.%", "50%", None, "50.%"),
            ("50 %", "50px", None, "50"),
            ("10em", "10px", None, "10"),
            ("100vh", "100px", None, "100"),
            ("10 em", "10px", Some(10), "10"),
            ("1,200", "1px", Some(1), "1"),
            ("1e3", "1px", Some(1), "1"),
            ("007", "7px", Some(7), "007"),
        ] {
            let own = Dimension::parse(value).unwrap();
            assert_eq!((&*own.to_css(), own.pixels(), &*own.to_attribute()), (css, pixels, attribute), "{value}");
        }
        for value in ["", " ", "auto", "%", ".5", "-4", "+4", "\u{a0}4", "٤"] {
            assert_eq!(Dimension::parse(value), None, "{value}");
        }
        assert_eq!(Dimension::parse("99999999999").unwrap().pixels(), None, "no such image");
        assert_eq!(Dimension::parse("99999999999").unwrap().to_css(), "99999999999px");
    }
}
