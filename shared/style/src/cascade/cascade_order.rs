//! Cascade order (Cascade 5, section 6).

use crate::sheet::{Declaration, Origin};
use limner_page::NodeId;
use std::cmp::Reverse;

/// The sort key of normal declarations; fields are compared in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct CascadeKey {
    pub(crate) origin: Origin,
    pub(crate) context: u8,
    pub(crate) layer: u32,
    pub(crate) inline: bool,
    pub(crate) specificity: u32,
    /// Scope proximity: the nearer the scope's root, the higher; 0 outside of scopes.
    pub(crate) nearness: u16,
    pub(crate) order: u32,
}

impl Default for CascadeKey {
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

impl CascadeKey {
    /// Returns the level that `revert-layer` rolls back.
    pub(crate) fn level(self) -> (Origin, u8, u32, bool) {
        (self.origin, self.context, self.layer, self.inline)
    }
}

/// The rule or attribute that contains a declaration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum DeclarationSource {
    Rule { rule: u32, selector: u32 },
    Inline(NodeId),
    Hint(NodeId),
    Keyframes,
}

/// A rule's or an attribute's declarations.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DeclarationBlock<'a> {
    pub(crate) key: CascadeKey,
    pub(crate) declarations: &'a [Declaration],
    pub(crate) source: DeclarationSource,
}

impl<'a> DeclarationBlock<'a> {
    pub(crate) fn from_keyframe(declarations: &'a [Declaration]) -> Self {
        Self {
            key: CascadeKey { origin: Origin::Animation, ..CascadeKey::default() },
            declarations,
            source: DeclarationSource::Keyframes,
        }
    }

    /// Returns the block in which `!important` declarations of a script win over those of the page, if there are any.
    pub(crate) fn important(declarations: &'a [Declaration]) -> Option<Self> {
        let key = CascadeKey { origin: Origin::UserAgent, ..CascadeKey::default() };
        let has_any = declarations.iter().any(|declaration| declaration.important);
        has_any.then_some(Self { key, ..Self::from_keyframe(declarations) })
    }

    pub(crate) fn rule(&self) -> Option<u32> {
        match self.source {
            DeclarationSource::Rule { rule, .. } => Some(rule),
            _ => None,
        }
    }
}

/// A declaration that applies.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AppliedDeclaration<'a> {
    pub(crate) declaration: &'a Declaration,
    pub(crate) key: CascadeKey,
    pub(crate) block: DeclarationSource,
}

/// Returns all declarations of blocks sorted by key, the strongest last: `!important` declarations after the normal
/// ones, with origins, trees and layers reversed.
pub(crate) fn ordered<'a>(blocks: &[DeclarationBlock<'a>]) -> Vec<AppliedDeclaration<'a>> {
    let each = |block: &DeclarationBlock<'a>, important: bool| {
        let (key, source) = (block.key, block.source);
        let chosen = block.declarations.iter().filter(move |declaration| declaration.important == important);
        chosen.map(move |declaration| AppliedDeclaration { declaration, key, block: source })
    };
    let mut all: Vec<AppliedDeclaration<'a>> = blocks.iter().flat_map(|block| each(block, false)).collect();
    let mut important: Vec<&DeclarationBlock<'a>> =
        blocks.iter().filter(|b| b.declarations.iter().any(|d| d.important)).collect();
    important.sort_by_key(|block| {
        let CascadeKey { origin, context, layer, inline, specificity, nearness, order } = block.key;
        (Reverse(origin), Reverse(context), inline, Reverse(layer), specificity, nearness, order)
    });
    all.extend(important.into_iter().flat_map(|block| each(block, true)));
    all
}
