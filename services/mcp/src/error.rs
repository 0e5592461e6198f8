//! What keeps the MCP server from standing.

use std::net::SocketAddr;

/// What keeps the MCP server from standing.
#[derive(Debug, thiserror::Error)]
pub enum McpError {
    /// The address cannot be listened on.
    #[error("cannot listen on {address}: {cause}")]
    Listen {
        /// The configured address.
        address: SocketAddr,
        /// The operating system's answer.
        cause: std::io::Error,
    },
    /// A setting makes no sense.
    #[error("{0}")]
    Config(String),
    /// The client on standard input and output does not speak the protocol.
    #[error("the client: {0}")]
    Client(String),
}
