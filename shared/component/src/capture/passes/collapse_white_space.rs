//! Collapses white space ([CSS Text](https://drafts.csswg.org/css-text/#white-space-processing)): texts keep exactly
//! the spaces that are rendered.
//!
//! Before → after: `<p> Hello <b> world </b></p>` → `<p>Hello <b>world</b></p>`.
//!
//! Reads the rules under states, which may make an element inline, and changes the text. It is the first pass: what
//! characters need (`collect-at-rules`) and where elements may be removed (`prune-wrappers`) depends on its results.

use crate::capture::flow;
use crate::capture::flow::Flow;
use crate::capture::passes::{Draft, PassContext};
use limner_component_model::model::{Child, Declaration, Element, ElementId, Namespace};
use limner_style::computed::Display;
use std::collections::BTreeSet;

/// Collapses texts as layout does, and records where white space may be added.
pub(crate) fn collapse_white_space(context: &PassContext<'_, '_>, draft: &mut Draft) {
    let (elements, flow) = (&mut draft.component.elements, &context.resolved.flow);
    for at in 0..elements.len() {
        let own = flow[at];
        elements[at].preserves_whitespace = own.preserves_whitespace;
        elements[at].is_block_level = own.is_in_flow_block && !becomes_out_of_flow(&elements[at]);
        elements[at].edge_whitespace_insignificant = own.is_block && !own.has_before && !own.has_after;
        if own.preserves_whitespace {
            continue;
        }
        let children = std::mem::take(&mut elements[at].children);
        let collapsed: Vec<Child> = children.into_iter().map(collapse).collect();
        let has_words = collapsed.iter().any(|child| matches!(child, Child::Text(text) if text != " "));
        let in_line = |child: &Child| match child {
            Child::Element(ElementId(child)) => flow[*child].is_in_line || becomes_inline(&elements[*child]),
            Child::Text(_) => false,
        };
        let is_between = own.has_before && own.has_after;
        let free = own.arranges_items || (own.is_block && !is_between && !has_words && !collapsed.iter().any(in_line));
        elements[at].whitespace_insignificant = free;
        elements[at].children = if free { blocks(collapsed) } else { collapsed };
    }
    for at in 0..elements.len() {
        if flow[at].is_block && !flow[at].preserves_whitespace && !elements[at].whitespace_insignificant {
            trim(elements, flow, ElementId(at));
        }
    }
}

/// Returns true if an element becomes inline-level under a state: a word that appears while another one is hovered.
fn becomes_inline(element: &Element) -> bool {
    state_declarations(element).any(|declaration| match (&*declaration.name, declaration.value.as_str()) {
        ("display", value) => is_inline(value),
        ("position", value) => !matches!(value, "absolute" | "fixed"),
        ("float", value) => value == "none",
        _ => false,
    })
}

/// Returns true if an element stops being an in-flow block under a state.
fn becomes_out_of_flow(element: &Element) -> bool {
    state_declarations(element).any(|declaration| match (&*declaration.name, declaration.value.as_str()) {
        ("display", value) => is_inline(value),
        ("position", value) => matches!(value, "absolute" | "fixed"),
        ("float", value) => value != "none",
        _ => false,
    })
}

fn is_inline(display: &str) -> bool {
    Display::parse(display).is_some_and(flow::holds_in_line)
}

/// Iterates over the declarations of the element itself in any state.
fn state_declarations(element: &Element) -> impl Iterator<Item = &Declaration> {
    let rules = element.rules.iter().filter(|rule| rule.state.is_some() && rule.pseudo.is_none());
    rules.flat_map(|rule| &rule.declarations)
}

/// Collapses runs of collapsible white space to one space.
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

/// Removes white space between children, and at both ends of texts, where it is not rendered.
fn blocks(children: Vec<Child>) -> Vec<Child> {
    let trimmed = children.into_iter().filter_map(|child| match child {
        Child::Text(text) if text.trim_matches(' ').is_empty() => None,
        Child::Text(text) => Some(Child::Text(text.trim_matches(' ').to_owned())),
        element => Some(element),
    });
    trimmed.collect()
}

/// A piece of a block's inline content, in order and at any depth.
#[derive(Clone, Copy, PartialEq)]
enum InlineRun {
    /// The child with this index of that element, which is a text.
    Text(ElementId, usize),
    /// Content with a box: an image, an inline-level box, generated content.
    Solid,
    /// The end of a line, where another one begins.
    Edge,
}

/// Removes the spaces in a block's lines that are never rendered: at the start and end of a line, and after another
/// space.
fn trim(elements: &mut [Element], flow: &[Flow], block: ElementId) {
    let pieces = pieces(elements, flow, block);
    let mut before = InlineRun::Solid;
    let mut follows_space = false;
    for piece in &pieces {
        if let InlineRun::Text(id, at) = *piece {
            let text = text_mut(elements, id, at);
            if before == InlineRun::Edge || follows_space {
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
    let mut after = InlineRun::Solid;
    for piece in pieces.iter().rev() {
        if let InlineRun::Text(id, at) = *piece {
            let text = text_mut(elements, id, at);
            if after == InlineRun::Edge {
                text.truncate(text.trim_end_matches(' ').len());
            }
            if text.is_empty() {
                continue;
            }
        }
        after = *piece;
    }
    let texts = pieces.iter().filter_map(|piece| match piece {
        InlineRun::Text(id, _) => Some(*id),
        InlineRun::Solid | InlineRun::Edge => None,
    });
    for id in texts.collect::<BTreeSet<_>>() {
        elements[id.0].children.retain(|child| !matches!(child, Child::Text(text) if text.is_empty()));
    }
}

fn text_mut(elements: &mut [Element], id: ElementId, at: usize) -> &mut String {
    match &mut elements[id.0].children[at] {
        Child::Text(text) => text,
        Child::Element(_) => unreachable!("a text piece refers to a text child"),
    }
}

/// Collects the inline content of a block, also in its inline descendants. Other blocks have lines of their own.
fn pieces(elements: &[Element], flow: &[Flow], block: ElementId) -> Vec<InlineRun> {
    let edge = |is_generated: bool| if is_generated { InlineRun::Solid } else { InlineRun::Edge };
    let mut pieces = vec![edge(flow[block.0].has_before)];
    let mut open = vec![(block, 0)];
    while let Some((parent, at)) = open.pop() {
        let Some(child) = elements[parent.0].children.get(at) else {
            if flow[parent.0].has_after && parent != block {
                pieces.push(InlineRun::Solid);
            }
            continue;
        };
        open.push((parent, at + 1));
        let Child::Element(id) = *child else {
            pieces.push(InlineRun::Text(parent, at));
            continue;
        };
        let (element, own) = (&elements[id.0], flow[id.0]);
        let is_text = element.namespace == Namespace::Html && !flow::has_own_size(element) && element.tag != "wbr";
        match own {
            _ if element.is_block_level => pieces.push(InlineRun::Edge),
            // Out of flow, or not rendered.
            _ if !own.is_in_line && !becomes_inline(element) => {}
            _ if own.is_inline && is_text && !own.preserves_whitespace => {
                pieces.extend(own.has_before.then_some(InlineRun::Solid));
                open.push((id, 0));
            }
            _ => pieces.push(InlineRun::Solid),
        }
    }
    pieces.push(edge(flow[block.0].has_after));
    pieces
}
