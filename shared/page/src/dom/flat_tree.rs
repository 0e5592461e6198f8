//! The flat tree, in which shadow trees are rendered (CSS Scoping 1, section 3.4).

use super::{Document, NodeId, NodeKind};
use std::collections::HashMap;

/// The slots of the children of shadow hosts.
#[derive(Debug, Clone, Default)]
pub struct FlatTree {
    /// The slot of each slotted node.
    slot_of: HashMap<NodeId, NodeId>,
    /// The nodes assigned to each slot, in document order. A slot that shows its fallback content is absent.
    assigned: HashMap<NodeId, Vec<NodeId>>,
}

impl FlatTree {
    /// Assigns a slot to every child of a shadow host. Linear in the document.
    pub fn new(document: &Document) -> Self {
        let mut tree = Self::default();
        for root in document.descendants(document.root()).filter(|n| matches!(document.kind(*n), NodeKind::ShadowRoot))
        {
            tree.assign(document, root);
        }
        tree
    }

    fn assign(&mut self, document: &Document, root: NodeId) {
        let Some(host) = document.parent(root) else { return };
        let mut slots: HashMap<&str, NodeId> = HashMap::new();
        for node in document.light_descendants(root) {
            if let Some(slot) = document.element(node).filter(|element| element.is_html("slot")) {
                slots.entry(slot.attr("name").unwrap_or_default()).or_insert(node);
            }
        }
        for child in document.children(host) {
            let name = match document.kind(child) {
                NodeKind::Element(element) => element.attr("slot").unwrap_or_default(),
                NodeKind::Text(_) => "",
                _ => continue,
            };
            if let Some(slot) = slots.get(name) {
                self.slot_of.insert(child, *slot);
                self.assigned.entry(*slot).or_default().push(child);
            }
        }
    }

    /// Returns the parent in the flat tree; `None` for the root element and for nodes that are not rendered (a child of
    /// a shadow host without a slot).
    pub fn parent(&self, document: &Document, node: NodeId) -> Option<NodeId> {
        let parent = document.parent(node)?;
        match document.kind(parent) {
            NodeKind::ShadowRoot => document.parent(parent),
            NodeKind::Element(_) if document.shadow_root(parent).is_some() => self.slot_of.get(&node).copied(),
            NodeKind::Element(_) => Some(parent),
            _ => None,
        }
    }

    /// Returns true if a node is a child of a shadow host and is assigned to no slot.
    pub fn is_unslotted(&self, document: &Document, node: NodeId) -> bool {
        let Some(parent) = document.parent(node) else { return false };
        document.element(parent).is_some()
            && !matches!(document.kind(node), NodeKind::ShadowRoot)
            && document.shadow_root(parent).is_some()
            && !self.slot_of.contains_key(&node)
    }

    /// Returns the children in the flat tree, in order.
    pub fn children(&self, document: &Document, node: NodeId) -> Vec<NodeId> {
        if let Some(root) = document.shadow_root(node) {
            return document.children(root).collect();
        }
        self.assigned.get(&node).cloned().unwrap_or_else(|| document.children(node).collect())
    }
}
