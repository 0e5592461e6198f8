//! Assigns the classes of a component, one for each distinct style, and writes the selectors of
//! rules.

use super::family::Family;
use crate::code::model::{Component, ElementId, FollowedId, Rule, Side, StateOf, UserAction};
use limner_types::naming::kebab;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt::Write;

/// Maximum number of classes in a selector's list; beyond it, the listed elements get an additional
/// common class.
const MAX_LISTED: usize = 6;

/// Maximum number of rounds in which classes are split by the classes that their rules depend on.
/// If the splitting does not end by then, every element with such rules gets its own class.
const MAX_ROUNDS: usize = 12;

/// The classes of a component.
pub(super) struct Classes {
    /// By element: the value of its class attribute; empty if it needs none.
    pub(super) names: Vec<String>,
    /// The element whose rules each class has, in document order.
    pub(super) owners: Vec<ElementId>,
    /// By element: the class for its rules.
    pub(super) own: Vec<String>,
    /// By owner: the structural selector that replaces the class.
    pub(super) places: HashMap<ElementId, String>,
    /// By list of [`Component::followed`]: `.card, .card-2`.
    lists: Vec<String>,
    family: Family,
}

impl Classes {
    /// Names the classes; elements with equal styles share one.
    pub(super) fn of(component: &Component) -> Self {
        let block = kebab(&component.name);
        let family = Family::of(component);
        let watched = Watched::of(component, &family);
        let classes = told_apart(component, &family, &watched);
        let mut named: HashMap<usize, String> = HashMap::new();
        let mut taken = Taken::default();
        let (mut own, mut owners) = (vec![String::new(); component.elements.len()], Vec::new());
        for (at, element) in component.elements.iter().enumerate() {
            let Some(class) = classes[at] else { continue };
            own[at] = named.get(&class).cloned().unwrap_or_else(|| {
                let name = taken.free_name(&block, if at == 0 { "" } else { &element.word });
                named.insert(class, name.clone());
                owners.push(ElementId(at));
                name
            });
        }
        let mut names = own.clone();
        let mut lists = vec![String::new(); component.followed.len()];
        for id in watched.lists.keys() {
            let members = &component.followed[id.0];
            let mut distinct: Vec<&str> = Vec::new();
            let mut known = HashSet::new();
            distinct.extend(members.iter().map(|id| own[id.0].as_str()).filter(|name| known.insert(*name)));
            if distinct.len() > MAX_LISTED {
                let word = members.first().map_or("item", |id| component.elements[id.0].word.as_str());
                let name = taken.free_name(&block, &format!("any-{word}"));
                for member in members {
                    let _ = write!(names[member.0], " {name}");
                }
                lists[id.0] = format!(".{name}");
            } else {
                lists[id.0] = distinct.iter().map(|name| format!(".{name}")).collect::<Vec<_>>().join(", ");
            }
        }
        let mut classes = Self { names, owners, own, places: HashMap::new(), lists, family };
        classes.told_by_place(component, &watched.all, &block, &mut taken);
        classes
    }

    /// Returns the selector of a rule. A state has the specificity of one class, on whichever
    /// element it is, so rules with a state override those without, and otherwise the order
    /// decides.
    pub(super) fn selector(&self, owner: ElementId, rule: &Rule) -> String {
        let own = self.places.get(&owner).cloned().unwrap_or_else(|| format!(".{}", self.own[owner.0]));
        let pseudo = rule.pseudo.map(|pseudo| format!("::{}", pseudo.name())).unwrap_or_default();
        let Some(state) = &rule.state else { return format!("{own}{pseudo}") };
        let words = words(&state.all);
        let meanwhile: String = state.meanwhile.iter().map(|action| action.selector()).collect();
        let own = if meanwhile.is_empty() { own } else { format!("{own}:where({meanwhile})") };
        let one = |id: ElementId| format!(":where(.{})", self.own[id.0]);
        let any = |id: FollowedId| format!(":where({}){words}", self.lists[id.0]);
        match state.of {
            StateOf::Itself => format!("{own}{words}{pseudo}"),
            StateOf::Ancestor(id) => format!("{}{words} {own}{pseudo}", one(id)),
            StateOf::Descendant(list) => format!("{own}:has({}){pseudo}", any(list)),
            StateOf::Within(around, list) => format!("{}:has({}) {own}{pseudo}", one(around), any(list)),
            StateOf::Sibling(side, list) => {
                let beside = self.family.beside(list, owner);
                let sign = if matches!(side, Side::Before | Side::After) { '~' } else { '+' };
                match (side, beside) {
                    (Side::Before | Side::JustBefore, None) => format!("{} {sign} {own}{pseudo}", any(list)),
                    (Side::Before | Side::JustBefore, Some(_)) => format!("{} {sign} * {own}{pseudo}", any(list)),
                    (Side::After | Side::JustAfter, None) => format!("{own}:has({sign} {}){pseudo}", any(list)),
                    (Side::After | Side::JustAfter, Some(beside)) => {
                        format!("{}:has({sign} {}) {own}{pseudo}", one(beside), any(list))
                    }
                }
            }
        }
    }
}

