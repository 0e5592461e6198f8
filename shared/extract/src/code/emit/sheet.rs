//! A component's rules as a style sheet, one class for each distinct style.

use super::alike::{ClassRule, SharedRule, shared};
use super::crowds::{Crowd, Looks, Word, crowds};
use super::family::Family;
use super::shorthand;
use crate::code::model::{AtRuleText, Component, Condition, Declaration, ElementId, Rule, State, StateOf};
use limner_types::naming::kebab;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt::Write;

/// What a class takes besides its name, and what must be saved before elements are told by their place.
const CLASS_BYTES: usize = " class=\"\"".len();
const MIN_SAVED: usize = 1500;
/// Places that one rule is for.
const MAX_CROWDS: usize = 3;

/// The classes of a component.
pub(super) struct Classes {
    /// By element; empty for those that need none.
    pub(super) names: Vec<String>,
    /// By owner: what selects elements that are told by their place.
    places: HashMap<ElementId, String>,
    /// The element whose rules a class has, in document order.
    owners: Vec<ElementId>,
    family: Family,
}

impl Classes {
    /// Names the classes: elements that look the same in every respect share one.
    pub(super) fn of(component: &Component) -> Self {
        let block = kebab(&component.name);
        let family = Family::of(component);
        let watched = Watched::of(component, &family);
        let mut classes = Self {
            names: vec![String::new(); component.elements.len()],
            places: HashMap::new(),
            owners: Vec::new(),
            family,
        };
        let mut known: HashMap<String, String> = HashMap::new();
        let mut taken = Taken::default();
        let mut watched_around = vec![0_usize; component.elements.len()];
        for (at, element) in component.elements.iter().enumerate() {
            let id = ElementId(at);
            if let Some(parent) = classes.family.parent(id) {
                watched_around[at] = watched_around[parent.0] + usize::from(watched.all.contains(&parent));
            }
            let is_watched = watched.all.contains(&id);
            if element.rules.is_empty() && !is_watched {
                continue;
            }
            // What is inside of something that is watched too must not be taken for it.
            let level = is_watched.then_some(watched_around[at]);
            let apart = watched.from_afar.get(&id);
            let rules: Vec<_> = element.rules.iter().map(|rule| classes.told_apart_by(id, rule)).collect();
            let key = format!("{level:?}{apart:?}{rules:?}");
            let name = known.get(&key).cloned().unwrap_or_else(|| {
                let name = taken.free_name(&block, if at == 0 { "" } else { &element.word });
                known.insert(key, name.clone());
                classes.owners.push(id);
                name
            });
            classes.names[at] = name;
        }
        classes.told_by_place(component, &watched, &block, &mut taken);
        classes
    }

