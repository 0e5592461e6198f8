//! Whole calls through a fleet.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod collector;
mod fairness;
mod render;
mod trace;
