//! Removes what scripts have left in the markup: the state of slides, which all show here, and a focus that only a script sets.
//! Anchors without an address, which only a script follows, are boxes.
//!
//! Before → after: `<li aria-hidden="false">` beside `<li aria-hidden="true" tabindex="-1">` → `<li>`; `<a class="card">` without
//! `href` → `<div class="card">`.

use super::SectionTree;
use limner_component_model::model::{Element, Namespace};
use std::collections::BTreeSet;

/// Removes the states of scripts from a section.
pub(super) fn remove_script_states(tree: &mut SectionTree) {
    remove_slide_states(tree);
    write_anchors_as_boxes(tree);
}

/// Removes `aria-hidden` from elements of a kind of which one says that it is not hidden, and `tabindex="-1"` from those that
/// have no focus otherwise.
fn remove_slide_states(tree: &mut SectionTree) {
    let kind = |element: &Element| (element.tag.clone(), element.semantic_name.clone());
    let is_html = |element: &&Element| element.namespace == Namespace::Html;
    let shown = tree.elements.iter().filter(is_html).filter(|own| own.attribute("aria-hidden") == Some("false"));
    let kinds: BTreeSet<(String, String)> = shown.map(kind).collect();
    for element in tree.elements.iter_mut().filter(|own| own.namespace == Namespace::Html) {
        let is_slide = element.attribute("aria-hidden").is_some() && kinds.contains(&kind(element));
        let is_box =
            !element.is_interactive() && element.attribute("role").is_none() && element.attribute("id").is_none();
        element.attributes.retain(|own| match own.name.as_str() {
            "aria-hidden" => !is_slide,
            "tabindex" => !(is_box && (is_slide || own.value.trim() == "-1")),
            _ => true,
        });
    }
}

/// Renames anchors with contents that lead nowhere, unless others of their kind do: those for the current page.
fn write_anchors_as_boxes(tree: &mut SectionTree) {
    let leads = |element: &&Element| element.tag == "a" && element.attribute("href").is_some();
    let kinds: BTreeSet<String> = tree.elements.iter().filter(leads).map(|own| own.semantic_name.clone()).collect();
    let mut has_blocks = vec![false; tree.elements.len()];
    for at in (1..tree.elements.len()).rev() {
        let element = &tree.elements[at];
        let is_block = has_blocks[at] || !element.may_be_in_paragraph();
        if let Some(parent) = tree.origins[at].parent {
            has_blocks[parent.0] |= is_block;
        }
        let is_anchor = element.tag == "a"
            && element.namespace == Namespace::Html
            && element.attribute("href").is_none()
            && element.attribute("role").is_none()
            && !element.children.is_empty()
            && !kinds.contains(&element.semantic_name);
        if is_anchor {
            if has_blocks[at] { "div" } else { "span" }.clone_into(&mut tree.elements[at].tag);
        }
    }
}
