//! Backgrounds that a call in the page's scripts names: `$("#intro").vegas({slides: [{src: "a.jpg"}]})`,
//! `$.backstretch("a.jpg")`.

use super::lazy_backgrounds::{has_no_image, image};
use super::script_calls;
use super::{StartEvidence, StartState};
use crate::Styles;
use crate::index::StyleIndex;
use crate::sheet::DeclarationInterner;
use limner_page::NodeId;

/// The methods of Vegas, Backstretch, Supersized, Parallax.js, Parallax ImageScroll and Image Scroll.
const METHODS: &[&str] =
    &[".backstretch", ".imageScroll", ".parallax", ".parallaxImageScroll", ".supersized", ".vegas"];

/// Maximum number of elements with one background.
const MAX_ELEMENTS: usize = 16;

/// Returns the elements whose background a call sets.
pub(super) fn find(
    index: &StyleIndex<'_>,
    styles: &mut Styles<'_>,
    interner: &mut DeclarationInterner,
) -> Vec<StartState> {
    let mut found = Vec::new();
    for call in script_calls::find(index.document(), METHODS) {
        let Some(image) = call.strings().find_map(image) else { continue };
        let fixed = if call.is_about_page() { " fixed" } else { "" };
        let end = format!("background: {image} center / cover no-repeat{fixed}");
        let about = index.document().elements().filter(|(_, element)| element.in_html() && call.is_about(element));
        let nodes: Vec<NodeId> = about.map(|(node, _)| node).take(MAX_ELEMENTS).collect();
        for node in nodes {
            if styles.get(node).is_some_and(|style| has_no_image(&style)) {
                found.push(StartState::with_added(node, StartEvidence::LazyBackground, &end, interner));
            }
        }
    }
    found
}
