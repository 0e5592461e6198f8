//! Selectors: parsing as Chromium does, and matching against a [`Document`].
//!
//! Nesting of functional pseudo-classes is capped while parsing, and every match draws on the page's budget of work_budget, so
//! that a selector made to be slow ends the reading of the page instead of holding it up.

mod atom;
mod element;
mod pseudo;
mod selector_caches;
mod selector_impl;
mod state;
mod state_dependencies;
mod theme_scope;

pub(crate) use atom::Atom;
pub(crate) use element::{ElementRef, MatchState, add_hashes};
pub use pseudo::PseudoElement;
pub(crate) use pseudo::{PseudoClass, PseudoName};
pub(crate) use selector_caches::Caches;
pub(crate) use selector_impl::{Namespaces, SelectorParser, StyleSelectorImpl};
pub(crate) use state_dependencies::{
    HasScopeSelector, contains_has, distinguishes_elements, has_argument_compounds, has_scope, mentioned_states,
    refers_to_scope,
};

pub use state::{State, StateSet};
pub use theme_scope::ScopeSelector;
pub(crate) use theme_scope::scheme as scope_scheme;

use cssparser::Parser;
use limner_page::dom::QuirksMode;
use limner_page::{Document, NodeId};
use selectors::matching::{MatchingContext, MatchingForInvalidation, MatchingMode, NeedsSelectorFlags};
use selectors::parser::{Component, ParseRelative, Selector, SelectorList};

/// Maximum length of a selector list in bytes; longer ones are invalid.
pub const MAX_SELECTOR_BYTES: usize = 64 * 1024;
/// Maximum number of simple selectors in one rule's list after each `&` is replaced with the parent's list. Nested
/// rules with a few `&` each multiply: a line of text could become more selectors than any machine can match or print.
const MAX_SIMPLE_SELECTORS: usize = 10_000;
/// Maximum depth of nested lists after each `&` is replaced with the parent's list: a recursive walk needs a stack
/// frame for each.
const MAX_DEPTH: usize = 160;
/// Maximum nesting of `:is()`, `:not()`, `:has()` and the like.
pub(crate) const MAX_NESTING: u8 = 48;

/// The text is not a valid selector list.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a valid CSS selector")]
pub struct InvalidSelector;

/// Returns true if `querySelector` would accept the text: a valid selector list (pseudo-elements included, though they
/// match no element). Text longer than [`MAX_SELECTOR_BYTES`] or nested too deep counts as invalid here.
pub fn is_valid(text: &str) -> bool {
    parse_list(text).is_ok()
}

/// Returns the elements that match a selector list, in document order, like `document.querySelectorAll`: shadow trees
/// and template contents are not searched. Empty if the selector is invalid.
pub fn select(document: &Document, selector: &str) -> Vec<NodeId> {
    Matcher::parse(selector).map(|matcher| matcher.select(document)).unwrap_or_default()
}

/// A parsed selector list, to be matched against many elements.
#[derive(Debug, Clone)]
pub struct Matcher {
    selectors: SelectorList<StyleSelectorImpl>,
}

impl Matcher {
    /// Parses a selector list.
    ///
    /// # Errors
    /// The text is not valid (see [`is_valid`]).
    pub fn parse(text: &str) -> Result<Self, InvalidSelector> {
        parse_list(text).map(|selectors| Self { selectors })
    }

    /// Returns all matching elements in document order.
    pub fn select(&self, document: &Document) -> Vec<NodeId> {
        let (walk, mut caches) = (MatchState::new(document.work_budget()), Caches::default());
        let elements = document.light_descendants(document.root()).filter(|node| document.element(*node).is_some());
        elements.filter(|node| self.matches_with_caches(document, *node, &walk, &mut caches)).collect()
    }

    /// Returns true if the node is an element that matches.
    pub fn matches(&self, document: &Document, node: NodeId) -> bool {
        let (walk, mut caches) = (MatchState::new(document.work_budget()), Caches::default());
        document.element(node).is_some() && self.matches_with_caches(document, node, &walk, &mut caches)
    }

