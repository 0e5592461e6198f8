//! Lists of state sources: elements whose states other elements' rules depend on. Rules refer to a list by its index.

use super::acts::ACTS;
use super::resolve::Resolver;
use super::triggers::{Theme, Tries};
use crate::code::model::{Child, ElementId, FollowedId, Side, StateOf};
use limner_page::NodeId;
use limner_style::StateBlock;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

/// Maximum number of selectors with `:has()`, counted for each interaction state, of which the possible targets are
/// found.
const MAX_LOOKED_AT: usize = 400;

/// Total length of all lists above which a new list has only elements that were probed.
const MAX_LENGTH: usize = 400_000;

/// The lists of a section without duplicates, and caches of the searches for them. Without the caches each element
/// would search what the one before it has searched, and time would grow with the square of the section's size.
#[derive(Default)]
pub(super) struct Followed {
    lists: Vec<Arc<[ElementId]>>,
    numbers: HashMap<Arc<[ElementId]>, FollowedId>,
    /// Total length of all lists.
    length: usize,
    /// By parent and interaction state.
    siblings: HashMap<(ElementId, usize), Arc<Siblings>>,
    /// The lists of all siblings of some classes, by parent, interaction state and classes.
    of_kinds: HashMap<(ElementId, usize, Vec<usize>), FollowedId>,
    /// The possible targets of a `:has()`, by selector and interaction state.
    looked_at: HashMap<(Theme, u32, usize), Arc<[ElementId]>>,
    /// Probe results for selectors anchored at an ancestor, by anchor, selector and interaction state.
    pub(super) tries: HashMap<(NodeId, Theme, u32, usize), Arc<Tries>>,
    /// The elements that are in the page's document, in its order.
    on_page: Option<Arc<[(NodeId, ElementId)]>>,
    /// Selectors that took many steps to probe, and the sum of these steps.
    pub(super) long: BTreeSet<(Theme, u32)>,
    pub(super) steps: u64,
    /// The lists of all possible targets of `:has()` inside of an element, by element, interaction state and selectors.
    inside: HashMap<(ElementId, Theme, usize, Vec<u32>), FollowedId>,
}

impl Followed {
    /// Returns all lists, in the order of their indices.
    pub(super) fn lists(&self) -> Vec<Vec<ElementId>> {
        self.lists.iter().map(|list| list.to_vec()).collect()
    }

    pub(super) fn members(&self, id: FollowedId) -> &[ElementId] {
        &self.lists[id.0]
    }

    /// Returns true if lists of any length may be added.
    fn has_room(&self) -> bool {
        self.length < MAX_LENGTH
    }

    /// Returns the index of a list, which is in document order, and adds it if it is new.
    pub(super) fn number(&mut self, members: Vec<ElementId>) -> FollowedId {
        let members: Arc<[ElementId]> = members.into();
        self.length += members.len();
        *self.numbers.entry(members.clone()).or_insert_with(|| {
            self.lists.push(members);
            FollowedId(self.lists.len() - 1)
        })
    }

    /// Returns the list of a target; `None` if the target is a single element.
    pub(super) fn list_of(&self, of: StateOf) -> Option<&[ElementId]> {
        match of {
            StateOf::Itself | StateOf::Ancestor(_) => None,
            StateOf::Sibling(_, id) | StateOf::Descendant(id) | StateOf::Within(_, id) => Some(self.members(id)),
        }
    }
}

/// The children of an element, for one interaction state.
pub(super) struct Siblings {
    pub(super) all: Vec<ElementId>,
    /// The children that can get into the state.
    pub(super) able: Vec<ElementId>,
    kinds: BTreeMap<ElementId, Kinds>,
    /// Number of children of each class.
    counts: Vec<usize>,
}

/// The sibling classes of an element, as indices: elements of a class are equal for rules about siblings.
#[derive(Debug, Clone, Copy)]
pub(super) struct Kinds {
    /// Elements with the same name and type, and the same state at rest.
    pub(super) rough: usize,
    /// Those of them with the same `class` attribute.
    pub(super) fine: usize,
}

impl Siblings {
    pub(super) fn kinds(&self, id: ElementId) -> Option<Kinds> {
        self.kinds.get(&id).copied()
    }

    /// Returns the children before and after one of them that can get into the state.
    pub(super) fn able_beside(&self, id: ElementId) -> (&[ElementId], &[ElementId]) {
        let (before, rest) = self.able.split_at(self.able.partition_point(|own| *own < id));
        (before, rest.strip_prefix(&[id]).unwrap_or(rest))
    }

    /// Returns the child directly before or after one.
    pub(super) fn next_to(&self, id: ElementId, side: Side) -> Option<ElementId> {
        let at = self.all.partition_point(|own| *own < id);
        let next = if is_before(side) { at.checked_sub(1)? } else { at + 1 };
        self.all.get(next).copied()
    }

    /// Returns true if several children are of the rough class of one.
    pub(super) fn is_one_of_several(&self, id: ElementId) -> bool {
        self.kinds(id).is_some_and(|kinds| self.counts.get(kinds.rough).is_some_and(|count| *count > 1))
    }

