//! Corrects the names and roles of boxes: only elements with a role can have a name
//! (<https://www.w3.org/TR/wai-aria-1.2/#namefromprohibited>), and a list needs items.
//!
//! Before → after: `<div aria-label="Size">` with buttons → `<div role="group" aria-label="Size">`; `<div role="list">` without
//! items → `<div>`.

use super::SectionTree;
use limner_component_model::model::{Attribute, Child, Element, Namespace};

/// Corrects the names and roles of a section's boxes.
pub(super) fn correct_group_names(tree: &mut SectionTree) {
    let mut has_controls = vec![false; tree.elements.len()];
    for at in (1..tree.elements.len()).rev() {
        let is_control = tree.elements[at].is_interactive() || tree.elements[at].attribute("tabindex").is_some();
        if let Some(parent) = tree.origins[at].parent {
            has_controls[parent.0] |= is_control || has_controls[at];
        }
        let is_bare_list = is_list_without_items(tree, at);
        let element = &mut tree.elements[at];
        if is_bare_list {
            element.attributes.retain(|own| own.name != "role");
        }
        if is_nameless(element) {
            if has_controls[at] {
                element.attributes.push(Attribute { name: "role".to_owned(), value: "group".to_owned() });
            } else {
                element.attributes.retain(|own| own.name != "aria-label");
            }
        }
    }
}

/// Returns true for an element whose role is a list and which has children, none of them items.
fn is_list_without_items(tree: &SectionTree, at: usize) -> bool {
    let element = &tree.elements[at];
    let mut children = element.children.iter().filter_map(|child| match child {
        Child::Element(child) => Some(&tree.elements[child.0]),
        Child::Text(_) => None,
    });
    element.attribute("role") == Some("list")
        && element.namespace == Namespace::Html
        && !matches!(element.tag.as_str(), "ul" | "ol" | "menu")
        && children.all(|child| child.tag != "li" && child.attribute("role").is_none())
}

/// Returns true for a box that has a label and can have none.
fn is_nameless(element: &Element) -> bool {
    matches!(element.tag.as_str(), "div" | "span" | "p")
        && element.namespace == Namespace::Html
        && element.attribute("aria-label").is_some()
        && !["role", "tabindex", "aria-live"].iter().any(|name| element.attribute(name).is_some())
}
