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
}

/// Classes of tracks, by library: Owl Carousel, Slick, Flexslider, Flickity, bxSlider, Slider Revolution, and Elementor's.
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

/// Classes of tracks whose slides fill the slider.
const FILLED: &[&str] = &["elementor-slides"];

/// Classes that a library adds once its script has run.
const STARTED: &[&str] =
    &["bx-viewport", "flickity-enabled", "is-initialized", "owl-loaded", "revslider-initialised", "slick-initialized"];

/// Attributes of tracks.
const ATTRIBUTES: &[&str] = &["data-flickity", "data-slick"];

/// Classes of the elements whose list is the track.
const AROUND_LIST: &[&str] = &["flexslider", "rev_slider", "tp-banner"];

/// Returns the sliders of a page whose slides their library has not laid out yet.
pub(super) fn find(index: &StyleIndex<'_>, styles: &mut Styles<'_>) -> Vec<Slider> {
    let document = index.document();
    let tracks = document.elements().filter(|(node, element)| is_track(document, *node, element));
    let mut found = Vec::new();
    for (track, _) in tracks {
        let slides: Vec<NodeId> = document.child_elements(track).map(|(node, _)| node).collect();
        let is_stacked = styles.get(track).is_some_and(|style| !style.is_flex_or_grid_container());
        if slides.len() >= 2 && is_stacked {
            found.push(Slider { track, slides });
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

/// Returns true for a slide that floats, and would be as narrow as its contents without the width that the script sets.
pub(super) fn is_shrunken(styles: &mut Styles<'_>, node: NodeId) -> bool {
    styles.get(node).is_some_and(|style| style.is_floating() && style.get(Longhand::Width) == "auto")
}

/// Returns true if the element's own `display` is `none`.
pub(super) fn has_no_box(styles: &mut Styles<'_>, node: NodeId) -> bool {
    styles.get(node).is_some_and(|style| style.get(Longhand::Display) == "none")
}
