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

/// Children in lines: spaces at the start and end of a line never show, nor next to what is out of the lines there.
fn lines(children: Vec<Child>, own: Flow, flow: &[Flow]) -> Vec<Child> {
    let ends = line_ends(&children, own.is_block && !own.has_after, flow);
    let mut starts_line = own.is_block && !own.has_before;
    let mut kept: Vec<Child> = Vec::with_capacity(children.len());
    for (child, ends_line) in children.into_iter().zip(ends) {
        let Child::Text(text) = &child else {
            starts_line = is_line_edge(&child, flow, starts_line);
            kept.push(child);
            continue;
        };
        let mut text = text.as_str();
        if starts_line {
            text = text.trim_start_matches(' ');
        }
        if ends_line {
            text = text.trim_end_matches(' ');
        }
        if !text.is_empty() {
            kept.push(Child::Text(text.to_owned()));
            starts_line = false;
        }
    }
    kept
}

/// By child: a line ends after it.
fn line_ends(children: &[Child], at_end: bool, flow: &[Flow]) -> Vec<bool> {
    let mut ends = vec![at_end; children.len()];
    for at in (1..children.len()).rev() {
        ends[at - 1] = is_line_edge(&children[at], flow, ends[at]);
    }
    ends
}

/// Whether a line starts and ends next to a child, when it does on the other side of it.
fn is_line_edge(child: &Child, flow: &[Flow], is_edge: bool) -> bool {
    match child {
        Child::Element(ElementId(child)) => flow[*child].breaks_lines || (is_edge && !flow[*child].is_in_line),
        Child::Text(text) => is_edge && text.trim_matches(' ').is_empty(),
    }
}
