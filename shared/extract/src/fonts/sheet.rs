//! What the sheets of a page say about fonts: faces, font stacks with their selectors, custom properties and generated
//! text.

use super::descriptors::{Descriptors, Span, Style};
use super::src::{self, Source};
use cssparser::{
    AtRuleParser, CowRcStr, DeclarationParser, ParseError, Parser, ParserState, QualifiedRuleParser,
    RuleBodyItemParser, RuleBodyParser, StyleSheetParser, Token, UnicodeRange,
};
use limner_page::PageSnapshot;
use limner_types::result::FontSrc;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;
use url::Url;

/// Distinct faces kept. A result of the largest size holds fewer.
const MOST_FACES: usize = 40_000;
/// Declarations of fonts, custom properties and generated text kept, each.
const MOST_DECLARATIONS: usize = 20_000;
/// Longest value of those, in bytes.
const MOST_VALUE_BYTES: usize = 2_000;
/// Deepest chain of `@import`.
const MOST_IMPORTS: usize = 32;

/// One kept `@font-face` rule.
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
    /// The condition around it.
    pub(super) media: Option<Rc<str>>,
    /// Whether a screen could load it.
    pub(super) applies: bool,
    sheet: Option<usize>,
}

impl Face {
    pub(super) fn urls(&self) -> impl Iterator<Item = &str> {
        self.src.iter().filter_map(|src| src.url.as_deref())
    }
}

/// `font-family` or `font` of a style rule.
#[derive(Debug)]
pub(super) struct FontDeclaration {
    pub(super) selector: Rc<str>,
    /// The value as written, of `font-family` or (`true`) of the shorthand.
    pub(super) value: String,
    pub(super) is_shorthand: bool,
}

/// Everything found.
#[derive(Debug, Default)]
pub(super) struct Collected {
    pub(super) faces: Vec<Face>,
    /// Whether faces were dropped.
    pub(super) is_full: bool,
    pub(super) declarations: Vec<FontDeclaration>,
    /// Values of custom properties, each once.
    pub(super) custom: HashMap<String, Vec<String>>,
    /// Characters in `content`.
    pub(super) generated: BTreeSet<u32>,
    sheets: Vec<String>,
    known: HashSet<String>,
    custom_values: usize,
}

impl Collected {
    /// Address of the sheet that a face stands in.
    pub(super) fn sheet_of(&self, face: &Face) -> Option<&str> {
        face.sheet.and_then(|index| self.sheets.get(index)).map(String::as_str)
    }

    fn add_face(&mut self, face: Face) {
        let identity = format!(
            "{}|{}|{}|{:?}|{:?}|{:?}|{:?}",
            face.family, face.weight, face.style, face.stretch, face.unicode_range, face.src, face.media
        );
        if self.faces.len() >= MOST_FACES {
            self.is_full |= !self.known.contains(&identity);
        } else if self.known.insert(identity) {
            self.faces.push(face);
        }
    }

    pub(super) fn add_custom(&mut self, name: &str, value: &str) {
        if self.custom_values >= MOST_DECLARATIONS || value.len() > MOST_VALUE_BYTES {
            return;
        }
        let values = self.custom.entry(name.to_owned()).or_default();
        if !values.iter().any(|known| known == value) {
            values.push(value.to_owned());
            self.custom_values += 1;
        }
    }
}

/// Reads every sheet of the page in order.
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

/// Where a sheet stands.
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
    // What is imported comes before the sheet itself.
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
    let mut parser = Parser::new(text);
    for rule in StyleSheetParser::new(&mut parser, &mut reader) {
        // A rule that does not parse is dropped; the next one is read all the same.
        drop(rule);
    }
}

/// The rules around what is being read.
struct Scope {
    media: Option<Rc<str>>,
    applies: bool,
    selector: Option<Rc<str>>,
}

impl Scope {
    fn top(place: &Place<'_>) -> Self {
        let media = Some(place.media).filter(|media| !media.is_empty() && !media.eq_ignore_ascii_case("all"));
        let applies = place.applies && media.is_none_or(applies_to_screen);
        Self { media: media.map(Rc::from), applies, selector: None }
    }
}

