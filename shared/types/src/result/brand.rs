//! `/brand`.

use super::ResultHeader;
use crate::Theme;
use crate::wire_enum::wire_enum;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Result of `/brand`. Values without sufficient evidence are null.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
pub struct BrandResult {
    /// `url`, `hint`, `screenshot`.
    #[serde(flatten)]
    pub common: ResultHeader,
    /// The page's title, with entities decoded and whitespace normalized.
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
    /// Theme of the page, light or dark: by its background, or by what covers that; in a browser by the first screen.
    #[cfg_attr(feature = "utoipa", schema(required = true))]
    pub theme: Option<Theme>,
    /// Named roles. `evidence` has the reasons for each, as `colors.primary` and so on.
    pub colors: BrandColors,
    /// A human-readable name for each role.
    #[serde(rename = "colorNames")]
    pub color_names: BrandColors,
    /// Colours that the page is painted in, most important first; near-duplicates are merged.
    pub palette: Vec<PaletteColor>,
    /// Text colours with the backgrounds they are on, most text first.
    pub contrast: Vec<ContrastPair>,
    /// Families by role.
    pub fonts: BrandFonts,
    /// Type styles by element.
    pub typography: Typography,
    /// URL of the primary logo (`data:` for inline markup); never a social preview image.
    #[cfg_attr(feature = "utoipa", schema(required = true))]
    pub logo: Option<String>,
    /// All logo candidates, best first.
    pub logos: Vec<BrandLogo>,
    /// Social preview image.
    #[serde(rename = "ogImage")]
    #[cfg_attr(feature = "utoipa", schema(required = true))]
    pub og_image: Option<String>,
    /// Profiles, one per platform.
    pub socials: Vec<Social>,
    /// Share of declared as opposed to inferred values; from 0 to 1.
    pub confidence: f64,
    /// Evidence for each value, by its name (`title`, `colors.primary`, `fonts.mono`, …).
    pub evidence: BTreeMap<String, BrandEvidence>,
    /// With `scope=all`: the colours in light and in dark.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub themes: Option<BrandThemes>,
    /// With `scope=all`: every text colour with the colour behind it, at rest and in states, in both schemes.
    #[serde(rename = "contrastReport", skip_serializing_if = "Option::is_none", default)]
    pub contrast_report: Option<ContrastReport>,
    /// With `scope=all`: buttons, inputs, cards and badges with their looks and states.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub components: Option<BrandComponents>,
}

/// The colours in each scheme.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
pub struct BrandThemes {
    /// In a light scheme.
    pub light: BrandTheme,
    /// In a dark scheme, by media query or by a class or attribute of the root; null if the page declares none.
    #[cfg_attr(feature = "utoipa", schema(required = true))]
    pub dark: Option<BrandTheme>,
}

/// The colours in one scheme.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
pub struct BrandTheme {
    /// Named roles.
    pub colors: BrandColors,
    /// Colours that the page is painted in, most important first.
    pub palette: Vec<PaletteColor>,
}

/// A report of the contrast of text (WCAG 2.2, criteria 1.4.3 and 1.4.6).
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
pub struct ContrastReport {
    /// Number of pairs that fail level AA, of all pairs.
    pub failures: usize,
    /// Number of all pairs, those left out included.
    pub total: usize,
    /// Number of elements with text on an image, whose contrast is not known.
    #[serde(rename = "onImages")]
    pub on_images: usize,
    /// The pairs, those with the least contrast first; at most 200.
    #[cfg_attr(feature = "utoipa", schema(max_items = 200))]
    pub pairs: Vec<ContrastFinding>,
}

/// A text colour on a background, for texts of one size class in one state and scheme.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
pub struct ContrastFinding {
    /// The text as painted, hex: translucent colours are composited.
    pub text: String,
    /// The background as painted, hex.
    pub background: String,
    /// From 1 to 21, two decimals, rounded down.
    pub ratio: f64,
    /// `large` from 24 px on, or 18.66 px if bold; else `normal`.
    pub size: TextSize,
    /// True if it meets level AA: 4.5, or 3 for large text.
    pub aa: bool,
    /// True if it meets level AAA: 7, or 4.5 for large text.
    pub aaa: bool,
    /// `rest`, `hover` or `focus`. Pairs in a state are those that are others at rest.
    pub state: ContrastState,
    /// The scheme.
    pub theme: Theme,
    /// Number of elements.
    pub elements: usize,
    /// Number of characters.
    pub characters: usize,
    /// Selector of the first of these elements.
    pub selector: String,
}

wire_enum! {
    /// The size of a text, as far as the required contrast depends on it.
    pub enum TextSize {
        /// Below the size of large text.
        Normal = "normal",
        /// At least 24 px, or 18.66 px if bold.
        Large = "large",
    }
}

wire_enum! {
    /// The state of an element with text.
    pub enum ContrastState {
        /// None.
        Rest = "rest",
        /// The pointer is on it.
        Hover = "hover",
        /// It has the keyboard's focus.
        Focus = "focus",
    }
}

/// Recurring components, each with its looks, the most frequent first.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
pub struct BrandComponents {
    /// Buttons and links that look like buttons.
    pub button: Vec<ComponentLook>,
    /// Text fields, selects and text areas.
    pub input: Vec<ComponentLook>,
    /// Boxes around a heading or text, with a border, a shadow or a background of their own.
    pub card: Vec<ComponentLook>,
    /// Short labels with a background or border of their own.
    pub badge: Vec<ComponentLook>,
}

