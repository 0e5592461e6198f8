//! Parses RSS 2.0, Atom and JSON feeds for the enclosures of their entries.
//!
//! Entities that a feed declares are never expanded and external resources are never loaded: such
//! references stay as written. Those of HTML, which many feeds use without declaring them, are
//! resolved. The amount of data read from a feed is limited. A truncated or malformed feed yields
//! the entries before the error.

mod json;

use crate::media::{attribute_text, duration};
use limner_page::character_references::{resolve, unescape};
use limner_page::charset::decode_xml;
use limner_page::{Document, DocumentBase, Resource};
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use url::Url;

/// Maximum number of enclosures per feed, and of all findings of a page: who reaches it has a truncated result.
pub(crate) const MAX_ENCLOSURES: usize = 20_000;
/// Maximum number of parser events per feed.
const MAX_EVENTS: usize = 2_000_000;
/// Maximum number of bytes per feed.
const MAX_BYTES: usize = 10 * 1024 * 1024;
/// Maximum number of attributes per element.
const MAX_ATTRIBUTES: usize = 256;
/// Maximum length of an element's text, in bytes; the rest is cut off.
const MAX_TEXT_BYTES: usize = 4_096;
/// Maximum length of an `xml:base`, in bytes; longer ones are ignored.
const MAX_BASE_BYTES: usize = 4_096;

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
    /// True if nothing says that the file is audio, so that only its name can: Media RSS attaches
    /// images as well.
    pub(crate) is_uncertain: bool,
}

/// Indicates that a document is no feed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the document is neither RSS nor Atom nor JSON Feed")]
pub(crate) struct NotAFeed;

/// Returns the enclosures of a feed, in order.
///
/// # Errors
/// The document is no feed.
pub(crate) fn enclosures(feed: &Resource) -> Result<Vec<Enclosure>, NotAFeed> {
    let bytes = &feed.body[..feed.body.len().min(MAX_BYTES)];
    let text = decode_xml(bytes, feed.charset.as_deref()).text;
    if text.trim_start().starts_with('{') {
        return json::enclosures(&text).ok_or(NotAFeed);
    }
    let mut reader = Reader::from_str(&text);
    let config = reader.config_mut();
    config.check_end_names = false;
    config.allow_unmatched_ends = true;
    config.allow_dangling_amp = true;
    let mut feed = FeedParser { url: Url::parse(&feed.url).ok(), ..FeedParser::default() };
    for _ in 0..MAX_EVENTS {
        let Ok(event) = reader.read_event() else { break };
        match event {
            Event::Eof => break,
            event => feed.handle_event(&event),
        }
        if feed.enclosures.len() >= MAX_ENCLOSURES || feed.is_something_else {
            break;
        }
    }
    // The entry in which the feed ends prematurely.
    feed.end_entry();
    if feed.is_feed { Ok(feed.enclosures) } else { Err(NotAFeed) }
}

/// The target of the text being read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TextTarget {
    Title,
    /// A title that is markup (Atom's `type="html"`).
    MarkupTitle,
    Duration,
    /// The URL of an enclosure that has no `url`.
    Enclosure,
}

/// The parser state.
#[derive(Debug, Default)]
struct FeedParser {
    is_feed: bool,
    is_something_else: bool,
    /// The URL of the document, if it is known.
    url: Option<Url>,
    /// The `xml:base` of the feed, resolved.
    base: Option<Url>,
    /// The current entry with its depth of open elements.
    entry: Option<FeedEntry>,
    enclosures: Vec<Enclosure>,
}

#[derive(Debug, Default)]
struct FeedEntry {
    /// Its `xml:base` as written.
    base: Option<String>,
    depth: usize,
    reading: Option<TextTarget>,
    text: String,
    title: Option<String>,
    duration: Option<f64>,
    enclosures: Vec<Enclosure>,
    /// The element that contains alternatives, while it is open at depth 1.
    group: Option<Group>,
}

/// An element of an entry with further enclosures.
#[derive(Debug)]
enum Group {
    /// `media:group`.
    Media,
    /// `podcast:alternateEnclosure`, whose `podcast:source` elements share its description.
    Alternate(Enclosure),
}

impl FeedParser {
    fn handle_event(&mut self, event: &Event<'_>) {
        match event {
            Event::Start(element) => self.open(element, false),
            Event::Empty(element) => self.open(element, true),
            Event::End(element) => self.close(element.name().as_ref()),
            Event::Text(text) => self.text(&String::from_utf8_lossy(text)),
            Event::CData(text) => self.text(&String::from_utf8_lossy(text)),
            Event::GeneralRef(reference) => self.reference(&String::from_utf8_lossy(reference)),
            _ => {}
        }
    }

