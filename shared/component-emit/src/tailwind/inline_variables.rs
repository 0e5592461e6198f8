//! Puts values in the place of custom properties that utilities need not refer to.
//!
//! Before → after: `bg-(--surface)` with `[--surface:#fff]` on the root → `bg-white`.
//!
//! A custom property stays if at least two utilities refer to it, or, if its value is the same everywhere, at least three,
//! its name is not much longer than the value, and Tailwind's theme has no name for the value.

use super::{color, font_stack};
use limner_component_model::model::{Component, Condition, Declaration, PseudoElement, Rule, StateCondition};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// Minimum number of utilities that refer to a custom property with one value.
const MIN_USES: usize = 3;

/// Maximum number of characters by which a name may be longer than the value that it stands for.
const MAX_LONGER: usize = 6;

/// A declaration that refers to a custom property: its element, rule and position.
pub(super) type Place = (usize, usize, usize);

/// The way in which a target writes equal elements.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Repetition {
    /// Each with its classes.
    Written,
    /// Once, in a loop.
    Looped,
}

/// Returns the component with the custom properties that are worth their declaration.
pub(super) fn inline_variables(component: &Component, repetition: Repetition) -> Cow<'_, Component> {
    let mut inlined = Cow::Borrowed(component);
    for name in root_variables(component) {
        let places = uses(&inlined, &name);
        let declared = declarations(&inlined, &name);
        let Some((first, others)) = declared.split_first() else { continue };
        if !first.0.condition.is_empty() {
            continue;
        }
        let uses_written = count(&inlined, &places, repetition);
        let is_lone = uses_written < 2;
        let is_long = name.len() > color::suffix(&first.1).map_or(first.1.len(), |suffix| suffix.len()) + MAX_LONGER;
        if others.is_empty() && (uses_written < MIN_USES || is_long || has_theme_name(&first.1)) {
            let value = first.1.clone();
            let component = inlined.to_mut();
            places.into_iter().for_each(|place| substitute(declaration(component, place), &name, &value));
            remove(component, &name);
        } else if is_lone && places.iter().all(|place| is_declared_once(&inlined, *place)) {
            let component = inlined.to_mut();
            remove(component, &name);
            let reference = format!("var({name})");
            // A declaration that is replaced changes the places of others of its element.
            for at in places.iter().map(|(element, ..)| *element).collect::<BTreeSet<usize>>() {
                loop {
                    let place = uses_in(component, at, &reference).next();
                    let Some(place) = place else { break };
                    spread(component, place, &name, &declared);
                }
            }
        }
    }
    inlined
}

/// Replaces a declaration that refers to a custom property by one for each of its values.
fn spread(component: &mut Component, place: Place, name: &str, values: &[(Rule, String)]) {
    let (element, rule, index) = place;
    let rules = &mut component.elements[element].rules;
    let pseudo = rules[rule].pseudo;
    let reference = rules[rule].declarations.remove(index);
    for (condition, value) in values {
        let mut own = reference.clone();
        substitute(&mut own, name, value);
        rules.push(Rule { pseudo, declarations: vec![own], ..condition.clone() });
    }
    rules.retain(|rule| !rule.declarations.is_empty());
    merge_rules(rules);
}

/// Returns the number of utilities that a target writes for these declarations.
pub(super) fn count(component: &Component, places: &[Place], repetition: Repetition) -> usize {
    match repetition {
        Repetition::Looped => {
            places.iter().map(|place| UtilityKind::of_place(component, *place)).collect::<HashSet<_>>().len()
        }
        Repetition::Written => {
            let name =
                |(at, rule, index): Place| without_sides(&component.elements[at].rules[rule].declarations[index].name);
            places.iter().map(|place| (place.0, place.1, name(*place))).collect::<HashSet<_>>().len()
        }
    }
}

/// The properties that utilities of equal elements have in common.
#[derive(PartialEq, Eq, Hash)]
pub(super) struct UtilityKind<'c> {
    tag: &'c str,
    semantic_name: &'c str,
    condition: &'c Condition,
    state: &'c Option<StateCondition>,
    pseudo: Option<PseudoElement>,
    property: &'c str,
}

impl<'c> UtilityKind<'c> {
    pub(super) fn of_place(component: &'c Component, (at, rule, index): Place) -> Self {
        let element = &component.elements[at];
        let Rule { condition, state, pseudo, declarations } = &element.rules[rule];
        Self {
            tag: &element.tag,
            semantic_name: &element.semantic_name,
            condition,
            state,
            pseudo: *pseudo,
            property: without_sides(&declarations[index].name),
        }
    }
}

