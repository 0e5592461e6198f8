//! Parses the `src` descriptor (CSS Fonts 4 §4.3).
//!
//! <https://drafts.csswg.org/css-fonts-4/#src-desc>

use super::descriptor_syntax::{Parsed, name};
use crate::media::format;
use cssparser::{ParseError, Parser, Token};
use limner_page::data_url::declared_media_type;
use url::Url;

/// A source as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum WrittenSource {
    Url { address: String, format: Option<&'static str>, tech: Vec<&'static str> },
    Local(String),
}

/// The strings of `format()` that Chromium supports, with the format and whether the string also
/// implies `tech(variations)`.
const FORMATS: &[(&str, &str, bool)] = &[
    ("woff2", "woff2", false),
    ("woff", "woff", false),
    ("truetype", "truetype", false),
    ("opentype", "opentype", false),
    ("collection", "collection", false),
    ("woff2-variations", "woff2", true),
    ("woff-variations", "woff", true),
    ("truetype-variations", "truetype", true),
    ("opentype-variations", "opentype", true),
];
/// The values of `tech()` that Chromium supports; it does not support `features-graphite`,
/// `color-svg` and `incremental`.
const TECHNOLOGIES: &[&str] = &[
    "features-opentype",
    "features-aat",
    "color-colrv0",
    "color-colrv1",
    "color-sbix",
    "color-cbdt",
    "variations",
    "palettes",
];
/// Formats by file extension; the last two are only supported by obsolete browsers.
const EXTENSIONS: &[(&str, &str)] = &[
    ("woff2", "woff2"),
    ("woff", "woff"),
    ("ttf", "truetype"),
    ("otf", "opentype"),
    ("ttc", "collection"),
    ("otc", "collection"),
    ("eot", "embedded-opentype"),
    ("svg", "svg"),
];
/// Formats by media type.
const TYPES: &[(&str, &str)] = &[
    ("font/woff2", "woff2"),
    ("application/font-woff2", "woff2"),
    ("application/x-font-woff2", "woff2"),
    ("font/woff", "woff"),
    ("application/font-woff", "woff"),
    ("application/x-font-woff", "woff"),
    ("font/ttf", "truetype"),
    ("application/x-font-ttf", "truetype"),
    ("application/x-font-truetype", "truetype"),
    ("application/font-ttf", "truetype"),
    ("font/truetype", "truetype"),
    ("font/otf", "opentype"),
    ("application/x-font-opentype", "opentype"),
    ("application/x-font-otf", "opentype"),
    ("font/opentype", "opentype"),
    ("font/collection", "collection"),
    ("application/vnd.ms-fontobject", "embedded-opentype"),
    ("image/svg+xml", "svg"),
];

/// Returns the sources that a browser keeps. An invalid or unsupported entry is skipped.
///
/// # Errors
/// Returns an error if no source is left: then the whole descriptor is dropped.
pub(super) fn list(input: &mut Parser<'_>) -> Parsed<Vec<WrittenSource>> {
    let sources: Vec<WrittenSource> = input.parse_comma_separated_ignoring_errors(source);
    if sources.is_empty() { Err(ParseError::unexpected_token()) } else { Ok(sources) }
}

/// Returns the value with only the sources that a current browser loads: those up to the first in WOFF 2, and none for
/// obsolete browsers unless there are no others. `None` if browsers drop the whole descriptor.
pub fn supported(value: &str) -> Option<String> {
    let mut input = Parser::new(value);
    let kept: Vec<(&str, WrittenSource)> = input.parse_comma_separated_ignoring_errors(|input| {
        let start = input.position();
        let source = source(input)?;
        Ok::<_, ParseError<()>>((input.slice_from(start).trim(), source))
    });
    let is_outdated = kept.iter().all(|(_, source)| source.is_outdated());
    let end = kept.iter().position(|(_, source)| source.is_woff2()).map_or(kept.len(), |at| at + 1);
    let loaded = kept[..end].iter().filter(|(_, source)| is_outdated || !source.is_outdated());
    let texts: Vec<&str> = loaded.map(|(text, _)| *text).collect();
    (!texts.is_empty()).then(|| texts.join(", "))
}