    /// Long runs of elements that look the same need no class: what is around them and their tags tell who they are.
    fn told_by_place(&mut self, component: &Component, watched: &Watched, block: &str, taken: &mut Taken) {
        let looks = self.looks(component, watched);
        let saved = |crowd: &Crowd<'_>| (looks.texts(&crowd.common)[0].len() + CLASS_BYTES) * crowd.members.len();
        let mut by_class: BTreeMap<usize, Vec<Crowd<'_>>> = BTreeMap::new();
        for crowd in crowds(component, &looks, &|crowd| Some(saved(crowd)).filter(|saved| *saved >= MIN_SAVED)) {
            by_class.entry(crowd.common[0]).or_default().push(crowd);
        }
        let mut users: HashMap<String, usize> = HashMap::new();
        self.names.iter().for_each(|name| *users.entry(name.clone()).or_default() += 1);
        let (mut around, mut told) = (BTreeSet::new(), BTreeSet::new());
        for (class, mut crowds) in by_class {
            crowds.retain(|crowd| {
                let name = &self.names[crowd.around.0];
                let is_alone = name.is_empty() || users.get(name).is_none_or(|count| *count == 1);
                let is_free = |at: &usize| !around.contains(at);
                is_alone && !told.contains(&crowd.around.0) && crowd.members.iter().all(is_free)
            });
            crowds.sort_by_key(|crowd| (Reverse(crowd.members.len()), crowd.around));
            crowds.truncate(MAX_CROWDS);
            let name = &looks.words[class].text;
            let owner = self.owners.iter().find(|owner| self.names[owner.0] == *name).copied();
            let Some(owner) = owner.filter(|_| !crowds.is_empty()) else { continue };
            let members: BTreeSet<usize> = crowds.iter().flat_map(|crowd| crowd.members.iter().copied()).collect();
            around.extend(crowds.iter().map(|crowd| crowd.around.0));
            let mut selectors: Vec<String> = Vec::new();
            if members.len() < users[name] {
                selectors.push(format!(".{name}"));
            }
            selectors.extend(crowds.iter().map(|crowd| {
                let of_around = self.name_of(crowd.around, component, block, taken);
                format!(".{of_around}{}", crowd.selector(" "))
            }));
            let selector = match selectors.as_slice() {
                [one] => one.clone(),
                several => format!(":is({})", several.join(", ")),
            };
            self.places.insert(owner, selector);
            members.iter().for_each(|at| self.names[*at].clear());
            told.extend(members);
        }
    }

    /// The class of an element, which it gets if it has none.
    fn name_of(&mut self, id: ElementId, component: &Component, block: &str, taken: &mut Taken) -> &str {
        let name = &mut self.names[id.0];
        if name.is_empty() {
            *name = taken.free_name(block, if id.0 == 0 { "" } else { &component.elements[id.0].word });
        }
        name
    }

    /// The class of every element as what it says, but of those that others look at, or that look at others.
    fn looks(&self, component: &Component, watched: &Watched) -> Looks {
        let mut looks = Looks::default();
        let names: BTreeSet<&str> = self.names.iter().map(String::as_str).filter(|name| !name.is_empty()).collect();
        let places: HashMap<&str, usize> = names.iter().enumerate().map(|(at, name)| (*name, at)).collect();
        looks.words.extend(names.iter().map(|name| Word { text: (*name).to_owned(), touches: 1 }));
        for (at, element) in component.elements.iter().enumerate() {
            let looks_at = |rule: &Rule| rule.state.as_ref().is_some_and(|state| state.of != StateOf::Itself);
            let is_apart = watched.all.contains(&ElementId(at)) || element.rules.iter().any(looks_at);
            looks.of.push(Vec::from_iter(places.get(self.names[at].as_str()).copied().filter(|_| !is_apart)));
        }
        looks
    }

    /// A rule with classes instead of elements.
    fn told_apart_by<'r>(&self, owner: ElementId, rule: &'r Rule) -> impl std::fmt::Debug + use<'r> {
        let Rule { condition, state, pseudo, declarations } = rule;
        let state = state.as_ref().map(|state| (self.of_state(owner, state), &state.all));
        (condition, state, pseudo, declarations)
    }

    fn of_state(&self, owner: ElementId, state: &State) -> String {
        match state.of {
            StateOf::Itself => String::new(),
            StateOf::Ancestor(id) => format!("{} ", self.names[id.0]),
            StateOf::Sibling(id) => format!("{}{}", self.names[id.0], self.family.between(id, owner)),
            StateOf::Descendant(id) => id.0.to_string(),
        }
    }

    /// The selector of a rule. Every state is worth one class, whoever's it is, so that states are stronger than what
    /// has none and else the order decides.
    fn selector(&self, owner: ElementId, rule: &Rule) -> String {
        let own = self.places.get(&owner).cloned().unwrap_or_else(|| format!(".{}", self.names[owner.0]));
        let pseudo = rule.pseudo.map(|pseudo| format!("::{}", pseudo.name())).unwrap_or_default();
        let Some(state) = &rule.state else { return format!("{own}{pseudo}") };
        let words: String = match state.all.as_slice() {
            [one] => one.selector().to_owned(),
            several => {
                let last = several.len() - 1;
                let others: String = several[..last].iter().map(|action| action.selector()).collect();
                format!(":where({others}){}", several[last].selector())
            }
        };
        let whose = |id: ElementId| format!(":where(.{}){words}", self.names[id.0]);
        match state.of {
            StateOf::Itself => format!("{own}{words}{pseudo}"),
            StateOf::Ancestor(id) => format!("{} {own}{pseudo}", whose(id)),
            StateOf::Sibling(id) => format!("{}{}{own}{pseudo}", whose(id), self.family.between(id, owner)),
            StateOf::Descendant(id) => format!("{own}:has({}){pseudo}", whose(id)),
        }
    }
}

