//! Normalizes initial states. An element that starts `open` or `checked` gets base rules for the closed or unchecked
//! state plus a rule for its state, so that it shares its rules with elements that start closed: in a list of
//! questions, the one that starts open becomes an item like the others.
//!
//! Before → after, for an element that starts open: `opacity: 1` and `:not([open]) { opacity: 0 }` → `opacity: 0` and
//! `[open] { opacity: 1 }`.
//!
//! Reads and changes the rules. It stands after `prune-transitions` and `drop-identity-transforms`, which treat base rules
//! and those of states differently, and have to see them as the page has them.

use crate::capture::passes::{Draft, PassContext};
use limner_component_model::model::{
    Condition, Declaration, Element, ElementId, InteractionState, Rule, StateSourceListId, StateTarget,
};
use limner_style::property::Longhand;

/// Swaps the base and state rules of elements that start in such a state.
pub(crate) fn normalize_initial_states(context: &PassContext<'_, '_>, draft: &mut Draft) {
    let is_one: Vec<bool> = draft.component.state_sources.iter().map(|list| list.len() == 1).collect();
    let desktop = context.section.environments.environment(context.section.environments.desktop());
    let mut unstyled = context.baseline.styles(&desktop);
    let mut is_baseline_value = |element: ElementId, declaration: &Declaration| {
        let longhand = Longhand::from_name(&declaration.name).filter(|longhand| !longhand.is_inherited());
        let mut style = || context.baseline.style(&mut unstyled, (element, None), None);
        longhand.is_some_and(|longhand| style().get(longhand) == declaration.computed)
    };
    for (element, origin) in draft.component.elements.iter_mut().zip(&draft.origins) {
        for at in 0..element.rules.len() {
            let Some((base, action)) = find_initial_state_rule(element, at, &is_one) else { continue };
            swap_base_and_state(element, at, base, action);
            if element.rules[base].pseudo.is_none() {
                let turned: Vec<_> = element.rules[at].declarations.iter().map(|own| own.name.clone()).collect();
                let mut says_nothing =
                    |own: &Declaration| turned.contains(&own.name) && is_baseline_value(*origin, own);
                element.rules[base].declarations.retain(|own| !says_nothing(own));
            }
        }
        element.rules.retain(|rule| !rule.declarations.is_empty());
    }
}

/// Returns the index of the base rule that holds the values of the initial state, and that state. Returns `None` unless
/// swapping the two rules changes nothing: the base declares every property of the state rule, the state is that of one
/// element, and no other rule that might apply declares one of these properties.
fn find_initial_state_rule(element: &Element, at: usize, is_one: &[bool]) -> Option<(usize, InteractionState)> {
    let rule = &element.rules[at];
    let state = rule.state.as_ref().filter(|state| state.own.is_empty())?;
    let action = match state.all_of.as_slice() {
        [InteractionState::Closed] => InteractionState::Open,
        [InteractionState::Unchecked] => InteractionState::Checked,
        _ => return None,
    };
    let is_about_one = match state.target {
        StateTarget::SelfElement | StateTarget::Ancestor(_) => true,
        StateTarget::Sibling(_, StateSourceListId(list)) | StateTarget::Descendant(StateSourceListId(list)) => {
            is_one[list]
        }
        StateTarget::Within(..) => false,
    };
    let says = |other: &Rule, name: &str| other.declarations.iter().any(|own| own.name == name);
    let says_any = |other: &Rule| rule.declarations.iter().any(|own| says(other, &own.name));
    let always = Condition::default();
    let is_base = |other: &&Rule| other.state.is_none() && other.condition == always && other.pseudo == rule.pseudo;
    let base = element.rules.iter().position(|other| is_base(&other))?;
    let stands_alone = element.rules.iter().enumerate().all(|(place, other)| {
        let is_in_the_way = match &other.state {
            None => other.condition != always,
            Some(own) => own == state && place != at || place < at,
        };
        other.pseudo != rule.pseudo || !is_in_the_way || !says_any(other)
    });
    let says_all = rule.declarations.iter().all(|own| says(&element.rules[base], &own.name));
    (rule.condition == always && is_about_one && stands_alone && says_all).then_some((base, action))
}

/// Swaps the values of a state rule and of the base rule, and sets the state to `action`.
fn swap_base_and_state(element: &mut Element, at: usize, base: usize, action: InteractionState) {
    let mut declarations = std::mem::take(&mut element.rules[at].declarations);
    for own in &mut declarations {
        let same = |declaration: &&mut Declaration| declaration.name == own.name;
        if let Some(other) = element.rules[base].declarations.iter_mut().find(same) {
            std::mem::swap(own, other);
        }
    }
    let rule = &mut element.rules[at];
    rule.declarations = declarations;
    if let Some(state) = &mut rule.state {
        state.all_of = vec![action];
    }
}
