//! Tests of whole pages that make a brand hard to detect.

mod backgrounds;
mod buttons;
mod colors;
mod details;
mod fonts;
mod logos;
mod metadata;
mod robustness;
mod sites;

use limner_page::PageSnapshot;
use limner_test_pages::{page, request};
use limner_types::Operation;
use serde_json::Value;

/// Returns the result for a page of that markup.
fn brand(html: &str) -> Value {
    brand_of(&page(html))
}

fn brand_of(page: &PageSnapshot) -> Value {
    limner_test_pages::result(crate::extract, page, &request(Operation::Brand))
}

/// Text that fills a few lines.
const PROSE: &str = "Plain words stand on every page, and most of a page is such words, with a few of them linked to others, \
    which is why the colour of words says less about a brand than the colour of the one thing to press.";
