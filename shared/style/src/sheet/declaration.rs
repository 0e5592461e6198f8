//! Declarations: values as written, and the longhands that they set.

use super::{Declaration, DeclarationMeaning};
use crate::property::{ExpandedLonghand, Property, Quirk};
use crate::selector::Atom;
use cssparser::{
    AtRuleParser, BasicParseErrorKind, CowRcStr, DeclarationParser, ParseError, Parser, ParserState,
    QualifiedRuleParser, RuleBodyItemParser, RuleBodyParser, Token,
};
use foldhash::{HashMap, HashMapExt};
use limner_page::dom::QuirksMode;
use std::borrow::Cow;
use std::sync::Arc;

/// Maximum length of a value: longer ones are mistakes or attacks.
pub(super) const MAX_VALUE_BYTES: usize = 512 * 1024;
/// Maximum number of distinct values of a page's declarations, custom properties left out: each takes 20 times the
/// memory of its text. The largest sheets of real sites have some ten thousand.
const MAX_DISTINCT_VALUES: usize = 150_000;

pub(super) type DeclarationError = ParseError<()>;

pub(super) fn failure() -> DeclarationError {
    ParseError::from_basic_kind(BasicParseErrorKind::QualifiedRuleInvalid)
}

/// Interned effects of declarations, shared by equal declarations.
#[derive(Debug)]
pub(crate) struct DeclarationInterner {
    names: HashMap<Box<str>, NamedDeclarations>,
    /// The index into `values` for a property and its quirk: aliases of a property share their values.
    properties: HashMap<(Property, Option<Quirk>), usize>,
    /// The longhands by value.
    values: Vec<Values>,
    /// Number of values in `values`.
    distinct: usize,
    /// True if a declaration was dropped because its value was one too many.
    is_truncated: bool,
    mode: QuirksMode,
}

type Values = HashMap<Arc<str>, Option<Arc<[ExpandedLonghand]>>>;

/// Declarations of one name.
#[derive(Debug)]
struct NamedDeclarations {
    name: Arc<str>,
    meaning: ParsedMeaning,
}

#[derive(Debug)]
enum ParsedMeaning {
    Custom(Atom),
    /// The last field is the index into [`DeclarationInterner::values`].
    Known(Property, Option<Quirk>, usize),
    /// Not the name of a supported property.
    Unknown,
}

impl DeclarationInterner {
    /// Returns the mode of the page.
    pub(crate) fn mode(&self) -> QuirksMode {
        self.mode
    }

    /// Creates an interner for a page in this mode.
    pub(crate) fn new(mode: QuirksMode) -> Self {
        let (names, properties) = (HashMap::new(), HashMap::new());
        Self { names, properties, values: Vec::new(), distinct: 0, is_truncated: false, mode }
    }

    /// Returns true if declarations were dropped because the page has too many distinct values.
    pub(crate) fn is_truncated(&self) -> bool {
        self.is_truncated
    }

    fn intern(&mut self, name: &str) -> &NamedDeclarations {
        let meaning = if name.starts_with("--") {
            ParsedMeaning::Custom(Atom::from(name))
        } else if let Some(property) = Property::from_name(name) {
            let quirk = Quirk::for_property(name, self.mode);
            let values = *self.properties.entry((property, quirk)).or_insert(self.values.len());
            if values == self.values.len() {
                self.values.push(HashMap::new());
            }
            ParsedMeaning::Known(property, quirk, values)
        } else {
            ParsedMeaning::Unknown
        };
        self.names.entry(name.into()).or_insert(NamedDeclarations { name: Arc::from(name), meaning })
    }

