//! `/brand`: the brand identity of a page.

use super::brand_details::{
    ComponentKind, ContrastReport, FontFamily, Scheme, components, contrast_report, counted, families, schemes,
    stylesheet,
};
use super::marks::Mark;
use super::media::{Picture, image};
use super::sources::MediaSources;
use super::{link, list, text};
use crate::view::color::{Swatch, contrast_of};
use serde_json::Value;

/// Colour roles, in display order.
const ROLES: [&str; 4] = ["primary", "accent", "background", "text"];

/// A brand identity.
pub(crate) struct BrandView {
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) theme: String,
    pub(crate) confidence: String,
    pub(crate) logo: Option<String>,
    pub(crate) og_image: Option<String>,
    pub(crate) roles: Vec<Swatch>,
    pub(crate) palette: Vec<Swatch>,
    /// Contrast of the text on the background, and true if it is sufficient for text.
    pub(crate) contrast: Option<(String, bool)>,
    pub(crate) fonts: Vec<(String, String)>,
    pub(crate) typography: Vec<[String; 5]>,
    pub(crate) logos: Vec<Picture>,
    pub(crate) socials: Vec<(String, String, String)>,
    pub(crate) families: Vec<FontFamily>,
    pub(crate) schemes: Vec<Scheme>,
    pub(crate) contrast_report: Option<ContrastReport>,
    pub(crate) components: Vec<ComponentKind>,
    /// The components as a stylesheet.
    pub(crate) component_css: String,
}

impl BrandView {
    /// Returns a specimen of a row of the table of typography.
    pub(crate) fn specimen(&self, row: &[String; 5]) -> Specimen {
        Specimen { mark: Mark::text(&row[2], &row[3], &row[1]) }
    }
}

/// A text in a style of the page.
pub(crate) struct Specimen {
    pub(crate) mark: Mark,
}

impl BrandView {
    pub(crate) fn new(value: &Value, sources: &MediaSources) -> Self {
        let colors = &value["colors"];
        let pair = colors["text"].as_str().zip(colors["background"].as_str());
        let contrast = pair.and_then(|(text, ground)| contrast_of(text, ground));
        let site = text(&value["siteName"]);
        Self {
            name: if site.is_empty() { text(&value["title"]) } else { site },
            description: text(&value["description"]),
            theme: text(&value["theme"]),
            confidence: value["confidence"].as_f64().map(|share| format!("{:.0} %", share * 100.0)).unwrap_or_default(),
            logo: value["logo"].as_str().and_then(|url| sources.picture(url)),
            og_image: value["ogImage"].as_str().and_then(|url| sources.picture(url)),
            roles: roles(value),
            palette: palette(&value["palette"]),
            contrast: contrast.map(|ratio| (format!("{ratio:.1}"), ratio >= 4.5)),
            fonts: pairs(&value["fonts"]),
            typography: typography(&value["typography"]),
            logos: list(&value["logos"]).map(|item| image(item, sources)).collect(),
            socials: list(&value["socials"]).filter_map(social).collect(),
            families: families(&value["fonts"]["families"]),
            schemes: schemes(value),
            contrast_report: contrast_report(&value["contrastReport"]),
            components: components(&value["components"]),
            component_css: stylesheet(&value["components"]),
        }
    }
}

/// Returns the named roles of a brand or of one of its schemes.
pub(super) fn roles(value: &Value) -> Vec<Swatch> {
    let role = |role: &&str| Swatch::new(value["colors"][*role].as_str()?, *role, text(&value["colorNames"][*role]));
    ROLES.iter().filter_map(role).collect()
}

/// Returns the colours of a palette with the number of elements that show each.
pub(super) fn palette(colors: &Value) -> Vec<Swatch> {
    let color = |color: &Value| Swatch::new(color["hex"].as_str()?, text(&color["name"]), counted(&color["count"]));
    list(colors).filter_map(color).collect()
}

/// Returns the entries of an object that have a text.
fn pairs(value: &Value) -> Vec<(String, String)> {
    let entries = value.as_object().into_iter().flatten();
    entries.map(|(name, value)| (name.clone(), text(value))).filter(|(_, text)| !text.is_empty()).collect()
}

fn typography(value: &Value) -> Vec<[String; 5]> {
    let entries = value.as_object().into_iter().flatten().filter(|(_, style)| style.is_object());
    let row = |(name, style): (&String, &Value)| {
        let of = |property: &str| text(&style[property]);
        [name.clone(), of("fontFamily"), of("fontSize"), of("fontWeight"), of("lineHeight")]
    };
    entries.map(row).collect()
}

fn social(item: &Value) -> Option<(String, String, String)> {
    Some((text(&item["platform"]), link(item["url"].as_str()?)?, text(&item["handle"])))
}
