//! Pages as the fetcher would hand them on, and calls for them.

use limner_extract::{ExtractError, Extraction, extract, required_subresources};
use limner_page::references::{StylesheetReference, StylesheetSource, stylesheets_with_scripting_disabled};
use limner_page::{Document, PageSnapshot, Resource, SheetOwner, Stylesheet, WorkBudget};
use limner_types::{Operation, OperationRequest, request};
use url::Url;

/// Where the page is.
pub const PAGE_URL: &str = "https://page.example/dir/index.html";

/// Every call that gives another form of result.
const CALLS: &[(Operation, &[(&str, &str)])] = &[
    (Operation::Images, &[]),
    (Operation::Svg, &[]),
    (Operation::Videos, &[]),
    (Operation::Audio, &[]),
    (Operation::Lottie, &[]),
    (Operation::Fonts, &[]),
    (Operation::Brand, &[]),
    (Operation::Extract, &[("format", "json")]),
    (Operation::Extract, &[("format", "css")]),
    (Operation::Extract, &[("format", "tailwind")]),
    (Operation::Extract, &[("format", "dtcg")]),
    (Operation::Extract, &[("format", "dtcg-resolver")]),
    (Operation::Extract, &[("format", "design-md"), ("scope", "page")]),
    (Operation::Code, &[("framework", "html")]),
    (Operation::Code, &[("framework", "tailwind")]),
    (Operation::Code, &[("framework", "jsx"), ("selector", "body")]),
    (Operation::Code, &[("framework", "vue"), ("theme", "dark")]),
    (Operation::Code, &[("framework", "elementor"), ("selector", "body")]),
    (Operation::Code, &[("framework", "shopify")]),
    (Operation::Code, &[("framework", "jsx"), ("language", "ts"), ("scope", "page")]),
    (Operation::Code, &[("framework", "vue"), ("language", "ts"), ("scope", "page")]),
    (Operation::Code, &[("framework", "shopify"), ("scope", "page")]),
    (Operation::Code, &[("framework", "html"), ("section", "hero"), ("preview", "true")]),
    (Operation::Brand, &[("scope", "all")]),
];

/// Makes a call of an operation.
pub fn call(operation: Operation, options: &[(&str, &str)]) -> OperationRequest {
    let url = [("url", PAGE_URL)];
    let pairs: Vec<(String, String)> =
        url.iter().chain(options).map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    request::parse(operation, &pairs).expect("the parameters of a target are valid").request
}

/// Chooses a call by a byte.
pub fn chosen_call(choice: u8) -> OperationRequest {
    let (operation, options) = CALLS[usize::from(choice) % CALLS.len()];
    call(operation, options)
}

/// Chooses among the calls that read style sheets by a byte.
pub fn chosen_call_of_style(choice: u8) -> OperationRequest {
    let of_style = &CALLS[5..];
    let (operation, options) = of_style[usize::from(choice) % of_style.len()];
    call(operation, options)
}

/// Makes a page of markup; its `style` elements are read.
pub fn page(html: &str) -> PageSnapshot {
    let document = Document::parse(html);
    let url = Url::parse(PAGE_URL).expect("an address");
    let base = document.base_url(&url);
    let inline = |reference: StylesheetReference| {
        let StylesheetSource::Inline(text) = reference.source else { return None };
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
        sheets: stylesheets_with_scripting_disabled(&document, &base.clone().into())
            .into_iter()
            .filter_map(inline)
            .collect(),
        ..PageSnapshot::default()
    }
}

/// Makes a page of markup with a sheet.
pub fn page_with_sheet(html: &str, css: &str) -> PageSnapshot {
    let mut page = page(html);
    let base_url = PAGE_URL.to_owned();
    page.sheets.push(Stylesheet {
        owner: SheetOwner::Adopted,
        base_url,
        text: Some(css.to_owned()),
        ..Stylesheet::default()
    });
    page
}

/// Adds a file that the page refers to.
pub fn add_resource(page: &mut PageSnapshot, url: &str, content_type: &str, body: &[u8]) {
    let resource = Resource {
        url: url.to_owned(),
        status: 200,
        content_type: content_type.to_owned(),
        charset: None,
        body: body.to_vec(),
        truncated: false,
    };
    page.resources.insert(url.to_owned(), resource);
}

/// Answers a call; `None` when the page has nothing of what was asked for.
///
/// # Panics
/// When the answer is no JSON though it says so, or could not be written.
pub fn answer(page: &PageSnapshot, call: &OperationRequest) -> Option<Extraction> {
    // A page beyond its budget has no list.
    let _ = required_subresources(call.operation, page, &WorkBudget::default());
    match extract(page, call) {
        Ok(extraction) => {
            if extraction.content_type == "application/json" {
                let body: serde_json::Value = serde_json::from_slice(&extraction.body).expect("the result is JSON");
                assert!(body.is_object());
            } else {
                assert!(std::str::from_utf8(&extraction.body).is_ok());
            }
            Some(extraction)
        }
        Err(ExtractError::Serialise(cause)) => panic!("the result could not be written: {cause}"),
        Err(_) => None,
    }
}

/// Answers a call that gives JSON.
pub fn json(page: &PageSnapshot, call: &OperationRequest) -> Option<serde_json::Value> {
    answer(page, call).map(|extraction| serde_json::from_slice(&extraction.body).expect("the result is JSON"))
}
