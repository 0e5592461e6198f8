//! Parses the descriptors of an `@font-face` rule (CSS Fonts 4 §4) as browsers do.
//!
//! <https://drafts.csswg.org/css-fonts-4/#font-face-rule>

use super::descriptor_syntax::{Parsed, name};
use super::src_descriptor;
use super::src_descriptor::WrittenSource;
use cssparser::{
    AtRuleParser, CowRcStr, DeclarationParser, ParseError, Parser, ParserState, QualifiedRuleParser,
    RuleBodyItemParser, RuleBodyParser, ToCss, Token, UnicodeRange,
};
use std::fmt;

/// The descriptors of a rule; `None` where there is no valid one.
#[derive(Debug, Default)]
pub(super) struct Descriptors {
    pub(super) family: Option<String>,
    pub(super) src: Option<Vec<WrittenSource>>,
    pub(super) weight: Option<DescriptorRange>,
    pub(super) style: Option<FontStyle>,
    pub(super) stretch: Option<DescriptorRange>,
    pub(super) display: Option<&'static str>,
    pub(super) unicode_range: Option<Vec<UnicodeRange>>,
    pub(super) variations: Vec<(String, f32)>,
}

impl Descriptors {
    /// Parses the block of a rule.
    pub(super) fn parse(input: &mut Parser<'_>) -> Self {
        let mut reader = DescriptorReader;
        let mut read = Self::default();
        for descriptor in RuleBodyParser::new(input, &mut reader).flatten() {
            read.set(descriptor);
        }
        read
    }

    fn set(&mut self, descriptor: Descriptor) {
        match descriptor {
            Descriptor::Family(family) => self.family = Some(family),
            Descriptor::Src(src) => self.src = Some(src),
            Descriptor::Weight(weight) => self.weight = Some(weight),
            Descriptor::Style(style) => self.style = Some(style),
            Descriptor::Stretch(stretch) => self.stretch = Some(stretch),
            Descriptor::Display(display) => self.display = Some(display),
            Descriptor::UnicodeRange(ranges) => self.unicode_range = Some(ranges),
            Descriptor::Variations(variations) => self.variations = variations,
        }
    }
}

/// A keyword, a value or a range of values with their unit.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum DescriptorRange {
    Keyword(&'static str),
    Value(f32, &'static str),
    Range(f32, f32, &'static str),
}

impl DescriptorRange {
    /// Creates a value or a range; browsers swap the ends if the first one is greater.
    fn new(first: f32, second: Option<f32>, unit: &'static str) -> Self {
        match second {
            None => Self::Value(first, unit),
            Some(second) => Self::Range(first.min(second), first.max(second), unit),
        }
    }

    /// Returns the ends if they differ.
    pub(super) fn range(&self) -> Option<(f32, f32)> {
        match self {
            Self::Range(low, high, _) if low < high => Some((*low, *high)),
            _ => None,
        }
    }
}

impl fmt::Display for DescriptorRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Keyword(word) => f.write_str(word),
            Self::Value(value, unit) => write!(f, "{value}{unit}"),
            Self::Range(low, high, unit) => write!(f, "{low}{unit} {high}{unit}"),
        }
    }
}

/// The value of `font-style`.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum FontStyle {
    Keyword(&'static str),
    /// `oblique` with one or two angles in degrees.
    Oblique(DescriptorRange),
}

impl fmt::Display for FontStyle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Keyword(word) => f.write_str(word),
            Self::Oblique(angles) => write!(f, "oblique {angles}"),
        }
    }
}

/// Returns the canonical form of a `unicode-range`.
pub(super) fn unicode_range_text(ranges: &[UnicodeRange]) -> String {
    ranges.iter().map(ToCss::to_css_string).collect::<Vec<_>>().join(", ")
}

enum Descriptor {
    Family(String),
    Src(Vec<WrittenSource>),
    Weight(DescriptorRange),
    Style(FontStyle),
    Stretch(DescriptorRange),
    Display(&'static str),
    UnicodeRange(Vec<UnicodeRange>),
    Variations(Vec<(String, f32)>),
}

struct DescriptorReader;

impl<'i> DeclarationParser<'i> for DescriptorReader {
    type Declaration = Descriptor;
    type Error = ();

    fn parse_value(&mut self, name: CowRcStr<'i>, input: &mut Parser<'i>, _: &ParserState) -> Parsed<Descriptor> {
        cssparser::match_ignore_ascii_case! { &name,
            "font-family" => family(input).map(Descriptor::Family),
            "src" => src_descriptor::list(input).map(Descriptor::Src),
            "font-weight" => weight(input).map(Descriptor::Weight),
            "font-style" => style(input).map(Descriptor::Style),
            "font-stretch" | "font-width" => stretch(input).map(Descriptor::Stretch),
            "font-display" => keyword(input, DISPLAYS).map(Descriptor::Display),
            "unicode-range" => unicode_range(input).map(Descriptor::UnicodeRange),
            "font-variation-settings" => variations(input).map(Descriptor::Variations),
            _ => Err(ParseError::unexpected_token()),
        }
    }
}

impl AtRuleParser<'_> for DescriptorReader {
    type Prelude = ();
    type AtRule = Descriptor;
    type Error = ();
}

