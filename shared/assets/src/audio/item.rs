//! Builds an audio item from one occurrence on the page.

use crate::media::dedup::{Merge, order_sources};
use crate::media::provider::{self, ProviderMatch, UrlForm};
use crate::media::{MediaKind, format};
use limner_types::result::{AudioItem, AudioSource};
use url::Url;

impl Merge for AudioItem {
    fn key(&self) -> &str {
        &self.url
    }

    fn merge(&mut self, other: Self) {
        self.sources.push(other.source);
        self.media_type = self.media_type.take().or(other.media_type);
        self.title = self.title.take().or(other.title);
        self.length = self.length.or(other.length);
        self.duration = self.duration.or(other.duration);
        self.provider = self.provider.take().or(other.provider);
        self.id = self.id.take().or(other.id);
        self.embed_url = self.embed_url.take().or(other.embed_url);
        self.feed = self.feed.take().or(other.feed);
    }
}

/// Returns the item with its sources in order.
pub(super) fn with_ordered_sources(mut item: AudioItem) -> AudioItem {
    order_sources(&mut item.source, &mut item.sources);
    item
}

/// Returns the item of a file.
pub(super) fn file(url: Url, source: AudioSource) -> AudioItem {
    let media_type = format::media_type_of_url(&url);
    AudioItem {
        url: url.into(),
        source,
        sources: Vec::new(),
        media_type,
        title: None,
        length: None,
        duration: None,
        provider: None,
        id: None,
        embed_url: None,
        feed: None,
    }
}

/// Returns the item of a provider's audio, under its canonical page URL. `given` is the URL on the
/// page.
pub(super) fn hosted(hosted: ProviderMatch, given: &Url, source: AudioSource) -> AudioItem {
    let plays = Some(given).filter(|_| hosted.form == UrlForm::Player).map(Url::to_string);
    AudioItem {
        url: hosted.page,
        media_type: None,
        provider: Some(hosted.provider.to_owned()),
        id: hosted.id,
        embed_url: plays.or(hosted.embed),
        ..file(given.clone(), source)
    }
}

/// Returns the provider of an audio player URL.
pub(super) fn player(url: &Url) -> Option<ProviderMatch> {
    provider::recognise(url).filter(|hosted| hosted.kind == MediaKind::Audio)
}
