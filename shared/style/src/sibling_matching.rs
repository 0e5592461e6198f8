//! Matches selectors with the combinator `~` in time that does not grow with the number of siblings.
//!
//! The `selectors` crate walks back over the earlier siblings of each element. Here what stands before a `~` is tried once
//! on each sibling, on those alone that have its class, id or name, and the first one that matches is remembered: every
//! element after it has an earlier sibling that matches.

use crate::selector::{ElementRef, MatchState, StateSet, StyleSelectorImpl};
use crate::selector_map::{SelectorKey, compound_key, element_keys};
use foldhash::HashMap;
use limner_page::{Document, NodeId};
use selectors::Element as _;
use selectors::context::QuirksMode;
use selectors::matching::{
    CompoundSelectorMatchingResult, MatchingContext, matches_compound_selector_from, matches_selector,
};
use selectors::parser::{Combinator, Component, NonTSPseudoClass, Selector};
use std::sync::{Arc, Mutex, PoisonError};

/// Maximum number of results kept, of some 64 bytes each. Beyond it all are dropped: they only save time.
const MAX_RESULTS: usize = 500_000;

/// A selector with `~` as its compound selectors, from the subject to the left.
#[derive(Debug)]
pub(crate) struct SiblingSelector {
    compounds: Box<[Compound]>,
    /// Number of compounds that have a `~` somewhere to their left.
    before_siblings: usize,
}

#[derive(Debug)]
struct Compound {
    /// The index of its first simple selector, from the right.
    offset: usize,
    /// The combinator to its left, and that one's index from the right.
    combinator: Option<(Combinator, usize)>,
    key: Option<SelectorKey>,
    /// True in quirks mode for `:hover` and `:active` alone, which then match links only.
    matches_links_only: bool,
}

impl SiblingSelector {
    /// Takes a selector apart; `None` if it has no `~`, or has combinators between trees.
    pub(crate) fn new(selector: &Selector<StyleSelectorImpl>, mode: QuirksMode) -> Option<Box<Self>> {
        let mut compounds = Vec::new();
        let mut offset = 0;
        let mut close = |offset: usize, combinator| {
            let key = compound_key(selector.iter_from(offset), mode == QuirksMode::Quirks);
            let is_quirk = |simple: &Component<StyleSelectorImpl>| matches!(simple, Component::NonTSPseudoClass(class) if class.is_active_or_hover());
            let matches_links_only = mode == QuirksMode::Quirks
                && !(offset > 0 && compounds.is_empty())
                && selector.iter_from(offset).all(is_quirk);
            compounds.push(Compound { offset, combinator, key, matches_links_only });
        };
        for (at, component) in selector.iter_raw_match_order().enumerate() {
            match component {
                // The pseudo-element alone, whose originating element is the subject.
                Component::Combinator(Combinator::PseudoElement) if at == 1 => offset = at + 1,
                Component::Combinator(Combinator::PseudoElement | Combinator::Part | Combinator::SlotAssignment) => {
                    return None;
                }
                // Hosts have no siblings that a rule of their tree could see.
                Component::Host(_) => return None,
                Component::Combinator(combinator) => {
                    close(offset, Some((*combinator, at)));
                    offset = at + 1;
                }
                _ => {}
            }
        }
        close(offset, None);
        let is_later = |compound: &Compound| matches!(compound.combinator, Some((Combinator::LaterSibling, _)));
        let before_siblings = 1 + compounds.iter().rposition(is_later)?;
        Some(Box::new(Self { compounds: compounds.into(), before_siblings }))
    }
}

/// The elements for which states are assumed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Assumed {
    /// All elements.
    Everywhere,
    /// One element.
    At(NodeId),
    /// The subject. Its earlier siblings and their ancestors see the same, whichever sibling is the subject.
    AtSubject,
}

/// A selector to match, under assumed states.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SiblingQuery<'a> {
    pub(crate) entry: u32,
    pub(crate) selector: &'a Selector<StyleSelectorImpl>,
    pub(crate) parts: &'a SiblingSelector,
    pub(crate) states: StateSet,
    pub(crate) assumed: Assumed,
    pub(crate) document: &'a Document,
    pub(crate) lists: &'a ChildLists,
    pub(crate) walk: &'a MatchState,
}

/// The outcome of matching a compound and everything to its left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Matched,
    /// The element does not match.
    NotHere,
    /// No element with the same parent matches.
    NotAmongSiblings,
    /// No element further out matches either.
    Nowhere,
}

/// The state of a search among the children of one parent.
#[derive(Debug, Clone, Copy, Default)]
struct Search {
    /// Number of children tried.
    tried: usize,
    /// The first child that matches.
    first: Option<NodeId>,
}

/// The child elements of those parents that were searched.
#[derive(Debug, Default)]
pub(crate) struct ChildLists(Mutex<HashMap<NodeId, Arc<Children>>>);

impl ChildLists {
    fn children(&self, document: &Document, parent: NodeId, walk: &MatchState) -> Arc<Children> {
        let mut lists = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = lists.entry(parent).or_insert_with(|| {
            let children = Children::new(document, parent);
            walk.count(4 * children.all.len());
            Arc::new(children)
        });
        known.clone()
    }
}

