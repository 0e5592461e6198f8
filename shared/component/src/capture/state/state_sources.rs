//! Lists of state sources: elements whose states other elements' rules depend on. Rules refer to a list by its index.

use super::state_trigger::{ProbeResults, RuleSet};
use limner_component_model::model::{ElementId, SiblingSide, StateSourceListId, StateTarget};
use limner_page::NodeId;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

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
    pub(crate) siblings: HashMap<(ElementId, usize), Arc<SiblingIndex>>,
    /// The lists of all siblings of some classes, by parent, interaction state and classes.
    pub(crate) by_sibling_classes: HashMap<(ElementId, usize, Vec<usize>), StateSourceListId>,
    /// The possible targets of a `:has()`, by selector and interaction state.
    pub(crate) has_targets: HashMap<(RuleSet, u32, usize), Arc<[ElementId]>>,
    /// Probe results for selectors anchored at an ancestor, by anchor, selector and interaction state.
    pub(crate) probe_results: HashMap<(NodeId, RuleSet, u32, usize), Arc<ProbeResults>>,
    /// The elements that are in the page's document, in its order.
    pub(crate) page_elements: Option<Arc<[(NodeId, ElementId)]>>,
    /// Selectors that took many steps to probe, and the sum of these steps.
    pub(crate) long: BTreeSet<(RuleSet, u32)>,
    pub(crate) steps: u64,
    /// The lists of all possible targets of `:has()` inside of an element, by element, interaction state and selectors.
    pub(crate) descendant_lists: HashMap<(ElementId, RuleSet, usize, Vec<u32>), StateSourceListId>,
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
    pub(crate) fn has_capacity(&self) -> bool {
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
    pub(crate) classes: BTreeMap<ElementId, SiblingClass>,
    /// Number of children of each class.
    pub(crate) counts: Vec<usize>,
}

/// The sibling classes of an element, as indices: elements of a class are equal for rules about siblings.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SiblingClass {
    /// Elements with the same name and type, and the same state at rest.
    pub(crate) by_tag: usize,
    /// Those of them with the same `class` attribute.
    pub(crate) by_class: usize,
}

impl SiblingIndex {
    pub(crate) fn classes(&self, id: ElementId) -> Option<SiblingClass> {
        self.classes.get(&id).copied()
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
        self.classes(id).is_some_and(|classes| self.counts.get(classes.by_tag).is_some_and(|count| *count > 1))
    }

    /// Returns the nearest child of the same rough class on the opposite side.
    pub(crate) fn nearest_equal_sibling(&self, id: ElementId, side: SiblingSide) -> Option<ElementId> {
        /// Maximum number of siblings in between: labels, fields and hints alternate, but elements further apart are no
        /// list.
        const MAX_DISTANCE: usize = 8;
        let kind = |id: ElementId| self.classes(id).map(|classes| classes.by_tag);
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
