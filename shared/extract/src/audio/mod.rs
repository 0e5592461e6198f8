//! Implements `/audio`: lists all audio that the page plays, links or describes, and episodes of
//! linked podcast feeds.

mod elements;
mod feeds;
mod item;
mod metadata;
#[cfg(test)]
mod tests;

use crate::media::unique::Findings;
use crate::media::{MediaKind, address, format};
use crate::{ExtractError, Extraction, PageView};
use limner_page::PageSnapshot;
use limner_types::Request;
use limner_types::result::{AudioItem, AudioResult, AudioSource};
use url::Url;

/// Maximum number of findings per page, duplicates included.
const MOST_FINDINGS: usize = 20_000;

/// Returns the result of `/audio`.
pub(crate) fn extract(view: &PageView<'_>, _request: &Request) -> Result<Extraction, ExtractError> {
    Extraction::json(&read(view))
}

/// Returns the URLs of the linked feeds.
pub(crate) fn needs(page: &PageSnapshot) -> Vec<String> {
    feeds::needs(&PageView::new(page))
}

fn read(view: &PageView<'_>) -> AudioResult {
    let mut found = Findings::new(MOST_FINDINGS);
    found_itself(view, &mut found);
    metadata::read(view, &mut found);
    elements::read(view, &mut found);
    found_on_network(view, &mut found);
    feeds::read(view, &mut found);
    let full = found.is_full();
    let audio = found.merged().into_iter().map(item::settled).collect();
    let mut room = view.room();
    let audio = room.keep(audio);
    let mut common = view.common();
    common.truncated = (full || room.is_cut()).then_some(true);
    AudioResult { common, count: audio.len(), audio }
}

/// Adds the URL of the page itself if it is an audio file.
fn found_itself(view: &PageView<'_>, found: &mut Findings<AudioItem>) {
    let kind = MediaKind::of_type(&view.page.content_type);
    if kind == Some(MediaKind::Audio)
        && let Ok(url) = Url::parse(&view.page.url)
    {
        let mut item = item::file(url, AudioSource::File);
        item.media_type = Some(view.page.content_type.clone());
        found.push(0, item);
    }
}

/// Adds audio that the browser loaded. Segments of a stream are left out.
fn found_on_network(view: &PageView<'_>, found: &mut Findings<AudioItem>) {
    for (loaded, media_type) in &view.page.network {
        let Some(url) = address::absolute(view, loaded) else { continue };
        let is_piece = format::extension(&url).is_some_and(|e| matches!(e, "ts" | "m4s" | "cmfa"));
        let essence = format::essence(media_type).unwrap_or_default();
        if MediaKind::of_type(&essence) == Some(MediaKind::Audio) && !is_piece {
            let mut item = item::file(url, AudioSource::Audio);
            item.media_type = Some(essence);
            found.push(AFTER_THE_PAGE, item);
        }
    }
}

/// The position of findings without an element of the page.
const AFTER_THE_PAGE: usize = usize::MAX - 1;
