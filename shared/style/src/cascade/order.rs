//! Cascade order (Cascade 5, section 6).

use crate::sheet::{Declaration, Origin};
use limner_page::NodeId;
use std::cmp::Reverse;

/// The sort key of normal declarations; fields are compared in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Key {
    pub(crate) origin: Origin,
    pub(crate) context: u8,
    pub(crate) layer: u32,
    pub(crate) inline: bool,
    pub(crate) specificity: u32,
    /// Scope proximity: the nearer the scope's root, the higher; 0 outside of scopes.
    pub(crate) nearness: u16,
    pub(crate) order: u32,
}

impl Default for Key {
    fn default() -> Self {
        Self {
            origin: Origin::UserAgent,
            context: 1,
            layer: u32::MAX,
            inline: false,
            specificity: 0,
            nearness: 0,
            order: 0,
        }
    }
}

impl Key {
    /// Returns the level that `revert-layer` rolls back.
    pub(crate) fn level(self) -> (Origin, u8, u32, bool) {
        (self.origin, self.context, self.layer, self.inline)
    }
}

/// The rule or attribute that contains a declaration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Source {
    Rule { rule: u32, selector: u32 },
    Inline(NodeId),
    Hint(NodeId),
    Keyframes,
}

/// A rule's or an attribute's declarations.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Block<'a> {
    pub(crate) key: Key,
    pub(crate) declarations: &'a [Declaration],
    pub(crate) source: Source,
}

impl<'a> Block<'a> {
    pub(crate) fn of_keyframe(declarations: &'a [Declaration]) -> Self {
        Self { key: Key { origin: Origin::Animation, ..Key::default() }, declarations, source: Source::Keyframes }
    }

    pub(crate) fn rule(&self) -> Option<u32> {
        match self.source {
            Source::Rule { rule, .. } => Some(rule),
            _ => None,
        }
    }
}

/// A declaration that applies.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Applied<'a> {
    pub(crate) declaration: &'a Declaration,
    pub(crate) key: Key,
    pub(crate) block: Source,
}

/// Returns all declarations of blocks sorted by key, the strongest last: `!important` declarations after the normal
/// ones, with origins, trees and layers reversed.
pub(crate) fn ordered<'a>(blocks: &[Block<'a>]) -> Vec<Applied<'a>> {
    let each = |block: &Block<'a>, important: bool| {
        let (key, source) = (block.key, block.source);
        let chosen = block.declarations.iter().filter(move |declaration| declaration.important == important);
        chosen.map(move |declaration| Applied { declaration, key, block: source })
    };
    let mut all: Vec<Applied<'a>> = blocks.iter().flat_map(|block| each(block, false)).collect();
    let mut important: Vec<&Block<'a>> = blocks.iter().filter(|b| b.declarations.iter().any(|d| d.important)).collect();
    important.sort_by_key(|block| {
        let Key { origin, context, layer, inline, specificity, nearness, order } = block.key;
        (Reverse(origin), Reverse(context), inline, Reverse(layer), specificity, nearness, order)
    });
    all.extend(important.into_iter().flat_map(|block| each(block, true)));
    all
}