/// The elements whose state others look at.
#[derive(Default)]
struct Watched {
    all: BTreeSet<ElementId>,
    /// Those that later ones look at from further away than next to them, with their number among those of one parent:
    /// the buttons of tabs look the same, and each shows another panel.
    from_afar: BTreeMap<ElementId, usize>,
}

impl Watched {
    fn of(component: &Component, family: &Family) -> Self {
        let mut watched = Self::default();
        for (at, element) in component.elements.iter().enumerate() {
            for state in element.rules.iter().filter_map(|rule| rule.state.as_ref()) {
                match state.of {
                    StateOf::Itself => continue,
                    StateOf::Sibling(id) if !family.is_next(id, ElementId(at)) => {
                        watched.from_afar.insert(id, 0);
                        watched.all.insert(id)
                    }
                    StateOf::Ancestor(id) | StateOf::Sibling(id) | StateOf::Descendant(id) => watched.all.insert(id),
                };
            }
        }
        let mut counts: HashMap<Option<ElementId>, usize> = HashMap::new();
        for (id, number) in &mut watched.from_afar {
            let count = counts.entry(family.parent(*id)).or_default();
            *number = *count;
            *count += 1;
        }
        watched
    }
}

/// Names that are given away.
#[derive(Default)]
struct Taken {
    names: HashSet<String>,
    /// The number that may be free for a name: thousands of paragraphs must not each try all that went before.
    next: HashMap<String, usize>,
}

