//! The MCP server: the operations as tools for agents.
//!
//! Over HTTP (Streamable HTTP, revision 2026-07-28 and the ones before it) it serves those who have signed in: every
//! request brings an access token, metering says whose it is, and the call goes to the gateway as the account's own. Over
//! standard input and output it serves whoever started it, with a key or with the core in the same process.
//!
//! It keeps no sessions, and knows neither credits nor limits: what the gateway answers it puts into words and pages. What
//! was read from a page is a stranger's text and stays text.

mod backend;
mod config;
mod error;
mod http;
mod prompts;
mod recent;
mod server;
mod stdio;
mod tools;

pub use backend::{Answer, Backend, CallError, Caller, GatewayBackend, KeySource, LocalBackend};
pub use config::Config;
pub use error::McpError;
pub use http::auth::{Introspect, Introspected};
pub use http::grants::Grants;
pub use http::keys::AccountKeys;
pub use server::{McpServer, Sessions};
pub use stdio::serve_stdio;
pub use tools::Tools;
