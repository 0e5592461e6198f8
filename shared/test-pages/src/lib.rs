//! Builds small pages for the tests of the operations.
//!
//! ```
//! let page = limner_test_pages::page("<style>p { color: red }</style><p>Hello");
//! assert_eq!(page.sheets[0].text.as_deref(), Some("p { color: red }"));
//! ```
//!
//! A crate of its own: a feature of `limner-page-view` would compile the operations twice, for tests and without.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use limner_page::{Document, DocumentBase, PageSnapshot, Resource, SheetOwner, Stylesheet, references};
use limner_page_view::{ExtractError, Extraction, PageView};
use limner_types::{Operation, OperationRequest, request};
use serde_json::Value;
use url::Url;

/// The URL of every test page.
pub const PAGE_URL: &str = "https://page.example/dir/index.html";

/// The markup of a site with several sections, for tests of whole pages.
pub const SITE_HTML: &str = include_str!("site.html");
/// Its stylesheet.
pub const SITE_CSS: &str = include_str!("site.css");

/// Returns a page at [`PAGE_URL`] with its `style` elements as stylesheets, as the fetcher would
/// return it.
pub fn page(html: &str) -> PageSnapshot {
    let document = Document::parse(html);
    let url = Url::parse(PAGE_URL).unwrap();
    let base = DocumentBase::from(document.base_url(&url));
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
pub fn external_sheet(number: u32, href: &str, text: &str) -> Stylesheet {
    Stylesheet {
        element: Some(number),
        href: Some(href.to_owned()),
        base_url: href.to_owned(),
        text: Some(text.to_owned()),
        ..Stylesheet::default()
    }
}

/// Adds a subresource.
pub fn add_resource(page: &mut PageSnapshot, url: &str, content_type: &str, body: &str) {
    let resource = Resource {
        url: url.to_owned(),
        status: 200,
        content_type: content_type.to_owned(),
        charset: None,
        body: body.as_bytes().to_vec(),
        truncated: false,
    };
    page.resources.insert(url.to_owned(), resource);
}

/// The function that extracts the result of an operation.
pub type Extract = fn(&PageView<'_>, &OperationRequest) -> Result<Extraction, ExtractError>;

/// Returns a request for the test page with the default parameters.
pub fn request(operation: Operation) -> OperationRequest {
    request::parse(operation, &[("url".to_owned(), PAGE_URL.to_owned())]).unwrap().request
}

/// Returns the result as JSON and checks that it is deterministic.
pub fn result(extract: Extract, page: &PageSnapshot, request: &OperationRequest) -> Value {
    let call = || extract(&PageView::new(page), request).unwrap();
    let extraction = call();
    assert_eq!(call(), extraction, "the same input gives the same bytes");
    serde_json::from_slice(&extraction.body).unwrap()
}
