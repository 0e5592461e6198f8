//! Which user-action states a selector is about.

use super::pseudo::PseudoClass;
use super::{Selectors, StateSet};
use selectors::parser::{Component, Selector};

/// Every state mentioned anywhere in a selector.
pub(crate) fn mentioned_states(selector: &Selector<Selectors>) -> StateSet {
    let mut states = StateSet::NONE;
    collect(selector, &mut states);
    states
}

/// Parsing caps the nesting, so this can't run deep.
fn collect(selector: &Selector<Selectors>, states: &mut StateSet) {
    for component in selector.iter_raw_match_order() {
        match component {
            Component::NonTSPseudoClass(PseudoClass::State(state)) => *states = states.with(*state),
            Component::NonTSPseudoClass(PseudoClass::Link("link")) => *states = states.with(super::State::Visited),
            Component::Is(list) | Component::Where(list) | Component::Negation(list) => {
                list.slice().iter().for_each(|inner| collect(inner, states));
            }
            Component::Has(list) => list.iter().for_each(|inner| collect(&inner.selector, states)),
            Component::NthOf(nth) => nth.selectors().iter().for_each(|inner| collect(inner, states)),
            Component::Slotted(inner) | Component::Host(Some(inner)) => collect(inner, states),
            _ => {}
        }
    }
}
