//! Builds small pages for tests.

use limner_page::{Document, PageSnapshot, Resource, SheetOwner, Stylesheet, references};
use limner_types::{Operation, OperationRequest, request};
use serde_json::Value;
use url::Url;

pub(crate) const PAGE_URL: &str = "https://page.example/dir/index.html";

/// Returns a page at [`PAGE_URL`] with its `style` elements as stylesheets, as the fetcher would
/// return it.
pub(crate) fn page(html: &str) -> PageSnapshot {
    let document = Document::parse(html);
    let url = Url::parse(PAGE_URL).unwrap();
    let base = document.base_url(&url);
    let inline = |reference: references::StylesheetReference| {
        let references::StylesheetSource::Inline(text) = reference.source else { return None };
        Some(Stylesheet {
            owner: SheetOwner::Style,
            element: reference.element,
            base_url: base.to_string(),
            media: reference.media,
            text: Some(text),
            ..Stylesheet::default()
        })
    };
    PageSnapshot {
        requested_url: PAGE_URL.to_owned(),
        url: PAGE_URL.to_owned(),
        status: 200,
        content_type: "text/html".to_owned(),
        html: html.to_owned(),
        sheets: references::stylesheets_with_scripting_disabled(&document, &base)
            .into_iter()
            .filter_map(inline)
            .collect(),
        ..PageSnapshot::default()
    }
}

/// Returns an external stylesheet for the `number`th stylesheet element of the page.
pub(crate) fn external_sheet(number: u32, href: &str, text: &str) -> Stylesheet {
    Stylesheet {
        element: Some(number),
        href: Some(href.to_owned()),
        base_url: href.to_owned(),
        text: Some(text.to_owned()),
        ..Stylesheet::default()
    }
}

/// Adds a subresource.
pub(crate) fn add_resource(page: &mut PageSnapshot, url: &str, content_type: &str, body: &str) {
    let resource = Resource {
        url: url.to_owned(),
        status: 200,
        content_type: content_type.to_owned(),
        body: body.as_bytes().to_vec(),
        truncated: false,
    };
    page.resources.insert(url.to_owned(), resource);
}

pub(crate) fn request(operation: Operation) -> OperationRequest {
    request::parse(operation, &[("url".to_owned(), PAGE_URL.to_owned())]).unwrap().request
}

/// Returns the result as JSON and checks that it is deterministic.
pub(crate) fn result(operation: Operation, page: &PageSnapshot) -> Value {
    let extraction = crate::extract(page, &request(operation)).unwrap();
    assert_eq!(crate::extract(page, &request(operation)).unwrap(), extraction, "the same input gives the same bytes");
    serde_json::from_slice(&extraction.body).unwrap()
}
