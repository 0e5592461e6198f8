//! Writes what the people who use assistive settings need and the page leaves out: animations stop where reduced motion is
//! preferred, and controls keep the outline of the browser where nothing else shows the focus. Keyframes that nothing names any
//! more go with it.
//!
//! Before → after: `animation: spin 2s infinite` → the same, and `animation: none` under `prefers-reduced-motion: reduce`;
//! `button:focus { outline: none }` → nothing.
//!
//! The component differs from the page on purpose, so this follows its verification.

use crate::model::{
    Component, Condition, Declaration, Element, InteractionState, PseudoElement, Rule, StateCondition, StateTarget,
};
use std::collections::BTreeSet;

/// Writes the rules of a component that the page leaves out.
pub fn assist(component: &mut Component) {
    for element in &mut component.elements {
        stop_animations(element);
        keep_focus_outline(element);
    }
    let rules = || component.elements.iter().flat_map(|element| &element.rules);
    let is_unknown = |own: &Declaration| own.name == "animation-name" && own.value.contains(['"', '\'', '(']);
    if rules().flat_map(|rule| &rule.declarations).any(is_unknown) {
        return;
    }
    let named: BTreeSet<String> = rules().flat_map(animations_of).collect();
    component.keyframes.retain(|own| named.contains(&own.name));
}

/// Adds a rule without animation for reduced motion to each animated box of an element that has none and is visible without
/// its animation.
fn stop_animations(element: &mut Element) {
    let animated: BTreeSet<Option<PseudoElement>> = element
        .rules
        .iter()
        .filter(|rule| rule.state.is_none() && !animations_of(rule).is_empty())
        .map(|rule| rule.pseudo)
        .collect();
    for pseudo in animated {
        let own = || element.rules.iter().filter(|rule| rule.pseudo == pseudo);
        let is_decided = own().any(|rule| {
            let is_about_motion = rule.condition.reduced_motion
                || rule.condition.at_rules.iter().any(|own| own.contains("reduced-motion"));
            is_about_motion && rule.declarations.iter().any(|own| own.name.starts_with("animation"))
        });
        if is_decided || own().any(is_start_of_animation) {
            continue;
        }
        let condition = Condition { reduced_motion: true, ..Condition::default() };
        let declaration =
            Declaration { name: "animation-name".into(), value: "none".to_owned(), computed: "none".to_owned() };
        let rank = condition.rank();
        let is_after = |rule: &Rule| rule.state.is_some() || rule.condition.rank() > rank;
        let at = element.rules.iter().position(is_after).unwrap_or(element.rules.len());
        let known = element.rules[..at]
            .iter_mut()
            .find(|rule| rule.condition == condition && rule.pseudo == pseudo && rule.state.is_none());
        match known {
            Some(rule) => {
                rule.declarations.push(declaration);
                rule.declarations.sort_by(|one, other| one.name.cmp(&other.name));
            }
            None => element.rules.insert(at, Rule { condition, state: None, pseudo, declarations: vec![declaration] }),
        }
    }
}

/// Returns the animations that a rule names, as they are written.
fn animations_of(rule: &Rule) -> Vec<String> {
    let named = rule.declarations.iter().filter(|own| own.name == "animation-name");
    let all = named.flat_map(|own| own.value.split(',')).map(|name| name.trim().to_owned());
    all.filter(|name| name != "none").collect()
}

/// Returns true for a rule that hides or moves its element until an animation has run.
fn is_start_of_animation(rule: &Rule) -> bool {
    let stays = rule.declarations.iter().any(|own| own.name == "animation-fill-mode" && own.computed != "none");
    rule.declarations.iter().any(|own| match own.name.as_ref() {
        "opacity" => own.computed == "0",
        "visibility" => own.computed == "hidden",
        "transform" | "translate" | "scale" | "clip-path" => stays && own.computed != "none",
        _ => false,
    })
}

/// Removes declarations against the outline of an element that can have the focus, if it has no other style for it.
fn keep_focus_outline(element: &mut Element) {
    let can_have_focus = element.is_interactive() || element.attribute("tabindex").is_some_and(|own| own.trim() == "0");
    let is_outline = |own: &Declaration| own.name.starts_with("outline");
    let is_visible = |own: &Declaration| match own.name.split('-').next().unwrap_or_default() {
        "outline" => own.name == "outline-style" && own.computed != "none",
        "background" | "border" | "box" | "color" | "text" => true,
        _ => false,
    };
    let shows = |rule: &Rule| is_about_focus(rule) && rule.declarations.iter().any(is_visible);
    // What depends on a theme, a width or another state is decided by the author.
    let is_conditional = |rule: &Rule| {
        let is_of_focus = |state: &StateCondition| {
            use InteractionState::{Active, Focus, FocusVisible, Hover};
            state.target == StateTarget::SelfElement
                && state.own.is_empty()
                && state.all_of.iter().all(|own| matches!(own, Active | Focus | FocusVisible | Hover))
        };
        rule.declarations.iter().any(is_outline)
            && !(rule.condition.is_empty() && rule.state.as_ref().is_none_or(is_of_focus))
    };
    if !can_have_focus || element.rules.iter().any(|rule| shows(rule) || is_conditional(rule)) {
        return;
    }
    let hides = |own: &Declaration| {
        matches!((&*own.name, &*own.computed), ("outline-style", "none") | ("outline-width", "0px"))
    };
    for rule in element.rules.iter_mut().filter(|rule| rule.pseudo.is_none()) {
        if rule.declarations.iter().any(hides) {
            rule.declarations.retain(|own| !is_outline(own));
        }
    }
    element.rules.retain(|rule| !rule.declarations.is_empty());
}

/// Returns true for a rule about the focus of its own element.
fn is_about_focus(rule: &Rule) -> bool {
    let is_focus = |state: &InteractionState| matches!(state, InteractionState::Focus | InteractionState::FocusVisible);
    rule.state
        .as_ref()
        .is_some_and(|state| state.target == StateTarget::SelfElement && state.all_of.iter().any(is_focus))
}

#[cfg(test)]
mod tests;
