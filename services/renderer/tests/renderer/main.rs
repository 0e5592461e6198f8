//! Visits in a real browser, through the real proxy, to sites of our own.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod denials;
mod hostile;
mod leaks;
mod soak;
mod support;
mod visits;
