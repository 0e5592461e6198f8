//! `data:` URLs (Fetch, "data: URL processor").

use crate::media_type::MediaType;
use std::borrow::Cow;
use url::Url;

/// The contents of a `data:` URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataUrl {
    /// Its media type; `text/plain` if none is given.
    pub media_type: MediaType,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// Most bytes in front of the comma.
const MAX_HEAD_BYTES: usize = "data:;base64,".len() + MediaType::MAX_HEADER_BYTES;

impl DataUrl {
    /// Parses a `data:` URL; returns `None` for other URLs and for invalid base64.
    pub fn parse(url: &Url) -> Option<Self> {
        Self::read(url.as_str())
    }

    /// Reads a `data:` address whose author may have forgotten to escape the `#` of a colour: what is not base64 goes on
    /// where the standard has it end.
    pub fn parse_with_fragment(url: &Url) -> Option<Self> {
        let address = url.as_str();
        let escaped = if url.fragment().is_some() { Cow::Owned(address.replace('#', "%23")) } else { address.into() };
        Self::read(&escaped).or_else(|| Self::read(address))
    }

    fn read(address: &str) -> Option<Self> {
        // Parameters are compared with each other: what is before the comma has to be short.
        if !address.as_bytes().iter().take(MAX_HEAD_BYTES).any(|byte| *byte == b',') {
            return None;
        }
        let data = data_url::DataUrl::process(address).ok()?;
        let (bytes, _) = data.decode_to_vec().ok()?;
        Some(Self { media_type: MediaType::from(data.mime_type()), bytes })
    }
}

/// Returns the media type that a `data:` URL declares, in lower case and without parameters: empty if there is none or an
/// invalid one. `None` for other URLs. Nothing after the comma is read.
pub fn declared_media_type(url: &Url) -> Option<String> {
    let rest = url.as_str().strip_prefix("data:")?;
    let head = rest.split_once(',').map_or(rest, |(head, _)| head);
    Some(MediaType::parse(head).essence)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn media_types_are_declared_before_the_comma() {
        for (address, expected) in [
            ("data:image/PNG;base64,AAAA", Some("image/png")),
            ("data: image/svg+xml ;utf8,<svg/>", Some("image/svg+xml")),
            ("data:;charset=x,image/png", Some("")),
            ("data:,a", Some("")),
            ("data:image,a", Some("")),
            ("data:image/gif", Some("image/gif")),
            ("https://a.test/a.png", None),
        ] {
            assert_eq!(declared_media_type(&Url::parse(address).unwrap()).as_deref(), expected, "{address}");
        }
    }

    fn shown(read: Option<DataUrl>) -> Option<(String, String)> {
        read.map(|data| (data.media_type.essence, String::from_utf8(data.bytes).unwrap()))
    }

    #[test]
    fn data_urls_are_decoded_as_in_browsers() {
        for (address, expected) in [
            ("data:,a%20b", Some(("text/plain", "a b"))),
            ("data:text/css,a{}", Some(("text/css", "a{}"))),
            ("data:TEXT/CSS;charset=utf-8;base64,YXt9", Some(("text/css", "a{}"))),
            ("data:text/css; base64 ,YXt9", Some(("text/css", "a{}"))),
            ("data:;base64,YQ", Some(("text/plain", "a"))),
            ("data:;charset=x,a", Some(("text/plain", "a"))),
            ("data:text/css;base64,Y%20X%0At9", Some(("text/css", "a{}"))),
            ("data:text/css,a?b#c", Some(("text/css", "a?b"))),
            ("data:nonsense,a", Some(("text/plain", "a"))),
            ("data:text/css;base64,!", None),
            ("data:text/css", None),
            ("https://a.test/,", None),
        ] {
            let expected = expected.map(|(kind, text)| (kind.to_owned(), text.to_owned()));
            assert_eq!(shown(DataUrl::parse(&Url::parse(address).unwrap())), expected, "{address}");
        }
    }

    #[test]
    fn drawings_with_a_bare_number_sign_are_read_to_their_end() {
        for (address, body) in [
            ("data:image/svg+xml,<svg/>", Some("<svg/>")),
            ("data:image/svg+xml;utf8,<svg a='b c'/>", Some("<svg a='b c'/>")),
            ("data:Image/SVG+XML;charset=utf-8,%3Csvg%2F%3E", Some("<svg/>")),
            ("data:image/svg+xml;base64,PHN2Zy8+", Some("<svg/>")),
            ("data:image/svg+xml; charset=utf-8 ; base64,PHN2%0AZy8+", Some("<svg/>")),
            ("data:image/svg+xml,<svg fill='#f00'/>", Some("<svg fill='#f00'/>")),
            ("data:image/svg+xml;base64,PHN2Zy8+#icon", Some("<svg/>")),
            ("data:image/svg+xml;base64,!!", None),
            ("data:image/svg+xml", None),
        ] {
            let read = shown(DataUrl::parse_with_fragment(&Url::parse(address).unwrap()));
            assert_eq!(read, body.map(|body| ("image/svg+xml".to_owned(), body.to_owned())), "{address}");
        }
    }
    #[test]
    fn media_types_in_front_of_the_comma_are_bounded() {
        let address = |count: usize| Url::parse(&format!("data:text/css{},a", ";a=1".repeat(count))).unwrap();
        assert!(DataUrl::parse(&address(1000)).is_some());
        assert!(DataUrl::parse(&address(1100)).is_none());
    }
}
