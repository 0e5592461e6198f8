//! Normalizes an element's rules before they become blocks: simplifies `calc()` and declares
//! defaults that utilities would otherwise override.

use super::ems;
use super::variant::Guard;
use crate::code::math::{self, Lengths};
use crate::code::model::{PseudoElement, Rule, State, StateOf, UserAction};
use std::collections::BTreeMap;

/// Declarations under a guard, in the order of the model.
pub(super) type Guarded = (Guard, BTreeMap<String, String>);

/// Normalizes the rules of one element or pseudo-element. `em` is its font size in pixels, if it is
/// constant.
pub(super) fn prepare(rules: &[Rule], pseudo: Option<PseudoElement>, em: Option<f64>) -> Vec<Guarded> {
    let mut guarded: Vec<Guarded> = rules
        .iter()
        .filter(|rule| rule.pseudo == pseudo)
        .map(|rule| {
            let guard = Guard { condition: rule.condition.clone(), states: states(rule) };
            let declarations = rule.declarations.iter().map(|declaration| {
                let value = declaration.value.trim();
                let simple = math::simplified(&declaration.name, value, Lengths::Together);
                let value = simple.unwrap_or_else(|| value.to_owned());
                let named = ems::named(&declaration.name, &value, em);
                (declaration.name.to_string(), named.unwrap_or(value))
            });
            (guard, declarations.collect())
        })
        .collect();
    state_transition_defaults(&mut guarded);
    if matches!(pseudo, Some(PseudoElement::Before | PseudoElement::After)) {
        state_absence(&mut guarded);
    }
    guarded
}

/// Declares `content: none`. Every utility of a pseudo-element adds an empty `content`, so where
/// only some conditions declare content and others have utilities, the unconditional rule must say
/// that there is none.
fn state_absence(guarded: &mut Vec<Guarded>) {
    let has_content = |(_, declarations): &Guarded| declarations.contains_key("content");
    if guarded.iter().all(has_content) || guarded.iter().any(|own| own.0.is_open() && has_content(own)) {
        return;
    }
    let none = ("content".to_owned(), "none".to_owned());
    match guarded.iter_mut().find(|(guard, _)| guard.is_open()) {
        Some((_, declarations)) => drop(declarations.insert(none.0, none.1)),
        None => guarded.insert(0, (Guard::default(), BTreeMap::from([none]))),
    }
}

fn any(guarded: &[Guarded], property: &str) -> bool {
    guarded.iter().any(|(_, declarations)| declarations.contains_key(property))
}

/// Declares `transition-property: all`, the initial value, where only a duration and an easing are
/// declared. The defaults that its utility adds are already declared.
fn state_everything(guarded: &mut [Guarded]) {
    for (_, declarations) in guarded.iter_mut().filter(|(guard, _)| guard.is_open()) {
        if ["transition-duration", "transition-timing-function"].iter().all(|part| declarations.contains_key(*part)) {
            declarations.insert("transition-property".to_owned(), "all".to_owned());
        }
    }
}

/// Declares the initial duration and easing where the author declared none, since utilities for
/// `transition-property` add their own. A transition without a duration is dropped.
fn state_transition_defaults(guarded: &mut [Guarded]) {
    if !any(guarded, "transition-property") {
        return state_everything(guarded);
    }
    if !any(guarded, "transition-duration") {
        for (_, declarations) in guarded.iter_mut() {
            for property in
                ["transition-property", "transition-timing-function", "transition-delay", "transition-behavior"]
            {
                declarations.remove(property);
            }
        }
        return;
    }
    for (property, initial) in [("transition-timing-function", "ease"), ("transition-duration", "0s")] {
        let is_stated =
            guarded.iter().any(|(guard, declarations)| guard.is_open() && declarations.contains_key(property));
        if is_stated {
            continue;
        }
        for (_, declarations) in guarded.iter_mut() {
            let sets_property = declarations.get("transition-property").is_some_and(|value| value != "none");
            if sets_property && !declarations.contains_key(property) {
                declarations.insert(property.to_owned(), initial.to_owned());
            }
        }
    }
}

/// Returns the states of a rule, one entry per element they are about.
fn states(rule: &Rule) -> Vec<State> {
    let Some(state) = &rule.state else { return Vec::new() };
    let of = |of: StateOf, all: &[UserAction]| State { of, all: all.to_vec(), meanwhile: Vec::new() };
    let own = (!state.meanwhile.is_empty()).then(|| of(StateOf::Itself, &state.meanwhile));
    std::iter::once(of(state.of, &state.all)).chain(own).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::model::{Condition, Declaration};

    fn rule(below_width: Option<u32>, declarations: &[(&'static str, &str)]) -> Rule {
        let declaration = |(name, value): &(&'static str, &str)| Declaration {
            name: (*name).into(),
            value: (*value).to_owned(),
            computed: (*value).to_owned(),
        };
        Rule {
            condition: Condition { below_width, ..Condition::default() },
            state: None,
            pseudo: Some(PseudoElement::After),
            declarations: declarations.iter().map(declaration).collect(),
        }
    }

    #[test]
    fn content_none_is_declared_where_utilities_would_add_content() {
        let content = ("content", "\"\"");
        let color = ("color", "red");
        for (rules, stated) in [
            (vec![rule(None, &[color]), rule(Some(900), &[content])], Some("none")),
            (vec![rule(Some(900), &[content]), rule(Some(600), &[color])], Some("none")),
            (vec![rule(Some(900), &[content, color])], None),
            (vec![rule(None, &[content]), rule(Some(900), &[color])], Some("\"\"")),
        ] {
            let prepared = prepare(&rules, Some(PseudoElement::After), None);
            let open = prepared.iter().find(|(guard, _)| guard.is_open());
            let found = open.and_then(|(_, declarations)| declarations.get("content"));
            assert_eq!(found.map(String::as_str), stated, "{rules:?}");
        }
    }
}