    fn open(&mut self, element: &BytesStart<'_>, is_empty: bool) {
        let name = element.name();
        if !self.is_feed {
            self.is_feed = matches!(element.local_name().as_ref(), b"rss" | b"feed" | b"RDF");
            self.is_something_else = !self.is_feed;
            self.base = xml_base(element).and_then(|own| resolve_base(self.url.as_ref(), &own));
            return;
        }
        match &mut self.entry {
            None if !is_empty && matches!(element.local_name().as_ref(), b"item" | b"entry") => {
                self.entry = Some(FeedEntry { base: xml_base(element), ..FeedEntry::default() });
            }
            None => {}
            Some(entry) => entry.open(name.as_ref(), element, is_empty),
        }
    }

    fn close(&mut self, name: &[u8]) {
        let Some(entry) = &mut self.entry else { return };
        // An end tag of the entry closes it, even if inner elements are still open.
        if entry.depth > 0 && !matches!(local(name), b"item" | b"entry") {
            entry.close();
            return;
        }
        self.end_entry();
    }

    fn end_entry(&mut self) {
        let Some(entry) = self.entry.take() else { return };
        if entry.enclosures.is_empty() {
            return;
        }
        let (title, duration) = (entry.title, entry.duration);
        let own = entry.base.and_then(|own| resolve_base(self.base.as_ref().or(self.url.as_ref()), &own));
        let base = own.as_ref().or(self.base.as_ref());
        let based = |url: String| base.and_then(|base| base.join(&url).ok()).map_or(url, String::from);
        let with_entry = |e: Enclosure| Enclosure {
            title: title.clone(),
            duration: duration.or(e.duration),
            url: based(e.url),
            ..e
        };
        self.enclosures.extend(entry.enclosures.into_iter().map(with_entry));
        self.enclosures.truncate(MAX_ENCLOSURES);
    }

    fn reference(&mut self, name: &str) {
        self.text(&resolve(name).unwrap_or_else(|| format!("&{name};")));
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
        if self.enclosures.len() < MAX_ENCLOSURES {
            match &self.group {
                _ if at_top => self.enclosures.extend(enclosure(name, element)),
                Some(Group::Media) if self.depth == 1 => self.enclosures.extend(media_content(name, element)),
                Some(Group::Alternate(shared)) if self.depth == 1 && local(name) == b"source" => {
                    let url = attribute(element, "uri").or_else(|| attribute(element, "url")).unwrap_or_default();
                    let media_type = attribute(element, "contentType").unwrap_or_else(|| shared.media_type.clone());
                    let is_file = !url.trim().is_empty();
                    self.enclosures.extend(is_file.then(|| Enclosure { url, media_type, ..shared.clone() }));
                }
                _ => {}
            }
        }
        if is_empty {
            return;
        }
        self.depth += 1;
        if !at_top {
            return;
        }
        self.group = match name {
            b"media:group" => Some(Group::Media),
            _ if local(name) == b"alternateEnclosure" => Some(Group::Alternate(described(element))),
            _ => None,
        };
        self.text.clear();
        self.reading = match name {
            b"title" | b"atom:title" if attribute(element, "type").is_some_and(|kind| kind.contains("html")) => {
                Some(TextTarget::MarkupTitle)
            }
            b"title" | b"atom:title" => Some(TextTarget::Title),
            b"itunes:duration" => Some(TextTarget::Duration),
            b"itunes:title" if self.title.is_none() => Some(TextTarget::Title),
            b"enclosure" if attribute(element, "url").is_none() => Some(TextTarget::Enclosure),
            _ => None,
        };
        if self.reading == Some(TextTarget::Enclosure) {
            self.enclosures.push(described(element));
        }
    }

    fn close(&mut self) {
        self.depth -= 1;
        if self.depth > 0 {
            return;
        }
        self.group = None;
        match self.reading.take() {
            Some(TextTarget::Title) => self.title = attribute_text::tidy(&self.text).or_else(|| self.title.take()),
            Some(TextTarget::MarkupTitle) => {
                let document = Document::parse_fragment(&self.text);
                let text = document.text_content(document.root());
                self.title = attribute_text::tidy(&text).or_else(|| self.title.take());
            }
            Some(TextTarget::Duration) => self.duration = duration::parse_duration(&self.text),
            Some(TextTarget::Enclosure) => self.set_url(),
            None => {}
        }
    }

