//! Parses RSS 2.0, Atom and JSON feeds for the enclosures of their entries.
//!
//! Entities are never expanded and external resources are never loaded. A feed that declares
//! entities is rejected: no podcast needs them, but entity bombs do. The amount of data read from a
//! feed is limited. A truncated or malformed feed yields the entries before the error.

mod json;

use crate::media::{attribute_text, duration};
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use url::Url;

/// Maximum number of enclosures per feed.
const MAX_ENCLOSURES: usize = 1_000;
/// Maximum number of parser events per feed.
const MAX_EVENTS: usize = 2_000_000;
/// Maximum number of bytes per feed.
const MAX_BYTES: usize = 10 * 1024 * 1024;
/// Maximum number of attributes per element.
const MAX_ATTRIBUTES: usize = 256;
/// Maximum length of a character reference, in bytes.
const MAX_REFERENCE_BYTES: usize = 10;
/// Maximum length of an element's text, in bytes; the rest is cut off.
const MAX_TEXT_BYTES: usize = 4_096;

/// A file that an entry of a feed encloses.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Enclosure {
    /// The URL as written.
    pub(crate) url: String,
    /// The media type as written; may be empty.
    pub(crate) media_type: String,
    /// Length in bytes.
    pub(crate) length: Option<u64>,
    /// Title of the entry.
    pub(crate) title: Option<String>,
    /// Duration in seconds (`itunes:duration`).
    pub(crate) duration: Option<f64>,
}

/// The reason why a feed was rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum FeedError {
    /// It declares entities.
    #[error("the feed declares entities")]
    DeclaresEntities,
    /// It is not a feed.
    #[error("the document is neither RSS nor Atom nor JSON Feed")]
    NotAFeed,
}

/// Returns the enclosures of a feed, in order.
///
/// # Errors
/// See [`FeedError`].
pub(crate) fn enclosures(bytes: &[u8]) -> Result<Vec<Enclosure>, FeedError> {
    let text = decode(&bytes[..bytes.len().min(MAX_BYTES)]);
    if text.trim_start().starts_with('{') {
        return json::enclosures(&text).ok_or(FeedError::NotAFeed);
    }
    let mut reader = Reader::from_str(&text);
    let config = reader.config_mut();
    config.check_end_names = false;
    config.allow_unmatched_ends = true;
    config.allow_dangling_amp = true;
    let mut feed = FeedParser::default();
    for _ in 0..MAX_EVENTS {
        let Ok(event) = reader.read_event() else { break };
        match event {
            Event::Eof => break,
            Event::DocType(declaration) if has_entities(&declaration) => return Err(FeedError::DeclaresEntities),
            event => feed.handle_event(&event),
        }
        if feed.enclosures.len() >= MAX_ENCLOSURES || feed.is_something_else {
            break;
        }
    }
    // The entry in which the feed ends prematurely.
    feed.end_entry();
    if feed.is_feed { Ok(feed.enclosures) } else { Err(FeedError::NotAFeed) }
}

/// Decodes UTF-16 by its byte order mark and everything else as UTF-8. URLs are ASCII and survive
/// other encodings.
fn decode(bytes: &[u8]) -> String {
    let utf16 = |bytes: &[u8], read: fn([u8; 2]) -> u16| {
        let units: Vec<u16> = bytes.chunks_exact(2).map(|pair| read([pair[0], pair[1]])).collect();
        String::from_utf16_lossy(&units)
    };
    match bytes {
        [0xfe, 0xff, rest @ ..] => utf16(rest, u16::from_be_bytes),
        [0xff, 0xfe, rest @ ..] => utf16(rest, u16::from_le_bytes),
        [0xef, 0xbb, 0xbf, rest @ ..] => String::from_utf8_lossy(rest).into_owned(),
        _ => String::from_utf8_lossy(bytes).into_owned(),
    }
}

fn has_entities(declaration: &[u8]) -> bool {
    declaration.windows(8).any(|window| window.eq_ignore_ascii_case(b"<!ENTITY"))
}

/// The target of the text being read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TextTarget {
    Title,
    Duration,
}

/// The parser state.
#[derive(Debug, Default)]
struct FeedParser {
    is_feed: bool,
    is_something_else: bool,
    /// The current entry with its depth of open elements.
    entry: Option<FeedEntry>,
    enclosures: Vec<Enclosure>,
}

