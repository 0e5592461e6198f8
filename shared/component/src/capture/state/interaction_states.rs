//! The table of interaction states: single states of an element, and combinations of them.

use limner_component_model::model::InteractionState;
use limner_style::selector::{State as Action, StateSet};

/// An interaction state of one element: model states that hold at once, and the CSS states that hold with them.
pub(crate) struct InteractionStateSet {
    /// In the order of [`InteractionState`].
    pub(crate) model_states: &'static [InteractionState],
    /// The CSS states that hold. The first ones, one for each of `actions`, are those that a selector must name to be
    /// about this state.
    pub(crate) css_states: &'static [Action],
}

impl InteractionStateSet {
    const fn new(model_states: &'static [InteractionState], css_states: &'static [Action]) -> Self {
        Self { model_states, css_states }
    }

    /// Returns the states that a selector for this interaction state names.
    pub(crate) fn selector_states(&self) -> &'static [Action] {
        &self.css_states[..self.model_states.len()]
    }

    /// Returns all states that hold.
    pub(crate) fn states(&self) -> StateSet {
        self.css_states.iter().copied().collect()
    }

    /// Returns the state sets of all interaction states that hold along with this one, such as that of `:hover` for
    /// `:active`. A rule block that applies in one of them may end in this one (`:hover:not(:active)`), although the
    /// element then looks as at rest.
    pub(crate) fn implied_states(&'static self) -> impl Iterator<Item = StateSet> {
        let is_part =
            |state: &&InteractionStateSet| state.selector_states().iter().all(|state| self.css_states.contains(state));
        INTERACTION_STATES
            .iter()
            .filter(is_part)
            .filter(|state| state.model_states != self.model_states)
            .map(Self::states)
    }
}

/// All interaction states, in the order of their rules. A state that markup sets (`open`, `checked`, …) stands for its
/// opposite, too.
pub(crate) static INTERACTION_STATES: [InteractionStateSet; 30] = {
    use Action as A;
    use InteractionState as U;
    [
        InteractionStateSet::new(&[U::Open], &[A::Open]),
        InteractionStateSet::new(&[U::PopoverOpen], &[A::PopoverOpen]),
        InteractionStateSet::new(&[U::Checked], &[A::Checked]),
        InteractionStateSet::new(&[U::PlaceholderShown], &[A::PlaceholderShown]),
        // A field that becomes valid or invalid has been filled in.
        InteractionStateSet::new(&[U::Valid], &[A::Valid, A::PlaceholderShown]),
        InteractionStateSet::new(&[U::UserValid], &[A::UserValid]),
        InteractionStateSet::new(&[U::UserInvalid], &[A::UserInvalid]),
        InteractionStateSet::new(&[U::FocusWithin], &[A::FocusWithin]),
        InteractionStateSet::new(&[U::Hover], &[A::Hover]),
        InteractionStateSet::new(&[U::Focus], &[A::Focus, A::FocusWithin]),
        InteractionStateSet::new(&[U::FocusVisible], &[A::FocusVisible, A::Focus, A::FocusWithin]),
        InteractionStateSet::new(&[U::Hover, U::Open], &[A::Hover, A::Open]),
        InteractionStateSet::new(&[U::Hover, U::Checked], &[A::Hover, A::Checked]),
        InteractionStateSet::new(&[U::Hover, U::PlaceholderShown], &[A::Hover, A::PlaceholderShown]),
        InteractionStateSet::new(&[U::Hover, U::Valid], &[A::Hover, A::Valid, A::PlaceholderShown]),
        InteractionStateSet::new(&[U::Focus, U::Checked], &[A::Focus, A::Checked, A::FocusWithin]),
        InteractionStateSet::new(&[U::Focus, U::PlaceholderShown], &[A::Focus, A::PlaceholderShown, A::FocusWithin]),
        InteractionStateSet::new(&[U::Focus, U::Valid], &[A::Focus, A::Valid, A::PlaceholderShown, A::FocusWithin]),
        InteractionStateSet::new(&[U::Focus, U::UserValid], &[A::Focus, A::UserValid, A::FocusWithin]),
        InteractionStateSet::new(&[U::Focus, U::UserInvalid], &[A::Focus, A::UserInvalid, A::FocusWithin]),
        InteractionStateSet::new(&[U::Hover, U::FocusWithin], &[A::Hover, A::FocusWithin]),
        InteractionStateSet::new(&[U::Hover, U::Focus], &[A::Hover, A::Focus, A::FocusWithin]),
        InteractionStateSet::new(
            &[U::FocusVisible, U::Checked],
            &[A::FocusVisible, A::Checked, A::Focus, A::FocusWithin],
        ),
        InteractionStateSet::new(&[U::Hover, U::FocusVisible], &[A::Hover, A::FocusVisible, A::Focus, A::FocusWithin]),
        InteractionStateSet::new(&[U::Active], &[A::Active, A::Hover]),
        InteractionStateSet::new(&[U::Active, U::Checked], &[A::Active, A::Checked, A::Hover]),
        InteractionStateSet::new(&[U::Focus, U::Active], &[A::Focus, A::Active, A::Hover, A::FocusWithin]),
        InteractionStateSet::new(&[U::Disabled], &[A::Disabled]),
        InteractionStateSet::new(&[U::Hover, U::Disabled], &[A::Hover, A::Disabled]),
        InteractionStateSet::new(&[U::Checked, U::Disabled], &[A::Checked, A::Disabled]),
    ]
};

/// Returns the index of `:active`. Rules about the states of two elements come before those about `:active`.
pub(crate) fn active_state_index() -> usize {
    INTERACTION_STATES
        .iter()
        .position(|state| state.model_states == [InteractionState::Active])
        .unwrap_or(INTERACTION_STATES.len())
}

/// Returns the pairs of states in which a visitor acts on an element (`:hover`) while another element is in a state
/// that lasts: a tab is hovered whose field is checked. Each pair has the index of the element's own state first, then
/// that of the other element's state.
pub(crate) fn lasting_state_pairs() -> impl Iterator<Item = (usize, usize)> {
    use InteractionState as U;
    let numbers = |wanted: &'static [U]| {
        let all = INTERACTION_STATES.iter().enumerate();
        all.filter(move |(_, state)| matches!(state.model_states, [one] if wanted.contains(one))).map(|(at, _)| at)
    };
    const POINTER_AND_FOCUS_STATES: &[InteractionState] = &[U::Hover, U::Focus, U::FocusVisible];
    const LASTING_STATES: &[InteractionState] =
        &[U::Open, U::PopoverOpen, U::Checked, U::PlaceholderShown, U::Valid, U::UserValid, U::UserInvalid];
    numbers(POINTER_AND_FOCUS_STATES).flat_map(move |own| numbers(LASTING_STATES).map(move |at| (own, at)))
}
