//! Result types of the operations, which `extract` fills and the OpenAPI document describes.
//!
//! Absent means omitted, unless the specification says null. Lists are in document order, without duplicates.

mod audio;
mod brand;
mod code;
mod fonts;
mod images;
mod lottie;
mod number;
mod svg;
mod tokens;
mod videos;

pub use audio::{AudioItem, AudioResult, AudioSource};
pub use brand::{
    BrandColors, BrandComponents, BrandEvidence, BrandFontFamily, BrandFonts, BrandLogo, BrandResult, BrandTheme,
    BrandThemes, ComponentLook, ContrastFinding, ContrastLevel, ContrastPair, ContrastReport, ContrastState,
    EvidenceKind, FontOrigin, LogoType, PaletteColor, Social, TextSize, TypeStyle, Typography,
};
pub use code::{CodeAssets, CodeFile, CodeResult, CodeSummary, FileAsset, FontAsset, ImageAsset, SvgAsset};
pub use fonts::{FontFace, FontFamily, FontPreload, FontSource, FontSrc, FontsResult, VariableFont, VariationAxis};
pub use images::{ImageItem, ImageSource, ImagesResult};
pub use lottie::{LottieFormat, LottieItem, LottieResult, LottieSource};
pub use svg::{SvgItem, SvgResult};
pub use tokens::{
    BorderToken, BreakpointUsage, CompositeTokens, RangeEnd, TextStyleToken, ThemeTokens, ThemeUsage, TokenGroup,
    TokenGroups, TokenKind, TokenUsage, TokensResult, TransitionToken,
};
pub use videos::{VideoItem, VideoSource, VideosResult};

use serde::{Deserialize, Serialize};

/// The first members of every JSON result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Default)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
pub struct ResultHeader {
    /// The resolved URL that was extracted.
    pub url: String,
    /// Advice, only when the extraction looks degraded.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub hint: Option<String>,
    /// Public URL of the screenshot, only if one was requested.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub screenshot: Option<String>,
    /// True if parts are missing because of a limit: on the size of the result, or on the number of values, items or files
    /// that are read.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub truncated: Option<bool>,
}
