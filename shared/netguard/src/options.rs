//! Options of a client, and limits of a fetch.

use crate::policy::EgressPolicy;
use crate::resolve::Resolver;
use std::sync::Arc;
use std::time::Duration;

/// Options of a client.
#[derive(Debug, Clone)]
pub struct EgressOptions {
    /// The policy.
    pub policy: EgressPolicy,
    /// Additional trusted CA certificates, as PEM.
    pub extra_ca_pem: Option<Vec<u8>>,
    /// Time limits of each phase.
    pub timeouts: Timeouts,
    /// Maximum number of headers in a response.
    pub max_headers: usize,
    /// Maximum total size of a response's headers, in bytes. A limit below 8 KiB is checked after the head was read.
    pub max_header_bytes: usize,
    /// Time for which an unused connection is kept.
    pub idle_connection_ttl: Duration,
    /// Maximum number of unused connections per host.
    pub idle_connections_per_host: usize,
    /// Resolves names; if absent, with the system's configuration.
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
            idle_connection_ttl: Duration::from_secs(30),
            idle_connections_per_host: 8,
            resolver: None,
        }
    }
}

/// Time limits of each phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// Resolving a name.
    pub resolve: Duration,
    /// Opening a TCP connection to any of its addresses.
    pub connect: Duration,
    /// The TLS handshake.
    pub tls: Duration,
    /// From the request to the complete head of the response, for each hop.
    pub first_byte: Duration,
    /// Between two chunks of the body.
    pub idle: Duration,
    /// The whole fetch; an earlier deadline of the fetch takes precedence.
    pub total: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            resolve: Duration::from_secs(5),
            connect: Duration::from_secs(5),
            tls: Duration::from_secs(5),
            first_byte: Duration::from_secs(15),
            idle: Duration::from_secs(8),
            total: Duration::from_secs(30),
        }
    }
}

/// Limits of a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Caps {
    /// Maximum size of the body after decompression, in bytes.
    pub max_bytes: usize,
    /// Maximum number of redirects; one more is an error.
    pub max_redirects: usize,
    /// Treatment of a body over `max_bytes`.
    pub overflow: Overflow,
    /// Treatment of a body whose connection ends before the body does.
    pub early_end: EarlyEnd,
}

impl Default for Caps {
    fn default() -> Self {
        Self { max_bytes: 10 * 1024 * 1024, max_redirects: 10, overflow: Overflow::Fail, early_end: EarlyEnd::Fail }
    }
}

/// Treatment of a body over its limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Overflow {
    /// The fetch fails.
    Fail,
    /// The body is truncated, and marked as such.
    Truncate,
}

/// Treatment of a body whose connection ends before its length, or the last chunk, is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EarlyEnd {
    /// The fetch fails.
    Fail,
    /// The part that arrived is the body, as browsers show a page; it is marked as truncated.
    Keep,
}
