//! Interaction states (`:hover`, `:checked`, `[open]`, …): which rules depend on them, on whose state, and the rules of a
//! component under them.

mod box_sizing;
mod compound_states;
pub(super) mod inherited_state_styles;
mod interaction_states;
mod pin_inherited;
mod source_search;
mod state_rules;
pub(super) mod state_sources;
pub(super) mod state_trigger;
mod trigger_search;
