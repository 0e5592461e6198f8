//! Typed computed values: the keywords that other code decides by, and predicates on styles that are named after the
//! terms of the specifications.
//!
//! A style parses each of these keywords once, when the cascade stores it, so reading one is a copy of a byte.

mod display;
mod keywords;
mod predicates;

pub use display::Display;
pub use keywords::{
    BorderCollapse, BoxSizing, ContentVisibility, Direction, FlexDirection, FlexWrap, Float, ListStylePosition,
    Overflow, Position, TableLayout, Visibility, WhiteSpaceCollapse,
};

use crate::ComputedStyle;
use crate::property::Longhand;

macro_rules! typed {
    ($($field:ident $type:ident $longhand:ident;)*) => {
        /// The keywords of one style.
        #[derive(Debug, Clone, Copy, Default)]
        pub(crate) struct Keywords {
            $($field: $type,)*
        }

        impl Keywords {
            /// Returns the keywords of an element that inherits from one with these and declares nothing.
            pub(crate) fn inherited(self) -> Self {
                let initial = Self::default();
                Self {
                    $($field: if Longhand::$longhand.is_inherited() { self.$field } else { initial.$field },)*
                }
            }

            /// Stores a computed value, if the property is a typed one.
            pub(crate) fn set(&mut self, longhand: Longhand, value: &str) {
                match longhand {
                    $(Longhand::$longhand => self.$field = $type::parse(value).unwrap_or_default(),)*
                    _ => {}
                }
            }
        }

        impl ComputedStyle {
            $(
                #[doc = concat!("Returns the computed value of [`Longhand::", stringify!($longhand), "`].")]
                pub fn $field(&self) -> $type {
                    self.keywords.$field
                }
            )*
        }

        /// The properties whose values are typed.
        #[cfg(test)]
        const TYPED: &[Longhand] = &[$(Longhand::$longhand,)*];

        /// Returns the text of a typed value; `None` if `value` is none of the property's keywords.
        #[cfg(test)]
        fn parsed(longhand: Longhand, value: &str) -> Option<&'static str> {
            match longhand {
                $(Longhand::$longhand => $type::parse(value).map($type::as_str),)*
                _ => None,
            }
        }
    };
}

typed! {
    display Display Display;
    position Position Position;
    float Float Float;
    overflow_x Overflow OverflowX;
    overflow_y Overflow OverflowY;
    visibility Visibility Visibility;
    content_visibility ContentVisibility ContentVisibility;
    box_sizing BoxSizing BoxSizing;
    flex_direction FlexDirection FlexDirection;
    flex_wrap FlexWrap FlexWrap;
    table_layout TableLayout TableLayout;
    border_collapse BorderCollapse BorderCollapse;
    white_space_collapse WhiteSpaceCollapse WhiteSpaceCollapse;
    list_style_position ListStylePosition ListStylePosition;
    direction Direction Direction;
}

#[cfg(test)]
mod tests;
