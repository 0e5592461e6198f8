//! States that elements can be in.

use serde::{Deserialize, Serialize};

/// A state that no markup tells, or one in which an element is the other way than its markup says. Whether it holds is the
/// caller's choice, for every element alike.
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
    /// A checkbox or radio button is checked that is not in the markup, or the other way round.
    Checked,
    /// The same of a control that is disabled.
    Disabled,
    /// The same of details or a dialog that is open.
    Open,
    /// The same of a field that shows its placeholder.
    PlaceholderShown,
    /// The same of a field whose value is valid.
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

    /// The name of the pseudo-class, without colon.
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

    /// The state of that name that no markup tells.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| !state.is_in_markup() && state.name().eq_ignore_ascii_case(name))
    }

    /// Whether markup tells it, so that here it means the opposite of that.
    pub fn is_in_markup(self) -> bool {
        matches!(self, Self::Checked | Self::Disabled | Self::Open | Self::PlaceholderShown | Self::Valid)
    }

    /// The state that an attribute alone tells.
    pub(crate) fn of_attribute(name: &str) -> Option<Self> {
        [Self::Checked, Self::Disabled, Self::Open].into_iter().find(|state| state.name() == name)
    }
}

/// A set of states.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, PartialOrd, Ord, Serialize, Deserialize)]
pub struct StateSet(u16);

impl StateSet {
    /// No state.
    pub const NONE: Self = Self(0);

    /// Whether the state is in the set.
    pub fn contains(self, state: State) -> bool {
        self.0 & (1 << state as u8) != 0
    }

    /// The set with one state more.
    #[must_use]
    pub fn with(self, state: State) -> Self {
        Self(self.0 | (1 << state as u8))
    }

    /// What both sets contain.
    #[must_use]
    pub fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Whether there is no state in it.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The states in it.
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
