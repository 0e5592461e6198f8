//! Value templates: values with `var()`, `env()`, `if()`, `attr()` and custom functions (Custom Properties 1, section 3;
//! Values 5, section 7; Mixins 1), parsed once and filled in often.

use super::custom_functions;
use super::element_values::{AttributeType, ElementValues, condition_holds};
use cssparser::{Parser, SourcePosition, Token};
use std::sync::Arc;

/// Maximum length of a value after substitution, in bytes.
const MAX_BYTES: usize = 64 * 1024;
/// Maximum number of substitutions in one value.
const MAX_SUBSTITUTIONS: usize = 4_096;

/// Maximum nesting of functions whose arguments are templates of their own.
const MAX_DEPTH: usize = 16;

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
    /// `if()`: values with their conditions; `None` for `else`.
    Conditional(Vec<(Option<ValueTemplate<'t>>, ValueTemplate<'t>)>),
    /// `attr()` with a type or a fallback.
    Attribute {
        name: Box<str>,
        of: AttributeType,
        fallback: Option<ValueTemplate<'t>>,
    },
    /// A custom function.
    Call {
        name: Box<str>,
        arguments: Vec<ValueTemplate<'t>>,
    },
    /// A comment, which separates the tokens before and after it.
    Comment,
    /// Invalid syntax: the value is invalid if this piece is filled in.
    Invalid,
}

/// Resolves the references in values.
pub(crate) trait References {
    /// Returns the value of a custom property; `None` if it is guaranteed invalid.
    fn variable(&mut self, name: &str) -> Option<Arc<str>>;

    /// Returns the element whose value it is. `None` makes references to more than custom properties invalid.
    fn element(&self) -> Option<ElementValues<'_>> {
        None
    }

    /// Returns the number of custom functions that are being evaluated.
    fn depth(&self) -> usize {
        0
    }
}

/// References to custom properties alone.
struct VariablesOnly<'l>(Lookup<'l>);

type Lookup<'l> = &'l mut dyn FnMut(&str) -> Option<Arc<str>>;

impl References for VariablesOnly<'_> {
    fn variable(&mut self, name: &str) -> Option<Arc<str>> {
        (self.0)(name)
    }
}

impl<'t> ValueTemplate<'t> {
    /// Parses a value.
    pub fn new(text: &'t str) -> Self {
        Self::nested(text, 0)
    }

    fn nested(text: &'t str, depth: usize) -> Self {
        if is_plain(text) {
            return Self { pieces: vec![TemplatePart::Text(text)] };
        }
        let mut pieces = Vec::new();
        // An error is recorded as a piece.
        let _ = parse_parts(&mut Parser::new(text), &mut pieces, depth);
        Self { pieces }
    }

    /// Returns true if the value is a single reference, so that it equals the referenced value.
    pub(super) fn is_reference(&self) -> bool {
        matches!(self.pieces.as_slice(), [TemplatePart::Variable { .. }])
    }

    /// Returns the value with every `var()` replaced by the result of `lookup` or by its fallback, and every `env()` by
    /// its value. `None` if that makes the value invalid or too long, or if it depends on an element.
    pub fn fill(&self, lookup: Lookup<'_>) -> Option<Arc<str>> {
        self.fill_for(&mut VariablesOnly(lookup))
    }

    /// Like [`Self::fill`], for values that may depend on an element.
    pub(super) fn fill_for(&self, references: &mut dyn References) -> Option<Arc<str>> {
        // Most references are the whole value, which then need not be copied.
        if let [TemplatePart::Variable { name, fallback }] = self.pieces.as_slice() {
            let value = references.variable(name).or_else(|| fallback.as_ref()?.fill_for(references))?;
            let trimmed = value.trim();
            let whole = if trimmed.len() == value.len() { value } else { Arc::from(trimmed) };
            return (whole.len() <= MAX_BYTES).then_some(whole);
        }
        let mut output = SubstitutionBuffer { bytes_left: MAX_SUBSTITUTIONS, ..SubstitutionBuffer::default() };
        self.fill_into(&mut output, references)?;
        Some(output.text.into())
    }

    fn fill_into(&self, output: &mut SubstitutionBuffer, references: &mut dyn References) -> Option<()> {
        for piece in &self.pieces {
            match piece {
                TemplatePart::Text(text) => output.push(text)?,
                TemplatePart::Comment => output.ends_token = true,
                TemplatePart::Invalid => return None,
                TemplatePart::Environment(template) => output.push_filled(template, references)?,
                TemplatePart::Variable { name, fallback } => {
                    let value = references.variable(name);
                    output.push_value_or(value, fallback.as_ref(), references)?;
                }
                TemplatePart::Conditional(branches) => {
                    output.push_filled(chosen_branch(branches, references)?, references)?;
                }
                TemplatePart::Attribute { name, of, fallback } => {
                    let value = references.element().and_then(|element| element.attribute(name, of));
                    let value = value.or_else(|| fallback.is_none().then(|| of.missing_value()).flatten());
                    output.push_value_or(value, fallback.as_ref(), references)?;
                }
                TemplatePart::Call { name, arguments } => {
                    let arguments = arguments.iter().map(|argument| argument.fill_for(references)).collect();
                    let value = custom_functions::call(name, arguments, references);
                    output.push_value_or(value, None, references)?;
                }
            }
        }
        Some(())
    }
}

