//! Finds descendant selectors for large groups of equal elements, so that an ancestor can declare
//! their common styles once (`p > code`) instead of each element.
//!
//! Elements with the same tag and the same parent's tag are examined together, from the outermost
//! ancestor inward. At every ancestor, the savings of one group there are compared with those of
//! groups in its children; the larger savings win.

use crate::model::{Child, Component, ElementId, Namespace};
use std::collections::{BTreeMap, HashSet};

/// Minimum number of elements in a group.
const MIN_GROUP_SIZE: usize = 8;

/// Maximum number of different styles in a group.
const MAX_GROUP_STYLES: usize = 64;

/// An indivisible style: a class or a utility.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StyleAtom {
    /// The class or utility.
    pub text: String,
    /// One bit for each group of properties it affects. A descendant selector has a higher
    /// specificity than the elements' own styles, so the two must not affect the same properties.
    pub touches: u128,
}

/// The styles of all elements.
#[derive(Debug, Default)]
pub struct StyleAssignments {
    /// The distinct styles.
    pub atoms: Vec<StyleAtom>,
    /// By element: indices of its words, each at most once.
    pub by_element: Vec<Vec<usize>>,
}

impl StyleAssignments {
    /// Returns the classes or utilities with these indices.
    pub fn texts(&self, words: &[usize]) -> Vec<&str> {
        words.iter().map(|word| self.atoms[*word].text.as_str()).collect()
    }
}

/// A group of elements with common styles that a descendant selector matches.
#[derive(Debug, Clone)]
pub struct ElementGroup<'c> {
    /// The ancestor; its descendants that match [`ElementGroup::selector`] are exactly the members.
    pub ancestor: ElementId,
    /// The indices of the elements.
    pub members: Vec<usize>,
    /// The words that all members have, in order.
    pub common: Vec<usize>,
    tag: &'c str,
    position: ChildPosition,
    whose: ParentConstraint<'c>,
}

/// The position of the members among their siblings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum ChildPosition {
    Any,
    First,
    AfterFirst,
    BeforeLast,
    Last,
}

/// Partitions of the children of one parent by position.
const DIVISIONS: [&[ChildPosition]; 3] = [
    &[ChildPosition::Any],
    &[ChildPosition::First, ChildPosition::AfterFirst],
    &[ChildPosition::BeforeLast, ChildPosition::Last],
];

impl ChildPosition {
    fn selector(self) -> &'static str {
        match self {
            Self::Any => "",
            Self::First => ":first-child",
            Self::AfterFirst => ":not(:first-child)",
            Self::BeforeLast => ":not(:last-child)",
            Self::Last => ":last-child",
        }
    }
}

/// The parents of the members.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum ParentConstraint<'c> {
    /// Any parent: all descendants with the tag are members.
    Anyone,
    /// The ancestor itself.
    Ancestor,
    /// Elements with one of these tags.
    Tags(Vec<&'c str>),
}

impl ElementGroup<'_> {
    /// Returns the members' selector relative to the ancestor, with its descendant or child
    /// combinator.
    pub fn selector(&self, space: &str) -> String {
        let tag = format!("{}{}", self.tag, self.position.selector());
        match &self.whose {
            ParentConstraint::Anyone => format!(" {tag}"),
            ParentConstraint::Ancestor => format!("{space}>{space}{tag}"),
            ParentConstraint::Tags(tags) => match tags.as_slice() {
                [one] => format!(" {one}{space}>{space}{tag}"),
                several => format!(" :is({}){space}>{space}{tag}", several.join(&format!(",{space}"))),
            },
        }
    }
}

