//! Normalizes an element's rules before they become blocks: simplifies `calc()` and declares
//! defaults that utilities would otherwise override.

use super::em_resolution;
use super::variant::Guard;
use limner_component_model::calc_simplify;
use limner_component_model::calc_simplify::RemArithmetic;
use limner_component_model::model::{InteractionState, PseudoElement, Rule, StateCondition, StateTarget};
use std::collections::BTreeMap;

/// Declarations under a guard, in the order of the model.
pub(super) type GuardedDeclarations = (Guard, BTreeMap<String, String>);

/// Normalizes the rules of one element or pseudo-element. `em` is its font size in pixels, if it is
/// constant.
pub(super) fn prepare(rules: &[Rule], pseudo: Option<PseudoElement>, em: Option<f64>) -> Vec<GuardedDeclarations> {
    let mut guarded: Vec<GuardedDeclarations> = rules
        .iter()
        .filter(|rule| rule.pseudo == pseudo)
        .map(|rule| {
            let guard = Guard { condition: rule.condition.clone(), states: states(rule) };
            let declarations = rule.declarations.iter().map(|declaration| {
                let value = declaration.value.trim();
                let simple = calc_simplify::simplified(&declaration.name, value, RemArithmetic::Numeric);
                let value = simple.unwrap_or_else(|| value.to_owned());
                let named = em_resolution::named_length(&declaration.name, &value, em);
                (declaration.name.to_string(), named.unwrap_or(value))
            });
            (guard, declarations.collect())
        })
        .collect();
    end_instant_transitions(&mut guarded);
    state_transition_defaults(&mut guarded);
    if matches!(pseudo, Some(PseudoElement::Before | PseudoElement::After)) {
        declare_missing_content(&mut guarded);
    }
    guarded
}

/// Declares `content: none`. Every utility of a pseudo-element adds an empty `content`, so where
/// only some conditions declare content and others have utilities, the unconditional rule must say
/// that there is none.
fn declare_missing_content(guarded: &mut Vec<GuardedDeclarations>) {
    let has_content = |(_, declarations): &GuardedDeclarations| declarations.contains_key("content");
    if guarded.iter().all(has_content) || guarded.iter().any(|own| own.0.is_open() && has_content(own)) {
        return;
    }
    let none = ("content".to_owned(), "none".to_owned());
    match guarded.iter_mut().find(|(guard, _)| guard.is_open()) {
        Some((_, declarations)) => drop(declarations.insert(none.0, none.1)),
        None => guarded.insert(0, (Guard::default(), BTreeMap::from([none]))),
    }
}

/// Turns off the transitions that reduced motion ends within a millisecond: `transition-duration: 0.01ms` →
/// `transition-property: none`. Only scripts could tell the difference.
fn end_instant_transitions(guarded: &mut [GuardedDeclarations]) {
    let is_instant = |time: &str| {
        let milliseconds = time.strip_suffix("ms").map(|number| (number, 1.0));
        let (number, factor) = milliseconds.or_else(|| time.strip_suffix('s').map(|number| (number, 1000.0)))?;
        number.parse::<f64>().ok().map(|number| number * factor <= 1.0)
    };
    for (guard, declarations) in guarded.iter_mut().filter(|(guard, _)| guard.condition.reduced_motion) {
        let is_alone = guard.states.is_empty() && !declarations.contains_key("transition-property");
        let ends = declarations.get("transition-duration").is_some_and(|time| is_instant(time) == Some(true));
        if is_alone && ends {
            declarations.remove("transition-duration");
            declarations.insert("transition-property".to_owned(), "none".to_owned());
        }
    }
}

fn is_declared(guarded: &[GuardedDeclarations], property: &str) -> bool {
    guarded.iter().any(|(_, declarations)| declarations.contains_key(property))
}

/// Declares `transition-property: all`, the initial value, where only a duration and an easing are
/// declared. The defaults that its utility adds are already declared.
fn declare_transition_all(guarded: &mut [GuardedDeclarations]) {
    for (_, declarations) in guarded.iter_mut().filter(|(guard, _)| guard.is_open()) {
        if ["transition-duration", "transition-timing-function"].iter().all(|part| declarations.contains_key(*part)) {
            declarations.insert("transition-property".to_owned(), "all".to_owned());
        }
    }
}

/// Declares the initial duration and easing where the author declared none, since utilities for
/// `transition-property` add their own. A transition without a duration is dropped.
fn state_transition_defaults(guarded: &mut [GuardedDeclarations]) {
    if !is_declared(guarded, "transition-property") {
        return declare_transition_all(guarded);
    }
    if !is_declared(guarded, "transition-duration") {
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
fn states(rule: &Rule) -> Vec<StateCondition> {
    let Some(state) = &rule.state else { return Vec::new() };
    let of = |of: StateTarget, all: &[InteractionState]| StateCondition {
        target: of,
        all_of: all.to_vec(),
        own: Vec::new(),
    };
    let own = (!state.own.is_empty()).then(|| of(StateTarget::SelfElement, &state.own));
    std::iter::once(of(state.target, &state.all_of)).chain(own).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use limner_component_model::model::{Condition, Declaration};

    fn rule(below_width: Option<u32>, declarations: &[(&'static str, &str)]) -> Rule {
        let declaration = |(name, value): &(&'static str, &str)| Declaration {
            name: (*name).into(),
            value: (*value).to_owned(),
            computed: (*value).to_owned(),
        };
        Rule {
            condition: Condition { max_width_exclusive: below_width, ..Condition::default() },
            state: None,
            pseudo: Some(PseudoElement::After),
            declarations: declarations.iter().map(declaration).collect(),
        }
    }

    #[test]
    fn transitions_that_reduced_motion_ends_at_once_are_turned_off() {
        let [rest, mut reduced] = [("color .3s", "0.3s"), ("", "0.01ms")].map(|(_, time)| {
            let declarations = [("transition-property", "color"), ("transition-duration", time)];
            Rule { pseudo: None, ..rule(None, &declarations[usize::from(time == "0.01ms")..]) }
        });
        reduced.condition.reduced_motion = true;
        let prepared = prepare(&[rest, reduced], None, None);
        let [(_, rest), (_, reduced)] = prepared.as_slice() else { panic!("{prepared:?}") };
        assert_eq!((rest["transition-property"].as_str(), rest["transition-duration"].as_str()), ("color", "0.3s"));
        assert_eq!((reduced.len(), reduced["transition-property"].as_str()), (1, "none"));
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