    /// Returns the nearest child of the same rough class on the opposite side.
    pub(super) fn alike_across(&self, id: ElementId, side: Side) -> Option<ElementId> {
        /// Maximum number of siblings in between: labels, fields and hints alternate, but elements further apart are no
        /// list.
        const REACH: usize = 8;
        let kind = |id: ElementId| self.kinds(id).map(|kinds| kinds.rough);
        let at = self.all.partition_point(|own| *own < id);
        let is_alike = |own: &&ElementId| kind(**own) == kind(id);
        let (before, after) = (self.all[..at].iter().rev(), self.all.get(at + 1..).unwrap_or_default().iter());
        let found = if is_before(side) { after.take(REACH).find(is_alike) } else { before.take(REACH).find(is_alike) };
        found.copied()
    }
}

pub(super) fn is_before(side: Side) -> bool {
    matches!(side, Side::Before | Side::JustBefore)
}

impl Resolver<'_> {
    /// Returns the children of an element with their sibling classes, for one interaction state.
    pub(super) fn siblings(&mut self, parent: ElementId, act: usize) -> Arc<Siblings> {
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
        let mut siblings = Siblings { able: Vec::new(), kinds: BTreeMap::new(), counts: Vec::new(), all };
        for id in &siblings.all {
            let Some(node) = self.skeleton.node(*id) else { continue };
            let own = &self.skeleton.elements[id.0];
            let probe = self.order.index.state_probe();
            let rests: Vec<_> = ACTS[act].named().iter().map(|state| probe.rests_in(node, *state)).collect();
            let class = self.view.document.element(node).and_then(|element| element.attr("class"));
            let mut number = |class| {
                let next = numbers.len();
                *numbers.entry((own.tag.as_str(), own.attribute("type"), rests.clone(), class)).or_insert(next)
            };
            let kinds = Kinds { rough: number(None), fine: number(Some(class)) };
            siblings.kinds.insert(*id, kinds);
            siblings.counts.resize(numbers.len(), 0);
            siblings.counts[kinds.rough] += 1;
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
    pub(super) fn of_kinds(&mut self, parent: ElementId, act: usize, kinds: Vec<usize>) -> Option<FollowedId> {
        let siblings = self.siblings(parent, act);
        let key = (parent, act, kinds);
        if let Some(known) = self.followed.of_kinds.get(&key) {
            return Some(*known);
        }
        if !self.followed.has_room() {
            return None;
        }
        let is_of = |id: &ElementId| {
            siblings.kinds(*id).is_some_and(|own| key.2.contains(&own.rough) || key.2.contains(&own.fine))
        };
        let id = self.followed.number(siblings.able.iter().copied().filter(is_of).collect());
        self.followed.of_kinds.insert(key, id);
        Some(id)
    }

    /// Returns the possible targets of a `:has()` in the selector of a block, in document order.
    pub(super) fn looked_at(&mut self, theme: Theme, block: &StateBlock, act: usize) -> Arc<[ElementId]> {
        let key = (theme, block.selector, act);
        if let Some(known) = self.followed.looked_at.get(&key) {
            return known.clone();
        }
        let on_page = self.on_page();
        let nodes = on_page.iter().map(|(node, _)| *node).filter(|_| self.followed.looked_at.len() < MAX_LOOKED_AT);
        let nodes: Vec<NodeId> = nodes.collect();
        let found = self.index_in(theme).looked_at(block, &nodes).filter(|node| self.can_do(act, *node));
        let element = |node| on_page.binary_search_by_key(&node, |(node, _)| *node).map(|at| on_page[at].1).ok();
        let mut found: Vec<ElementId> = found.filter_map(element).collect();
        found.sort_unstable();
        let found: Arc<[ElementId]> = found.into();
        self.followed.looked_at.insert(key, found.clone());
        found
    }

    /// Returns the elements that are in the page's document, sorted by node.
    fn on_page(&mut self) -> Arc<[(NodeId, ElementId)]> {
        let skeleton = self.skeleton;
        let known = self.followed.on_page.get_or_insert_with(|| {
            let bones = skeleton.bones.iter().enumerate().filter(|(_, bone)| bone.source == 0 && !bone.is_copy);
            let mut all: Vec<_> = bones.map(|(at, bone)| (bone.node, ElementId(at))).collect();
            all.sort_unstable();
            all.dedup_by_key(|(node, _)| *node);
            all.into()
        });
        known.clone()
    }

    /// Returns the list of all possible targets of `:has()` in one of these selectors inside of an element, unless the
    /// lists are too long already.
    pub(super) fn all_inside(
        &mut self,
        ancestor: ElementId,
        theme: Theme,
        act: usize,
        selectors: Vec<u32>,
    ) -> Option<FollowedId> {
        let key = (ancestor, theme, act, selectors);
        if let Some(known) = self.followed.inside.get(&key) {
            return Some(*known);
        }
        if !self.followed.has_room() {
            return None;
        }
        let lists = key.3.iter().filter_map(|selector| self.followed.looked_at.get(&(theme, *selector, act)));
        let mut all: Vec<ElementId> = lists.flat_map(|list| list.iter().copied()).collect();
        all.retain(|id| *id != ancestor && self.is_within(*id, ancestor));
        all.sort_unstable();
        all.dedup();
        let id = self.followed.number(all);
        self.followed.inside.insert(key, id);
        Some(id)
    }

    /// Returns true if an element is another one or a descendant of it, by the nodes on the page.
    pub(super) fn is_within(&self, id: ElementId, ancestor: ElementId) -> bool {
        let place = |id: ElementId| self.skeleton.node(id);
        place(id).zip(place(ancestor)).is_some_and(|(inner, outer)| self.view.document.is_inside(inner, outer))
    }
}
