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

pub use component::{
    Component, function_name, parse_components, serialize, serialize_authored, serialize_exact, serialize_plain,
    split_commas,
};
pub use number::{format_number, format_percentage, format_plain};
pub(crate) use units::Lengths;
