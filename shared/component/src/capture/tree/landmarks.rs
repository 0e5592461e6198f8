//! Writes boxes that are landmarks as such: the section by its role, and menus by their author's name. The elements have
//! the styles of a `div`.
//!
//! Before → after: `<div class="navbar">` with two links → `<nav class="navbar">`; a `<section>` without a name in another one →
//! `<div>`, which is what it is for assistive technology.

use super::SectionTree;
use limner_component_model::model::{Element, Namespace};
use limner_types::SectionRole;

/// Names of menus.
const MENUS: &[&str] =
    &["main-menu", "main-nav", "menu", "menu-container", "nav", "nav-links", "nav-menu", "navbar", "navigation"];

/// Minimum number of links of a menu.
const MIN_LINKS: usize = 2;

/// The contents of an element.
#[derive(Clone, Copy, Default)]
struct Contents {
    links: usize,
    has_headings: bool,
    has_landmarks: bool,
}

/// Renames the elements that are landmarks. `is_section` is false for the root of a whole page.
pub(super) fn name_landmarks(tree: &mut SectionTree, role: Option<SectionRole>, is_section: bool) {
    let mut contents = vec![Contents::default(); tree.elements.len()];
    for at in (0..tree.elements.len()).rev() {
        let own = contents[at];
        let tag = tree.elements[at].tag.as_str();
        let Some(parent) = tree.origins[at].parent else { continue };
        let around = &mut contents[parent.0];
        around.links += own.links + usize::from(tag == "a");
        around.has_headings |= own.has_headings || matches!(tag, "h1" | "h2" | "h3" | "h4" | "h5" | "h6");
        around.has_landmarks |= own.has_landmarks || matches!(tag, "footer" | "header" | "main" | "nav");
    }
    let mut is_in_menu = vec![false; tree.elements.len()];
    for at in 0..tree.elements.len() {
        let is_inside = tree.origins[at].parent.is_some_and(|parent| is_in_menu[parent.0]);
        let element = &mut tree.elements[at];
        if at > 0 && is_section && is_unnamed_section(element) {
            "div".clone_into(&mut element.tag);
        }
        let own = contents[at];
        if !is_inside && is_box(element) && !own.has_landmarks {
            let name = match role.filter(|_| at == 0) {
                Some(SectionRole::Header) => Some("header"),
                Some(SectionRole::Footer) => Some("footer"),
                Some(_) => Some("section"),
                None if is_menu(element, own) => Some("nav"),
                // A thematic group of contents, with a heading.
                None => (at == 0 && is_section && own.has_headings).then_some("section"),
            };
            if let Some(name) = name {
                name.clone_into(&mut element.tag);
            }
        }
        is_in_menu[at] = is_inside || element.tag == "nav";
    }
}

fn is_menu(element: &Element, contents: Contents) -> bool {
    contents.links >= MIN_LINKS && !contents.has_headings && MENUS.contains(&element.semantic_name.as_str())
}

/// Returns true for a `section` without a name, which has no role (<https://www.w3.org/TR/html-aam-1.0/#el-section>).
fn is_unnamed_section(element: &Element) -> bool {
    const NAMES: [&str; 4] = ["aria-label", "aria-labelledby", "role", "title"];
    element.tag == "section"
        && element.namespace == Namespace::Html
        && !element.attributes.iter().any(|own| NAMES.contains(&own.name.as_str()))
}

fn is_box(element: &Element) -> bool {
    element.tag == "div" && element.namespace == Namespace::Html && element.attribute("role").is_none()
}
