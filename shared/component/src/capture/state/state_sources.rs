//! Lists of state sources: elements whose states other elements' rules depend on. Rules refer to a list by its index.

use super::interaction_states::INTERACTION_STATES;
use super::triggers::{ProbeResults, RuleSet};
use crate::capture::diff::rule_resolver::RuleResolver;
use limner_component_model::model::{Child, ElementId, SiblingSide, StateSourceListId, StateTarget};
use limner_page::NodeId;
use limner_style::StateDependentBlock;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

/// Maximum number of selectors with `:has()`, counted for each interaction state, of which the possible targets are
/// found.
const MAX_HAS_SELECTORS: usize = 400;

/// Total length of all lists above which a new list has only elements that were probed.
const MAX_LENGTH: usize = 400_000;

/// The lists of a section without duplicates, and caches of the searches for them. Without the caches each element
/// would search what the one before it has searched, and time would grow with the square of the section's size.
#[derive(Default)]
pub(crate) struct StateSources {
    lists: Vec<Arc<[ElementId]>>,
    numbers: HashMap<Arc<[ElementId]>, StateSourceListId>,
    /// Total length of all lists.
    length: usize,
    /// By parent and interaction state.
    siblings: HashMap<(ElementId, usize), Arc<SiblingIndex>>,
    /// The lists of all siblings of some classes, by parent, interaction state and classes.
    by_sibling_classes: HashMap<(ElementId, usize, Vec<usize>), StateSourceListId>,
    /// The possible targets of a `:has()`, by selector and interaction state.
    has_targets: HashMap<(RuleSet, u32, usize), Arc<[ElementId]>>,
    /// Probe results for selectors anchored at an ancestor, by anchor, selector and interaction state.
    pub(crate) probe_results: HashMap<(NodeId, RuleSet, u32, usize), Arc<ProbeResults>>,
    /// The elements that are in the page's document, in its order.
    page_elements: Option<Arc<[(NodeId, ElementId)]>>,
    /// Selectors that took many steps to probe, and the sum of these steps.
    pub(crate) long: BTreeSet<(RuleSet, u32)>,
    pub(crate) steps: u64,
    /// The lists of all possible targets of `:has()` inside of an element, by element, interaction state and selectors.
    descendant_lists: HashMap<(ElementId, RuleSet, usize, Vec<u32>), StateSourceListId>,
}

impl StateSources {
    /// Returns all lists, in the order of their indices.
    pub(crate) fn lists(&self) -> Vec<Vec<ElementId>> {
        self.lists.iter().map(|list| list.to_vec()).collect()
    }

    pub(crate) fn members(&self, id: StateSourceListId) -> &[ElementId] {
        &self.lists[id.0]
    }

    /// Returns true if lists of any length may be added.
    fn has_capacity(&self) -> bool {
        self.length < MAX_LENGTH
    }

    /// Returns the index of a list, which is in document order, and adds it if it is new.
    pub(crate) fn number(&mut self, members: Vec<ElementId>) -> StateSourceListId {
        let members: Arc<[ElementId]> = members.into();
        self.length += members.len();
        *self.numbers.entry(members.clone()).or_insert_with(|| {
            self.lists.push(members);
            StateSourceListId(self.lists.len() - 1)
        })
    }

    /// Returns the list of a target; `None` if the target is a single element.
    pub(crate) fn source_list(&self, of: StateTarget) -> Option<&[ElementId]> {
        match of {
            StateTarget::SelfElement | StateTarget::Ancestor(_) => None,
            StateTarget::Sibling(_, id) | StateTarget::Descendant(id) | StateTarget::Within(_, id) => {
                Some(self.members(id))
            }
        }
    }
}

/// The children of an element, for one interaction state.
pub(crate) struct SiblingIndex {
    pub(crate) siblings: Vec<ElementId>,
    /// The children that can get into the state.
    pub(crate) able: Vec<ElementId>,
    kinds: BTreeMap<ElementId, Kinds>,
    /// Number of children of each class.
    counts: Vec<usize>,
}

