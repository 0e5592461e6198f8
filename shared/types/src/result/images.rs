//! `/images`.

use super::Common;
use crate::choice::words;
use serde::{Deserialize, Serialize};

words! {
    /// Where an image was found, in order of precedence.
    pub enum ImageSource {
        /// `src` of an `img` element (or a lazy-loading attribute in its place), `input type=image`, SVG `image`.
        Img = "img",
        /// A candidate of `srcset` on `img`.
        Srcset = "srcset",
        /// A `source` of a `picture`.
        Picture = "picture",
        /// An image value in CSS.
        Css = "css",
        /// `link rel=icon`.
        Favicon = "favicon",
        /// `link rel=apple-touch-icon`.
        TouchIcon = "touch-icon",
        /// `link rel=mask-icon`.
        MaskIcon = "mask-icon",
        /// Open Graph.
        Og = "og",
        /// Twitter card.
        Twitter = "twitter",
        /// `poster` of a video.
        Poster = "poster",
        /// Web application manifest.
        Manifest = "manifest",
        /// `link rel=preload as=image`.
        Preload = "preload",
    }
}

/// Result of `/images`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ImagesResult {
    /// `url`, `hint`, `screenshot`.
    #[serde(flatten)]
    pub common: Common,
    /// One item per URL, in document order.
    pub images: Vec<ImageItem>,
    /// Length of `images`.
    pub count: usize,
}

/// One image.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ImageItem {
    /// Absolute, without fragment (unless the fragment names a part of an SVG file); or a `data:` URL.
    pub url: String,
    /// The first of its sources in the order of [`ImageSource`].
    pub source: ImageSource,
    /// All sources, when there is more than one.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub sources: Vec<ImageSource>,
    /// Alternative text, when the element has the attribute.
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
    /// The media condition under which it applies.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub media: Option<String>,
    /// Declared media type.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none", default)]
    pub media_type: Option<String>,
}
