//! `/videos`.

use super::ResultHeader;
use crate::wire_enum::wire_enum;
use serde::{Deserialize, Serialize};

wire_enum! {
    /// Origin of a video, in order of precedence.
    pub enum VideoSource {
        /// `src` of a `video` element (or a lazy-loading or background attribute in its place); in browser reads also
        /// what the player of the page loaded.
        Video = "video",
        /// `src` of a `source` in a `video`.
        Source = "source",
        /// Open Graph.
        Og = "og",
        /// Twitter player card.
        Twitter = "twitter",
        /// A player: frame, player element or the attributes it is created from.
        Embed = "embed",
        /// `VideoObject` in JSON-LD.
        Jsonld = "jsonld",
        /// A link to a media file, a manifest or a video page of a known provider.
        Link = "link",
        /// `link rel=preload as=video`.
        Preload = "preload",
        /// The URL itself is the file.
        File = "file",
    }
}

/// Result of `/videos`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
pub struct VideosResult {
    /// `url`, `hint`, `screenshot`.
    #[serde(flatten)]
    pub common: ResultHeader,
    /// One item per URL, in document order.
    pub videos: Vec<VideoItem>,
    /// Length of `videos`.
    pub count: usize,
}

/// One video.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
pub struct VideoItem {
    /// Absolute URL without fragment: of the file or manifest, or for a known provider the URL that people share.
    pub url: String,
    /// The first of its sources in the order of [`VideoSource`].
    pub source: VideoSource,
    /// All sources, when there is more than one.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub sources: Vec<VideoSource>,
    /// Media type without parameters: as declared, otherwise by file name.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none", default)]
    pub media_type: Option<String>,
    /// Absolute URL of the poster image.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub poster: Option<String>,
    /// Lower-case slug of a known provider (`youtube`, `cloudflare-stream`).
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub provider: Option<String>,
    /// The provider's id of the video (or of the playlist or channel that it plays).
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub id: Option<String>,
    /// URL for a frame: as in the page, otherwise as the provider documents it.
    #[serde(rename = "embedUrl", skip_serializing_if = "Option::is_none", default)]
    pub embed_url: Option<String>,
    /// CSS pixels or pixels of the video, as declared.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub width: Option<u32>,
    /// CSS pixels or pixels of the video, as declared.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub height: Option<u32>,
    /// Title or accessible name.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub title: Option<String>,
    /// Seconds, as declared.
    #[serde(skip_serializing_if = "Option::is_none", default, serialize_with = "super::number::plain")]
    pub duration: Option<f64>,
}
