//! Normalizes texts of attributes and elements.

use limner_page::dom::Element;

/// Maximum length of a title, in characters.
const MAX_CHARACTERS: usize = 300;

/// Collapses white space and truncates to `MAX_CHARACTERS`; `None` if nothing is left.
pub fn tidy(text: &str) -> Option<String> {
    // Truncate first, so that the cost does not depend on the length of the text.
    let near: String = text.chars().take(MAX_CHARACTERS * 4).collect();
    let joined = near.split_whitespace().collect::<Vec<_>>().join(" ");
    let tidied: String = joined.chars().take(MAX_CHARACTERS).collect();
    (!tidied.is_empty()).then_some(tidied)
}

/// Returns the first of these attributes with a non-empty text.
pub(crate) fn first_text_attribute(element: &Element, names: &[&str]) -> Option<String> {
    names.iter().find_map(|name| tidy(element.attr(name)?))
}

/// Parses a dimension attribute in pixels (HTML, "rules for parsing non-negative integers"; `640px`
/// is accepted, `100%` is not).
pub fn pixels(value: &str) -> Option<u32> {
    let value = value.trim();
    let digits = value.find(|c: char| !c.is_ascii_digit()).unwrap_or(value.len());
    let rest = value[digits..].trim_start_matches(|c: char| c == '.' || c.is_ascii_digit()).trim();
    let plain = rest.is_empty() || rest.eq_ignore_ascii_case("px");
    let number: u32 = value[..digits].parse().ok()?;
    (plain && number > 0).then_some(number)
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
