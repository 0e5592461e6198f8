//! White space: texts keep the spaces that show, and no others.

use super::flow::Flow;
use crate::code::model::{Child, Element, ElementId};

/// Collapses texts as they are laid out, and tells where white space may be added.
pub(super) fn settle(elements: &mut [Element], flow: &[Flow]) {
    for at in 0..elements.len() {
        let own = flow[at];
        elements[at].preserves_space = own.preserves_space;
        elements[at].breaks_lines = own.breaks_lines;
        elements[at].free_ends = own.is_block && !own.has_before && !own.has_after;
        if own.preserves_space {
            continue;
        }
        let children = std::mem::take(&mut elements[at].children);
        let collapsed: Vec<Child> = children.into_iter().map(collapse).collect();
        let has_words = collapsed.iter().any(|child| matches!(child, Child::Text(text) if text != " "));
        let in_line = |child: &Child| matches!(child, Child::Element(ElementId(child)) if flow[*child].is_in_line);
        let is_between = own.has_before && own.has_after;
        let free = own.arranges_items || (own.is_block && !is_between && !has_words && !collapsed.iter().any(in_line));
        elements[at].free_space = free;
        elements[at].children = if free { blocks(collapsed) } else { lines(collapsed, own, flow) };
    }
}

/// Runs of collapsible white space become one space.
fn collapse(child: Child) -> Child {
    let Child::Text(text) = child else { return child };
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if !c.is_ascii_whitespace() {
            out.push(c);
        } else if !out.ends_with(' ') {
            out.push(' ');
        }
    }
    Child::Text(out)
}

/// Children between which white space shows nothing.
fn blocks(children: Vec<Child>) -> Vec<Child> {
    let trimmed = children.into_iter().filter_map(|child| match child {
        Child::Text(text) if text.trim_matches(' ').is_empty() => None,
        Child::Text(text) => Some(Child::Text(text.trim_matches(' ').to_owned())),
        element => Some(element),
    });
    trimmed.collect()
}

/// Children in lines: spaces at the start and end of a line never show.
fn lines(children: Vec<Child>, own: Flow, flow: &[Flow]) -> Vec<Child> {
    let breaks = |child: Option<&Child>, is_edge: bool| match child {
        None => is_edge,
        Some(Child::Element(ElementId(child))) => flow[*child].breaks_lines,
        Some(Child::Text(_)) => false,
    };
    let mut kept: Vec<Child> = Vec::with_capacity(children.len());
    for at in 0..children.len() {
        let child = &children[at];
        let Child::Text(text) = child else {
            kept.push(child.clone());
            continue;
        };
        let before = at.checked_sub(1).map(|before| &children[before]);
        let after = children.get(at + 1);
        let mut text = text.as_str();
        if breaks(before, own.is_block && !own.has_before) {
            text = text.trim_start_matches(' ');
        }
        if breaks(after, own.is_block && !own.has_after) {
            text = text.trim_end_matches(' ');
        }
        if !text.is_empty() {
            kept.push(Child::Text(text.to_owned()));
        }
    }
    kept
}
