//! `/svg`: inline SVGs as self-contained markup, external files as addresses.

use crate::{ExtractError, Extraction, PageView};
use limner_page::PageSnapshot;
use limner_types::Request;
use limner_types::result::SvgResult;

/// The result of `/svg`.
pub(crate) fn extract(view: &PageView<'_>, _request: &Request) -> Result<Extraction, ExtractError> {
    Extraction::json(&SvgResult { common: view.common(), svgs: Vec::new(), count: 0 })
}

/// Side resources `/svg` reads.
pub(crate) fn needs(_page: &PageSnapshot) -> Vec<String> {
    Vec::new()
}
