//! `/images`.

use super::ResultHeader;
use crate::wire_enum::wire_enum;
use serde::{Deserialize, Serialize};

wire_enum! {
    /// Origin of an image, in order of precedence.
    pub enum ImageSource {
        /// `src` of an `img` element (or a lazy-loading attribute in its place), `input type=image`, SVG `image`, the
        /// obsolete `background` attribute, images in `object` and `embed`.
        Img = "img",
        /// A candidate of `srcset` on `img`.
        Srcset = "srcset",
        /// A `source` of a `picture`.
        Picture = "picture",
        /// An image value in CSS, for any property, pseudo-element or condition; lazy-loading attributes of
        /// backgrounds.
        Css = "css",
        /// `link rel=icon`, Windows tiles.
        Favicon = "favicon",
        /// `link rel=apple-touch-icon` and its relatives.
        TouchIcon = "touch-icon",
        /// `link rel=mask-icon`.
        MaskIcon = "mask-icon",
        /// Open Graph, microdata.
        Og = "og",
        /// Twitter card.
        Twitter = "twitter",
        /// `poster` of a video.
        Poster = "poster",
        /// Icons and screenshots of the web application manifest.
        Manifest = "manifest",
        /// `link rel=preload as=image`, `prefetch`, `image_src`.
        Preload = "preload",
    }
}

/// Result of `/images`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
pub struct ImagesResult {
    /// `url`, `hint`, `screenshot`.
    #[serde(flatten)]
    pub common: ResultHeader,
    /// One item per URL, in document order.
    pub images: Vec<ImageItem>,
    /// Length of `images`.
    pub count: usize,
}

/// One image.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
pub struct ImageItem {
    /// Absolute, without fragment; or a `data:` URL of at most 1 MiB (a longer one is left out and the result is
    /// `truncated`).
    pub url: String,
    /// The first of its sources in the order of [`ImageSource`].
    pub source: ImageSource,
    /// All sources, when there is more than one.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub sources: Vec<ImageSource>,
    /// Alternative text, when an element that shows the image has one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub alt: Option<String>,
    /// CSS pixels or file pixels, as declared.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub width: Option<u32>,
    /// CSS pixels or file pixels, as declared.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub height: Option<u32>,
    /// The `srcset` or `image-set()` descriptor (`2x`, `640w`).
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub descriptor: Option<String>,
    /// The media condition under which it applies; absent when it applies under every one. Nested conditions are joined
    /// with `and`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub media: Option<String>,
    /// Declared media type.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none", default)]
    pub media_type: Option<String>,
}
