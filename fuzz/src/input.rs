//! How targets read their input.

use std::borrow::Cow;

/// Separates the fields of an input: no UTF-8 text has this byte.
pub const SEPARATOR: u8 = 0xff;

/// Takes off the first byte, which chooses what is done, from the text that it is done with.
pub fn choice_and_text(data: &[u8]) -> Option<(u8, Cow<'_, str>)> {
    let (choice, text) = data.split_first()?;
    Some((*choice, String::from_utf8_lossy(text)))
}

/// Splits an input into texts.
pub fn fields(data: &[u8]) -> Vec<String> {
    data.split(|byte| *byte == SEPARATOR).map(|field| String::from_utf8_lossy(field).into_owned()).collect()
}
