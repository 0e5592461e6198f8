//! The sources of computed values: rules, attributes and animations.

use super::cascade_order::DeclarationSource;
use super::computed_style::ComputedStyle;
use crate::index::StyleIndex;
use crate::property::Longhand;
use limner_page::NodeId;

/// The source of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueSource {
    /// A style rule.
    Rule {
        /// Index into [`StyleIndex::sheets`].
        sheet: u32,
        /// Line in the stylesheet, from 1.
        line: u32,
    },
    /// A `style` attribute.
    Inline(NodeId),
    /// Another attribute.
    Attribute(NodeId),
    /// The last keyframe of an animation that has ended.
    Keyframes,
}

impl ComputedStyle {
    /// Returns the source of a value, also of an inherited one; `None` for initial values.
    pub fn evidence(&self, index: &StyleIndex<'_>, longhand: Longhand) -> Option<ValueSource> {
        Some(match self.source(longhand)? {
            DeclarationSource::Rule { rule, .. } => {
                let rule = &index.sheets.rules[rule as usize];
                ValueSource::Rule { sheet: rule.sheet, line: rule.line }
            }
            DeclarationSource::Inline(node) => ValueSource::Inline(node),
            DeclarationSource::Hint(node) => ValueSource::Attribute(node),
            DeclarationSource::Keyframes => ValueSource::Keyframes,
        })
    }
}
