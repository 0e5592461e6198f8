//! Component values (CSS Syntax 3, section 5): the token tree of a value.

use super::number::{format_decimal, format_number, format_percentage, format_shortest};
use cssparser::{Parser, Token, serialize_identifier, serialize_name, serialize_string};
use std::fmt::Write;

/// Maximum nesting of functions and brackets in a value.
const MAX_DEPTH: u8 = 32;
/// Maximum number of component values in one value.
const MAX_COMPONENTS: usize = 20_000;

/// A component value. Names of functions and units are lower case; white space and comments are left out.
#[derive(Debug, Clone, PartialEq)]
pub enum Component {
    /// An identifier, in the case it is written in.
    Ident(Box<str>),
    /// A number without unit.
    Number {
        /// The number.
        value: f64,
        /// True if it is written without a fraction.
        integer: bool,
    },
    /// 50 for `50%`.
    Percentage(f64),
    /// A number with a unit.
    Dimension {
        /// The number.
        value: f64,
        /// Lower case.
        unit: Box<str>,
    },
    /// A quoted string, without quotes and escapes.
    String(Box<str>),
    /// The URL of an unquoted `url()`.
    Url(Box<str>),
    /// The name after the `#`.
    Hash(Box<str>),
    /// A function; a quoted `url()` is one.
    Function {
        /// Lower case.
        name: Box<str>,
        /// The components between the brackets, commas included.
        arguments: Vec<Component>,
    },
    /// A block in brackets, identified by the opening one.
    Block(char, Vec<Component>),
    /// `,`
    Comma,
    /// `/`
    Slash,
    /// Any other character that stands alone.
    Delim(char),
}

impl Component {
    /// Creates an identifier.
    pub fn ident(text: &str) -> Self {
        Self::Ident(text.into())
    }

    /// Creates a number.
    pub fn number(value: f64) -> Self {
        Self::Number { value, integer: value.fract() == 0.0 }
    }

    /// Creates a length in CSS pixels.
    pub fn px(value: f64) -> Self {
        Self::Dimension { value, unit: "px".into() }
    }

    /// Creates a function.
    pub fn function(name: &str, arguments: Vec<Self>) -> Self {
        Self::Function { name: name.into(), arguments }
    }

    /// Returns the identifier, if the component is one.
    #[inline]
    pub fn as_ident(&self) -> Option<&str> {
        match self {
            Self::Ident(name) => Some(name),
            _ => None,
        }
    }

    /// Returns true if the component is that keyword.
    #[inline]
    pub fn is_ident(&self, keyword: &str) -> bool {
        self.as_ident().is_some_and(|name| name.eq_ignore_ascii_case(keyword))
    }

    /// Returns name and arguments, if the component is a function.
    #[inline]
    pub fn as_function(&self) -> Option<(&str, &[Self])> {
        match self {
            Self::Function { name, arguments } => Some((name, arguments)),
            _ => None,
        }
    }
}

/// Parses a whole value. `None` if it contains invalid syntax (unmatched brackets, bad strings or URLs) or exceeds the
/// limits.
pub fn parse_components(text: &str) -> Option<Vec<Component>> {
    let mut parser = Parser::new(text);
    parser.set_nested_block_limit(MAX_DEPTH);
    let mut left = MAX_COMPONENTS;
    parse_list(&mut parser, &mut left)
}

fn parse_list(parser: &mut Parser<'_>, left: &mut usize) -> Option<Vec<Component>> {
    let mut list = Vec::new();
    while let Ok(token) = parser.next() {
        *left = left.checked_sub(1)?;
        let token = token.clone();
        let component = match token {
            Token::Function(name) => {
                let name = name.to_ascii_lowercase().into();
                let arguments = nested(parser, left)?;
                Component::Function { name, arguments }
            }
            Token::ParenthesisBlock => Component::Block('(', nested(parser, left)?),
            Token::SquareBracketBlock => Component::Block('[', nested(parser, left)?),
            Token::CurlyBracketBlock => Component::Block('{', nested(parser, left)?),
            other => leaf(other)?,
        };
        list.push(component);
    }
    Some(list)
}

