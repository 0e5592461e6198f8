//! The document: an arena of nodes with stable ids in pre-order.
//!
//! Pages are hostile: depth and element counts are capped while parsing (as browsers do), so that no walk of the tree
//! can be made to recurse or run for ever. The tree is immutable once parsed and `Send + Sync`.

pub mod categories;
mod element;
mod flat_tree;
mod limiting_sink;
mod parse;
mod streamed_content;
mod tokenizer_input;
mod traversal;
mod tree_sink;
mod unique_selector;

pub use element::{Attribute, Element, is_tiny_size};
pub use flat_tree::FlatTree;
pub use markup5ever::interface::QuirksMode;
pub use unique_selector::escape_identifier;

use crate::work_budget::WorkBudget;
use std::sync::{Arc, OnceLock};

/// Maximum element nesting; deeper containers are dropped and their contents kept (Chromium caps at 512).
pub const MAX_DEPTH: usize = 400;
/// Maximum number of elements; later content is dropped and the document is marked truncated.
pub const MAX_ELEMENTS: usize = 400_000;
/// Maximum number of end tags beyond the number of elements; later content is dropped and the document is marked
/// truncated. The tree builder searches all open elements for each.
pub const MAX_STRAY_END_TAGS: usize = 100_000;
/// Maximum number of attributes of one element; further ones are dropped and the document is marked truncated.
pub const MAX_ATTRIBUTES: usize = 1_000;
/// Maximum length of a document's base URL in bytes: it is the prefix of every relative URL of a page once resolved.
pub const MAX_BASE_BYTES: usize = 4_096;

/// A node of one [`Document`]. Ids follow document order: a node's id is smaller than those of its descendants and of
/// all later nodes. Shadow trees and template contents come right after their host, before its children.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub(crate) u32);

impl NodeId {
    /// Returns the index in document order, from 0 (the document itself).
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The kind of a node.
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
    /// The contents of a `template` element; its parent is that element. Not part of the page.
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
    /// Index of the last node of the subtree, plus one.
    pub(crate) end: u32,
}

/// A parsed document.
#[derive(Debug, Clone)]
pub struct Document {
    pub(crate) nodes: Vec<Node>,
    quirks_mode: QuirksMode,
    truncated: bool,
    work: WorkBudget,
    selector_index: OnceLock<unique_selector::SelectorIndex>,
}

/// Threads share documents.
const _: () = {
    const fn is_send_and_sync<T: Send + Sync>() {}
    is_send_and_sync::<Document>();
};

impl Document {
    /// Parses markup as a browser does with scripting enabled: the contents of `noscript` are text (see
    /// [`Document::noscript_contents`]). Never fails; linear in the input.
    pub fn parse(html: &str) -> Self {
        Self::parse_within(html, &WorkBudget::default())
    }

    /// Like [`Document::parse`], within the work budget of the page, which the document then carries. Each byte is a
    /// step. A document whose budget runs out is truncated.
    pub fn parse_within(html: &str, work: &WorkBudget) -> Self {
        parse::parse_document(html, work)
    }

    /// Parses markup as the contents of a `body`. The nodes are below the root's `html` element.
    pub fn parse_fragment(html: &str) -> Self {
        Self::parse_fragment_within(html, &WorkBudget::default())
    }

    /// Like [`Document::parse_fragment`], within a work budget.
    pub fn parse_fragment_within(html: &str, work: &WorkBudget) -> Self {
        parse::parse_fragment(html, work)
    }

    /// Returns the document with another work budget: that of the page it is part of.
    #[must_use]
    pub fn with_budget(self, work: &WorkBudget) -> Self {
        Self { work: work.clone(), ..self }
    }

    /// Returns the work budget for reading the document; clones share it.
    pub fn work_budget(&self) -> &WorkBudget {
        &self.work
    }

    /// Sets or removes an attribute of an element, to select another theme of the page. Ids stay the same.
    pub fn set_attribute(&mut self, node: NodeId, name: &str, value: Option<&str>) {
        if let NodeKind::Element(element) = &mut self.nodes[node.index()].kind {
            **element = element.with_attribute(name, value);
        }
        self.selector_index = OnceLock::new();
    }

    /// Returns the number of nodes; every [`NodeId`] is below it.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns true if the document node is the only one.
    pub fn is_empty(&self) -> bool {
        self.nodes.len() <= 1
    }

    /// Returns true if [`MAX_ELEMENTS`], [`MAX_STRAY_END_TAGS`] or [`MAX_ATTRIBUTES`] cut the document short.
    pub fn truncated(&self) -> bool {
        self.truncated
    }

    /// Returns the quirks mode, from the doctype.
    pub fn quirks_mode(&self) -> QuirksMode {
        self.quirks_mode
    }

    /// Returns the kind of a node.
    pub fn kind(&self, node: NodeId) -> &NodeKind {
        &self.nodes[node.index()].kind
    }

    /// Returns the element, if the node is one.
    pub fn element(&self, node: NodeId) -> Option<&Element> {
        match self.kind(node) {
            NodeKind::Element(element) => Some(element),
            _ => None,
        }
    }

    /// Returns the text, if the node is character data.
    pub fn text(&self, node: NodeId) -> Option<&str> {
        match self.kind(node) {
            NodeKind::Text(text) => Some(text),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests;
