//! The HTTP server: listening, connections and shutdown.

use crate::account_directory::AccountDirectory;
use crate::account_places::AccountPlaces;
use crate::billing_month::BillingMonth;
use crate::cancellations::CancellableCalls;
use crate::config::Config;
use crate::dependencies::Dependencies;
use crate::error::GatewayError;
use crate::expired_objects::remove_expired_objects;
use crate::guarded_stream::ClientStream;
use crate::local_rate_limit::LocalRateLimiter;
use crate::middleware::RequestPipeline;
use crate::parsed_request_cache::ParsedRequestCache;
use crate::result_cache::ResultCache;
use crate::screenshot_rate_limit::ScreenshotRateLimiter;
use crate::settlement::HoldSettler;
use crate::state::GatewayState;
use crate::unpacked_result::ResultUnpacker;
use crate::usage_recorder::UsageRecorder;
use axum::body::Body;
use hyper::service::service_fn;
use limner_runtime::http::{HttpLimits, MemoryBudget};
use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// The gateway: HTTP/1.1 and HTTP/2 without TLS (a proxy in front terminates TLS).
pub struct Gateway {
    listener: TcpListener,
    address: SocketAddr,
    state: Arc<GatewayState>,
    envelope: Arc<RequestPipeline>,
    history: JoinHandle<()>,
    invalidations: JoinHandle<()>,
}

/// Larger than our own limits, so that a request slightly above them gets an error body from us.
const MAX_HEAD_BYTES: usize = 128 * 1024;
const MAX_STREAMS: u32 = 100;
/// Time limit for sending the last usage history.
const HISTORY_TIMEOUT: Duration = Duration::from_secs(5);

impl Gateway {
    /// Binds the listening socket.
    ///
    /// # Errors
    /// The socket cannot be bound.
    pub async fn bind(config: Config, mut backend: Dependencies) -> Result<Self, GatewayError> {
        let listen = |cause| GatewayError::Listen { address: config.listen, cause };
        let listener = TcpListener::bind(config.listen).await.map_err(listen)?;
        let address = listener.local_addr().map_err(listen)?;
        let calendar = Arc::new(BillingMonth::new(config.clock_skew));
        let (history, sending) = UsageRecorder::new(Arc::clone(&backend.metering), Arc::clone(&calendar));
        let news = std::mem::replace(&mut backend.invalidations, Box::pin(futures::stream::empty()));
        let state = Arc::new(state(config, &backend, history, calendar));
        let cancelled = backend.cancellations.take_events();
        let (news, cancelled) =
            (Arc::clone(&state.directory).follow(news), state.cancellable_calls.clone().follow(cancelled));
        let news = tokio::spawn(async move {
            tokio::join!(news, cancelled);
        });
        let envelope = Arc::new(RequestPipeline::new(Arc::clone(&state)));
        Ok(Self { listener, address, state, envelope, history: tokio::spawn(sending), invalidations: news })
    }

    /// Returns the listening address.
    pub fn local_addr(&self) -> SocketAddr {
        self.address
    }

    /// Serves until `shutdown`, then drains: accepts no new connections, finishes the calls in progress, including
    /// those without a caller, and settles their holds.
    ///
    /// # Errors
    /// None at present; errors of a single connection do not end the server.
    pub async fn run(self, shutdown: CancellationToken) -> Result<(), GatewayError> {
        let Self { listener, state, envelope, history, invalidations: news, .. } = self;
        let limits = HttpLimits {
            max_connections: state.config.max_connections,
            peers: state.config.peers.clone(),
            header_timeout: state.config.header_timeout,
            memory_budget: state.memory_budget.clone(),
            max_header_bytes: MAX_HEAD_BYTES,
            max_streams: MAX_STREAMS,
            drain_timeout: state.config.drain,
        };
        let removing = state
            .screenshots
            .clone()
            .map(|objects| tokio::spawn(remove_expired_objects(shutdown.clone(), objects, state.cache.result_ttl())));
        let connect = |stream, peer: SocketAddr| {
            let envelope = Arc::clone(&envelope);
            let service = service_fn(move |request: http::Request<Body>| {
                let envelope = Arc::clone(&envelope);
                // Boxed: it has several kilobytes, and each layer of the server would move them.
                Box::pin(async move { Ok::<_, Infallible>(envelope.respond(request, peer.ip()).await) })
            });
            (ClientStream::new(stream), service)
        };
        let drained = limits.serve(listener, &shutdown, connect).await;
        state.tasks.close();
        let finished = tokio::time::timeout_at(drained.deadline, state.tasks.wait()).await;
        if finished.is_err() {
            tracing::warn!(drain.calls = state.tasks.len(), "shutdown timed out with work left");
        }
        news.abort();
        if let Some(removing) = removing {
            removing.abort();
        }
        // The recorder ends when its last sender is dropped.
        drop((envelope, state));
        if tokio::time::timeout(HISTORY_TIMEOUT, history).await.is_err() {
            tracing::warn!("cannot send the last usage history");
        }
        Ok(())
    }
}

/// Builds the state of a gateway.
fn state(config: Config, backend: &Dependencies, history: UsageRecorder, calendar: Arc<BillingMonth>) -> GatewayState {
    let tasks = TaskTracker::new();
    let (cache, metering) = (backend.cache.clone(), Arc::clone(&backend.metering));
    let directory = AccountDirectory::new(cache, metering, config.key_cache_ttl, Arc::clone(&calendar));
    let memory_budget = MemoryBudget::new(config.response_bytes + config.result_memory_bytes);
    let timeout = config.peers.pace.timeout;
    GatewayState {
        cache: backend.cache.clone(),
        metering: Arc::clone(&backend.metering),
        dispatcher: Arc::clone(&backend.dispatcher),
        directory: Arc::new(directory),
        calendar,
        flights: Arc::default(),
        cancellable_calls: CancellableCalls::new(&backend.cancellations),
        history,
        settlement: HoldSettler::new(Arc::clone(&backend.metering), tasks.clone()),
        in_flight: Semaphore::new(config.max_calls_in_flight),
        places: Arc::new(AccountPlaces::new(backend.cache.clone(), config.places.clone(), tasks.clone())),
        static_load: Arc::default(),
        browser_load: Arc::default(),
        screenshots: backend.screenshots.clone(),
        screenshot_rate_limiter: ScreenshotRateLimiter::new(config.screenshots_per_minute),
        unpacker: ResultUnpacker::new(
            config.max_result_bytes,
            memory_budget.clone(),
            timeout,
            backend.screenshots.clone(),
        ),
        memory_budget,
        has_browser: Arc::clone(&backend.has_browser),
        rate_limiter: LocalRateLimiter::default(),
        result_cache: ResultCache::new(config.result_memory_bytes as u64),
        parsed_requests: ParsedRequestCache::default(),
        tasks,
        config,
    }
}
