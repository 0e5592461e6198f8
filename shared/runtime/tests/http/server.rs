//! A server with short limits, and peers that send arbitrary bytes.

use axum::Router;
use axum::body::{Body, Bytes};
use axum::routing::{get, post};
use hyper_util::service::TowerToHyperService;
use limner_runtime::http::{HttpLimits, MemoryBudget, Pace, PeerLimits};
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;

/// Time limit for a silent peer.
pub(crate) const TIMEOUT: Duration = Duration::from_millis(500);
/// Time limit for anything that must end by itself.
pub(crate) const IN_TIME: Duration = Duration::from_secs(30);
/// Larger than all buffers of a connection.
pub(crate) const LARGE: usize = 16 * 1024 * 1024;
pub(crate) const MIN_RATE: u32 = 200_000;
pub(crate) const MAX_HEAD_BYTES: usize = 64 * 1024;

pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    /// Number of large bodies in memory.
    pub(crate) bodies: Arc<AtomicUsize>,
    shutdown: CancellationToken,
}

/// A body that counts itself while it exists.
struct Counted(Vec<u8>, Arc<AtomicUsize>);

impl Counted {
    fn new(bytes: usize, count: &Arc<AtomicUsize>) -> Self {
        count.fetch_add(1, Ordering::SeqCst);
        Self(vec![b'x'; bytes], Arc::clone(count))
    }
}

impl AsRef<[u8]> for Counted {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.1.fetch_sub(1, Ordering::SeqCst);
    }
}

pub(crate) fn limits() -> HttpLimits {
    HttpLimits {
        max_connections: 20_000,
        peers: PeerLimits { pace: Pace { timeout: TIMEOUT, min_rate: MIN_RATE }, per_address_limit: None },
        header_timeout: TIMEOUT,
        memory_budget: MemoryBudget::new(1 << 30),
        max_header_bytes: MAX_HEAD_BYTES,
        max_streams: 100,
        drain_timeout: Duration::from_secs(20),
    }
}

impl Server {
    pub(crate) async fn start() -> Self {
        Self::start_with(limits()).await
    }

    pub(crate) async fn start_with(limits: HttpLimits) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let bodies = Arc::new(AtomicUsize::new(0));
        let of = |bytes: usize| {
            let bodies = Arc::clone(&bodies);
            get(move || async move { Body::from(Bytes::from_owner(Counted::new(bytes, &bodies))) })
        };
        let router = Router::new()
            .route("/", get(|| async { "done" }))
            .route("/small", of(100))
            .route("/large", of(LARGE))
            .route("/late", get(async || tokio::time::sleep(TIMEOUT * 4).await))
            .route("/length", post(|body: Bytes| async move { body.len().to_string() }));
        let service = TowerToHyperService::new(router);
        let shutdown = CancellationToken::new();
        let until = shutdown.clone();
        tokio::spawn(async move { limits.serve(listener, &until, |stream, _| (stream, service.clone())).await });
        Self { address, bodies, shutdown }
    }

    pub(crate) async fn connect(&self) -> TcpStream {
        TcpStream::connect(self.address).await.unwrap()
    }

    /// Checks that a well-behaved client is served.
    pub(crate) async fn assert_serves(&self) {
        let answer = self.exchange(b"GET / HTTP/1.1\r\nhost: a.test\r\nconnection: close\r\n\r\n").await;
        assert!(answer.starts_with("HTTP/1.1 200 ") && answer.ends_with("done"), "{answer}");
    }

    /// Sends `bytes` and reads until the server closes the connection.
    pub(crate) async fn exchange(&self, bytes: &[u8]) -> String {
        let mut stream = self.connect().await;
        // A server that rejects a request early may have closed the connection before everything is written.
        let _ = stream.write_all(bytes).await;
        read_to_end(&mut stream).await
    }

    /// Waits until all large bodies have been freed.
    pub(crate) async fn assert_bodies_are_freed(&self) {
        let freed = async {
            while self.bodies.load(Ordering::SeqCst) > 0 {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        let in_time = tokio::time::timeout(IN_TIME, freed).await.is_ok();
        assert!(in_time, "{} bodies stay in memory", self.bodies.load(Ordering::SeqCst));
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.shutdown.cancel();
    }
}

/// Reads until the server closes or resets the connection.
pub(crate) async fn read_to_end(stream: &mut TcpStream) -> String {
    let mut answer = Vec::new();
    let mut buffer = [0; 4_096];
    let reading = async {
        while let Ok(read @ 1..) = stream.read(&mut buffer).await {
            answer.extend_from_slice(&buffer[..read]);
        }
    };
    let ended = tokio::time::timeout(IN_TIME, reading).await.is_ok();
    let answer = String::from_utf8_lossy(&answer).into_owned();
    assert!(ended, "the connection stays open after {answer:?}");
    answer
}
