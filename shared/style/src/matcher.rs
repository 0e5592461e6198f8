//! Matches rules' selectors against elements, under all combinations of the states that they mention.

use crate::ancestor_names::AncestorNames;
use crate::index::{Entry, MAX_STATES, Match, StyleIndex};
use crate::name_paths::{NamePaths, PathId, asks_for_names_only};
use crate::scope_matching::{ScopeQuery, ScopeRoots};
use crate::selector::{Caches, ElementRef, MatchState, PseudoElement, State, StateSet, add_hashes, quirks};
use crate::selector_map::SelectorMap;
use crate::sheet::{Origin, Rule};
use crate::sibling_matching::{SiblingQuery, SiblingSearches};
use foldhash::{HashMap, HashMapExt};
use limner_page::NodeId;
use limner_page::dom::NodeKind;
use selectors::bloom::{BLOOM_HASH_MASK, BloomFilter};
use selectors::matching::{
    MatchingContext, MatchingForInvalidation, MatchingMode, NeedsSelectorFlags, matches_selector, selector_may_match,
};
use selectors::parser::{AncestorHashes, Selector};
use std::sync::Arc;

/// Maximum number of ancestors, and of earlier siblings, of which each is tried as the only element in a state.
const MAX_RELATIVES: usize = 16;
const MAX_SIBLINGS: usize = 8;

/// Fixed cost of trying a selector, besides the elements and simple selectors that it visits.
const WORK_PER_TRY: usize = 8;

/// Matches elements in document order.
pub(crate) struct ElementMatcher<'i, 'd> {
    index: &'i StyleIndex<'d>,
    user_agent: SelectorMap,
    trees: HashMap<NodeId, SelectorMap>,
    /// The selectors of the user agent, and of the document's own tree, that ask for names only.
    named_of_user_agent: SelectorMap,
    named: SelectorMap,
    paths: NamePaths<'d>,
    walk: MatchState,
    caches: Caches,
    sibling_searches: SiblingSearches,
    scope_roots: ScopeRoots,
    filter: BloomFilter,
    /// Ancestors whose hashes are in the filter, and their names.
    ancestors: Vec<NodeId>,
    ancestor_names: AncestorNames,
    candidates: Vec<u32>,
    /// True if checking a radio button unchecks the one of its group that is checked.
    keeps_radio_groups: bool,
}

impl<'i, 'd> ElementMatcher<'i, 'd> {
    /// Creates a matcher of the entries from one on.
    pub(crate) fn for_entries(index: &'i StyleIndex<'d>, first: usize) -> Self {
        let (mut user_agent, mut named_of_user_agent) = (SelectorMap::default(), SelectorMap::default());
        let (mut trees, mut named) = (HashMap::<NodeId, SelectorMap>::new(), SelectorMap::default());
        let fold_case = index.document.quirks_mode() == limner_page::dom::QuirksMode::Quirks;
        for (number, entry) in index.entries.iter().enumerate().skip(first) {
            let rule = &index.sheets.rules[entry.rule as usize];
            if entry.ignored || rule.declarations.is_empty() {
                continue;
            }
            let selector = &rule.selectors.slice()[entry.selector as usize];
            let is_of_document = rule.origin == Origin::UserAgent || rule.tree == index.document.root();
            let is_alike = is_of_document && rule.scope.is_none() && !entry.distinguishes_elements;
            let buckets = match (rule.origin, is_alike && asks_for_names_only(selector)) {
                (Origin::UserAgent, true) => &mut named_of_user_agent,
                (Origin::UserAgent, false) => &mut user_agent,
                (_, true) => &mut named,
                (_, false) => trees.entry(rule.tree).or_default(),
            };
            let number = u32::try_from(number).unwrap_or(u32::MAX);
            buckets.add(number, selector, fold_case);
        }
        let maps = [&user_agent, &named_of_user_agent, &named].into_iter().chain(trees.values());
        let ancestor_names = AncestorNames::new(maps.flat_map(SelectorMap::ancestor_keys).cloned().collect());
        Self { user_agent, trees, named_of_user_agent, named, ancestor_names, ..Self::probing(index) }
    }

    /// Creates a matcher that only tries given selectors.
    pub(crate) fn probing(index: &'i StyleIndex<'d>) -> Self {
        Self {
            index,
            user_agent: SelectorMap::default(),
            trees: HashMap::new(),
            named_of_user_agent: SelectorMap::default(),
            named: SelectorMap::default(),
            paths: NamePaths::default(),
            walk: MatchState::new(index.document.work_budget()),
            caches: Caches::default(),
            sibling_searches: SiblingSearches::default(),
            scope_roots: ScopeRoots::default(),
            filter: BloomFilter::new(),
            ancestors: Vec::new(),
            ancestor_names: AncestorNames::default(),
            candidates: Vec::new(),
            keeps_radio_groups: false,
        }
    }

