//! Removes elements: their contents take their places, and the others get new numbers.

use super::child_element;
use limner_component_model::model::{Child, Component, ElementId, StateTarget};

/// Replaces those children that `does_nothing` accepts by their contents.
pub(super) fn splice_children(
    component: &mut Component,
    container: ElementId,
    left_out: &mut Vec<ElementId>,
    does_nothing: impl Fn(&Component, ElementId, bool) -> bool,
) {
    let children = &component.elements[container.0].children;
    let is_only = children.len() == 1;
    let is_found = |id: &ElementId| does_nothing(component, *id, is_only);
    let found: Vec<_> = children.iter().map(|child| child_element(child).filter(is_found)).collect();
    if found.iter().all(Option::is_none) {
        return;
    }
    let mut kept = Vec::with_capacity(found.len());
    for (child, found) in std::mem::take(&mut component.elements[container.0].children).into_iter().zip(found) {
        let Some(id) = found else {
            kept.push(child);
            continue;
        };
        left_out.push(id);
        let contents = std::mem::take(&mut component.elements[id.0].children);
        if is_only && !contents.is_empty() {
            component.elements[container.0].whitespace_insignificant =
                component.elements[id.0].whitespace_insignificant;
        }
        kept.extend(contents);
    }
    let own = &mut component.elements[container.0];
    if own.preserves_whitespace {
        own.children = merge_adjacent_text(kept, |_| false);
    } else {
        own.children = merge_adjacent_text(kept, |before| before.ends_with(' '));
        recompute_whitespace(component, container);
    }
}

/// Trims white space at both ends of a block, and removes it between blocks once the element has no more lines.
fn recompute_whitespace(component: &mut Component, container: ElementId) {
    let own = &component.elements[container.0];
    let is_apart = |child: &Child| match child {
        Child::Element(id) => component.elements[id.0].is_block_level && component.elements[id.0].tag != "br",
        Child::Text(text) => text == " ",
    };
    if !own.edge_whitespace_insignificant {
        return;
    }
    let is_apart = own.children.iter().all(is_apart);
    let own = &mut component.elements[container.0];
    own.whitespace_insignificant |= is_apart;
    if let Some(Child::Text(first)) = own.children.first_mut() {
        first.drain(..first.len() - first.trim_start_matches(' ').len());
    }
    if let Some(Child::Text(last)) = own.children.last_mut() {
        last.truncate(last.trim_end_matches(' ').len());
    }
    own.children.retain(|child| !matches!(child, Child::Text(text) if text.is_empty() || (is_apart && text == " ")));
}

/// Merges texts that an element separated. A space is dropped after a text that ends in one.
fn merge_adjacent_text(children: Vec<Child>, ends_in_space: impl Fn(&str) -> bool) -> Vec<Child> {
    let mut out: Vec<Child> = Vec::with_capacity(children.len());
    for child in children {
        match (out.last_mut(), child) {
            (Some(Child::Text(before)), Child::Text(text)) => {
                before.push_str(if ends_in_space(before) { text.trim_start_matches(' ') } else { &text });
            }
            (_, child) => out.push(child),
        }
    }
    out
}

/// Drops the removed elements and renumbers the others.
pub(super) fn renumber(component: &mut Component, is_left_out: &[bool]) {
    let mut next = 0;
    let ids: Vec<ElementId> = is_left_out
        .iter()
        .map(|is_left_out| {
            let id = ElementId(next);
            next += usize::from(!is_left_out);
            id
        })
        .collect();
    let mut at = 0;
    component.elements.retain(|_| {
        at += 1;
        !is_left_out[at - 1]
    });
    for element in &mut component.elements {
        for child in &mut element.children {
            if let Child::Element(id) = child {
                *id = ids[id.0];
            }
        }
        for state in element.rules.iter_mut().filter_map(|rule| rule.state.as_mut()) {
            if let StateTarget::Ancestor(id) | StateTarget::Within(id, _) = &mut state.target {
                *id = ids[id.0];
            }
        }
    }
    for list in &mut component.state_sources {
        list.retain(|id| !is_left_out[id.0]);
        list.iter_mut().for_each(|id| *id = ids[id.0]);
    }
}
