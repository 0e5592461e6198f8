//! `/audio`.

use super::ResultHeader;
use crate::wire_enum::wire_enum;
use serde::{Deserialize, Serialize};

wire_enum! {
    /// Origin of an audio file, in order of precedence.
    pub enum AudioSource {
        /// `src` of an `audio` element (or a lazy-loading attribute in its place); in browser reads also what the
        /// player of the page loaded.
        Audio = "audio",
        /// `src` of a `source` in an `audio`.
        Source = "source",
        /// Open Graph.
        Og = "og",
        /// An enclosure of a feed that the page links.
        Enclosure = "enclosure",
        /// A link, a preload or a player: `provider` and `embedUrl` say which.
        Link = "link",
        /// `AudioObject` or `PodcastEpisode` in JSON-LD.
        Jsonld = "jsonld",
        /// The URL itself is the file.
        File = "file",
    }
}

/// Result of `/audio`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
pub struct AudioResult {
    /// `url`, `hint`, `screenshot`.
    #[serde(flatten)]
    pub common: ResultHeader,
    /// One item per URL: those of the page in document order, then those of its feeds.
    pub audio: Vec<AudioItem>,
    /// Length of `audio`.
    pub count: usize,
}

/// One audio file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
pub struct AudioItem {
    /// Absolute URL without fragment: of the file, or for a known provider the URL that people share.
    pub url: String,
    /// The first of its sources in the order of [`AudioSource`].
    pub source: AudioSource,
    /// All sources, when there is more than one.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub sources: Vec<AudioSource>,
    /// Media type without parameters: as declared, otherwise by file name.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none", default)]
    pub media_type: Option<String>,
    /// Title or accessible name; of an enclosure, the title of its episode.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub title: Option<String>,
    /// Bytes, as the feed declares them.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub length: Option<u64>,
    /// Seconds, as declared.
    #[serde(skip_serializing_if = "Option::is_none", default, serialize_with = "super::number::plain")]
    pub duration: Option<f64>,
    /// Lower-case slug of a known provider (`spotify`).
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub provider: Option<String>,
    /// The provider's id.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub id: Option<String>,
    /// URL for a frame: as in the page, otherwise as the provider documents it.
    #[serde(rename = "embedUrl", skip_serializing_if = "Option::is_none", default)]
    pub embed_url: Option<String>,
    /// URL of the feed with the enclosure.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub feed: Option<String>,
}
