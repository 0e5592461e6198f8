//! Marks up the headline of a section that has no heading: the largest of its texts.
//!
//! Before → after: `<div class="hero"><div class="big">Made for you</div><p>…</p></div>` → `<h1 class="big">`.

use super::SectionTree;
use crate::capture::request::CaptureRequest;
use limner_component_model::model::{Child, Element, ElementId, Namespace};
use limner_style::Environment;
use limner_style::property::Longhand;
use limner_types::SectionRole;

/// Minimum size of a headline in pixels, and in sizes of the smallest other text.
const MIN_SIZE: f64 = 24.0;
const MIN_RATIO: f64 = 1.4;
/// Maximum length of a headline in bytes, and maximum number of headlines: those of slides.
const MAX_LENGTH: usize = 100;
const MAX_HEADLINES: usize = 8;

/// Renames the boxes and paragraphs with the largest text of a section without headings.
pub(super) fn mark_headlines(tree: &mut SectionTree, request: &CaptureRequest<'_>) {
    let level = match request.role {
        Some(SectionRole::Hero) => "h1",
        Some(SectionRole::Header | SectionRole::Footer) | None => return,
        Some(_) => "h2",
    };
    if tree.elements.iter().any(is_heading) {
        return;
    }
    let mut styles = request.index.styles(&Environment::default());
    let mut sized: Vec<(usize, f64)> = Vec::new();
    for at in 0..tree.elements.len() {
        let element = &tree.elements[at];
        if element.namespace != Namespace::Html || own_text(element) == 0 {
            continue;
        }
        let style = tree.node(ElementId(at)).and_then(|node| styles.get(node));
        let size = style.and_then(|style| style.get(Longhand::FontSize).strip_suffix("px")?.parse::<f64>().ok());
        sized.extend(size.map(|size| (at, size)));
    }
    let largest = sized.iter().map(|(_, size)| *size).fold(0.0, f64::max);
    let smallest = sized.iter().map(|(_, size)| *size).fold(f64::INFINITY, f64::min);
    if largest < MIN_SIZE || largest < MIN_RATIO * smallest {
        return;
    }
    let found: Vec<usize> = sized.into_iter().filter(|(_, size)| *size == largest).map(|(at, _)| at).collect();
    let may_be_heading = |at: &usize| {
        let element = &tree.elements[*at];
        let is_text = element.children.iter().all(|child| match child {
            Child::Element(child) => tree.elements[child.0].tag == "br",
            Child::Text(_) => true,
        });
        let letters = |child: &Child| matches!(child, Child::Text(text) if text.chars().filter(|c| c.is_alphabetic()).count() > 2);
        matches!(element.tag.as_str(), "div" | "p")
            && is_text
            && own_text(element) <= MAX_LENGTH
            && element.children.iter().any(letters)
            && element.attribute("role").is_none()
            && !is_in_control(tree, *at)
    };
    if found.len() > MAX_HEADLINES || !found.iter().all(may_be_heading) {
        return;
    }
    let level = if found.len() > 1 { "h2" } else { level };
    for at in found {
        level.clone_into(&mut tree.elements[at].tag);
    }
}

/// Returns the bytes of text directly in an element.
fn own_text(element: &Element) -> usize {
    let lengths = element.children.iter().map(|child| match child {
        Child::Text(text) => text.trim().len(),
        Child::Element(_) => 0,
    });
    lengths.sum()
}

fn is_heading(element: &Element) -> bool {
    matches!(element.tag.as_str(), "h1" | "h2" | "h3" | "h4" | "h5" | "h6")
}

/// Returns true for a text in a link, a button or a paragraph.
fn is_in_control(tree: &SectionTree, at: usize) -> bool {
    let mut around = std::iter::successors(tree.origins[at].parent, |id| tree.origins[id.0].parent);
    around.any(|id| matches!(tree.elements[id.0].tag.as_str(), "a" | "button" | "label" | "p" | "span" | "summary"))
}
