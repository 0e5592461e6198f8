//! The table of interaction states: single states of an element, and combinations of them.

use crate::code::model::UserAction;
use limner_style::selector::{State as Action, StateSet};

/// An interaction state of one element: model states that hold at once, and the CSS states that hold with them.
pub(super) struct Act {
    /// In the order of [`UserAction`].
    pub(super) actions: &'static [UserAction],
    /// The CSS states that hold. The first ones, one for each of `actions`, are those that a selector must name to be
    /// about this state.
    pub(super) held: &'static [Action],
}

impl Act {
    const fn new(actions: &'static [UserAction], held: &'static [Action]) -> Self {
        Self { actions, held }
    }

    /// Returns the states that a selector for this interaction state names.
    pub(super) fn named(&self) -> &'static [Action] {
        &self.held[..self.actions.len()]
    }

    /// Returns all states that hold.
    pub(super) fn states(&self) -> StateSet {
        self.held.iter().copied().collect()
    }

    /// Returns the state sets of all interaction states that hold along with this one, such as that of `:hover` for
    /// `:active`. A rule block that applies in one of them may end in this one (`:hover:not(:active)`), although the
    /// element then looks as at rest.
    pub(super) fn lesser(&'static self) -> impl Iterator<Item = StateSet> {
        let is_part = |act: &&Act| act.named().iter().all(|state| self.held.contains(state));
        ACTS.iter().filter(is_part).filter(|act| act.actions != self.actions).map(Self::states)
    }
}

/// All interaction states, in the order of their rules. A state that markup sets (`open`, `checked`, …) stands for its
/// opposite, too.
pub(super) static ACTS: [Act; 30] = {
    use Action as A;
    use UserAction as U;
    [
        Act::new(&[U::Open], &[A::Open]),
        Act::new(&[U::PopoverOpen], &[A::PopoverOpen]),
        Act::new(&[U::Checked], &[A::Checked]),
        Act::new(&[U::PlaceholderShown], &[A::PlaceholderShown]),
        // A field that becomes valid or invalid has been filled in.
        Act::new(&[U::Valid], &[A::Valid, A::PlaceholderShown]),
        Act::new(&[U::UserValid], &[A::UserValid]),
        Act::new(&[U::UserInvalid], &[A::UserInvalid]),
        Act::new(&[U::FocusWithin], &[A::FocusWithin]),
        Act::new(&[U::Hover], &[A::Hover]),
        Act::new(&[U::Focus], &[A::Focus, A::FocusWithin]),
        Act::new(&[U::FocusVisible], &[A::FocusVisible, A::Focus, A::FocusWithin]),
        Act::new(&[U::Hover, U::Open], &[A::Hover, A::Open]),
        Act::new(&[U::Hover, U::Checked], &[A::Hover, A::Checked]),
        Act::new(&[U::Hover, U::PlaceholderShown], &[A::Hover, A::PlaceholderShown]),
        Act::new(&[U::Hover, U::Valid], &[A::Hover, A::Valid, A::PlaceholderShown]),
        Act::new(&[U::Focus, U::Checked], &[A::Focus, A::Checked, A::FocusWithin]),
        Act::new(&[U::Focus, U::PlaceholderShown], &[A::Focus, A::PlaceholderShown, A::FocusWithin]),
        Act::new(&[U::Focus, U::Valid], &[A::Focus, A::Valid, A::PlaceholderShown, A::FocusWithin]),
        Act::new(&[U::Focus, U::UserValid], &[A::Focus, A::UserValid, A::FocusWithin]),
        Act::new(&[U::Focus, U::UserInvalid], &[A::Focus, A::UserInvalid, A::FocusWithin]),
        Act::new(&[U::Hover, U::FocusWithin], &[A::Hover, A::FocusWithin]),
        Act::new(&[U::Hover, U::Focus], &[A::Hover, A::Focus, A::FocusWithin]),
        Act::new(&[U::FocusVisible, U::Checked], &[A::FocusVisible, A::Checked, A::Focus, A::FocusWithin]),
        Act::new(&[U::Hover, U::FocusVisible], &[A::Hover, A::FocusVisible, A::Focus, A::FocusWithin]),
        Act::new(&[U::Active], &[A::Active, A::Hover]),
        Act::new(&[U::Active, U::Checked], &[A::Active, A::Checked, A::Hover]),
        Act::new(&[U::Focus, U::Active], &[A::Focus, A::Active, A::Hover, A::FocusWithin]),
        Act::new(&[U::Disabled], &[A::Disabled]),
        Act::new(&[U::Hover, U::Disabled], &[A::Hover, A::Disabled]),
        Act::new(&[U::Checked, U::Disabled], &[A::Checked, A::Disabled]),
    ]
};

/// Returns the index of `:active`. Rules about the states of two elements come before those about `:active`.
pub(super) fn pressing() -> usize {
    ACTS.iter().position(|act| act.actions == [UserAction::Active]).unwrap_or(ACTS.len())
}

/// Returns the pairs of states in which a visitor acts on an element (`:hover`) while another element is in a state
/// that lasts: a tab is hovered whose field is checked. Each pair has the index of the element's own state first, then
/// that of the other element's state.
pub(super) fn while_acting() -> impl Iterator<Item = (usize, usize)> {
    use UserAction as U;
    let numbers = |wanted: &'static [U]| {
        let all = ACTS.iter().enumerate();
        all.filter(move |(_, act)| matches!(act.actions, [one] if wanted.contains(one))).map(|(at, _)| at)
    };
    const OWN: &[UserAction] = &[U::Hover, U::Focus, U::FocusVisible];
    const LASTING: &[UserAction] =
        &[U::Open, U::PopoverOpen, U::Checked, U::PlaceholderShown, U::Valid, U::UserValid, U::UserInvalid];
    numbers(OWN).flat_map(move |own| numbers(LASTING).map(move |at| (own, at)))
}
