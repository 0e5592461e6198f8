//! The styles of a page's elements while they are in a state.

use super::rendered_page::RenderedPage;
use limner_page::NodeId;
use limner_style::selector::{State, StateSet};
use limner_style::{ComputedStyle, Environment, Styles};
use std::sync::Arc;

/// States in which elements are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ElementState {
    Hover,
    Focus,
    Active,
    Disabled,
}

impl ElementState {
    pub(super) const ALL: [Self; 4] = [Self::Hover, Self::Focus, Self::Active, Self::Disabled];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Hover => "hover",
            Self::Focus => "focus",
            Self::Active => "active",
            Self::Disabled => "disabled",
        }
    }

    fn states(self) -> StateSet {
        match self {
            Self::Hover => StateSet::NONE.with(State::Hover),
            Self::Focus => StateSet::NONE.with(State::Focus).with(State::FocusVisible).with(State::FocusWithin),
            Self::Active => StateSet::NONE.with(State::Hover).with(State::Active),
            Self::Disabled => StateSet::NONE.with(State::Disabled),
        }
    }
}

/// Styles under each state, which holds for every element: what an element's ancestors are in with it.
pub(super) struct StateStyles<'i>([Styles<'i>; 4]);

impl<'i> StateStyles<'i> {
    pub(super) fn new(page: &RenderedPage<'i>) -> Self {
        Self(
            ElementState::ALL
                .map(|state| page.index.styles(&Environment { states: state.states(), ..page.environment.clone() })),
        )
    }

    pub(super) fn get(&mut self, node: NodeId, state: ElementState) -> Option<Arc<ComputedStyle>> {
        self.0[state as usize].get(node)
    }
}
