//! Builds pages with media and fonts for tests.

use limner_page::{PageSnapshot, Resource, Stylesheet};
use limner_types::Operation;
use serde_json::Value;

pub(crate) use super::result as answer;

/// The URL of every test page.
pub(crate) const PAGE: &str = "https://www.site.test/dir/page";

/// Returns a page with this markup and without stylesheets.
pub(crate) fn page(html: &str) -> PageSnapshot {
    PageSnapshot {
        requested_url: PAGE.to_owned(),
        url: PAGE.to_owned(),
        status: 200,
        content_type: "text/html".to_owned(),
        html: html.to_owned(),
        ..PageSnapshot::default()
    }
}

/// Returns a page with a stylesheet.
pub(crate) fn with_css(html: &str, css: &str) -> PageSnapshot {
    let sheet = Stylesheet { base_url: PAGE.to_owned(), text: Some(css.to_owned()), ..Stylesheet::default() };
    PageSnapshot { sheets: vec![sheet], ..page(html) }
}

/// Adds a fetched file to the page.
pub(crate) fn with_file(mut page: PageSnapshot, url: &str, body: impl Into<Vec<u8>>) -> PageSnapshot {
    let resource = Resource { url: url.to_owned(), status: 200, body: body.into(), ..Resource::default() };
    page.resources.insert(url.to_owned(), resource);
    page
}

/// Returns the list of a result and checks that `count` equals its length.
pub(crate) fn items(operation: Operation, page: &PageSnapshot) -> Vec<Value> {
    let answer = answer(operation, page);
    let items = answer[operation.fields()[0]].as_array().unwrap().clone();
    assert_eq!(answer["count"].as_u64(), Some(items.len() as u64));
    items
}
