//! Implements `/videos`: lists all videos that the page plays, links or describes.
//!
//! A file in a `video` element keeps its URL. The video of a known provider is listed under its
//! canonical page URL, together with its embed URL, so that occurrences in a frame, in Open Graph
//! and in JSON-LD are merged into one item.

mod elements;
mod item;
mod metadata;
#[cfg(test)]
mod tests;

use crate::empty_list_hints;
use crate::media::dedup::Deduplicated;
use crate::media::{MediaKind, format, urls};
use limner_page::{PageSnapshot, WorkBudget};
use limner_page_view::{ExtractError, Extraction, PageView, inner_documents};
use limner_style::layout::NoLayout;
use limner_types::result::{VideoItem, VideoSource, VideosResult};
use limner_types::{Operation, OperationRequest};
use url::Url;

/// Returns the result of `/videos`.
///
/// # Errors
/// Returns [`ExtractError::Serialise`] if the result cannot be serialized.
pub fn extract(view: &PageView<'_>, _request: &OperationRequest) -> Result<Extraction, ExtractError> {
    Extraction::json(&extract_videos(view))
}

/// Returns the URLs of the frames of a frameset.
pub fn required_subresources(page: &PageSnapshot, budget: &WorkBudget) -> Vec<String> {
    let has_frames = inner_documents::has_frame_elements(&page.html);
    if has_frames { inner_documents::missing_frames(&PageView::within(page, &NoLayout, budget)) } else { Vec::new() }
}

fn extract_videos(view: &PageView<'_>) -> VideosResult {
    let mut found = Deduplicated::new();
    self_reference(view, &mut found);
    metadata::collect_metadata(view, &mut found);
    elements::collect_elements(view, &mut found);
    network_media(view, &mut found);
    let full = found.is_full();
    let videos = found.merged().into_iter().map(item::with_ordered_sources).collect();
    let mut room = view.size_budget();
    let videos = room.retain_fitting(videos);
    let mut common = empty_list_hints::common(view, Operation::Videos, videos.len());
    common.truncated = (full || room.is_truncated()).then_some(true);
    VideosResult { common, count: videos.len(), videos }
}

/// Adds the URL of the page itself if it is a video file.
fn self_reference(view: &PageView<'_>, found: &mut Deduplicated<VideoItem>) {
    let kind = MediaKind::from_media_type(&view.page.content_type);
    if kind == Some(MediaKind::Video)
        && let Ok(url) = Url::parse(&view.page.url)
    {
        let mut item = item::file(url, VideoSource::File);
        item.media_type = Some(view.page.content_type.clone());
        found.push(0, item);
    }
}

/// Adds videos that the browser loaded. Segments of a stream are left out.
fn network_media(view: &PageView<'_>, found: &mut Deduplicated<VideoItem>) {
    for (loaded, media_type) in &view.page.network {
        let Some(url) = urls::absolute(view, loaded) else { continue };
        let is_piece = format::extension(&url).is_some_and(|e| matches!(e, "ts" | "m4s" | "m4f" | "cmfv" | "mp4a"));
        let essence = format::essence(media_type).unwrap_or_default();
        let is_film = MediaKind::from_media_type(&essence) == Some(MediaKind::Video);
        if is_film && !is_piece && !is_sound(&url) {
            let mut item = item::file(url, VideoSource::Video);
            item.media_type = Some(essence);
            found.push(usize::MAX, item);
        }
    }
}

/// Returns true if the file name is that of an audio file.
fn is_sound(url: &Url) -> bool {
    MediaKind::from_url(url) == Some(MediaKind::Audio)
}
