//! The `Content-Type` header, parsed as browsers do (WHATWG MIME Sniffing, "parse a MIME type").

use data_url::mime::Mime;

/// A media type without parameters, and its `charset`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MediaType {
    /// `type/subtype` in lower case; empty if the header is missing or invalid.
    pub essence: String,
    /// The first `charset` parameter, unchanged.
    pub charset: Option<String>,
}

impl MediaType {
    /// Maximum length of a header value that is parsed, in bytes: duplicate parameters are searched for in quadratic time.
    pub(crate) const MAX_HEADER_BYTES: usize = 4096;

    /// Parses a header value.
    pub fn parse(header: &str) -> Self {
        let header = &header[..header.floor_char_boundary(Self::MAX_HEADER_BYTES)];
        header.parse::<Mime>().map_or_else(|_| Self::default(), |mime| Self::from(&mime))
    }

    /// Returns true for documents that browsers parse with the HTML vocabulary.
    pub fn is_html(&self) -> bool {
        matches!(self.essence.as_str(), "text/html" | "application/xhtml+xml")
    }

    /// Returns true for XML types.
    pub fn is_xml(&self) -> bool {
        matches!(self.essence.as_str(), "text/xml" | "application/xml") || self.essence.ends_with("+xml")
    }

    /// Returns true for video and audio, which are results without a document.
    pub fn is_media(&self) -> bool {
        ["video/", "audio/"].iter().any(|kind| self.essence.starts_with(kind))
    }
}

impl From<&Mime> for MediaType {
    fn from(mime: &Mime) -> Self {
        let charset = mime.get_parameter("charset").filter(|charset| !charset.is_empty());
        Self { essence: format!("{}/{}", mime.type_, mime.subtype), charset: charset.map(str::to_owned) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_parse_as_in_browsers() {
        for (header, essence, charset) in [
            ("text/html", "text/html", None),
            (" Text/HTML ; Charset=UTF-8", "text/html", Some("UTF-8")),
            ("text/html;charset=\"gbk\"", "text/html", Some("gbk")),
            ("text/html;charset=\"g\\bk\";x", "text/html", Some("gbk")),
            ("text/html;charset=\"gbk", "text/html", Some("gbk")),
            ("text/html; boundary=\"a;charset=b\"; charset=koi8-r", "text/html", Some("koi8-r")),
            ("text/html;charset=;charset=gbk", "text/html", Some("gbk")),
            ("text/html;;;charset = x;charset=gbk", "text/html", Some("gbk")),
            ("text/html charset=gbk", "", None),
            ("html", "", None),
            ("", "", None),
            ("text/", "", None),
            ("/html", "", None),
        ] {
            let expected = MediaType { essence: essence.to_owned(), charset: charset.map(str::to_owned) };
            assert_eq!(MediaType::parse(header), expected, "{header}");
        }
    }
}
