//! Sliders whose sheet stacks or hides all slides until a script shows the first: Smart Slider 3, Nivo Slider, FlexSlider
//! (MetaSlider), Soliloquy and Master Slider.

use super::{StartEvidence, StartState};
use crate::index::StyleIndex;
use crate::sheet::DeclarationInterner;
use limner_page::dom::Element;
use limner_page::{Document, NodeId};

/// Marks of a library's sliders, and the declarations with which their parts end.
struct Library {
    /// Class of the slider.
    slider: &'static str,
    /// Classes that the script adds to the slider or to parts of it.
    started: &'static [&'static str],
    slider_end: &'static str,
    /// Classes and names of slides: `.class` or `name`. There is a first one of each.
    slides: &'static [&'static str],
    slide_end: &'static str,
    /// Ends of what is in the first slide, by class.
    parts: &'static [(&'static str, &'static str)],
}

const LIBRARIES: &[Library] = &[
    Library {
        slider: "n2-ss-slider",
        started: &["n2-ss-loaded", "n2-ss-slide-active"],
        slider_end: "opacity: 1; visibility: visible",
        slides: &[".n2-ss-slide", ".n2-ss-slide-background"],
        slide_end: "opacity: 1; visibility: visible; transform: none",
        parts: &[
            ("n2-ss-layers-container", "opacity: 1; visibility: visible"),
            ("n2-ss-layer", "opacity: 1; visibility: visible"),
        ],
    },
    Library {
        slider: "nivoSlider",
        started: &["nivo-main-image", "nivo-slice"],
        slider_end: "visibility: visible; height: auto",
        slides: &["img"],
        slide_end: "display: block; position: relative; width: 100%; height: auto",
        parts: &[],
    },
    Library {
        slider: "flexslider",
        started: &["flex-active-slide", "flex-viewport"],
        slider_end: "visibility: visible; opacity: 1",
        slides: &[".slides>li"],
        slide_end: "display: block; visibility: visible; opacity: 1",
        parts: &[],
    },
    Library {
        slider: "soliloquy-container",
        started: &["soliloquy-ready", "soliloquy-viewport"],
        slider_end: "visibility: visible; opacity: 1; height: auto",
        slides: &[".soliloquy-item"],
        slide_end: "display: block; visibility: visible; opacity: 1",
        parts: &[],
    },
];

/// Words in the classes of sliders that show several slides at once.
const SEVERAL: &[&str] = &["carousel", "thumbnails", "filmstrip"];

/// Maximum number of parts of a slider that are looked at.
const MAX_PARTS: usize = 400;

/// Returns the states in which the sliders of a page end.
pub(super) fn find(index: &StyleIndex<'_>, interner: &mut DeclarationInterner) -> Vec<StartState> {
    let document = index.document();
    let mut ends: Vec<(NodeId, &str)> = Vec::new();
    let mut end_of_slider = 0;
    for (node, element) in document.elements() {
        // Sliders in slides are parts of them.
        if node.index() < end_of_slider {
            continue;
        }
        let has = |class: &str| element.attr_has_token("class", class);
        let shows_several = || SEVERAL.iter().any(|word| element.attr("class").is_some_and(|own| own.contains(word)));
        let library = LIBRARIES.iter().find(|library| has(library.slider));
        if let Some(library) = library.filter(|_| !shows_several()) {
            end_of_slider = document.subtree_end(node);
            ends.extend(ends_of(document, node, library));
        }
    }
    ends.into_iter().map(|(node, end)| StartState::with_added(node, StartEvidence::Slider, end, interner)).collect()
}

fn ends_of(document: &Document, slider: NodeId, library: &Library) -> Vec<(NodeId, &'static str)> {
    let has_started = |node: NodeId| {
        let element = document.element(node);
        element.is_some_and(|element| library.started.iter().any(|class| element.attr_has_token("class", class)))
    };
    if has_started(slider) || document.light_descendants(slider).take(MAX_PARTS).any(has_started) {
        return Vec::new();
    }
    let mut found = vec![(slider, library.slider_end)];
    let mut seen = vec![0; library.slides.len()];
    let mut skipped = 0;
    for node in document.light_descendants(slider).take(MAX_PARTS) {
        let Some(element) = document.element(node).filter(|_| node.index() >= skipped) else { continue };
        let around = || document.parent(node).and_then(|parent| document.element(parent));
        let at = library.slides.iter().position(|mark| is_marked(element, around(), mark));
        if let Some(at) = at {
            seen[at] += 1;
            if seen[at] > 1 {
                skipped = document.subtree_end(node);
            }
            found.push((node, if seen[at] > 1 { "display: none" } else { library.slide_end }));
        } else {
            let end = library.parts.iter().find(|(class, _)| element.attr_has_token("class", class));
            found.extend(end.map(|(_, end)| (node, *end)));
        }
    }
    found
}

/// Returns true if a mark names an element: `name`, `.class` or `.class-of-parent>name`.
fn is_marked(element: &Element, around: Option<&Element>, mark: &str) -> bool {
    if let Some((outer, inner)) = mark.split_once('>') {
        return element.is_html(inner) && around.is_some_and(|around| is_marked(around, None, outer));
    }
    match mark.strip_prefix('.') {
        Some(class) => element.attr_has_token("class", class),
        None => element.is_html(mark),
    }
}
