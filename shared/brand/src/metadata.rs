//! Reads the page's metadata: title, description, site name, theme colour, preview image.
//!
//! Sources, strongest first:
//!
//! | | |
//! |---|---|
//! | title | `title`, `og:title`, `twitter:title`, JSON-LD (`WebPage` and its kin) |
//! | description | `meta description`, `og:description`, `twitter:description`, JSON-LD |
//! | site name | `og:site_name`, `application-name`, `apple-mobile-web-app-title`, JSON-LD (`WebSite`, `Organization`), manifest |
//! | theme colour | `meta theme-color` (without a condition, else for light), manifest |
//! | preview image | `og:image`, `twitter:image`, `link rel=image_src` |

use super::color::Rgba;
use super::manifest::Manifest;
use super::organization_types::kind_of_organization;
use limner_assets::image_references::key;
use limner_assets::json_ld::{self, JsonLd};
use limner_assets::media::attribute_text::tidy_within;
use limner_page::dom::Element;
use limner_page_view::PageView;
use serde_json::Value;
use std::collections::BTreeMap;

/// A text and its source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SourcedText {
    pub(super) value: String,
    pub(super) source: String,
}

/// Maximum length of a text, in characters.
const MAX_CHARACTERS: usize = 2_000;

#[derive(Debug, Default)]
pub(super) struct Metadata {
    pub(super) title: Option<SourcedText>,
    pub(super) description: Option<SourcedText>,
    pub(super) site_name: Option<SourcedText>,
    pub(super) theme_color: Option<SourcedText>,
    pub(super) og_image: Option<SourcedText>,
    /// Colours that metadata names for the site, with their weights.
    pub(super) colors: Vec<DeclaredColor>,
}

/// Types of JSON-LD objects that describe the page, and those that describe the site.
const PAGES: &[&str] =
    &["WebPage", "AboutPage", "CollectionPage", "Article", "NewsArticle", "BlogPosting", "TechArticle", "Product"];
const SITES: &[&str] = &[
    "WebSite",
    "Organization",
    "Corporation",
    "NewsMediaOrganization",
    "LocalBusiness",
    "OnlineStore",
    "Store",
    "Brand",
    "EducationalOrganization",
    "GovernmentOrganization",
    "NGO",
];

impl Metadata {
    pub(super) fn from_page(view: &PageView<'_>, json_ld: &JsonLd, manifest: &Manifest) -> Self {
        let metas = MetaElements::from_page(view);
        let nodes: Vec<&json_ld::JsonLdObject> = json_ld.nodes().into_iter().map(|(_, node)| node).collect();
        let page = |property: &str| property_of_types(view, &nodes, PAGES, property);
        let title = document_title(view)
            .or_else(|| metas.first(&["og:title", "twitter:title"]))
            .or_else(|| page("name"))
            .or_else(|| page("headline"));
        let description =
            metas.first(&["description", "og:description", "twitter:description"]).or_else(|| page("description"));
        let site_name = metas
            .first(&["og:site_name", "application-name", "apple-mobile-web-app-title"])
            .or_else(|| property_of_types(view, &json_ld.site_nodes(), SITES, "name"))
            .or_else(|| name_of_organization(json_ld))
            .or_else(|| manifest.name.clone().map(|value| sourced_text(value, "manifest name")));
        let theme_color = theme_color(view, manifest);
        let og_image = og_image(view, &metas);
        let colors = colors(view, theme_color.as_ref(), &metas, manifest);
        Self { title, description, site_name, theme_color, og_image, colors }
    }
}

/// Returns the name of the first organisation of a narrower kind: a dentist, a hotel.
fn name_of_organization(json_ld: &JsonLd) -> Option<SourcedText> {
    json_ld.site_nodes().into_iter().find_map(|node| {
        let kind = kind_of_organization(node)?;
        let name = tidy(&plain_text(json_ld::string(node, "name")?))?;
        Some(sourced_text(name, format!("json-ld {kind}.name")))
    })
}

fn sourced_text(value: String, source: impl Into<String>) -> SourcedText {
    SourcedText { value, source: source.into() }
}

/// Collapses white space and truncates; returns `None` if the text is empty.
pub(super) fn tidy(text: &str) -> Option<String> {
    tidy_within(text, MAX_CHARACTERS)
}

/// Returns the first `title` of the document that is not in an SVG.
fn document_title(view: &PageView<'_>) -> Option<SourcedText> {
    let (node, _) = view.document.elements_named("title").next()?;
    Some(sourced_text(tidy(&view.document.text_content(node))?, "title"))
}

/// `meta` elements by name; the first of each name that has content.
struct MetaElements(BTreeMap<String, String>);

impl MetaElements {
    fn from_page(view: &PageView<'_>) -> Self {
        let mut by_name = BTreeMap::new();
        for (_, meta) in view.document.elements_named("meta") {
            let Some(content) = meta.attr("content").and_then(tidy) else { continue };
            for name in ["name", "property", "itemprop"].iter().filter_map(|attribute| meta.attr(attribute)) {
                by_name.entry(name.trim().to_ascii_lowercase()).or_insert_with(|| content.clone());
            }
        }
        Self(by_name)
    }

    fn first(&self, names: &[&str]) -> Option<SourcedText> {
        names.iter().find_map(|name| Some(sourced_text(self.0.get(*name)?.clone(), format!("meta {name}"))))
    }
}

