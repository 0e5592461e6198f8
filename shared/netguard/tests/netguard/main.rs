//! The client against real servers on loopback: hostile, slow and well-behaved ones.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod authority;
mod bodies;
mod hostile;
mod hostile_http2;
mod metrics;
mod overrides;
mod phases;
mod pool;
mod rebinding;
mod redirects;
mod support;
