//! `/images`: every image the page declares.

use crate::{ExtractError, Extraction, PageView};
use limner_page::PageSnapshot;
use limner_types::Request;
use limner_types::result::ImagesResult;

/// The result of `/images`.
pub(crate) fn extract(view: &PageView<'_>, _request: &Request) -> Result<Extraction, ExtractError> {
    Extraction::json(&ImagesResult { common: view.common(), images: Vec::new(), count: 0 })
}

/// Side resources `/images` reads.
pub(crate) fn needs(_page: &PageSnapshot) -> Vec<String> {
    Vec::new()
}
