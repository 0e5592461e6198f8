//! Configuration of the egress role.

use limner_netguard::EgressTokenKey;
use std::net::SocketAddr;
use std::time::Duration;

/// Configuration of the proxy.
#[derive(Debug, Clone)]
pub struct Config {
    /// Address that browsers connect to. Port 0 picks a free port.
    pub listen: SocketAddr,
    /// Key for verifying egress tokens.
    pub token_key: EgressTokenKey,
    /// Maximum number of browser connections.
    pub max_connections: usize,
    /// Maximum number of connections of one page.
    pub max_connections_per_page: usize,
    /// Maximum number of page accounts; beyond it, new pages are refused.
    pub max_pages: usize,
    /// Time limit for an idle browser connection.
    pub idle: Duration,
    /// Time limit for connecting to a site.
    pub connect: Duration,
    /// Time limit for open tunnels after a shutdown was requested.
    pub drain: Duration,
}

impl Config {
    /// Returns the default limits.
    pub fn new(listen: SocketAddr, token_key: EgressTokenKey) -> Self {
        Self {
            listen,
            token_key,
            max_connections: 8_192,
            max_connections_per_page: 128,
            max_pages: 10_000,
            idle: Duration::from_secs(60),
            connect: Duration::from_secs(15),
            drain: Duration::from_secs(50),
        }
    }
}
