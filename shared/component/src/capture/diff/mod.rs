//! The difference between the page and the unstyled document: which longhands an element must declare, with which value, in
//! which environment.

pub(super) mod container_units;
mod declare;
mod font_sizes;
pub(super) mod ineffective;
pub(super) mod native_appearance;
pub(super) mod range_cover;
pub(super) mod registered_properties;
pub(super) mod rem_scaling;
pub(super) mod rule_builder;
pub(super) mod rule_resolver;
pub(super) mod style_pair;
pub(super) mod value_equivalence;
pub(super) mod value_reader;
pub(super) mod value_text;
pub(super) mod white_space_shorthand;