/// Finds groups. `saved` returns the number of bytes that a group saves, or `None` if it is not
/// worthwhile.
pub fn find_element_groups<'c>(
    component: &'c Component,
    looks: &StyleAssignments,
    saved: &dyn Fn(&ElementGroup<'c>) -> Option<usize>,
) -> Vec<ElementGroup<'c>> {
    let tree = TreeIndex::from_component(component);
    let mut by_tag: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, element) in component.elements.iter().enumerate().skip(1) {
        if is_plain(&element.tag) {
            by_tag.entry(&element.tag).or_default().push(at);
        }
    }
    let mut found = Vec::new();
    for (tag, all) in by_tag.into_iter().filter(|(_, all)| all.len() >= MIN_GROUP_SIZE) {
        let search = GroupSearch { component, styles: looks, tree: &tree, saved, tag };
        found.extend(search.find_groups(&all));
    }
    found
}

/// Returns true if a tag needs no escapes in a selector.
pub(crate) fn is_plain(tag: &str) -> bool {
    tag.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}

struct GroupSearch<'c, 's> {
    component: &'c Component,
    styles: &'s StyleAssignments,
    tree: &'s TreeIndex,
    saved: &'s dyn Fn(&ElementGroup<'c>) -> Option<usize>,
    tag: &'c str,
}

/// Distinguishes the members of a group from other elements with their tag.
#[derive(Clone, Copy)]
struct GroupKey<'c> {
    parent: &'c str,
    position: ChildPosition,
}

/// Compatible groups and the bytes that they save together.
#[derive(Default)]
struct GroupSelection<'c> {
    groups: Vec<ElementGroup<'c>>,
    saved: usize,
}