    /// Unchecks a radio button when another one of its group is checked.
    pub(crate) fn keeping_radio_groups(self) -> Self {
        Self { keeps_radio_groups: true, ..self }
    }

    /// Returns true if a selector that matches `node` under some states matches when `states` hold for `at` alone, and
    /// `own_states` holds for `node` itself.
    pub(crate) fn matches_at(
        &mut self,
        node: NodeId,
        found: Match,
        (states, at): (StateSet, NodeId),
        own_states: StateSet,
    ) -> bool {
        let index = self.index;
        let entry = &index.entries[found.entry as usize];
        let rule = &index.sheets.rules[entry.rule as usize];
        let selector = &rule.selectors.slice()[entry.selector as usize];
        let document = index.document;
        let tree = document.ancestors(node).find(|n| matches!(document.kind(*n), NodeKind::ShadowRoot));
        let host = match found.context {
            0 if document.shadow_root(node).is_some() => Some(node),
            0 => document.parent(node),
            1 => tree.and_then(|tree| document.parent(tree)),
            _ => None,
        };
        // Cached results under one element's states are invalid under another's.
        self.clear_caches();
        self.walk.assume_only_for(Some(at));
        self.walk.assume_for_other(Some((own_states, node)).filter(|_| !own_states.is_empty()));
        let checks = self.keeps_radio_groups && states.contains(State::Checked);
        self.walk.assume_unchecked(if checks { index.radio_unchecked_by(at) } else { None });
        let matched = self.matches(node, (entry, selector), rule, None, host, states).is_some();
        self.walk.assume_unchecked(None);
        self.walk.assume_for_other(None);
        self.walk.assume_only_for(None);
        self.clear_caches();
        self.walk.charge(self.index.document.work_budget());
        matched
    }

    fn clear_caches(&mut self) {
        self.caches.clear();
        self.sibling_searches.clear();
        self.scope_roots.clear();
    }

    pub(crate) fn steps(&self) -> u64 {
        self.walk.steps()
    }

    /// Returns true if an element is in a state as its markup has it.
    pub(crate) fn is_in_state_at_rest(&self, node: NodeId, state: State) -> Option<bool> {
        self.walk.assume(StateSet::NONE);
        ElementRef::new(self.index.document, node, &self.walk)?.is_in_state_at_rest(state)
    }

    pub(crate) fn element(&mut self, node: NodeId) -> Vec<Match> {
        let document = self.index.document;
        let fold_case = document.quirks_mode() == limner_page::dom::QuirksMode::Quirks;
        self.sync_ancestors(node, fold_case);
        if document.element(node).is_none() {
            return Vec::new();
        }
        let mut found = Vec::new();
        let tree = document.ancestors(node).find(|n| matches!(document.kind(*n), NodeKind::ShadowRoot));
        let host = tree.and_then(|tree| document.parent(tree));
        let mut candidates = std::mem::take(&mut self.candidates);
        candidates.clear();
        let mut steps = self.user_agent.candidates(document, node, &self.ancestor_names, fold_case, &mut candidates);
        if let Some(buckets) = self.trees.get(&tree.unwrap_or(document.root())) {
            steps += buckets.candidates(document, node, &self.ancestor_names, fold_case, &mut candidates);
        }
        let path = if tree.is_none() { self.paths.path(document, node) } else { None };
        let named = path.and_then(|path| self.named_matches(node, path, fold_case));
        if named.is_none() {
            steps += self.add_named_candidates(node, tree.is_none(), fold_case, &mut candidates);
        }
        candidates.sort_unstable();
        candidates.dedup();
        self.match_candidates(node, &candidates, host, 1, &mut found);
        if let Some(named) = named.filter(|named| !named.is_empty()) {
            found.extend_from_slice(&named);
            found.sort_unstable_by_key(|found| found.entry);
        }
        self.across_trees(node, host, &mut candidates, &mut found);
        self.candidates = candidates;
        self.walk.count(4 * found.len() + steps);
        self.walk.charge(self.index.document.work_budget());
        found
    }

    /// Adds the selectors that ask for names only and may match an element. Returns the number of look-ups of ancestors.
    fn add_named_candidates(
        &self,
        node: NodeId,
        is_in_document: bool,
        fold_case: bool,
        candidates: &mut Vec<u32>,
    ) -> usize {
        let maps = [Some(&self.named_of_user_agent), is_in_document.then_some(&self.named)];
        let find =
            |map: &SelectorMap| map.candidates(self.index.document, node, &self.ancestor_names, fold_case, candidates);
        maps.into_iter().flatten().map(find).sum()
    }

