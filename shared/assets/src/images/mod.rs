//! Implements `/images`: lists all images that the page declares.

mod merge;

use crate::empty_list_hints;
use crate::image_references;
use crate::image_references::{ImageOrigin, ImageReference};
use limner_page::{PageSnapshot, WorkBudget};
use limner_page_view::{ExtractError, Extraction, PageView, inner_documents};
use limner_style::SubstringSet;
use limner_style::layout::NoLayout;
use limner_types::result::{ImageItem, ImageSource, ImagesResult};
use limner_types::{Operation, OperationRequest};
use merge::ImageMerger;
use url::Url;

/// Maximum length of a listed `data:` URL, in bytes; longer ones are left out and the result says
/// `truncated`.
const MAX_DATA_URL_BYTES: usize = 1024 * 1024;

/// Returns the result of `/images`.
///
/// # Errors
/// Returns [`ExtractError::Serialise`] if the result cannot be serialized.
pub fn extract(view: &PageView<'_>, _request: &OperationRequest) -> Result<Extraction, ExtractError> {
    let (images, truncated) = images(view);
    let mut common = empty_list_hints::common(view, Operation::Images, images.len());
    common.truncated = truncated.then_some(true);
    Extraction::json(&ImagesResult { common, count: images.len(), images })
}

/// Returns the URLs of subresources that `/images` needs: the manifest, frames of a frameset, and
/// stylesheets that only inner documents refer to.
pub fn required_subresources(page: &PageSnapshot, budget: &WorkBudget) -> Vec<String> {
    const NEEDLES: SubstringSet = SubstringSet::new(&["manifest", "<noscript", "srcdoc", "<frame", "<FRAME", "<Frame"]);
    if !NEEDLES.is_match(&page.html) {
        return Vec::new();
    }
    let view = PageView::within(page, &NoLayout, budget);
    let manifest = limner_page::references::manifest(&view.document, &view.base);
    let manifest = manifest.map(|url| image_references::key(&url).to_owned());
    let manifest = manifest.filter(|url| !page.resources.contains_key(url));
    let frames = inner_documents::missing_frames(&view);
    let stylesheets = image_references::missing_inner_stylesheets(&view);
    manifest.into_iter().chain(frames).chain(stylesheets).collect()
}

fn images(view: &PageView<'_>) -> (Vec<ImageItem>, bool) {
    let mut merge = ImageMerger::default();
    let references = image_references::collect(view);
    let mut left_out = references.is_cut;
    for reference in references.list {
        let Some(source) = source(&reference).filter(|_| !is_empty_data_url(&reference.url)) else { continue };
        if reference.url.scheme() == "data" && reference.url.as_str().len() > MAX_DATA_URL_BYTES {
            left_out = true;
            continue;
        }
        merge.add(reference, source);
    }
    let mut room = view.size_budget();
    let items = room.retain_fitting(merge.into_items());
    (items, room.is_truncated() || left_out)
}

/// Returns true for `data:,`, with which pages declare that they have no icon.
fn is_empty_data_url(url: &Url) -> bool {
    url.scheme() == "data" && url.path().split_once(',').is_none_or(|(_, body)| body.is_empty())
}

/// Returns the source under which `/images` lists a reference; `None` for references that are no
/// images to a visitor.
fn source(reference: &ImageReference) -> Option<ImageSource> {
    match reference.origin {
        ImageOrigin::Image(source) => Some(source),
        ImageOrigin::Object | ImageOrigin::Embed => Some(ImageSource::Img),
        ImageOrigin::Iframe | ImageOrigin::Use | ImageOrigin::SvgElement => None,
    }
}

#[cfg(test)]
mod tests;
