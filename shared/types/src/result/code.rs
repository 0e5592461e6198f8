//! `/code`: a section as a component.

use super::{ResultHeader, TokenGroups};
use crate::{Framework, SectionRef, Theme};
use serde::{Deserialize, Serialize};

/// Result of `/code`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct CodeResult {
    /// `url`, `hint`, `screenshot`.
    #[serde(flatten)]
    pub common: ResultHeader,
    /// The self-contained component, ready to paste. For `elementor` an importable template file, for `shopify` a theme
    /// section file.
    pub code: String,
    /// With `scope=page`, the files that the page in `code` consists of: its sections, and the components that several of
    /// them share. Absent if the page is one file (`html`, `tailwind`, `elementor`).
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    #[cfg_attr(feature = "utoipa", schema(required = false))]
    pub files: Vec<CodeFile>,
    /// Default name of the component: the kind of section, in PascalCase.
    pub default_name: String,
    /// Companion stylesheet: always present for `html`, otherwise only if keyframe animations need it.
    #[cfg_attr(feature = "utoipa", schema(required = true))]
    pub css: Option<String>,
    /// The same component as an HTML document without scripts, which any browser shows as it is, for every framework;
    /// only with `preview=true`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub preview: Option<String>,
    /// Design tokens of the component's declarations, in the groups of `/extract`: including inherited ones, its states
    /// and pseudo-elements, and in light with the dark variants.
    pub tokens: TokenGroups,
    /// Theme of the captured code, light or dark: the theme that the page's root declares (a class or attribute,
    /// `color-scheme`), if that holds for the code, otherwise by what is painted behind the text; absent if neither
    /// tells.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub theme: Option<Theme>,
    /// Assets of the section.
    pub assets: CodeAssets,
    /// Selector of the extracted section.
    pub selector: String,
    /// The section was chosen automatically.
    pub auto_detected: bool,
    /// Every extractable section, best first; the same whichever was requested.
    pub sections: Vec<SectionRef>,
    /// The output form.
    pub framework: Framework,
    /// Quality of the extraction.
    pub summary: CodeSummary,
}

/// A file of a page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
pub struct CodeFile {
    /// Path relative to that of `code`: `sections/Hero.jsx`.
    pub path: String,
    /// Content.
    pub code: String,
}

/// Assets of a section, each URL once, in document order.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
pub struct CodeAssets {
    /// Images in markup and CSS.
    pub images: Vec<ImageAsset>,
    /// Inline SVGs and external files.
    pub svgs: Vec<SvgAsset>,
    /// Font files of the families in use.
    pub fonts: Vec<FontAsset>,
    /// Video files.
    pub videos: Vec<FileAsset>,
    /// Lottie animations.
    pub lottie: Vec<FileAsset>,
    /// The page's stylesheets that rules were taken from.
    pub stylesheets: Vec<String>,
}

/// An image.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
pub struct ImageAsset {
    /// Absolute URL.
    pub url: String,
    /// Alternative text.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub alt: Option<String>,
}

/// An SVG.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
#[serde(untagged)]
pub enum SvgAsset {
    /// An external file.
    File {
        /// Absolute URL.
        url: String,
    },
    /// Inline markup.
    Inline {
        /// Self-contained markup.
        code: String,
    },
}

/// A font file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
pub struct FontAsset {
    /// The family's name.
    pub family: String,
    /// Absolute URL.
    pub url: String,
    /// `400`, `100 900`.
    pub weight: String,
    /// `normal`, `italic`.
    pub style: String,
    /// `woff2`, `truetype`, …; absent if neither the stylesheet nor the URL tells.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub format: Option<String>,
}

/// A file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
pub struct FileAsset {
    /// Absolute URL.
    pub url: String,
}

/// Coverage of a section by its component.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct CodeSummary {
    /// Elements of the section.
    pub elements: usize,
    /// Declarations with a dedicated utility.
    pub mapped_to_tailwind: usize,
    /// Declarations as arbitrary values.
    pub arbitrary: usize,
    /// Percentage of computed values that are equal in the component and on the page.
    #[cfg_attr(feature = "utoipa", schema(minimum = 0, maximum = 100))]
    pub styled_coverage: f64,
    /// Repeated structures found.
    pub repeated_groups: usize,
    /// The section was truncated at a limit.
    pub truncated: bool,
}
