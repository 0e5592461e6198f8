//! Configuration of the MCP server.

use limner_runtime::Secret;
use limner_runtime::http::PeerLimits;
use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

/// Path of the MCP endpoint.
pub(crate) const PATH: &str = "/mcp";

/// Configuration of a [`crate::McpServer`].
#[derive(Debug, Clone)]
pub struct Config {
    /// Address to listen on. Port 0 picks a free port.
    pub listen: SocketAddr,
    /// Public URL without trailing slash and `/mcp`; `None`: the listening address.
    pub url: Option<String>,
    /// The authorization server: the console's URL.
    pub console_url: String,
    /// URL of the gateway as reached from here, without `/v1`.
    pub gateway_url: String,
    /// URL of metering's gRPC services.
    pub metering_url: String,
    /// Token that metering requires; `None`: none.
    pub metering_token: Option<Secret>,
    /// Additional origins of web pages that may call.
    pub allowed_origins: Vec<String>,
    /// Cache lifetime of a token's introspection, valid or not.
    pub token_cache_ttl: Duration,
    /// Limits on client connections.
    pub peers: PeerLimits,
    /// Time limit for requests in progress after a shutdown was requested.
    pub drain: Duration,
}

/// Session support for clients of revisions before 2026-07-28.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sessions {
    /// No sessions: any process answers any request.
    None,
    /// Sessions in this process: a handler may send requests to its clients while it answers them. The tools never do.
    InProcess,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 8091)),
            url: None,
            console_url: "http://127.0.0.1:8090".to_owned(),
            gateway_url: "http://127.0.0.1:8080".to_owned(),
            metering_url: "http://127.0.0.1:50052".to_owned(),
            metering_token: None,
            allowed_origins: Vec::new(),
            token_cache_ttl: Duration::from_secs(2),
            peers: PeerLimits::default(),
            drain: Duration::from_secs(50),
        }
    }
}
