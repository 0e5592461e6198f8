//! Implements `/svg`: lists inline SVGs as self-contained markup and external files by URL.
//!
//! Markup in the document and in `data:` URLs gives `inline` items, one per distinct markup; files
//! give `file` items, one per URL. All are in document order of their first occurrence.

mod collect;
mod inline;
mod page_paint;
mod serialize;
pub mod svg_sources;
pub mod urls;
mod use_elements;
mod xml;

use crate::empty_list_hints;
use crate::image_references::missing_inner_stylesheets;
use collect::SvgCollector;
use limner_page::{NodeId, PageSnapshot, WorkBudget};
use limner_page_view::{ExtractError, Extraction, PageView, inner_documents};
use limner_style::SubstringSet;
use limner_style::layout::NoLayout;
use limner_types::result::SvgResult;
use limner_types::{Operation, OperationRequest};
use svg_sources::SvgSources;

/// Returns the result of `/svg`.
///
/// # Errors
/// Returns [`ExtractError::Serialise`] if the result cannot be serialized.
pub fn extract(view: &PageView<'_>, _request: &OperationRequest) -> Result<Extraction, ExtractError> {
    let mut gather = SvgCollector::new(view);
    gather.page();
    let (items, too_much) = gather.finish();
    let mut room = view.size_budget();
    let svgs = room.retain_fitting(items);
    let mut common = empty_list_hints::common(view, Operation::Svg, svgs.len());
    common.truncated = (too_much || room.is_truncated()).then_some(true);
    Extraction::json(&SvgResult { common, count: svgs.len(), svgs })
}

/// Returns the URLs of subresources that `/svg` needs: sprites that `use` elements refer to, frames
/// of a frameset, and stylesheets that only inner documents refer to.
pub fn required_subresources(page: &PageSnapshot, budget: &WorkBudget) -> Vec<String> {
    const NEEDLES: SubstringSet = SubstringSet::new(&["<use", "<noscript", "srcdoc", "<frame", "<FRAME", "<Frame"]);
    if !NEEDLES.is_match(&page.html) {
        return Vec::new();
    }
    let view = PageView::within(page, &NoLayout, budget);
    let mut wanted = SvgSources::from_page(&view).missing_sprites(page);
    wanted.extend(inner_documents::missing_frames(&view));
    wanted.extend(missing_inner_stylesheets(&view));
    wanted
}

/// Returns the sprites that `use` elements refer to and that are not among the resources.
pub fn missing_sprites(view: &PageView<'_>) -> Vec<String> {
    let mut elements = view.document.elements();
    let has_use = elements.any(|(_, element)| element.is_svg("use"));
    if has_use { SvgSources::from_page(view).missing_sprites(view.page) } else { Vec::new() }
}

/// Returns an `svg` element of the page as standalone markup; `None` if it is longer than
/// `max_bytes` or draws nothing.
pub fn markup_of(view: &PageView<'_>, node: NodeId, max_bytes: usize) -> Option<SerializedSvg> {
    let library = SvgSources::from_page(view);
    let part = svg_sources::SourceNode { source: 0, node };
    let draws = inline::should_list(&library, part, &library.use_targets());
    let read = draws.then(|| inline::serialize_inline(&library, part, max_bytes)).flatten()?;
    Some(SerializedSvg { code: read.code, title: read.title })
}

/// The markup of an SVG and its accessible name.
pub struct SerializedSvg {
    /// Standalone markup.
    pub code: String,
    /// The accessible name.
    pub title: Option<String>,
}

#[cfg(test)]
mod tests;
