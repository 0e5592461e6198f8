//! The `Content-Type` header, parsed as browsers do (WHATWG MIME Sniffing, "parse a MIME type").

/// A media type without parameters, and its `charset`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MediaType {
    /// `type/subtype` in lower case; empty if the header is missing or invalid.
    pub essence: String,
    /// The first `charset` parameter, unchanged.
    pub charset: Option<String>,
}

impl MediaType {
    /// Parses a header value.
    pub fn parse(header: &str) -> Self {
        let header = header.trim_matches(is_http_whitespace);
        let (essence, parameters) = header.split_once(';').unwrap_or((header, ""));
        let essence = essence.trim_end_matches(is_http_whitespace);
        let Some((kind, subtype)) = essence.split_once('/') else { return Self::default() };
        if !is_token(kind) || !is_token(subtype) {
            return Self::default();
        }
        Self { essence: essence.to_ascii_lowercase(), charset: charset(parameters) }
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

fn charset(parameters: &str) -> Option<String> {
    let mut rest = parameters;
    while !rest.is_empty() {
        let (name, value, after) = next_parameter(rest);
        if name.eq_ignore_ascii_case("charset") && !value.is_empty() {
            return Some(value);
        }
        rest = after;
    }
    None
}

/// Splits off the first parameter; returns name, value and the text after its semicolon.
fn next_parameter(text: &str) -> (&str, String, &str) {
    let text = text.trim_start_matches(is_http_whitespace);
    let name_end = text.find([';', '=']).unwrap_or(text.len());
    let (name, rest) = text.split_at(name_end);
    let Some(value) = rest.strip_prefix('=') else {
        return (name, String::new(), rest.strip_prefix(';').unwrap_or(""));
    };
    if let Some(quoted) = value.strip_prefix('"') {
        let (value, rest) = unquote(quoted);
        let after = rest.find(';').map_or("", |semicolon| &rest[semicolon + 1..]);
        return (name, value, after);
    }
    let (value, after) = value.split_once(';').unwrap_or((value, ""));
    (name, value.trim_end_matches(is_http_whitespace).to_owned(), after)
}

/// Returns the contents up to the closing quote, and the text after it.
fn unquote(quoted: &str) -> (String, &str) {
    let mut value = String::new();
    let mut letters = quoted.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '"' => return (value, &quoted[at + 1..]),
            '\\' => value.push(letters.next().map_or('\\', |(_, escaped)| escaped)),
            other => value.push(other),
        }
    }
    (value, "")
}

fn is_http_whitespace(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r' | '\n')
}

fn is_token(text: &str) -> bool {
    let is_token_byte = |b: u8| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&b);
    !text.is_empty() && text.bytes().all(is_token_byte)
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
