//! Implements `/audio`: lists all audio that the page plays, links or describes, and episodes of
//! linked podcast feeds.

mod elements;
mod feeds;
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
use limner_types::result::{AudioItem, AudioResult, AudioSource};
use limner_types::{Operation, OperationRequest};
use url::Url;

/// Returns the result of `/audio`.
///
/// # Errors
/// Returns [`ExtractError::Serialise`] if the result cannot be serialized.
pub fn extract(view: &PageView<'_>, _request: &OperationRequest) -> Result<Extraction, ExtractError> {
    Extraction::json(&extract_audio(view))
}

/// Returns the URLs of the frames of a frameset and of the linked feeds.
pub fn required_subresources(page: &PageSnapshot, budget: &WorkBudget) -> Vec<String> {
    let view = PageView::within(page, &NoLayout, budget);
    let mut wanted = inner_documents::missing_frames(&view);
    wanted.extend(feeds::missing_feeds(&view));
    wanted
}

fn extract_audio(view: &PageView<'_>) -> AudioResult {
    let mut found = Deduplicated::new();
    self_reference(view, &mut found);
    metadata::collect_metadata(view, &mut found);
    elements::collect_elements(view, &mut found);
    network_media(view, &mut found);
    let has_more_feeds = feeds::collect_enclosures(view, &mut found);
    let full = found.is_full();
    let audio = found.merged().into_iter().map(item::with_ordered_sources).collect();
    let mut room = view.size_budget();
    let audio = room.retain_fitting(audio);
    let mut common = empty_list_hints::common(view, Operation::Audio, audio.len());
    common.truncated = (full || has_more_feeds || room.is_truncated()).then_some(true);
    AudioResult { common, count: audio.len(), audio }
}

/// Adds the URL of the page itself if it is an audio file.
fn self_reference(view: &PageView<'_>, found: &mut Deduplicated<AudioItem>) {
    let kind = MediaKind::from_media_type(&view.page.content_type);
    if kind == Some(MediaKind::Audio)
        && let Ok(url) = Url::parse(&view.page.url)
    {
        let mut item = item::file(url, AudioSource::File);
        item.media_type = Some(view.page.content_type.clone());
        found.push(0, item);
    }
}

/// Adds audio that the browser loaded. Segments of a stream are left out.
fn network_media(view: &PageView<'_>, found: &mut Deduplicated<AudioItem>) {
    for (loaded, media_type) in &view.page.network {
        let Some(url) = urls::absolute(view, loaded) else { continue };
        let is_piece = format::extension(&url).is_some_and(|e| matches!(e, "ts" | "m4s" | "cmfa"));
        let essence = format::essence(media_type).unwrap_or_default();
        if MediaKind::from_media_type(&essence) == Some(MediaKind::Audio) && !is_piece {
            let mut item = item::file(url, AudioSource::Audio);
            item.media_type = Some(essence);
            found.push(POSITION_AFTER_PAGE, item);
        }
    }
}

/// The position of findings without an element of the page.
const POSITION_AFTER_PAGE: usize = usize::MAX - 1;
