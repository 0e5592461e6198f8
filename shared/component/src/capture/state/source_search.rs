//! Searches state sources: siblings by class, and possible targets of `:has()`.

use super::interaction_states::INTERACTION_STATES;
use super::state_sources::{SiblingClass, SiblingIndex};
use super::state_trigger::RuleSet;
use crate::capture::diff::rule_resolver::RuleResolver;
use limner_component_model::model::{Child, ElementId, StateSourceListId};
use limner_page::NodeId;
use limner_style::StateDependentBlock;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// Maximum number of selectors with `:has()`, counted for each interaction state, of which the possible targets are
/// found.
const MAX_HAS_SELECTORS: usize = 400;

impl RuleResolver<'_> {
    /// Returns the children of an element with their sibling classes, for one interaction state.
    pub(crate) fn siblings(&mut self, parent: ElementId, state: usize) -> Arc<SiblingIndex> {
        if let Some(known) = self.state_sources.siblings.get(&(parent, state)) {
            return known.clone();
        }
        let children = self.section.tree.elements[parent.0].children.iter();
        let all: Vec<ElementId> = children
            .filter_map(|child| match child {
                Child::Element(id) => Some(*id),
                Child::Text(_) => None,
            })
            .collect();
        let mut numbers = HashMap::new();
        let mut siblings =
            SiblingIndex { able: Vec::new(), classes: BTreeMap::new(), counts: Vec::new(), siblings: all };
        for id in &siblings.siblings {
            let Some(node) = self.section.tree.node(*id) else { continue };
            let own = &self.section.tree.elements[id.0];
            let probe = self.section.request.index.state_probe();
            let rests: Vec<_> = INTERACTION_STATES[state]
                .selector_states()
                .iter()
                .map(|state| probe.is_in_state_at_rest(node, *state))
                .collect();
            let class = self.section.view.document.element(node).and_then(|element| element.attr("class"));
            let mut number = |class| {
                let next = numbers.len();
                *numbers.entry((own.tag.as_str(), own.attribute("type"), rests.clone(), class)).or_insert(next)
            };
            let classes = SiblingClass { by_tag: number(None), by_class: number(Some(class)) };
            siblings.classes.insert(*id, classes);
            siblings.counts.resize(numbers.len(), 0);
            siblings.counts[classes.by_tag] += 1;
            if self.can_do(state, node) {
                siblings.able.push(*id);
            }
        }
        let siblings = Arc::new(siblings);
        self.state_sources.siblings.insert((parent, state), siblings.clone());
        siblings
    }

    /// Returns the list of all children of some classes that can get into the state, unless the lists are too long
    /// already.
    pub(crate) fn sources_of_classes(
        &mut self,
        parent: ElementId,
        state: usize,
        classes: Vec<usize>,
    ) -> Option<StateSourceListId> {
        let siblings = self.siblings(parent, state);
        let key = (parent, state, classes);
        if let Some(known) = self.state_sources.by_sibling_classes.get(&key) {
            return Some(*known);
        }
        if !self.state_sources.has_capacity() {
            return None;
        }
        let is_of = |id: &ElementId| {
            siblings.classes(*id).is_some_and(|own| key.2.contains(&own.by_tag) || key.2.contains(&own.by_class))
        };
        let id = self.state_sources.number(siblings.able.iter().copied().filter(is_of).collect());
        self.state_sources.by_sibling_classes.insert(key, id);
        Some(id)
    }

    /// Returns the possible targets of a `:has()` in the selector of a block, in document order.
    pub(crate) fn has_selector_targets(
        &mut self,
        theme: RuleSet,
        block: &StateDependentBlock,
        state: usize,
    ) -> Arc<[ElementId]> {
        let key = (theme, block.selector, state);
        if let Some(known) = self.state_sources.has_targets.get(&key) {
            return known.clone();
        }
        let on_page = self.page_elements();
        let nodes =
            on_page.iter().map(|(node, _)| *node).filter(|_| self.state_sources.has_targets.len() < MAX_HAS_SELECTORS);
        let nodes: Vec<NodeId> = nodes.collect();
        let found = self.index_for(theme).has_targets(block, &nodes).filter(|node| self.can_do(state, *node));
        let element = |node| on_page.binary_search_by_key(&node, |(node, _)| *node).map(|at| on_page[at].1).ok();
        let mut found: Vec<ElementId> = found.filter_map(element).collect();
        found.sort_unstable();
        let found: Arc<[ElementId]> = found.into();
        self.state_sources.has_targets.insert(key, found.clone());
        found
    }

    /// Returns the elements that are in the page's document, sorted by node.
    fn page_elements(&mut self) -> Arc<[(NodeId, ElementId)]> {
        let tree = self.section.tree;
        let known = self.state_sources.page_elements.get_or_insert_with(|| {
            let origins = tree.origins.iter().enumerate().filter(|(_, origin)| origin.source == 0 && !origin.is_copy);
            let mut all: Vec<_> = origins.map(|(at, origin)| (origin.node, ElementId(at))).collect();
            all.sort_unstable();
            all.dedup_by_key(|(node, _)| *node);
            all.into()
        });
        known.clone()
    }

    /// Returns the list of all possible targets of `:has()` in one of these selectors inside of an element, unless the
    /// lists are too long already.
    pub(crate) fn descendant_sources(
        &mut self,
        ancestor: ElementId,
        theme: RuleSet,
        state: usize,
        selectors: Vec<u32>,
    ) -> Option<StateSourceListId> {
        let key = (ancestor, theme, state, selectors);
        if let Some(known) = self.state_sources.descendant_lists.get(&key) {
            return Some(*known);
        }
        if !self.state_sources.has_capacity() {
            return None;
        }
        let lists = key.3.iter().filter_map(|selector| self.state_sources.has_targets.get(&(theme, *selector, state)));
        let mut all: Vec<ElementId> = lists.flat_map(|list| list.iter().copied()).collect();
        all.retain(|id| *id != ancestor && self.is_inclusive_descendant(*id, ancestor));
        all.sort_unstable();
        all.dedup();
        let id = self.state_sources.number(all);
        self.state_sources.descendant_lists.insert(key, id);
        Some(id)
    }

    /// Returns true if an element is another one or a descendant of it, by the nodes on the page.
    pub(crate) fn is_inclusive_descendant(&self, id: ElementId, ancestor: ElementId) -> bool {
        let place = |id: ElementId| self.section.tree.node(id);
        place(id)
            .zip(place(ancestor))
            .is_some_and(|(inner, outer)| self.section.view.document.is_inclusive_descendant(inner, outer))
    }
}