    /// Returns a declaration; `None` if the page has too many distinct values for another one.
    pub(crate) fn declaration(&mut self, name: &str, value: &str, important: bool, line: u32) -> Option<Declaration> {
        let is_lower = name.starts_with("--") || !name.bytes().any(|byte| byte.is_ascii_uppercase());
        let lower = if is_lower { Cow::Borrowed(name) } else { Cow::Owned(name.to_ascii_lowercase()) };
        // Most names are cached: looking them up first saves a copy of each.
        let named = match self.names.get(&*lower) {
            Some(known) => known,
            None => self.intern(&lower),
        };
        let name = named.name.clone();
        let (property, quirk, values) = match &named.meaning {
            ParsedMeaning::Custom(atom) => {
                let effect = DeclarationMeaning::Custom(atom.clone());
                return Some(Declaration { name, value: Arc::from(value), important, line, effect });
            }
            ParsedMeaning::Unknown => {
                let effect = DeclarationMeaning::Invalid;
                return Some(Declaration { name, value: Arc::from(value), important, line, effect });
            }
            ParsedMeaning::Known(property, quirk, values) => (*property, *quirk, *values),
        };
        let values = &mut self.values[values];
        let (value, longhands) = match values.get_key_value(value) {
            Some((value, longhands)) => (value.clone(), longhands.clone()),
            None if self.distinct >= MAX_DISTINCT_VALUES => {
                self.is_truncated = true;
                return None;
            }
            None => {
                self.distinct += 1;
                let longhands = property.expand(value, quirk);
                let value: Arc<str> = Arc::from(value);
                values.insert(value.clone(), longhands.clone());
                (value, longhands)
            }
        };
        let effect = longhands.map_or(DeclarationMeaning::Invalid, DeclarationMeaning::Longhands);
        Some(Declaration { name, value, important, line, effect })
    }
}

/// The declarations of a `style` attribute.
pub(crate) type Inline = Vec<Declaration>;

/// Parses a `style` attribute.
pub(crate) fn parse_inline(text: &str, interner: &mut DeclarationInterner) -> Inline {
    let mut parser = Parser::new(text);
    let mut list = DeclarationList { interner, declarations: Vec::new() };
    for _ in RuleBodyParser::new(&mut parser, &mut list) {}
    list.declarations
}

struct DeclarationList<'a> {
    interner: &'a mut DeclarationInterner,
    declarations: Vec<Declaration>,
}

impl<'i> DeclarationParser<'i> for DeclarationList<'_> {
    type Declaration = ();
    type Error = ();

    fn parse_value(
        &mut self,
        name: CowRcStr<'i>,
        input: &mut Parser<'i>,
        start: &ParserState,
    ) -> Result<(), DeclarationError> {
        let (value, important) = raw_value(&name, input)?;
        let line = start.source_location().line + 1;
        self.declarations.extend(self.interner.declaration(&name, value, important, line));
        Ok(())
    }
}

impl AtRuleParser<'_> for DeclarationList<'_> {
    type Prelude = ();
    type AtRule = ();
    type Error = ();
}

impl QualifiedRuleParser<'_> for DeclarationList<'_> {
    type Prelude = ();
    type QualifiedRule = ();
    type Error = ();
}

impl RuleBodyItemParser<'_, (), ()> for DeclarationList<'_> {
    fn parse_declarations(&self) -> bool {
        true
    }

    fn parse_qualified(&self) -> bool {
        false
    }
}

/// Returns the value as written and whether it is `!important`; an error if it is a nested rule.
pub(super) fn raw_value<'i>(name: &str, input: &mut Parser<'i>) -> Result<(&'i str, bool), DeclarationError> {
    let custom = name.starts_with("--");
    input.skip_whitespace();
    let start = input.position();
    let mut end = start;
    let mut important = false;
    while let Ok(token) = input.next_including_whitespace_and_comments() {
        match token {
            Token::CurlyBracketBlock if !custom => return Err(failure()),
            Token::BadString(_)
            | Token::BadUrl(_)
            | Token::CloseParenthesis
            | Token::CloseSquareBracket
            | Token::CloseCurlyBracket => return Err(failure()),
            Token::WhiteSpace(_) | Token::Comment(_) => continue,
            Token::Delim('!') => {
                important = true;
                break;
            }
            Token::Function(_) | Token::ParenthesisBlock | Token::SquareBracketBlock | Token::CurlyBracketBlock => {
                input.parse_nested_block(skip_checked)?;
            }
            _ => {}
        }
        end = input.position();
    }
    if important {
        input.expect_ident_matching("important")?;
        input.expect_exhausted()?;
    }
    let value = input.slice(start..end);
    if value.len() > MAX_VALUE_BYTES || (value.is_empty() && !custom) {
        return Err(failure());
    }
    Ok((value, important))
}

