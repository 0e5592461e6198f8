//! The interface as its callers see it: every sentence of the contract as an assertion against the real binary.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod authentication;
mod cache;
mod hostile;
mod parameters;
mod quota;
mod targets;
mod usage;
