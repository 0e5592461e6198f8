//! Finds the encoding that a document declares (HTML, "prescan a byte stream to determine its encoding").

use super::ascii_compatible;
use encoding_rs::{Encoding, UTF_16BE, UTF_16LE};

/// Number of bytes that the standard requires to be scanned.
const STANDARD_BYTES: usize = 1_024;

/// Number of bytes scanned for pages with long scripts before the declaration: Chromium goes on to the end of the head.
const HEAD_BYTES: usize = 64 * 1_024;

/// Returns the encoding that the markup declares.
pub(super) fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    utf16_declaration(bytes)
        .or_else(|| Scanner::new(bytes, STANDARD_BYTES).first_meta())
        .or_else(|| xml_declaration(bytes))
        .or_else(|| Scanner::new(bytes, HEAD_BYTES).first_meta_of_head())
}

/// Recognises `<?x` in UTF-16 without a byte-order mark.
pub(super) fn utf16_declaration(bytes: &[u8]) -> Option<&'static Encoding> {
    match bytes.first_chunk::<6>()? {
        [0x3c, 0, 0x3f, 0, 0x78, 0] => Some(UTF_16LE),
        [0, 0x3c, 0, 0x3f, 0, 0x78] => Some(UTF_16BE),
        _ => None,
    }
}

/// Reads `<?xml … encoding="…"` (HTML, "get an XML encoding").
pub(super) fn xml_declaration(bytes: &[u8]) -> Option<&'static Encoding> {
    let bytes = &bytes[..bytes.len().min(STANDARD_BYTES)];
    if !bytes.starts_with(b"<?xml") {
        return None;
    }
    let declaration = &bytes[..bytes.iter().position(|b| *b == b'>')?];
    let after_word = find(declaration, b"encoding")? + b"encoding".len();
    let rest = declaration[after_word..].trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
    let (quote, rest) = rest.split_first().filter(|(quote, _)| matches!(quote, b'"' | b'\''))?;
    let label = &rest[..rest.iter().position(|b| b == quote)?];
    if label.iter().any(|b| *b <= b' ') {
        return None;
    }
    Encoding::for_label(label).map(ascii_compatible)
}

fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    haystack.windows(needle.len()).position(|window| window == needle)
}

fn find_ignoring_case(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    haystack.windows(needle.len()).position(|window| window.eq_ignore_ascii_case(needle))
}

/// A scanner for markup. At the end of the bytes every method returns `None`, which `?` propagates.
struct Scanner<'a> {
    bytes: &'a [u8],
    at: usize,
}

/// The construct at the current position.
enum MarkupItem<'a> {
    Meta,
    StartTag(&'a [u8]),
    EndTag,
    Other,
}

struct ScannedAttribute {
    name: Vec<u8>,
    value: Vec<u8>,
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | 0x0c | b'\r' | b' ')
}

impl<'a> Scanner<'a> {
    fn new(bytes: &'a [u8], most: usize) -> Self {
        Self { bytes: &bytes[..bytes.len().min(most)], at: 0 }
    }