/// The sibling classes of an element, as indices: elements of a class are equal for rules about siblings.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Kinds {
    /// Elements with the same name and type, and the same state at rest.
    pub(crate) by_tag: usize,
    /// Those of them with the same `class` attribute.
    pub(crate) by_class: usize,
}

impl SiblingIndex {
    pub(crate) fn kinds(&self, id: ElementId) -> Option<Kinds> {
        self.kinds.get(&id).copied()
    }

    /// Returns the children before and after one of them that can get into the state.
    pub(crate) fn state_capable_siblings(&self, id: ElementId) -> (&[ElementId], &[ElementId]) {
        let (before, rest) = self.able.split_at(self.able.partition_point(|own| *own < id));
        (before, rest.strip_prefix(&[id]).unwrap_or(rest))
    }

    /// Returns the child directly before or after one.
    pub(crate) fn next_to(&self, id: ElementId, side: SiblingSide) -> Option<ElementId> {
        let at = self.siblings.partition_point(|own| *own < id);
        let next = if is_preceding(side) { at.checked_sub(1)? } else { at + 1 };
        self.siblings.get(next).copied()
    }

    /// Returns true if several children are of the rough class of one.
    pub(crate) fn has_same_class_sibling(&self, id: ElementId) -> bool {
        self.kinds(id).is_some_and(|kinds| self.counts.get(kinds.by_tag).is_some_and(|count| *count > 1))
    }

    /// Returns the nearest child of the same rough class on the opposite side.
    pub(crate) fn nearest_equal_sibling(&self, id: ElementId, side: SiblingSide) -> Option<ElementId> {
        /// Maximum number of siblings in between: labels, fields and hints alternate, but elements further apart are no
        /// list.
        const MAX_DISTANCE: usize = 8;
        let kind = |id: ElementId| self.kinds(id).map(|kinds| kinds.by_tag);
        let at = self.siblings.partition_point(|own| *own < id);
        let is_alike = |own: &&ElementId| kind(**own) == kind(id);
        let (before, after) =
            (self.siblings[..at].iter().rev(), self.siblings.get(at + 1..).unwrap_or_default().iter());
        let found = if is_preceding(side) {
            after.take(MAX_DISTANCE).find(is_alike)
        } else {
            before.take(MAX_DISTANCE).find(is_alike)
        };
        found.copied()
    }
}

pub(crate) fn is_preceding(side: SiblingSide) -> bool {
    matches!(side, SiblingSide::Before | SiblingSide::JustBefore)
}

