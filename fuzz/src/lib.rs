//! Shared code of the targets: pages around fuzzed bytes, and the checks of what was written.
//!
//! A check panics: that is how a target tells the fuzzer that an answer is wrong.

pub mod input;
pub mod jsx;
pub mod markup;
pub mod page;
pub mod shopify;
pub mod texts;
pub mod vue;