#[derive(Debug, Default)]
struct FeedEntry {
    depth: usize,
    reading: Option<TextTarget>,
    text: String,
    title: Option<String>,
    duration: Option<f64>,
    enclosures: Vec<Enclosure>,
}

impl FeedParser {
    fn handle_event(&mut self, event: &Event<'_>) {
        match event {
            Event::Start(element) => self.open(element, false),
            Event::Empty(element) => self.open(element, true),
            Event::End(element) => self.close(element.name().as_ref()),
            Event::Text(text) => self.text(&String::from_utf8_lossy(text)),
            Event::CData(text) => self.text(&String::from_utf8_lossy(text)),
            Event::GeneralRef(reference) => self.text(&resolve(&String::from_utf8_lossy(reference))),
            _ => {}
        }
    }

    fn open(&mut self, element: &BytesStart<'_>, is_empty: bool) {
        let name = element.name();
        if !self.is_feed {
            self.is_feed = matches!(element.local_name().as_ref(), b"rss" | b"feed" | b"RDF");
            self.is_something_else = !self.is_feed;
            return;
        }
        match &mut self.entry {
            None if !is_empty && matches!(element.local_name().as_ref(), b"item" | b"entry") => {
                self.entry = Some(FeedEntry::default());
            }
            None => {}
            Some(entry) => entry.open(name.as_ref(), element, is_empty),
        }
    }

    fn close(&mut self, name: &[u8]) {
        let Some(entry) = &mut self.entry else { return };
        // An end tag of the entry closes it, even if inner elements are still open.
        if entry.depth > 0 && !matches!(name, b"item" | b"entry" | b"atom:entry") {
            entry.close();
            return;
        }
        self.end_entry();
    }

    fn end_entry(&mut self) {
        let Some(entry) = self.entry.take() else { return };
        let (title, duration) = (entry.title, entry.duration);
        let with_entry = |e: Enclosure| Enclosure { title: title.clone(), duration, ..e };
        self.enclosures.extend(entry.enclosures.into_iter().map(with_entry));
        self.enclosures.truncate(MAX_ENCLOSURES);
    }

    fn text(&mut self, text: &str) {
        let Some(entry) = self.entry.as_mut().filter(|entry| entry.reading.is_some()) else { return };
        let left = MAX_TEXT_BYTES.saturating_sub(entry.text.len());
        entry.text.extend(text.chars().take(left));
    }
}

impl FeedEntry {
    fn open(&mut self, name: &[u8], element: &BytesStart<'_>, is_empty: bool) {
        let at_top = self.depth == 0;
        if at_top && self.enclosures.len() < MAX_ENCLOSURES {
            self.enclosures.extend(enclosure(name, element));
        }
        if is_empty {
            return;
        }
        self.depth += 1;
        if !at_top {
            return;
        }
        self.text.clear();
        self.reading = match name {
            b"title" => Some(TextTarget::Title),
            b"itunes:duration" => Some(TextTarget::Duration),
            b"itunes:title" if self.title.is_none() => Some(TextTarget::Title),
            _ => None,
        };
    }

    fn close(&mut self) {
        self.depth -= 1;
        if self.depth > 0 {
            return;
        }
        match self.reading.take() {
            Some(TextTarget::Title) => self.title = attribute_text::tidy(&self.text).or_else(|| self.title.take()),
            Some(TextTarget::Duration) => self.duration = duration::parse_duration(&self.text),
            None => {}
        }
    }
}

/// Parses `enclosure` of RSS and `link rel=enclosure` of Atom.
fn enclosure(name: &[u8], element: &BytesStart<'_>) -> Option<Enclosure> {
    let attribute = |wanted: &str| {
        // The first attribute of a name wins, so the quadratic check for duplicates is unnecessary.
        let mut all = element.html_attributes();
        let mut read = all.with_checks(false).take(MAX_ATTRIBUTES).flatten();
        let found = read.find(|a| a.key.as_ref().eq_ignore_ascii_case(wanted.as_bytes()))?;
        Some(unescape(&String::from_utf8_lossy(&found.value)))
    };
    let url = match name {
        b"enclosure" => attribute("url")?,
        b"link" | b"atom:link" => attribute("rel").filter(|rel| rel == "enclosure").and(attribute("href"))?,
        _ => return None,
    };
    let url = url.trim().to_owned();
    let length = attribute("length").and_then(|length| length.trim().parse().ok()).filter(|length| *length > 0);
    let media_type = attribute("type").unwrap_or_default();
    (!url.is_empty()).then_some(Enclosure { url, media_type, length, title: None, duration: None })
}

