//! What the egress role is told.

use limner_netguard::PassKey;
use std::net::SocketAddr;
use std::time::Duration;

/// Configuration of the proxy.
#[derive(Debug, Clone)]
pub struct Config {
    /// Where browsers connect. Port 0 takes a free one.
    pub listen: SocketAddr,
    /// The key that passes are checked with.
    pub passes: PassKey,
    /// Most connections of browsers at once.
    pub max_connections: usize,
    /// Most connections of one page at once.
    pub max_connections_per_page: usize,
    /// Most pages that are kept account of; beyond them new ones are refused.
    pub max_pages: usize,
    /// How long a connection to a browser may idle.
    pub idle: Duration,
    /// How long a connection to a site may take.
    pub connect: Duration,
    /// How long tunnels may go on once the process is asked to end.
    pub drain: Duration,
}

impl Config {
    /// The usual limits.
    pub fn new(listen: SocketAddr, passes: PassKey) -> Self {
        Self {
            listen,
            passes,
            max_connections: 8_192,
            max_connections_per_page: 128,
            max_pages: 10_000,
            idle: Duration::from_secs(60),
            connect: Duration::from_secs(15),
            drain: Duration::from_secs(50),
        }
    }
}
