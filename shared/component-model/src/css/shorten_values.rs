//! Shortens values: `#FFFFFF` and `rgba(255, 255, 255, 1)` → `#fff`, `0px` → `0`.

use super::keywords::is_reserved_family;
use super::split_list::split_commas;
use cssparser::{ParseError, Parser, Token};
use std::borrow::Cow;

/// Maximum nesting of functions that are shortened.
const MAX_DEPTH: u32 = 8;
/// Properties in which a unitless zero differs from a zero length, at least in some browsers.
const LENGTHS: &[&str] = &["flex", "tab-size", "line-height"];
/// Functions that accept zero lengths without a unit. In math functions, zero would be a number.
const PLAIN: &[&str] = &["translate", "translatex", "translatey", "translate3d", "minmax", "drop-shadow", "inset"];

/// Returns the shortened value of a property.
pub(crate) fn tidied<'v>(name: &str, value: &'v str) -> Cow<'v, str> {
    match name {
        "font-family" => return font_families(value),
        "src" if value.contains(")format(") => return Cow::Owned(value.replace(")format(", ") format(")),
        _ => {}
    }
    let may_be_longer = value.contains('#') || value.contains("rgb") || value.contains('0');
    if !may_be_longer || name.starts_with("--") || name == "content" || name == "src" {
        return Cow::Borrowed(value);
    }
    shortened(value, !LENGTHS.contains(&name))
}

/// Returns the value of a custom property with shorter colours. A zero keeps its unit, which a `calc()` may need.
pub fn tidied_variable(value: &str) -> Cow<'_, str> {
    shortened(value, false)
}

/// Returns a list of families with names of several words in quotes, and names of one word without.
fn font_families(value: &str) -> Cow<'_, str> {
    let is_word = |word: &str| {
        word.starts_with(|c: char| c.is_ascii_alphabetic())
            && word.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
    };
    let family = |name: &str| {
        let quoted = ['"', '\''].into_iter().find_map(|quote| name.strip_prefix(quote)?.strip_suffix(quote));
        match quoted {
            Some(word) if is_word(word) && !word.starts_with("ui-") && !is_reserved_family(word) => word.to_owned(),
            Some(words) if !words.contains('"') => format!("\"{words}\""),
            None if name.contains(' ') && name.split(' ').all(is_word) => format!("\"{name}\""),
            _ => name.to_owned(),
        }
    };
    if value.contains(['(', '\\']) {
        return Cow::Borrowed(value);
    }
    Cow::Owned(split_commas(value).into_iter().map(family).collect::<Vec<_>>().join(", "))
}

fn shortened(value: &str, zeros: bool) -> Cow<'_, str> {
    let mut writer = ValueWriter { out: String::with_capacity(value.len()), zeros };
    match writer.write_tokens(&mut Parser::new(value), MAX_DEPTH) {
        Ok(()) => Cow::Owned(writer.out),
        Err(_) => Cow::Borrowed(value),
    }
}

struct ValueWriter {
    out: String,
    /// Omit the unit of zero lengths.
    zeros: bool,
}

impl ValueWriter {
    fn write_tokens(&mut self, parser: &mut Parser<'_>, depth: u32) -> Result<(), ParseError<()>> {
        loop {
            let start = parser.position();
            let Ok(token) = parser.next_including_whitespace_and_comments().cloned() else { return Ok(()) };
            match &token {
                Token::Hash(digits) | Token::IDHash(digits) if let Some(hex) = short_hex(digits) => {
                    self.out.push_str(&hex);
                }
                Token::Dimension { value: 0.0, unit, .. } if self.zeros && is_length(unit) => self.out.push('0'),
                Token::Function(name) if name.eq_ignore_ascii_case("rgb") || name.eq_ignore_ascii_case("rgba") => {
                    match parser.try_parse(|parser| parser.parse_nested_block(opaque)) {
                        Ok(hex) => self.out.push_str(&hex),
                        Err(_) => self.write_block(parser, start, ")", depth, false)?,
                    }
                }
                Token::Function(name) => {
                    let zeros = PLAIN.iter().any(|plain| name.eq_ignore_ascii_case(plain));
                    self.write_block(parser, start, ")", depth, zeros)?;
                }
                Token::ParenthesisBlock => self.write_block(parser, start, ")", depth, false)?,
                Token::SquareBracketBlock => self.write_block(parser, start, "]", depth, false)?,
                Token::CurlyBracketBlock => self.write_block(parser, start, "}", depth, false)?,
                _ => self.out.push_str(parser.slice_from(start)),
            }
        }
    }

    /// Writes the contents of brackets whose opening bracket has been read.
    fn write_block(
        &mut self,
        parser: &mut Parser<'_>,
        start: cssparser::SourcePosition,
        close: &str,
        depth: u32,
        zeros: bool,
    ) -> Result<(), ParseError<()>> {
        if depth == 0 {
            return Err(ParseError::custom(()));
        }
        self.out.push_str(parser.slice_from(start));
        let around = self.zeros;
        self.zeros &= zeros;
        let inside = parser.parse_nested_block(|parser| self.write_tokens(parser, depth - 1));
        self.zeros = around;
        self.out.push_str(close);
        inside
    }
}

fn is_length(unit: &str) -> bool {
    ["px", "em", "rem", "ex", "ch", "vw", "vh", "pt", "cm", "mm", "in", "pc"]
        .iter()
        .any(|own| unit.eq_ignore_ascii_case(own))
}