fn nested(parser: &mut Parser<'_>, left: &mut usize) -> Option<Vec<Component>> {
    let parse = |inner: &mut Parser<'_>| {
        let list = parse_list(inner, left);
        list.ok_or_else(|| cssparser::ParseError::<()>::custom(()))
    };
    parser.parse_nested_block(parse).ok()
}

fn leaf(token: Token<'_>) -> Option<Component> {
    Some(match token {
        Token::Ident(name) => Component::Ident((&*name).into()),
        Token::Number { value, int_value, .. } => Component::Number {
            value: int_value.map_or_else(|| from_f32_exact(value), f64::from),
            integer: int_value.is_some(),
        },
        Token::Percentage { unit_value, int_value, .. } => {
            Component::Percentage(unclamped_integer(int_value).unwrap_or_else(|| widen_percentage(unit_value)))
        }
        Token::Dimension { value, int_value, unit, .. } => Component::Dimension {
            value: unclamped_integer(int_value).unwrap_or_else(|| from_f32_exact(value)),
            unit: unit.to_ascii_lowercase().into(),
        },
        Token::QuotedString(text) => Component::String((&*text).into()),
        Token::UnquotedUrl(url) => Component::Url((&*url).into()),
        Token::Hash(name) | Token::IDHash(name) => Component::Hash((&*name).into()),
        Token::Comma => Component::Comma,
        Token::Delim('/') => Component::Slash,
        Token::Delim(c) => Component::Delim(c),
        Token::Colon => Component::Delim(':'),
        Token::Semicolon => Component::Delim(';'),
        _ => return None,
    })
}

/// Returns the tokenizer's integer, unless it was clamped.
fn unclamped_integer(integer: Option<i32>) -> Option<f64> {
    integer.filter(|whole| !matches!(*whole, i32::MIN | i32::MAX)).map(f64::from)
}

/// Restores a percentage that the tokenizer divided by a hundred: the number with the fewest digits that has this
/// quotient.
fn widen_percentage(share: f32) -> f64 {
    if !share.is_finite() || share == 0.0 {
        return from_f32_exact(share);
    }
    let exact = f64::from(share) * 100.0;
    let mut short = std::iter::once(1.0).chain(POWERS).map(|power| (exact * power).round() / power);
    #[expect(clippy::cast_possible_truncation, reason = "whether it is the same after that is the question")]
    let short = short.find(|short| (short / 100.0) as f32 == share && (1e-3..1e7).contains(&exact.abs()));
    short.unwrap_or_else(|| format!("{share}e2").parse().unwrap_or(exact))
}

/// Restores the decimal number that was written from the tokenizer's single precision.
fn from_f32_exact(value: f32) -> f64 {
    if !value.is_finite() {
        return if value.is_nan() { 0.0 } else { f64::from(f32::MAX).copysign(f64::from(value)) };
    }
    if value.fract() == 0.0 && value.abs() < 1e7 {
        return f64::from(value);
    }
    // With the fewest digits that mean the same.
    let exact = f64::from(value);
    let mut short = POWERS.iter().map(|power| (exact * power).round() / power);
    #[expect(clippy::cast_possible_truncation, reason = "whether it is the same after that is the question")]
    let short = short.find(|short| *short as f32 == value && (1e-3..1e7).contains(&exact.abs()));
    short.unwrap_or_else(|| value.to_string().parse().unwrap_or(exact))
}

/// The powers of ten that are tried.
const POWERS: [f64; 6] = [1e1, 1e2, 1e3, 1e4, 1e5, 1e6];

/// Serializes component values with the white space Chromium uses.
pub fn serialize(components: &[Component]) -> String {
    let mut out = String::new();
    write_list(&mut out, components, Digits { number: format_number, percentage: format_number });
    out
}

/// Like [`serialize`], with all digits of percentages, and without exponents, which no `<integer>` has.
pub fn serialize_exact(components: &[Component]) -> String {
    let mut out = String::new();
    write_list(&mut out, components, Digits { number: format_decimal, percentage: format_percentage });
    out
}

/// Like [`serialize`], without exponents.
pub fn serialize_plain(components: &[Component]) -> String {
    let mut out = String::new();
    write_list(&mut out, components, Digits { number: format_decimal, percentage: format_decimal });
    out
}

