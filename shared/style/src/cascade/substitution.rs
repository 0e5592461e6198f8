//! Value templates: values with `var()` and `env()` (Custom Properties 1, section 3), parsed once and filled in often.

use cssparser::{Parser, SourcePosition, Token};
use std::sync::Arc;

/// Maximum length of a value after substitution, in bytes.
const MAX_BYTES: usize = 64 * 1024;
/// Maximum number of substitutions in one value.
const MAX_SUBSTITUTIONS: usize = 4_096;

/// The safe-area insets of a screen without notches.
const NO_INSET: &str = "0px";

/// A parsed value with its references.
#[derive(Debug, Clone, Default)]
pub struct ValueTemplate<'t> {
    pieces: Vec<TemplatePart<'t>>,
}

#[derive(Debug, Clone)]
enum TemplatePart<'t> {
    Text(&'t str),
    Variable {
        name: Box<str>,
        fallback: Option<ValueTemplate<'t>>,
    },
    /// `env()`, with its known value or the fallback.
    Environment(ValueTemplate<'t>),
    /// A comment, which separates the tokens before and after it.
    Comment,
    /// Invalid syntax: the value is invalid if this piece is filled in.
    Invalid,
}

pub(super) type Lookup<'l> = &'l mut dyn FnMut(&str) -> Option<Arc<str>>;

impl<'t> ValueTemplate<'t> {
    /// Parses a value.
    pub fn new(text: &'t str) -> Self {
        if is_plain(text) {
            return Self { pieces: vec![TemplatePart::Text(text)] };
        }
        let mut pieces = Vec::new();
        // An error is recorded as a piece.
        let _ = parse_parts(&mut Parser::new(text), &mut pieces);
        Self { pieces }
    }

    /// Returns true if the value is a single reference, so that it equals the referenced value.
    pub(super) fn is_reference(&self) -> bool {
        matches!(self.pieces.as_slice(), [TemplatePart::Variable { .. }])
    }

    /// Returns the value with every `var()` replaced by the result of `lookup` or by its fallback, and every `env()` by
    /// its value. `None` if that makes the value invalid or too long.
    pub fn fill(&self, lookup: Lookup<'_>) -> Option<Arc<str>> {
        // Most references are the whole value, which then need not be copied.
        if let [TemplatePart::Variable { name, fallback }] = self.pieces.as_slice() {
            let value = lookup(name).or_else(|| fallback.as_ref()?.fill(lookup))?;
            let trimmed = value.trim();
            let whole = if trimmed.len() == value.len() { value } else { Arc::from(trimmed) };
            return (whole.len() <= MAX_BYTES).then_some(whole);
        }
        let mut output = SubstitutionBuffer { bytes_left: MAX_SUBSTITUTIONS, ..SubstitutionBuffer::default() };
        self.fill_into(&mut output, lookup)?;
        Some(output.text.into())
    }

    fn fill_into(&self, output: &mut SubstitutionBuffer, lookup: Lookup<'_>) -> Option<()> {
        for piece in &self.pieces {
            match piece {
                TemplatePart::Text(text) => output.push(text)?,
                TemplatePart::Comment => output.ends_token = true,
                TemplatePart::Invalid => return None,
                TemplatePart::Environment(template) => output.push_filled(template, lookup)?,
                TemplatePart::Variable { name, fallback } => match (lookup(name), fallback) {
                    (Some(value), _) => output.push_value(value.trim())?,
                    (None, Some(fallback)) => output.push_filled(fallback, lookup)?,
                    (None, None) => return None,
                },
            }
        }
        Some(())
    }
}

#[derive(Default)]
struct SubstitutionBuffer {
    text: String,
    /// True if a token ended at the end of the text, whatever follows.
    ends_token: bool,
    bytes_left: usize,
}

impl SubstitutionBuffer {
    /// Appends a text, separated by a comment if a token has ended that it would join.
    fn push(&mut self, text: &str) -> Option<()> {
        if text.is_empty() {
            return Some(());
        }
        let separator = if self.ends_token && would_join_tokens(&self.text, text) { "/**/" } else { "" };
        self.ends_token = false;
        if self.text.len() + separator.len() + text.len() > MAX_BYTES {
            return None;
        }
        self.text.push_str(separator);
        self.text.push_str(text);
        Some(())
    }

    /// Appends a substituted value, whose tokens must not join with their neighbours.
    fn push_value(&mut self, text: &str) -> Option<()> {
        self.bytes_left = self.bytes_left.checked_sub(1)?;
        self.ends_token = true;
        self.push(text)?;
        self.ends_token = true;
        Some(())
    }

    fn push_filled(&mut self, template: &ValueTemplate<'_>, lookup: Lookup<'_>) -> Option<()> {
        let mut inner = Self { bytes_left: self.bytes_left, ..Self::default() };
        template.fill_into(&mut inner, lookup)?;
        self.bytes_left = inner.bytes_left;
        self.push_value(inner.text.trim())
    }
}

/// Returns true if the last token of one text and the first of the next might be parsed as one (Syntax 3, section 9).
fn would_join_tokens(before: &str, after: &str) -> bool {
    let is_of_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '\\') || !c.is_ascii();
    let ends = before.ends_with(|c: char| is_of_name(c) || matches!(c, '%' | '#' | '.' | '+' | '@' | '/'));
    ends && after.starts_with(|c: char| is_of_name(c) || matches!(c, '%' | '.' | '+' | '(' | '*'))
}