    fn matches_with_caches(&self, document: &Document, node: NodeId, walk: &MatchState, caches: &mut Caches) -> bool {
        let Some(element) = ElementRef::new(document, node, walk).filter(|_| !walk.exceeds_max_cost()) else {
            return false;
        };
        let mut context = MatchingContext::new(
            MatchingMode::Normal,
            None,
            caches.for_states(StateSet::NONE),
            quirks(document),
            NeedsSelectorFlags::No,
            MatchingForInvalidation::No,
        );
        let matched = selectors::matching::matches_selector_list(&self.selectors, &element, &mut context);
        caches.count_lookups(walk.reset_lookups(), true);
        walk.charge(document.work_budget());
        matched
    }
}

/// Converts the document's quirks mode to the `selectors` crate's type.
pub(crate) fn quirks(document: &Document) -> selectors::context::QuirksMode {
    match document.quirks_mode() {
        QuirksMode::Quirks => selectors::context::QuirksMode::Quirks,
        QuirksMode::LimitedQuirks => selectors::context::QuirksMode::LimitedQuirks,
        QuirksMode::NoQuirks => selectors::context::QuirksMode::NoQuirks,
    }
}

/// Returns true if blocks nest deeper than [`MAX_NESTING`]. Checked before parsing, since a forgiving list would drop
/// the deep selectors and match less than the author wrote.
pub(crate) fn nests_too_deep(text: &str) -> bool {
    let (mut depth, mut quote, mut escaped) = (0_u32, None, false);
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' | b'\'' if quote.is_none() => quote = Some(byte),
            _ if quote == Some(byte) => quote = None,
            b'(' | b'[' if quote.is_none() => depth += 1,
            b')' | b']' if quote.is_none() => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > u32::from(MAX_NESTING) {
            return true;
        }
    }
    false
}

/// The size of a selector list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Extent {
    /// Number of simple selectors, those in functional pseudo-classes included.
    pub(crate) simple: usize,
    /// Depth of nested lists.
    pub(crate) depth: usize,
}

impl Extent {
    /// The size of a list without `&` of a parent: one simple selector, not nested.
    pub(crate) const ONE: Self = Self { simple: 1, depth: 0 };

    /// Measures a list in which each `&` stands for a list of the extent `parent`. Parsing caps the nesting, so the
    /// recursion is bounded; lists in which `&` was replaced must not be passed.
    pub(crate) fn measure(list: &[Selector<StyleSelectorImpl>], parent: Self) -> Self {
        let none = Self { simple: 0, depth: 0 };
        let components = list.iter().flat_map(Selector::iter_raw_match_order);
        let all = components.map(|component| Self::measure_component(component, parent)).fold(none, Self::combine);
        Self { simple: all.simple.max(1), depth: all.depth + 1 }
    }

    fn measure_component(component: &Component<StyleSelectorImpl>, parent: Self) -> Self {
        let inner = |list: &[Selector<StyleSelectorImpl>]| Self::measure(list, parent);
        match component {
            Component::ParentSelector => parent,
            Component::Is(list) | Component::Where(list) | Component::Negation(list) => inner(list.slice()),
            Component::Has(list) => {
                let parts = list.iter().map(|part| inner(std::slice::from_ref(&part.selector)));
                parts.fold(Self { simple: 0, depth: 0 }, Self::combine)
            }
            Component::NthOf(nth) => inner(nth.selectors()),
            Component::Slotted(part) | Component::Host(Some(part)) => inner(std::slice::from_ref(part)),
            _ => Self::ONE,
        }
    }

    fn combine(self, other: Self) -> Self {
        Self { simple: self.simple + other.simple, depth: self.depth.max(other.depth) }
    }

    /// Returns true if the extent exceeds the limits for one rule.
    pub(crate) fn exceeds_limits(self) -> bool {
        self.simple > MAX_SIMPLE_SELECTORS || self.depth > MAX_DEPTH
    }
}

fn parse_list(text: &str) -> Result<SelectorList<StyleSelectorImpl>, InvalidSelector> {
    if text.len() > MAX_SELECTOR_BYTES || nests_too_deep(text) {
        return Err(InvalidSelector);
    }
    let mut parser = Parser::new(text);
    parser.set_nested_block_limit(MAX_NESTING);
    let namespaces = Namespaces::default();
    let grammar = SelectorParser::new(&namespaces);
    let parsed = parser.parse_entirely(|input| SelectorList::parse(&grammar, input, ParseRelative::No));
    parsed.map_err(|_| InvalidSelector)
}

#[cfg(test)]
mod tests;