impl Taken {
    fn free_name(&mut self, block: &str, word: &str) -> String {
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

/// Writes the style sheet.
pub(super) fn write(component: &Component, classes: &Classes) -> String {
    let mut out = String::new();
    for face in &component.font_faces {
        block(&mut out, 0, "@font-face", &face.descriptors);
    }
    registrations(&mut out, "property", &component.registrations);
    registrations(&mut out, "counter-style", &component.counter_styles);
    let mut always = Vec::new();
    let mut conditional: BTreeMap<(_, &Condition), Vec<ClassRule>> = BTreeMap::new();
    for owner in &classes.owners {
        let element = &component.elements[owner.0];
        for rule in &element.rules {
            let is_base = rule.condition.is_empty() && rule.state.is_none();
            let declarations = declarations(&rule.declarations, is_base, !element.preserves_space);
            let mut selector = classes.selector(*owner, rule);
            if let Some(switch) = component.dark_switch.as_ref().filter(|_| rule.condition.dark) {
                selector = format!(":where({}) {selector}", switch.selector());
            }
            let list = if rule.condition.is_empty() {
                &mut always
            } else {
                conditional.entry((rule.condition.rank(), &rule.condition)).or_default()
            };
            let kind = kind(rule);
            let is_base = is_base && kind.is_empty();
            list.push(ClassRule { owner: *owner, selector, kind, declarations, is_base });
        }
    }
    for SharedRule { selectors, declarations, .. } in shared(always) {
        block(&mut out, 0, &selectors.join(",\n"), &declarations);
    }
    for ((_, condition), rules) in conditional {
        group(&mut out, &preludes(condition, component.dark_switch.is_none()), shared(rules));
    }
    keyframes(&mut out, component);
    harmless(&out)
}

/// What a rule asks for besides its class.
fn kind(rule: &Rule) -> String {
    let states = rule.state.iter().flat_map(|state| &state.all).map(|action| action.selector().to_owned());
    states.chain(rule.pseudo.map(|pseudo| format!("::{}", pseudo.name()))).collect()
}

/// The declarations of a rule, with the older names that Safari still needs.
fn declarations(list: &[Declaration], is_base: bool, collapses: bool) -> Vec<(String, String)> {
    let mut all = Vec::new();
    for (name, value) in shorthand::joined(list, is_base, collapses) {
        let old = match name.as_str() {
            "backdrop-filter" | "user-select" => true,
            "background-clip" => value.contains("text"),
            _ => false,
        };
        if old {
            all.push((format!("-webkit-{name}"), value.clone()));
        }
        all.push((name, value));
    }
    all
}

pub(super) fn registrations(out: &mut String, kind: &str, rules: &[AtRuleText]) {
    for rule in rules {
        block(out, 0, &format!("@{kind} {}", rule.prelude), &rule.descriptors);
    }
}

fn group(out: &mut String, preludes: &[String], rules: Vec<SharedRule>) {
    separate(out);
    for (depth, prelude) in preludes.iter().enumerate() {
        let _ = writeln!(out, "{}{prelude} {{", "  ".repeat(depth));
    }
    let between = format!(",\n{}", "  ".repeat(preludes.len()));
    for SharedRule { selectors, declarations, .. } in rules {
        block(out, preludes.len(), &selectors.join(&between), &declarations);
    }
    for depth in (0..preludes.len()).rev() {
        let _ = writeln!(out, "{}}}", "  ".repeat(depth));
    }
}

/// The at-rules that a condition is; the dark theme is one when it follows the visitor.
fn preludes(condition: &Condition, dark_follows: bool) -> Vec<String> {
    let mut features = Vec::new();
    if condition.dark && dark_follows {
        features.push("(prefers-color-scheme: dark)".to_owned());
    }
    if condition.reduced_motion {
        features.push("(prefers-reduced-motion: reduce)".to_owned());
    }
    if let Some(min) = condition.min_width {
        features.push(format!("(min-width: {min}px)"));
    }
    if let Some(below) = condition.below_width {
        features.push(format!("(max-width: {}px)", below.saturating_sub(1)));
    }
    let media = (!features.is_empty()).then(|| format!("@media {}", features.join(" and ")));
    media.into_iter().chain(condition.within.iter().cloned()).collect()
}

pub(super) fn keyframes(out: &mut String, component: &Component) {
    for keyframes in &component.keyframes {
        separate(out);
        let _ = writeln!(out, "@keyframes {} {{", keyframes.name);
        for (selector, declarations) in &keyframes.frames {
            block(out, 1, selector, declarations);
        }
        out.push_str("}\n");
    }
}

/// An empty line between what stands on its own.
fn separate(out: &mut String) {
    if !out.is_empty() && !out.ends_with("{\n") {
        out.push('\n');
    }
}

pub(super) fn block(out: &mut String, depth: usize, prelude: &str, declarations: &[(String, String)]) {
    if declarations.is_empty() && depth == 0 && !prelude.starts_with('.') {
        return;
    }
    separate(out);
    let indent = "  ".repeat(depth);
    let _ = writeln!(out, "{indent}{prelude} {{");
    for (name, value) in declarations {
        let _ = writeln!(out, "{indent}  {name}: {value};");
    }
    let _ = writeln!(out, "{indent}}}");
}

/// Nothing in the sheet ends a `style` element around it: in strings and addresses, the only places where `</` can
/// stand, an escaped solidus is the same character.
pub(super) fn harmless(css: &str) -> String {
    css.replace("</", "<\\/").replace("<!--", "<\\!--")
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