impl<'c> GroupSearch<'c, '_> {
    /// Returns the groups of a tag.
    fn find_groups(&self, all: &[usize]) -> Vec<ElementGroup<'c>> {
        let mut by_parent: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for at in all {
            if let Some(parent) = self.tree.parents[*at] {
                by_parent.entry(&self.component.elements[parent].tag).or_default().push(*at);
            }
        }
        let of_parents = by_parent.into_iter().filter(|(parent, _)| is_plain(parent));
        let keyed =
            of_parents.flat_map(|(parent, members)| self.find_groups_with_parent(parent, &members).groups).collect();
        let mut groups = self.merged(keyed, all);
        let taken: HashSet<usize> = groups.iter().flat_map(|group| group.members.iter().copied()).collect();
        self.add_remaining_group(0, all, &taken, &mut groups);
        groups
    }

    /// Returns the best groups of elements whose parents have this tag.
    fn find_groups_with_parent(&self, parent: &'c str, members: &[usize]) -> GroupSelection<'c> {
        let mut best = GroupSelection::default();
        for division in DIVISIONS {
            let mut found = GroupSelection::default();
            for place in division {
                let members: Vec<usize> =
                    members.iter().copied().filter(|at| self.tree.is_at_position(*at, *place)).collect();
                found.add(self.find_groups_in(0, GroupKey { parent, position: *place }, &members));
            }
            if found.saved > best.saved {
                best = found;
            }
        }
        best
    }

    /// Returns the best groups inside an element, of elements whose parents have this tag.
    fn find_groups_in(&self, around: usize, key: GroupKey<'c>, members: &[usize]) -> GroupSelection<'c> {
        if members.len() < MIN_GROUP_SIZE {
            return GroupSelection::default();
        }
        let (direct, further): (Vec<usize>, Vec<usize>) =
            members.iter().partition(|at| self.tree.parents[**at] == Some(around));
        let mut found = self.group_selection(around, ParentConstraint::Ancestor, key.position, direct);
        let mut parts = self.tree.split(around, &further);
        // All members are in one child: the group is examined there.
        let here = match parts.as_slice() {
            [_] => GroupSelection::default(),
            _ => self.group_selection(around, ParentConstraint::Tags(vec![key.parent]), key.position, further.clone()),
        };
        let mut below = GroupSelection::default();
        for (child, members) in parts.drain(..) {
            below.add(self.find_groups_in(child, key, members));
        }
        found.add(if here.saved > 0 && here.saved >= below.saved { here } else { below });
        found
    }

    /// Returns a group of all members, if it is worthwhile.
    fn group_selection(
        &self,
        around: usize,
        whose: ParentConstraint<'c>,
        place: ChildPosition,
        members: Vec<usize>,
    ) -> GroupSelection<'c> {
        let common = self.common(&members);
        if members.len() < MIN_GROUP_SIZE || common.is_empty() {
            return GroupSelection::default();
        }
        let group =
            ElementGroup { ancestor: ElementId(around), members, common, tag: self.tag, position: place, whose };
        let saved = (self.saved)(&group).unwrap_or_default();
        GroupSelection { groups: Vec::from_iter((saved > 0).then_some(group)), saved }
    }

    /// Merges groups with the same ancestor and the same common styles.
    fn merged(&self, groups: Vec<ElementGroup<'c>>, all: &[usize]) -> Vec<ElementGroup<'c>> {
        let mut by_place: BTreeMap<_, ElementGroup<'c>> = BTreeMap::new();
        for group in groups {
            let key = (group.ancestor, group.common.clone(), group.position, group.whose == ParentConstraint::Ancestor);
            match by_place.get_mut(&key) {
                None => {
                    by_place.insert(key, group);
                }
                Some(first) => {
                    if let (ParentConstraint::Tags(tags), ParentConstraint::Tags(more)) =
                        (&mut first.whose, group.whose)
                    {
                        tags.extend(more);
                    }
                    first.members.extend(group.members);
                }
            }
        }
        let is_all = |group: &ElementGroup<'_>| {
            let within = self.tree.descendants_in(group.ancestor.0, all).iter();
            group.members.len() == within.filter(|at| self.tree.is_at_position(**at, group.position)).count()
        };
        let simpler = |group: ElementGroup<'c>| match is_all(&group) {
            true => ElementGroup { whose: ParentConstraint::Anyone, ..group },
            false => group,
        };
        by_place.into_values().map(simpler).collect()
    }

    /// Adds groups of all elements of the tag in an ancestor, with any parents, if they are equal
    /// and none is in a group yet.
    fn add_remaining_group(
        &self,
        around: usize,
        inside: &[usize],
        taken: &HashSet<usize>,
        groups: &mut Vec<ElementGroup<'c>>,
    ) {
        if inside.len() < MIN_GROUP_SIZE {
            return;
        }
        let parts = self.tree.split(around, inside);
        let is_further_in = matches!(parts.as_slice(), [(_, all)] if all.len() == inside.len());
        let is_alike = || {
            let first = &self.styles.by_element[inside[0]];
            inside.iter().all(|at| !taken.contains(at) && self.styles.by_element[*at] == *first)
        };
        if !is_further_in && is_alike() {
            let found = self.group_selection(around, ParentConstraint::Anyone, ChildPosition::Any, inside.to_vec());
            if found.saved > 0 {
                return groups.extend(found.groups);
            }
        }
        for (child, inside) in parts {
            self.add_remaining_group(child, inside, taken, groups);
        }
    }

    /// Returns the styles that all members share and whose properties no other style of a member
    /// affects. Empty unless they are at least half of the members' styles.
    fn common(&self, members: &[usize]) -> Vec<usize> {
        let Some(counts) = self.counts(members) else { return Vec::new() };
        let Some((first, _)) = counts.first_key_value() else { return Vec::new() };
        let touches = |word: &usize| self.styles.atoms[*word].touches;
        let mut common: Vec<usize> = first.to_vec();
        common.retain(|word| counts.keys().all(|words| words.contains(word)));
        let rest = |common: &[usize]| {
            let others = counts.keys().flat_map(|words| words.iter().filter(|word| !common.contains(word)));
            others.map(touches).fold(0, |all, one| all | one)
        };
        // Each style that is dropped here is one more that the remaining ones must not interfere
        // with.
        let mut before = usize::MAX;
        while common.len() < before {
            before = common.len();
            let rest = rest(&common);
            common.retain(|word| touches(word) & rest == 0);
        }
        let bytes = |words: &[usize]| words.iter().map(|word| self.styles.atoms[*word].text.len()).sum::<usize>();
        let all: usize = counts.iter().map(|(words, count)| bytes(words) * count).sum();
        if 2 * bytes(&common) * members.len() < all {
            common.clear();
        }
        common
    }

    /// Counts the members by their styles; `None` if one is not HTML or there are too many
    /// different styles.
    fn counts(&self, members: &[usize]) -> Option<BTreeMap<&[usize], usize>> {
        let mut counts: BTreeMap<&[usize], usize> = BTreeMap::new();
        for at in members {
            *counts.entry(self.styles.by_element[*at].as_slice()).or_default() += 1;
            if self.component.elements[*at].namespace != Namespace::Html || counts.len() > MAX_GROUP_STYLES {
                return None;
            }
        }
        Some(counts)
    }
}

