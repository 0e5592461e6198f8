//! Assigns the classes of a component, one for each distinct style, and writes the selectors of
//! rules.

use super::{state_specificity, tag_selectors};
use crate::element_relations::ElementRelations;
use crate::model::{Component, ElementId, InteractionState, Rule, SiblingSide, StateSourceListId, StateTarget};
use crate::page::Page;
use limner_types::component_name::kebab;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt::Write;

/// Maximum number of classes in a selector's list; beyond it, the listed elements get an additional
/// common class.
const MAX_LISTED: usize = 6;

/// Maximum number of rounds in which classes are split by the classes that their rules depend on.
/// If the splitting does not end by then, every element with such rules gets its own class.
const MAX_ROUNDS: usize = 12;

/// The classes of a component.
pub struct ClassAssignment {
    /// By element: the value of its class attribute; empty if it needs none.
    pub names: Vec<String>,
    /// The element whose rules each class has, in document order.
    pub owners: Vec<ElementId>,
    /// By element: the class for its rules.
    pub(crate) own_names: Vec<String>,
    /// By owner: the structural selector that replaces the class.
    pub(crate) structural_selectors: HashMap<ElementId, String>,
    /// By list of [`Component::state_sources`]: `.card, .card-2`.
    lists: Vec<String>,
    /// The owners whose rules keep their order if states of elements around and before them have their own specificity.
    plain_states: HashSet<ElementId>,
    family: ElementRelations,
}

impl ClassAssignment {
    /// Names the classes; elements with equal styles share one, and have none where their tag tells them.
    pub fn from_component(component: &Component) -> Self {
        Self::with_blocks(component, &Self::own_blocks(component), true)
    }

    /// Names the classes of a component of which each element with a style has its class: lists of equal elements are
    /// recognized by them.
    pub fn for_each_element(component: &Component) -> Self {
        Self::with_blocks(component, &Self::own_blocks(component), false)
    }

    fn own_blocks(component: &Component) -> Vec<String> {
        vec![kebab(&component.name); component.elements.len()]
    }

    /// Names the classes of a page: a style that only one section has is named after that section.
    pub fn from_page(page: &Page) -> Self {
        let names: Vec<String> = page.sections.iter().map(|section| kebab(&section.name)).collect();
        let own = kebab(&page.component.name);
        let blocks = page.sections_by_element().into_iter();
        let blocks: Vec<String> =
            blocks.map(|section| section.map_or(&own, |section| &names[section]).clone()).collect();
        Self::with_blocks(&page.component, &blocks, false)
    }

    /// Names the classes. `blocks` are the first parts of their names, by element; the root's stands for all elements
    /// of a style that several parts have. With `selects_by_tag`, elements that an ancestor's class and their tag select
    /// have none.
    fn with_blocks(component: &Component, blocks: &[String], selects_by_tag: bool) -> Self {
        let block = blocks.first().cloned().unwrap_or_default();
        let family = ElementRelations::from_component(component);
        let watched = StateSourceClasses::from_component(component, &family);
        let classes = assign_classes(component, &family, &watched);
        let words = class_words(component, &classes);
        let shared = shared_classes(&classes, blocks);
        let by_tag = match selects_by_tag {
            true => tag_selectors::find(component, &classes, &watched.elements),
            false => HashMap::new(),
        };
        let mut of_tag: HashMap<usize, ElementId> = HashMap::new();
        let mut named: HashMap<usize, String> = HashMap::new();
        let mut taken = NameSet::default();
        let (mut own, mut owners) = (vec![String::new(); component.elements.len()], Vec::new());
        for (at, class) in classes.iter().enumerate() {
            let Some(class) = *class else { continue };
            if by_tag.contains_key(&class) {
                of_tag.entry(class).or_insert_with(|| {
                    owners.push(ElementId(at));
                    ElementId(at)
                });
                continue;
            }
            own[at] = named.get(&class).cloned().unwrap_or_else(|| {
                let word = words.get(&class).map_or("", |word| word.as_str());
                let block = if shared.contains(&class) { &block } else { &blocks[at] };
                let name = taken.unique_name(block, if at == 0 { "" } else { word });
                named.insert(class, name.clone());
                owners.push(ElementId(at));
                name
            });
        }
        let mut names = own.clone();
        let mut lists = vec![String::new(); component.state_sources.len()];
        for id in watched.lists.keys() {
            let members = &component.state_sources[id.0];
            let mut distinct: Vec<&str> = Vec::new();
            let mut known = HashSet::new();
            distinct.extend(members.iter().map(|id| own[id.0].as_str()).filter(|name| known.insert(*name)));
            if distinct.len() > MAX_LISTED {
                let word = members.first().map_or("item", |id| component.elements[id.0].semantic_name.as_str());
                let name = taken.unique_name(&block, &format!("any-{word}"));
                for member in members {
                    let _ = write!(names[member.0], " {name}");
                }
                lists[id.0] = format!(".{name}");
            } else {
                lists[id.0] = distinct.iter().map(|name| format!(".{name}")).collect::<Vec<_>>().join(", ");
            }
        }
        let selector_of_tag = |(class, owner): (&usize, &ElementId)| {
            let ancestor = &own[by_tag[class].ancestor.0];
            (*owner, format!(".{ancestor} {}", component.elements[owner.0].tag))
        };
        let structural_selectors = of_tag.iter().map(selector_of_tag).collect();
        let plain_states = state_specificity::plain_owners(component, &owners, &lists);
        let mut classes = Self { names, owners, own_names: own, structural_selectors, lists, plain_states, family };
        classes.assign_structural_selectors(component, &watched.elements, &block, &mut taken);
        classes
    }