fn words(all: &[UserAction]) -> String {
    match all {
        [one] => one.selector().to_owned(),
        several => {
            let last = several.len() - 1;
            let others: String = several[..last].iter().map(|action| action.selector()).collect();
            format!(":where({others}){}", several[last].selector())
        }
    }
}

/// The list that an element belongs to: the nesting level of the list's container, and the list's
/// number in it.
type Membership = (usize, usize);

/// The elements whose states rules depend on.
struct Watched {
    all: BTreeSet<ElementId>,
    /// The lists that rules depend on, each with an element that contains its members.
    lists: BTreeMap<FollowedId, ElementId>,
    /// By element: its lists that rules of elements other than the next sibling depend on. Tab
    /// buttons look the same, but each shows another panel.
    memberships: Vec<Vec<Membership>>,
    /// By element: the number of ancestors that are watched or contain a list.
    levels: Vec<usize>,
}

impl Watched {
    fn of(component: &Component, family: &Family) -> Self {
        let count = component.elements.len();
        let (mut all, mut from_afar) = (BTreeSet::new(), BTreeSet::new());
        let mut lists: BTreeMap<FollowedId, ElementId> = BTreeMap::new();
        for (at, element) in component.elements.iter().enumerate() {
            for state in element.rules.iter().filter_map(|rule| rule.state.as_ref()) {
                let (list, place) = match state.of {
                    StateOf::Itself => continue,
                    StateOf::Ancestor(id) => {
                        all.insert(id);
                        continue;
                    }
                    StateOf::Descendant(list) => (list, ElementId(at)),
                    StateOf::Within(around, list) => (list, around),
                    StateOf::Sibling(side, list) => {
                        let is_later = matches!(side, Side::After | Side::JustAfter);
                        all.extend(family.beside(list, ElementId(at)).filter(|_| is_later));
                        (list, family.place(list).unwrap_or(ElementId(at)))
                    }
                };
                if !matches!(state.of, StateOf::Sibling(Side::JustBefore | Side::JustAfter, _)) {
                    from_afar.insert(list);
                }
                all.extend(matches!(state.of, StateOf::Within(..)).then_some(place));
                let known = lists.entry(list).or_insert(place);
                *known = place.min(*known);
            }
        }
        all.extend(lists.keys().flat_map(|list| &component.followed[list.0]));
        let places: BTreeSet<ElementId> = lists.values().copied().collect();
        let mut levels = vec![0; count];
        for at in 0..count {
            if let Some(parent) = family.parent(ElementId(at)) {
                levels[at] = levels[parent.0] + usize::from(all.contains(&parent) || places.contains(&parent));
            }
        }
        let mut watched = Self { all, lists, memberships: vec![Vec::new(); count], levels };
        let mut numbers: HashMap<ElementId, usize> = HashMap::new();
        for (list, place) in watched.lists.iter().filter(|(list, _)| from_afar.contains(list)) {
            let number = numbers.entry(*place).or_default();
            for member in &component.followed[list.0] {
                watched.memberships[member.0].push((watched.levels[place.0], *number));
            }
            *number += 1;
        }
        watched
    }
}

