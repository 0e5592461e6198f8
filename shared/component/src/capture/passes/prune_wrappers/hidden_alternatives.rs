//! Finds the slides, panels and steps that only a script shows, beside one of their kind that is shown: a component without
//! the script never shows them.
//!
//! Before → after: `<div class="slide">A</div><div class="slide" hidden>B</div>` → `<div class="slide">A</div>`.

use super::child_element;
use super::never_shown::is_hidden;
use crate::capture::context::SectionContext;
use limner_component_model::model::{Component, ElementId};
use std::collections::{HashMap, HashSet};

/// Elements that contain one of several alternatives.
const BOXES: &[&str] = &[
    "a",
    "article",
    "blockquote",
    "div",
    "figure",
    "img",
    "li",
    "ol",
    "p",
    "picture",
    "section",
    "span",
    "ul",
    "video",
];
/// Elements of which a hidden one may be a menu or a message that the page's visitors open.
const OPENED: &[&str] = &["dialog", "form", "nav"];
/// Parts of class names by which libraries and authors call one of several alternatives.
const CONVENTIONS: &[&str] = &["carousel", "item", "pane", "quote", "slide", "step", "tab", "testimonial"];
/// Maximum number of classes of an element that are compared.
const MAX_CLASSES: usize = 32;
/// Maximum number of classes that only one of two alternatives has: its number, and that it is the active one.
const MAX_OWN_CLASSES: usize = 3;

/// Returns the elements that are hidden under all conditions although a sibling of their kind is shown. `is_referenced`
/// tells on whose state rules depend.
pub(super) fn hidden_alternatives(
    context: &SectionContext<'_>,
    component: &Component,
    is_referenced: &[bool],
) -> Vec<ElementId> {
    // Menus of headers are opened by a script as well, and are no alternatives.
    if matches!(component.elements[0].tag.as_str(), "header" | "nav") {
        return Vec::new();
    }
    let is_needed = needed_elements(component, is_referenced);
    let mut found = Vec::new();
    for element in &component.elements {
        let children: Vec<ElementId> = element.children.iter().filter_map(child_element).collect();
        let (hidden, shown): (Vec<ElementId>, Vec<ElementId>) =
            children.into_iter().partition(|id| is_hidden(&component.elements[id.0]));
        if hidden.is_empty() || shown.is_empty() {
            continue;
        }
        // The first shown sibling of each kind stands for all.
        let mut kinds: HashMap<(&str, &str), Vec<ElementId>> = HashMap::new();
        for id in shown {
            for class in classes(context, id) {
                let same = kinds.entry((component.elements[id.0].tag.as_str(), class)).or_default();
                if same.is_empty() {
                    same.push(id);
                }
            }
        }
        let is_alternative = |id: &ElementId| {
            let tag = component.elements[id.0].tag.as_str();
            let mut beside = classes(context, *id).filter_map(|class| kinds.get(&(tag, class))).flatten();
            BOXES.contains(&tag)
                && !is_needed[id.0]
                && beside.any(|other| are_alternatives(context, component, *id, *other))
        };
        found.extend(hidden.into_iter().filter(is_alternative));
    }
    found
}

/// Returns, by element, true if it or something in it is referred to, or opened by visitors.
fn needed_elements(component: &Component, is_referenced: &[bool]) -> Vec<bool> {
    let mut is_needed = vec![false; component.elements.len()];
    for at in (0..component.elements.len()).rev() {
        let element = &component.elements[at];
        is_needed[at] = is_referenced[at]
            || element.attribute("id").is_some()
            || OPENED.contains(&element.tag.as_str())
            || element.children.iter().filter_map(child_element).any(|child| is_needed[child.0]);
    }
    is_needed
}

/// Returns true if two siblings have the same classes apart from those that tell which one is active, and either a class that
/// says what they are or contents of the same elements.
fn are_alternatives(context: &SectionContext<'_>, component: &Component, one: ElementId, other: ElementId) -> bool {
    let [own, others] = [one, other].map(|id| classes(context, id).collect::<HashSet<&str>>());
    let common = || own.intersection(&others);
    let is_same_kind = own.difference(&others).count() <= MAX_OWN_CLASSES
        && others.difference(&own).count() <= MAX_OWN_CLASSES
        && common().next().is_some();
    let is_called_so =
        || common().any(|class| CONVENTIONS.iter().any(|part| class.to_ascii_lowercase().contains(part)));
    let contents = |id: ElementId| {
        let children = component.elements[id.0].children.iter().filter_map(child_element);
        children.map(|child| component.elements[child.0].tag.as_str())
    };
    is_same_kind && (is_called_so() || (contents(one).next().is_some() && contents(one).eq(contents(other))))
}

/// Iterates over the classes of an element on its page.
fn classes<'c>(context: &'c SectionContext<'_>, id: ElementId) -> impl Iterator<Item = &'c str> {
    let element = context.tree.node(id).and_then(|node| context.view.document.element(node));
    let names = element.and_then(|element| element.attr("class")).unwrap_or_default();
    names.split_ascii_whitespace().take(MAX_CLASSES)
}
