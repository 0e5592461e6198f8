//! `/lottie`.

use super::ResultHeader;
use crate::wire_enum::wire_enum;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

wire_enum! {
    /// The player or declaration of the animation.
    pub enum LottieSource {
        /// `lottie-player` and elements of the same kind.
        LottiePlayer = "lottie-player",
        /// `dotlottie-player`, `dotlottie-wc` and `DotLottie` in a script.
        Dotlottie = "dotlottie",
        /// Webflow's `data-animation-type=lottie`.
        Webflow = "webflow",
        /// An attribute such as `data-animation-path`.
        Attribute = "attribute",
        /// An inline script or a block of JSON; in browser reads also what a script loaded.
        Script = "script",
        /// A link or a preload.
        Link = "link",
    }
}

wire_enum! {
    /// The form of the animation in the page.
    pub enum LottieFormat {
        /// A JSON file.
        Json = "json",
        /// A `.lottie` archive.
        Dotlottie = "dotlottie",
        /// JSON in the page itself.
        Inline = "inline",
    }
}

/// Result of `/lottie`.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
pub struct LottieResult {
    /// `url`, `hint`, `screenshot`.
    #[serde(flatten)]
    pub common: ResultHeader,
    /// One item per animation: by URL (and id within an archive), inline ones by content, in document order.
    pub lottie: Vec<LottieItem>,
    /// Length of `lottie`.
    pub count: usize,
}

/// One animation. Values that could not be read are null.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
pub struct LottieItem {
    /// Absolute, without fragment; null for inline animations.
    #[cfg_attr(feature = "utoipa", schema(required = true))]
    pub url: Option<String>,
    /// Its player or declaration.
    pub source: LottieSource,
    /// Its form in the page.
    pub format: LottieFormat,
    /// Its name (`nm`).
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub name: Option<String>,
    /// Its id in the archive's manifest.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub id: Option<String>,
    /// The `v` member (the exporter's version), else the specification version of `ver` as `1.0.1`.
    #[cfg_attr(feature = "utoipa", schema(required = true))]
    pub version: Option<String>,
    /// Pixels.
    #[cfg_attr(feature = "utoipa", schema(required = true))]
    #[serde(serialize_with = "super::number::plain")]
    pub width: Option<f64>,
    /// Pixels.
    #[cfg_attr(feature = "utoipa", schema(required = true))]
    #[serde(serialize_with = "super::number::plain")]
    pub height: Option<f64>,
    /// Frames per second.
    #[serde(rename = "frameRate", serialize_with = "super::number::plain")]
    #[cfg_attr(feature = "utoipa", schema(required = true))]
    pub frame_rate: Option<f64>,
    /// From the in point to the out point.
    #[serde(rename = "durationSeconds", serialize_with = "super::number::plain")]
    #[cfg_attr(feature = "utoipa", schema(required = true))]
    pub duration_seconds: Option<f64>,
    /// Number of top-level layers.
    #[cfg_attr(feature = "utoipa", schema(required = true))]
    pub layers: Option<usize>,
    /// True if it conforms to the Lottie 1.0 specification.
    pub valid: bool,
    /// Violations, each with a JSON pointer into the animation; at most 20.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub problems: Vec<String>,
    /// Standard Lottie JSON; images of an archive are inlined as `data:` URLs.
    #[cfg_attr(feature = "utoipa", schema(required = true, value_type = Option<Object>))]
    pub animation: Option<Box<RawValue>>,
}
