//! CSS values: component values, colours, units and calculations, and the properties with the grammar of each.
//!
//! ```
//! use limner_css_values::color::{Scheme, parse};
//! use limner_css_values::property::{Longhand, expand};
//!
//! assert_eq!(parse("hsl(0 100% 50%)", Scheme::Light).unwrap().to_hex(), "#ff0000");
//! let longhands = expand("margin", "1px 2px").unwrap();
//! assert_eq!(longhands.iter().filter(|own| own.longhand == Longhand::MarginLeft).count(), 1);
//! assert!(expand("margin", "red").is_none());
//! ```
//!
//! Values here are values as declared: the cascade, `var()` and computed values are those of `limner-style`. Nesting
//! of functions, steps of a match and lengths of lists are capped.

pub mod color;
pub mod property;
pub mod value;
