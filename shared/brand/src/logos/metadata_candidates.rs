//! Logos that metadata declares: icons, manifest, JSON-LD, Open Graph.

use super::logo_names::{file_words, has_logo_word};
use super::{LogoCandidate, SiteContext, image_format};
use crate::name_tokens::contains_any;
use crate::organization_types::owner_type;
use limner_assets::image_references::{ImageOrigin, ImageReference, key};
use limner_assets::json_ld::{self, JsonLd, JsonLdObject};
use limner_page_view::PageView;
use limner_types::Theme;
use limner_types::result::{ImageSource, LogoType};
use serde_json::Value;
use std::collections::HashMap;
use url::Url;

pub(super) fn candidates(view: &PageView<'_>, json_ld: &JsonLd, context: &SiteContext<'_>) -> Vec<LogoCandidate> {
    let mut found: Vec<LogoCandidate> = context.references.iter().filter_map(candidate_from_reference).collect();
    found.extend(candidates_from_json_ld(view, json_ld));
    found.extend(candidates_from_meta(view));
    found
}

/// Returns SVG icons, best first.
pub(super) fn drawn_icons(references: &[ImageReference]) -> Vec<String> {
    let mut drawn: Vec<LogoCandidate> =
        references.iter().filter_map(candidate_from_reference).filter(LogoCandidate::is_drawing).collect();
    drawn.sort_by(|a, b| b.score.total_cmp(&a.score));
    drawn.into_iter().map(|candidate| candidate.url).collect()
}

fn candidate_from_reference(reference: &ImageReference) -> Option<LogoCandidate> {
    let ImageOrigin::Image(source) = reference.origin else { return None };
    let (kind, place) = match source {
        ImageSource::Favicon => (LogoType::Icon, "link"),
        ImageSource::TouchIcon => (LogoType::TouchIcon, "link"),
        ImageSource::MaskIcon => (LogoType::MaskIcon, "link"),
        ImageSource::Manifest => (LogoType::Manifest, "manifest"),
        ImageSource::Og | ImageSource::Twitter => (LogoType::Og, "meta"),
        _ => return None,
    };
    // The manifest also lists screenshots and icons of shortcuts.
    if kind == LogoType::Manifest && !reference.is_app_icon {
        return None;
    }
    if is_of_template(&reference.url) {
        return None;
    }
    let url = key(&reference.url).to_owned();
    let mut candidate = LogoCandidate::new(url, kind, place);
    candidate.format = image_format(&reference.url, reference.media_type.as_deref());
    (candidate.width, candidate.height) = (reference.width, reference.height);
    candidate.alt = reference.alt.clone().filter(|alt| !alt.trim().is_empty());
    candidate.theme = reference.media.as_deref().and_then(scheme);
    candidate.score = score(&candidate);
    candidate.reasons.push(match kind {
        LogoType::MaskIcon => "link mask-icon".to_owned(),
        _ => format!("{place} icon"),
    });
    Some(candidate)
}

/// Scores an icon as a logo: SVG before bitmaps, large before small. A preview image is not a logo.
fn score(candidate: &LogoCandidate) -> f64 {
    let size = f64::from(candidate.width.unwrap_or(0).min(512)) / 512.0 * 0.06;
    let is_drawing = candidate.is_drawing();
    match candidate.kind {
        LogoType::Icon if is_drawing => 0.4,
        LogoType::MaskIcon => 0.36,
        LogoType::TouchIcon => 0.28 + size,
        LogoType::Manifest => 0.24 + size + if is_drawing { 0.06 } else { 0.0 },
        LogoType::Icon if candidate.format.as_deref() == Some("ico") => 0.14,
        LogoType::Icon => 0.16 + size,
        _ => 0.05,
    }
}

/// Returns the theme in `media="(prefers-color-scheme: dark)"`.
pub(super) fn scheme(media: &str) -> Option<Theme> {
    let media = media.to_ascii_lowercase();
    let (_, value) = media.split_once("prefers-color-scheme")?;
    match value {
        value if value.contains("dark") => Some(Theme::Dark),
        value if value.contains("light") => Some(Theme::Light),
        _ => None,
    }
}

