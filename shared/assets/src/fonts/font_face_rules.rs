//! Collects the `@font-face` rules of a page's stylesheets.

use super::descriptors::{DescriptorRange, Descriptors, FontStyle};
use super::src_descriptor;
use super::src_descriptor::WrittenSource;
use crate::css_urls::MAX_CONDITION_BYTES;
use crate::image_references::key;
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
const MAX_FACES: usize = 40_000;
/// Maximum length of a chain of `@import`.
const MAX_IMPORT_DEPTH: usize = 32;

/// A valid `@font-face` rule.
#[derive(Debug)]
pub(super) struct FontFaceRule {
    pub(super) family: String,
    pub(super) weight: DescriptorRange,
    pub(super) style: FontStyle,
    pub(super) stretch: Option<DescriptorRange>,
    pub(super) display: Option<&'static str>,
    pub(super) unicode_range: Option<Vec<UnicodeRange>>,
    pub(super) variations: Vec<(String, f32)>,
    pub(super) src: Vec<FontSrc>,
    /// The enclosing condition.
    pub(super) media: Option<Rc<str>>,
    /// True if a screen may load it.
    pub(super) applies: bool,
    stylesheet: Option<usize>,
}

impl FontFaceRule {
    pub(super) fn urls(&self) -> impl Iterator<Item = &str> {
        self.src.iter().filter_map(|src| src.url.as_deref())
    }
}

/// The collected rules.
#[derive(Debug, Default)]
pub(super) struct FontFaceRules {
    pub(super) faces: Vec<FontFaceRule>,
    /// True if faces were dropped.
    pub(super) is_full: bool,
    stylesheet_urls: Vec<String>,
    /// Digests of the faces.
    digests: HashSet<[u8; 32]>,
}

impl FontFaceRules {
    /// Returns the URL of the stylesheet that contains a face.
    pub(super) fn stylesheet_url(&self, face: &FontFaceRule) -> Option<&str> {
        face.stylesheet.and_then(|index| self.stylesheet_urls.get(index)).map(String::as_str)
    }

    fn add_face(&mut self, face: FontFaceRule) {
        let identity = format!(
            "{}|{}|{}|{:?}|{:?}|{:?}|{:?}",
            face.family, face.weight, face.style, face.stretch, face.unicode_range, face.src, face.media
        );
        let identity: [u8; 32] = Sha256::digest(identity).into();
        if self.faces.len() >= MAX_FACES {
            self.is_full |= !self.digests.contains(&identity);
        } else if self.digests.insert(identity) {
            self.faces.push(face);
        }
    }
}

/// Collects the faces of all stylesheets in order.
pub(super) fn collect(page: &PageSnapshot) -> FontFaceRules {
    let mut collected = FontFaceRules::default();
    let mut imported = HashSet::new();
    for sheet in &page.sheets {
        let (Some(text), Ok(base)) = (&sheet.text, Url::parse(&sheet.base_url)) else { continue };
        let place = SheetContext {
            base: &base,
            stylesheet: sheet.href.as_deref(),
            media: sheet.media.trim(),
            applies: !sheet.alternate,
            depth: 0,
        };
        read_sheet(page, text, &place, &mut imported, &mut collected);
    }
    collected
}

/// The context of a stylesheet.
struct SheetContext<'a> {
    base: &'a Url,
    stylesheet: Option<&'a str>,
    media: &'a str,
    applies: bool,
    depth: usize,
}

fn read_sheet(
    page: &PageSnapshot,
    text: &str,
    place: &SheetContext<'_>,
    imported: &mut HashSet<String>,
    collected: &mut FontFaceRules,
) {
    if place.media.len() > MAX_CONDITION_BYTES {
        collected.is_full = true;
        return;
    }
    // Imports precede the rules of the stylesheet itself.
    for import in limner_page::references::imports(text, place.base) {
        let found = page.imports.get(import.as_str()).or_else(|| page.imports.get(key(&import)));
        let found = found.filter(|_| place.depth < MAX_IMPORT_DEPTH);
        let Some(sheet) = found.filter(|_| imported.insert(key(&import).to_owned())) else { continue };
        let Ok(base) = Url::parse(&sheet.base_url) else { continue };
        let inner = SheetContext { base: &base, stylesheet: Some(import.as_str()), depth: place.depth + 1, ..*place };
        read_sheet(page, &sheet.text, &inner, imported, collected);
    }
    let sheet = place.stylesheet.map(|href| {
        collected.stylesheet_urls.push(href.to_owned());
        collected.stylesheet_urls.len() - 1
    });
    let mut reader = FontFaceReader {
        collected,
        base: place.base,
        stylesheet: sheet,
        scopes: vec![RuleScope::top(place)],
        in_style_rule: 0,
    };
    let text = limner_style::keep_at_rule(text, "font-face");
    let mut parser = Parser::new(&text);
    for rule in StyleSheetParser::new(&mut parser, &mut reader) {
        // An invalid rule is dropped; parsing continues with the next one.
        drop(rule);
    }
}

/// The enclosing rules.
struct RuleScope {
    media: Option<Rc<str>>,
    applies: bool,
}

