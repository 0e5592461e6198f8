//! White space: texts keep the spaces that show, and no others.

use super::flow::{self, Flow};
use crate::code::model::{Child, Declaration, Element, ElementId, Namespace};
use std::collections::BTreeSet;

/// Collapses texts as they are laid out, and tells where white space may be added.
pub(super) fn settle(elements: &mut [Element], flow: &[Flow]) {
    for at in 0..elements.len() {
        let own = flow[at];
        elements[at].preserves_space = own.preserves_space;
        elements[at].breaks_lines = own.breaks_lines && !leaves_flow(&elements[at]);
        elements[at].free_ends = own.is_block && !own.has_before && !own.has_after;
        if own.preserves_space {
            continue;
        }
        let children = std::mem::take(&mut elements[at].children);
        let collapsed: Vec<Child> = children.into_iter().map(collapse).collect();
        let has_words = collapsed.iter().any(|child| matches!(child, Child::Text(text) if text != " "));
        let in_line = |child: &Child| match child {
            Child::Element(ElementId(child)) => flow[*child].is_in_line || comes_into_line(&elements[*child]),
            Child::Text(_) => false,
        };
        let is_between = own.has_before && own.has_after;
        let free = own.arranges_items || (own.is_block && !is_between && !has_words && !collapsed.iter().any(in_line));
        elements[at].free_space = free;
        elements[at].children = if free { blocks(collapsed) } else { collapsed };
    }
    for at in 0..elements.len() {
        if flow[at].is_block && !flow[at].preserves_space && !elements[at].free_space {
            trim(elements, flow, ElementId(at));
        }
    }
}

/// Whether an element is laid out in lines while a visitor does something: a word that shows as long as another is hovered.
fn comes_into_line(element: &Element) -> bool {
    in_states(element).any(|declaration| match (&*declaration.name, declaration.value.as_str()) {
        ("display", value) => is_inline(value),
        ("position", value) => !matches!(value, "absolute" | "fixed"),
        ("float", value) => value == "none",
        _ => false,
    })
}

/// Whether an element is no longer a block between others while a visitor does something.
fn leaves_flow(element: &Element) -> bool {
    in_states(element).any(|declaration| match (&*declaration.name, declaration.value.as_str()) {
        ("display", value) => is_inline(value),
        ("position", value) => matches!(value, "absolute" | "fixed"),
        ("float", value) => value != "none",
        _ => false,
    })
}

fn is_inline(display: &str) -> bool {
    display.starts_with("inline") || matches!(display, "contents" | "ruby" | "ruby-text")
}

/// What is declared of an element itself in any state.
fn in_states(element: &Element) -> impl Iterator<Item = &Declaration> {
    let rules = element.rules.iter().filter(|rule| rule.state.is_some() && rule.pseudo.is_none());
    rules.flat_map(|rule| &rule.declarations)
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

/// What stands in the lines of a block, one after another, however deep in elements.
#[derive(Clone, Copy, PartialEq)]
enum Piece {
    /// The text that is this child of that element.
    Text(ElementId, usize),
    /// Anything that has a place of its own: a picture, a box in the line, what is generated.
    Solid,
    /// A line ends and another one begins.
    Edge,
}

/// Takes the spaces out of a block's lines that never show: at their start and end, and after another one.
fn trim(elements: &mut [Element], flow: &[Flow], block: ElementId) {
    let pieces = pieces(elements, flow, block);
    let mut before = Piece::Solid;
    let mut follows_space = false;
    for piece in &pieces {
        if let Piece::Text(id, at) = *piece {
            let text = text_mut(elements, id, at);
            if before == Piece::Edge || follows_space {
                text.drain(..text.len() - text.trim_start_matches(' ').len());
            }
            if text.is_empty() {
                continue;
            }
            follows_space = text.ends_with(' ');
        } else {
            follows_space = false;
        }
        before = *piece;
    }
    let mut after = Piece::Solid;
    for piece in pieces.iter().rev() {
        if let Piece::Text(id, at) = *piece {
            let text = text_mut(elements, id, at);
            if after == Piece::Edge {
                text.truncate(text.trim_end_matches(' ').len());
            }
            if text.is_empty() {
                continue;
            }
        }
        after = *piece;
    }
    let texts = pieces.iter().filter_map(|piece| match piece {
        Piece::Text(id, _) => Some(*id),
        Piece::Solid | Piece::Edge => None,
    });
    for id in texts.collect::<BTreeSet<_>>() {
        elements[id.0].children.retain(|child| !matches!(child, Child::Text(text) if text.is_empty()));
    }
}

fn text_mut(elements: &mut [Element], id: ElementId, at: usize) -> &mut String {
    match &mut elements[id.0].children[at] {
        Child::Text(text) => text,
        Child::Element(_) => unreachable!("pieces name texts by their places"),
    }
}

/// A walk through a block and what is nothing but inline in it; other blocks have lines of their own.
fn pieces(elements: &[Element], flow: &[Flow], block: ElementId) -> Vec<Piece> {
    let edge = |is_generated: bool| if is_generated { Piece::Solid } else { Piece::Edge };
    let mut pieces = vec![edge(flow[block.0].has_before)];
    let mut open = vec![(block, 0)];
    while let Some((around, at)) = open.pop() {
        let Some(child) = elements[around.0].children.get(at) else {
            if flow[around.0].has_after && around != block {
                pieces.push(Piece::Solid);
            }
            continue;
        };
        open.push((around, at + 1));
        let Child::Element(id) = *child else {
            pieces.push(Piece::Text(around, at));
            continue;
        };
        let (element, own) = (&elements[id.0], flow[id.0]);
        let is_text = element.namespace == Namespace::Html && !flow::is_replaced(element) && element.tag != "wbr";
        match own {
            _ if element.breaks_lines => pieces.push(Piece::Edge),
            // Out of the lines, or nowhere to be seen.
            _ if !own.is_in_line && !comes_into_line(element) => {}
            _ if own.is_inline && is_text && !own.preserves_space => {
                pieces.extend(own.has_before.then_some(Piece::Solid));
                open.push((id, 0));
            }
            _ => pieces.push(Piece::Solid),
        }
    }
    pieces.push(edge(flow[block.0].has_after));
    pieces
}