impl QualifiedRuleParser<'_> for DescriptorReader {
    type Prelude = ();
    type QualifiedRule = Descriptor;
    type Error = ();
}

impl RuleBodyItemParser<'_, Descriptor, ()> for DescriptorReader {
    fn parse_declarations(&self) -> bool {
        true
    }

    fn parse_qualified(&self) -> bool {
        false
    }
}

const DISPLAYS: &[&str] = &["auto", "block", "swap", "fallback", "optional"];
const STRETCHES: &[&str] = &[
    "normal",
    "auto",
    "ultra-condensed",
    "extra-condensed",
    "condensed",
    "semi-condensed",
    "semi-expanded",
    "expanded",
    "extra-expanded",
    "ultra-expanded",
];
fn unexpected<T>() -> Parsed<T> {
    Err(ParseError::unexpected_token())
}

/// Parses one of a list of keywords.
fn keyword(input: &mut Parser<'_>, words: &'static [&'static str]) -> Parsed<&'static str> {
    let given = input.expect_ident()?;
    words.iter().find(|word| word.eq_ignore_ascii_case(given)).copied().ok_or_else(ParseError::unexpected_token)
}

fn family(input: &mut Parser<'_>) -> Parsed<String> {
    let (family, _) = name(input)?;
    // An empty name would match no `font-family`.
    if family.trim().is_empty() { unexpected() } else { Ok(family) }
}

fn weight(input: &mut Parser<'_>) -> Parsed<DescriptorRange> {
    if let Ok(word) = input.try_parse(|input| keyword(input, &["normal", "bold", "auto"])) {
        return Ok(match word {
            "normal" => DescriptorRange::Value(400.0, ""),
            "bold" => DescriptorRange::Value(700.0, ""),
            other => DescriptorRange::Keyword(other),
        });
    }
    let number = |input: &mut Parser<'_>| -> Parsed<f32> {
        let number = input.expect_number()?;
        if (1.0..=1000.0).contains(&number) { Ok(number) } else { unexpected() }
    };
    let first = number(input)?;
    Ok(DescriptorRange::new(first, input.try_parse(number).ok(), ""))
}

fn stretch(input: &mut Parser<'_>) -> Parsed<DescriptorRange> {
    if let Ok(word) = input.try_parse(|input| keyword(input, STRETCHES)) {
        return Ok(DescriptorRange::Keyword(word));
    }
    let percentage = |input: &mut Parser<'_>| -> Parsed<f32> {
        let percentage = (input.expect_percentage()? * 1e6).round() / 1e4;
        if percentage >= 0.0 { Ok(percentage) } else { unexpected() }
    };
    let first = percentage(input)?;
    Ok(DescriptorRange::new(first, input.try_parse(percentage).ok(), "%"))
}

fn style(input: &mut Parser<'_>) -> Parsed<FontStyle> {
    let word = keyword(input, &["normal", "italic", "oblique", "auto"])?;
    if word != "oblique" {
        return Ok(FontStyle::Keyword(word));
    }
    let Ok(first) = input.try_parse(angle) else { return Ok(FontStyle::Keyword(word)) };
    Ok(FontStyle::Oblique(DescriptorRange::new(first, input.try_parse(angle).ok(), "deg")))
}

/// Parses an angle into degrees from -90 to 90.
fn angle(input: &mut Parser<'_>) -> Parsed<f32> {
    let Token::Dimension { value, unit, .. } = input.next()? else { return unexpected() };
    let degrees = cssparser::match_ignore_ascii_case! { unit,
        "deg" => *value,
        "grad" => value * 0.9,
        "rad" => value.to_degrees(),
        "turn" => value * 360.0,
        _ => return unexpected(),
    };
    if (-90.0..=90.0).contains(&degrees) { Ok(degrees) } else { unexpected() }
}

fn unicode_range(input: &mut Parser<'_>) -> Parsed<Vec<UnicodeRange>> {
    input.parse_comma_separated(|input| Ok(UnicodeRange::parse(input)?))
}

/// Parses `normal`, or tags with values.
fn variations(input: &mut Parser<'_>) -> Parsed<Vec<(String, f32)>> {
    if input.try_parse(|input| input.expect_ident_matching("normal")).is_ok() {
        return Ok(Vec::new());
    }
    input.parse_comma_separated(|input| {
        let tag = input.expect_string_cloned()?;
        let is_tag = tag.len() == 4 && tag.bytes().all(|b| (0x20..0x7f).contains(&b));
        let value = input.expect_number()?;
        if is_tag { Ok((tag.to_string(), value)) } else { unexpected() }
    })
}