/// Shortens a hexadecimal colour: `ffffff` → `#fff`. `None` if these are not the digits of a
/// colour.
fn short_hex(digits: &str) -> Option<String> {
    let is_color = matches!(digits.len(), 3 | 4 | 6 | 8) && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    if !is_color {
        return None;
    }
    let lower = digits.to_ascii_lowercase();
    let solid = match lower.len() {
        4 => lower.strip_suffix('f').unwrap_or(&lower),
        8 => lower.strip_suffix("ff").unwrap_or(&lower),
        _ => &lower,
    };
    if matches!(solid, "0000" | "00000000") {
        return Some("transparent".to_owned());
    }
    let pairs = solid.as_bytes().chunks(2);
    let is_double = solid.len() > 4 && pairs.clone().all(|pair| pair[0] == pair[1]);
    let short = pairs.map(|pair| char::from(pair[0]));
    Some(if is_double { std::iter::once('#').chain(short).collect() } else { format!("#{solid}") })
}

/// Parses the arguments of `rgb()` into hexadecimal digits. Fails unless the colour is opaque.
fn opaque(parser: &mut Parser<'_>) -> Result<String, ParseError<()>> {
    let mut hex = String::new();
    for at in 0..3 {
        if at > 0 {
            let _ = parser.try_parse(Parser::expect_comma);
        }
        let channel = u8::try_from(parser.expect_integer()?).map_err(|_| ParseError::custom(()))?;
        hex.push_str(&format!("{channel:02x}"));
    }
    if parser.try_parse(Parser::expect_comma).is_ok() || parser.try_parse(|parser| parser.expect_delim('/')).is_ok() {
        let is_opaque = match parser.next()? {
            Token::Number { value, .. } => *value >= 1.0,
            Token::Percentage { unit_value, .. } => *unit_value >= 1.0,
            _ => false,
        };
        if !is_opaque {
            return Err(ParseError::custom(()));
        }
    }
    parser.expect_exhausted()?;
    short_hex(&hex).ok_or_else(|| ParseError::custom(()))
}

#[cfg(test)]
mod tests {
    use super::tidied;

    #[test]
    fn values_are_shortened() {
        for (name, value, expected) in [
            ("color", "#FFFFFF", "#fff"),
            ("color", "#AABBCC80", "#aabbcc80"),
            ("color", "#11223344", "#1234"),
            ("color", "#abcdefff", "#abcdef"),
            ("color", "#fffF", "#fff"),
            ("color", "#0000", "transparent"),
            ("background", "linear-gradient(#00000000, #000F)", "linear-gradient(transparent, #000)"),
            ("color", "rgba(13, 110, 253, 1)", "#0d6efd"),
            ("color", "rgb(255 255 255 / 100%)", "#fff"),
            ("color", "rgba(0, 0, 0, .5)", "rgba(0, 0, 0, .5)"),
            ("color", "rgb(10%, 0%, 0%)", "rgb(10%, 0%, 0%)"),
            ("color", "rgb(300, 0, 0)", "rgb(300, 0, 0)"),
            ("background", "linear-gradient(#FFF 0px, rgba(0,0,0,1))", "linear-gradient(#fff 0px, #000)"),
            ("margin", "0px 0em 1.50px 0rem", "0 0 1.50px 0"),
            ("margin", "calc(0px + 10%) 0px", "calc(0px + 10%) 0"),
            ("width", "max(0px, 10vw - (0px))", "max(0px, 10vw - (0px))"),
            ("transform", "translate(0px, 10px) rotate(0deg)", "translate(0, 10px) rotate(0deg)"),
            ("flex", "1 1 0px", "1 1 0px"),
            ("transition", "color 0s", "color 0s"),
            ("grid-template-columns", "minmax(0px, 1fr) [a] 10px", "minmax(0, 1fr) [a] 10px"),
            ("background", "url(#FFFFFF) 0px", "url(#FFFFFF) 0"),
            ("background", "url(\"#FFFFFF\")", "url(\"#FFFFFF\")"),
            ("content", "\"#FFFFFF\"", "\"#FFFFFF\""),
            ("--x", "#FFFFFF", "#FFFFFF"),
            ("font", "0px/1 \"0px\"", "0/1 \"0px\""),
            (
                "font-family",
                "\"Lato\", Helvetica Neue, \"Segoe UI\", serif",
                "Lato, \"Helvetica Neue\", \"Segoe UI\", serif",
            ),
            ("font-family", "\"serif\", \"4 Sans\", var(--a)", "\"serif\", \"4 Sans\", var(--a)"),
            ("font-family", "'Lato', 'Segoe UI', 'serif'", "Lato, \"Segoe UI\", \"serif\""),
            ("src", "url(a.woff2)format(\"woff2\")", "url(a.woff2) format(\"woff2\")"),
            ("font-family", "\"serif\", \"4sans\", \"Inherit\"", "\"serif\", \"4sans\", \"Inherit\""),
        ] {
            assert_eq!(tidied(name, value), expected, "{name}: {value}");
        }
    }

    #[test]
    fn deeply_nested_values_are_unchanged() {
        let deep = format!("{}#FFFFFF{}", "a(".repeat(5_000), ")".repeat(5_000));
        assert_eq!(tidied("color", &deep), deep);
    }
}
