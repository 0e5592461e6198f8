//! The bounds of a client and of one fetch.

use crate::policy::EgressPolicy;
use crate::resolve::Resolver;
use std::sync::Arc;
use std::time::Duration;

/// How a client is built.
#[derive(Debug, Clone)]
pub struct EgressOptions {
    /// What may be reached.
    pub policy: EgressPolicy,
    /// Certificate authorities trusted beside the public ones, as PEM.
    pub extra_ca_pem: Option<Vec<u8>>,
    /// The clock of each phase.
    pub timeouts: Timeouts,
    /// Most headers of a response.
    pub max_headers: usize,
    /// Most bytes of all headers of a response together. Below 8 KiB it is enforced after the head was read.
    pub max_header_bytes: usize,
    /// How long an unused connection is kept.
    pub idle_connection_life: Duration,
    /// Most unused connections kept per host.
    pub idle_connections_per_host: usize,
    /// Who resolves names; the system's configuration when absent.
    pub resolver: Option<Arc<dyn Resolver>>,
}

impl Default for EgressOptions {
    fn default() -> Self {
        Self {
            policy: EgressPolicy::default(),
            extra_ca_pem: None,
            timeouts: Timeouts::default(),
            max_headers: 256,
            max_header_bytes: 128 * 1024,
            idle_connection_life: Duration::from_secs(30),
            idle_connections_per_host: 8,
            resolver: None,
        }
    }
}

/// How long each phase may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// Asking for the addresses of a name.
    pub resolve: Duration,
    /// Opening a TCP connection to any of them.
    pub connect: Duration,
    /// The TLS handshake.
    pub tls: Duration,
    /// From the request to the complete response head, for each hop.
    pub first_byte: Duration,
    /// Between two pieces of the body.
    pub idle: Duration,
    /// Everything together; a fetch with an earlier deadline ends earlier.
    pub whole: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            resolve: Duration::from_secs(5),
            connect: Duration::from_secs(5),
            tls: Duration::from_secs(5),
            first_byte: Duration::from_secs(15),
            idle: Duration::from_secs(8),
            whole: Duration::from_secs(30),
        }
    }
}

/// How much of an answer is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Caps {
    /// Most bytes of the body after decompression.
    pub max_bytes: usize,
    /// Most redirects followed; one more fails.
    pub max_redirects: usize,
    /// What happens to a body over `max_bytes`.
    pub overflow: Overflow,
}

impl Default for Caps {
    fn default() -> Self {
        Self { max_bytes: 10 * 1024 * 1024, max_redirects: 10, overflow: Overflow::Fail }
    }
}

/// What happens to a body over its cap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Overflow {
    /// The fetch fails.
    Fail,
    /// The body is cut there, and marked as truncated.
    Truncate,
}
