//! Sliders: elements of a library that show one slide at a time. A slider is one section, whatever is in its slides.

use crate::classification::{BAR, is_named_header, is_opening_picture};
use crate::page_stats::{BAND_HEIGHT, BAND_WIDTH, PageStats};
use limner_page::NodeId;
use limner_page::dom::Element;
use limner_style::layout::Rect;

/// Classes and names of sliders: Slider Revolution, LayerSlider, Smart Slider, Avada, Divi, Elementor, Master Slider,
/// Soliloquy, MetaSlider, FlexSlider, Nivo Slider, RoyalSlider, Swiper, Splide, Glide, Slick, Owl Carousel, Flickity,
/// bxSlider, Keen, Webflow, Tilda and UIkit.
#[rustfmt::skip]
const SLIDERS: &[&str] = &[
    "bxslider", "elementor-slides-wrapper", "et_pb_slider", "flexslider", "flickity", "fusion-slider-container", "glide",
    "keen-slider", "ls-wp-container", "ls-wp-fullwidth-container", "master-slider", "master-slider-parent", "metaslider",
    "n2-section-smartslider", "n2-ss-slider", "nivoSlider", "owl-carousel", "rev_slider_wrapper", "royalSlider",
    "slick-slider", "soliloquy-container", "splide", "swiper", "swiper-container", "t-slds", "uk-slideshow", "w-slider",
];
const ELEMENTS: &[&str] = &["rs-module-wrap", "ss3-force-full-width", "swiper-container"];

/// Classes of Bootstrap's carousels.
const BOOTSTRAP: [&str; 2] = ["carousel", "slide"];

/// Minimum and maximum height of a slider that is a section, in CSS pixels: a higher one has its slides stacked.
const MIN_HEIGHT: f32 = 200.0;
const MAX_HEIGHT: f32 = 1_350.0;

/// Maximum number of elements around a slider without anything else in them.
const MAX_WRAPPERS: usize = 8;

/// Returns true for a slider as high as a section.
pub(crate) fn is_slider(stats: &PageStats<'_>, node: NodeId) -> bool {
    let Some(element) = stats.document.element(node) else { return false };
    let has = |class: &str| element.attr_has_token("class", class);
    let is_named = ELEMENTS.iter().any(|name| element.is_html(name)) || SLIDERS.iter().any(|class| has(class));
    (is_named || BOOTSTRAP.into_iter().all(has))
        && stats.rect(node).is_some_and(|rect| (MIN_HEIGHT..=MAX_HEIGHT).contains(&rect.height))
}

/// Returns the parts of a header element that contains the page's slider besides bars: the bars, and the slider.
pub(crate) fn parts_of_header(stats: &PageStats<'_>, node: NodeId, children: &[NodeId]) -> Option<Vec<NodeId>> {
    let is_high = |rect: Rect| rect.y <= BAR && (BAND_HEIGHT..=MAX_HEIGHT).contains(&rect.height);
    if !stats.rect(node).is_some_and(is_high) || !is_header(stats, node) {
        return None;
    }
    let mut parts = children.to_vec();
    for _ in 0..MAX_WRAPPERS {
        let [only] = parts.as_slice() else { break };
        if wraps_slider(stats, *only) && !is_header(stats, *only) {
            break;
        }
        parts = stats.visible_children(*only);
    }
    let is_band =
        |part: NodeId| stats.rect(part).is_some_and(|rect| rect.width >= BAND_WIDTH && rect.height >= BAND_HEIGHT);
    let shows_slides = |part: &NodeId| wraps_slider(stats, *part) || shows_pictures_in_turn(stats, *part);
    let (sliders, others): (Vec<NodeId>, Vec<NodeId>) = parts.iter().partition(|part| shows_slides(part));
    let is_bar = |part: &NodeId| stats.rect(*part).is_some_and(|rect| rect.height <= BAR);
    (matches!(sliders[..], [only] if is_band(only)) && others.iter().all(is_bar)).then_some(parts)
}

fn is_header(stats: &PageStats<'_>, node: NodeId) -> bool {
    stats.document.element(node).is_some_and(|element| element.is_html("header")) || is_named_header(stats, node)
}

/// Words in the names of sliders that a site has written itself.
const OWN_SLIDERS: &[&str] = &["carousel", "slider", "slides", "slideshow"];

/// Returns true for a band of pictures that is named a slider, or has one as its only content.
fn shows_pictures_in_turn(stats: &PageStats<'_>, node: NodeId) -> bool {
    let is_word = |word: &str| OWN_SLIDERS.contains(&word);
    let is_named = |node: NodeId| {
        let classes = stats.document.element(node).map(Element::classes).unwrap_or_default();
        classes.iter().any(|class| class.split(['-', '_']).any(is_word))
    };
    only_contents(stats, node).any(is_named) && is_opening_picture(stats, node)
}

/// Returns true for a slider with nothing else around it.
fn wraps_slider(stats: &PageStats<'_>, node: NodeId) -> bool {
    only_contents(stats, node).any(|node| is_slider(stats, node))
}

/// Returns an element, and those inside it that have nothing beside them.
fn only_contents(stats: &PageStats<'_>, node: NodeId) -> impl Iterator<Item = NodeId> {
    let inner = |node: &NodeId| match stats.visible_children(*node).as_slice() {
        [only] => Some(*only),
        _ => None,
    };
    std::iter::successors(Some(node), inner).take(MAX_WRAPPERS)
}
