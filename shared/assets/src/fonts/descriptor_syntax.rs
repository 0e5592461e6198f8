//! Parses the parts that several descriptors of `@font-face` have.

use cssparser::{BasicParseError, ParseError, Parser};

/// Names that are family names only in quotes.
const RESERVED: &[&str] = &[
    "serif",
    "sans-serif",
    "cursive",
    "fantasy",
    "monospace",
    "system-ui",
    "math",
    "inherit",
    "initial",
    "unset",
    "revert",
    "revert-layer",
    "default",
];

/// An error means that the descriptor is dropped.
pub(super) type Parsed<T> = Result<T, ParseError<()>>;

/// Parses a string, or identifiers joined by single spaces.
pub(super) fn name(input: &mut Parser<'_>) -> Result<(String, bool), BasicParseError> {
    if let Ok(quoted) = input.try_parse(|input| input.expect_string_cloned()) {
        return Ok((quoted.to_string(), true));
    }
    let mut name = input.expect_ident()?.to_string();
    let mut words = 1;
    while let Ok(word) = input.try_parse(|input| input.expect_ident_cloned()) {
        name.push(' ');
        name.push_str(&word);
        words += 1;
    }
    let is_reserved = words == 1 && RESERVED.iter().any(|word| word.eq_ignore_ascii_case(&name));
    if is_reserved { Err(BasicParseError::unexpected_token()) } else { Ok((name, false)) }
}
