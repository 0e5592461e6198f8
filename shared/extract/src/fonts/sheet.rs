//! Collects the `@font-face` rules of a page's stylesheets.

use super::descriptors::{Descriptors, Span, Style};
use super::src::{self, Source};
use crate::css::MAX_CONDITION_BYTES;
use cssparser::{
    AtRuleParser, CowRcStr, DeclarationParser, ParseError, Parser, ParserState, QualifiedRuleParser,
    RuleBodyItemParser, RuleBodyParser, StyleSheetParser, Token, UnicodeRange,
};
use limner_page::PageSnapshot;
use limner_types::result::FontSrc;
use sha2::{Digest, Sha256};
use std::collections::HashSet;
use std::rc::Rc;
use url::Url;

/// Maximum number of distinct faces; a result of the maximum size has fewer.
const MOST_FACES: usize = 40_000;
/// Maximum length of a chain of `@import`.
const MOST_IMPORTS: usize = 32;

/// A valid `@font-face` rule.
#[derive(Debug)]
pub(super) struct Face {
    pub(super) family: String,
    pub(super) weight: Span,
    pub(super) style: Style,
    pub(super) stretch: Option<Span>,
    pub(super) display: Option<&'static str>,
    pub(super) unicode_range: Option<Vec<UnicodeRange>>,
    pub(super) variations: Vec<(String, f32)>,
    pub(super) src: Vec<FontSrc>,
    /// The enclosing condition.
    pub(super) media: Option<Rc<str>>,
    /// True if a screen may load it.
    pub(super) applies: bool,
    sheet: Option<usize>,
}

impl Face {
    pub(super) fn urls(&self) -> impl Iterator<Item = &str> {
        self.src.iter().filter_map(|src| src.url.as_deref())
    }
}

/// The collected rules.
#[derive(Debug, Default)]
pub(super) struct Collected {
    pub(super) faces: Vec<Face>,
    /// True if faces were dropped.
    pub(super) is_full: bool,
    sheets: Vec<String>,
    /// Digests of the faces.
    known: HashSet<[u8; 32]>,
}

impl Collected {
    /// Returns the URL of the stylesheet that contains a face.
    pub(super) fn sheet_of(&self, face: &Face) -> Option<&str> {
        face.sheet.and_then(|index| self.sheets.get(index)).map(String::as_str)
    }

    fn add_face(&mut self, face: Face) {
        let identity = format!(
            "{}|{}|{}|{:?}|{:?}|{:?}|{:?}",
            face.family, face.weight, face.style, face.stretch, face.unicode_range, face.src, face.media
        );
        let identity: [u8; 32] = Sha256::digest(identity).into();
        if self.faces.len() >= MOST_FACES {
            self.is_full |= !self.known.contains(&identity);
        } else if self.known.insert(identity) {
            self.faces.push(face);
        }
    }
}

/// Collects the faces of all stylesheets in order.
pub(super) fn collect(page: &PageSnapshot) -> Collected {
    let mut collected = Collected::default();
    let mut imported = HashSet::new();
    for sheet in &page.sheets {
        let (Some(text), Ok(base)) = (&sheet.text, Url::parse(&sheet.base_url)) else { continue };
        let place = Place {
            base: &base,
            sheet: sheet.href.as_deref(),
            media: sheet.media.trim(),
            applies: !sheet.alternate,
            depth: 0,
        };
        read_sheet(page, text, &place, &mut imported, &mut collected);
    }
    collected
}

/// The context of a stylesheet.
struct Place<'a> {
    base: &'a Url,
    sheet: Option<&'a str>,
    media: &'a str,
    applies: bool,
    depth: usize,
}

