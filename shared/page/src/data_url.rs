//! `data:` URLs (Fetch, "data: URL processor").

use crate::media_type::MediaType;
use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use url::Url;

/// The contents of a `data:` URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataUrl {
    /// Its media type; `text/plain` if none is given.
    pub media_type: MediaType,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

const FORGIVING: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

impl DataUrl {
    /// Parses a `data:` URL; returns `None` for other URLs and for invalid base64.
    pub fn parse(url: &Url) -> Option<Self> {
        if url.scheme() != "data" {
            return None;
        }
        let text = &url[url::Position::BeforePath..url::Position::AfterQuery];
        let (kind, body) = text.split_once(',')?;
        let bytes: Vec<u8> = percent_encoding::percent_decode_str(body).collect();
        let kind = kind.trim();
        let (kind, bytes) = match strip_base64(kind) {
            Some(kind) => (kind, decode_base64(&bytes)?),
            None => (kind, bytes),
        };
        let media_type = match kind.strip_prefix(';') {
            Some(parameters) => MediaType::parse(&format!("text/plain;{parameters}")),
            None => MediaType::parse(kind),
        };
        let known = !media_type.essence.is_empty();
        Some(Self { media_type: if known { media_type } else { MediaType::parse("text/plain") }, bytes })
    }
}

fn strip_base64(kind: &str) -> Option<&str> {
    let at = kind.len().checked_sub("base64".len())?;
    let (before, word) = kind.split_at_checked(at)?;
    word.eq_ignore_ascii_case("base64").then(|| before.trim_end_matches(' ').strip_suffix(';')).flatten()
}

fn decode_base64(bytes: &[u8]) -> Option<Vec<u8>> {
    let dense: Vec<u8> = bytes.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect();
    FORGIVING.decode(dense).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

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
            let read = DataUrl::parse(&Url::parse(address).unwrap());
            let shown = read.map(|data| (data.media_type.essence, String::from_utf8(data.bytes).unwrap()));
            assert_eq!(shown, expected.map(|(kind, text)| (kind.to_owned(), text.to_owned())), "{address}");
        }
    }
}
