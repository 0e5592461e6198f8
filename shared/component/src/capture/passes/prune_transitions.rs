//! Shortens transitions: removes those of elements that no state changes and properties that never change, and replaces
//! transitions without effect by `none`.
//!
//! Before → after: `transition: color 1s, --x 1s` → `transition: color 1s`.
//!
//! Reads and changes the rules. It stands after `register-properties`: only registered custom properties change gradually.

use crate::capture::passes::{Draft, PassContext};
use limner_component_model::model::{
    Baseline, Child, Component, Declaration, DescriptorAtRule, Element, PseudoElement, Rule,
};
use limner_style::property::Longhand;
use limner_style::value::{parse_components, serialize_exact, split_commas};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

const PROPERTY: &str = "transition-property";
const DURATION: &str = "transition-duration";
const LISTS: [&str; 5] = [PROPERTY, DURATION, "transition-timing-function", "transition-delay", "transition-behavior"];

/// Removes the properties that never change, and declares `none` where there is no transition under a condition.
pub(crate) fn prune_transitions(_: &PassContext<'_, '_>, draft: &mut Draft) {
    let Component { elements, registrations, baseline, .. } = &mut draft.component;
    remove_idle_transitions(elements);
    let inherited = inherited_changes(elements);
    for element in elements {
        for rule in &mut element.rules {
            remove_ineffective_properties(rule, registrations);
        }
        // Utilities have names for some long lists.
        if *baseline == Baseline::Browser {
            remove_unchanged_properties(&mut element.rules, &inherited);
        }
        for at in 0..element.rules.len() {
            let later = element.rules[at + 1..]
                .iter()
                .any(|own| own.pseudo == element.rules[at].pseudo && declares_transition(own));
            let rule = &mut element.rules[at];
            let is_base = rule.condition.is_empty() && rule.state.is_none();
            if !later && !is_base {
                stop(rule);
            }
        }
    }
}

/// Removes the transitions of elements that look the same in all states, as their ancestors do, from which they inherit:
/// scripts, which may change them on the page, are not part of the component.
fn remove_idle_transitions(elements: &mut [Element]) {
    let mut changes = vec![false; elements.len()];
    for (at, element) in elements.iter().enumerate() {
        changes[at] |= element.rules.iter().any(|rule| rule.state.is_some());
        for child in &element.children {
            if let Child::Element(child) = child {
                changes[child.0] |= changes[at];
            }
        }
    }
    for (element, _) in elements.iter_mut().zip(changes).filter(|(_, changes)| !changes) {
        element.rules.iter_mut().for_each(|rule| rule.declarations.retain(|own| !is_transition_declaration(own)));
        element.rules.retain(|rule| !rule.declarations.is_empty());
    }
}

fn is_transition_declaration(declaration: &Declaration) -> bool {
    LISTS.iter().any(|name| declaration.name == *name)
}

/// Returns true if a rule declares a transition.
fn declares_transition(rule: &Rule) -> bool {
    rule.declarations.iter().any(is_transition_declaration)
}

fn get<'r>(rule: &'r Rule, name: &str) -> Option<&'r str> {
    rule.declarations.iter().find(|own| own.name == name).map(|own| own.value.as_str())
}

/// Replaces transitions without duration or properties by `none`.
fn stop(rule: &mut Rule) {
    let is_zero = |time: &[_]| matches!(serialize_exact(time).as_str(), "0s" | "0ms");
    let takes_no_time = get(rule, DURATION)
        .and_then(parse_components)
        .is_some_and(|durations| split_commas(&durations).into_iter().all(is_zero));
    let waits = get(rule, "transition-delay").is_some_and(|delay| !matches!(delay, "0s" | "0ms"));
    if get(rule, PROPERTY) != Some("none") && (!takes_no_time || waits) {
        return;
    }
    rule.declarations.retain(|own| !is_transition_declaration(own));
    let none = || "none".to_owned();
    rule.declarations.push(Declaration { name: Cow::Borrowed(PROPERTY), value: none(), computed: none() });
    rule.declarations.sort_by(|a, b| a.name.cmp(&b.name));
}

