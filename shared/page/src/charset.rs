//! Decodes documents and stylesheets to UTF-8: detects the encoding by the rules of the Encoding, HTML and CSS
//! standards.
//!
//! Decoding never fails: malformed sequences become U+FFFD, as in a browser.

mod prescan;

use crate::media_type::MediaType;
use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};

/// A decoded text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decoded {
    /// The text, without byte-order mark.
    pub text: String,
    /// The original encoding.
    pub encoding: &'static Encoding,
}

/// Decodes a document: byte-order mark, then header, then the declaration in the markup, then detection.
///
/// `host` helps the detection: its top-level domain hints at the language.
pub fn decode_html(bytes: &[u8], content_type: &MediaType, host: Option<&str>) -> Decoded {
    let declared = || {
        let in_header = content_type.charset.as_deref().and_then(for_label);
        in_header.or_else(|| declared_in_markup(bytes, content_type)).unwrap_or_else(|| guess(bytes, host))
    };
    decode(bytes, declared)
}

/// Decodes XML that is no page, such as a feed: byte-order mark, then header, then the declaration, then UTF-8. Bytes
/// that are not UTF-8 although nothing else was declared are detected.
pub fn decode_xml(bytes: &[u8], charset: Option<&str>) -> Decoded {
    // Templates leave empty lines before the declaration.
    let start = bytes.trim_ascii_start();
    let declared = || {
        let in_markup = || prescan::utf16_declaration(start).or_else(|| prescan::xml_declaration(start));
        let declared = charset.and_then(for_label).or_else(in_markup).unwrap_or(UTF_8);
        let is_right = declared != UTF_8 || is_utf8(start);
        if is_right { declared } else { guess(start, None) }
    };
    decode(start, declared)
}

/// Decodes a stylesheet: byte-order mark, then header, then `@charset`, then the encoding of the referring document.
pub fn decode_css(bytes: &[u8], content_type: &MediaType, environment: &'static Encoding) -> Decoded {
    let declared = || {
        let in_header = content_type.charset.as_deref().and_then(for_label);
        in_header.or_else(|| parse_at_charset(bytes)).unwrap_or(environment)
    };
    decode(bytes, declared)
}

fn decode(bytes: &[u8], declared: impl FnOnce() -> &'static Encoding) -> Decoded {
    let (encoding, bom_length) = Encoding::for_bom(bytes).unwrap_or_else(|| (declared(), 0));
    let (text, _) = encoding.decode_without_bom_handling(&bytes[bom_length..]);
    Decoded { text: text.into_owned(), encoding }
}

/// Returns true for valid UTF-8, of which the last character may be cut off.
fn is_utf8(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).map_or_else(|error| error.error_len().is_none(), |_| true)
}

fn for_label(label: &str) -> Option<&'static Encoding> {
    Encoding::for_label(label.as_bytes())
}

fn declared_in_markup(bytes: &[u8], content_type: &MediaType) -> Option<&'static Encoding> {
    if content_type.is_xml() {
        // XML has no `meta`, and is UTF-8 unless it declares another encoding.
        return Some(prescan::utf16_declaration(bytes).or_else(|| prescan::xml_declaration(bytes)).unwrap_or(UTF_8));
    }
    prescan::declared(bytes)
}

/// Replaces encodings that markup cannot declare: the declaration was read as ASCII bytes, so the text is not UTF-16.
fn ascii_compatible(encoding: &'static Encoding) -> &'static Encoding {
    if encoding == UTF_16BE || encoding == UTF_16LE {
        UTF_8
    } else if encoding == X_USER_DEFINED {
        WINDOWS_1252
    } else {
        encoding
    }
}

/// Reads `@charset "…";` in exactly this spelling at the very start.
fn parse_at_charset(bytes: &[u8]) -> Option<&'static Encoding> {
    let rest = bytes.strip_prefix(b"@charset \"")?;
    let rest = &rest[..rest.len().min(1_014)];
    let label = &rest[..rest.iter().position(|b| *b == b'"')?];
    if rest.get(label.len() + 1) != Some(&b';') {
        return None;
    }
    let encoding = Encoding::for_label(label)?;
    Some(if encoding == UTF_16BE || encoding == UTF_16LE { UTF_8 } else { encoding })
}

/// Maximum number of bytes that detection reads.
const GUESS_FROM: usize = 256 * 1024;

fn guess(bytes: &[u8], host: Option<&str>) -> &'static Encoding {
    let sample = &bytes[..bytes.len().min(GUESS_FROM)];
    if sample.is_ascii() {
        return WINDOWS_1252;
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(sample, sample.len() == bytes.len());
    let top_level = host.and_then(|host| host.trim_end_matches('.').rsplit('.').next());
    let is_plain =
        |tld: &&str| !tld.is_empty() && tld.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
    detector.guess(top_level.filter(is_plain).map(str::as_bytes), Utf8Detection::Allow)
}

#[cfg(test)]
mod tests;