    /// Returns the selector of a rule. A state has the specificity of one class, on whichever
    /// element it is, so rules with a state override those without, and otherwise the order
    /// decides; the class of the other element counts only where that does not matter.
    pub fn selector(&self, owner: ElementId, rule: &Rule) -> String {
        let own =
            self.structural_selectors.get(&owner).cloned().unwrap_or_else(|| format!(".{}", self.own_names[owner.0]));
        let pseudo = rule.pseudo.map(|pseudo| format!("::{}", pseudo.name())).unwrap_or_default();
        let Some(state) = &rule.state else { return format!("{own}{pseudo}") };
        let words = states_text(&state.all_of);
        let own_states: String = state.own.iter().map(|action| action.selector()).collect();
        let own = if own_states.is_empty() { own } else { format!("{own}:where({own_states})") };
        let one = |id: ElementId| format!(":where(.{})", self.own_names[id.0]);
        let is_plain = self.plain_states.contains(&owner) && state_specificity::may_count(state.target, &self.lists);
        let any = |id: StateSourceListId| {
            let list = &self.lists[id.0];
            if is_plain { format!("{list}{words}") } else { format!(":where({list}){words}") }
        };
        match state.target {
            StateTarget::SelfElement => format!("{own}{words}{pseudo}"),
            StateTarget::Ancestor(id) if is_plain => format!(".{}{words} {own}{pseudo}", self.own_names[id.0]),
            StateTarget::Ancestor(id) => format!("{}{words} {own}{pseudo}", one(id)),
            StateTarget::Descendant(list) => format!("{own}:has({}){pseudo}", any(list)),
            StateTarget::Within(around, list) => format!("{}:has({}) {own}{pseudo}", one(around), any(list)),
            StateTarget::Sibling(side, list) => {
                let beside = self.family.preceding_siblings(list, owner);
                let sign = if matches!(side, SiblingSide::Before | SiblingSide::After) { '~' } else { '+' };
                match (side, beside) {
                    (SiblingSide::Before | SiblingSide::JustBefore, None) => {
                        format!("{} {sign} {own}{pseudo}", any(list))
                    }
                    (SiblingSide::Before | SiblingSide::JustBefore, Some(_)) => {
                        format!("{} {sign} * {own}{pseudo}", any(list))
                    }
                    (SiblingSide::After | SiblingSide::JustAfter, None) => {
                        format!("{own}:has({sign} {}){pseudo}", any(list))
                    }
                    (SiblingSide::After | SiblingSide::JustAfter, Some(beside)) => {
                        format!("{}:has({sign} {}) {own}{pseudo}", one(beside), any(list))
                    }
                }
            }
        }
    }
}

