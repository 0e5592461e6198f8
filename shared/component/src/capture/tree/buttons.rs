//! Writes boxes that are buttons for assistive technology as such: a `button` can be reached and pressed by keyboard without a
//! script.
//!
//! Before → after: `<div role="button" tabindex="0">` → `<button type="button">`.

use super::SectionTree;
use crate::capture::request::CaptureRequest;
use limner_component_model::model::{Attribute, Child, ElementId};
use limner_style::Environment;

/// Renames the boxes with the role of a button that lay out their contents as flex containers: a button centres others.
pub(super) fn name_buttons(tree: &mut SectionTree, request: &CaptureRequest<'_>) {
    let mut is_content = vec![false; tree.elements.len()];
    for at in (0..tree.elements.len()).rev() {
        let element = &tree.elements[at];
        is_content[at] = element.children.iter().all(|child| match child {
            Child::Element(ElementId(child)) => {
                let inner = &tree.elements[*child];
                let has_focus = inner.is_interactive() || inner.attribute("tabindex").is_some();
                is_content[*child] && inner.may_be_in_paragraph() && !has_focus
            }
            Child::Text(_) => true,
        });
    }
    let is_button = |at: &usize| {
        let element = &tree.elements[*at];
        matches!(element.tag.as_str(), "div" | "span")
            && element.attribute("role").is_some_and(|role| role.trim().eq_ignore_ascii_case("button"))
            && element.attribute("tabindex").is_none_or(|index| index.trim() == "0")
            && is_content[*at]
    };
    let found: Vec<usize> = (1..tree.elements.len()).filter(is_button).collect();
    if found.is_empty() {
        return;
    }
    let mut styles = request.index.styles(&Environment::default());
    for at in found {
        let node = tree.node(ElementId(at));
        let style = node.and_then(|node| styles.get(node));
        if style.is_some_and(|style| style.is_flex_or_grid_container()) {
            let element = &mut tree.elements[at];
            "button".clone_into(&mut element.tag);
            element.attributes.retain(|own| !matches!(own.name.as_str(), "role" | "tabindex"));
            element.attributes.push(Attribute { name: "type".to_owned(), value: "button".to_owned() });
        }
    }
}
