//! Style sheets as data: rules with selectors, declarations as written, and the conditions, layer and scope they are in.

mod at_rules;
mod declaration;
mod filter;
mod layer;
mod outline;
mod parse;
mod registration;
mod rule_selectors;
mod scan;
mod source;

pub use at_rules::with_at_rules_alone;
pub(crate) use declaration::{Inline, Interner, descriptors, frame_rules, parse_inline};
pub(crate) use filter::Filter;
pub(crate) use layer::{LayerId, Layers};
pub(crate) use registration::Registration;
pub(crate) use rule_selectors::RuleSelectors;
pub(crate) use source::{collect, user_agent};

use crate::condition::{ConditionId, Conditions};
use crate::property::Declared;
use crate::selector::{Atom, Selectors};
use foldhash::HashMap;
use limner_page::NodeId;
use selectors::parser::SelectorList;
use std::sync::Arc;

/// Most rules of a page.
pub(crate) const MAX_RULES: usize = 300_000;
/// Most declarations of a page.
pub(crate) const MAX_DECLARATIONS: usize = 1_000_000;
/// Most selectors of a page.
pub(crate) const MAX_SELECTORS: usize = 600_000;
/// Most simple selectors of a page, those of parents counted in each nested rule: more than fit into the sheets that are read,
/// unless rules are nested to multiply.
pub(crate) const MAX_SIMPLE_SELECTORS_IN_ALL: usize = 20_000_000;
/// Deepest nesting of rules.
pub(crate) const MAX_DEPTH: usize = 64;

/// Where a rule comes from, from the weakest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Origin {
    /// The browser's own sheet.
    UserAgent,
    /// Attributes such as `bgcolor`: weaker than every sheet of the page.
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
    /// As written, without `!important`.
    pub(crate) value: Arc<str>,
    pub(crate) important: bool,
    /// From 1.
    pub(crate) line: u32,
    pub(crate) effect: Effect,
}

/// What a declaration does.
#[derive(Debug, Clone)]
pub(crate) enum Effect {
    Custom(Atom),
    Longhands(Arc<[Declared]>),
    /// Dropped, as a browser drops it.
    Invalid,
}

/// A style rule.
#[derive(Debug)]
pub(crate) struct Rule {
    pub(crate) selectors: RuleSelectors,
    /// Index range into the sheets' declarations.
    pub(crate) declarations: std::ops::Range<u32>,
    pub(crate) condition: ConditionId,
    pub(crate) layer: LayerId,
    pub(crate) origin: Origin,
    pub(crate) scope: Option<u32>,
    /// The document, or the shadow root whose sheet it is in.
    pub(crate) tree: NodeId,
    pub(crate) sheet: u32,
    /// From 1.
    pub(crate) line: u32,
    /// Whether the words that were looked for may be in its selectors.
    pub(crate) is_marked: bool,
}

/// `@scope`
#[derive(Debug)]
pub(crate) struct Scope {
    /// `None`: the parent of the `style` element.
    pub(crate) start: Option<SelectorList<Selectors>>,
    pub(crate) end: Option<SelectorList<Selectors>>,
    pub(crate) implicit_root: Option<NodeId>,
}

/// An at-rule kept as it is, with its descriptors.
#[derive(Debug, Clone)]
pub struct AtRule {
    /// `font-face`, `keyframes`, `property`, `counter-style`, …
    pub name: Box<str>,
    /// What stands between name and block.
    pub prelude: Box<str>,
    /// The block as written, without braces.
    pub body: Arc<str>,
    /// The conditions around it.
    pub condition: ConditionId,
    /// Index of the sheet in [`crate::StyleIndex::sheets`].
    pub sheet: u32,
    /// From 1.
    pub line: u32,
}

/// Where a sheet came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SheetInfo {
    /// Its address, if it has its own.
    pub href: Option<Arc<str>>,
    /// What relative addresses in it resolve against.
    pub base_url: Arc<str>,
    /// Index in `PageSnapshot::sheets`; imported sheets have that of the sheet that imports them, the browser's none.
    pub snapshot_index: Option<usize>,
}

/// Everything the sheets of a page say.
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
    /// `@import` rules followed, and the bytes of the sheets that they brought in.
    imports: usize,
    imported_bytes: usize,
    /// Rules whose selectors a browser does not understand.
    pub(crate) dropped_rules: usize,
    /// Whether a limit cut anything short.
    pub(crate) truncated: bool,
}

#[cfg(test)]
mod tests;
