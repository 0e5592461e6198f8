//! Implements `/svg`: lists inline SVGs as self-contained markup and external files by URL.
//!
//! Markup in the document and in `data:` URLs gives `inline` items, one per distinct markup; files
//! give `file` items, one per URL. All are in document order of their first occurrence.

pub(crate) mod address;
mod expand;
mod gather;
mod inline;
pub(crate) mod library;
mod write;
mod xml;

use crate::references::wanted_noscript_sheets;
use crate::{ExtractError, Extraction, PageView};
use gather::Gather;
use library::Library;
use limner_page::{NodeId, PageSnapshot};
use limner_style::Words;
use limner_types::Request;
use limner_types::result::SvgResult;

/// Returns the result of `/svg`.
pub(crate) fn extract(view: &PageView<'_>, _request: &Request) -> Result<Extraction, ExtractError> {
    let mut gather = Gather::new(view);
    gather.page();
    let (items, too_much) = gather.finish();
    let mut room = view.room();
    let svgs = room.keep(items);
    let mut common = view.common();
    common.truncated = (too_much || room.is_cut()).then_some(true);
    Extraction::json(&SvgResult { common, count: svgs.len(), svgs })
}

/// Returns the URLs of subresources that `/svg` needs: sprites that `use` elements refer to, and
/// stylesheets that only `noscript` refers to.
pub(crate) fn needs(page: &PageSnapshot) -> Vec<String> {
    const MARKS: Words = Words::new(&["<use", "<noscript"]);
    if !MARKS.are_in(&page.html) {
        return Vec::new();
    }
    let view = PageView::new(page);
    let mut wanted = Library::of_page(&view).wanted_sprites(page);
    wanted.extend(wanted_noscript_sheets(&view));
    wanted
}

/// Returns an `svg` element of the page as standalone markup; `None` if it is longer than
/// `max_bytes` or draws nothing.
pub(crate) fn markup_of(view: &PageView<'_>, node: NodeId, max_bytes: usize) -> Option<Drawing> {
    let library = Library::of_page(view);
    let part = library::Part { source: 0, node };
    let draws = inline::is_worth_listing(&library, part, &library.all_used());
    let read = draws.then(|| inline::read(&library, part, max_bytes)).flatten()?;
    Some(Drawing { code: read.code, title: read.title })
}

/// The markup of an SVG and its accessible name.
pub(crate) struct Drawing {
    pub(crate) code: String,
    pub(crate) title: Option<String>,
}

#[cfg(test)]
mod tests;
