//! Stylesheets as data: rules with selectors, declarations as written, and their conditions, layer and scope.

mod at_rule_filter;
mod cascade_layers;
mod collect;
mod declaration;
mod lazy_selectors;
mod parse;
mod property_filter;
mod registration;
mod scanner;
mod shallow_parser;

pub use at_rule_filter::keep_at_rule;
pub(crate) use cascade_layers::{LayerId, Layers};
pub(crate) use collect::{collect, user_agent};
pub(crate) use declaration::{DeclarationInterner, Inline, descriptors, frame_rules, parse_inline};
pub(crate) use lazy_selectors::LazySelectorList;
pub(crate) use property_filter::Filter;
pub(crate) use registration::Registration;

use crate::condition::{ConditionId, Conditions};
use crate::property::ExpandedLonghand;
use crate::selector::{Atom, StyleSelectorImpl};
use foldhash::HashMap;
use limner_page::NodeId;
use selectors::parser::SelectorList;
use std::sync::Arc;

/// Maximum number of rules of a page.
pub(crate) const MAX_RULES: usize = 300_000;
/// Maximum number of declarations of a page.
pub(crate) const MAX_DECLARATIONS: usize = 1_000_000;
/// Maximum number of selectors of a page.
pub(crate) const MAX_SELECTORS: usize = 600_000;
/// Maximum number of simple selectors of a page, with the parents' counted again in each nested rule: more than fit
/// into the stylesheets that are read, unless nested rules multiply them.
pub(crate) const MAX_SIMPLE_SELECTORS_IN_ALL: usize = 20_000_000;
/// Maximum nesting of rules.
pub(crate) const MAX_DEPTH: usize = 64;

/// Cascade origin, from the weakest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Origin {
    /// The user agent's stylesheet.
    UserAgent,
    /// Presentational hints such as `bgcolor`: weaker than every stylesheet of the page.
    Hint,
    /// The page.
    Author,
    /// Keyframes of the page: stronger than all its declarations that are not important.
    Animation,
}

/// A declaration.
#[derive(Debug, Clone)]
pub(crate) struct Declaration {
    /// Lower case, except for custom properties.
    pub(crate) name: Arc<str>,
    /// The value as written, without `!important`.
    pub(crate) value: Arc<str>,
    pub(crate) important: bool,
    /// Line, from 1.
    pub(crate) line: u32,
    pub(crate) effect: DeclarationMeaning,
}

/// The effect of a declaration.
#[derive(Debug, Clone)]
pub(crate) enum DeclarationMeaning {
    Custom(Atom),
    Longhands(Arc<[ExpandedLonghand]>),
    /// Dropped, as a browser does.
    Invalid,
}

/// A style rule.
#[derive(Debug)]
pub(crate) struct Rule {
    pub(crate) selectors: LazySelectorList,
    /// Index range into [`Sheets::declarations`].
    pub(crate) declarations: std::ops::Range<u32>,
    pub(crate) condition: ConditionId,
    pub(crate) layer: LayerId,
    pub(crate) origin: Origin,
    pub(crate) scope: Option<u32>,
    /// The document, or the shadow root that contains the stylesheet.
    pub(crate) tree: NodeId,
    pub(crate) sheet: u32,
    /// Line, from 1.
    pub(crate) line: u32,
    /// True if its prelude may contain one of the filter's marks.
    pub(crate) is_marked: bool,
}

/// `@scope`
#[derive(Debug)]
pub(crate) struct Scope {
    /// `None`: the parent of the `style` element.
    pub(crate) start: Option<SelectorList<StyleSelectorImpl>>,
    pub(crate) end: Option<SelectorList<StyleSelectorImpl>>,
    /// True if the end contains `:scope`: where a scope ends depends on its root.
    pub(crate) end_refers_to_root: bool,
    pub(crate) implicit_root: Option<NodeId>,
}

/// An at-rule kept as written.
#[derive(Debug, Clone)]
pub struct AtRule {
    /// `font-face`, `keyframes`, `property`, `counter-style`, …
    pub name: Box<str>,
    /// The text between name and block.
    pub prelude: Box<str>,
    /// The block as written, without braces.
    pub body: Arc<str>,
    /// The conditions that wrap it.
    pub condition: ConditionId,
    /// Index of the sheet in [`crate::StyleIndex::sheets`].
    pub sheet: u32,
    /// Line, from 1.
    pub line: u32,
}

/// The origin of a stylesheet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SheetInfo {
    /// Its URL, if it has one.
    pub href: Option<Arc<str>>,
    /// The base URL of relative URLs in it.
    pub base_url: Arc<str>,
    /// Index in `PageSnapshot::sheets`; imported stylesheets have that of the importing one, the user agent's none.
    pub snapshot_index: Option<usize>,
}

/// The contents of a page's stylesheets.
#[derive(Debug, Default)]
pub(crate) struct Sheets {
    pub(crate) rules: Vec<Rule>,
    pub(crate) declarations: Vec<Declaration>,
    pub(crate) conditions: Conditions,
    pub(crate) layers: Layers,
    pub(crate) scopes: Vec<Scope>,
    pub(crate) registrations: HashMap<Atom, Registration>,
    pub(crate) at_rules: Vec<AtRule>,
    pub(crate) infos: Vec<SheetInfo>,
    pub(crate) selectors: usize,
    simple_selectors: usize,
    /// `@import` rules followed, and the total size of the imported stylesheets in bytes.
    imports: usize,
    imported_bytes: usize,
    /// Number of rules with selectors that a browser would reject.
    pub(crate) dropped_rules: usize,
    /// True if a limit cut rules or declarations short.
    pub(crate) truncated: bool,
}

#[cfg(test)]
mod tests;
