//! The MCP server: the operations as tools for agents.
//!
//! Over HTTP (Streamable HTTP, revision 2026-07-28 and earlier ones) it serves signed-in users: every request carries
//! an access token, metering introspects it, and the call goes to the gateway on behalf of the account. Over standard
//! input and output it serves the user who started it, with a key or with extraction in the same process.
//!
//! It keeps no sessions, and has no credits and limits of its own: it turns the gateway's responses into text and
//! pages. Text that was read from a page is untrusted and stays text.

mod backend;
mod config;
mod error;
mod http;
mod json_rpc;
mod prompts;
mod recent_results;
mod server;
mod stdio;
mod tools;

pub use backend::{Backend, BackendResponse, CallError, Caller, GatewayBackend, KeyProvider, LocalBackend};
pub use config::{Config, Sessions};
pub use error::McpError;
pub use http::auth::{Introspect, Introspected};
pub use http::grants::Grants;
pub use http::keys::AccountKeys;
pub use server::McpServer;
pub use stdio::serve_stdio;
pub use tools::Tools;
