//! Implements `/images`: lists all images that the page declares.

mod merge;

use crate::references::{self, Origin, Reference};
use crate::{ExtractError, Extraction, PageView};
use limner_page::PageSnapshot;
use limner_style::Words;
use limner_types::Request;
use limner_types::result::{ImageItem, ImageSource, ImagesResult};
use merge::Merge;
use url::Url;

/// Maximum length of a listed `data:` URL, in bytes; longer ones are left out and the result says
/// `truncated`.
const MAX_DATA_URL_BYTES: usize = 1024 * 1024;

/// Returns the result of `/images`.
pub(crate) fn extract(view: &PageView<'_>, _request: &Request) -> Result<Extraction, ExtractError> {
    let (images, truncated) = images(view);
    let mut common = view.common();
    common.truncated = truncated.then_some(true);
    Extraction::json(&ImagesResult { common, count: images.len(), images })
}

/// Returns the URLs of subresources that `/images` needs: the manifest, and stylesheets that only
/// `noscript` refers to.
pub(crate) fn needs(page: &PageSnapshot) -> Vec<String> {
    const MARKS: Words = Words::new(&["manifest", "<noscript"]);
    if !MARKS.are_in(&page.html) {
        return Vec::new();
    }
    let view = PageView::new(page);
    let manifest = limner_page::references::manifest(&view.document, &view.base);
    let manifest = manifest.map(|url| references::key(&url).to_owned());
    let manifest = manifest.filter(|url| !page.resources.contains_key(url));
    manifest.into_iter().chain(references::wanted_noscript_sheets(&view)).collect()
}

fn images(view: &PageView<'_>) -> (Vec<ImageItem>, bool) {
    let mut merge = Merge::default();
    let references = references::collect(view);
    let mut left_out = references.is_cut;
    for reference in references.list {
        let Some(source) = source(&reference).filter(|_| !is_nothing(&reference.url)) else { continue };
        if reference.url.scheme() == "data" && reference.url.as_str().len() > MAX_DATA_URL_BYTES {
            left_out = true;
            continue;
        }
        merge.add(reference, source);
    }
    let mut room = view.room();
    let items = room.keep(merge.into_items());
    (items, room.is_cut() || left_out)
}

/// Returns true for `data:,`, with which pages declare that they have no icon.
fn is_nothing(url: &Url) -> bool {
    url.scheme() == "data" && url.path().split_once(',').is_none_or(|(_, body)| body.is_empty())
}

/// Returns the source under which `/images` lists a reference; `None` for references that are no
/// images to a visitor.
fn source(reference: &Reference) -> Option<ImageSource> {
    match reference.origin {
        Origin::Image(source) => Some(source),
        Origin::Object | Origin::Embed => Some(ImageSource::Img),
        Origin::Iframe | Origin::Use | Origin::SvgElement => None,
    }
}

#[cfg(test)]
mod tests;
