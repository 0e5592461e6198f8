//! `/brand`.

use super::Common;
use crate::Theme;
use crate::choice::words;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Result of `/brand`. What cannot be defended is null.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
pub struct BrandResult {
    /// `url`, `hint`, `screenshot`.
    #[serde(flatten)]
    pub common: Common,
    /// The page's title, entities and whitespace tidied.
    #[cfg_attr(feature = "utoipa", schema(required = true))]
    pub title: Option<String>,
    /// The page's description.
    #[cfg_attr(feature = "utoipa", schema(required = true))]
    pub description: Option<String>,
    /// The site's name, as declared; never guessed from the title.
    #[serde(rename = "siteName")]
    #[cfg_attr(feature = "utoipa", schema(required = true))]
    pub site_name: Option<String>,
    /// The declared theme colour for a light scheme, as written; a colour that can be read is given as hex.
    #[serde(rename = "themeColor")]
    #[cfg_attr(feature = "utoipa", schema(required = true))]
    pub theme_color: Option<String>,
    /// Whether the page reads light or dark: by its ground, or by what covers that; in a browser by the first screen.
    #[cfg_attr(feature = "utoipa", schema(required = true))]
    pub theme: Option<Theme>,
    /// Named roles.
    pub colors: BrandColors,
    /// A human-readable name for each role.
    #[serde(rename = "colorNames")]
    pub color_names: BrandColors,
    /// Colours that the page is painted in, most important first; near-duplicates are one.
    pub palette: Vec<PaletteColor>,
    /// Text colours on the grounds they stand on, most text first.
    pub contrast: Vec<ContrastPair>,
    /// Families by role.
    pub fonts: BrandFonts,
    /// Type styles by element.
    pub typography: Typography,
    /// Address of the primary logo (`data:` for inline markup); never a social preview image.
    #[cfg_attr(feature = "utoipa", schema(required = true))]
    pub logo: Option<String>,
    /// All logo candidates, best first.
    pub logos: Vec<BrandLogo>,
    /// Social preview image.
    #[serde(rename = "ogImage")]
    #[cfg_attr(feature = "utoipa", schema(required = true))]
    pub og_image: Option<String>,
    /// Profiles, one for each platform.
    pub socials: Vec<Social>,
    /// How much the site declared, against how much was inferred; from 0 to 1.
    pub confidence: f64,
    /// Where each value comes from, by its name (`title`, `colors.primary`, `fonts.mono`, …).
    pub evidence: BTreeMap<String, BrandEvidence>,
}

/// A value for each colour role: lower-case hex (8 digits when translucent), or a name. Null when it cannot be defended.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
pub struct BrandColors {
    /// The colour of the brand.
    #[cfg_attr(feature = "utoipa", schema(required = true))]
    pub primary: Option<String>,
    /// The second colour beside it.
    #[cfg_attr(feature = "utoipa", schema(required = true))]
    pub accent: Option<String>,
    /// The ground of the page.
    #[cfg_attr(feature = "utoipa", schema(required = true))]
    pub background: Option<String>,
    /// Running text.
    #[cfg_attr(feature = "utoipa", schema(required = true))]
    pub text: Option<String>,
}

/// A colour of the palette.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
pub struct PaletteColor {
    /// Lower-case hex, 8 digits when translucent.
    pub hex: String,
    /// A human-readable name.
    pub name: String,
    /// How many elements show it.
    pub count: usize,
    /// Share of the page that it covers, from 0 to 1; absent for colours that fill no ground.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub area: Option<f64>,
    /// What it is used for: the named roles first, then `button`, `link`, `heading`, `text`, `surface`, `border`, `icon`,
    /// `logo`, `theme-color`.
    pub roles: Vec<String>,
    /// The CSS properties it is a value of.
    pub properties: Vec<String>,
    /// Whether the page names it in a custom property or in its metadata.
    pub declared: bool,
    /// That custom property.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub variable: Option<String>,
}

/// A text colour on a ground (WCAG 2.2, contrast ratio).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
pub struct ContrastPair {
    /// The text, hex.
    pub text: String,
    /// The ground, hex.
    pub background: String,
    /// From 1 to 21, two decimals, rounded down.
    pub ratio: f64,
    /// The level that the ratio meets for body text: `AAA`, `AA`, `AA-large` or `fail`.
    pub level: ContrastLevel,
    /// Characters set so.
    pub characters: usize,
}

