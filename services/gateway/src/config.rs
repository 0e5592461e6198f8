//! What the gateway is told by the binary.

use limner_netguard::EgressPolicy;
use limner_runtime::http::PeerLimits;
use limner_types::Operation;
use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

/// Configuration of a [`crate::Gateway`].
#[derive(Debug, Clone)]
pub struct Config {
    /// Where to listen. Port 0 takes a free one.
    pub listen: SocketAddr,
    /// The address callers use, without `/v1`.
    pub public_url: String,
    /// Where metering's gRPC service is.
    pub metering_url: String,
    /// Which addresses may be asked for.
    pub policy: EgressPolicy,
    /// Which operations the fleet serves. The others answer 503, once everything else about the call is in order.
    pub served: fn(Operation) -> bool,
    /// Whether the fleet has a browser.
    pub renderer: bool,
    /// Longest address of a page, in bytes.
    pub max_url_bytes: usize,
    /// Longest request target, in bytes: an address with every byte percent-encoded, and the other parameters.
    pub max_target_bytes: usize,
    /// Most bytes of request headers.
    pub max_header_bytes: usize,
    /// Largest result, in bytes before compression. Leaves room for what is added around the lists that are cut at
    /// the result limit.
    pub max_result_bytes: usize,
    /// How many bytes of results are kept unpacked in this process.
    pub result_memory_bytes: usize,
    /// How many bytes of results may be on their way to callers beyond that.
    pub answer_bytes: usize,
    /// How long a call may take from its arrival to its result.
    pub call_deadline: Duration,
    /// How long a hold lives that nobody commits or releases. Longer than a call and the retries of its commit.
    pub hold_life: Duration,
    /// How long the caller of a finished call waits for a commit that does not go through. The commit itself is
    /// retried for as long as its hold lives, and for `late_commit` after that.
    pub commit_patience: Duration,
    /// How long a charge is tried after its hold has expired: metering honours it once, from what is left by then.
    pub late_commit: Duration,
    /// How long a leader of identical calls may be silent before another gateway takes its place.
    pub flight_ttl: Duration,
    /// How long an authenticated key is remembered in this process. Changes are announced; this is for those missed.
    pub key_memory: Duration,
    /// How far this machine's clock may be from the ledger's: until that long after midnight it begins no month of its
    /// own accord.
    pub clock_skew: Duration,
    /// Most calls waiting for work at once in this process.
    pub max_calls_in_flight: usize,
    /// Most connections at once.
    pub max_connections: usize,
    /// How long a client may take to send a request's headers, and how long a connection may idle.
    pub header_timeout: Duration,
    /// What clients are held to.
    pub peers: PeerLimits,
    /// A header in which a trusted proxy says where a request comes from; its last address counts.
    pub client_address_header: Option<String>,
    /// How many screenshots one address may ask for in a minute.
    pub screenshots_per_minute: u32,
    /// How long calls may go on once the process is asked to end.
    pub drain: Duration,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 8080)),
            public_url: "http://127.0.0.1:8080".to_owned(),
            metering_url: "http://127.0.0.1:8084".to_owned(),
            policy: EgressPolicy::default(),
            served: |_| true,
            renderer: false,
            max_url_bytes: 2_048,
            max_target_bytes: 16 * 1024,
            max_header_bytes: 16 * 1024,
            max_result_bytes: 16 * 1024 * 1024,
            result_memory_bytes: 32 * 1024 * 1024,
            answer_bytes: 160 * 1024 * 1024,
            call_deadline: Duration::from_secs(45),
            hold_life: Duration::from_secs(90),
            commit_patience: Duration::from_secs(3),
            late_commit: Duration::from_secs(600),
            flight_ttl: Duration::from_secs(5),
            key_memory: Duration::from_secs(30),
            clock_skew: Duration::from_secs(300),
            max_calls_in_flight: 4_096,
            max_connections: 10_000,
            header_timeout: Duration::from_secs(30),
            peers: PeerLimits::default(),
            client_address_header: None,
            screenshots_per_minute: 120,
            drain: Duration::from_secs(50),
        }
    }
}