/// Child elements in order, and by key.
#[derive(Debug, Default)]
struct Children {
    all: Vec<NodeId>,
    by_key: HashMap<SelectorKey, Vec<NodeId>>,
}

impl Children {
    fn new(document: &Document, parent: NodeId) -> Self {
        let fold_case = document.quirks_mode() == limner_page::dom::QuirksMode::Quirks;
        let mut children = Self::default();
        for (child, element) in document.child_elements(parent) {
            children.all.push(child);
            for key in element_keys(element, fold_case) {
                let of_key = children.by_key.entry(key).or_default();
                if of_key.last() != Some(&child) {
                    of_key.push(child);
                }
            }
        }
        children
    }

    fn with_key(&self, key: Option<&SelectorKey>) -> &[NodeId] {
        match key {
            Some(key) => self.by_key.get(key).map_or(&[], Vec::as_slice),
            None => &self.all,
        }
    }
}

/// Results of searches among siblings.
#[derive(Debug, Default)]
pub(crate) struct SiblingSearches {
    searches: HashMap<(u32, usize, StateSet, Assumed, NodeId), Search>,
}

impl SiblingSearches {
    /// Drops all results that depend on assumed states.
    pub(crate) fn clear(&mut self) {
        self.searches.clear();
    }

    /// Returns true if the selector matches the element.
    pub(crate) fn matches(
        &mut self,
        query: SiblingQuery<'_>,
        element: &ElementRef<'_>,
        context: &mut MatchingContext<StyleSelectorImpl>,
    ) -> bool {
        self.matches_from(query, 0, element, context) == Outcome::Matched
    }

    fn matches_from(
        &mut self,
        query: SiblingQuery<'_>,
        number: usize,
        element: &ElementRef<'_>,
        context: &mut MatchingContext<StyleSelectorImpl>,
    ) -> Outcome {
        let compound = &query.parts.compounds[number];
        if compound.matches_links_only && !element.is_link() {
            return Outcome::NotHere;
        }
        let Some((combinator, at)) = compound.combinator.filter(|_| number < query.parts.before_siblings) else {
            let matched = matches_selector(query.selector, compound.offset, None, element, context);
            return if matched { Outcome::Matched } else { Outcome::NotHere };
        };
        let start = query.selector.len() - at;
        let own = matches_compound_selector_from(query.selector, start, context, element);
        if query.walk.exceeds_max_cost() {
            return Outcome::Nowhere;
        }
        if matches!(own, CompoundSelectorMatchingResult::NotMatched) {
            return Outcome::NotHere;
        }
        let next = number + 1;
        match combinator {
            Combinator::LaterSibling => self.any_earlier_sibling(query, next, element.node(), context),
            Combinator::NextSibling => {
                let previous = element.prev_sibling_element();
                previous.map_or(Outcome::NotHere, |previous| self.matches_from(query, next, &previous, context))
            }
            Combinator::Child => match element.parent_element() {
                Some(parent) => match self.matches_from(query, next, &parent, context) {
                    Outcome::NotHere => Outcome::NotAmongSiblings,
                    outcome => outcome,
                },
                None => Outcome::Nowhere,
            },
            _ => {
                let ancestors = std::iter::successors(element.parent_element(), |at| at.parent_element());
                let mut outcomes = ancestors.map(|ancestor| self.matches_from(query, next, &ancestor, context));
                let settled = outcomes.find(|outcome| matches!(outcome, Outcome::Matched | Outcome::Nowhere));
                settled.unwrap_or(Outcome::Nowhere)
            }
        }
    }

    /// Matches a compound and everything to its left against the earlier siblings of an element.
    fn any_earlier_sibling(
        &mut self,
        query: SiblingQuery<'_>,
        number: usize,
        node: NodeId,
        context: &mut MatchingContext<StyleSelectorImpl>,
    ) -> Outcome {
        let Some(parent) = query.document.parent(node) else { return Outcome::Nowhere };
        let children = query.lists.children(query.document, parent, query.walk);
        let siblings = children.with_key(query.parts.compounds[number].key.as_ref());
        let place = (query.entry, number, query.states, query.assumed, parent);
        let mut search = self.searches.get(&place).copied().unwrap_or_default();
        while search.first.is_none()
            && let Some(sibling) = siblings.get(search.tried).filter(|sibling| **sibling < node)
        {
            search.tried += 1;
            let element = query.walk.step().and_then(|()| ElementRef::new(query.document, *sibling, query.walk));
            let Some(element) = element else { return Outcome::Nowhere };
            match self.matches_from(query, number, &element, context) {
                Outcome::Matched => search.first = Some(*sibling),
                // Siblings have the same ancestors.
                Outcome::Nowhere => search.tried = usize::MAX,
                Outcome::NotHere | Outcome::NotAmongSiblings => {}
            }
        }
        if self.searches.len() >= MAX_RESULTS {
            self.searches.clear();
        }
        self.searches.insert(place, search);
        if search.first.is_some_and(|first| first < node) { Outcome::Matched } else { Outcome::NotAmongSiblings }
    }
}

#[cfg(test)]
mod tests;
