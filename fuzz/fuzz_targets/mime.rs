//! Headers of answers: media types, encodings and what they do to a text, refreshes, signs of a challenge.
#![no_main]

use libfuzzer_sys::{Corpus, fuzz_target};
use limner_fuzz::input::{SEPARATOR, fields};
use limner_page::charset::{decode_css, decode_html};
use limner_page::media_type::MediaType;
use limner_page::page_health::{ResponseInfo as Response, assess, assess_rendered};
use limner_page::references::{imports, refresh};
use limner_page::{Document, DocumentBase};
use url::Url;

fuzz_target!(|data: &[u8]| -> Corpus {
    let Some(at) = data.iter().position(|byte| *byte == SEPARATOR) else { return Corpus::Reject };
    let (head, body) = (&data[..at], &data[at + 1..]);
    let headers = fields(head).concat();
    let lines: Vec<&str> = headers.split('\n').collect();
    let content_type = MediaType::parse(lines[0]);
    let essence = &content_type.essence;
    assert_eq!(*essence, MediaType::parse(essence).essence, "a media type is read as itself");
    let host = lines.get(1).copied();
    let html = decode_html(body, &content_type, host).text;
    let css = decode_css(body, &content_type, encoding_of(&content_type)).text;
    let page = Url::parse("https://page.example/dir/").expect("an address");
    for url in imports(&css, &page) {
        assert!(matches!(url.scheme(), "http" | "https" | "data"), "{url}");
    }
    let base = DocumentBase::new(page.clone(), content_type.charset.as_deref().unwrap_or_default());
    if let Some(url) = refresh(lines.get(2).unwrap_or(&""), &page, &base) {
        assert!(matches!(url.scheme(), "http" | "https"), "{url}");
    }
    let headers: Vec<(String, String)> = lines
        .iter()
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    let document = Document::parse(&html);
    let response = Response { status: 403, requested: &page, url: &page, headers: &headers, html: &html };
    assess(&response, &document);
    assess_rendered(&response, &document);
    Corpus::Keep
});

fn encoding_of(content_type: &MediaType) -> &'static encoding_rs::Encoding {
    let label = content_type.charset.as_deref().unwrap_or_default();
    encoding_rs::Encoding::for_label(label.as_bytes()).unwrap_or(encoding_rs::UTF_8)
}