    /// Returns the matches of the selectors that ask for names only, which all elements with the path have.
    fn named_matches(&mut self, node: NodeId, path: PathId, fold_case: bool) -> Option<Arc<[Match]>> {
        if let Some(known) = self.paths.matches(path) {
            return Some(known);
        }
        let (mut candidates, mut found) = (Vec::new(), Vec::new());
        let steps = self.add_named_candidates(node, true, fold_case, &mut candidates);
        self.walk.count(steps);
        candidates.sort_unstable();
        candidates.dedup();
        self.match_candidates(node, &candidates, None, 1, &mut found);
        let found: Arc<[Match]> = found.into();
        self.paths.set_matches(path, found.clone());
        Some(found)
    }

    /// Matches rules of other trees: `:host` from the element's own shadow tree, `::slotted()` from its parent's.
    fn across_trees(&mut self, node: NodeId, host: Option<NodeId>, candidates: &mut Vec<u32>, found: &mut Vec<Match>) {
        let document = self.index.document;
        if let Some(buckets) = document.shadow_root(node).and_then(|root| self.trees.get(&root)) {
            candidates.clear();
            candidates.extend(&buckets.host);
            self.match_candidates(node, candidates, Some(node), 0, found);
        }
        let parent = document.parent(node);
        if let Some(buckets) = parent.and_then(|p| document.shadow_root(p)).and_then(|root| self.trees.get(&root)) {
            candidates.clear();
            candidates.extend(&buckets.slotted);
            self.match_candidates(node, candidates, parent, 0, found);
        }
        if let Some(host) = host {
            let outer = document.ancestors(host).find(|n| matches!(document.kind(*n), NodeKind::ShadowRoot));
            if let Some(buckets) = self.trees.get(&outer.unwrap_or(document.root())) {
                candidates.clear();
                candidates.extend(&buckets.part);
                self.match_candidates(node, candidates, None, 2, found);
            }
        }
    }

    fn match_candidates(
        &mut self,
        node: NodeId,
        candidates: &[u32],
        host: Option<NodeId>,
        context: u8,
        found: &mut Vec<Match>,
    ) {
        for number in candidates {
            let index = self.index;
            let entry = &index.entries[*number as usize];
            let rule = &index.sheets.rules[entry.rule as usize];
            let selector = &rule.selectors.slice()[entry.selector as usize];
            let hashes = (context == 1).then_some(&entry.hashes);
            if self.walk.exceeds_max_cost() {
                return;
            }
            // An ancestor that is missing is missing under all states.
            let is_ruled_out = |hashes| !selector_may_match(hashes, &self.filter);
            if !entry.distinguishes_elements && hashes.is_some_and(is_ruled_out) {
                self.walk.count(WORK_PER_TRY);
                continue;
            }
            let Some((truth, proximity)) = self.states(node, entry, selector, rule, hashes, host) else { continue };
            found.push(Match { entry: *number, proximity, context, truth });
        }
    }

    /// Returns the combinations of the mentioned states under which the selector matches, and its proximity.
    fn states(
        &mut self,
        node: NodeId,
        entry: &Entry,
        selector: &Selector<crate::selector::StyleSelectorImpl>,
        rule: &Rule,
        hashes: Option<&AncestorHashes>,
        host: Option<NodeId>,
    ) -> Option<(u8, u16)> {
        let mentioned: Vec<State> = entry.state_dependencies.iter().take(MAX_STATES).collect();
        let (mut truth, mut nearest) = (0, u16::MAX);
        for combination in 0..1_u8 << mentioned.len() {
            let held = mentioned.iter().enumerate().filter(|(bit, _)| combination & (1 << bit) != 0);
            let states: StateSet = held.map(|(_, state)| *state).collect();
            if let Some(proximity) = self.matches(node, (entry, selector), rule, hashes, host, states) {
                truth |= 1 << combination;
                nearest = nearest.min(proximity);
            }
        }
        if truth == 0 && entry.distinguishes_elements {
            nearest = self.match_state_dependent(node, entry, selector, rule, host)?;
        }
        (truth != 0 || entry.distinguishes_elements).then_some((truth, nearest))
    }

