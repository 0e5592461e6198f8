//! Stylesheets of a component: class names, selectors, shorter values and merged rules.

pub mod class_names;
pub mod keywords;
pub(super) mod merge_rules;
pub mod property_names;
pub mod references;
pub mod shorten_values;
pub mod split_list;
mod state_specificity;
pub(super) mod structural_selectors;
pub mod stylesheet;
mod tag_selectors;
