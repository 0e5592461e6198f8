//! Avada's Fusion Slider: its box has its height from the start, and waits with its first slide behind a word for loading.

use super::{StartEvidence, StartState};
use crate::index::StyleIndex;
use crate::sheet::DeclarationInterner;
use limner_page::{Document, NodeId};

/// Class of the element with the slider's height.
const SLIDER: &str = "fusion-slider-container";

/// Maximum number of parts of a slider that are looked at.
const MAX_PARTS: usize = 200;

/// The ends of the parts of the first slide, by class.
const ENDS: &[(&str, &str)] =
    &[("slide-content-container", "display: block"), ("slide-content", "opacity: 1"), ("background", "opacity: 1")];

/// Returns the states in which the sliders of a page end.
pub(super) fn find(index: &StyleIndex<'_>, interner: &mut DeclarationInterner) -> Vec<StartState> {
    let document = index.document();
    let sliders = document.elements().filter(|(_, element)| element.attr_has_token("class", SLIDER));
    let ends: Vec<(NodeId, &str)> = sliders.flat_map(|(slider, _)| ends(document, slider)).collect();
    ends.into_iter().map(|(node, end)| StartState::with_added(node, StartEvidence::Slider, end, interner)).collect()
}

fn ends(document: &Document, slider: NodeId) -> Vec<(NodeId, &'static str)> {
    let mut found = Vec::new();
    let mut slide_end = usize::MAX;
    for node in document.light_descendants(slider).take(MAX_PARTS) {
        let Some(element) = document.element(node).filter(|_| node.index() < slide_end) else { continue };
        if element.is_html("li") && slide_end == usize::MAX {
            found.push((node, "display: block; opacity: 1; visibility: visible"));
            slide_end = document.subtree_end(node);
        } else if element.attr_has_token("class", "fusion-slider-loading") {
            found.push((node, "display: none"));
        } else {
            let end = ENDS.iter().find(|(class, _)| element.attr_has_token("class", class));
            found.extend(end.map(|(_, end)| (node, *end)));
        }
    }
    found
}
