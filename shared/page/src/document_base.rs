//! Resolves the URLs in a document's markup.

use encoding_rs::{Encoding, UTF_8};
use std::borrow::Cow;
use std::ops::Deref;
use url::{ParseError, Url};

/// The base URL of a document, and its encoding, in which browsers write queries (URL Standard, "URL parser" with an
/// encoding). Dereferences to the URL.
#[derive(Debug, Clone)]
pub struct DocumentBase {
    url: Url,
    encoding: &'static Encoding,
}

impl DocumentBase {
    /// Returns the base of a document in the encoding of that name; of one in UTF-8 if the name is unknown.
    pub fn new(url: Url, encoding: &str) -> Self {
        let encoding = Encoding::for_label(encoding.as_bytes()).unwrap_or(UTF_8).output_encoding();
        Self { url, encoding }
    }

    /// Returns the absolute URL of a reference in an attribute.
    ///
    /// # Errors
    /// The reference is no URL.
    pub fn join(&self, reference: &str) -> Result<Url, ParseError> {
        if self.encoding == UTF_8 || reference.is_ascii() {
            return self.url.join(reference);
        }
        let encode = query_encoder(self.encoding);
        Url::options().base_url(Some(&self.url)).encoding_override(Some(&encode)).parse(reference)
    }
}

impl From<Url> for DocumentBase {
    fn from(url: Url) -> Self {
        Self { url, encoding: UTF_8 }
    }
}

impl Deref for DocumentBase {
    type Target = Url;

    fn deref(&self) -> &Url {
        &self.url
    }
}

fn query_encoder(encoding: &'static Encoding) -> impl Fn(&str) -> Cow<'_, [u8]> {
    move |query| Cow::Owned(encode(encoding, query))
}

/// Encodes a query. A character that the encoding lacks becomes a numeric character reference, which is percent-encoded
/// as a whole.
fn encode(encoding: &'static Encoding, query: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(query.len());
    for run in query.split_inclusive(|c: char| !c.is_ascii()) {
        let (encoded, _, is_unmappable) = encoding.encode(run);
        match run.chars().next_back().filter(|_| is_unmappable) {
            Some(last) => {
                bytes.extend_from_slice(&run.as_bytes()[..run.len() - last.len_utf8()]);
                bytes.extend_from_slice(format!("%26%23{}%3B", u32::from(last)).as_bytes());
            }
            None => bytes.extend_from_slice(&encoded),
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The expected URLs are those that Chromium requests.
    #[test]
    fn queries_are_in_the_encoding_of_the_document() {
        for (encoding, reference, expected) in [
            ("windows-1251", "/pic?name=фото", "https://a.test/pic?name=%F4%EE%F2%EE"),
            ("windows-1251", "/фото.png", "https://a.test/%D1%84%D0%BE%D1%82%D0%BE.png"),
            ("windows-1251", "?n=ф😀&m=я#ф", "https://a.test/dir/?n=%F4%26%23128512%3B&m=%FF#%D1%84"),
            ("Shift_JIS", "?q=日本", "https://a.test/dir/?q=%93%FA%96{"),
            ("gbk", "?q=中", "https://a.test/dir/?q=%D6%D0"),
            ("utf-16le", "?q=é", "https://a.test/dir/?q=%C3%A9"),
            ("", "?q=é", "https://a.test/dir/?q=%C3%A9"),
            ("windows-1251", "data:image/svg+xml,<svg>ф?ф", "data:image/svg+xml,<svg>%D1%84?%D1%84"),
        ] {
            let base = DocumentBase::new(Url::parse("https://a.test/dir/").unwrap(), encoding);
            assert_eq!(base.join(reference).unwrap().as_str(), expected, "{encoding} {reference}");
        }
    }
}
