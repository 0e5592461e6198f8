//! How targets read their input.

use std::borrow::Cow;

/// Separates the fields of an input: no UTF-8 text has this byte.
pub const SEPARATOR: u8 = 0xff;

/// Parentheses inside each other that a sheet may have before it is passed over.
const MOST_NESTED: usize = 12;
/// Imports of a sheet beyond which it is passed over.
const MOST_IMPORTS: usize = 3;

/// Takes off the first byte, which chooses what is done, from the text that it is done with.
pub fn choice_and_text(data: &[u8]) -> Option<(u8, Cow<'_, str>)> {
    let (choice, text) = data.split_first()?;
    Some((*choice, String::from_utf8_lossy(text)))
}

/// Splits an input into texts.
pub fn fields(data: &[u8]) -> Vec<String> {
    data.split(|byte| *byte == SEPARATOR).map(|field| String::from_utf8_lossy(field).into_owned()).collect()
}

/// Returns true for a sheet or a selector whose cost is known to be out of bounds: selector lists nested in each other,
/// which are walked twice a level, and imports of imports.
pub fn is_known_to_be_slow(css: &str) -> bool {
    let mut depth = 0_usize;
    let mut deepest = 0;
    for byte in css.bytes() {
        match byte {
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest > MOST_NESTED || css.to_ascii_lowercase().matches("@import").count() > MOST_IMPORTS
}
