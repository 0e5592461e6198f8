//! Builds a video item from one occurrence on the page.

use crate::media::dedup::{Merge, order_sources};
use crate::media::provider::{self, ProviderMatch, UrlForm};
use crate::media::{MediaKind, format};
use limner_types::result::{VideoItem, VideoSource};
use url::Url;

impl Merge for VideoItem {
    fn key(&self) -> &str {
        &self.url
    }

    fn merge(&mut self, other: Self) {
        self.sources.push(other.source);
        // The frame on the page is more specific than the provider's documented embed URL.
        let is_first_frame = other.source == VideoSource::Embed && self.source != VideoSource::Embed;
        if self.embed_url.is_none() || (is_first_frame && other.embed_url.is_some()) {
            self.embed_url = other.embed_url;
        }
        self.media_type = self.media_type.take().or(other.media_type);
        self.poster = self.poster.take().or(other.poster);
        self.provider = self.provider.take().or(other.provider);
        self.id = self.id.take().or(other.id);
        self.title = self.title.take().or(other.title);
        self.duration = self.duration.or(other.duration);
        if self.width.is_none() && self.height.is_none() {
            (self.width, self.height) = (other.width, other.height);
        }
    }
}

/// Returns the item with its sources in order.
pub(super) fn with_ordered_sources(mut item: VideoItem) -> VideoItem {
    order_sources(&mut item.source, &mut item.sources);
    item
}

/// Returns the item of a file or manifest, with its provider if it has one.
pub(super) fn file(url: Url, source: VideoSource) -> VideoItem {
    let hosted = provider::recognise(&url).filter(|hosted| hosted.id.is_some());
    let media_type = format::media_type_of_url(&url);
    let (provider, id, embed_url) = hosted.map_or((None, None, None), |h| (Some(h.provider), h.id, h.embed));
    VideoItem { provider: provider.map(str::to_owned), id, embed_url, media_type, ..minimal_item(url.into(), source) }
}

/// Returns the item of a provider's video, under its canonical page URL. `given` is the URL on the
/// page.
pub(super) fn hosted(hosted: ProviderMatch, given: Option<&Url>, source: VideoSource) -> VideoItem {
    let plays = given.filter(|_| hosted.form == UrlForm::Player).map(Url::to_string);
    VideoItem {
        provider: Some(hosted.provider.to_owned()),
        id: hosted.id,
        embed_url: plays.or(hosted.embed),
        ..minimal_item(hosted.page, source)
    }
}

/// Returns the item of a player of an unknown provider.
pub(super) fn player(url: &Url, source: VideoSource) -> VideoItem {
    VideoItem { embed_url: Some(url.to_string()), ..minimal_item(url.to_string(), source) }
}

/// Returns the item of a URL that should be a video or player: a file by name, or a provider's
/// video. `None` if it is neither.
pub(super) fn classify(url: &Url, file_source: VideoSource, hosted_source: VideoSource) -> Option<VideoItem> {
    if MediaKind::from_url(url) == Some(MediaKind::Video) {
        return Some(file(url.clone(), file_source));
    }
    let found = provider::recognise(url).filter(|found| found.kind == MediaKind::Video && found.id.is_some())?;
    Some(hosted(found, Some(url), hosted_source))
}

fn minimal_item(url: String, source: VideoSource) -> VideoItem {
    VideoItem {
        url,
        source,
        sources: Vec::new(),
        media_type: None,
        poster: None,
        provider: None,
        id: None,
        embed_url: None,
        width: None,
        height: None,
        title: None,
        duration: None,
    }
}
