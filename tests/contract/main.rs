//! The API as its callers see it: every statement of the contract is asserted against the real binary.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod authentication;
mod cache;
mod hostile;
mod openapi;
mod parameters;
mod quota;
mod targets;
mod usage;