    /// Sets the URL of the last enclosure to the text of its element.
    fn set_url(&mut self) {
        let Some(mut enclosure) = self.enclosures.pop() else { return };
        self.text.trim().clone_into(&mut enclosure.url);
        if !enclosure.url.is_empty() {
            self.enclosures.push(enclosure);
        }
    }
}

/// Returns the `xml:base` of an element; none if it is longer than any base should be, because each entry resolves it.
fn xml_base(element: &BytesStart<'_>) -> Option<String> {
    let mut all = element.html_attributes();
    let mut read = all.with_checks(false).take(MAX_ATTRIBUTES).flatten();
    let found = read.find(|attribute| attribute.key.as_ref() == b"xml:base")?;
    Some(unescape(&String::from_utf8_lossy(&found.value)).trim().to_owned())
        .filter(|base| (1..=MAX_BASE_BYTES).contains(&base.len()))
}

/// Resolves an `xml:base` against the one around it, or the URL of the document (XML Base, section 4).
fn resolve_base(outer: Option<&Url>, own: &str) -> Option<Url> {
    outer.map_or_else(|| Url::parse(own), |outer| outer.join(own)).ok()
}

/// Returns a name without its prefix.
fn local(name: &[u8]) -> &[u8] {
    name.rsplit(|byte| *byte == b':').next().unwrap_or(name)
}

/// Returns an attribute's value without character references. The name may have any prefix.
fn attribute(element: &BytesStart<'_>, wanted: &str) -> Option<String> {
    // The first attribute of a name wins, so the quadratic check for duplicates is unnecessary.
    let mut all = element.html_attributes();
    let mut read = all.with_checks(false).take(MAX_ATTRIBUTES).flatten();
    let found = read.find(|a| local(a.key.as_ref()).eq_ignore_ascii_case(wanted.as_bytes()))?;
    Some(unescape(&String::from_utf8_lossy(&found.value)))
}

/// Returns an enclosure with the description of its element, but without URL.
fn described(element: &BytesStart<'_>) -> Enclosure {
    let length = attribute(element, "length").or_else(|| attribute(element, "fileSize"));
    Enclosure {
        media_type: attribute(element, "type").unwrap_or_default(),
        length: length.and_then(|length| length.trim().parse().ok()).filter(|length| *length > 0),
        ..Enclosure::default()
    }
}

/// Parses `enclosure` of RSS 0.92, 1.0 (`enc:enclosure`) and 2.0, `link rel=enclosure` and
/// `content src` of Atom, and `media:content` of Media RSS.
fn enclosure(name: &[u8], element: &BytesStart<'_>) -> Option<Enclosure> {
    let url = match name {
        b"enclosure" | b"enc:enclosure" => {
            ["url", "resource", "href"].iter().find_map(|name| attribute(element, name))?
        }
        b"link" | b"atom:link" => {
            attribute(element, "rel").filter(|rel| rel == "enclosure").and(attribute(element, "href"))?
        }
        b"content" | b"atom:content" => attribute(element, "src").filter(|_| is_audio(element))?,
        _ => return media_content(name, element),
    };
    let url = url.trim().to_owned();
    (!url.is_empty()).then(|| Enclosure { url, ..described(element) })
}

fn is_audio(element: &BytesStart<'_>) -> bool {
    attribute(element, "type").is_some_and(|media_type| media_type.trim().to_ascii_lowercase().starts_with("audio/"))
}

/// Parses `media:content`.
fn media_content(name: &[u8], element: &BytesStart<'_>) -> Option<Enclosure> {
    if name != b"media:content" {
        return None;
    }
    let url = attribute(element, "url")?.trim().to_owned();
    let medium = attribute(element, "medium").unwrap_or_default();
    let is_audio = medium.eq_ignore_ascii_case("audio");
    let is_other = !medium.is_empty() && !is_audio;
    let described = described(element);
    let duration = attribute(element, "duration").as_deref().and_then(duration::parse_duration);
    let is_uncertain = !is_audio && described.media_type.is_empty();
    (!url.is_empty() && !is_other).then_some(Enclosure { url, duration, is_uncertain, ..described })
}