/// Returns the property of the first object of these types that has it; objects in the page's language come first.
fn property_of_types(
    view: &PageView<'_>,
    nodes: &[&json_ld::JsonLdObject],
    types: &[&str],
    property: &str,
) -> Option<SourcedText> {
    let language = language(view);
    let is_foreign = |node: &json_ld::JsonLdObject| {
        json_ld::string(node, "inLanguage").is_some_and(|own| primary_subtag(own) != language && !language.is_empty())
    };
    types.iter().find_map(|name| {
        let mut of_type: Vec<&json_ld::JsonLdObject> =
            nodes.iter().copied().filter(|node| json_ld::has_type(node, name)).collect();
        of_type.sort_by_key(|node| is_foreign(node));
        let text = |node: &&json_ld::JsonLdObject| tidy(&plain_text(in_language(node, property, &language)?));
        let value = of_type.iter().find_map(text)?;
        Some(sourced_text(value, format!("json-ld {name}.{property}")))
    })
}

/// Returns the page's language from its root element: `de` for `de-AT`.
fn language(view: &PageView<'_>) -> String {
    let root = view.document.document_element().and_then(|root| view.document.element(root));
    root.and_then(|root| root.attr("lang")).map(primary_subtag).unwrap_or_default()
}

fn primary_subtag(tag: &str) -> String {
    tag.trim().split(['-', '_']).next().unwrap_or_default().to_ascii_lowercase()
}

/// Returns the text of a property; of several values with language tags, the one in `language`.
fn in_language<'n>(node: &'n json_ld::JsonLdObject, property: &str, language: &str) -> Option<&'n str> {
    let items = node.get(property).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let tagged = items
        .iter()
        .find(|item| item.get("@language").and_then(Value::as_str).is_some_and(|tag| primary_subtag(tag) == language));
    tagged.and_then(|item| item.get("@value")?.as_str()).or_else(|| json_ld::string(node, property))
}

/// Decodes the entities that content management systems leave in JSON.
fn plain_text(text: &str) -> String {
    if !text.contains('&') {
        return text.to_owned();
    }
    let document = limner_page::Document::parse_fragment(&text.replace('<', "&lt;"));
    document.text_content(document.root())
}

/// Returns the `theme-color` for a light scheme, or for any scheme if there is none for light.
fn theme_color(view: &PageView<'_>, manifest: &Manifest) -> Option<SourcedText> {
    let is_theme_color =
        |meta: &Element| meta.attr("name").is_some_and(|n| n.trim().eq_ignore_ascii_case("theme-color"));
    // The first valid colour counts (HTML, "theme-color").
    let color = |meta: &Element| Rgba::parse(&tidy(meta.attr("content")?)?);
    let all: Vec<(String, Rgba)> = view
        .document
        .elements_named("meta")
        .filter(|(_, meta)| is_theme_color(meta))
        .filter_map(|(_, meta)| Some((meta.attr("media").unwrap_or_default().to_ascii_lowercase(), color(meta)?)))
        .collect();
    let of = |fits: &dyn Fn(&str) -> bool| all.iter().find(|(media, _)| fits(media)).map(|(_, color)| *color);
    let chosen =
        of(&|media| media.trim().is_empty()).or_else(|| of(&|media| media.contains("light"))).or_else(|| of(&|_| true));
    let declared = chosen.map(|color| sourced_text(color.hex(), "meta theme-color"));
    declared.or_else(|| manifest.theme_color.map(|shade| sourced_text(shade.hex(), "manifest theme_color")))
}

fn og_image(view: &PageView<'_>, metas: &MetaElements) -> Option<SourcedText> {
    const NAMES: &[&str] =
        &["og:image", "og:image:url", "og:image:secure_url", "twitter:image", "twitter:image:src", "thumbnail"];
    let named = NAMES.iter().find_map(|name| {
        let url = view.resolve(metas.0.get(*name)?).filter(|url| matches!(url.scheme(), "http" | "https"))?;
        Some(sourced_text(key(&url).to_owned(), format!("meta {name}")))
    });
    let linked = || {
        let mut links =
            view.document.elements_named("link").filter(|(_, link)| link.attr_has_token("rel", "image_src"));
        let url = links.find_map(|(_, link)| view.resolve(link.attr("href")?))?;
        Some(sourced_text(key(&url).to_owned(), "link image_src"))
    };
    named.or_else(linked)
}

/// A colour that metadata declare as the site's.
#[derive(Debug)]
pub(super) struct DeclaredColor {
    pub(super) color: Rgba,
    pub(super) weight: f64,
    /// The declaration, in words.
    pub(super) source: &'static str,
}

/// Returns colours that represent the site: theme colour, the colours of mask icon and tile, those of the manifest.
fn colors(
    view: &PageView<'_>,
    theme: Option<&SourcedText>,
    metas: &MetaElements,
    manifest: &Manifest,
) -> Vec<DeclaredColor> {
    let declared = |color: Rgba, weight: f64, source: &'static str| DeclaredColor { color, weight, source };
    let theme = theme.and_then(|theme| Rgba::parse(&theme.value));
    let theme = theme.map(|color| declared(color, 1.0, "theme colour in metadata"));
    let mask = view.document.elements_named("link").find(|(_, link)| link.attr_has_token("rel", "mask-icon"));
    let mask = mask.and_then(|(_, link)| Rgba::parse(link.attr("color")?));
    let mask = mask.map(|color| declared(color, 0.9, "colour of the mask icon"));
    let named = |name: &str| metas.0.get(name).and_then(|value| Rgba::parse(value));
    let tile = named("msapplication-tilecolor").map(|color| declared(color, 0.5, "colour of the tile"));
    let bar = named("msapplication-navbutton-color").map(|color| declared(color, 0.5, "colour of the title bar"));
    let manifest = manifest.theme_color.map(|color| declared(color, 0.7, "theme colour of the manifest"));
    [theme, mask, tile, bar, manifest].into_iter().flatten().collect()
}