/// Whether some query of the list could hold on a screen, of whatever size.
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

/// The rest of a declaration as written, without `!important`; an error when it holds a block.
fn value<'i>(input: &mut Parser<'i>) -> Passed<&'i str> {
    input.skip_whitespace();
    let start = input.position();
    let mut end = start;
    loop {
        match input.next() {
            Ok(Token::CurlyBracketBlock) => return Err(ParseError::unexpected_token()),
            Ok(Token::Delim('!')) => break,
            Ok(Token::Function(_) | Token::ParenthesisBlock | Token::SquareBracketBlock) => {
                input.parse_nested_block(|inner| {
                    while inner.next().is_ok() {}
                    Ok::<(), ParseError<()>>(())
                })?;
            }
            Ok(_) => {}
            Err(_) => break,
        }
        end = input.position();
    }
    while input.next().is_ok() {}
    Ok(input.slice(start..end))
}

impl<'i> DeclarationParser<'i> for Reader<'_> {
    type Declaration = ();
    type Error = ();

    fn parse_value(&mut self, name: CowRcStr<'i>, input: &mut Parser<'i>, _: &ParserState) -> Passed {
        if name.starts_with("--") {
            // Custom properties may hold blocks; those hold no font stack.
            let text = value(input).unwrap_or_default();
            while input.next().is_ok() {}
            if self.scope().applies && !text.is_empty() {
                self.collected.add_custom(&name, text);
            }
            return Ok(());
        }
        let is_shorthand = name.eq_ignore_ascii_case("font");
        let is_font = is_shorthand || name.eq_ignore_ascii_case("font-family");
        let is_content = name.eq_ignore_ascii_case("content");
        let text = value(input)?;
        let Some(selector) = self.scope().selector.clone().filter(|_| self.scope().applies) else { return Ok(()) };
        let has_room = self.collected.declarations.len() < MOST_DECLARATIONS && text.len() <= MOST_VALUE_BYTES;
        if is_font && has_room {
            self.collected.declarations.push(FontDeclaration { selector, value: text.to_owned(), is_shorthand });
        } else if is_content && self.collected.generated.len() < MOST_DECLARATIONS {
            let mut strings = Parser::new(text);
            while let Ok(token) = strings.next() {
                if let Token::QuotedString(text) = token {
                    self.collected.generated.extend(text.chars().map(u32::from));
                }
            }
        }
        Ok(())
    }
}

impl<'i> QualifiedRuleParser<'i> for Reader<'_> {
    type Prelude = Rc<str>;
    type QualifiedRule = ();
    type Error = ();

    fn parse_prelude(&mut self, input: &mut Parser<'i>) -> Passed<Rc<str>> {
        let start = input.position();
        while input.next().is_ok() {}
        Ok(Rc::from(input.slice_from(start).trim()))
    }

    fn parse_block(&mut self, selector: Rc<str>, _: &ParserState, input: &mut Parser<'i>) -> Passed {
        let outer = self.scope();
        let selector = match &outer.selector {
            None => selector,
            Some(outer) if selector.len() + outer.len() > MOST_VALUE_BYTES => selector,
            Some(outer) if selector.contains('&') => Rc::from(selector.replace('&', &format!(":is({outer})"))),
            Some(outer) => Rc::from(format!(":is({outer}) {selector}")),
        };
        let scope = Scope { media: outer.media.clone(), applies: outer.applies, selector: Some(selector) };
        self.in_style_rule += 1;
        self.body(scope, input);
        self.in_style_rule -= 1;
        Ok(())
    }
}

/// The start of an at-rule that is read on.
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
        let selector = outer.selector.clone();
        match prelude {
            Prelude::FontFace => self.face(Descriptors::read(input)),
            Prelude::Group => {
                let scope = Scope { media: outer.media.clone(), applies: outer.applies, selector };
                self.body(scope, input);
            }
            Prelude::Media(query) => {
                let applies = outer.applies && applies_to_screen(&query);
                let media = match &outer.media {
                    Some(outer) => format!("{outer} and {query}"),
                    None => query,
                };
                self.body(Scope { media: Some(Rc::from(media)), applies, selector }, input);
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
