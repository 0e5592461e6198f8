//! Whole calls through a fleet of one process a role.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod collector;
mod trace;
