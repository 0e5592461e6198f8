//! `/code`: a section as a component.

use super::{Common, TokenGroups};
use crate::{Framework, SectionRef, Theme};
use serde::{Deserialize, Serialize};

/// Result of `/code`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct CodeResult {
    /// `url`, `hint`, `screenshot`.
    #[serde(flatten)]
    pub common: Common,
    /// The self-contained component, ready to paste. For `elementor` an importable template file, for `shopify` a theme
    /// section file.
    pub code: String,
    /// The component's name where the call gives none: what the section is, in PascalCase.
    pub default_name: String,
    /// Companion style sheet: always there for `html`, otherwise only when keyframe animations need it.
    #[cfg_attr(feature = "utoipa", schema(required = true))]
    pub css: Option<String>,
    /// Design tokens of the declarations that the component is made of, in the groups of `/extract`: with what the section
    /// inherits, its states and pseudo-elements, and in light with the dark variants.
    pub tokens: TokenGroups,
    /// Whether the captured code reads light or dark: by the theme that the page's root declares (a class or attribute,
    /// `color-scheme`), where that holds for the code, else by what is painted behind the text; absent when neither tells.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub theme: Option<Theme>,
    /// What the section refers to.
    pub assets: CodeAssets,
    /// Selector of the extracted section.
    pub selector: String,
    /// The section was chosen automatically.
    pub auto_detected: bool,
    /// Every extractable section, best first; the same whichever was asked for.
    pub sections: Vec<SectionRef>,
    /// The output form.
    pub framework: Framework,
    /// Quality of the extraction.
    pub summary: CodeSummary,
}

/// What a section refers to, each address once, in document order.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
pub struct CodeAssets {
    /// Pictures of the markup and of its style.
    pub images: Vec<ImageAsset>,
    /// Inline SVGs and external files.
    pub svgs: Vec<SvgAsset>,
    /// Font files of the families in use.
    pub fonts: Vec<FontAsset>,
    /// Video files.
    pub videos: Vec<FileAsset>,
    /// Lottie animations.
    pub lottie: Vec<FileAsset>,
    /// The page's style sheets that rules were taken from.
    pub stylesheets: Vec<String>,
}

/// A picture.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
pub struct ImageAsset {
    /// Absolute address.
    pub url: String,
    /// Text in its place.
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
        /// Absolute address.
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
    /// Absolute address.
    pub url: String,
    /// `400`, `100 900`.
    pub weight: String,
    /// `normal`, `italic`.
    pub style: String,
    /// `woff2`, `truetype`, …; absent when neither the sheet nor the address tells.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub format: Option<String>,
}

/// A file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
pub struct FileAsset {
    /// Absolute address.
    pub url: String,
}

/// How much of a section the component carries.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct CodeSummary {
    /// Elements of the section.
    pub elements: usize,
    /// Declarations with a utility of their own.
    pub mapped_to_tailwind: usize,
    /// Declarations as arbitrary values.
    pub arbitrary: usize,
    /// Share of computed values that the component has in common with the page, in percent.
    #[cfg_attr(feature = "utoipa", schema(minimum = 0, maximum = 100))]
    pub styled_coverage: f64,
    /// Repeated structures found.
    pub repeated_groups: usize,
    /// The section was cut at a limit.
    pub truncated: bool,
}