/// Like [`serialize`], with the digits that the author wrote, as far as the tokenizer's precision allows.
pub fn serialize_authored(components: &[Component]) -> String {
    let mut out = String::new();
    write_list(&mut out, components, Digits { number: format_shortest, percentage: format_percentage });
    out
}

/// Number formats.
#[derive(Clone, Copy)]
struct Digits {
    number: fn(f64) -> String,
    percentage: fn(f64) -> String,
}

fn write_list(out: &mut String, components: &[Component], digits: Digits) {
    for (index, component) in components.iter().enumerate() {
        let after_open = index == 0;
        match component {
            Component::Comma => {
                out.push(',');
                continue;
            }
            _ if after_open => {}
            _ => out.push(' '),
        }
        write_component(out, component, digits);
    }
}

fn write_component(out: &mut String, component: &Component, digits: Digits) {
    // Writing to a String cannot fail.
    let _ = match component {
        Component::Ident(name) => serialize_identifier(name, out),
        Component::Number { value, .. } => out.write_str(&(digits.number)(*value)),
        Component::Percentage(value) => write!(out, "{}%", (digits.percentage)(*value)),
        Component::Dimension { value, unit } => {
            out.push_str(&(digits.number)(*value));
            write_unit(out, unit)
        }
        Component::String(text) => serialize_string(text, out),
        Component::Url(url) => {
            out.push_str("url(");
            let _ = serialize_string(url, out);
            out.write_char(')')
        }
        Component::Hash(name) => {
            out.push('#');
            serialize_name(name, out)
        }
        Component::Function { name, arguments } => {
            let _ = serialize_identifier(function_name(name), out);
            out.push('(');
            write_list(out, arguments, digits);
            out.write_char(')')
        }
        Component::Block(open, inner) => {
            out.push(*open);
            write_list(out, inner, digits);
            out.write_char(match open {
                '(' => ')',
                '[' => ']',
                _ => '}',
            })
        }
        Component::Comma => out.write_char(','),
        Component::Slash => out.write_char('/'),
        // Only a line feed after it prevents it from escaping the next character.
        Component::Delim('\\') => out.write_str("\\\n"),
        Component::Delim(c) => out.write_char(*c),
    };
}

/// Returns the usual spelling of a function's name: upper case for a final axis.
pub fn function_name(name: &str) -> &str {
    match name {
        "rotatex" => "rotateX",
        "rotatey" => "rotateY",
        "rotatez" => "rotateZ",
        "scalex" => "scaleX",
        "scaley" => "scaleY",
        "scalez" => "scaleZ",
        "skewx" => "skewX",
        "skewy" => "skewY",
        "translatex" => "translateX",
        "translatey" => "translateY",
        "translatez" => "translateZ",
        name => name,
    }
}

/// Writes a unit; one that would be read as an exponent begins with an escape.
fn write_unit(out: &mut String, unit: &str) -> std::fmt::Result {
    let mut characters = unit.chars();
    let exponent = characters.next().filter(|first| matches!(first, 'e' | 'E'));
    match (exponent, characters.next()) {
        (Some(first), Some('0'..='9' | '-')) => {
            write!(out, "\\{:x} ", u32::from(first))?;
            serialize_name(&unit[1..], out)
        }
        _ => serialize_identifier(unit, out),
    }
}

/// Splits at top-level commas.
pub fn split_commas(components: &[Component]) -> Vec<&[Component]> {
    components.split(|component| *component == Component::Comma).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn percentages_keep_the_written_digits() {
        for text in ["60%", "30%", "33.3333%", "104.99%", "105%", "66.6667%", "41.666667%", "-12.5%", "0.05%", "54.6%"]
        {
            let components = parse_components(text).unwrap();
            assert_eq!(serialize_authored(&components), text);
            assert_eq!(serialize_exact(&components), text);
        }
    }

    proptest! {
        #[test]
        fn numbers_keep_the_written_digits(value: f32, digits in -9_999_999_i32..9_999_999, places in 0_i32..9) {
            for value in [value, digits as f32 / 10_f32.powi(places)] {
                if value.is_finite() {
                    prop_assert_eq!(from_f32_exact(value), value.to_string().parse::<f64>().unwrap());
                    prop_assert_eq!((widen_percentage(value) / 100.0) as f32, value);
                }
            }
        }
    }
}
