//! `/fonts`.

use super::ResultHeader;
use crate::wire_enum::wire_enum;
use serde::{Deserialize, Serialize};

wire_enum! {
    /// Origin of a face's files.
    pub enum FontSource {
        /// The site of the page.
        SelfHosted = "self-hosted",
        /// Google Fonts.
        Google = "google",
        /// Adobe Fonts.
        Adobe = "adobe",
        /// Any other site.
        Cdn = "cdn",
        /// The stylesheet itself (`data:`).
        Data = "data",
        /// The visitor's machine only (`local()`).
        Local = "local",
    }
}

/// Result of `/fonts`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
pub struct FontsResult {
    /// `url`, `hint`, `screenshot`.
    #[serde(flatten)]
    pub common: ResultHeader,
    /// One item per distinct `@font-face` rule, in stylesheet order.
    pub fonts: Vec<FontFace>,
    /// The same faces by family, in order of first appearance.
    pub families: Vec<FontFamily>,
    /// Length of `fonts`.
    pub count: usize,
    /// `link rel=preload as=font`, in document order.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub preloads: Vec<FontPreload>,
}

/// One `@font-face` rule. Descriptors that browsers reject have their initial value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
pub struct FontFace {
    /// The family name.
    pub family: String,
    /// `400`, or a range `100 900`, or `auto`; keywords as numbers.
    pub weight: String,
    /// `normal`, `italic`, `oblique`, `oblique 0deg 12deg`, `auto`.
    pub style: String,
    /// The `font-stretch` (`font-width`) descriptor: a keyword, a percentage or a range of them.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub stretch: Option<String>,
    /// The `font-display` descriptor.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub display: Option<String>,
    /// The `unicode-range` descriptor in its canonical form (`U+0-FF, U+131`).
    #[serde(rename = "unicodeRange", skip_serializing_if = "Option::is_none", default)]
    pub unicode_range: Option<String>,
    /// Present for variable fonts, with the axes that the page declares.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub variable: Option<VariableFont>,
    /// Every source a browser would try, in order.
    pub src: Vec<FontSrc>,
    /// Absolute URL of the file a browser would use: the first in `src`. Null if there are only local names.
    #[cfg_attr(feature = "utoipa", schema(required = true))]
    pub url: Option<String>,
    /// The format of that file.
    #[cfg_attr(feature = "utoipa", schema(required = true))]
    pub format: Option<String>,
    /// Origin of that file.
    pub source: FontSource,
    /// True if the page uses it for text.
    pub used: bool,
    /// True when the page preloads one of its files.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub preload: bool,
    /// The condition of the stylesheet or `@media` rule that contains it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub media: Option<String>,
    /// URL of the stylesheet; absent for stylesheets inside the document.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub sheet: Option<String>,
}

/// One source of a face: a file or a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
pub struct FontSrc {
    /// Absolute address, without fragment; or a `data:` URL.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub url: Option<String>,
    /// The name in `local()`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub local: Option<String>,
    /// `woff2`, `woff`, `truetype`, `opentype`, `collection`, `embedded-opentype`, `svg`: as declared, else by media
    /// type or file name.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub format: Option<String>,
    /// The `tech()` list, and `variations` for formats such as `woff2-variations`.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub tech: Vec<String>,
}

/// The known properties of a variable font.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
pub struct VariableFont {
    /// Axes by tag; empty if the page only declares that there are some.
    pub axes: Vec<VariationAxis>,
}

/// One axis.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
pub struct VariationAxis {
    /// Four characters: `wght`, `wdth`, `slnt`, `opsz`, …
    pub tag: String,
    /// Lowest value.
    #[serde(serialize_with = "super::number::plain_always")]
    pub min: f64,
    /// Highest value.
    #[serde(serialize_with = "super::number::plain_always")]
    pub max: f64,
}

/// Faces of one family.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
pub struct FontFamily {
    /// The family name, as first written.
    pub family: String,
    /// Distinct weights, lightest first.
    pub weights: Vec<String>,
    /// Distinct styles, `normal` first.
    pub styles: Vec<String>,
    /// Number of distinct files (`data:` included).
    pub files: usize,
    /// True if any face is used.
    pub used: bool,
}

/// A preloaded font file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
pub struct FontPreload {
    /// Absolute, without fragment.
    pub url: String,
    /// The format, by declared media type or file name.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub format: Option<String>,
    /// The family whose face has this file, if any has.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub family: Option<String>,
}
