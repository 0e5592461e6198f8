//! Stylesheets of a component: class names, selectors, shorter values and merged rules.

pub(super) mod class_names;
pub(super) mod merge_rules;
pub(super) mod shorten_values;
pub(super) mod structural_selectors;
pub(super) mod stylesheet;
pub(super) mod theme_isolation;
