//! Values: component values, numbers with units, mathematical functions, and grammars.
//!
//! Declarations contain trees of component values ([`crate::property::ExpandedLonghand`]), and colours are parsed from them.

pub mod address;
pub mod component;
pub mod gradient;
mod linear_sum;
pub mod math;
pub mod number;
mod position_set;
pub mod syntax;
mod transform;
pub mod types;
mod units;

pub use component::{
    Component, function_name, parse_components, serialize, serialize_authored, serialize_exact, serialize_plain,
    split_commas,
};
pub use linear_sum::LinearSum;
pub use number::{format_decimal, format_number, format_percentage};
pub use units::Lengths;
