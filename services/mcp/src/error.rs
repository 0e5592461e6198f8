//! Failures to start or run the MCP server.

use std::net::SocketAddr;

/// A failure to start or run the MCP server.
#[derive(Debug, thiserror::Error)]
pub enum McpError {
    /// Cannot listen on the address.
    #[error("cannot listen on {address}: {cause}")]
    Listen {
        /// The configured address.
        address: SocketAddr,
        /// The operating system's error.
        cause: std::io::Error,
    },
    /// A setting is invalid.
    #[error("{0}")]
    Config(String),
    /// The client on standard input and output violates the protocol.
    #[error("the client: {0}")]
    Client(String),
}
