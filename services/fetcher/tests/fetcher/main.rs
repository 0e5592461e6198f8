//! The fetcher against real origins, NATS and Redis.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod documents;
mod extractor;
mod stylesheets;
mod support;
mod worker;
