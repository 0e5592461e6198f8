//! Value quirks of quirks mode: colours without hash, lengths without unit (Quirks Mode, "the hashless hex color quirk"
//! and "the unitless length quirk").

use crate::value::component::Component;
use limner_page::dom::QuirksMode;

/// A value quirk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Quirk {
    /// `color: ff0000`
    HashlessColor,
    /// `width: 100`
    UnitlessLength,
}

/// Properties with unitless lengths in Chromium: the specification lacks the positions of masks.
const UNITLESS: &[&str] = &[
    "-webkit-mask-position",
    "background-position",
    "border-bottom-width",
    "border-left-width",
    "border-right-width",
    "border-spacing",
    "border-top-width",
    "border-width",
    "bottom",
    "clip",
    "font-size",
    "height",
    "left",
    "letter-spacing",
    "margin",
    "margin-bottom",
    "margin-left",
    "margin-right",
    "margin-top",
    "mask-position",
    "max-height",
    "max-width",
    "min-height",
    "min-width",
    "padding",
    "padding-bottom",
    "padding-left",
    "padding-right",
    "padding-top",
    "right",
    "text-indent",
    "top",
    "vertical-align",
    "width",
    "word-spacing",
];

const HASHLESS: &[&str] = &[
    "background-color",
    "border-bottom-color",
    "border-color",
    "border-left-color",
    "border-right-color",
    "border-top-color",
    "color",
];

impl Quirk {
    /// Returns the quirk that applies to declarations of a name, in lower case, on a page in this mode.
    pub fn for_property(name: &str, mode: QuirksMode) -> Option<Self> {
        if mode != QuirksMode::Quirks {
            return None;
        }
        let is_in = |names: &[&str]| names.binary_search(&name).is_ok();
        let length = is_in(UNITLESS).then_some(Self::UnitlessLength);
        length.or_else(|| is_in(HASHLESS).then_some(Self::HashlessColor))
    }

    /// Completes the components of a value whose source text is `text`.
    pub(crate) fn complete(self, components: &mut [Component], text: &str) {
        /// One for each side of a border.
        const MAX_COLORS: usize = 4;
        if self == Self::HashlessColor && components.len() > MAX_COLORS {
            return;
        }
        for component in components {
            match (self, &mut *component) {
                (Self::UnitlessLength, Component::Number { value, .. }) => *component = Component::px(*value),
                (Self::UnitlessLength, Component::Function { name, arguments }) if &**name == "rect" => {
                    self.complete(arguments, text);
                }
                (Self::HashlessColor, _) => {
                    if let Some(digits) = digits(component, text) {
                        *component = Component::Hash(digits.into());
                    }
                }
                _ => {}
            }
        }
    }
}

/// Returns the digits of a colour without its hash. Restores leading zeros if the tokenizer read a number.
fn digits(component: &Component, text: &str) -> Option<String> {
    let are_digits = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    match component {
        Component::Ident(name) if matches!(name.len(), 3 | 6) && are_digits(name) => Some(name.to_string()),
        Component::Number { value, integer: true } if (0.0..1e6).contains(value) => Some(format!("{value:06}")),
        Component::Dimension { value, unit } if *value >= 0.0 && are_digits(unit) => {
            let written = format!("{value}{unit}");
            // Two digits around an `e` are a power of ten to the tokenizer, and no colour to browsers.
            let is_as_written = written.len() <= 6 && text.to_ascii_lowercase().contains(&written);
            is_as_written.then(|| format!("{written:0>6}"))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::{parse_components, serialize};

    fn completed(name: &str, text: &str) -> String {
        let mut components = parse_components(text).unwrap();
        Quirk::for_property(name, QuirksMode::Quirks).unwrap().complete(&mut components, text);
        serialize(&components)
    }

    #[test]
    fn tables_are_sorted() {
        assert!(UNITLESS.is_sorted() && HASHLESS.is_sorted());
    }

    #[test]
    fn hashless_colours_are_completed() {
        for (text, expected) in [
            ("ff0000", "#ff0000"),
            ("FFF", "#FFF"),
            ("000080", "#000080"),
            ("123", "#000123"),
            ("0f0", "#0000f0"),
            ("12ab", "#0012ab"),
            ("00FF00 fff", "#00ff00 #fff"),
            ("abcd", "abcd"),
            ("red", "red"),
            ("1234567", "1.23457e+06"),
            ("2e2e2e", r"200\65 2e"),
            ("1.5", "1.5"),
            ("-123", "-123"),
        ] {
            assert_eq!(completed("border-color", text), expected, "{text}");
        }
    }

    #[test]
    fn unitless_lengths_are_completed() {
        for (name, text, expected) in [
            ("margin", "7 -8.5 auto 1e2", "7px -8.5px auto 100px"),
            ("clip", "rect(1, 2, auto, 4)", "rect(1px, 2px, auto, 4px)"),
            ("width", "calc(7)", "calc(7)"),
        ] {
            assert_eq!(completed(name, text), expected, "{text}");
        }
    }

    #[test]
    fn quirks_apply_to_listed_properties_in_quirks_mode_only() {
        assert_eq!(Quirk::for_property("width", QuirksMode::LimitedQuirks), None);
        assert_eq!(Quirk::for_property("color", QuirksMode::NoQuirks), None);
        for name in ["background", "border", "font", "line-height", "margin-inline-start", "outline-color"] {
            assert_eq!(Quirk::for_property(name, QuirksMode::Quirks), None, "{name}");
        }
    }
}