/// Returns the number of each element's class, if it needs one: split by tag and rules first, then
/// by the classes that the rules depend on until nothing changes.
fn told_apart(component: &Component, family: &Family, watched: &Watched) -> Vec<Option<usize>> {
    let mut numbers = Numbers::default();
    let mut classes: Vec<Option<usize>> = Vec::with_capacity(component.elements.len());
    for (at, element) in component.elements.iter().enumerate() {
        let is_watched = watched.all.contains(&ElementId(at));
        if element.rules.is_empty() && !is_watched {
            classes.push(None);
            continue;
        }
        // A descendant of a watched element must not match in its place.
        let level = is_watched.then_some(watched.levels[at]);
        // Without rules, elements of different tags get different names.
        let tag = if element.rules.is_empty() { element.tag.as_str() } else { "" };
        let mut key = format!("{level:?}{:?}{tag}", watched.memberships[at]);
        for Rule { condition, state, pseudo, declarations } in &element.rules {
            let state =
                state.as_ref().map(|state| (relation(family, state.of, ElementId(at)), &state.all, &state.meanwhile));
            let _ = write!(key, "{:?}", (condition, state, pseudo, declarations));
        }
        classes.push(Some(numbers.of(key)));
    }
    let looks = |at: &usize| component.elements[*at].rules.iter().any(is_about_others);
    let looking: Vec<usize> = (0..component.elements.len()).filter(looks).collect();
    let mut count = numbers.count();
    for round in 0.. {
        let mut lists = Numbers::default();
        let of_list = |list: &FollowedId| (*list, lists.of(classes_of(&component.followed[list.0], &classes)));
        let of_lists: HashMap<FollowedId, usize> = watched.lists.keys().map(of_list).collect();
        let mut next = Numbers::default();
        let mut finer = classes.clone();
        for at in &looking {
            let is_last = round == MAX_ROUNDS;
            let about: Vec<[Option<usize>; 2]> = component.elements[*at]
                .rules
                .iter()
                .filter_map(|rule| rule.state.as_ref().filter(|_| is_about_others(rule)))
                .map(|state| about(family, state.of, ElementId(*at), &classes, &of_lists))
                .collect();
            let offset = component.elements.len();
            finer[*at] = Some(offset + next.of((classes[*at], about, is_last.then_some(*at))));
        }
        let rest: HashSet<usize> = (0..classes.len()).filter_map(|at| finer[at]).collect();
        classes = finer;
        if rest.len() == count || round == MAX_ROUNDS {
            return classes;
        }
        count = rest.len();
    }
    classes
}

/// Returns the relation of a rule's element to the elements that the rule depends on.
fn relation(family: &Family, of: StateOf, owner: ElementId) -> (u8, Option<Side>, bool) {
    match of {
        StateOf::Itself => (0, None, false),
        StateOf::Ancestor(_) => (1, None, false),
        StateOf::Sibling(side, list) => (2, Some(side), family.beside(list, owner).is_some()),
        StateOf::Descendant(_) => (3, None, false),
        StateOf::Within(..) => (4, None, false),
    }
}

pub(super) fn is_about_others(rule: &Rule) -> bool {
    rule.state.as_ref().is_some_and(|state| state.of != StateOf::Itself)
}

/// Returns the classes that a rule depends on: of an ancestor, and of a list.
fn about(
    family: &Family,
    of: StateOf,
    owner: ElementId,
    classes: &[Option<usize>],
    of_lists: &HashMap<FollowedId, usize>,
) -> [Option<usize>; 2] {
    let list = |id: FollowedId| of_lists.get(&id).copied();
    match of {
        StateOf::Itself => [None, None],
        StateOf::Ancestor(id) => [classes[id.0], None],
        StateOf::Descendant(id) => [None, list(id)],
        StateOf::Within(around, id) => [classes[around.0], list(id)],
        StateOf::Sibling(Side::Before | Side::JustBefore, id) => [None, list(id)],
        StateOf::Sibling(_, id) => [family.beside(id, owner).and_then(|own| classes[own.0]), list(id)],
    }
}

fn classes_of(members: &[ElementId], classes: &[Option<usize>]) -> Vec<usize> {
    let mut all: Vec<usize> = members.iter().filter_map(|id| classes[id.0]).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Numbers distinct keys.
struct Numbers<K>(HashMap<K, usize>);

impl<K> Default for Numbers<K> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

impl<K: std::hash::Hash + Eq> Numbers<K> {
    fn of(&mut self, key: K) -> usize {
        let next = self.0.len();
        *self.0.entry(key).or_insert(next)
    }

    fn count(&self) -> usize {
        self.0.len()
    }
}

/// Names that are taken.
#[derive(Default)]
pub(super) struct Taken {
    names: HashSet<String>,
    /// By name, the lowest number that may be free; trying all numbers for thousands of paragraphs
    /// would be quadratic.
    next: HashMap<String, usize>,
}

impl Taken {
    pub(super) fn free_name(&mut self, block: &str, word: &str) -> String {
        let own = word.strip_prefix(block).map_or(word, |rest| rest.trim_start_matches('-'));
        let plain = if own.is_empty() { block.to_owned() } else { format!("{block}-{own}") };
        if self.names.insert(plain.clone()) {
            return plain;
        }
        let next = self.next.entry(plain.clone()).or_insert(2);
        loop {
            let name = format!("{plain}-{next}");
            *next += 1;
            if self.names.insert(name.clone()) {
                return name;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Taken;

    #[test]
    fn names_are_numbered_from_the_first_free_one() {
        let mut taken = Taken::default();
        let names = ["", "card", "card-2", "card", "card", "hero-card", ""].map(|word| taken.free_name("hero", word));
        let expected = ["hero", "hero-card", "hero-card-2", "hero-card-3", "hero-card-4", "hero-card-5", "hero-2"];
        assert_eq!(names, expected);
    }
}
