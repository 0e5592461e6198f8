//! Parses rules and declaration blocks (CSS Syntax 3, CSS Nesting 1).
//!
//! <https://drafts.csswg.org/css-nesting-1/>

use super::url_properties::{DeclarationEffect, PropertySlot, UrlProperty, UrlUse, ValueCheck, effect};
use super::value_urls::{RawUrl, ValueUrls, parse_value, skip};
use super::{MAX_CONDITION_BYTES, condition};
use cssparser::{
    AtRuleParser, CowRcStr, DeclarationParser, ParseError, Parser, ParserState, QualifiedRuleParser,
    RuleBodyItemParser, RuleBodyParser, StyleSheetParser, Token,
};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::rc::Rc;

/// A reference of a stylesheet, in source order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum UrlItem {
    /// A value refers to a file.
    Reference { reference: RawUrl, role: UrlUse, media: Option<Rc<str>> },
    /// `@import`.
    Import { address: String, media: String },
}

pub(super) struct RuleReader {
    /// `None` for items that a later declaration overrides.
    items: Vec<Option<UrlItem>>,
    /// Declarations of the open blocks, innermost last.
    blocks: Vec<HashMap<PropertySlot, BlockDeclaration>>,
    /// Number of open blocks that may contain declarations; the others contain only rules.
    declaration_blocks: usize,
    /// Conditions of the enclosing rules; each includes the outer ones.
    media: Vec<Rc<str>>,
    /// True as long as `@import` is still valid.
    imports_allowed: bool,
    /// True for a `style` attribute, which contains only declarations.
    attribute: bool,
}

/// A declaration of the current block, and its items.
struct BlockDeclaration {
    important: bool,
    items: std::ops::Range<usize>,
}

/// The prelude of a rule whose block is parsed.
pub(super) enum Prelude {
    Media(String),
    /// A block of rules, and of declarations if the enclosing block may contain some.
    Rules,
    /// A block of declarations.
    Declarations,
    Import {
        address: String,
        media: String,
    },
}

impl RuleReader {
    /// Parses a stylesheet that applies under `media`.
    pub(super) fn sheet(text: &str, media: &str) -> Vec<UrlItem> {
        let mut reader = Self::new(false);
        if !media.is_empty() {
            reader.media.push(Rc::from(media));
        }
        let mut parser = Parser::new(text);
        for rule in StyleSheetParser::new(&mut parser, &mut reader) {
            // An invalid rule is dropped; parsing continues with the next one.
            drop(rule);
        }
        reader.finish()
    }

    /// Parses the declarations of a `style` attribute.
    pub(super) fn declarations(text: &str) -> Vec<UrlItem> {
        let mut reader = Self::new(true);
        let mut parser = Parser::new(text);
        reader.declarations_body(&mut parser);
        reader.finish()
    }

    fn new(attribute: bool) -> Self {
        Self {
            items: Vec::new(),
            blocks: Vec::new(),
            declaration_blocks: 0,
            media: Vec::new(),
            imports_allowed: true,
            attribute,
        }
    }

    fn finish(self) -> Vec<UrlItem> {
        self.items.into_iter().flatten().collect()
    }

    fn body(&mut self, input: &mut Parser<'_>) {
        self.blocks.push(HashMap::new());
        for item in RuleBodyParser::new(input, self) {
            drop(item);
        }
        self.blocks.pop();
    }

    fn declarations_body(&mut self, input: &mut Parser<'_>) {
        self.declaration_blocks += 1;
        self.body(input);
        self.declaration_blocks -= 1;
    }

    fn declare(&mut self, property: UrlProperty, value: ValueUrls) {
        let media = self.media.last().cloned();
        let start = self.items.len();
        let item = |reference| UrlItem::Reference { reference, role: property.role, media: media.clone() };
        self.items.extend(value.references.into_iter().map(item).map(Some));
        self.apply_cascade(
            property.slot,
            BlockDeclaration { important: value.important, items: start..self.items.len() },
        );
    }

    fn reset(&mut self, slots: &'static [&'static str], important: bool) {
        let end = self.items.len();
        for slot in slots {
            self.apply_cascade(PropertySlot::Longhand(slot), BlockDeclaration { important, items: end..end });
        }
    }

    /// Applies the cascade within a block: the last declaration of a property wins, and important
    /// ones win over others.
    fn apply_cascade(&mut self, slot: PropertySlot, declared: BlockDeclaration) {
        let Some(block) = self.blocks.last_mut() else { return };
        let says_nothing = declared.items.is_empty() && !declared.important;
        if says_nothing && !block.contains_key(&slot) {
            return;
        }
        let loser = match block.entry(slot) {
            Entry::Vacant(vacant) => {
                vacant.insert(declared);
                return;
            }
            Entry::Occupied(earlier) if earlier.get().important && !declared.important => declared,
            Entry::Occupied(mut earlier) => earlier.insert(declared),
        };
        self.items[loser.items].fill(None);
    }
}

/// Parsing yields no values, and an error means that a construct is skipped.
type RuleResult<T = ()> = Result<T, ParseError<()>>;

impl<'i> DeclarationParser<'i> for RuleReader {
    type Declaration = ();
    type Error = ();

