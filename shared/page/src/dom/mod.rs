//! The document: an arena of nodes with stable ids in pre-order.
//!
//! Pages are hostile: depth and element counts are capped while parsing (as browsers do), so nothing that walks the
//! tree can be made to recurse or run for ever. The tree is immutable once parsed and `Send + Sync`.

mod build;
mod element;
mod feed;
mod flat;
mod limit;
mod navigate;
mod select;

pub use element::{Attribute, Element};
pub use flat::FlatTree;
pub use markup5ever::interface::QuirksMode;
pub use select::escape_identifier;

use crate::work::WorkBudget;
use std::sync::{Arc, OnceLock};

/// Deepest element nesting kept; deeper containers are dropped and their contents kept (Chromium caps at 512).
pub const MAX_DEPTH: usize = 400;
/// Most elements kept; what comes later is dropped and the document is marked truncated.
pub const MAX_ELEMENTS: usize = 400_000;
/// Most end tags beyond the number of elements; what comes after them is dropped and the document is marked truncated. The
/// tree builder looks through all open elements for each.
pub const MAX_STRAY_END_TAGS: usize = 100_000;
/// Most attributes of one element; further ones are dropped and the document is marked truncated.
pub const MAX_ATTRIBUTES: usize = 1_000;
/// Longest base of a document in bytes: every relative address of a page has it in front once it is resolved.
pub const MAX_BASE_BYTES: usize = 4_096;

/// A node of one [`Document`]. Ids follow document order: a node's id is smaller than those of its descendants and of
/// everything after it. Shadow trees and template contents come right after their host, before its children.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub(crate) u32);

impl NodeId {
    /// The position in document order, from 0 (the document itself).
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a node is.
#[derive(Debug, Clone)]
pub enum NodeKind {
    /// The document; always node 0.
    Document,
    /// `<!doctype>`.
    Doctype,
    /// Character data.
    Text(Arc<str>),
    /// A comment.
    Comment(Arc<str>),
    /// An element.
    Element(Box<Element>),
    /// The root of a declarative shadow tree; its parent is the host.
    ShadowRoot,
    /// The contents of a `template` element; its parent is that element. Inert: not part of the page.
    TemplateContents,
}

#[derive(Debug, Clone)]
pub(crate) struct Node {
    pub(crate) kind: NodeKind,
    pub(crate) parent: Option<NodeId>,
    pub(crate) first_child: Option<NodeId>,
    pub(crate) last_child: Option<NodeId>,
    pub(crate) previous_sibling: Option<NodeId>,
    pub(crate) next_sibling: Option<NodeId>,
    /// One past the last node of the subtree.
    pub(crate) end: u32,
}

/// A parsed document.
#[derive(Debug, Clone)]
pub struct Document {
    pub(crate) nodes: Vec<Node>,
    quirks_mode: QuirksMode,
    truncated: bool,
    work: WorkBudget,
    selector_index: OnceLock<select::SelectorIndex>,
}

impl Document {
    /// Parses markup as a browser does for a visitor with scripts: the contents of `noscript` are text (see
    /// [`Document::noscript_contents`]). Never fails; linear in the input.
    pub fn parse(html: &str) -> Self {
        build::parse_document(html)
    }

    /// Parses markup as the contents of a `body`. The nodes are below the root's `html` element.
    pub fn parse_fragment(html: &str) -> Self {
        build::parse_fragment(html)
    }

    /// The same document on another budget: that of the page which it is part of.
    #[must_use]
    pub fn with_budget(self, work: &WorkBudget) -> Self {
        Self { work: work.clone(), ..self }
    }

    /// What reading the document may cost; its clones share it.
    pub fn work(&self) -> &WorkBudget {
        &self.work
    }

    /// Sets an attribute of an element, or takes it away: the page under another theme. Ids stay what they are.
    pub fn set_attribute(&mut self, node: NodeId, name: &str, value: Option<&str>) {
        if let NodeKind::Element(element) = &mut self.nodes[node.index()].kind {
            **element = element.with_attribute(name, value);
        }
        self.selector_index = OnceLock::new();
    }

    /// Number of nodes; every [`NodeId`] is below it.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is nothing but the document node.
    pub fn is_empty(&self) -> bool {
        self.nodes.len() <= 1
    }

    /// Returns true if [`MAX_ELEMENTS`], [`MAX_STRAY_END_TAGS`] or [`MAX_ATTRIBUTES`] cut the document short.
    pub fn truncated(&self) -> bool {
        self.truncated
    }

    /// Quirks mode, from the doctype.
    pub fn quirks_mode(&self) -> QuirksMode {
        self.quirks_mode
    }

    /// The kind of a node.
    pub fn kind(&self, node: NodeId) -> &NodeKind {
        &self.nodes[node.index()].kind
    }

    /// The element, if the node is one.
    pub fn element(&self, node: NodeId) -> Option<&Element> {
        match self.kind(node) {
            NodeKind::Element(element) => Some(element),
            _ => None,
        }
    }

    /// The text, if the node is character data.
    pub fn text(&self, node: NodeId) -> Option<&str> {
        match self.kind(node) {
            NodeKind::Text(text) => Some(text),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests;