impl RuleScope {
    fn top(place: &SheetContext<'_>) -> Self {
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

struct FontFaceReader<'a> {
    collected: &'a mut FontFaceRules,
    base: &'a Url,
    stylesheet: Option<usize>,
    /// Innermost last; never empty.
    scopes: Vec<RuleScope>,
    in_style_rule: usize,
}

impl FontFaceReader<'_> {
    fn scope(&self) -> &RuleScope {
        &self.scopes[self.scopes.len() - 1]
    }

    fn body(&mut self, scope: RuleScope, input: &mut Parser<'_>) {
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
        let face = FontFaceRule {
            family,
            weight: read.weight.unwrap_or(DescriptorRange::Value(400.0, "")),
            style: read.style.unwrap_or(FontStyle::Keyword("normal")),
            stretch: read.stretch,
            display: read.display,
            unicode_range: read.unicode_range,
            variations: read.variations,
            src,
            media: scope.media.clone(),
            applies: scope.applies,
            stylesheet: self.stylesheet,
        };
        self.collected.add_face(face);
    }

    fn resolve(&self, source: WrittenSource) -> Option<FontSrc> {
        match source {
            WrittenSource::Local(name) => {
                Some(FontSrc { url: None, local: Some(name), format: None, tech: Vec::new() })
            }
            WrittenSource::Url { address, format, tech } => {
                let mut url = self.base.join(address.trim()).ok()?;
                url.set_fragment(None);
                let format = format.or_else(|| src_descriptor::format_of_name(&url)).map(str::to_owned);
                let tech = tech.into_iter().map(str::to_owned).collect();
                let usable = matches!(url.scheme(), "http" | "https" | "data");
                usable.then(|| FontSrc { url: Some(url.into()), local: None, format, tech })
            }
        }
    }
}

type FontFaceResult<T = ()> = Result<T, ParseError<()>>;

/// Skips a declaration's value. Returns an error if it contains a block, so that it is parsed as a
/// nested rule instead.
fn skip_value(input: &mut Parser<'_>) -> FontFaceResult {
    while let Ok(token) = input.next() {
        if matches!(token, Token::CurlyBracketBlock) {
            return Err(ParseError::unexpected_token());
        }
    }
    Ok(())
}

impl<'i> DeclarationParser<'i> for FontFaceReader<'_> {
    type Declaration = ();
    type Error = ();

    fn parse_value(&mut self, name: CowRcStr<'i>, input: &mut Parser<'i>, _: &ParserState) -> FontFaceResult {
        if name.starts_with("--") {
            while input.next().is_ok() {}
            return Ok(());
        }
        skip_value(input)
    }
}

impl<'i> QualifiedRuleParser<'i> for FontFaceReader<'_> {
    type Prelude = ();
    type QualifiedRule = ();
    type Error = ();

    fn parse_prelude(&mut self, input: &mut Parser<'i>) -> FontFaceResult {
        while input.next().is_ok() {}
        Ok(())
    }

    fn parse_block(&mut self, (): (), _: &ParserState, input: &mut Parser<'i>) -> FontFaceResult {
        let outer = self.scope();
        let scope = RuleScope { media: outer.media.clone(), applies: outer.applies };
        self.in_style_rule += 1;
        self.body(scope, input);
        self.in_style_rule -= 1;
        Ok(())
    }
}

/// The prelude of an at-rule whose block is parsed.
enum FontPrelude {
    FontFace,
    Media(String),
    Group,
}

impl<'i> AtRuleParser<'i> for FontFaceReader<'_> {
    type Prelude = FontPrelude;
    type AtRule = ();
    type Error = ();

    fn parse_prelude(&mut self, name: CowRcStr<'i>, input: &mut Parser<'i>) -> FontFaceResult<FontPrelude> {
        let start = input.position();
        let is_empty = input.is_exhausted();
        while input.next().is_ok() {}
        let text = input.slice_from(start).trim();
        cssparser::match_ignore_ascii_case! { &name,
            "font-face" if is_empty && self.in_style_rule == 0 => Ok(FontPrelude::FontFace),
            "media" => Ok(FontPrelude::Media(text.to_owned())),
            "layer" | "supports" | "container" | "scope" | "starting-style" => Ok(FontPrelude::Group),
            _ => Err(ParseError::unexpected_token()),
        }
    }

    fn rule_without_block(&mut self, _: FontPrelude, _: &ParserState) -> Result<(), ()> {
        Ok(())
    }

    fn parse_block(&mut self, prelude: FontPrelude, _: &ParserState, input: &mut Parser<'i>) -> FontFaceResult {
        let outer = self.scope();
        match prelude {
            FontPrelude::FontFace => self.face(Descriptors::parse(input)),
            FontPrelude::Group => {
                let scope = RuleScope { media: outer.media.clone(), applies: outer.applies };
                self.body(scope, input);
            }
            FontPrelude::Media(query) => {
                let applies = outer.applies && applies_to_screen(&query);
                let media = match &outer.media {
                    Some(outer) => format!("{outer} and {query}"),
                    None => query,
                };
                if media.len() > MAX_CONDITION_BYTES {
                    self.collected.is_full = true;
                    return Ok(());
                }
                self.body(RuleScope { media: Some(Rc::from(media)), applies }, input);
            }
        }
        Ok(())
    }
}

impl RuleBodyItemParser<'_, (), ()> for FontFaceReader<'_> {
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
    fn media_queries_for_screens_apply() {
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
