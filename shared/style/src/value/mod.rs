//! Values: component values, numbers with units, mathematical functions, and the grammars they are held against.
//!
//! What is public here is the tree of component values: what declarations hold ([`crate::property::Declared`]) and what
//! colours are read from.

pub(crate) mod component;
mod gradient;
pub(crate) mod math;
pub(crate) mod number;
mod places;
pub(crate) mod syntax;
pub(crate) mod types;
pub(crate) mod units;

pub use component::{Component, parse_components, serialize, split_commas};
pub use number::format_number;
pub(crate) use units::Lengths;
