//! Passes over the finished rules or the tree of a component. `capture` lists them in their order.

pub(super) mod identity_transforms;
pub(super) mod initial_state;
pub(super) mod presentation_attributes;
pub(super) mod prune_transitions;
pub(super) mod prune_wrappers;
pub(super) mod registered_properties;
pub(super) mod whitespace;
