//! Interaction states (`:hover`, `:checked`, `[open]`, …): which rules depend on them, on whose state, and the rules of a
//! component under them.

pub(super) mod box_sizing;
pub(super) mod compound_states;
pub(super) mod inherited_state_styles;
pub(super) mod interaction_states;
pub(super) mod pin_inherited;
pub(super) mod state_rules;
pub(super) mod state_sources;
pub(super) mod triggers;
