//! Maintains the set of endpoints of a service.

use arc_swap::ArcSwap;
use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;
use thiserror::Error;
use tokio::time::Instant;
use tonic::transport::{self, Channel, Uri};

/// An address that cannot be that of a gRPC service.
#[derive(Debug, Error)]
#[error("`{address}` is no address of a gRPC service: {cause}. It looks like `http://host:50051`")]
pub struct InvalidEndpoint {
    address: String,
    cause: String,
}

/// A host name and port of a service.
#[derive(Debug)]
struct EndpointName {
    host: String,
    port: u16,
    /// The origin of requests.
    origin: Uri,
}

/// One endpoint: a process of the service.
#[derive(Debug)]
pub struct Endpoint {
    socket: SocketAddr,
    channel: Channel,
    /// Time until which other endpoints are preferred, in milliseconds of [`EndpointSet::born`]'s
    /// clock.
    rests_until: AtomicU64,
    born: Instant,
}

/// The endpoints of all names.
#[derive(Debug)]
pub struct EndpointSet {
    names: Vec<EndpointName>,
    known: ArcSwap<Vec<Arc<Endpoint>>>,
    turn: AtomicUsize,
    born: Instant,
    /// Time at which names are resolved again, in milliseconds since `born`.
    stale_at: AtomicU64,
    resolving: AtomicBool,
}

/// Lifetime of resolved addresses.
const FRESH_FOR: Duration = Duration::from_secs(5);
/// Time for which an endpoint that did not answer is tried last.
const REST: Duration = Duration::from_secs(2);
const RESOLVE_PATIENCE: Duration = Duration::from_secs(2);

impl EndpointSet {
    /// Creates a set for these addresses, such as `http://extractors:50051`. Names are resolved on first use.
    ///
    /// # Errors
    /// An address cannot be that of a gRPC service.
    pub fn new(addresses: &[String]) -> Result<Self, InvalidEndpoint> {
        let names = addresses.iter().map(|address| EndpointName::parse(address)).collect::<Result<_, _>>()?;
        Ok(Self {
            names,
            known: ArcSwap::default(),
            turn: AtomicUsize::new(0),
            born: Instant::now(),
            stale_at: AtomicU64::new(0),
            resolving: AtomicBool::new(false),
        })
    }

    /// Returns all endpoints, starting with the next one for each call; those that recently failed
    /// come last.
    pub async fn round_robin(self: &Arc<Self>) -> Vec<Arc<Endpoint>> {
        if self.known.load().is_empty() {
            self.resolve().await;
        } else if self.elapsed() >= self.stale_at.load(Ordering::Relaxed)
            && !self.resolving.swap(true, Ordering::AcqRel)
        {
            // In the background, so that the call need not wait.
            let endpoints = Arc::clone(self);
            tokio::spawn(async move {
                endpoints.resolve().await;
                endpoints.resolving.store(false, Ordering::Release);
            });
        }
        let mut endpoints = self.known.load().as_ref().clone();
        if !endpoints.is_empty() {
            let first = self.turn.fetch_add(1, Ordering::Relaxed) % endpoints.len();
            endpoints.rotate_left(first);
            endpoints.sort_by_key(|endpoint| endpoint.is_backing_off());
        }
        endpoints
    }

    /// Resolves the names. Endpoints that are still listed keep their connection; if a name cannot
    /// be resolved, the known endpoints are kept.
    pub async fn resolve(&self) {
        let before = self.known.load_full();
        let answers = futures::future::join_all(self.names.iter().map(EndpointName::resolve)).await;
        let mut by_socket: HashMap<SocketAddr, Arc<Endpoint>> =
            before.iter().map(|endpoint| (endpoint.socket, Arc::clone(endpoint))).collect();
        if answers.iter().any(Option::is_none) && !before.is_empty() {
            self.stale_at.store(self.elapsed() + millis(REST), Ordering::Relaxed);
            return;
        }
        let mut known: Vec<Arc<Endpoint>> = Vec::new();
        for (name, sockets) in self.names.iter().zip(answers) {
            for socket in sockets.into_iter().flatten() {
                if known.iter().any(|endpoint| endpoint.socket == socket) {
                    continue;
                }
                let endpoint = by_socket.remove(&socket);
                known.push(endpoint.unwrap_or_else(|| Arc::new(Endpoint::new(name, socket, self.born))));
            }
        }
        self.known.store(Arc::new(known));
        self.stale_at.store(self.elapsed() + millis(FRESH_FOR), Ordering::Relaxed);
    }

    fn elapsed(&self) -> u64 {
        millis(self.born.elapsed())
    }
}

impl EndpointName {
    fn parse(address: &str) -> Result<Self, InvalidEndpoint> {
        let invalid = |cause: &str| InvalidEndpoint { address: address.to_owned(), cause: cause.to_owned() };
        let origin: Uri = address.parse().map_err(|cause| invalid(&format!("{cause}")))?;
        if origin.scheme_str() != Some("http") {
            return Err(invalid("it is not http"));
        }
        let host = origin.host().ok_or_else(|| invalid("it has no host"))?;
        let host = host.trim_start_matches('[').trim_end_matches(']').to_owned();
        let port = origin.port_u16().unwrap_or(80);
        Ok(Self { host, port, origin })
    }

