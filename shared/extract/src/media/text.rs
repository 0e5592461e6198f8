//! Text of attributes and elements, as a reader would say it.

use limner_page::dom::Element;

/// Longest title kept, in characters.
const MOST_CHARACTERS: usize = 300;

/// Whitespace collapsed, cut at [`MOST_CHARACTERS`]; `None` when nothing is left.
pub(crate) fn tidy(text: &str) -> Option<String> {
    // The cut comes first, so that a title of a megabyte costs nothing.
    let near: String = text.chars().take(MOST_CHARACTERS * 4).collect();
    let joined = near.split_whitespace().collect::<Vec<_>>().join(" ");
    let tidied: String = joined.chars().take(MOST_CHARACTERS).collect();
    (!tidied.is_empty()).then_some(tidied)
}

/// The first of these attributes that says something.
pub(crate) fn first_of(element: &Element, names: &[&str]) -> Option<String> {
    names.iter().find_map(|name| tidy(element.attr(name)?))
}

/// A dimension attribute in pixels (HTML, "rules for parsing non-negative integers"; `640px` counts, `100%` does not).
pub(crate) fn pixels(value: &str) -> Option<u32> {
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
    fn dimensions() {
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
    fn titles_are_tidied_and_cut() {
        assert_eq!(tidy(" a\n  b "), Some("a b".to_owned()));
        assert_eq!(tidy(" \n"), None);
        assert_eq!(tidy(&"x".repeat(1_000_000)).map(|t| t.len()), Some(300));
    }
}
