//! Backgrounds that a script sets: by an attribute with their address, or by lifting a rule that holds them back until
//! the element is near the viewport.

use super::{StartEvidence, StartState};
use crate::Styles;
use crate::cascade::{ComputedStyle, DeclarationBlock, DeclarationSource};
use crate::index::StyleIndex;
use crate::property::Longhand;
use crate::sheet::{Declaration, DeclarationInterner};
use crate::start_state::hiding::{is_none, values};
use limner_page::NodeId;
use limner_page::dom::Element;

/// Attributes with the address of a background, or with its CSS.
const ATTRIBUTES: &[&str] = &[
    "data-background",
    "data-background-image",
    "data-background-image-url",
    "data-background-src",
    "data-background-url",
    "data-bg",
    "data-bg-hidpi",
    "data-bg-image",
    "data-bg-img",
    "data-bg-multi",
    "data-bg-src",
    "data-bg-url",
    "data-bgimage",
    "data-bgimg",
    "data-lazy-background",
    "data-lazy-bg",
    "data-lazybg",
    "data-lazyload-background",
    "data-ll-bg",
    "data-setbg",
];

/// Attributes of the same kind whose script draws the image over the whole box: parallax effects, and the picture before
/// a video that is a background.
const COVERING: &[&str] = &["data-parallax-image", "data-parallax-src", "data-poster-url", "data-vc-parallax-image"];

/// Attribute of lazysizes with the sources of a background, as `srcset` has them.
const SOURCES: &str = "data-bgset";

/// Attributes of Tilda's backgrounds, with the class of their elements, and parts of the addresses of the small copies that
/// they have until the script replaces them.
const TILDA: &[(&str, &str)] = &[("data-original", "t-bgimg"), ("data-content-cover-bg", "t-cover__carrier")];
const SMALL_COPIES: &[&str] = &["/resize/20x", "/resizeb/20x", "resize__20x", "resizeb__20x"];

/// Attribute with the pictures of a background that changes.
const ZOOM_SLIDER: &str = "data-zs-src";

/// Ends of the names of image files.
const FILES: &[&str] = &["avif", "bmp", "gif", "jfif", "jpeg", "jpg", "png", "svg", "webp"];

/// Start of the list of pictures in Elementor's settings of a background.
const SLIDESHOW: &str = "\"background_slideshow_gallery\":[";

/// Maximum length of an address.
const MAX_ADDRESS: usize = 4_096;

/// Returns true for an attribute in which scripts look for a background: its address, or its CSS.
pub fn is_lazy_background(attribute: &str) -> bool {
    ATTRIBUTES.contains(&attribute)
}

/// Returns the elements whose background a script sets.
pub(super) fn find(
    index: &StyleIndex<'_>,
    styles: &mut Styles<'_>,
    interner: &mut DeclarationInterner,
) -> Vec<StartState> {
    let mut found = Vec::new();
    for (node, element) in index.document().elements().filter(|(_, element)| element.in_html()) {
        let Some(declarations) = declared(index, node, element) else { continue };
        if styles.get(node).is_some_and(|style| has_no_image(&style)) {
            found.push(StartState::with_added(node, StartEvidence::LazyBackground, &declarations, interner));
        }
    }
    found
}

/// Returns true for an element without a background image, or with a placeholder.
pub(super) fn has_no_image(style: &ComputedStyle) -> bool {
    let image = style.get(Longhand::BackgroundImage);
    let is_small = || SMALL_COPIES.iter().any(|part| image.contains(part));
    image == "none"
        || image.matches("url(").count() == 1 && (image.starts_with("url(\"data:") || is_small() || is_spacer(image))
}

/// Returns true for an image of a file that is a placeholder by its name.
fn is_spacer(image: &str) -> bool {
    const NAMES: [&str; 5] = ["blank", "pixel", "placeholder", "spacer", "transparent"];
    let path = image.split(['?', '#']).next().unwrap_or_default();
    let file = path.rsplit('/').next().unwrap_or_default();
    NAMES.iter().any(|name| file.strip_prefix(name).is_some_and(|rest| rest.starts_with('.')))
}

