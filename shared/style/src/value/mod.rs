//! Values: component values, numbers with units, mathematical functions, and the grammars they are held against.

pub(crate) mod component;
pub(crate) mod math;
pub(crate) mod number;
pub(crate) mod syntax;
pub(crate) mod types;
pub(crate) mod units;

pub(crate) use component::{Component, parse_components};
pub(crate) use units::Lengths;