/// One look of a component, at most six of each.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
pub struct ComponentLook {
    /// Number of elements with this look.
    pub count: usize,
    /// Selector of the first of them.
    pub selector: String,
    /// CSS properties and values at rest; colours in hex.
    pub style: BTreeMap<String, String>,
    /// The properties that change in a state (`hover`, `focus`, `active`, `disabled`).
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub states: BTreeMap<String, BTreeMap<String, String>>,
    /// The properties that are others in a dark scheme.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub dark: BTreeMap<String, String>,
}

/// A value for each colour role: lower-case hex (8 digits if translucent), or a name. Null without sufficient evidence.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
pub struct BrandColors {
    /// The colour of the brand.
    #[cfg_attr(feature = "utoipa", schema(required = true))]
    pub primary: Option<String>,
    /// The secondary colour.
    #[cfg_attr(feature = "utoipa", schema(required = true))]
    pub accent: Option<String>,
    /// The background of the page.
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
    /// Number of elements that show it.
    pub count: usize,
    /// Share of the page that it covers, from 0 to 1; absent for colours that fill no background.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub area: Option<f64>,
    /// Its uses: the named roles first, then `button`, `link`, `heading`, `text`, `surface`, `border`, `icon`, `logo`,
    /// `theme-color`.
    pub roles: Vec<String>,
    /// The CSS properties it is a value of.
    pub properties: Vec<String>,
    /// True if the page names it in a custom property or in its metadata.
    pub declared: bool,
    /// The custom property that declares it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub variable: Option<String>,
}

/// A text colour on a background (WCAG 2.2, contrast ratio).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
pub struct ContrastPair {
    /// The text, hex.
    pub text: String,
    /// The background, hex.
    pub background: String,
    /// From 1 to 21, two decimals, rounded down.
    pub ratio: f64,
    /// The level that the ratio meets for body text: `AAA`, `AA`, `AA-large` or `fail`.
    pub level: ContrastLevel,
    /// Number of characters in this combination.
    pub characters: usize,
}

/// The level that a contrast ratio meets.
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

/// Families by role, under their common names.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
pub struct BrandFonts {
    /// The family of most text.
    #[cfg_attr(feature = "utoipa", schema(required = true))]
    pub primary: Option<String>,
    /// The family of code.
    #[cfg_attr(feature = "utoipa", schema(required = true))]
    pub mono: Option<String>,
    /// The family of headings, if it differs.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub heading: Option<String>,
    /// The families of these roles, with their origin and files.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub families: Vec<BrandFontFamily>,
}

/// A family of a brand's fonts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
pub struct BrandFontFamily {
    /// The common name.
    pub family: String,
    /// Its roles: `primary`, `mono`, `heading`.
    pub roles: Vec<String>,
    /// Its origin.
    pub origin: FontOrigin,
    /// Weights of the text in this family, lightest first.
    pub weights: Vec<String>,
    /// URLs of its font files that a browser would load first, one for each face, at most 24; none of `data:`.
    #[cfg_attr(feature = "utoipa", schema(max_items = 24))]
    pub files: Vec<String>,
}

wire_enum! {
    /// The origin of a family.
    pub enum FontOrigin {
        /// The site of the page.
        SelfHosted = "self-hosted",
        /// Google Fonts.
        Google = "google",
        /// Adobe Fonts.
        Adobe = "adobe",
        /// Any other site.
        Cdn = "cdn",
        /// The visitor's machine: the page declares no font file.
        System = "system",
    }
}

/// Type styles by element, each as in most of its text.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
pub struct Typography {
    /// `h1` to `h6`, `body`, `small`, `link`, `button`, `code`, `quote`: those on the page.
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
    /// The common name of the family.
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

wire_enum! {
    /// The kind of a logo candidate.
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
    /// Its kind.
    #[serde(rename = "type")]
    pub kind: LogoType,
    /// Its origin: `img`, `svg`, `picture`, `css`, `object`, `link`, `meta`, `manifest`, `json-ld`.
    pub source: String,
    /// The theme of the background it is made for, if known.
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
    /// Confidence, from 0 to 1.
    pub score: f64,
    /// The `url` of the same logo made for the other theme.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub variant: Option<String>,
}

/// A profile on another site.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
pub struct Social {
    /// Lower-case slug: `github`, `x`, `linkedin`, …
    pub platform: String,
    /// The profile's canonical URL.
    pub url: String,
    /// The profile's name as the platform writes it, without `@`; null if the URL has none.
    #[cfg_attr(feature = "utoipa", schema(required = true))]
    pub handle: Option<String>,
}

wire_enum! {
    /// The kind of a value's evidence.
    pub enum EvidenceKind {
        /// The page declares it.
        Declared = "declared",
        /// Observed on the page.
        Observed = "observed",
        /// Inferred from several signals.
        Inferred = "inferred",
    }
}

/// The evidence for a value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
pub struct BrandEvidence {
    /// Declared, observed or inferred.
    pub basis: EvidenceKind,
    /// Its sources, strongest first: `meta og:title`, `json-ld Organization.logo`, `button fill 62%`, `--brand`, …
    pub from: Vec<String>,
}