/// Returns true if a value contains references to replace.
pub(super) fn has_functions(text: &str) -> bool {
    let bytes = text.as_bytes();
    let has = |name: &[u8]| bytes.windows(name.len()).any(|window| window.eq_ignore_ascii_case(name));
    bytes.contains(&b'(') && (has(b"var(") || has(b"env(") || has(b"attr("))
}

/// Returns true if a value is certainly one piece of text: nothing to replace, to close or to leave out.
fn is_plain(text: &str) -> bool {
    !text.bytes().any(|byte| matches!(byte, b'(' | b'[' | b'{')) && !text.contains("/*")
}

/// The value is invalid from here on.
#[derive(Debug)]
struct Invalid;

/// Adds the pieces up to the end of the block.
fn parse_parts<'t>(input: &mut Parser<'t>, pieces: &mut Vec<TemplatePart<'t>>) -> Result<(), Invalid> {
    let mut text = TokenRun { start: input.position() };
    loop {
        let start = input.position();
        let token = input.next_including_whitespace_and_comments();
        let (close, function) = match token {
            Err(_) => {
                text.end(input, start, pieces);
                return Ok(());
            }
            Ok(Token::Comment(_)) => {
                text.end(input, start, pieces);
                pieces.push(TemplatePart::Comment);
                text.start = input.position();
                continue;
            }
            Ok(Token::Function(name)) if name.eq_ignore_ascii_case("var") => (")", Some(variable as PartReader<'t>)),
            Ok(Token::Function(name)) if name.eq_ignore_ascii_case("env") => (")", Some(environment as PartReader<'t>)),
            Ok(Token::Function(_) | Token::ParenthesisBlock) => (")", None),
            Ok(Token::SquareBracketBlock) => ("]", None),
            Ok(Token::CurlyBracketBlock) => ("}", None),
            Ok(_) => continue,
        };
        let opened = input.position();
        let end = if function.is_some() { start } else { opened };
        text.end(input, end, pieces);
        let read = |inner: &mut Parser<'t>| {
            let done = match function {
                Some(read) => read(inner).map(|piece| pieces.push(piece)),
                None => parse_parts(inner, pieces).map(|()| pieces.push(TemplatePart::Text(close))),
            };
            done.map_err(|Invalid| cssparser::ParseError::<()>::custom(()))
        };
        if input.parse_nested_block(read).is_err() {
            pieces.push(TemplatePart::Invalid);
            return Err(Invalid);
        }
        text.start = input.position();
    }
}

/// A run of tokens that is copied verbatim.
struct TokenRun {
    start: SourcePosition,
}

impl TokenRun {
    fn end<'t>(&self, input: &Parser<'t>, end: SourcePosition, pieces: &mut Vec<TemplatePart<'t>>) {
        let text = input.slice(self.start..end);
        if !text.is_empty() {
            pieces.push(TemplatePart::Text(text));
        }
    }
}

type PartReader<'t> = fn(&mut Parser<'t>) -> Result<TemplatePart<'t>, Invalid>;

