//! State triggers: the elements that must be in a state (hovered, focused, …) for rules to apply.

use super::interaction_states;
use super::interaction_states::INTERACTION_STATES;
use limner_component_model::model::{ElementId, StateTarget};
use limner_page::NodeId;

/// Sort key of interaction states: the index of one, then a second index for states of two elements.
pub(crate) type TriggerOrder = (usize, usize);

/// An interaction state of an element that changes the styles of the element at hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct StateTrigger {
    /// The interaction state, as an index in [`INTERACTION_STATES`].
    pub(crate) state: usize,
    /// The elements that have to be in the state, relative to the element at hand.
    pub(crate) target: StateTarget,
    /// One of the target elements.
    pub(crate) representative: NodeId,
    /// Number of blocks that it affects. Rules about an element that affects more blocks than others come after those
    /// about all.
    pub(crate) match_count: usize,
    /// The state in which the element at hand is while the target is another element, and the node at hand.
    pub(crate) own_state: Option<(usize, NodeId)>,
}

impl StateTrigger {
    /// Returns the sort key of its rules.
    pub(crate) fn sort_key(&self) -> (TriggerOrder, bool, usize, StateTarget) {
        (self.stage(), self.target == StateTarget::SelfElement, self.match_count, self.target)
    }

    /// Returns the sort key of its state. Rules about the states of two elements come after those about either, and
    /// before those about `:active`.
    pub(crate) fn stage(&self) -> TriggerOrder {
        match self.own_state {
            None => (self.state, 0),
            Some((own, _)) => (
                interaction_states::active_state_index().saturating_sub(1),
                1 + own * INTERACTION_STATES.len() + self.state,
            ),
        }
    }

    /// Returns true if the states and the elements are the same.
    pub(crate) fn has_same_condition(&self, other: &Self) -> bool {
        (self.state, self.target, self.own_state) == (other.state, other.target, other.own_state)
    }
}

/// The rules that blocks belong to: those of the theme in which a component is made, or those of the dark theme that it
/// has as well.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum RuleSet {
    Base,
    Dark,
}

impl RuleSet {
    pub(crate) const ALL: [Self; 2] = [Self::Base, Self::Dark];
}

/// Probe results: for each candidate, whether a block then matches; `None` if that is no change.
pub(crate) struct ProbeResults {
    pub(crate) candidates: Vec<(ElementId, Option<bool>)>,
    /// True if there are more candidates.
    pub(crate) is_cut: bool,
}