/// Returns the background that the attributes of an element name, as declarations.
fn declared(index: &StyleIndex<'_>, node: NodeId, element: &Element) -> Option<String> {
    let of = |names: &[&str]| names.iter().find_map(|name| element.attr(name)).and_then(image);
    let of_tilda = || {
        let own = TILDA.iter().find(|(_, class)| element.attr_has_token("class", class))?;
        element.attr(own.0).and_then(image)
    };
    let of_sources = || widest(element.attr(SOURCES)?).and_then(image);
    if let Some(image) = of(ATTRIBUTES).or_else(of_tilda).or_else(of_sources) {
        // The placeholder may stand in the style attribute, which the script overwrites.
        return Some(format!("background-image: {image} !important"));
    }
    let has_video = || index.document().child_elements(node).any(|(_, child)| child.is_html("video"));
    let parallax =
        || element.attr("data-image-src").filter(|_| element.attr("data-parallax").is_some()).and_then(image);
    let covering = of(COVERING).filter(|_| !has_video()).or_else(parallax);
    // A list of addresses of Zoom Slider.
    let zoomed = || element.attr(ZOOM_SLIDER)?.split(['"', '\'']).find_map(image);
    let slideshow = || image(&first_of_slideshow(element.attr("data-settings")?)?);
    let image = covering.or_else(zoomed).or_else(slideshow)?;
    Some(format!("background-image: {image}; background-size: cover; background-position: center"))
}

/// Returns the source with the largest width or density of a list such as `a.jpg 400w, b.jpg 800w`.
fn widest(sources: &str) -> Option<&str> {
    let size = |descriptor: &str| descriptor.strip_suffix(['w', 'x'])?.parse::<f64>().ok();
    let sources = sources.split(", ").flat_map(|part| part.split(",\n")).map(str::trim);
    let sized = sources.filter_map(|source| {
        let mut parts = source.split_whitespace();
        Some((parts.next()?, parts.next().and_then(size).unwrap_or_default()))
    });
    let (url, _) = sized.reduce(|best, next| if next.1 > best.1 { next } else { best })?;
    Some(url.trim_end_matches(','))
}

/// Returns the first picture of a background that changes.
fn first_of_slideshow(settings: &str) -> Option<String> {
    let list = settings.split_once(SLIDESHOW)?.1;
    let address = list.split_once("\"url\":\"")?.1.split('"').next()?;
    Some(address.replace("\\/", "/"))
}

/// Returns the CSS of an image that an attribute names; `None` for colours, flags and templates.
pub(super) fn image(value: &str) -> Option<String> {
    let value = value.trim();
    if value.is_empty() || value.len() > MAX_ADDRESS {
        return None;
    }
    if value.starts_with("url(") || value.contains("gradient(") {
        return Some(value.to_owned());
    }
    let is_templated = value.contains("{{") || value.contains("<%") || value.starts_with(['{', '[', '#']);
    let path = value.split(['?', '#']).next().unwrap_or_default().to_ascii_lowercase();
    let has_name = path.rsplit_once('.').is_some_and(|(_, end)| FILES.contains(&end));
    let is_absolute = value.starts_with("http") || value.starts_with("//") || value.starts_with("data:image/");
    let quoted = value.replace('\\', "\\\\").replace('"', "%22").replace('\n', "");
    (!is_templated && (has_name || is_absolute)).then(|| format!("url(\"{quoted}\")"))
}

/// Returns true if the selectors of a rule that removes backgrounds are about elements whose background is still to load.
pub(super) fn may_hold_back(declarations: &[Declaration], mut selectors: impl Iterator<Item = String>) -> bool {
    sets_image(declarations) == Some(false) && selectors.any(|selector| is_about_loading(&selector))
}

/// Returns the declarations that hold back the background of an element, given its blocks at rest with their selectors.
pub(super) fn held_back(blocks: &[(DeclarationBlock<'_>, Option<String>)]) -> Vec<(DeclarationSource, Longhand)> {
    let holds = |selector: &Option<String>| selector.as_deref().is_some_and(is_about_loading);
    let mut others = blocks.iter().filter(|(_, selector)| !holds(selector));
    if !others.any(|(block, _)| sets_image(block.declarations) == Some(true)) {
        return Vec::new();
    }
    let holding =
        blocks.iter().filter(|(block, selector)| holds(selector) && sets_image(block.declarations) == Some(false));
    holding.map(|(block, _)| (block.source, Longhand::BackgroundImage)).collect()
}

fn is_about_loading(selector: &str) -> bool {
    selector.to_ascii_lowercase().contains("lazy")
}

/// Returns true if a block sets a background image, false if it sets none, `None` if it does not say.
fn sets_image(declarations: &[Declaration]) -> Option<bool> {
    let of_image = declarations.iter().flat_map(values).filter(|(longhand, _)| *longhand == Longhand::BackgroundImage);
    of_image.last().map(|(_, value)| !value.is_some_and(is_none))
}