    fn parse_value(&mut self, name: CowRcStr<'i>, input: &mut Parser<'i>, _: &ParserState) -> RuleResult {
        let unexpected = |_| ParseError::unexpected_token();
        match effect(&name) {
            DeclarationEffect::None => skip(input).map_err(unexpected),
            DeclarationEffect::Resets(slots) => {
                let value = parse_value(input, ValueCheck::Free, false).map_err(unexpected)?;
                self.reset(slots, value.important);
                Ok(())
            }
            DeclarationEffect::Sets(property) => {
                let blocks = property.role == UrlUse::Custom;
                let value = parse_value(input, property.grammar, blocks).map_err(unexpected)?;
                self.declare(property, value);
                Ok(())
            }
        }
    }
}

impl<'i> QualifiedRuleParser<'i> for RuleReader {
    type Prelude = ();
    type QualifiedRule = ();
    type Error = ();

    fn parse_prelude(&mut self, input: &mut Parser<'i>) -> RuleResult {
        let mut is_empty = true;
        while let Ok(token) = input.next() {
            is_empty = false;
            // Selectors are not validated; a prelude that cannot be one drops the rule, as after a
            // stray `}`.
            if token.is_parse_error() || matches!(token, Token::Semicolon) {
                return Err(ParseError::unexpected_token());
            }
        }
        if is_empty { Err(ParseError::unexpected_token()) } else { Ok(()) }
    }

    fn parse_block(&mut self, (): (), _: &ParserState, input: &mut Parser<'i>) -> RuleResult {
        self.imports_allowed = false;
        self.declarations_body(input);
        Ok(())
    }
}

impl<'i> AtRuleParser<'i> for RuleReader {
    type Prelude = Prelude;
    type AtRule = ();
    type Error = ();

    fn parse_prelude(&mut self, name: CowRcStr<'i>, input: &mut Parser<'i>) -> RuleResult<Prelude> {
        if name.eq_ignore_ascii_case("import") {
            return import_prelude(input);
        }
        let start = input.position();
        while input.next().is_ok() {}
        let text = input.slice_from(start).trim();
        if is_page_margin(&name) {
            return Ok(Prelude::Declarations);
        }
        cssparser::match_ignore_ascii_case! { &name,
            "media" => Ok(Prelude::Media(text.to_owned())),
            "layer" | "supports" | "container" | "scope" | "starting-style" | "keyframes" | "-webkit-keyframes" => {
                Ok(Prelude::Rules)
            },
            "page" | "position-try" => Ok(Prelude::Declarations),
            // `@font-face` and similar rules contain descriptors, which refer to no images.
            // Browsers drop unknown rules with their block.
            _ => Err(ParseError::unexpected_token()),
        }
    }

    fn rule_without_block(&mut self, prelude: Prelude, _: &ParserState) -> Result<(), ()> {
        match prelude {
            Prelude::Import { address, media } if self.imports_allowed && self.blocks.is_empty() => {
                let outer = self.media.last().map_or("", |media| media);
                let media = join_media(outer, condition(&media));
                self.items.push(Some(UrlItem::Import { address, media }));
            }
            // Only `@layer` statements may precede an import.
            Prelude::Rules | Prelude::Import { .. } => {}
            _ => self.imports_allowed = false,
        }
        Ok(())
    }

    fn parse_block(&mut self, prelude: Prelude, _: &ParserState, input: &mut Parser<'i>) -> RuleResult {
        self.imports_allowed = false;
        match prelude {
            Prelude::Media(query) => {
                let outer = self.media.last().map_or("", |media| media);
                let media = join_media(outer, condition(&query));
                if media.len() <= MAX_CONDITION_BYTES {
                    self.media.push(Rc::from(media));
                    self.body(input);
                    self.media.pop();
                }
            }
            Prelude::Rules => self.body(input),
            Prelude::Declarations => self.declarations_body(input),
            // An `@import` with a block is invalid.
            Prelude::Import { .. } => {}
        }
        Ok(())
    }
}

impl RuleBodyItemParser<'_, (), ()> for RuleReader {
    fn parse_declarations(&self) -> bool {
        self.declaration_blocks > 0
    }

    fn parse_qualified(&self) -> bool {
        !self.attribute
    }
}

/// Parses `url layer? supports()? media`.
fn import_prelude(input: &mut Parser<'_>) -> RuleResult<Prelude> {
    let address = input.expect_url_or_string()?.to_string();
    let _ = input.try_parse(|input| input.expect_ident_matching("layer"));
    for function in ["layer", "supports"] {
        let _: RuleResult = input.try_parse(|input| {
            input.expect_function_matching(function)?;
            input.parse_nested_block(|inner| {
                while inner.next().is_ok() {}
                Ok(())
            })
        });
    }
    input.skip_whitespace();
    let start = input.position();
    while input.next().is_ok() {}
    Ok(Prelude::Import { address, media: input.slice_from(start).trim().to_owned() })
}

/// Returns true for page-margin boxes, such as `@top-left`.
fn is_page_margin(name: &str) -> bool {
    ["top-", "bottom-", "left-", "right-"].iter().any(|edge| name.starts_with(edge))
}

fn join_media(outer: &str, inner: &str) -> String {
    match (outer, inner) {
        ("", only) | (only, "") => only.to_owned(),
        (outer, inner) if outer == inner => outer.to_owned(),
        (outer, inner) => format!("{outer} and {inner}"),
    }
}
