//! Finds the boxes that a script put around each word or letter of a text, to animate them one by one.
//!
//! Before → after: `<span class="inline-block">Ship</span> <span class="inline-block">it</span> …` → `Ship it …`.

use super::child_element;
use limner_component_model::model::{Child, Component, Declaration, Element, ElementId};

/// Minimum number of boxes.
const MIN_BOXES: usize = 3;

/// Returns true if all children of an element are boxes around words or letters, with spaces between them. `is_anonymous` is
/// true for elements without attributes on which no rule depends.
pub(super) fn is_split(
    component: &Component,
    container: ElementId,
    is_anonymous: &dyn Fn(&Element, ElementId) -> bool,
) -> bool {
    let children = &component.elements[container.0].children;
    let mut boxes = children.iter().filter_map(child_element);
    let Some(first) = boxes.next() else { return false };
    let is_box = |id: ElementId| {
        let element = &component.elements[id.0];
        element.tag == "span"
            && matches!(&element.children[..], [Child::Text(text)] if !text.trim().is_empty())
            && element.rules == component.elements[first.0].rules
            && is_anonymous(element, id)
    };
    let is_space = |child: &Child| matches!(child, Child::Text(text) if text.trim().is_empty());
    let [rule] = &component.elements[first.0].rules[..] else { return false };
    let is_plain = rule.condition.is_empty() && rule.state.is_none() && rule.pseudo.is_none();
    is_plain
        && rule.declarations.iter().any(|own| own.name == "display" && own.value == "inline-block")
        && rule.declarations.iter().all(has_no_look)
        && boxes.count() + 1 >= MIN_BOXES
        && children.iter().all(|child| child_element(child).map_or_else(|| is_space(child), is_box))
}

/// Returns true for declarations without which a word looks the same once nothing moves it.
fn has_no_look(declaration: &Declaration) -> bool {
    match &*declaration.name {
        "display" => declaration.value == "inline-block",
        "position" => declaration.value == "relative",
        "opacity" => declaration.computed == "1",
        "white-space-collapse" | "text-wrap-mode" | "will-change" | "backface-visibility" | "transform-origin" => true,
        "transform" | "translate" | "rotate" | "scale" | "filter" => declaration.computed == "none",
        _ => false,
    }
}