/// Returns the value of the first branch whose condition holds.
fn chosen_branch<'b, 't>(
    branches: &'b [(Option<ValueTemplate<'t>>, ValueTemplate<'t>)],
    references: &mut dyn References,
) -> Option<&'b ValueTemplate<'t>> {
    for (condition, value) in branches {
        let holds = match condition {
            None => true,
            Some(condition) => {
                condition.fill_for(references).is_some_and(|condition| condition_holds(&condition, references))
            }
        };
        if holds {
            return Some(value);
        }
    }
    None
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

    /// Appends a substituted value or else the fallback.
    fn push_value_or(
        &mut self,
        value: Option<Arc<str>>,
        fallback: Option<&ValueTemplate<'_>>,
        references: &mut dyn References,
    ) -> Option<()> {
        match (value, fallback) {
            (Some(value), _) => self.push_value(value.trim()),
            (None, Some(fallback)) => self.push_filled(fallback, references),
            (None, None) => None,
        }
    }

    fn push_filled(&mut self, template: &ValueTemplate<'_>, references: &mut dyn References) -> Option<()> {
        let mut inner = Self { bytes_left: self.bytes_left, ..Self::default() };
        template.fill_into(&mut inner, references)?;
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
    // A name with two hyphens is that of a custom property or a custom function.
    bytes.contains(&b'(') && (has(b"--") || has(b"env(") || has(b"attr(") || has(b"if("))
}

/// Returns true if a value is certainly one piece of text: nothing to replace, to close or to leave out.
fn is_plain(text: &str) -> bool {
    !text.bytes().any(|byte| matches!(byte, b'(' | b'[' | b'{')) && !text.contains("/*")
}

/// The value is invalid from here on.
#[derive(Debug)]
struct Invalid;

/// Adds the pieces up to the end of the block.
fn parse_parts<'t>(input: &mut Parser<'t>, pieces: &mut Vec<TemplatePart<'t>>, depth: usize) -> Result<(), Invalid> {
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
            Ok(Token::Function(name)) => (")", SubstitutionFunction::from_name(name)),
            Ok(Token::ParenthesisBlock) => (")", None),
            Ok(Token::SquareBracketBlock) => ("]", None),
            Ok(Token::CurlyBracketBlock) => ("}", None),
            Ok(_) => continue,
        };
        let opened = input.position();
        let end = if function.is_some() { start } else { opened };
        text.end(input, end, pieces);
        let read = |inner: &mut Parser<'t>| {
            let done = match &function {
                Some(function) => function.parse(inner, depth).map(|piece| pieces.push(piece)),
                None => parse_parts(inner, pieces, depth).map(|()| pieces.push(TemplatePart::Text(close))),
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

/// A function that is replaced by its value.
enum SubstitutionFunction {
    Variable,
    Environment,
    Conditional,
    Attribute,
    Call(Box<str>),
}

impl SubstitutionFunction {
    fn from_name(name: &str) -> Option<Self> {
        match name.len() {
            2 if name.eq_ignore_ascii_case("if") => Some(Self::Conditional),
            3 if name.eq_ignore_ascii_case("var") => Some(Self::Variable),
            3 if name.eq_ignore_ascii_case("env") => Some(Self::Environment),
            4 if name.eq_ignore_ascii_case("attr") => Some(Self::Attribute),
            3.. if name.starts_with("--") => Some(Self::Call(name.into())),
            _ => None,
        }
    }

    /// Parses the arguments.
    fn parse<'t>(&self, input: &mut Parser<'t>, depth: usize) -> Result<TemplatePart<'t>, Invalid> {
        match self {
            Self::Variable => variable(input, depth),
            Self::Environment => environment(input, depth),
            _ if depth >= MAX_DEPTH => Err(Invalid),
            Self::Conditional => conditional(rest(input), depth + 1),
            Self::Attribute => attribute(input, depth + 1),
            Self::Call(name) => {
                let text = rest(input);
                let parts = if text.trim().is_empty() { Vec::new() } else { split_at(text, &Token::Comma) };
                let arguments = parts.into_iter().map(|part| ValueTemplate::nested(part.trim(), depth + 1)).collect();
                Ok(TemplatePart::Call { name: name.clone(), arguments })
            }
        }
    }
}

/// Parses `if(condition: value; else: value)`.
fn conditional(text: &str, depth: usize) -> Result<TemplatePart<'_>, Invalid> {
    let mut branches = Vec::new();
    for part in split_at(text, &Token::Semicolon).into_iter().filter(|part| !part.trim().is_empty()) {
        let condition = *split_at(part, &Token::Colon).first().ok_or(Invalid)?;
        let value = part[condition.len()..].strip_prefix(':').ok_or(Invalid)?;
        let condition = condition.trim();
        let is_else = condition.eq_ignore_ascii_case("else");
        let condition = (!is_else).then(|| ValueTemplate::nested(condition, depth));
        branches.push((condition, ValueTemplate::nested(value.trim(), depth)));
    }
    Ok(TemplatePart::Conditional(branches))
}