/// What a contrast ratio meets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
pub enum ContrastLevel {
    /// 7 and more.
    #[serde(rename = "AAA")]
    Aaa,
    /// 4.5 and more.
    #[serde(rename = "AA")]
    Aa,
    /// 3 and more: enough for large text.
    #[serde(rename = "AA-large")]
    AaLarge,
    /// Less than 3.
    #[serde(rename = "fail")]
    Fail,
}

/// Families by role, under the names people know.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
pub struct BrandFonts {
    /// The family of most text.
    #[cfg_attr(feature = "utoipa", schema(required = true))]
    pub primary: Option<String>,
    /// The family of code.
    #[cfg_attr(feature = "utoipa", schema(required = true))]
    pub mono: Option<String>,
    /// The family of headings, when it is another.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub heading: Option<String>,
}

/// Type styles by element, each as most of its text is set.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
pub struct Typography {
    /// `h1` to `h6`, `body`, `small`, `link`, `button`, `code`, `quote`: those that the page shows.
    #[serde(flatten)]
    pub styles: BTreeMap<String, TypeStyle>,
    /// Font sizes of text in CSS pixels, smallest first.
    #[serde(serialize_with = "super::number::plain_list")]
    pub scale: Vec<f64>,
}

/// One type style, in computed values.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
pub struct TypeStyle {
    /// The family people know.
    #[serde(rename = "fontFamily")]
    pub font_family: String,
    /// In `px`.
    #[serde(rename = "fontSize")]
    pub font_size: String,
    /// From 1 to 1000.
    #[serde(rename = "fontWeight")]
    pub font_weight: String,
    /// In `px`, or `normal`.
    #[serde(rename = "lineHeight")]
    pub line_height: String,
    /// In `px`, or `normal`.
    #[serde(rename = "letterSpacing")]
    pub letter_spacing: String,
}

words! {
    /// What a logo candidate is.
    pub enum LogoType {
        /// Shown on the page, or declared as the logo.
        Logo = "logo",
        /// `link rel=icon`.
        Icon = "icon",
        /// `link rel=apple-touch-icon`.
        TouchIcon = "touch-icon",
        /// `link rel=mask-icon`.
        MaskIcon = "mask-icon",
        /// An icon of the web application manifest.
        Manifest = "manifest",
        /// Open Graph.
        Og = "og",
        /// `logo` of an organisation in JSON-LD.
        JsonLd = "jsonld",
    }
}

/// A logo candidate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
pub struct BrandLogo {
    /// Absolute; a `data:` URL for inline markup.
    pub url: String,
    /// What it is.
    #[serde(rename = "type")]
    pub kind: LogoType,
    /// Where it was found: `img`, `svg`, `picture`, `css`, `object`, `link`, `meta`, `manifest`, `json-ld`.
    pub source: String,
    /// The ground it is made for, when that is known.
    #[cfg_attr(feature = "utoipa", schema(required = true))]
    pub theme: Option<Theme>,
    /// CSS pixels as shown, or file pixels as declared.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub width: Option<u32>,
    /// CSS pixels as shown, or file pixels as declared.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub height: Option<u32>,
    /// `svg`, `png`, `jpeg`, `webp`, `avif`, `gif`, `ico`: by declared type or file name.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub format: Option<String>,
    /// Alternative text or accessible name.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub alt: Option<String>,
    /// Markup of an inline SVG.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub code: Option<String>,
    /// How sure we are, from 0 to 1.
    pub score: f64,
    /// The `url` of the same logo made for the other ground.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub variant: Option<String>,
}

/// A profile on another site.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
pub struct Social {
    /// Lower-case slug: `github`, `x`, `linkedin`, …
    pub platform: String,
    /// The profile's canonical address.
    pub url: String,
    /// The name of the profile as the platform writes it, without `@`; null when the address has none.
    #[cfg_attr(feature = "utoipa", schema(required = true))]
    pub handle: Option<String>,
}

words! {
    /// What a value rests on.
    pub enum Basis {
        /// The page says so.
        Declared = "declared",
        /// It is what the page shows.
        Observed = "observed",
        /// Concluded from several signs.
        Inferred = "inferred",
    }
}

/// What a value rests on and where.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
pub struct BrandEvidence {
    /// Declared, observed or inferred.
    pub basis: Basis,
    /// The places, strongest first: `meta og:title`, `json-ld Organization.logo`, `button fill 62%`, `--brand`, …
    pub from: Vec<String>,
}