impl<'c> GroupSelection<'c> {
    fn add(&mut self, other: GroupSelection<'c>) {
        self.groups.extend(other.groups);
        self.saved += other.saved;
    }
}

/// The structure of the component, by element index.
pub(crate) struct TreeIndex {
    pub(crate) parents: Vec<Option<usize>>,
    children: Vec<Vec<usize>>,
    /// The index of the first following element that is not a descendant.
    pub(crate) ends: Vec<usize>,
}

impl TreeIndex {
    pub(crate) fn from_component(component: &Component) -> Self {
        let elements = |children: &[Child]| {
            let element = |child: &Child| match child {
                Child::Element(ElementId(at)) => Some(*at),
                Child::Text(_) => None,
            };
            children.iter().filter_map(element).collect()
        };
        let children: Vec<Vec<usize>> = component.elements.iter().map(|element| elements(&element.children)).collect();
        let mut parents = vec![None; children.len()];
        let mut ends: Vec<usize> = (1..=children.len()).collect();
        for at in (0..ends.len()).rev() {
            ends[at] = children[at].last().map_or(ends[at], |last| ends[*last]);
            children[at].iter().for_each(|child| parents[*child] = Some(at));
        }
        Self { parents, children, ends }
    }

    /// Returns true if an element is at this position among its siblings.
    fn is_at_position(&self, at: usize, place: ChildPosition) -> bool {
        let siblings = self.parents[at].map_or(&[][..], |parent| self.children[parent].as_slice());
        match place {
            ChildPosition::Any => true,
            ChildPosition::First => siblings.first() == Some(&at),
            ChildPosition::AfterFirst => siblings.first() != Some(&at),
            ChildPosition::BeforeLast => siblings.last() != Some(&at),
            ChildPosition::Last => siblings.last() == Some(&at),
        }
    }

    /// Returns the elements of a sorted slice that are descendants of `around`.
    fn descendants_in<'i>(&self, around: usize, all: &'i [usize]) -> &'i [usize] {
        let start = all.partition_point(|at| *at <= around);
        let end = all.partition_point(|at| *at < self.ends[around]);
        &all[start..end.max(start)]
    }

    /// Splits sorted descendants by the child that contains them; the children themselves are left
    /// out.
    fn split<'i>(&self, around: usize, mut inside: &'i [usize]) -> Vec<(usize, &'i [usize])> {
        let children = &self.children[around];
        let mut parts = Vec::new();
        while let Some(first) = inside.first() {
            let Some(child) = children.partition_point(|child| child <= first).checked_sub(1) else { break };
            let child = children[child];
            let (part, rest) = inside.split_at(inside.partition_point(|at| *at < self.ends[child]));
            if part.is_empty() {
                break;
            }
            parts.push((child, part.strip_prefix(&[child]).unwrap_or(part)));
            inside = rest;
        }
        parts
    }
}
