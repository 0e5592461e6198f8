//! What the MCP server is told by the binary.

use limner_runtime::http::PeerLimits;
use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

/// The path below the server's address at which clients connect.
pub(crate) const PATH: &str = "/mcp";

/// Configuration of a [`crate::McpServer`].
#[derive(Debug, Clone)]
pub struct Config {
    /// Where to listen. Port 0 takes a free one.
    pub listen: SocketAddr,
    /// The address clients use, without trailing slash and without `/mcp`; `None`: where it listens.
    pub url: Option<String>,
    /// The authorization server: the console's address.
    pub console_url: String,
    /// Where the gateway is reached from here, without `/v1`.
    pub gateway_url: String,
    /// Where metering's gRPC services are.
    pub metering_url: String,
    /// Origins of web pages that may call, beside our own.
    pub allowed_origins: Vec<String>,
    /// How long it is believed that a token is good, or is none.
    pub token_memory: Duration,
    /// What clients are held to.
    pub peers: PeerLimits,
    /// How long requests under way may take once the process is asked to end.
    pub drain: Duration,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 8091)),
            url: None,
            console_url: "http://127.0.0.1:8090".to_owned(),
            gateway_url: "http://127.0.0.1:8080".to_owned(),
            metering_url: "http://127.0.0.1:50052".to_owned(),
            allowed_origins: Vec::new(),
            token_memory: Duration::from_secs(2),
            peers: PeerLimits::default(),
            drain: Duration::from_secs(50),
        }
    }
}
