//! Values: component values, numbers with units, mathematical functions, and grammars.
//!
//! The public part is the tree of component values, which declarations contain ([`crate::property::ExpandedLonghand`]) and
//! colours are parsed from.

pub(crate) mod address;
pub(crate) mod component;
mod gradient;
mod linear_sum;
pub(crate) mod math;
pub(crate) mod number;
mod position_set;
pub(crate) mod syntax;
pub(crate) mod types;
pub(crate) mod units;

pub use component::{
    Component, function_name, parse_components, serialize, serialize_authored, serialize_exact, serialize_plain,
    split_commas,
};
pub use linear_sum::LinearSum;
pub use number::{format_decimal, format_number, format_percentage};
pub(crate) use units::Lengths;
