//! Start states: elements that a page hides until a script or an entrance animation shows it.
//!
//! Animation libraries hide an element (`opacity: 0`, `visibility: hidden`, a transform) and show it as soon as it is in
//! view; loading screens cover the page until it is loaded. No visitor sees these states for long, so pages are read as
//! they are afterwards: the declarations that make up a start state do not take part in the cascade, and an overlay that
//! goes away has no box. What waits for an act of the visitor (menus, dialogs, tabs, tooltips) and text for screen readers
//! are no start states; [`contexts`] tells them apart.

mod contexts;
mod decorations;
mod detection;
mod first_slides;
mod fusion_slider;
mod hiding;
mod layer_slider;
mod lazy_backgrounds;
mod library_marks;
mod overlays;
mod revolution;
mod revolution_layers;
mod script_backgrounds;
mod script_calls;
mod script_sizes;
mod slider_sizes;
mod sliders;
pub(crate) mod states;
mod stretched_rows;
mod tilda;
mod ultimate_addons;

use crate::index::StyleIndex;
pub use lazy_backgrounds::is_lazy_background;
pub(crate) use states::StartStates;
pub use states::{StartEvidence, StartState};

impl StartEvidence {
    /// Returns true if the page says nothing about an entrance: the element is shown because it would leave a gap.
    pub fn is_assumed(self) -> bool {
        matches!(self, Self::Gap | Self::Headline)
    }
}

impl StyleIndex<'_> {
    /// Ends the start states of the page: elements have the styles that a visitor sees.
    #[must_use]
    pub fn with_start_states_ended(mut self) -> Self {
        self.start_states = detection::find(&self);
        self
    }

    /// Returns the start states that have been ended, in document order.
    pub fn start_states(&self) -> Vec<&StartState> {
        self.start_states.all()
    }
}

#[cfg(test)]
mod tests;
