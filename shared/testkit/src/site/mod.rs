//! Origin sites for tests, with responses that the test defines, well-behaved or not, and a record of requests.

mod raw;
mod reply;
mod serve;
mod tls;

pub use raw::RawServer;
pub use reply::CannedResponse;

use http::{HeaderMap, Method, Uri};
use std::collections::{BTreeMap, HashMap};
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::AbortHandle;

/// A request, as a site received it.
#[derive(Debug, Clone)]
pub struct RecordedRequest {
    /// Time of arrival.
    pub at: Instant,
    /// The method.
    pub method: Method,
    /// The requested host, without port, lower case.
    pub host: String,
    /// The path, without query.
    pub path: String,
    /// The query as sent, without `?`; empty if there is none.
    pub query: String,
    /// The headers.
    pub headers: HeaderMap,
    /// The peer's address.
    pub peer: SocketAddr,
}

impl RecordedRequest {
    fn new(request: &http::request::Parts, peer: SocketAddr) -> Self {
        let authority = request.uri.authority().map(|authority| authority.as_str());
        let header = request.headers.get(http::header::HOST).and_then(|host| host.to_str().ok());
        let host = authority.or(header).and_then(|authority| authority.parse::<Uri>().ok());
        let host = host.and_then(|uri| uri.host().map(str::to_ascii_lowercase)).unwrap_or_default();
        Self {
            at: Instant::now(),
            method: request.method.clone(),
            host,
            path: request.uri.path().to_owned(),
            query: request.uri.query().unwrap_or_default().to_owned(),
            headers: request.headers.clone(),
            peer,
        }
    }

    /// Returns a header's value as text; empty if it is missing.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }
}

/// A host (`None`: any) and a path (`None`: any).
type Route = (Option<String>, Option<String>);
type ReplyFn = Arc<dyn Fn(&RecordedRequest) -> CannedResponse + Send + Sync>;

/// The routes and recorded requests of a site, shared by its connections.
#[derive(Default)]
struct Site {
    routes: Mutex<HashMap<Route, ReplyFn>>,
    recorded: Mutex<Vec<RecordedRequest>>,
    changes: watch::Sender<u64>,
}

impl Site {
    fn answer(&self, request: &RecordedRequest) -> CannedResponse {
        let answer = {
            let routes = self.routes.lock().unwrap_or_else(PoisonError::into_inner);
            let (host, path) = (Some(request.host.clone()), Some(request.path.clone()));
            [(host.clone(), path.clone()), (None, path), (host, None), (None, None)]
                .iter()
                .find_map(|route| routes.get(route).cloned())
        };
        answer.map_or_else(|| CannedResponse::html("<h1>Nothing here</h1>").status(404), |answer| answer(request))
    }

    fn record(&self, request: RecordedRequest) {
        self.recorded.lock().unwrap_or_else(PoisonError::into_inner).push(request);
        self.changes.send_modify(|count| *count += 1);
    }
}

/// An origin site on a free loopback port. Stops on drop.
pub struct OriginServer {
    site: Arc<Site>,
    address: SocketAddr,
    ca_pem: Option<String>,
    accepting: AbortHandle,
}

impl OriginServer {
    /// Starts a plain HTTP site that answers 404 to all requests without a route.
    ///
    /// # Panics
    /// Panics if there is no free port.
    pub async fn start() -> Self {
        Self::listen(None).await
    }

    /// Starts an HTTPS site (HTTP/1.1 and HTTP/2) with a certificate for `names`, signed by a new CA.
    ///
    /// # Panics
    /// Panics if there is no free port or a name is invalid.
    pub async fn start_tls(names: &[&str]) -> Self {
        Self::listen(Some(tls::TlsIdentity::new(names))).await
    }

    async fn listen(identity: Option<tls::TlsIdentity>) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a free loopback port");
        let address = listener.local_addr().expect("a bound listener has an address");
        let site = Arc::new(Site::default());
        let (ca_pem, acceptor) = identity.map(|identity| (identity.ca_pem, identity.acceptor)).unzip();
        let accepting = tokio::spawn(serve::accept(listener, acceptor, site.clone())).abort_handle();
        Self { site, address, ca_pem, accepting }
    }

    /// Returns the listening address.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the port.
    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// Returns the certificate of the CA that signed this site's certificate, for clients to trust.
    ///
    /// # Panics
    /// Panics for a plain HTTP site.
    pub fn ca_pem(&self) -> &str {
        self.ca_pem.as_deref().expect("a site with TLS")
    }

    /// Returns the URL of a path, with the site's loopback address.
    pub fn url(&self, path: &str) -> String {
        self.url_at(&self.address.ip().to_string(), path)
    }

    /// Returns the URL of a path, with a host name that resolves to the site.
    pub fn url_at(&self, host: &str, path: &str) -> String {
        let scheme = if self.ca_pem.is_some() { "https" } else { "http" };
        format!("{scheme}://{host}:{}{path}", self.port())
    }

    /// Serves a reply at a path, for any host.
    pub fn on(&self, path: &str, reply: CannedResponse) -> &Self {
        self.on_request(path, move |_| reply.clone())
    }

    /// Serves a reply at a path of one host.
    pub fn on_host(&self, host: &str, path: &str, reply: CannedResponse) -> &Self {
        self.route(Some(host), Some(path), move |_| reply.clone())
    }

    /// Serves replies in turn at a path, then always the last one.
    ///
    /// # Panics
    /// Panics if there are no replies.
    pub fn on_each(&self, path: &str, replies: Vec<CannedResponse>) -> &Self {
        assert!(!replies.is_empty(), "at least one reply");
        let next = std::sync::atomic::AtomicUsize::new(0);
        self.on_request(path, move |_| {
            let turn = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            replies[turn.min(replies.len() - 1)].clone()
        })
    }

    /// Serves the replies of a function at a path.
    pub fn on_request(
        &self,
        path: &str,
        answer: impl Fn(&RecordedRequest) -> CannedResponse + Send + Sync + 'static,
    ) -> &Self {
        self.route(None, Some(path), answer)
    }

    /// Serves the replies of a function at every path without a route.
    pub fn fallback(&self, answer: impl Fn(&RecordedRequest) -> CannedResponse + Send + Sync + 'static) -> &Self {
        self.route(None, None, answer)
    }

    fn route(
        &self,
        host: Option<&str>,
        path: Option<&str>,
        answer: impl Fn(&RecordedRequest) -> CannedResponse + Send + Sync + 'static,
    ) -> &Self {
        let route = (host.map(str::to_ascii_lowercase), path.map(str::to_owned));
        self.site.routes.lock().unwrap_or_else(PoisonError::into_inner).insert(route, Arc::new(answer));
        self
    }

    /// Returns every request so far, in order of arrival.
    pub fn requests(&self) -> Vec<RecordedRequest> {
        self.site.recorded.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns the number of requests for a path.
    pub fn count(&self, path: &str) -> usize {
        self.requests().iter().filter(|request| request.path == path).count()
    }

    /// Returns the number of requests for each path.
    pub fn counts(&self) -> BTreeMap<String, usize> {
        let mut counts = BTreeMap::new();
        for request in self.requests() {
            *counts.entry(request.path).or_default() += 1;
        }
        counts
    }

    /// Waits until a path was requested at least `times` times.
    pub async fn wait_for(&self, path: &str, times: usize) {
        let mut changes = self.site.changes.subscribe();
        while self.count(path) < times {
            // The sender lives as long as the site.
            let _ = changes.changed().await;
        }
    }

    /// Deletes the recorded requests.
    pub fn clear_requests(&self) {
        self.site.recorded.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

impl Drop for OriginServer {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}
