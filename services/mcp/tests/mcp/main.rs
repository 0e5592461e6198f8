//! The MCP server over HTTP, with metering, a gateway that says what a test tells it to, and tokens that a test hands out.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod calls;
mod cancelling;
mod door;
mod kit;
mod protocol;
