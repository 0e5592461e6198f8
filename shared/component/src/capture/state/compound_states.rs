//! Relations between state triggers: which of them hold while another one holds, and which combinations are captured
//! because the page decides between them.

use super::interaction_states;
use super::interaction_states::{INTERACTION_STATES, InteractionStateSet};
use super::state_trigger::StateTrigger;
use crate::capture::diff::rule_resolver::RuleResolver;
use limner_component_model::model::{InteractionState, StateTarget};
use limner_page::NodeId;
use limner_style::selector::State as Action;

impl RuleResolver<'_> {
    /// Returns true if everything that `other` requires holds while `trigger` holds.
    pub(crate) fn implies(&self, trigger: &StateTrigger, other: &StateTrigger) -> bool {
        let own = |acted: Option<(usize, NodeId)>| {
            acted.map(|(state, at)| StateTrigger {
                state,
                target: StateTarget::SelfElement,
                representative: at,
                match_count: 0,
                own_state: None,
            })
        };
        let (alone, own_state) = (StateTrigger { own_state: None, ..*trigger }, own(trigger.own_state));
        let is_in = |other: &StateTrigger| {
            self.implies_on_one_element(&alone, other)
                || own_state.is_some_and(|own| self.implies_on_one_element(&own, other))
        };
        is_in(&StateTrigger { own_state: None, ..*other }) && own(other.own_state).is_none_or(|own| is_in(&own))
    }

    /// Same as [`Self::implies`], for triggers about the state of one element.
    fn implies_on_one_element(&self, trigger: &StateTrigger, other: &StateTrigger) -> bool {
        let (held, named) =
            (INTERACTION_STATES[trigger.state].css_states, INTERACTION_STATES[other.state].selector_states());
        let is_held = named.iter().all(|state| held.contains(state));
        let spreads = named.iter().all(|state| matches!(state, Action::Hover | Action::FocusWithin | Action::Active));
        let is_at = |at: NodeId| {
            at == other.representative
                || (spreads && self.section.view.document.is_inclusive_descendant(at, other.representative))
        };
        let at = || match (self.state_sources.source_list(trigger.target), self.state_sources.source_list(other.target))
        {
            (Some(own), Some(others)) => {
                trigger.target == other.target || own.iter().all(|id| others.binary_search(id).is_ok())
            }
            (None, Some(_)) => trigger.representative == other.representative,
            // Lists are in document order: if the first and the last element are inside `other.at`, all are.
            (Some([first, .., last]), None) => {
                [first, last].iter().all(|id| self.section.tree.node(**id).is_some_and(is_at))
            }
            _ => is_at(trigger.representative),
        };
        is_held && at()
    }
}

/// Returns the compound triggers (`:checked:focus`) whose parts each have rules. On the page, specificity decides
/// between the parts; it is not always the part whose rules come last in the component.
pub(crate) fn combined_triggers(triggers: &[StateTrigger]) -> Vec<StateTrigger> {
    let is_new = |trigger: &StateTrigger| !triggers.iter().any(|own| own.has_same_condition(trigger));
    let own = |actions: &[InteractionState]| {
        let does_all = |own: &&StateTrigger| {
            actions.iter().all(|action| INTERACTION_STATES[own.state].model_states.contains(action))
        };
        triggers.iter().find(|own| own.target == StateTarget::SelfElement && does_all(own)).copied()
    };
    // Most pages style disabled buttons, few style their `:hover`: combinations with `:disabled` are captured only if a
    // rule names them.
    let is_alive = |state: &InteractionStateSet| !state.model_states.contains(&InteractionState::Disabled);
    let several =
        INTERACTION_STATES.iter().enumerate().filter(|(_, state)| state.model_states.len() > 1 && is_alive(state));
    let to_one = several.filter_map(|(at, state)| {
        let mut parts = state.model_states.chunks(1);
        let first = own(parts.next()?)?;
        parts.all(|part| own(part).is_some()).then_some(StateTrigger { state: at, match_count: 0, ..first })
    });
    let to_two = interaction_states::lasting_state_pairs().flat_map(|(own_state, state)| {
        let own = own(INTERACTION_STATES[own_state].model_states).map(|own| (own_state, own.representative));
        let others = triggers.iter().filter(move |other| {
            own.is_some()
                && other.state == state
                && other.own_state.is_none()
                && other.target != StateTarget::SelfElement
        });
        others.map(move |other| StateTrigger { own_state: own, ..*other })
    });
    to_one.chain(to_two).filter(is_new).collect()
}
