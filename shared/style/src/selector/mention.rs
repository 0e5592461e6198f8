//! Which states a selector is about.

use super::pseudo::PseudoClass;
use super::{Selectors, State, StateSet};
use selectors::parser::{Component, Selector};

/// Every state mentioned anywhere in a selector.
pub(crate) fn mentioned_states(selector: &Selector<Selectors>) -> StateSet {
    let mut found = Mentions::default();
    collect(selector, false, &mut found);
    found.wanted.iter().chain(found.excluded.iter()).collect()
}

/// Whether one element must be in a state that another must not be in: `ul:hover li:not(:hover)`.
pub(crate) fn sets_elements_apart(selector: &Selector<Selectors>) -> bool {
    let mut found = Mentions::default();
    collect(selector, false, &mut found);
    found.wanted.iter().any(|state| found.excluded.contains(state))
}

#[derive(Default)]
struct Mentions {
    wanted: StateSet,
    /// Inside of `:not()`.
    excluded: StateSet,
}

/// Parsing caps the nesting, so this can't run deep.
fn collect(selector: &Selector<Selectors>, is_excluded: bool, found: &mut Mentions) {
    let mut mention = |state| {
        let states = if is_excluded { &mut found.excluded } else { &mut found.wanted };
        *states = states.with(state);
    };
    for component in selector.iter_raw_match_order() {
        match component {
            Component::NonTSPseudoClass(PseudoClass::State(state)) => mention(*state),
            Component::NonTSPseudoClass(PseudoClass::Link("link")) => mention(State::Visited),
            Component::NonTSPseudoClass(PseudoClass::Checked) => mention(State::Checked),
            Component::NonTSPseudoClass(PseudoClass::Disabled | PseudoClass::Enabled) => mention(State::Disabled),
            Component::NonTSPseudoClass(PseudoClass::Open) => mention(State::Open),
            Component::NonTSPseudoClass(PseudoClass::PlaceholderShown) => mention(State::PlaceholderShown),
            Component::NonTSPseudoClass(PseudoClass::Valid | PseudoClass::Invalid) => mention(State::Valid),
            Component::AttributeInNoNamespaceExists { local_name, .. } => {
                State::of_attribute(&local_name.0).into_iter().for_each(&mut mention);
            }
            _ => {}
        }
    }
    for component in selector.iter_raw_match_order() {
        match component {
            Component::Is(list) | Component::Where(list) => {
                list.slice().iter().for_each(|inner| collect(inner, is_excluded, found));
            }
            Component::Negation(list) => list.slice().iter().for_each(|inner| collect(inner, !is_excluded, found)),
            Component::Has(list) => list.iter().for_each(|inner| collect(&inner.selector, is_excluded, found)),
            Component::NthOf(nth) => nth.selectors().iter().for_each(|inner| collect(inner, is_excluded, found)),
            Component::Slotted(inner) | Component::Host(Some(inner)) => collect(inner, is_excluded, found),
            _ => {}
        }
    }
}