fn read_sheet(
    page: &PageSnapshot,
    text: &str,
    place: &Place<'_>,
    imported: &mut HashSet<String>,
    collected: &mut Collected,
) {
    if place.media.len() > MAX_CONDITION_BYTES {
        collected.is_full = true;
        return;
    }
    // Imports precede the rules of the stylesheet itself.
    for import in limner_page::references::imports(text, place.base) {
        let found = page.imports.get(import.as_str()).filter(|_| place.depth < MOST_IMPORTS);
        let Some(sheet) = found.filter(|_| imported.insert(import.to_string())) else { continue };
        let Ok(base) = Url::parse(&sheet.base_url) else { continue };
        let inner = Place { base: &base, sheet: Some(import.as_str()), depth: place.depth + 1, ..*place };
        read_sheet(page, &sheet.text, &inner, imported, collected);
    }
    let sheet = place.sheet.map(|href| {
        collected.sheets.push(href.to_owned());
        collected.sheets.len() - 1
    });
    let mut reader = Reader { collected, base: place.base, sheet, scopes: vec![Scope::top(place)], in_style_rule: 0 };
    let text = limner_style::with_at_rules_alone(text, "font-face");
    let mut parser = Parser::new(&text);
    for rule in StyleSheetParser::new(&mut parser, &mut reader) {
        // An invalid rule is dropped; parsing continues with the next one.
        drop(rule);
    }
}

/// The enclosing rules.
struct Scope {
    media: Option<Rc<str>>,
    applies: bool,
}

impl Scope {
    fn top(place: &Place<'_>) -> Self {
        let media = Some(place.media).filter(|media| !media.is_empty() && !media.eq_ignore_ascii_case("all"));
        let applies = place.applies && media.is_none_or(applies_to_screen);
        Self { media: media.map(Rc::from), applies }
    }
}

/// Returns true if a query of the list may hold on a screen of any size.
fn applies_to_screen(media: &str) -> bool {
    const OTHER_MEDIA: &[&str] =
        &["print", "speech", "aural", "braille", "embossed", "handheld", "projection", "tty", "tv"];
    media.split(',').any(|query| {
        let mut words = query.split(|c: char| c.is_whitespace() || c == '(').filter(|word| !word.is_empty());
        let first = words.next().unwrap_or_default().to_ascii_lowercase();
        let mut second = || words.next().unwrap_or_default().to_ascii_lowercase();
        match first.as_str() {
            "only" => !OTHER_MEDIA.contains(&second().as_str()),
            "not" => !matches!(second().as_str(), "all" | "screen"),
            other => !OTHER_MEDIA.contains(&other),
        }
    })
}

struct Reader<'a> {
    collected: &'a mut Collected,
    base: &'a Url,
    sheet: Option<usize>,
    /// Innermost last; never empty.
    scopes: Vec<Scope>,
    in_style_rule: usize,
}

impl Reader<'_> {
    fn scope(&self) -> &Scope {
        &self.scopes[self.scopes.len() - 1]
    }

    fn body(&mut self, scope: Scope, input: &mut Parser<'_>) {
        self.scopes.push(scope);
        for item in RuleBodyParser::new(input, self) {
            drop(item);
        }
        self.scopes.pop();
    }

    fn face(&mut self, read: Descriptors) {
        let (Some(family), Some(sources)) = (read.family, read.src) else { return };
        let src: Vec<FontSrc> = sources.into_iter().filter_map(|source| self.resolve(source)).collect();
        if src.is_empty() {
            return;
        }
        let scope = self.scope();
        let face = Face {
            family,
            weight: read.weight.unwrap_or(Span::Value(400.0, "")),
            style: read.style.unwrap_or(Style::Word("normal")),
            stretch: read.stretch,
            display: read.display,
            unicode_range: read.unicode_range,
            variations: read.variations,
            src,
            media: scope.media.clone(),
            applies: scope.applies,
            sheet: self.sheet,
        };
        self.collected.add_face(face);
    }

    fn resolve(&self, source: Source) -> Option<FontSrc> {
        match source {
            Source::Local(name) => Some(FontSrc { url: None, local: Some(name), format: None, tech: Vec::new() }),
            Source::Url { address, format, tech } => {
                let mut url = self.base.join(address.trim()).ok()?;
                url.set_fragment(None);
                let format = format.or_else(|| src::format_of_name(&url)).map(str::to_owned);
                let tech = tech.into_iter().map(str::to_owned).collect();
                let usable = matches!(url.scheme(), "http" | "https" | "data");
                usable.then(|| FontSrc { url: Some(url.into()), local: None, format, tech })
            }
        }
    }
}

