//! CSS as a browser sees it, without a browser: selectors, conditions, the cascade and computed values.
//!
//! Everything here is a pure function of a page's text. This crate never fetches, never reads a clock, never lays a
//! page out, and never panics on what a page contains: nesting, rule counts, selector complexity and substitution are
//! capped, and the time taken grows linearly with rules and with elements.

pub mod color;
pub mod property;
pub mod selector;
mod value;
