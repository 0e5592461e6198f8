//! Whole calls through a fleet.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod collector;
mod hostile_pages;
mod render;
mod trace;
