//! Finds the elements that become a `group` or `peer`, and the names that distinguish several of
//! them.

use limner_component_model::element_relations::ElementRelations;
use limner_component_model::model::{Child, Component, ElementId, SiblingSide, StateSourceListId, StateTarget};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// The elements whose state a rule of another element depends on.
#[derive(Debug, Default)]
pub(super) struct GroupPeerNames {
    groups: BTreeMap<ElementId, Option<String>>,
    peers: BTreeMap<StateSourceListId, Option<String>>,
    /// By element: the lists of peers that contain it.
    lists: BTreeMap<ElementId, Vec<StateSourceListId>>,
    /// The tag of a list's members, by the ancestor they are in, where a tag selector matches
    /// exactly these members.
    tags: BTreeMap<(ElementId, StateSourceListId), String>,
}

impl GroupPeerNames {
    /// Collects the state sources from the rules of a component.
    pub(super) fn from_component(component: &Component, family: &ElementRelations) -> Self {
        let mut names = Self::default();
        let (mut owners_and_targets, mut peers) = (Vec::new(), PeerLists::default());
        let tags = TagIndex::from_component(component);
        for (at, element) in component.elements.iter().enumerate() {
            let owner = ElementId(at);
            for state in element.rules.iter().filter_map(|rule| rule.state.as_ref()) {
                match state.target {
                    StateTarget::SelfElement => {}
                    StateTarget::Ancestor(target) => owners_and_targets.push((owner, target)),
                    StateTarget::Sibling(side, list) => {
                        let beside = family.preceding_siblings(list, owner);
                        let is_later = matches!(side, SiblingSide::After | SiblingSide::JustAfter);
                        owners_and_targets.extend(beside.filter(|_| is_later).map(|target| (owner, target)));
                        peers.add(list, family.list_parent(list), beside.map(|_| owner));
                    }
                    StateTarget::Within(around, list) => {
                        owners_and_targets.push((owner, around));
                        peers.add(list, Some(around), Some(owner));
                    }
                    StateTarget::Descendant(list) => match tags.exclusive_tag(component, owner, list) {
                        Some(tag) => drop(names.tags.insert((owner, list), tag.to_owned())),
                        None => peers.add(list, Some(owner), Some(owner)),
                    },
                }
            }
        }
        names.groups = groups(component, family, &owners_and_targets);
        names.peers = peers.assign_names(component, family);
        for list in names.peers.keys() {
            for member in &component.state_sources[list.0] {
                names.lists.entry(*member).or_default().push(*list);
            }
        }
        names
    }

    /// Returns the name of a group, if it needs one.
    pub(super) fn group(&self, id: ElementId) -> Option<&str> {
        self.groups.get(&id)?.as_deref()
    }

    /// Returns the name of a list of peers, if it needs one.
    pub(super) fn peer(&self, list: StateSourceListId) -> Option<&str> {
        self.peers.get(&list)?.as_deref()
    }

    /// Returns the tag of a list's members, if every descendant of `around` with this tag is in the
    /// list.
    pub(super) fn tag(&self, around: ElementId, list: StateSourceListId) -> Option<&str> {
        self.tags.get(&(around, list)).map(String::as_str)
    }

    /// Returns the marker classes of an element.
    pub(super) fn markers(&self, id: ElementId) -> Vec<String> {
        let marker = |kind: &str, name: Option<&str>| match name {
            Some(name) => format!("{kind}/{name}"),
            None => kind.to_owned(),
        };
        let group = self.groups.get(&id).map(|name| marker("group", name.as_deref()));
        let peers = self.lists.get(&id).into_iter().flatten().map(|list| marker("peer", self.peer(*list)));
        group.into_iter().chain(peers).collect()
    }
}

/// Index of elements by tag.
struct TagIndex<'c> {
    by_tag: HashMap<&'c str, Vec<ElementId>>,
    /// By element: the index of the first following element that is not a descendant.
    ends: Vec<usize>,
}

impl<'c> TagIndex<'c> {
    fn from_component(component: &'c Component) -> Self {
        let mut tags = Self { by_tag: HashMap::new(), ends: (1..=component.elements.len()).collect() };
        for (at, element) in component.elements.iter().enumerate().rev() {
            let last = element.children.iter().rev().find_map(|child| match child {
                Child::Element(id) => Some(*id),
                Child::Text(_) => None,
            });
            tags.ends[at] = last.map_or(at + 1, |last| tags.ends[last.0]);
        }
        for (at, element) in component.elements.iter().enumerate() {
            tags.by_tag.entry(&element.tag).or_default().push(ElementId(at));
        }
        tags
    }