/// Skips a block; fails if it contains a token that no value may contain.
fn skip_checked(input: &mut Parser<'_>) -> Result<(), DeclarationError> {
    while let Ok(token) = input.next() {
        match token {
            Token::BadString(_)
            | Token::BadUrl(_)
            | Token::CloseParenthesis
            | Token::CloseSquareBracket
            | Token::CloseCurlyBracket => return Err(failure()),
            Token::Function(_) | Token::ParenthesisBlock | Token::SquareBracketBlock | Token::CurlyBracketBlock => {
                input.parse_nested_block(skip_checked)?;
            }
            _ => {}
        }
    }
    Ok(())
}

/// Returns names and values of the declarations in a block.
pub(crate) fn descriptors(body: &str) -> Vec<(String, String)> {
    struct Raw(Vec<(String, String)>);
    impl<'i> DeclarationParser<'i> for Raw {
        type Declaration = ();
        type Error = ();
        fn parse_value(
            &mut self,
            name: CowRcStr<'i>,
            input: &mut Parser<'i>,
            _: &ParserState,
        ) -> Result<(), DeclarationError> {
            let (value, _) = raw_value(&name, input)?;
            self.0.push((name.to_string(), value.to_owned()));
            Ok(())
        }
    }
    impl AtRuleParser<'_> for Raw {
        type Prelude = ();
        type AtRule = ();
        type Error = ();
    }
    impl QualifiedRuleParser<'_> for Raw {
        type Prelude = ();
        type QualifiedRule = ();
        type Error = ();
    }
    impl RuleBodyItemParser<'_, (), ()> for Raw {
        fn parse_declarations(&self) -> bool {
            true
        }
        fn parse_qualified(&self) -> bool {
            false
        }
    }
    let mut parser = Parser::new(body);
    let mut raw = Raw(Vec::new());
    for _ in RuleBodyParser::new(&mut parser, &mut raw) {}
    raw.0
}

/// Returns the rules of a `@keyframes` block: selectors and declarations as written.
pub(crate) fn frame_rules(body: &str) -> Vec<(&str, &str)> {
    struct Frames;
    impl<'i> DeclarationParser<'i> for Frames {
        type Declaration = (&'i str, &'i str);
        type Error = ();
    }
    impl<'i> AtRuleParser<'i> for Frames {
        type Prelude = ();
        type AtRule = (&'i str, &'i str);
        type Error = ();
    }
    impl<'i> QualifiedRuleParser<'i> for Frames {
        type Prelude = &'i str;
        type QualifiedRule = (&'i str, &'i str);
        type Error = ();
        fn parse_prelude(&mut self, input: &mut Parser<'i>) -> Result<&'i str, DeclarationError> {
            let start = input.position();
            while input.next().is_ok() {}
            Ok(input.slice_from(start))
        }
        fn parse_block(
            &mut self,
            selectors: &'i str,
            _: &ParserState,
            input: &mut Parser<'i>,
        ) -> Result<(&'i str, &'i str), DeclarationError> {
            let start = input.position();
            while input.next().is_ok() {}
            Ok((selectors, input.slice_from(start)))
        }
    }
    impl<'i> RuleBodyItemParser<'i, (&'i str, &'i str), ()> for Frames {
        fn parse_declarations(&self) -> bool {
            false
        }
        fn parse_qualified(&self) -> bool {
            true
        }
    }
    let mut parser = Parser::new(body);
    RuleBodyParser::new(&mut parser, &mut Frames).filter_map(Result::ok).collect()
}
