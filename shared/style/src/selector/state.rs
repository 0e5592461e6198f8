//! Interaction states of elements.

use serde::{Deserialize, Serialize};

/// An interaction state: either one that markup cannot express (`:hover`), or one whose assumption inverts the state in
/// the markup (`:checked`). The caller chooses the states, which hold for every element alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// `:hover`
    Hover,
    /// `:focus`
    Focus,
    /// `:focus-visible`
    FocusVisible,
    /// `:focus-within`
    FocusWithin,
    /// `:active`
    Active,
    /// `:visited`
    Visited,
    /// `:target`
    Target,
    /// `:user-valid`
    UserValid,
    /// `:user-invalid`
    UserInvalid,
    /// `:popover-open`
    PopoverOpen,
    /// `:checked`: inverts the state of each checkbox and radio button in the markup.
    Checked,
    /// `:disabled`: inverts the state of each control.
    Disabled,
    /// `:open`: inverts the state of each `details` and `dialog`.
    Open,
    /// `:placeholder-shown`: inverts the state of each field.
    PlaceholderShown,
    /// `:valid`: inverts the state of each field.
    Valid,
}

impl State {
    /// Every state.
    pub const ALL: [Self; 15] = [
        Self::Hover,
        Self::Focus,
        Self::FocusVisible,
        Self::FocusWithin,
        Self::Active,
        Self::Visited,
        Self::Target,
        Self::UserValid,
        Self::UserInvalid,
        Self::PopoverOpen,
        Self::Checked,
        Self::Disabled,
        Self::Open,
        Self::PlaceholderShown,
        Self::Valid,
    ];

    /// Returns the name of the pseudo-class, without colon.
    pub fn name(self) -> &'static str {
        match self {
            Self::Hover => "hover",
            Self::Focus => "focus",
            Self::FocusVisible => "focus-visible",
            Self::FocusWithin => "focus-within",
            Self::Active => "active",
            Self::Visited => "visited",
            Self::Target => "target",
            Self::UserValid => "user-valid",
            Self::UserInvalid => "user-invalid",
            Self::PopoverOpen => "popover-open",
            Self::Checked => "checked",
            Self::Disabled => "disabled",
            Self::Open => "open",
            Self::PlaceholderShown => "placeholder-shown",
            Self::Valid => "valid",
        }
    }

    /// Returns the state of that name, if markup cannot express it.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| !state.is_in_markup() && state.name().eq_ignore_ascii_case(name))
    }

    /// Returns true if markup expresses the state, so that assuming it inverts the markup.
    pub fn is_in_markup(self) -> bool {
        matches!(self, Self::Checked | Self::Disabled | Self::Open | Self::PlaceholderShown | Self::Valid)
    }

    /// Returns the state that the attribute `name` alone expresses.
    pub(crate) fn from_attribute(name: &str) -> Option<Self> {
        [Self::Checked, Self::Disabled, Self::Open].into_iter().find(|state| state.name() == name)
    }
}

/// A set of states.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, PartialOrd, Ord, Serialize, Deserialize)]
pub struct StateSet(u16);

impl StateSet {
    /// No state.
    pub const NONE: Self = Self(0);

    /// Returns true if the state is in the set.
    pub fn contains(self, state: State) -> bool {
        self.0 & (1 << state as u8) != 0
    }

    /// Returns the set with one more state.
    #[must_use]
    pub fn with(self, state: State) -> Self {
        Self(self.0 | (1 << state as u8))
    }

    /// Returns the states that both sets contain.
    #[must_use]
    pub fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Returns true if the set is empty.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the states in the set.
    pub fn iter(self) -> impl Iterator<Item = State> {
        State::ALL.into_iter().filter(move |state| self.contains(*state))
    }
}

impl FromIterator<State> for StateSet {
    fn from_iter<I: IntoIterator<Item = State>>(states: I) -> Self {
        states.into_iter().fold(Self::NONE, Self::with)
    }
}

impl From<State> for StateSet {
    fn from(state: State) -> Self {
        Self::NONE.with(state)
    }
}