    /// Returns the tag that all members of a list have and no other descendant of `around` has.
    fn exclusive_tag(&self, component: &'c Component, around: ElementId, list: StateSourceListId) -> Option<&'c str> {
        let members = &component.state_sources[list.0];
        let first = &component.elements[members.first()?.0];
        let all = self.by_tag.get(first.tag.as_str())?;
        let start = all.partition_point(|id| *id <= around);
        let inside = &all[start..all.partition_point(|id| id.0 < self.ends[around.0])];
        (inside == members.as_slice()).then_some(&first.tag)
    }
}

/// Lists of peers and the elements that contain them.
#[derive(Default)]
struct PeerLists {
    /// By list: the element that contains its members.
    parents: BTreeMap<StateSourceListId, Option<ElementId>>,
    /// Elements that depend on a list whose members are not their own siblings.
    remote_dependents: BTreeSet<ElementId>,
}

impl PeerLists {
    fn add(&mut self, list: StateSourceListId, place: Option<ElementId>, from_afar: Option<ElementId>) {
        let known = self.parents.entry(list).or_insert(place);
        *known = place.min(*known);
        self.remote_dependents.extend(from_afar);
    }

    /// Gives the lists in each container distinct names. If containers are nested, names are
    /// distinct among all lists.
    fn assign_names(
        &self,
        component: &Component,
        family: &ElementRelations,
    ) -> BTreeMap<StateSourceListId, Option<String>> {
        let places: BTreeSet<ElementId> = self.parents.values().copied().flatten().collect();
        let around = |user: &ElementId| std::iter::once(*user).chain(family.ancestors(*user));
        let is_twice = |id: &ElementId| around(id).filter(|id| places.contains(id)).nth(1).is_some();
        let ambiguous =
            !self.remote_dependents.is_empty() && self.remote_dependents.iter().chain(&places).any(is_twice);
        let mut beside: BTreeMap<Option<ElementId>, Vec<StateSourceListId>> = BTreeMap::new();
        for (list, place) in &self.parents {
            beside.entry(place.filter(|_| !ambiguous)).or_default().push(*list);
        }
        beside.into_values().flat_map(|lists| sibling_list_names(component, &lists)).collect()
    }
}

/// Returns names for the lists of one parent.
fn sibling_list_names(component: &Component, lists: &[StateSourceListId]) -> Vec<(StateSourceListId, Option<String>)> {
    if let [only] = lists {
        return vec![(*only, None)];
    }
    let mut names = Vec::with_capacity(lists.len());
    let mut taken: HashSet<String> = HashSet::new();
    // Continues numbering per word; trying all numbers for each of thousands of items would be
    // quadratic.
    let mut next: HashMap<&str, usize> = HashMap::new();
    let mut lists = lists.to_vec();
    lists.sort_by_key(|list| {
        let members = &component.state_sources[list.0];
        (members.len() > 1, members.first().copied(), *list)
    });
    for list in lists {
        let word = component.state_sources[list.0]
            .first()
            .map_or("item", |id| component.elements[id.0].semantic_name.as_str());
        let number = next.entry(word).or_insert(1);
        let name = loop {
            let name = if *number == 1 { word.to_owned() } else { format!("{word}-{number}") };
            *number += 1;
            if taken.insert(name.clone()) {
                break name;
            }
        };
        names.push((list, Some(name)));
    }
    names
}

/// Names the groups. If one is nested in another, `group-*` would match both, so all groups are
/// named.
fn groups(
    component: &Component,
    family: &ElementRelations,
    owners_and_targets: &[(ElementId, ElementId)],
) -> BTreeMap<ElementId, Option<String>> {
    let targets: BTreeSet<ElementId> = owners_and_targets.iter().map(|(_, target)| *target).collect();
    let ambiguous = owners_and_targets
        .iter()
        .any(|(user, target)| family.ancestors(*user).any(|other| other != *target && targets.contains(&other)));
    let mut names: BTreeMap<ElementId, Option<String>> = BTreeMap::new();
    // Ancestors come first, so that an inner group sees the names of its ancestors.
    for target in targets {
        let name = ambiguous.then(|| {
            let taken: Vec<&str> = family.ancestors(target).filter_map(|id| names.get(&id)?.as_deref()).collect();
            unused(&component.elements[target.0].semantic_name, |name| taken.contains(&name))
        });
        names.insert(target, name);
    }
    names
}

/// Returns the word, with a number if it is taken.
fn unused(word: &str, is_taken: impl Fn(&str) -> bool) -> String {
    if !is_taken(word) {
        return word.to_owned();
    }
    (2..).map(|number| format!("{word}-{number}")).find(|name| !is_taken(name)).unwrap_or_else(|| word.to_owned())
}
