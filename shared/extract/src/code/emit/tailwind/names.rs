//! Which elements are a `group` or `peer` of others, and the names that keep several apart.

use crate::code::emit::family::Family;
use crate::code::model::{Component, ElementId, StateOf};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// The elements whose state others follow.
#[derive(Debug, Default)]
pub(super) struct Names {
    groups: BTreeMap<ElementId, Option<String>>,
    peers: BTreeMap<ElementId, Option<String>>,
}

impl Names {
    /// Finds them in the rules of a component.
    pub(super) fn of(component: &Component, family: &Family) -> Self {
        let (mut followed, mut beside, mut from_afar) = (Vec::new(), BTreeSet::new(), BTreeSet::new());
        for (at, element) in component.elements.iter().enumerate() {
            for state in element.rules.iter().filter_map(|rule| rule.state.as_ref()) {
                match state.of {
                    StateOf::Ancestor(target) => followed.push((ElementId(at), target)),
                    StateOf::Sibling(target) => {
                        beside.insert(target);
                        if family.parent(target) != family.parent(ElementId(at)) {
                            from_afar.insert(ElementId(at));
                        }
                    }
                    StateOf::Itself | StateOf::Descendant(_) => {}
                }
            }
        }
        Self { groups: groups(component, family, &followed), peers: peers(component, family, &beside, &from_afar) }
    }

    /// The name of a group, when it needs one.
    pub(super) fn group(&self, id: ElementId) -> Option<&str> {
        self.groups.get(&id)?.as_deref()
    }

    /// The name of a peer, when it needs one.
    pub(super) fn peer(&self, id: ElementId) -> Option<&str> {
        self.peers.get(&id)?.as_deref()
    }

    /// The marker classes of an element.
    pub(super) fn markers(&self, id: ElementId) -> Vec<String> {
        let marker = |kind: &str, name: &Option<String>| match name {
            Some(name) => format!("{kind}/{name}"),
            None => kind.to_owned(),
        };
        let group = self.groups.get(&id).map(|name| marker("group", name));
        let peer = self.peers.get(&id).map(|name| marker("peer", name));
        group.into_iter().chain(peer).collect()
    }
}

/// A group in a group would answer for both: then all of them are named.
fn groups(
    component: &Component,
    family: &Family,
    followed: &[(ElementId, ElementId)],
) -> BTreeMap<ElementId, Option<String>> {
    let targets: BTreeSet<ElementId> = followed.iter().map(|(_, target)| *target).collect();
    let ambiguous = followed
        .iter()
        .any(|(user, target)| family.ancestors(*user).any(|other| other != *target && targets.contains(&other)));
    let mut names: BTreeMap<ElementId, Option<String>> = BTreeMap::new();
    // Ancestors come first, so that an inner group sees the names around it.
    for target in targets {
        let name = ambiguous.then(|| {
            let taken: Vec<&str> = family.ancestors(target).filter_map(|id| names.get(&id)?.as_deref()).collect();
            unused(&component.elements[target.0].word, |name| taken.contains(&name))
        });
        names.insert(target, name);
    }
    names
}

/// Peers of one parent are told apart by name; all of them, where what is inside a sibling of one is inside a sibling of
/// another too.
fn peers(
    component: &Component,
    family: &Family,
    targets: &BTreeSet<ElementId>,
    from_afar: &BTreeSet<ElementId>,
) -> BTreeMap<ElementId, Option<String>> {
    let parents: BTreeSet<ElementId> = targets.iter().filter_map(|target| family.parent(*target)).collect();
    let ambiguous =
        from_afar.iter().any(|user| family.ancestors(*user).filter(|id| parents.contains(id)).nth(1).is_some());
    let mut beside: BTreeMap<Option<ElementId>, Vec<ElementId>> = BTreeMap::new();
    for target in targets {
        beside.entry(family.parent(*target).filter(|_| !ambiguous)).or_default().push(*target);
    }
    let mut names = BTreeMap::new();
    for siblings in beside.into_values() {
        if let [only] = siblings.as_slice() {
            names.insert(*only, None);
            continue;
        }
        let mut taken: HashSet<String> = HashSet::new();
        // Thousands of items must not each try all the numbers before theirs.
        let mut next: HashMap<&str, usize> = HashMap::new();
        for target in siblings {
            let word = component.elements[target.0].word.as_str();
            let number = next.entry(word).or_insert(1);
            let name = loop {
                let name = if *number == 1 { word.to_owned() } else { format!("{word}-{number}") };
                *number += 1;
                if taken.insert(name.clone()) {
                    break name;
                }
            };
            names.insert(target, Some(name));
        }
    }
    names
}

/// The word, with a number when it is taken.
fn unused(word: &str, is_taken: impl Fn(&str) -> bool) -> String {
    if !is_taken(word) {
        return word.to_owned();
    }
    (2..).map(|number| format!("{word}-{number}")).find(|name| !is_taken(name)).unwrap_or_else(|| word.to_owned())
}
