//! Merges the copies of an element that Framer renders on the server, one for each breakpoint (`ssr-variant`). They have
//! the same contents, and rules show one of them at a time: a component needs one element, with the styles of the copy
//! that is shown.

use crate::capture::environments::{EnvId, EnvMap, EnvironmentMatrix};
use crate::capture::request::CaptureRequest;
use limner_page::dom::{self, NodeKind};
use limner_page::{Document, NodeId};
use limner_style::Styles;
use limner_style::computed::Display;
use std::collections::{HashMap, HashSet};

/// The class of the copies.
const COPY: &str = "ssr-variant";
/// Maximum number of copies of one element.
const MAX_COPIES: usize = 8;
/// Maximum number of nodes that are compared.
const MAX_COMPARED: usize = 100_000;

/// The copies inside of a section.
#[derive(Default)]
pub(super) struct BreakpointCopies {
    /// By node of a first copy and of its contents: the corresponding node of the copy that is shown.
    shown: HashMap<NodeId, EnvMap<NodeId>>,
    /// The other copies.
    redundant: HashSet<NodeId>,
}

impl BreakpointCopies {
    /// Finds the copies inside of a section that have the same contents, and of which at most one is shown at a time.
    pub(super) fn find(document: &Document, request: &CaptureRequest<'_>, environments: &EnvironmentMatrix) -> Self {
        let mut found = Self::default();
        let mut nodes_left = MAX_COMPARED;
        let mut styles: Option<EnvMap<Styles<'_>>> = None;
        for parent in std::iter::once(request.section).chain(document.descendants(request.section)) {
            // Copies inside of copies stay as they are.
            if found.shown.contains_key(&parent) {
                continue;
            }
            let copies: Vec<NodeId> = copies_in(document, parent);
            if copies.len() < 2 {
                continue;
            }
            let size: usize = copies.iter().map(|copy| document.subtree_end(*copy) - copy.index()).sum();
            if size > nodes_left {
                break;
            }
            nodes_left -= size;
            let Some(contents) = corresponding_nodes(document, &copies) else { continue };
            let styles = styles.get_or_insert_with(|| environments.map(|env| environments.page_styles(request, env)));
            let Some(shown) = shown_copies(&copies, styles) else { continue };
            found.redundant.extend(&copies[1..]);
            for nodes in contents {
                found.shown.insert(nodes[0], shown.iter().map(|copy| nodes[*copy]).collect());
            }
        }
        found
    }

    pub(super) fn is_redundant(&self, node: NodeId) -> bool {
        self.redundant.contains(&node)
    }

    /// Returns the node that is shown in the place of `node` in an environment.
    pub(super) fn shown_node(&self, node: NodeId, env: EnvId) -> NodeId {
        self.shown.get(&node).and_then(|nodes| nodes.get(env)).copied().unwrap_or(node)
    }
}

/// Returns the copies among the children of an element; none if there are too many.
fn copies_in(document: &Document, parent: NodeId) -> Vec<NodeId> {
    let is_copy = |element: &dom::Element| element.classes().iter().any(|class| **class == *COPY);
    let children = document.child_elements(parent).filter(|(_, element)| is_copy(element)).map(|(child, _)| child);
    let copies: Vec<NodeId> = children.take(MAX_COPIES + 1).collect();
    if copies.len() > MAX_COPIES { Vec::new() } else { copies }
}

/// Returns for each node of the first copy the nodes at its place in all copies; `None` if the copies differ.
fn corresponding_nodes(document: &Document, copies: &[NodeId]) -> Option<Vec<Vec<NodeId>>> {
    let nodes = |copy: &NodeId| -> Vec<NodeId> {
        let inside = std::iter::once(*copy).chain(document.descendants(*copy));
        inside.filter(|node| is_significant(document, *node)).collect()
    };
    let all: Vec<Vec<NodeId>> = copies.iter().map(nodes).collect();
    let (first, others) = all.split_first()?;
    let is_like_first = |other: &Vec<NodeId>| {
        first.len() == other.len() && first.iter().zip(other).all(|(one, two)| are_alike(document, *one, *two))
    };
    let are_copies = !others.is_empty() && others.iter().all(is_like_first);
    are_copies.then(|| (0..first.len()).map(|at| all.iter().map(|nodes| nodes[at]).collect()).collect())
}

/// Returns false for comments and white space.
fn is_significant(document: &Document, node: NodeId) -> bool {
    match document.kind(node) {
        NodeKind::Text(text) => !text.trim().is_empty(),
        NodeKind::Comment(_) => false,
        _ => true,
    }
}

/// Returns true if two nodes differ in their styles at most, and have as many children.
fn are_alike(document: &Document, one: NodeId, two: NodeId) -> bool {
    let children = |node| document.children(node).filter(|child| is_significant(document, *child)).count();
    match (document.kind(one), document.kind(two)) {
        (NodeKind::Text(one), NodeKind::Text(two)) => one == two,
        (NodeKind::Element(first), NodeKind::Element(second)) => {
            first.name() == second.name() && retained(first).eq(retained(second)) && children(one) == children(two)
        }
        _ => false,
    }
}

/// Returns the attributes that say more than how an element looks.
fn retained(element: &dom::Element) -> impl Iterator<Item = (&str, &str)> {
    let is_about_looks = |name: &str| matches!(name, "class" | "id" | "sizes" | "style") || name.starts_with("data-");
    let named = element.attributes().iter().map(|own| (&*own.name.local, &*own.value));
    named.filter(move |(name, _)| !is_about_looks(name))
}

/// Returns the index of the copy that is shown, by environment; `None` if several are shown at once.
fn shown_copies(copies: &[NodeId], styles: &mut EnvMap<Styles<'_>>) -> Option<Vec<usize>> {
    let shown = styles.iter_mut().map(|styles| {
        let mut is_shown = |copy: NodeId| styles.get(copy).is_some_and(|style| style.display() != Display::None);
        let shown: Vec<usize> = (0..copies.len()).filter(|at| is_shown(copies[*at])).collect();
        match shown.as_slice() {
            [] => Some(0),
            [only] => Some(*only),
            _ => None,
        }
    });
    shown.collect()
}