/// Returns the base URL of relative URLs in a feed.
pub(crate) fn base(feed_url: &str, page: &DocumentBase) -> DocumentBase {
    Url::parse(feed_url).map_or_else(|_| page.clone(), DocumentBase::from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A feed as it was fetched.
    fn fetched(bytes: impl AsRef<[u8]>) -> Resource {
        Resource { body: bytes.as_ref().to_vec(), ..Resource::default() }
    }

    fn enclosures(bytes: impl AsRef<[u8]>) -> Result<Vec<Enclosure>, NotAFeed> {
        super::enclosures(&fetched(bytes))
    }

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
    fn rss_enclosures_are_read() {
        let found = enclosures(RSS.as_bytes()).unwrap();
        let first = Enclosure {
            url: "https://a.test/1.mp3?a=1&b=2".to_owned(),
            media_type: "audio/mpeg".to_owned(),
            length: Some(123),
            title: Some("One & two".to_owned()),
            duration: Some(3723.0),
            is_uncertain: false,
        };
        assert_eq!(found, [first, Enclosure { url: "2.mp3".to_owned(), ..Enclosure::default() }]);
    }

    #[test]
    fn atom_enclosures_are_read() {
        let feed = r#"<feed xmlns="http://www.w3.org/2005/Atom"><title>x</title><entry><title type="html">A</title>
            <link href="https://a.test/post"/><link rel="enclosure" type="audio/mpeg" length="5" href="https://a.test/a.mp3"/>
            <link rel='enclosure' href='https://a.test/b.mp3'/></entry></feed>"#;
        let found = enclosures(feed.as_bytes()).unwrap();
        let read: Vec<(&str, Option<&str>)> = found.iter().map(|e| (e.url.as_str(), e.title.as_deref())).collect();
        assert_eq!(read, [("https://a.test/a.mp3", Some("A")), ("https://a.test/b.mp3", Some("A"))]);
    }

    #[test]
    fn urls_are_relative_to_the_declared_base() {
        let entry = |base: &str, href: &str| format!("<entry {base}><link rel='enclosure' href='{href}'/></entry>");
        for (feed, url) in [
            (format!("<feed>{}</feed>", entry("xml:base='/sub/'", "a.mp3")), "https://a.test/sub/a.mp3"),
            (format!("<feed>{}</feed>", entry("xml:base='sub/'", "a.mp3")), "https://a.test/pod/sub/a.mp3"),
            (format!("<feed xml:base='../x/'>{}</feed>", entry("xml:base='y/'", "a.mp3")), "https://a.test/x/y/a.mp3"),
            (format!("<feed xml:base='//b.test/'>{}</feed>", entry("", "a.mp3")), "https://b.test/a.mp3"),
            (
                format!("<feed xml:base='https://b.test/x/'>{}</feed>", entry("xml:base='y/'", "a.mp3")),
                "https://b.test/x/y/a.mp3",
            ),
            (format!("<feed xml:base='https://b.test/x/'>{}</feed>", entry("", "/a.mp3")), "https://b.test/a.mp3"),
            (format!("<feed xml:base='/x/'>{}</feed>", entry("", "https://c.test/a.mp3")), "https://c.test/a.mp3"),
            (format!("<feed>{}</feed>", entry("base='/x/'", "a.mp3")), "a.mp3"),
        ] {
            let fetched = Resource { url: "https://a.test/pod/feed.xml".to_owned(), ..fetched(&feed) };
            assert_eq!(super::enclosures(&fetched).unwrap()[0].url, url, "{feed}");
        }
    }

    #[test]
    fn feeds_in_other_encodings_are_decoded() {
        let utf16: Vec<u8> = std::iter::once(0xfeff_u16).chain(RSS.encode_utf16()).flat_map(u16::to_be_bytes).collect();
        assert_eq!(enclosures(utf16.clone()).unwrap().len(), 2);
        let latin1 = b"<?xml version='1.0' encoding='iso-8859-1'?><rss><item><title>\xe9</title><enclosure url='a.mp3'/></item></rss>";
        assert_eq!(enclosures(latin1).unwrap()[0].title.as_deref(), Some("é"));
        let cyrillic = b"<rss><item><title>\xc2\xfb\xef\xf3\xf1\xea</title><enclosure url='/\xe0.mp3'/></item></rss>";
        let declared = [b"\n <?xml version='1.0' encoding='windows-1251'?>".as_slice(), cyrillic].concat();
        let in_header = Resource { charset: Some("windows-1251".to_owned()), ..fetched(cyrillic) };
        for found in [enclosures(declared).unwrap(), super::enclosures(&in_header).unwrap()] {
            assert_eq!((found[0].title.as_deref(), found[0].url.as_str()), (Some("Выпуск"), "/а.mp3"));
        }
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
    fn declared_entities_are_not_expanded() {
        let bomb = r#"<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;&lol;">]>
            <rss><item><title>&lol2;&nbsp;x</title><enclosure url="a.mp3"/></item></rss>"#;
        let external = r#"<!DOCTYPE rss [<!entity x SYSTEM "file:///etc/passwd">]><rss><item><title>&x;</title>
            <enclosure url="a.mp3"/></item></rss>"#;
        for (feed, title) in [(bomb, "&lol2; x"), (external, "&x;")] {
            let found = enclosures(feed.as_bytes()).unwrap();
            assert_eq!((found.len(), found[0].title.as_deref()), (1, Some(title)));
        }
    }

    #[test]
    fn documents_of_other_kinds_are_rejected_as_feeds() {
        for other in ["<html><body><enclosure url='a.mp3'/></body></html>", "", "{}", "<opml/>"] {
            assert_eq!(enclosures(other.as_bytes()), Err(NotAFeed), "{other}");
        }
    }

    #[test]
    fn references_of_html_are_resolved() {
        let feed = "<rss><item><title>Snj&oacute;l &ndash; &hellip;&#x21;&nbsp;AT&T &unknown;</title>
            <enclosure url='/a.mp3?x=1&y=2&amp;z=&eacute;'/></item></rss>";
        let found = enclosures(feed).unwrap();
        assert_eq!(found[0].title.as_deref(), Some("Snjól – …! AT&T &unknown;"));
        assert_eq!(found[0].url, "/a.mp3?x=1&y=2&z=é");
    }

    #[test]
    fn titles_of_atom_may_be_markup() {
        let feed = "<feed><entry><title type='html'>&lt;b>A&lt;/b> &amp;amp; &amp;eacute;</title><link rel=enclosure href='a.mp3'/></entry></feed>";
        assert_eq!(enclosures(feed).unwrap()[0].title.as_deref(), Some("A & é"));
    }

    #[test]
    fn every_kind_of_enclosure_is_found() {
        for (item, expected) in [
            ("<enclosure>http://a.test/HoP%20135.mp3</enclosure>", vec!["http://a.test/HoP%20135.mp3"]),
            ("<enclosure type='audio/mpeg'><![CDATA[ a.mp3 ]]></enclosure>", vec!["a.mp3"]),
            ("<enclosure></enclosure>", vec![]),
            ("<enclosure href='a.mp3'/>", vec!["a.mp3"]),
            ("<enc:enclosure rdf:resource='a.mp3' enc:type='audio/mpeg'/>", vec!["a.mp3"]),
            (
                "<media:content url='a' type='audio/mpeg' duration='9'/><media:content url='b' medium='audio'/>",
                vec!["a", "b"],
            ),
            ("<media:content url='a.jpg' medium='image'/><media:content url='c' medium='video'/>", vec![]),
            ("<media:group><media:content url='a.mp3'/><media:thumbnail url='b'/></media:group>", vec!["a.mp3"]),
            (
                "<podcast:alternateEnclosure type='audio/opus' length='5'><podcast:source uri='a.opus'/>\
                 <podcast:source uri='https://b.test/a.opus'/><podcast:integrity value='x'/></podcast:alternateEnclosure>",
                vec!["a.opus", "https://b.test/a.opus"],
            ),
            ("<content type='audio/mpeg' src='a'/><content type='html'>x</content>", vec!["a"]),
            ("<source url='feed.xml'>x</source>", vec![]),
        ] {
            assert_eq!(urls(&format!("<rss><item>{item}</item></rss>")), expected, "{item}");
        }
        let found = enclosures("<rss><item><media:content url='a' duration='9'/></item></rss>").unwrap();
        assert_eq!((found[0].duration, found[0].is_uncertain), (Some(9.0), true));
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
        assert_eq!(
            urls(&item("", "&abcdefghij;&amp;&#x00000041;&#x0000000000000000000000000000041;")),
            ["&abcdefghij;&A&#x0000000000000000000000000000041;"]
        );
        let based =
            |base: &str| format!("<rss xml:base='https://a.test/{base}'>{}</rss>", "<item></item>".repeat(300_000));
        assert!(urls(&based(&"x".repeat(4_000_000))).is_empty());
        assert!(urls(&based(&"x".repeat(4_000))).is_empty());
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
        fn arbitrary_feeds_do_not_panic(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
            let _ = enclosures(bytes.clone());
            let _ = enclosures([b"<rss><item>", bytes.as_slice()].concat());
        }
    }
}