/// Returns the name of the property that stands for all sides: one utility has the colour of all borders.
fn without_sides(name: &str) -> &str {
    match name {
        "border-top-color" | "border-right-color" | "border-bottom-color" | "border-left-color" => "border-color",
        name => name,
    }
}

/// Returns the names of the custom properties that the root declares, but those that animations need.
fn root_variables(component: &Component) -> Vec<String> {
    let declared = component.elements.first().into_iter().flat_map(|root| &root.rules);
    let names = declared.filter(|rule| rule.pseudo.is_none()).flat_map(|rule| &rule.declarations);
    let animated = |name: &str| {
        let frames = component.keyframes.iter().flat_map(|keyframes| &keyframes.frames);
        let mut values = frames.flat_map(|(_, declarations)| declarations);
        component.registrations.iter().any(|own| own.prelude == name)
            || values.any(|(own, value)| own == name || value.contains(name))
    };
    let mut names: Vec<String> = names.map(|own| own.name.to_string()).filter(|name| name.starts_with("--")).collect();
    names.sort_unstable();
    names.dedup();
    names.retain(|name| !animated(name));
    names
}

/// Returns the rules of the root that declare a custom property, without their declarations, and its value in each.
fn declarations(component: &Component, name: &str) -> Vec<(Rule, String)> {
    let rules = component.elements.first().into_iter().flat_map(|root| &root.rules);
    let found = rules.filter_map(|rule| {
        let own = rule.declarations.iter().find(|own| own.name == name)?;
        let condition = rule.condition.clone();
        let bare = Rule { condition, state: rule.state.clone(), pseudo: rule.pseudo, declarations: Vec::new() };
        Some((bare, own.value.clone()))
    });
    found.collect()
}

/// Returns the declarations that refer to a custom property.
fn uses(component: &Component, name: &str) -> Vec<Place> {
    let reference = format!("var({name})");
    (0..component.elements.len()).flat_map(|at| uses_in(component, at, &reference).collect::<Vec<_>>()).collect()
}

/// Returns the declarations of an element that contain a reference.
fn uses_in<'c>(component: &'c Component, at: usize, reference: &'c str) -> impl Iterator<Item = Place> + 'c {
    component.elements[at].rules.iter().enumerate().flat_map(move |(number, rule)| {
        let own = rule.declarations.iter().enumerate().filter(move |(_, own)| own.value.contains(reference));
        own.map(move |(index, _)| (at, number, index))
    })
}

/// Returns true if a declaration holds always, and no other rule declares its property at rest.
fn is_declared_once(component: &Component, (element, rule, index): Place) -> bool {
    let rules = &component.elements[element].rules;
    let own = &rules[rule];
    let name = &own.declarations[index].name;
    let mut others = rules.iter().filter(|other| other.pseudo == own.pseudo);
    let says = |other: &Rule| other.declarations.iter().any(|declared| declared.name == *name);
    own.condition.is_empty() && own.state.is_none() && others.all(|other| std::ptr::eq(other, own) || !says(other))
}

fn declaration(component: &mut Component, (element, rule, index): Place) -> &mut Declaration {
    &mut component.elements[element].rules[rule].declarations[index]
}

fn substitute(declaration: &mut Declaration, name: &str, value: &str) {
    declaration.value = declaration.value.replace(&format!("var({name})"), value);
}

/// Removes the declarations of a custom property from the root.
fn remove(component: &mut Component, name: &str) {
    let rules = component.elements.first_mut().map(|root| &mut root.rules);
    for rule in rules.into_iter().flatten() {
        rule.declarations.retain(|own| own.name != name);
    }
}

/// Returns the rules with one rule for each condition, state and pseudo-element, in the order of the normal form.
fn merge_rules(rules: &mut Vec<Rule>) {
    let mut at_rest: BTreeMap<_, Vec<Declaration>> = BTreeMap::new();
    let mut in_states = Vec::new();
    for rule in std::mem::take(rules) {
        match rule.state {
            None => at_rest
                .entry((rule.condition.rank(), rule.pseudo, rule.condition))
                .or_default()
                .extend(rule.declarations),
            Some(_) => in_states.push(rule),
        }
    }
    let merged = at_rest.into_iter().map(|((_, pseudo, condition), mut declarations)| {
        declarations.sort_by(|a, b| a.name.cmp(&b.name));
        Rule { condition, state: None, pseudo, declarations }
    });
    rules.extend(merged.chain(in_states));
}

/// Returns true if Tailwind's theme has a name for a value.
fn has_theme_name(value: &str) -> bool {
    let is_color = color::suffix(value).is_some_and(|suffix| !suffix.starts_with('['));
    is_color || font_stack::system_stack(value).is_some()
}
