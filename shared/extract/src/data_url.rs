//! Decodes `data:` URLs (RFC 2397, as the Fetch standard parses them).

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
use percent_encoding::percent_decode_str;
use url::Url;

/// A decoded `data:` URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DataUrl {
    /// Media type without parameters, in lower case.
    pub(crate) media_type: String,
    /// The decoded bytes.
    pub(crate) body: Vec<u8>,
}

/// Decodes a `data:` URL; `None` for another scheme or invalid base64.
pub(crate) fn decode(url: &Url) -> Option<DataUrl> {
    let (head, body) = url.as_str().strip_prefix("data:")?.split_once(',')?;
    let mut parameters = head.split(';').map(str::trim);
    let media_type = parameters.next().unwrap_or_default().to_ascii_lowercase();
    let is_base64 = parameters.next_back().is_some_and(|last| last.eq_ignore_ascii_case("base64"));
    let bytes: Vec<u8> = percent_decode_str(body).collect();
    let body = if is_base64 { decode_base64(bytes)? } else { bytes };
    Some(DataUrl { media_type, body })
}

/// Decodes base64 as in Infra, "forgiving-base64 decode".
fn decode_base64(mut bytes: Vec<u8>) -> Option<Vec<u8>> {
    bytes.retain(|byte| !byte.is_ascii_whitespace());
    let config = GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true);
    GeneralPurpose::new(&STANDARD, config).decode(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_encodings_are_decoded() {
        for (address, media_type, body) in [
            ("data:image/svg+xml,<svg/>", "image/svg+xml", Some("<svg/>")),
            ("data:image/svg+xml;utf8,<svg a='b c'/>", "image/svg+xml", Some("<svg a='b c'/>")),
            ("data:Image/SVG+XML;charset=utf-8,%3Csvg%2F%3E", "image/svg+xml", Some("<svg/>")),
            ("data:image/svg+xml;base64,PHN2Zy8+", "image/svg+xml", Some("<svg/>")),
            ("data:image/svg+xml; charset=utf-8 ; base64,PHN2%0AZy8+", "image/svg+xml", Some("<svg/>")),
            ("data:image/svg+xml,<svg fill='#f00'/>", "image/svg+xml", Some("<svg fill='#f00'/>")),
            ("data:,x", "", Some("x")),
            ("data:image/svg+xml;base64,!!", "", None),
            ("data:image/svg+xml", "", None),
        ] {
            let decoded = decode(&Url::parse(address).unwrap());
            let shown = decoded.as_ref().map(|d| (d.media_type.as_str(), std::str::from_utf8(&d.body).unwrap()));
            assert_eq!(shown, body.map(|body| (media_type, body)), "{address}");
        }
    }
}
