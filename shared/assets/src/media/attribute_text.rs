//! Normalizes texts of attributes and elements.

use limner_page::dimension::Dimension;
use limner_page::dom::Element;

/// Maximum length of a title, in characters.
const MAX_CHARACTERS: usize = 300;

/// Collapses white space of a title, and truncates it; `None` if nothing is left.
pub(crate) fn tidy(text: &str) -> Option<String> {
    tidy_within(text, MAX_CHARACTERS)
}

/// Collapses white space and truncates to a number of characters; `None` if nothing is left.
pub fn tidy_within(text: &str, max_characters: usize) -> Option<String> {
    // Truncate first, so that the cost does not depend on the length of the text.
    let near: String = text.chars().take(max_characters * 4).collect();
    let joined = near.split_whitespace().collect::<Vec<_>>().join(" ");
    let tidied: String = joined.chars().take(max_characters).collect();
    (!tidied.is_empty()).then_some(tidied)
}

/// Returns the first of these attributes with a non-empty text.
pub(crate) fn first_text_attribute(element: &Element, names: &[&str]) -> Option<String> {
    names.iter().find_map(|name| tidy(element.attr(name)?))
}

/// Returns a dimension of a medium, in whole pixels: an attribute or a metadata value. Those that do not know it say 0.
pub fn pixels(value: &str) -> Option<u32> {
    Dimension::parse(value)?.pixels().filter(|pixels| *pixels > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dimension_attributes_are_parsed() {
        for (value, expected) in [
            ("640", Some(640)),
            (" 640px ", Some(640)),
            ("640.5", Some(640)),
            ("100%", None),
            ("auto", None),
            ("0", None),
            ("640em", None),
            ("640 pixels", Some(640)),
            ("", None),
            ("-4", None),
            ("99999999999", None),
        ] {
            assert_eq!(pixels(value), expected, "{value}");
        }
    }

    #[test]
    fn titles_are_normalized_and_truncated() {
        assert_eq!(tidy(" a\n  b "), Some("a b".to_owned()));
        assert_eq!(tidy(" \n"), None);
        assert_eq!(tidy(&"x".repeat(1_000_000)).map(|t| t.len()), Some(300));
    }
}
