//! Line-breaking opportunities. The engine follows Unicode (UAX #14); Chromium has different rules for ASCII, which
//! decide how URLs, dates and fractions wrap.

use std::borrow::Cow;

/// WORD JOINER: invisible, prevents a line break.
const JOINER: char = '\u{2060}';
/// ZERO WIDTH SPACE: invisible, allows a line break.
const BREAK: char = '\u{200b}';

/// Inserts control characters where the engine would break lines differently from browsers.
pub(crate) fn with_browser_line_breaks(text: &str) -> Cow<'_, str> {
    if !text.contains(['!', '/', '|', '}', '-']) {
        return Cow::Borrowed(text);
    }
    let mut marked = String::with_capacity(text.len() + 16);
    let mut before = ' ';
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        marked.push(character);
        let after = characters.peek().copied().unwrap_or(' ');
        match character {
            '!' | '/' | '|' | '}' if after.is_ascii_alphanumeric() || after == '/' => marked.push(JOINER),
            '-' if before.is_ascii_alphanumeric() && after.is_ascii_digit() => marked.push(BREAK),
            _ => {}
        }
        before = character;
    }
    Cow::Owned(marked)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_inserted_where_chromium_differs() {
        for (text, marked) in [
            ("words alone", "words alone"),
            ("a/b", "a/\u{2060}b"),
            ("https://a.b/c", "https:/\u{2060}/\u{2060}a.b/\u{2060}c"),
            ("and / or", "and / or"),
            ("a|b}c!d", "a|\u{2060}b}\u{2060}c!\u{2060}d"),
            ("2020-12-31", "2020-\u{200b}12-\u{200b}31"),
            ("well-known -1", "well-known -1"),
        ] {
            assert_eq!(with_browser_line_breaks(text), marked, "{text}");
        }
    }
}
