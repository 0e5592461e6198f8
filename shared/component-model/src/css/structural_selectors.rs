//! Replaces classes by structural selectors: `.nav > a` needs no class on each link.

use super::class_names::{ClassAssignment, NameSet, depends_on_other_elements};
use crate::model::{Component, ElementId};
use crate::shared_selectors::{ElementGroup, StyleAssignments, StyleAtom, find_element_groups};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Bytes of a class attribute besides its name, and the minimum number of bytes that structural
/// selectors must save.
const CLASS_BYTES: usize = " class=\"\"".len();
const MIN_SAVED: usize = 1500;

/// Maximum number of structural selectors of one rule.
const MAX_GROUP_SELECTORS: usize = 3;

impl ClassAssignment {
    /// Removes the class of large groups of equal elements that the class of an ancestor and their
    /// tags select.
    pub(crate) fn assign_structural_selectors(
        &mut self,
        component: &Component,
        watched: &BTreeSet<ElementId>,
        block: &str,
        taken: &mut NameSet,
    ) {
        let looks = self.style_assignments(component, watched);
        let saved =
            |group: &ElementGroup<'_>| (looks.texts(&group.common)[0].len() + CLASS_BYTES) * group.members.len();
        let mut by_class: BTreeMap<usize, Vec<ElementGroup<'_>>> = BTreeMap::new();
        for group in
            find_element_groups(component, &looks, &|group| Some(saved(group)).filter(|saved| *saved >= MIN_SAVED))
        {
            by_class.entry(group.common[0]).or_default().push(group);
        }
        let mut users: HashMap<String, usize> = HashMap::new();
        self.own_names.iter().for_each(|name| *users.entry(name.clone()).or_default() += 1);
        let (mut around, mut told) = (BTreeSet::new(), BTreeSet::new());
        for (class, mut groups) in by_class {
            groups.retain(|group| {
                let name = &self.own_names[group.ancestor.0];
                let is_alone = name.is_empty() || users.get(name).is_none_or(|count| *count == 1);
                let is_free = |at: &usize| !around.contains(at);
                is_alone && !told.contains(&group.ancestor.0) && group.members.iter().all(is_free)
            });
            groups.sort_by_key(|group| (Reverse(group.members.len()), group.ancestor));
            groups.truncate(MAX_GROUP_SELECTORS);
            let name = &looks.atoms[class].text;
            let owner = self.owners.iter().find(|owner| self.own_names[owner.0] == *name).copied();
            let Some(owner) = owner.filter(|_| !groups.is_empty()) else { continue };
            let members: BTreeSet<usize> = groups.iter().flat_map(|group| group.members.iter().copied()).collect();
            around.extend(groups.iter().map(|group| group.ancestor.0));
            let mut selectors: Vec<String> = Vec::new();
            if members.len() < users[name] {
                selectors.push(format!(".{name}"));
            }
            selectors.extend(groups.iter().map(|group| {
                let of_around = self.ensure_class(group.ancestor, component, block, taken);
                format!(".{of_around}{}", group.selector(" "))
            }));
            let selector = match selectors.as_slice() {
                [one] => one.clone(),
                several => format!(":is({})", several.join(", ")),
            };
            self.structural_selectors.insert(owner, selector);
            members.iter().for_each(|at| self.names[*at].clear());
            told.extend(members);
        }
    }

    /// Returns the class of an element and assigns one if it has none.
    fn ensure_class(&mut self, id: ElementId, component: &Component, block: &str, taken: &mut NameSet) -> &str {
        if self.own_names[id.0].is_empty() {
            let name = taken.unique_name(block, if id.0 == 0 { "" } else { &component.elements[id.0].semantic_name });
            self.names[id.0].clone_from(&name);
            self.own_names[id.0] = name;
        }
        &self.own_names[id.0]
    }

    /// Returns each element's class as its style. Elements whose state a rule depends on, or that
    /// depend on others, have none.
    fn style_assignments(&self, component: &Component, watched: &BTreeSet<ElementId>) -> StyleAssignments {
        let mut looks = StyleAssignments::default();
        let names: BTreeSet<&str> = self.own_names.iter().map(String::as_str).filter(|name| !name.is_empty()).collect();
        let places: HashMap<&str, usize> = names.iter().enumerate().map(|(at, name)| (*name, at)).collect();
        looks.atoms.extend(names.iter().map(|name| StyleAtom { text: (*name).to_owned(), touches: 1 }));
        for (at, element) in component.elements.iter().enumerate() {
            let is_apart = watched.contains(&ElementId(at)) || element.rules.iter().any(depends_on_other_elements);
            looks
                .by_element
                .push(Vec::from_iter(places.get(self.own_names[at].as_str()).copied().filter(|_| !is_apart)));
        }
        looks
    }
}