/// Parses `attr(name type, fallback)`. The property itself evaluates `attr(name)`, which stays as text.
fn attribute<'t>(input: &mut Parser<'t>, depth: usize) -> Result<TemplatePart<'t>, Invalid> {
    let text = rest(input);
    let before = split_at(text, &Token::Comma)[0];
    let fallback = text[before.len()..].strip_prefix(',').map(|text| ValueTemplate::nested(text.trim(), depth));
    let before = before.trim();
    let name = before.split(|c: char| c.is_whitespace() || c == '(').next().unwrap_or_default();
    let of = AttributeType::parse(before[name.len()..].trim()).ok_or(Invalid)?;
    if of == AttributeType::Unspecified && fallback.is_none() {
        let pieces = [TemplatePart::Text("attr("), TemplatePart::Text(text), TemplatePart::Text(")")];
        return Ok(TemplatePart::Environment(ValueTemplate { pieces: pieces.into() }));
    }
    Ok(TemplatePart::Attribute { name: name.into(), of, fallback })
}

/// Returns the text up to the end of the block.
fn rest<'t>(input: &mut Parser<'t>) -> &'t str {
    let start = input.position();
    skip(input);
    input.slice_from(start)
}

/// Splits a text at the tokens outside of brackets that equal `separator`.
pub(super) fn split_at<'t>(text: &'t str, separator: &Token<'_>) -> Vec<&'t str> {
    let mut input = Parser::new(text);
    let mut parts = Vec::new();
    loop {
        let (part, is_last) = text_before(&mut input, separator);
        parts.push(part);
        if is_last {
            return parts;
        }
    }
}

/// Returns the text up to the next token outside of brackets that equals `separator`, which is read too, and true if
/// there was none.
pub(super) fn text_before<'t>(input: &mut Parser<'t>, separator: &Token<'_>) -> (&'t str, bool) {
    let start = input.position();
    loop {
        let before = input.position();
        let Ok(token) = input.next_including_whitespace_and_comments() else {
            return (input.slice_from(start), true);
        };
        if token == separator {
            return (input.slice(start..before), false);
        }
        if opens_block(token) {
            // Without this the block is left by the next token only, after `before` was taken.
            let _ = input.parse_nested_block(|inner| {
                skip(inner);
                Ok::<_, cssparser::ParseError<()>>(())
            });
        }
    }
}

fn opens_block(token: &Token<'_>) -> bool {
    matches!(token, Token::Function(_) | Token::ParenthesisBlock | Token::SquareBracketBlock | Token::CurlyBracketBlock)
}

/// `var(--name, fallback)`
fn variable<'t>(input: &mut Parser<'t>, depth: usize) -> Result<TemplatePart<'t>, Invalid> {
    let name = input.expect_ident().map_err(|_| Invalid)?;
    let name = Some(&**name).filter(|name| name.starts_with("--")).ok_or(Invalid)?.into();
    let has_fallback = input.try_parse(|input| input.expect_comma()).is_ok();
    if !has_fallback && !input.is_exhausted() {
        return Err(Invalid);
    }
    Ok(TemplatePart::Variable { name, fallback: has_fallback.then(|| fallback(input, depth)) })
}

/// Parses `env(name, fallback)`: the insets are zero, other names are unknown.
fn environment<'t>(input: &mut Parser<'t>, depth: usize) -> Result<TemplatePart<'t>, Invalid> {
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
    if has_fallback { Ok(TemplatePart::Environment(fallback(input, depth))) } else { Err(Invalid) }
}

/// Parses the fallback. If it is invalid, that matters only when it is used.
fn fallback<'t>(input: &mut Parser<'t>, depth: usize) -> ValueTemplate<'t> {
    let start = input.state();
    let mut pieces = Vec::new();
    if parse_parts(input, &mut pieces, depth).is_err() {
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
        let mut lookup = |name: &str| -> Option<Arc<str>> {
            match name {
                "--a" => Some(Arc::from(" 1px ")),
                "--empty" => Some(Arc::from("")),
                "--long" => Some(Arc::from("x".repeat(MAX_BYTES))),
                _ => None,
            }
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
            ("attr(data-x) var(--a)", Some("attr(data-x) 1px")),
            ("attr(data-x type(<length>), 2px)", Some("2px")),
            ("attr(data-x px)", None),
            ("if(else: var(--a))", Some("1px")),
            ("if(media(width > 1px): 3px)", None),
            ("--f(1px)", None),
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
        for open in ["var(--none, ", "if(else: ", "attr(x px, ", "--f("] {
            assert_eq!(filled(&open.repeat(10_000)), None, "{open}");
        }
        assert_eq!(filled(&"var(--a)".repeat(MAX_SUBSTITUTIONS + 1)), None);
    }
}