/// `var(--name, fallback)`
fn variable<'t>(input: &mut Parser<'t>) -> Result<TemplatePart<'t>, Invalid> {
    let name = input.expect_ident().map_err(|_| Invalid)?;
    let name = Some(&**name).filter(|name| name.starts_with("--")).ok_or(Invalid)?.into();
    let has_fallback = input.try_parse(|input| input.expect_comma()).is_ok();
    if !has_fallback && !input.is_exhausted() {
        return Err(Invalid);
    }
    Ok(TemplatePart::Variable { name, fallback: has_fallback.then(|| fallback(input)) })
}

/// Parses `env(name, fallback)`: the insets are zero, other names are unknown.
fn environment<'t>(input: &mut Parser<'t>) -> Result<TemplatePart<'t>, Invalid> {
    let name = input.expect_ident().map_err(|_| Invalid)?.to_ascii_lowercase();
    while input.try_parse(|input| input.expect_integer()).is_ok() {}
    let has_fallback = input.try_parse(|input| input.expect_comma()).is_ok();
    let known = name.starts_with("safe-area-inset-")
        || name.starts_with("safe-area-max-inset-")
        || name == "keyboard-inset-height";
    if known {
        skip(input);
        return Ok(TemplatePart::Environment(ValueTemplate { pieces: vec![TemplatePart::Text(NO_INSET)] }));
    }
    if has_fallback { Ok(TemplatePart::Environment(fallback(input))) } else { Err(Invalid) }
}

/// Parses the fallback. If it is invalid, that matters only when it is used.
fn fallback<'t>(input: &mut Parser<'t>) -> ValueTemplate<'t> {
    let start = input.state();
    let mut pieces = Vec::new();
    if parse_parts(input, &mut pieces).is_err() {
        input.reset(&start);
        skip(input);
    }
    ValueTemplate { pieces }
}

fn skip(input: &mut Parser<'_>) {
    while input.next_including_whitespace_and_comments().is_ok() {}
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(text: &str) -> Option<String> {
        let mut lookup = |name: &str| match name {
            "--a" => Some(Arc::from(" 1px ")),
            "--empty" => Some(Arc::from("")),
            "--long" => Some(Arc::from("x".repeat(MAX_BYTES))),
            _ => None,
        };
        ValueTemplate::new(text).fill(&mut lookup).map(|value| value.to_string())
    }

    #[test]
    fn fill_replaces_references() {
        for (text, expected) in [
            ("red", Some("red")),
            ("var(--a)", Some("1px")),
            ("VAR( --a )", Some("1px")),
            (" 0 var(--a) red", Some(" 0 1px red")),
            ("calc(2*var(--a))", Some("calc(2*1px)")),
            ("calc(2*(var(--a)", Some("calc(2*(1px))")),
            ("a/* b */c", Some("a/**/c")),
            ("a /* b */c", Some("a c")),
            ("-var(--a)", Some("-var(--a)")),
            ("x var(--a)var(--a)", Some("x 1px/**/1px")),
            ("var(--a)0 var(--a)0", Some("1px/**/0 1px/**/0")),
            ("var(--none,a)var(--empty)(b),var(--a),c", Some("a/**/(b),1px,c")),
            ("var(--a)/2 var(--a)#fff", Some("1px/2 1px#fff")),
            ("env(unknown,3px)4px", Some("3px/**/4px")),
            ("var(--none, 2px)", Some("2px")),
            ("var(--none, var(--a, var(--none)))", Some("1px")),
            ("var(--none,)", Some("")),
            ("var(--empty) x", Some(" x")),
            ("var(--none)", None),
            ("var(--a b)", None),
            ("var(--a, var(1))", Some("1px")),
            ("var(--none, var(1)) x", None),
            ("var(--a, f(var(1) [) x", Some("1px")),
            ("env(safe-area-inset-top)", Some("0px")),
            ("env(unknown, 3px)", Some("3px")),
            ("env(unknown)", None),
            ("var(--long)", Some(&*"x".repeat(MAX_BYTES))),
            ("var(--long) ", None),
        ] {
            assert_eq!(filled(text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn deep_nesting_is_invalid_unless_in_an_unused_fallback() {
        let deep = "f(".repeat(10_000);
        assert_eq!(filled(&deep), None);
        assert_eq!(filled(&format!("var(--a, {deep}{}) 2px", ")".repeat(10_000))).as_deref(), Some("1px 2px"));
        assert_eq!(filled(&"var(--none, ".repeat(10_000)), None);
        assert_eq!(filled(&"var(--a)".repeat(MAX_SUBSTITUTIONS + 1)), None);
    }
}