/// Returns the classes that elements of several blocks have.
fn shared_classes(classes: &[Option<usize>], blocks: &[String]) -> HashSet<usize> {
    let mut first: HashMap<usize, &str> = HashMap::new();
    let mut shared = HashSet::new();
    for (class, block) in classes.iter().zip(blocks).filter_map(|(class, block)| Some(((*class)?, block))) {
        if *first.entry(class).or_insert(block) != block.as_str() {
            shared.insert(class);
        }
    }
    shared
}

fn states_text(all: &[InteractionState]) -> String {
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
type ListMembership = (usize, usize);

/// The elements whose states rules depend on.
struct StateSourceClasses {
    elements: BTreeSet<ElementId>,
    /// The lists that rules depend on, each with an element that contains its members.
    lists: BTreeMap<StateSourceListId, ElementId>,
    /// By element: its lists that rules of elements other than the next sibling depend on. Tab
    /// buttons look the same, but each shows another panel.
    memberships: Vec<Vec<ListMembership>>,
    /// By element: the number of ancestors that are watched or contain a list.
    levels: Vec<usize>,
}

impl StateSourceClasses {
    fn from_component(component: &Component, family: &ElementRelations) -> Self {
        let count = component.elements.len();
        let (mut all, mut from_afar) = (BTreeSet::new(), BTreeSet::new());
        let mut lists: BTreeMap<StateSourceListId, ElementId> = BTreeMap::new();
        for (at, element) in component.elements.iter().enumerate() {
            for state in element.rules.iter().filter_map(|rule| rule.state.as_ref()) {
                let (list, place) = match state.target {
                    StateTarget::SelfElement => continue,
                    StateTarget::Ancestor(id) => {
                        all.insert(id);
                        continue;
                    }
                    StateTarget::Descendant(list) => (list, ElementId(at)),
                    StateTarget::Within(around, list) => (list, around),
                    StateTarget::Sibling(side, list) => {
                        let is_later = matches!(side, SiblingSide::After | SiblingSide::JustAfter);
                        all.extend(family.preceding_siblings(list, ElementId(at)).filter(|_| is_later));
                        (list, family.list_parent(list).unwrap_or(ElementId(at)))
                    }
                };
                if !matches!(state.target, StateTarget::Sibling(SiblingSide::JustBefore | SiblingSide::JustAfter, _)) {
                    from_afar.insert(list);
                }
                all.extend(matches!(state.target, StateTarget::Within(..)).then_some(place));
                let known = lists.entry(list).or_insert(place);
                *known = place.min(*known);
            }
        }
        all.extend(lists.keys().flat_map(|list| &component.state_sources[list.0]));
        let places: BTreeSet<ElementId> = lists.values().copied().collect();
        let mut levels = vec![0; count];
        for at in 0..count {
            if let Some(parent) = family.parent(ElementId(at)) {
                levels[at] = levels[parent.0] + usize::from(all.contains(&parent) || places.contains(&parent));
            }
        }
        let mut watched = Self { elements: all, lists, memberships: vec![Vec::new(); count], levels };
        let mut numbers: HashMap<ElementId, usize> = HashMap::new();
        for (list, place) in watched.lists.iter().filter(|(list, _)| from_afar.contains(list)) {
            let number = numbers.entry(*place).or_default();
            for member in &component.state_sources[list.0] {
                watched.memberships[member.0].push((watched.levels[place.0], *number));
            }
            *number += 1;
        }
        watched
    }
}

/// Returns the word that names each class: the semantic name of its elements, with the author's modifier where another
/// class has the same name and the modifier tells the two apart (`btn` and `btn--primary`).
fn class_words(component: &Component, classes: &[Option<usize>]) -> HashMap<usize, String> {
    let mut known: BTreeMap<usize, (&str, Vec<&str>)> = BTreeMap::new();
    for (element, class) in component.elements.iter().zip(classes).skip(1) {
        let Some(class) = class else { continue };
        let modifiers = || element.modifiers.iter().map(String::as_str).collect::<Vec<&str>>();
        match known.get_mut(class) {
            // Only what all elements of a class have is a name for it.
            Some((_, common)) => common.retain(|modifier| element.modifiers.iter().any(|own| own == modifier)),
            None => drop(known.insert(*class, (&element.semantic_name, modifiers()))),
        }
    }
    let (mut names, mut uses): (HashMap<&str, usize>, HashMap<(&str, &str), usize>) = Default::default();
    for (name, modifiers) in known.values() {
        *names.entry(*name).or_default() += 1;
        modifiers.iter().for_each(|modifier| *uses.entry((*name, *modifier)).or_default() += 1);
    }
    let word = |(class, (name, modifiers)): (&usize, &(&str, Vec<&str>))| {
        // The rarest one says most.
        let telling = modifiers.iter().min_by_key(|modifier| uses.get(&(*name, **modifier)).copied());
        let twins = names.get(name).copied().unwrap_or_default();
        let is_telling = |modifier: &&&str| uses.get(&(*name, **modifier)).is_some_and(|count| *count < twins);
        let word = match telling.filter(is_telling) {
            Some(modifier) => format!("{name}--{modifier}"),
            None => (*name).to_owned(),
        };
        (*class, word)
    };
    known.iter().map(word).collect()
}

/// Returns the number of each element's class, if it needs one: split by tag and rules first, then
/// by the classes that the rules depend on until nothing changes.
fn assign_classes<'c>(
    component: &'c Component,
    family: &ElementRelations,
    watched: &StateSourceClasses,
) -> Vec<Option<usize>> {
    let mut numbers = Interner::default();
    let mut classes: Vec<Option<usize>> = Vec::with_capacity(component.elements.len());
    for (at, element) in component.elements.iter().enumerate() {
        let is_watched = watched.elements.contains(&ElementId(at));
        if element.rules.is_empty() && !is_watched {
            classes.push(None);
            continue;
        }
        // A descendant of a watched element must not match in its place.
        let level = is_watched.then_some(watched.levels[at]);
        // Without rules, elements of different tags get different names.
        let tag = if element.rules.is_empty() { element.tag.as_str() } else { "" };
        let rule_key = |Rule { condition, state, pseudo, declarations }: &'c Rule| {
            let state =
                state.as_ref().map(|state| (relation(family, state.target, ElementId(at)), &state.all_of, &state.own));
            (condition, state, pseudo, declarations)
        };
        let rules: Vec<_> = element.rules.iter().map(rule_key).collect();
        classes.push(Some(numbers.intern((level, &watched.memberships[at], tag, rules))));
    }
    let looks = |at: &usize| component.elements[*at].rules.iter().any(depends_on_other_elements);
    let looking: Vec<usize> = (0..component.elements.len()).filter(looks).collect();
    let mut count = numbers.count();
    for round in 0.. {
        let mut lists = Interner::default();
        let of_list = |list: &StateSourceListId| {
            (*list, lists.intern(member_classes(&component.state_sources[list.0], &classes)))
        };
        let of_lists: HashMap<StateSourceListId, usize> = watched.lists.keys().map(of_list).collect();
        let mut next = Interner::default();
        let mut finer = classes.clone();
        for at in &looking {
            let is_last = round == MAX_ROUNDS;
            let about: Vec<[Option<usize>; 2]> = component.elements[*at]
                .rules
                .iter()
                .filter_map(|rule| rule.state.as_ref().filter(|_| depends_on_other_elements(rule)))
                .map(|state| referenced_classes(family, state.target, ElementId(*at), &classes, &of_lists))
                .collect();
            let offset = component.elements.len();
            finer[*at] = Some(offset + next.intern((classes[*at], about, is_last.then_some(*at))));
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
fn relation(family: &ElementRelations, of: StateTarget, owner: ElementId) -> (u8, Option<SiblingSide>, bool) {
    match of {
        StateTarget::SelfElement => (0, None, false),
        StateTarget::Ancestor(_) => (1, None, false),
        StateTarget::Sibling(side, list) => (2, Some(side), family.preceding_siblings(list, owner).is_some()),
        StateTarget::Descendant(_) => (3, None, false),
        StateTarget::Within(..) => (4, None, false),
    }
}

pub(crate) fn depends_on_other_elements(rule: &Rule) -> bool {
    rule.state.as_ref().is_some_and(|state| state.target != StateTarget::SelfElement)
}

/// Returns the classes that a rule depends on: of an ancestor, and of a list.
fn referenced_classes(
    family: &ElementRelations,
    of: StateTarget,
    owner: ElementId,
    classes: &[Option<usize>],
    of_lists: &HashMap<StateSourceListId, usize>,
) -> [Option<usize>; 2] {
    let list = |id: StateSourceListId| of_lists.get(&id).copied();
    match of {
        StateTarget::SelfElement => [None, None],
        StateTarget::Ancestor(id) => [classes[id.0], None],
        StateTarget::Descendant(id) => [None, list(id)],
        StateTarget::Within(around, id) => [classes[around.0], list(id)],
        StateTarget::Sibling(SiblingSide::Before | SiblingSide::JustBefore, id) => [None, list(id)],
        StateTarget::Sibling(_, id) => [family.preceding_siblings(id, owner).and_then(|own| classes[own.0]), list(id)],
    }
}

fn member_classes(members: &[ElementId], classes: &[Option<usize>]) -> Vec<usize> {
    let mut all: Vec<usize> = members.iter().filter_map(|id| classes[id.0]).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Numbers distinct keys.
struct Interner<K>(HashMap<K, usize>);

impl<K> Default for Interner<K> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

impl<K: std::hash::Hash + Eq> Interner<K> {
    fn intern(&mut self, key: K) -> usize {
        let next = self.0.len();
        *self.0.entry(key).or_insert(next)
    }

    fn count(&self) -> usize {
        self.0.len()
    }
}

/// Names that are taken.
#[derive(Default)]
pub(crate) struct NameSet {
    names: HashSet<String>,
    /// By name, the lowest number that may be free; trying all numbers for thousands of paragraphs
    /// would be quadratic.
    next: HashMap<String, usize>,
}

impl NameSet {
    pub(crate) fn unique_name(&mut self, block: &str, word: &str) -> String {
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
    use super::{ClassAssignment, NameSet};
    use crate::model::{Child, Component, Condition, Declaration, Element, ElementId, Rule};

    #[test]
    fn modifiers_name_the_variants_of_one_thing() {
        let button = |color: &str, modifiers: &[&str]| {
            let color = Declaration { name: "color".into(), value: color.to_owned(), computed: color.to_owned() };
            let rule = Rule { condition: Condition::default(), state: None, pseudo: None, declarations: vec![color] };
            let modifiers = modifiers.iter().map(|word| (*word).to_owned()).collect();
            Element {
                tag: "a".to_owned(),
                semantic_name: "btn".to_owned(),
                modifiers,
                rules: vec![rule],
                ..Element::default()
            }
        };
        let names = |buttons: Vec<Element>| {
            let children = (1..=buttons.len()).map(|at| Child::Element(ElementId(at))).collect();
            let root = Element { tag: "p".to_owned(), children, ..Element::default() };
            let elements = std::iter::once(root).chain(buttons).collect();
            let component = Component { name: "Hero".to_owned(), elements, ..Component::default() };
            ClassAssignment::from_component(&component).names[1..].join(" ")
        };
        let (primary, large) = (button("red", &["large", "primary"]), button("blue", &["large"]));
        assert_eq!(names(vec![primary.clone(), button("blue", &[])]), "hero-btn--large hero-btn");
        assert_eq!(names(vec![primary.clone(), large.clone()]), "hero-btn--primary hero-btn");
        assert_eq!(names(vec![primary.clone()]), "hero-btn", "nothing to tell it from");
        assert_eq!(names(vec![button("red", &[]), primary]), "hero-btn hero-btn", "one style, one class");
        assert_eq!(
            names(vec![large, button("red", &["primary"]), button("tan", &["primary"])]),
            "hero-btn--large hero-btn--primary hero-btn--primary-2"
        );
    }

    #[test]
    fn names_are_numbered_from_the_first_free_one() {
        let mut taken = NameSet::default();
        let names = ["", "card", "card-2", "card", "card", "hero-card", ""].map(|word| taken.unique_name("hero", word));
        let expected = ["hero", "hero-card", "hero-card-2", "hero-card-3", "hero-card-4", "hero-card-5", "hero-2"];
        assert_eq!(names, expected);
    }
}