impl RuleResolver<'_> {
    /// Returns the children of an element with their sibling classes, for one interaction state.
    pub(crate) fn siblings(&mut self, parent: ElementId, act: usize) -> Arc<SiblingIndex> {
        if let Some(known) = self.followed.siblings.get(&(parent, act)) {
            return known.clone();
        }
        let children = self.skeleton.elements[parent.0].children.iter();
        let all: Vec<ElementId> = children
            .filter_map(|child| match child {
                Child::Element(id) => Some(*id),
                Child::Text(_) => None,
            })
            .collect();
        let mut numbers = HashMap::new();
        let mut siblings = SiblingIndex { able: Vec::new(), kinds: BTreeMap::new(), counts: Vec::new(), siblings: all };
        for id in &siblings.siblings {
            let Some(node) = self.skeleton.node(*id) else { continue };
            let own = &self.skeleton.elements[id.0];
            let probe = self.order.index.state_probe();
            let rests: Vec<_> = INTERACTION_STATES[act]
                .selector_states()
                .iter()
                .map(|state| probe.is_in_state_at_rest(node, *state))
                .collect();
            let class = self.view.document.element(node).and_then(|element| element.attr("class"));
            let mut number = |class| {
                let next = numbers.len();
                *numbers.entry((own.tag.as_str(), own.attribute("type"), rests.clone(), class)).or_insert(next)
            };
            let kinds = Kinds { by_tag: number(None), by_class: number(Some(class)) };
            siblings.kinds.insert(*id, kinds);
            siblings.counts.resize(numbers.len(), 0);
            siblings.counts[kinds.by_tag] += 1;
            if self.can_do(act, node) {
                siblings.able.push(*id);
            }
        }
        let siblings = Arc::new(siblings);
        self.followed.siblings.insert((parent, act), siblings.clone());
        siblings
    }

    /// Returns the list of all children of some classes that can get into the state, unless the lists are too long
    /// already.
    pub(crate) fn sources_of_classes(
        &mut self,
        parent: ElementId,
        act: usize,
        kinds: Vec<usize>,
    ) -> Option<StateSourceListId> {
        let siblings = self.siblings(parent, act);
        let key = (parent, act, kinds);
        if let Some(known) = self.followed.by_sibling_classes.get(&key) {
            return Some(*known);
        }
        if !self.followed.has_capacity() {
            return None;
        }
        let is_of = |id: &ElementId| {
            siblings.kinds(*id).is_some_and(|own| key.2.contains(&own.by_tag) || key.2.contains(&own.by_class))
        };
        let id = self.followed.number(siblings.able.iter().copied().filter(is_of).collect());
        self.followed.by_sibling_classes.insert(key, id);
        Some(id)
    }

    /// Returns the possible targets of a `:has()` in the selector of a block, in document order.
    pub(crate) fn has_selector_targets(
        &mut self,
        theme: RuleSet,
        block: &StateDependentBlock,
        act: usize,
    ) -> Arc<[ElementId]> {
        let key = (theme, block.selector, act);
        if let Some(known) = self.followed.has_targets.get(&key) {
            return known.clone();
        }
        let on_page = self.page_elements();
        let nodes =
            on_page.iter().map(|(node, _)| *node).filter(|_| self.followed.has_targets.len() < MAX_HAS_SELECTORS);
        let nodes: Vec<NodeId> = nodes.collect();
        let found = self.index_for(theme).has_targets(block, &nodes).filter(|node| self.can_do(act, *node));
        let element = |node| on_page.binary_search_by_key(&node, |(node, _)| *node).map(|at| on_page[at].1).ok();
        let mut found: Vec<ElementId> = found.filter_map(element).collect();
        found.sort_unstable();
        let found: Arc<[ElementId]> = found.into();
        self.followed.has_targets.insert(key, found.clone());
        found
    }

    /// Returns the elements that are in the page's document, sorted by node.
    fn page_elements(&mut self) -> Arc<[(NodeId, ElementId)]> {
        let skeleton = self.skeleton;
        let known = self.followed.page_elements.get_or_insert_with(|| {
            let bones = skeleton.origins.iter().enumerate().filter(|(_, bone)| bone.source == 0 && !bone.is_copy);
            let mut all: Vec<_> = bones.map(|(at, bone)| (bone.node, ElementId(at))).collect();
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
        act: usize,
        selectors: Vec<u32>,
    ) -> Option<StateSourceListId> {
        let key = (ancestor, theme, act, selectors);
        if let Some(known) = self.followed.descendant_lists.get(&key) {
            return Some(*known);
        }
        if !self.followed.has_capacity() {
            return None;
        }
        let lists = key.3.iter().filter_map(|selector| self.followed.has_targets.get(&(theme, *selector, act)));
        let mut all: Vec<ElementId> = lists.flat_map(|list| list.iter().copied()).collect();
        all.retain(|id| *id != ancestor && self.is_inclusive_descendant(*id, ancestor));
        all.sort_unstable();
        all.dedup();
        let id = self.followed.number(all);
        self.followed.descendant_lists.insert(key, id);
        Some(id)
    }

    /// Returns true if an element is another one or a descendant of it, by the nodes on the page.
    pub(crate) fn is_inclusive_descendant(&self, id: ElementId, ancestor: ElementId) -> bool {
        let place = |id: ElementId| self.skeleton.node(id);
        place(id)
            .zip(place(ancestor))
            .is_some_and(|(inner, outer)| self.view.document.is_inclusive_descendant(inner, outer))
    }
}