/// Replaces character references and the five predefined entities of XML; all others stay as
/// written.
fn unescape(text: &str) -> String {
    let mut read = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        read.push_str(&rest[..at]);
        let after = &rest[at + 1..];
        match after.bytes().take(MAX_REFERENCE_BYTES + 1).position(|byte| byte == b';') {
            Some(end) => {
                read.push_str(&resolve(&after[..end]));
                rest = &after[end + 1..];
            }
            None => {
                read.push('&');
                rest = after;
            }
        }
    }
    read.push_str(rest);
    read
}

fn resolve(name: &str) -> String {
    let number = |digits: &str, radix| u32::from_str_radix(digits, radix).ok().and_then(char::from_u32);
    let letter = match name {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        "nbsp" => Some(' '),
        _ => match name.strip_prefix('#') {
            Some(hex) if hex.starts_with(['x', 'X']) => number(&hex[1..], 16),
            Some(decimal) => number(decimal, 10),
            None => None,
        },
    };
    letter.map_or_else(|| format!("&{name};"), String::from)
}

/// Returns the base URL of relative URLs in a feed.
pub(crate) fn base(feed_url: &str, page: &Url) -> Url {
    Url::parse(feed_url).unwrap_or_else(|_| page.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn urls(feed: &str) -> Vec<String> {
        enclosures(feed.as_bytes()).unwrap().into_iter().map(|e| e.url).collect()
    }

    const RSS: &str = r#"<?xml version="1.0"?><!DOCTYPE rss PUBLIC "-//x//" "http://x/rss.dtd">
        <rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel><title>Show</title>
        <item><title>One &amp; <![CDATA[two]]></title><itunes:title>iTunes</itunes:title><itunes:duration>1:02:03</itunes:duration>
          <enclosure url="https://a.test/1.mp3?a=1&amp;b=2" length="123" type="audio/mpeg"/></item>
        <item><media:group><title>no</title><enclosure url="no"/></media:group><enclosure url="2.mp3" length="" type=""></enclosure></item>
        <item><title>none</title></item></channel></rss>"#;

    #[test]
    fn rss() {
        let found = enclosures(RSS.as_bytes()).unwrap();
        let first = Enclosure {
            url: "https://a.test/1.mp3?a=1&b=2".to_owned(),
            media_type: "audio/mpeg".to_owned(),
            length: Some(123),
            title: Some("One & two".to_owned()),
            duration: Some(3723.0),
        };
        assert_eq!(found, [first, Enclosure { url: "2.mp3".to_owned(), ..Enclosure::default() }]);
    }

    #[test]
    fn atom() {
        let feed = r#"<feed xmlns="http://www.w3.org/2005/Atom"><title>x</title><entry><title type="html">A</title>
            <link href="https://a.test/post"/><link rel="enclosure" type="audio/mpeg" length="5" href="https://a.test/a.mp3"/>
            <link rel='enclosure' href='https://a.test/b.mp3'/></entry></feed>"#;
        let found = enclosures(feed.as_bytes()).unwrap();
        let read: Vec<(&str, Option<&str>)> = found.iter().map(|e| (e.url.as_str(), e.title.as_deref())).collect();
        assert_eq!(read, [("https://a.test/a.mp3", Some("A")), ("https://a.test/b.mp3", Some("A"))]);
    }

    #[test]
    fn other_encodings() {
        let utf16: Vec<u8> = std::iter::once(0xfeff_u16).chain(RSS.encode_utf16()).flat_map(u16::to_be_bytes).collect();
        assert_eq!(enclosures(&utf16).unwrap().len(), 2);
        let latin1 = b"<?xml version='1.0' encoding='iso-8859-1'?><rss><item><title>\xe9</title><enclosure url='a.mp3'/></item></rss>";
        assert_eq!(enclosures(latin1).unwrap()[0].url, "a.mp3");
    }

    #[test]
    fn broken_feeds_yield_the_entries_before_the_error() {
        for (feed, expected) in [
            ("<rss><channel><item><enclosure url='a.mp3'/></item><item><encl", vec!["a.mp3"]),
            ("<rss><item><b><enclosure url='x.mp3'/></i></item><item><enclosure url='a.mp3'/></item>", vec!["a.mp3"]),
            (
                "<rss><item><enclosure url='a.mp3'></item><item><enclosure url='b.mp3'></item></rss>",
                vec!["a.mp3", "b.mp3"],
            ),
            ("<rss><item><title>x</title><enclosure url='a.mp3'/><desc", vec!["a.mp3"]),
            ("<rss></channel></rss><item><enclosure url='a.mp3'/></item>", vec!["a.mp3"]),
            ("<rss><item><enclosure url=a.mp3 /></item></rss>", vec!["a.mp3"]),
            ("<rss><item><enclosure url='a.mp3' url='b.mp3'/></item></rss>", vec!["a.mp3"]),
            ("<rss><item><enclosure url='a & b.mp3'/></item></rss>", vec!["a & b.mp3"]),
            ("<rss><item><enclosure/></item></rss>", vec![]),
        ] {
            assert_eq!(urls(feed), expected, "{feed}");
        }
    }

    #[test]
    fn entities_and_other_documents_are_rejected() {
        let bomb = r#"<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;&lol;">]>
            <rss><item><title>&lol2;</title><enclosure url="a.mp3"/></item></rss>"#;
        let external =
            r#"<!DOCTYPE rss [<!entity x SYSTEM "file:///etc/passwd">]><rss><item><title>&x;</title></item></rss>"#;
        assert_eq!(enclosures(bomb.as_bytes()), Err(FeedError::DeclaresEntities));
        assert_eq!(enclosures(external.as_bytes()), Err(FeedError::DeclaresEntities));
        for other in ["<html><body><enclosure url='a.mp3'/></body></html>", "", "{}", "<opml/>"] {
            assert_eq!(enclosures(other.as_bytes()), Err(FeedError::NotAFeed), "{other}");
        }
    }

    #[test]
    fn undeclared_entities_stay_as_written() {
        let found =
            enclosures(b"<rss><item><title>&hellip;&#x21;&nbsp;x</title><enclosure url='a'/></item></rss>").unwrap();
        assert_eq!(found[0].title.as_deref(), Some("&hellip;! x"));
    }

    /// Each takes well below a second; quadratic parsing would take minutes.
    #[test]
    fn feeds_made_to_be_slow_are_read_in_linear_time() {
        let attributes = |n: usize| (0..n).map(|at| format!(" a{at}='b'")).collect::<String>();
        let item =
            |attributes: &str, url: &str| format!("<rss><item><enclosure{attributes} url='{url}'/></item></rss>");
        assert_eq!(urls(&item(&attributes(MAX_ATTRIBUTES - 1), "a.mp3")), ["a.mp3"]);
        assert!(urls(&item(&attributes(MAX_ATTRIBUTES), "a.mp3")).is_empty());
        assert!(urls(&item(&attributes(600_000), "a.mp3")).is_empty());
        let ampersands = "&".repeat(2_000_000);
        assert_eq!(urls(&item("", &ampersands)), [ampersands]);
        assert_eq!(urls(&item("", "&abcdefghij;&amp;&#x00000041;&#x000000041;")), ["&abcdefghij;&A&#x000000041;"]);
    }

    #[test]
    fn endless_feeds_are_capped() {
        let items = "<item><title>x</title><enclosure url='a.mp3'/></item>".repeat(200_000);
        assert_eq!(urls(&format!("<rss>{items}")).len(), MAX_ENCLOSURES);
        let one_item = "<enclosure url='a.mp3'/>".repeat(400_000);
        assert_eq!(urls(&format!("<rss><item>{one_item}</item>")).len(), MAX_ENCLOSURES);
        let deep = "<a>".repeat(1_000_000);
        assert!(urls(&format!("<rss><item>{deep}")).is_empty());
        let long_title = "x".repeat(5_000_000);
        let found = enclosures(format!("<rss><item><title>{long_title}</title><enclosure url='a'/></item>").as_bytes());
        assert_eq!(found.unwrap()[0].title.as_ref().map(String::len), Some(300));
    }

    proptest! {
        #[test]
        fn never_panics(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
            let _ = enclosures(&bytes);
            let _ = enclosures(&[b"<rss><item>", bytes.as_slice()].concat());
        }
    }
}
