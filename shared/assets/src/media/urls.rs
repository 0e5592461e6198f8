//! Resolves URLs of media.

use super::MediaKind;
use limner_page::data_url::declared_media_type;
use limner_page::{DocumentBase, Resource};
use limner_page_view::PageView;
use url::Url;

/// Returns the absolute URL of a media file or player, without fragment: http, https, or `data:`
/// with a media type. `None` for other URLs and for the page itself (`src="#"`).
pub(crate) fn absolute(view: &PageView<'_>, reference: &str) -> Option<Url> {
    absolute_from(&view.base, reference).filter(|url| url.as_str() != view.page.url)
}

/// Returns the absolute http or https URL of any other reference, without fragment.
pub(crate) fn web_absolute(view: &PageView<'_>, reference: &str) -> Option<Url> {
    let mut url = view.resolve(reference)?;
    url.set_fragment(None);
    matches!(url.scheme(), "http" | "https").then_some(url)
}

/// Like [`absolute`], with another base.
pub(crate) fn absolute_from(base: &DocumentBase, reference: &str) -> Option<Url> {
    let reference = reference.trim();
    if reference.is_empty() {
        return None;
    }
    let mut url = base.join(reference).ok()?;
    url.set_fragment(None);
    let usable = match url.scheme() {
        "http" | "https" => url.has_host(),
        "data" => declared_media_type(&url).and_then(|own| MediaKind::from_media_type(&own)).is_some(),
        _ => false,
    };
    usable.then_some(url)
}

/// Returns the resource of a URL, if it was fetched successfully.
pub(crate) fn resource<'a>(view: &PageView<'a>, url: &str) -> Option<&'a Resource> {
    view.page.resources.get(url).filter(|resource| matches!(resource.status, 200..=299))
}

/// Returns the URLs that are not among the snapshot's resources yet, at most `most` of them; the
/// result of `needs`.
pub(crate) fn missing(view: &PageView<'_>, wanted: impl Iterator<Item = Url>, most: usize) -> Vec<String> {
    let mut asked: Vec<String> = Vec::new();
    for url in wanted.filter(|url| matches!(url.scheme(), "http" | "https")) {
        if asked.len() == most {
            break;
        }
        let url = url.to_string();
        if !view.page.resources.contains_key(&url) && !asked.contains(&url) {
            asked.push(url);
        }
    }
    asked
}