    /// Returns the proximity of a selector that matches while the states hold for one element only: an ancestor, an
    /// earlier sibling, or the element itself.
    fn match_state_dependent(
        &mut self,
        node: NodeId,
        entry: &Entry,
        selector: &Selector<crate::selector::StyleSelectorImpl>,
        rule: &Rule,
        host: Option<NodeId>,
    ) -> Option<u16> {
        let document = self.index.document;
        let around = document.ancestors(node).filter(|around| document.element(*around).is_some());
        let siblings = document.parent(node).into_iter().flat_map(|parent| document.children(parent));
        let siblings = siblings.take_while(|sibling| *sibling != node).filter(|own| document.element(*own).is_some());
        let tried: Vec<NodeId> =
            around.take(MAX_RELATIVES).chain(siblings.take(MAX_SIBLINGS)).chain(std::iter::once(node)).collect();
        let (caches, scope_roots) = (std::mem::take(&mut self.caches), std::mem::take(&mut self.scope_roots));
        let found = tried.into_iter().find_map(|at| {
            self.walk.assume_only_for(Some(at));
            self.caches = Caches::default();
            self.scope_roots.clear();
            self.matches(node, (entry, selector), rule, None, host, entry.state_dependencies)
        });
        self.walk.assume_only_for(None);
        self.caches = caches;
        self.scope_roots = scope_roots;
        found
    }

    fn matches(
        &mut self,
        node: NodeId,
        (entry, selector): (&Entry, &Selector<crate::selector::StyleSelectorImpl>),
        rule: &Rule,
        hashes: Option<&AncestorHashes>,
        host: Option<NodeId>,
        states: StateSet,
    ) -> Option<u16> {
        let document = self.index.document;
        self.walk.assume(states);
        self.walk.count(WORK_PER_TRY);
        let element = ElementRef::new(document, node, &self.walk)?;
        let host = host.and_then(|host| ElementRef::new(document, host, &self.walk));
        // No element is in the state of a part: what the selector says of the element is matched alone.
        let is_part_in_state = entry.pseudo.is_some_and(PseudoElement::is_part_in_state);
        let first = if is_part_in_state { selector.iter().count() + 1 } else { 0 };
        let is_of_pseudo_element = selector.has_pseudo_element() && !is_part_in_state;
        let mode = if is_of_pseudo_element { MatchingMode::ForStatelessPseudoElement } else { MatchingMode::Normal };
        let caches = self.caches.for_states(states);
        let filter = hashes.is_some().then_some(&self.filter);
        let mut context = MatchingContext::new(
            mode,
            filter,
            caches,
            quirks(document),
            NeedsSelectorFlags::No,
            MatchingForInvalidation::No,
        );
        let scope = rule.scope.map(|scope| &self.index.sheets.scopes[scope as usize]);
        let siblings = entry
            .siblings
            .as_deref()
            .filter(|_| !is_part_in_state)
            .zip(self.walk.assumed_for(node, entry.contains_has));
        let matched = context.with_shadow_host(host, |context| {
            let Some(scope) = scope else {
                let Some((parts, assumed)) = siblings else {
                    return matches_selector(selector, first, hashes, &element, context).then_some(u16::MAX);
                };
                if hashes.is_some_and(|hashes| !selector_may_match(hashes, &self.filter)) {
                    return None;
                }
                let (lists, walk) = (&self.index.child_lists, &self.walk);
                let query =
                    SiblingQuery { entry: entry.number, selector, parts, states, assumed, document, lists, walk };
                return self.sibling_searches.matches(query, &element, context).then_some(u16::MAX);
            };
            let query = ScopeQuery { scope, document, walk: &self.walk };
            let key = (rule.scope.unwrap_or_default(), states);
            self.scope_roots.find(key, query, node, entry.refers_to_scope, context, |context| {
                matches_selector(selector, first, hashes, &element, context)
            })
        });
        // What was found out with nothing left may be wrong.
        if self.walk.exceeds_max_cost() {
            self.clear_caches();
        }
        self.caches.count_lookups(self.walk.reset_lookups(), entry.contains_has);
        matched
    }

    /// Updates the Bloom filter and the names to the element's ancestors.
    fn sync_ancestors(&mut self, node: NodeId, fold_case: bool) {
        let document = self.index.document;
        let insert = |filter: &mut BloomFilter, node: NodeId| {
            if let Some(element) = document.element(node) {
                add_hashes(element, |hash| filter.insert_hash(hash & BLOOM_HASH_MASK));
            }
        };
        while let Some(last) = self
            .ancestors
            .last()
            .copied()
            .filter(|last| !document.is_inclusive_descendant(node, *last) || *last == node)
        {
            if let Some(element) = document.element(last) {
                add_hashes(element, |hash| self.filter.remove_hash(hash & BLOOM_HASH_MASK));
            }
            self.ancestors.pop();
            self.ancestor_names.pop();
        }
        let deepest = self.ancestors.last().copied();
        let mut missing: Vec<NodeId> =
            document.ancestors(node).take_while(|ancestor| Some(*ancestor) != deepest).collect();
        missing.reverse();
        for ancestor in missing {
            insert(&mut self.filter, ancestor);
            self.ancestor_names.push(document.element(ancestor), fold_case);
            self.ancestors.push(ancestor);
        }
    }
}
