//! Configuration of the gateway.

use crate::account_places::PlaceLimits;
use limner_netguard::EgressPolicy;
use limner_runtime::Secret;
use limner_runtime::http::PeerLimits;
use limner_types::Operation;
use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

/// Configuration of a [`crate::Gateway`].
#[derive(Debug, Clone)]
pub struct Config {
    /// Address to listen on. Port 0 picks a free port.
    pub listen: SocketAddr,
    /// Public URL of the API, without `/v1`.
    pub public_url: String,
    /// URL of metering's gRPC service.
    pub metering_url: String,
    /// Token that metering requires; `None`: none.
    pub metering_token: Option<Secret>,
    /// Policy for the URLs that may be requested.
    pub policy: EgressPolicy,
    /// The operations that the fleet serves. A valid call of another operation is answered with 503.
    pub served: fn(Operation) -> bool,
    /// True if the fleet has a browser.
    pub renderer: bool,
    /// Maximum length of a page's URL, in bytes.
    pub max_url_bytes: usize,
    /// Maximum length of a request target, in bytes: a URL with every byte percent-encoded, and the other parameters.
    pub max_target_bytes: usize,
    /// Maximum size of the request headers, in bytes.
    pub max_header_bytes: usize,
    /// Maximum size of a result, in bytes before compression. Leaves room for the data around lists that are cut at the
    /// result limit.
    pub max_result_bytes: usize,
    /// Capacity of this process's cache of unpacked results, in bytes.
    pub result_memory_bytes: usize,
    /// Capacity for further results that are being sent to callers, in bytes.
    pub response_bytes: usize,
    /// Time limit of a call, from its arrival to its result.
    pub call_deadline: Duration,
    /// Expected duration of a new call with a static read beyond which it is refused, because it would mostly wait.
    pub max_static_duration: Duration,
    /// The same for a call with a browser read.
    pub max_browser_duration: Duration,
    /// Lifetime of a hold that is neither committed nor released. Longer than a call: settings must give it 15 s more.
    /// `limner` takes it from the setting `metering.hold_life`; the default here is for tests.
    pub hold_life: Duration,
    /// Time for which the caller of a finished call waits for a failing commit. The commit itself is retried for as
    /// long as its hold lives, and for `late_commit` after that.
    pub commit_timeout: Duration,
    /// Time for which a charge is retried after its hold has expired: metering honours it once, from the credits that
    /// are left by then.
    pub late_commit: Duration,
    /// Time after which a silent leader of identical calls is replaced by another gateway.
    pub flight_ttl: Duration,
    /// Lifetime of an authenticated key in this process's cache. Changes are announced; this limit covers missed
    /// announcements.
    pub key_cache_ttl: Duration,
    /// Maximum deviation of this machine's clock from the ledger's: until that long after midnight it does not start a
    /// new month by itself.
    pub clock_skew: Duration,
    /// Maximum number of calls in this process that wait for work.
    pub max_calls_in_flight: usize,
    /// Numbers of calls of an account that do work at once.
    pub places: PlaceLimits,
    /// Maximum number of connections.
    pub max_connections: usize,
    /// Time limit for receiving a request's headers, and for an idle connection.
    pub header_timeout: Duration,
    /// Limits on client connections.
    pub peers: PeerLimits,
    /// Header in which a trusted proxy passes the client address; the last address in it counts.
    pub client_address_header: Option<String>,
    /// Maximum number of screenshots requested by one address per minute.
    pub screenshots_per_minute: u32,
    /// Time limit for calls in progress after a shutdown was requested.
    pub drain: Duration,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 8080)),
            public_url: "http://127.0.0.1:8080".to_owned(),
            metering_url: "http://127.0.0.1:8084".to_owned(),
            metering_token: None,
            policy: EgressPolicy::default(),
            served: |_| true,
            renderer: false,
            max_url_bytes: 2_048,
            max_target_bytes: 16 * 1024,
            max_header_bytes: 16 * 1024,
            max_result_bytes: 16 * 1024 * 1024,
            result_memory_bytes: 32 * 1024 * 1024,
            response_bytes: 160 * 1024 * 1024,
            call_deadline: Duration::from_secs(45),
            max_static_duration: Duration::from_secs(20),
            max_browser_duration: Duration::from_secs(30),
            hold_life: Duration::from_secs(120),
            commit_timeout: Duration::from_secs(3),
            late_commit: Duration::from_secs(600),
            flight_ttl: Duration::from_secs(5),
            key_cache_ttl: Duration::from_secs(30),
            clock_skew: Duration::from_secs(300),
            max_calls_in_flight: 4_096,
            places: PlaceLimits::default(),
            max_connections: 10_000,
            header_timeout: Duration::from_secs(30),
            peers: PeerLimits::default(),
            client_address_header: None,
            screenshots_per_minute: 120,
            drain: Duration::from_secs(50),
        }
    }
}
