//! Selects the elements of a tag by an ancestor's class where all of them there have one style: `.nav a` needs no class on
//! each link.
//!
//! An ancestor's class qualifies if the elements of the tag in all elements of that class are exactly those of the style.
//! The root is asked first, then the nearest ancestors.

use super::class_names::depends_on_other_elements;
use crate::model::{Component, ElementId, Namespace};
use crate::shared_selectors::{TreeIndex, is_plain};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Minimum number of elements of a style that need no class.
const MIN_MEMBERS: usize = 3;

/// Number of ancestors with a class, besides the root, that are asked.
const MAX_ANCESTORS: usize = 3;

/// Tags that say nothing about an element.
const GENERIC: &[&str] = &["div", "span"];

/// The selector of a class: all elements of its tag in elements of the ancestor's class.
pub(super) struct TagSelector {
    /// An element of the ancestor's class.
    pub(super) ancestor: ElementId,
}

/// Returns the classes that a tag in an ancestor selects.
pub(super) fn find(
    component: &Component,
    classes: &[Option<usize>],
    watched: &BTreeSet<ElementId>,
) -> HashMap<usize, TagSelector> {
    let search = Search::new(component, classes);
    let mut first_members: Vec<usize> = search.members.values().map(|members| members[0]).collect();
    first_members.sort_unstable();
    let mut found = HashMap::new();
    // The classes of ancestors come before those of their descendants.
    for first in first_members.into_iter().filter(|first| *first != 0) {
        let Some(class) = classes[first] else { continue };
        let members = &search.members[&class];
        let is_apart = |at: &usize| {
            let element = &component.elements[*at];
            let is_alike = element.tag == component.elements[first].tag && element.namespace == Namespace::Html;
            !is_alike || watched.contains(&ElementId(*at)) || element.rules.iter().any(depends_on_other_elements)
        };
        let tag = component.elements[first].tag.as_str();
        if members.len() < MIN_MEMBERS || !is_plain(tag) || GENERIC.contains(&tag) || members.iter().any(is_apart) {
            continue;
        }
        let ancestor = search.ancestors(first).find(|ancestor| {
            let qualifies = |own: &usize| *own != class && !found.contains_key(own);
            classes[*ancestor].filter(qualifies).is_some_and(|own| search.selects(own, tag, members))
        });
        found.extend(ancestor.map(|at| (class, TagSelector { ancestor: ElementId(at) })));
    }
    found
}

struct Search<'c> {
    classes: &'c [Option<usize>],
    tree: TreeIndex,
    /// By class: its elements, in order.
    members: BTreeMap<usize, Vec<usize>>,
    /// By tag: its elements, in order.
    by_tag: HashMap<&'c str, Vec<usize>>,
}

impl<'c> Search<'c> {
    fn new(component: &'c Component, classes: &'c [Option<usize>]) -> Self {
        let (mut members, mut by_tag): (BTreeMap<usize, Vec<usize>>, HashMap<&str, Vec<usize>>) = Default::default();
        for (at, (element, class)) in component.elements.iter().zip(classes).enumerate() {
            by_tag.entry(&element.tag).or_default().push(at);
            if let Some(class) = class {
                members.entry(*class).or_default().push(at);
            }
        }
        Self { classes, tree: TreeIndex::from_component(component), members, by_tag }
    }

    /// Returns the ancestors with classes that may select a descendant: the root and the nearest ones.
    fn ancestors(&self, at: usize) -> impl Iterator<Item = usize> + '_ {
        let parents = std::iter::successors(self.tree.parents[at], |at| self.tree.parents[*at]);
        let nearest = parents.take(2 * MAX_ANCESTORS).filter(|at| *at != 0 && self.classes[*at].is_some());
        std::iter::once(0).chain(nearest.take(MAX_ANCESTORS))
    }

    /// Returns true if the elements of a tag in elements of a class are exactly these members. Takes time in proportion
    /// to the number of members.
    fn selects(&self, class: usize, tag: &str, members: &[usize]) -> bool {
        let around = &self.members[&class];
        if around.len() > members.len() {
            return false;
        }
        let all = self.by_tag[tag].as_slice();
        let (mut end, mut count, mut next) = (0, 0, 0);
        for at in around {
            // An element of the class in another one adds nothing.
            if *at < end {
                continue;
            }
            end = self.tree.ends[*at];
            count += all.partition_point(|one| *one < end) - all.partition_point(|one| *one <= *at);
            if count > members.len() || members.get(next).is_some_and(|member| *member <= *at) {
                return false;
            }
            next += members[next..].partition_point(|member| *member < end);
        }
        count == members.len() && next == members.len()
    }
}