/// Returns the `logo` of organisations and brands.
fn candidates_from_json_ld(view: &PageView<'_>, json_ld: &JsonLd) -> Vec<LogoCandidate> {
    let mut found = Vec::new();
    let nodes = json_ld.site_nodes();
    let images = images_by_id(&nodes);
    for node in nodes {
        let Some(owner) = owner_type(node) else { continue };
        let Some(address) = node.get("logo").and_then(|logo| image_address(logo, &images)) else { continue };
        // A URL without its slashes has a folder for its host.
        let is_host =
            |url: &Url| url.host_str().is_some_and(|host| host.contains('.') || url.host() == view.url.host());
        let web = |url: &Url| matches!(url.scheme(), "http" | "https") && is_host(url);
        let Some(url) = view.resolve(address).filter(web) else { continue };
        let mut candidate = LogoCandidate::new(key(&url).to_owned(), LogoType::JsonLd, "json-ld");
        if let Some(Value::Object(image)) = node.get("logo") {
            (candidate.width, candidate.height) = (json_ld::pixels(image, "width"), json_ld::pixels(image, "height"));
        }
        // Plugins declare the icon as the logo if the site has no other.
        candidate.score = if is_named_icon(&url) { 0.3 } else { 0.6 };
        candidate.reasons.push(format!("json-ld {owner}.logo"));
        found.push(candidate);
    }
    found
}

/// Returns true for an icon that a template has before the site has one: that of the build tool, and the example of lists of all
/// icons that a page can have.
fn is_of_template(url: &Url) -> bool {
    const TOOLS: &[&str] = &["next", "nuxt", "react", "svelte", "vercel", "vite", "vue"];
    let file = url.path().rsplit('/').next().unwrap_or_default();
    let is_of_tool = file.strip_suffix(".svg").is_some_and(|stem| TOOLS.contains(&stem));
    is_of_tool || url.path().contains("/path/to/")
}

/// Returns true for a file that is named an icon of the site, and not a logo.
fn is_named_icon(url: &Url) -> bool {
    let words = file_words(url);
    let follow = |pair: [&str; 2]| words.windows(2).any(|words| words == pair);
    const PAIRS: [[&str; 2]; 4] = [["fav", "icon"], ["site", "icon"], ["android", "chrome"], ["apple", "touch"]];
    let is_icon = contains_any(&words, &["favicon", "siteicon"]) || PAIRS.into_iter().any(follow);
    is_icon && !has_logo_word(&words)
}

/// Returns the addresses of the images that have an `@id`, by which others refer to them.
fn images_by_id<'n>(nodes: &[&'n JsonLdObject]) -> HashMap<&'n str, &'n str> {
    let address = |node: &'n JsonLdObject| ["url", "contentUrl"].iter().find_map(|name| json_ld::string(node, name));
    let images = nodes.iter().filter(|node| json_ld::has_type(node, "ImageObject"));
    images.filter_map(|node| Some((json_ld::string(node, "@id")?, address(node)?))).collect()
}

/// Returns the address in the value of `logo`: a text, an image, a reference to an image, or a list of these.
fn image_address<'n>(value: &'n Value, images: &HashMap<&'n str, &'n str>) -> Option<&'n str> {
    match value {
        Value::String(text) => Some(text.trim()).filter(|text| !text.is_empty()),
        Value::Array(items) => {
            let mut values = items.iter().take(MAX_VALUES).filter(|item| !item.is_array());
            values.find_map(|item| image_address(item, images))
        }
        Value::Object(image) => {
            let own = ["@value", "url", "contentUrl"].iter().find_map(|name| json_ld::string(image, name));
            own.or_else(|| {
                let id = json_ld::string(image, "@id")?;
                // A name in the page is the address of no file.
                images.get(id).copied().or_else(|| (!id.contains('#')).then_some(id))
            })
        }
        _ => None,
    }
}

/// Maximum number of values of one property.
const MAX_VALUES: usize = 16;

/// Returns `og:logo` and microdata that names a logo without showing it.
fn candidates_from_meta(view: &PageView<'_>) -> Vec<LogoCandidate> {
    let mut found = Vec::new();
    for (_, element) in view.document.elements().filter(|(_, e)| e.is_html("meta") || e.is_html("link")) {
        let named = |attribute: &str| element.attr(attribute).unwrap_or_default().trim().to_ascii_lowercase();
        let is_logo = named("property") == "og:logo" || named("name") == "og:logo" || named("itemprop") == "logo";
        let address = element.attr("content").or_else(|| element.attr("href"));
        let Some(url) = address.filter(|_| is_logo).and_then(|address| view.resolve(address)) else { continue };
        let mut candidate = LogoCandidate::new(key(&url).to_owned(), LogoType::Logo, "meta");
        candidate.score = 0.55;
        candidate.reasons.push("meta logo".to_owned());
        found.push(candidate);
    }
    found
}
