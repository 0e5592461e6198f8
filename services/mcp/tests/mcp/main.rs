//! The MCP server over HTTP, with metering, a fake gateway, and tokens issued by the test.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod authentication;
mod calls;
mod cancelling;
mod protocol;
mod support;