    /// Returns all addresses of the name, sorted; `None` if the resolver does not answer.
    #[expect(clippy::disallowed_methods, reason = "a name of our own fleet, from the settings, never from a page")]
    async fn resolve(&self) -> Option<Vec<SocketAddr>> {
        let lookup = tokio::net::lookup_host((self.host.as_str(), self.port));
        let answer = tokio::time::timeout(RESOLVE_PATIENCE, lookup).await;
        let found = answer.unwrap_or_else(|late| Err(late.into()));
        let found = found.inspect_err(|cause| {
            tracing::warn!(server.address = self.host, error = %cause, "cannot resolve the host name of a service");
        });
        let mut sockets: Vec<SocketAddr> = found.ok()?.collect();
        sockets.sort_unstable();
        sockets.dedup();
        (!sockets.is_empty()).then_some(sockets)
    }
}

impl Endpoint {
    fn new(name: &EndpointName, socket: SocketAddr, born: Instant) -> Self {
        let endpoint = transport::Endpoint::from(uri_of(socket))
            .origin(name.origin.clone())
            .connect_timeout(Duration::from_secs(2))
            .tcp_nodelay(true)
            .http2_keep_alive_interval(Duration::from_secs(10))
            .keep_alive_timeout(Duration::from_secs(5))
            .keep_alive_while_idle(true)
            // Pages are megabytes; with the default windows each would take a dozen round trips.
            .initial_stream_window_size(4 * 1024 * 1024)
            .initial_connection_window_size(16 * 1024 * 1024);
        Self { socket, channel: endpoint.connect_lazy(), rests_until: AtomicU64::new(0), born }
    }

    /// Returns the channel to the process.
    pub fn channel(&self) -> Channel {
        self.channel.clone()
    }

    /// Records that the endpoint did not answer.
    pub fn mark_unhealthy(&self) {
        self.rests_until.store(millis(self.born.elapsed() + REST), Ordering::Relaxed);
    }

    fn is_backing_off(&self) -> bool {
        millis(self.born.elapsed()) < self.rests_until.load(Ordering::Relaxed)
    }
}

fn uri_of(socket: SocketAddr) -> Uri {
    // A socket address is a valid authority.
    Uri::builder().scheme("http").authority(socket.to_string()).path_and_query("/").build().unwrap_or_default()
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    fn endpoints(addresses: &[&str]) -> Arc<EndpointSet> {
        let addresses: Vec<String> = addresses.iter().map(|address| (*address).to_owned()).collect();
        Arc::new(EndpointSet::new(&addresses).unwrap())
    }

    async fn ports(endpoints: &Arc<EndpointSet>) -> Vec<u16> {
        endpoints.round_robin().await.iter().map(|endpoint| endpoint.socket.port()).collect()
    }

    #[test]
    fn addresses_are_validated_on_creation() {
        for wrong in ["", "extractor", "https://extractor:50051", "http://", "ftp://x", "http://a b"] {
            let fault = EndpointSet::new(&[wrong.to_owned()]).unwrap_err().to_string();
            assert!(fault.contains("http://host:50051"), "{fault}");
        }
        for right in ["http://extractor:50051", "http://10.0.0.1:1", "http://[::1]:50051", "http://extractor"] {
            assert!(EndpointSet::new(&[right.to_owned()]).is_ok(), "{right}");
        }
    }

    #[tokio::test]
    async fn endpoints_take_turns_and_failed_ones_come_last() {
        let endpoints =
            endpoints(&["http://127.0.0.1:1", "http://127.0.0.1:2", "http://127.0.0.1:3", "http://127.0.0.1:3"]);
        assert_eq!(ports(&endpoints).await, [1, 2, 3]);
        assert_eq!(ports(&endpoints).await, [2, 3, 1]);
        endpoints.known.load()[2].mark_unhealthy();
        assert_eq!(ports(&endpoints).await, [1, 2, 3]);
        assert_eq!(ports(&endpoints).await, [1, 2, 3]);
        assert_eq!(ports(&endpoints).await, [2, 1, 3]);
    }

    #[tokio::test]
    async fn known_endpoints_keep_their_connection_when_resolved_again() {
        let endpoints = endpoints(&["http://localhost:1"]);
        endpoints.resolve().await;
        let before = endpoints.known.load_full();
        endpoints.resolve().await;
        let after = endpoints.known.load_full();
        assert!(!before.is_empty() && before.iter().zip(after.iter()).all(|(a, b)| Arc::ptr_eq(a, b)));
    }

    #[tokio::test]
    async fn unresolvable_names_add_and_remove_no_endpoints() {
        assert!(endpoints(&["http://no-such-host.invalid:1"]).round_robin().await.is_empty());
        let half = endpoints(&["http://127.0.0.1:1", "http://no-such-host.invalid:1"]);
        assert_eq!(ports(&half).await, [1], "the others are asked");
        half.resolve().await;
        assert_eq!(ports(&half).await, [1]);
    }
}