impl WrittenSource {
    /// Returns true for a font in an obsolete format, by its file name, without an explicit
    /// `format()`.
    fn is_outdated(&self) -> bool {
        let Self::Url { address, format: None, .. } = self else { return false };
        format_of_address(address).is_some_and(|format| matches!(format, "embedded-opentype" | "svg"))
    }

    /// Returns true for a font that every current browser loads: there are no fallbacks behind it.
    fn is_woff2(&self) -> bool {
        let Self::Url { address, format, tech } = self else { return false };
        let is_usual = matches!(tech.as_slice(), [] | ["variations"]);
        is_usual && format.or_else(|| format_of_address(address)) == Some("woff2")
    }
}

/// Returns the format that the extension of an address stands for.
fn format_of_address(address: &str) -> Option<&'static str> {
    let path = address.split(['?', '#']).next().unwrap_or_default();
    let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
    format_of_extension(extension)
}

fn format_of_extension(extension: &str) -> Option<&'static str> {
    EXTENSIONS.iter().find(|(name, _)| name.eq_ignore_ascii_case(extension)).map(|(_, format)| *format)
}

fn source(input: &mut Parser<'_>) -> Parsed<WrittenSource> {
    if input.try_parse(|input| input.expect_function_matching("local")).is_ok() {
        let local = input.parse_nested_block(|input| Ok(name(input)?.0))?;
        return if local.trim().is_empty() {
            Err(ParseError::unexpected_token())
        } else {
            Ok(WrittenSource::Local(local))
        };
    }
    let address = input.expect_url()?.to_string();
    // Browsers keep an empty URL and fail to load it.
    if address.trim().is_empty() {
        return Err(ParseError::unexpected_token());
    }
    let mut format = None;
    let mut tech = Vec::new();
    if input.try_parse(|input| input.expect_function_matching("format")).is_ok() {
        let (name, has_variations) = input.parse_nested_block(format_argument)?;
        format = Some(name);
        tech.extend(has_variations.then_some("variations"));
    }
    if input.try_parse(|input| input.expect_function_matching("tech")).is_ok() {
        let listed = input.parse_nested_block(|input| input.parse_comma_separated(technology))?;
        tech.extend(listed);
        tech.dedup();
    }
    Ok(WrittenSource::Url { address, format, tech })
}

/// Parses one string or keyword; keywords have no `-variations` forms.
fn format_argument(input: &mut Parser<'_>) -> Parsed<(&'static str, bool)> {
    let (given, is_keyword) = match input.next()? {
        Token::Ident(word) => (word, true),
        Token::QuotedString(text) => (text, false),
        _ => return Err(ParseError::unexpected_token()),
    };
    let known = FORMATS.iter().find(|(word, _, _)| word.eq_ignore_ascii_case(given));
    let kept = known.filter(|(_, _, has_variations)| !(is_keyword && *has_variations));
    kept.map(|(_, format, variations)| (*format, *variations)).ok_or_else(ParseError::unexpected_token)
}

fn technology(input: &mut Parser<'_>) -> Parsed<&'static str> {
    let given = input.expect_ident()?;
    TECHNOLOGIES.iter().find(|word| word.eq_ignore_ascii_case(given)).copied().ok_or_else(ParseError::unexpected_token)
}

/// Returns the format of a media type.
pub(super) fn format_of_type(essence: &str) -> Option<&'static str> {
    TYPES.iter().find(|(name, _)| *name == essence).map(|(_, format)| *format)
}

/// Returns the format of a file name, or of the type of a `data:` URL.
pub(super) fn format_of_name(url: &Url) -> Option<&'static str> {
    if url.scheme() == "data" {
        return format_of_type(&declared_media_type(url)?);
    }
    format_of_extension(format::extension(url)?)
}