    fn first_meta(mut self) -> Option<&'static Encoding> {
        loop {
            if let MarkupItem::Meta = self.step()?
                && let Some(encoding) = self.meta()?
            {
                return Some(encoding);
            }
            self.at += 1;
        }
    }

    /// Like [`Self::first_meta`], but skips raw text and stops at the end of the head.
    fn first_meta_of_head(mut self) -> Option<&'static Encoding> {
        loop {
            match self.step()? {
                MarkupItem::Meta => {
                    if let Some(encoding) = self.meta()? {
                        return Some(encoding);
                    }
                }
                MarkupItem::StartTag(name) if is_raw_text_element(name) => self.skip_text(name)?,
                MarkupItem::StartTag(name) if self.at > STANDARD_BYTES && !belongs_to_head(name) => return None,
                _ => {}
            }
            self.at += 1;
        }
    }

    fn byte(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn remaining(&self) -> &'a [u8] {
        &self.bytes[self.at.min(self.bytes.len())..]
    }

    /// Reads the current position and skips comments, declarations and tags; of `meta`, only its name.
    fn step(&mut self) -> Option<MarkupItem<'a>> {
        let rest = self.remaining();
        self.byte()?;
        if rest.starts_with(b"<!--") {
            // The dashes that open a comment may close it.
            self.at += 2 + find(&rest[2..], b"-->")? + 2;
        } else if rest.len() > 5 && rest[..5].eq_ignore_ascii_case(b"<meta") && (is_space(rest[5]) || rest[5] == b'/') {
            self.at += 5;
            return Some(MarkupItem::Meta);
        } else if rest.first() == Some(&b'<') && rest.get(1).is_some_and(u8::is_ascii_alphabetic) {
            return self.tag(1).map(MarkupItem::StartTag);
        } else if rest.starts_with(b"</") && rest.get(2).is_some_and(u8::is_ascii_alphabetic) {
            self.tag(2)?;
            return Some(MarkupItem::EndTag);
        } else if [b"<!", b"</", b"<?"].iter().any(|opening| rest.starts_with(*opening)) {
            self.at += rest.iter().position(|b| *b == b'>')?;
        }
        Some(MarkupItem::Other)
    }

    /// Skips to the end of a tag and returns its name.
    fn tag(&mut self, name_at: usize) -> Option<&'a [u8]> {
        let rest = &self.remaining()[name_at..];
        let length = rest.iter().position(|b| is_space(*b) || *b == b'>')?;
        self.at += name_at + length;
        while self.attribute()?.is_some() {}
        Some(&rest[..rest[..length].iter().position(|b| *b == b'/').unwrap_or(length)])
    }

    /// Skips to the end tag of a raw text element.
    fn skip_text(&mut self, name: &[u8]) -> Option<()> {
        let end_tag = [b"</", name].concat();
        self.at += find_ignoring_case(self.remaining(), &end_tag)?.saturating_sub(1);
        Some(())
    }

    /// Returns the encoding that a `meta` element declares.
    fn meta(&mut self) -> Option<Option<&'static Encoding>> {
        let mut seen: Vec<Vec<u8>> = Vec::new();
        let (mut is_pragma, mut needs_pragma, mut charset) = (false, None, None);
        while let Some(attribute) = self.attribute()? {
            if seen.contains(&attribute.name) {
                continue;
            }
            match attribute.name.as_slice() {
                b"http-equiv" => is_pragma |= attribute.value == b"content-type",
                b"content" if charset.is_none() => {
                    if let Some(label) = label_in_content(&attribute.value)
                        && let Some(encoding) = Encoding::for_label(label)
                    {
                        (charset, needs_pragma) = (Some(encoding), Some(true));
                    }
                }
                b"charset" => (charset, needs_pragma) = (Encoding::for_label(&attribute.value), Some(false)),
                _ => {}
            }
            seen.push(attribute.name);
        }
        let applies = matches!((needs_pragma, is_pragma), (Some(false), _) | (Some(true), true));
        Some(charset.filter(|_| applies).map(ascii_compatible))
    }

    /// Returns the next attribute in lower case; the inner value is `None` at the end of the tag (HTML, "get an
    /// attribute").
    fn attribute(&mut self) -> Option<Option<ScannedAttribute>> {
        while is_space(self.byte()?) || self.byte()? == b'/' {
            self.at += 1;
        }
        if self.byte()? == b'>' {
            return Some(None);
        }
        let mut name = Vec::new();
        loop {
            match self.byte()? {
                b'=' if !name.is_empty() => break,
                byte if is_space(byte) => {
                    self.skip_spaces()?;
                    break;
                }
                b'/' | b'>' => return Some(Some(ScannedAttribute { name, value: Vec::new() })),
                byte => name.push(byte.to_ascii_lowercase()),
            }
            self.at += 1;
        }
        if self.byte()? != b'=' {
            return Some(Some(ScannedAttribute { name, value: Vec::new() }));
        }
        self.at += 1;
        self.skip_spaces()?;
        let value = self.value()?;
        Some(Some(ScannedAttribute { name, value }))
    }

    fn value(&mut self) -> Option<Vec<u8>> {
        let mut value = Vec::new();
        let first = self.byte()?;
        if matches!(first, b'"' | b'\'') {
            loop {
                self.at += 1;
                match self.byte()? {
                    byte if byte == first => {
                        self.at += 1;
                        return Some(value);
                    }
                    byte => value.push(byte.to_ascii_lowercase()),
                }
            }
        }
        loop {
            match self.byte()? {
                byte if is_space(byte) || byte == b'>' => return Some(value),
                byte => value.push(byte.to_ascii_lowercase()),
            }
            self.at += 1;
        }
    }

    fn skip_spaces(&mut self) -> Option<()> {
        while is_space(self.byte()?) {
            self.at += 1;
        }
        Some(())
    }
}

/// HTML, "extracting a character encoding from a meta element".
fn label_in_content(content: &[u8]) -> Option<&[u8]> {
    let mut rest = content;
    loop {
        rest = &rest[find_ignoring_case(rest, b"charset")? + b"charset".len()..];
        let after = rest.trim_ascii_start();
        let Some(value) = after.strip_prefix(b"=") else { continue };
        let value = value.trim_ascii_start();
        let (first, inner) = value.split_first()?;
        if matches!(first, b'"' | b'\'') {
            return Some(&inner[..inner.iter().position(|b| b == first)?]);
        }
        let end = value.iter().position(|b| is_space(*b) || *b == b';').unwrap_or(value.len());
        return Some(&value[..end]);
    }
}

fn is_raw_text_element(name: &[u8]) -> bool {
    [&b"script"[..], b"style", b"title", b"textarea"].iter().any(|text| name.eq_ignore_ascii_case(text))
}

fn belongs_to_head(name: &[u8]) -> bool {
    let names: [&[u8]; 10] =
        [b"html", b"head", b"script", b"noscript", b"style", b"link", b"meta", b"object", b"title", b"base"];
    names.iter().any(|known| name.eq_ignore_ascii_case(known))
}