/// Removes properties without effect: unregistered custom properties change immediately, and values in the component
/// have none; a prefixed name has no effect next to the unprefixed one.
fn remove_ineffective_properties(rule: &mut Rule, registrations: &[DescriptorAtRule]) {
    let Some(names) = get(rule, PROPERTY).and_then(items) else { return };
    let says_more = |name: &String| {
        let plain = name.strip_prefix("-webkit-").or_else(|| name.strip_prefix("-moz-"));
        let is_registered = || registrations.iter().any(|registration| registration.prelude == *name);
        !plain.is_some_and(|plain| names.iter().any(|other| other == plain))
            && (!name.starts_with("--") || is_registered())
    };
    let kept: Vec<bool> = names.iter().map(says_more).collect();
    keep_items(rule, &kept);
}

/// The number of properties from which on a list is a framework's own, which is for all elements.
const LONG_LIST: usize = 6;

/// Returns the first words of inherited properties that a state or the dark theme changes on any element.
fn inherited_changes(elements: &[Element]) -> BTreeSet<String> {
    let changing = elements.iter().flat_map(|element| &element.rules).filter(|rule| may_change(rule));
    let names = changing.flat_map(|rule| &rule.declarations).map(|own| &own.name);
    let inherited = names.filter(|name| Longhand::from_name(name).is_none_or(Longhand::is_inherited));
    inherited.map(|name| first_word(name).to_owned()).collect()
}

/// Returns true if a rule changes its element while the visitor looks at it.
fn may_change(rule: &Rule) -> bool {
    rule.state.is_some() || rule.condition.dark
}

/// Returns the first word of a property, which shorthands and longhands share.
fn first_word(name: &str) -> &str {
    name.trim_start_matches('-').split('-').next().unwrap_or(name)
}

/// Removes properties that no state and no theme changes from the long lists of one element: `color, background-color, fill,
/// stroke, opacity, transform` → `opacity`.
fn remove_unchanged_properties(rules: &mut [Rule], inherited: &BTreeSet<String>) {
    let mut changes: BTreeMap<Option<PseudoElement>, BTreeSet<String>> = BTreeMap::new();
    for rule in rules.iter().filter(|rule| may_change(rule)) {
        let words = rule.declarations.iter().map(|own| first_word(&own.name).to_owned());
        changes.entry(rule.pseudo).or_default().extend(words);
    }
    for rule in rules {
        let Some(names) = get(rule, PROPERTY).and_then(items).filter(|names| names.len() >= LONG_LIST) else {
            continue;
        };
        let own = changes.get(&rule.pseudo);
        let is_changed = |name: &String| {
            let word = first_word(name);
            word == "inset" || inherited.contains(word) || own.is_some_and(|own| own.contains(word))
        };
        let kept: Vec<bool> = names.iter().map(is_changed).collect();
        keep_items(rule, &kept);
    }
}

/// Removes the other items of the lists of a transition, unless none stays.
fn keep_items(rule: &mut Rule, kept: &[bool]) {
    if kept.iter().all(|kept| *kept) || !kept.contains(&true) {
        return;
    }
    let lists: Vec<(usize, Vec<String>)> = rule
        .declarations
        .iter()
        .enumerate()
        .filter(|(_, own)| is_transition_declaration(own))
        .filter_map(|(at, own)| Some((at, items(&own.value)?)))
        .collect();
    if lists.iter().any(|(_, list)| list.len() != kept.len() && list.len() != 1) {
        return;
    }
    for (at, list) in lists.into_iter().filter(|(_, list)| list.len() > 1) {
        let rest: Vec<String> = list.into_iter().zip(kept).filter(|(_, kept)| **kept).map(|(item, _)| item).collect();
        let declaration = &mut rule.declarations[at];
        declaration.value = rest.join(", ");
        declaration.computed.clone_from(&declaration.value);
    }
}

/// Returns the items of a list as they are written.
fn items(list: &str) -> Option<Vec<String>> {
    let components = parse_components(list)?;
    Some(split_commas(&components).into_iter().map(serialize_exact).collect())
}

#[cfg(test)]
mod tests;
