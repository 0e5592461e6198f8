//! Reads lengths and functions in values.

use limner_style::ComputedStyle;
use limner_style::property::Longhand;

/// Returns a computed length in pixels.
pub(crate) fn px(style: &ComputedStyle, longhand: Longhand) -> Option<f64> {
    style.get(longhand).strip_suffix("px")?.parse().ok()
}

/// Returns the position of the first call of a function outside of strings. `name` includes the opening parenthesis and
/// is compared case-insensitively.
pub(crate) fn find_function(value: &str, name: &str) -> Option<usize> {
    let bytes = value.as_bytes();
    let starts =
        |at: usize| bytes.get(at..at + name.len()).is_some_and(|own| own.eq_ignore_ascii_case(name.as_bytes()));
    let (mut at, mut quote) = (0, None);
    while let Some(&byte) = bytes.get(at) {
        match (byte, quote) {
            (b'\\', _) => at += 1,
            (b'"' | b'\'', None) => quote = Some(byte),
            (byte, Some(open)) if byte == open => quote = None,
            (_, None) if starts(at) => return Some(at),
            _ => {}
        }
        at += 1;
    }
    None
}
