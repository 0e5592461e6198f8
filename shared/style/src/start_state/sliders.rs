//! Sliders that a script sets up: before it runs, their slides are hidden or stacked.

use crate::Styles;
use crate::index::StyleIndex;
use crate::property::Longhand;
use limner_page::dom::Element;
use limner_page::{Document, NodeId};

/// A slider whose script has not run, and its slides.
pub(super) struct Slider {
    /// The element whose children are the slides.
    pub(super) track: NodeId,
    pub(super) slides: Vec<NodeId>,
    /// The elements of its library around the track.
    pub(super) around: Vec<NodeId>,
    /// True if the library lays out a row, so that what has no box at one width may have one at another.
    pub(super) is_row: bool,
    /// True if the slides are still one below the other.
    pub(super) is_stacked: bool,
}

/// Classes of tracks of which a library's sheet says nothing, or that they are hidden: Owl Carousel, Slick, Flexslider,
/// Flickity, bxSlider, Slider Revolution, and Elementor's.
const TRACKS: &[&str] = &[
    "bxslider",
    "elementor-slides",
    "flickity",
    "js-flickity",
    "owl-carousel",
    "rs-slides",
    "slick",
    "slick-carousel",
    "slick-slider",
];

/// Classes of tracks that are rows by their library's sheet: Swiper, Splide, Keen, Glide, Embla.
const ROWS: &[&str] = &["embla__container", "glide__slides", "keen-slider", "splide__list", "swiper-wrapper"];

/// Classes of the elements around a row, which may be hidden until it is laid out.
const AROUND_ROWS: &[&str] = &[
    "embla",
    "embla__viewport",
    "glide",
    "glide__track",
    "splide",
    "splide__slider",
    "splide__track",
    "swiper",
    "swiper-container",
];

/// Maximum number of elements between a row and the element that its library starts with.
const MAX_AROUND_ROWS: usize = 3;

/// Classes of tracks whose slides fill the slider.
const FILLED: &[&str] = &["elementor-slides"];

/// Classes that a library adds once its script has run.
const STARTED: &[&str] = &[
    "bx-viewport",
    "flickity-enabled",
    "glide--carousel",
    "glide--slider",
    "is-initialized",
    "is-rendered",
    "owl-loaded",
    "revslider-initialised",
    "slick-initialized",
    "swiper-container-initialized",
    "swiper-initialized",
];

/// Attributes of tracks.
const ATTRIBUTES: &[&str] = &["data-flickity", "data-slick"];

/// Classes of the elements whose list is the track.
const AROUND_LIST: &[&str] = &["flexslider", "rev_slider", "tp-banner"];

/// Returns the sliders of a page whose slides their library has not laid out yet.
pub(super) fn find(index: &StyleIndex<'_>, styles: &mut Styles<'_>) -> Vec<Slider> {
    let document = index.document();
    let mut found = Vec::new();
    for (track, element) in document.elements() {
        let is_row = is_row(document, track, element);
        if !is_row && !is_track(document, track, element) {
            continue;
        }
        let slides: Vec<NodeId> = document.child_elements(track).map(|(node, _)| node).collect();
        let Some(style) = styles.get(track).filter(|_| slides.len() >= 2) else { continue };
        let is_stacked = !style.is_flex_or_grid_container();
        let is_flex = style.get(Longhand::Display).ends_with("flex");
        if is_stacked || is_row && is_flex {
            let around = document.ancestors(track).take(MAX_AROUND_ROWS);
            let is_around = |node: &NodeId| document.element(*node).is_some_and(|own| has_class(own, AROUND_ROWS));
            let around = if is_row { around.filter(is_around).collect() } else { Vec::new() };
            found.push(Slider { track, slides, around, is_row, is_stacked });
        }
    }
    found
}

fn has_class(element: &Element, classes: &[&str]) -> bool {
    element.classes().iter().any(|class| classes.contains(&&**class))
}

fn is_track(document: &Document, node: NodeId, element: &Element) -> bool {
    let is_list = || {
        let around = document.parent(node).and_then(|parent| document.element(parent));
        element.is_html("ul")
            && around.is_some_and(|around| has_class(around, AROUND_LIST) && !has_class(around, STARTED))
    };
    let says_so = has_class(element, TRACKS) || ATTRIBUTES.iter().any(|name| element.attr(name).is_some()) || is_list();
    says_so && !has_class(element, STARTED) && element.in_html()
}

fn is_row(document: &Document, node: NodeId, element: &Element) -> bool {
    let has_started = || {
        let around = document.ancestors(node).take(MAX_AROUND_ROWS).filter_map(|around| document.element(around));
        std::iter::once(element).chain(around).any(|own| has_class(own, STARTED))
    };
    element.in_html() && has_class(element, ROWS) && !has_started()
}

/// Returns true for an element of a library around its row of slides.
pub(super) fn is_around_row(element: &Element) -> bool {
    has_class(element, AROUND_ROWS)
}

/// Returns true if the slides fill the slider one by one, rather than in rows: they hold a headline or are large.
pub(super) fn shows_one(document: &Document, slider: &Slider) -> bool {
    let is_headed = |slide: &NodeId| {
        std::iter::once(*slide)
            .chain(document.light_descendants(*slide))
            .any(|inner| document.element(inner).is_some_and(|element| matches!(element.name(), "h1" | "h2")))
    };
    let fills = document.element(slider.track).is_some_and(|track| has_class(track, FILLED));
    fills || slider.slides.iter().any(is_headed)
}

/// Returns the declarations with which a slide fills its slider, if it would be narrower without the width that the
/// script sets: it floats, or shrinks to make room for the others.
pub(super) fn filling(styles: &mut Styles<'_>, slider: &Slider, slide: NodeId) -> Option<&'static str> {
    let style = styles.get(slide)?;
    let width = style.get(Longhand::Width);
    if slider.is_stacked {
        return (style.is_floating() && width == "auto").then_some("width: 100%");
    }
    let is_shrinkable = style.get(Longhand::FlexShrink) != "0" && style.get(Longhand::MinWidth) == "auto";
    let is_narrow = width == "auto" || width == "100%" && is_shrinkable;
    let has_basis = style.get(Longhand::FlexBasis) != "auto" && !is_shrinkable;
    (is_narrow && !has_basis).then_some("width: 100%; flex-shrink: 0")
}

/// Returns true if the element's own `display` is `none`.
pub(super) fn has_no_box(styles: &mut Styles<'_>, node: NodeId) -> bool {
    styles.get(node).is_some_and(|style| style.get(Longhand::Display) == "none")
}