type Passed<T = ()> = Result<T, ParseError<()>>;

/// Skips a declaration's value. Returns an error if it contains a block, so that it is parsed as a
/// nested rule instead.
fn skip_value(input: &mut Parser<'_>) -> Passed {
    while let Ok(token) = input.next() {
        if matches!(token, Token::CurlyBracketBlock) {
            return Err(ParseError::unexpected_token());
        }
    }
    Ok(())
}

impl<'i> DeclarationParser<'i> for Reader<'_> {
    type Declaration = ();
    type Error = ();

    fn parse_value(&mut self, name: CowRcStr<'i>, input: &mut Parser<'i>, _: &ParserState) -> Passed {
        if name.starts_with("--") {
            while input.next().is_ok() {}
            return Ok(());
        }
        skip_value(input)
    }
}

impl<'i> QualifiedRuleParser<'i> for Reader<'_> {
    type Prelude = ();
    type QualifiedRule = ();
    type Error = ();

    fn parse_prelude(&mut self, input: &mut Parser<'i>) -> Passed {
        while input.next().is_ok() {}
        Ok(())
    }

    fn parse_block(&mut self, (): (), _: &ParserState, input: &mut Parser<'i>) -> Passed {
        let outer = self.scope();
        let scope = Scope { media: outer.media.clone(), applies: outer.applies };
        self.in_style_rule += 1;
        self.body(scope, input);
        self.in_style_rule -= 1;
        Ok(())
    }
}

/// The prelude of an at-rule whose block is parsed.
enum Prelude {
    FontFace,
    Media(String),
    Group,
}

impl<'i> AtRuleParser<'i> for Reader<'_> {
    type Prelude = Prelude;
    type AtRule = ();
    type Error = ();

    fn parse_prelude(&mut self, name: CowRcStr<'i>, input: &mut Parser<'i>) -> Passed<Prelude> {
        let start = input.position();
        let is_empty = input.is_exhausted();
        while input.next().is_ok() {}
        let text = input.slice_from(start).trim();
        cssparser::match_ignore_ascii_case! { &name,
            "font-face" if is_empty && self.in_style_rule == 0 => Ok(Prelude::FontFace),
            "media" => Ok(Prelude::Media(text.to_owned())),
            "layer" | "supports" | "container" | "scope" | "starting-style" => Ok(Prelude::Group),
            _ => Err(ParseError::unexpected_token()),
        }
    }

    fn rule_without_block(&mut self, _: Prelude, _: &ParserState) -> Result<(), ()> {
        Ok(())
    }

    fn parse_block(&mut self, prelude: Prelude, _: &ParserState, input: &mut Parser<'i>) -> Passed {
        let outer = self.scope();
        match prelude {
            Prelude::FontFace => self.face(Descriptors::read(input)),
            Prelude::Group => {
                let scope = Scope { media: outer.media.clone(), applies: outer.applies };
                self.body(scope, input);
            }
            Prelude::Media(query) => {
                let applies = outer.applies && applies_to_screen(&query);
                let media = match &outer.media {
                    Some(outer) => format!("{outer} and {query}"),
                    None => query,
                };
                if media.len() > MAX_CONDITION_BYTES {
                    self.collected.is_full = true;
                    return Ok(());
                }
                self.body(Scope { media: Some(Rc::from(media)), applies }, input);
            }
        }
        Ok(())
    }
}

impl RuleBodyItemParser<'_, (), ()> for Reader<'_> {
    fn parse_declarations(&self) -> bool {
        self.in_style_rule > 0
    }

    fn parse_qualified(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn media_for_screens() {
        for (media, applies) in [
            ("screen", true),
            ("print", false),
            ("print, screen", true),
            ("only print", false),
            ("only screen and (max-width: 600px)", true),
            ("(min-width: 1px)", true),
            ("not print", true),
            ("not all", false),
            ("not screen and (x)", false),
            ("PRINT and (orientation: landscape)", false),
            ("speech", false),
        ] {
            assert_eq!(applies_to_screen(media), applies, "{media}");
        }
    }
}
