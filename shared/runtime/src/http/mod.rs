//! Serves HTTP/1.1 and HTTP/2 without TLS (a proxy in front terminates TLS): connections, limits on peers, and
//! shutdown.
//!
//! A hostile peer costs one connection and nothing else. It has to send the protocol preface, request heads and the
//! bodies that are read, and to read the responses, all in time; each has a limit here, for all servers.

mod client_address;
mod frame_budget;
mod memory_budget;
mod min_speed;
mod peer_stream;
mod request_body;
mod response_memory;
mod stream;

pub use client_address::forwarded_address;
pub use memory_budget::{BudgetExhausted, MemoryBudget, Reservation};
pub use min_speed::Pace;
pub use peer_stream::PeerStream;
pub use response_memory::ResponseMemory;

use crate::limited_listener::{AcceptedConnection, AddressLimit, LimitedListener};
use axum::body::Body;
use http::{HeaderValue, StatusCode, Version, header};
use hyper::body::{Body as _, Incoming};
use hyper::service::{Service, service_fn};
use hyper::{Request, Response};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use request_body::RequestBody;
use std::convert::Infallible;
use std::net::{IpAddr, SocketAddr};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use stream::{Connection, StreamExecutor};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// Time limit for an HTTP/2 peer to answer a ping.
const PING_TIMEOUT: Duration = Duration::from_secs(10);
/// Maximum number of a request's headers. hyper reads as many into arrays on the stack; for more, it allocates and fills
/// 16 kB for each request.
const MAX_HEADERS: usize = 100;

/// Flow-control windows of HTTP/2: unread bytes of one request body, and of all bodies of a connection.
const STREAM_WINDOW: u32 = 64 * 1_024;
const CONNECTION_WINDOW: u32 = 256 * 1_024;
const FRAME_BYTES: u32 = 16 * 1_024;
/// Bytes that an HTTP/2 stream buffers of its response.
const SEND_BUFFER: usize = 64 * 1_024;
/// Maximum number of streams that were reset before they were handled, and of streams that we reset for errors of the
/// peer, before the connection is closed.
const MAX_RESETS: usize = 20;
const MAX_PROTOCOL_ERRORS: usize = 100;

/// Limits on peers, the same for all servers.
#[derive(Debug, Clone, Default)]
pub struct PeerLimits {
    /// Minimum speed of bodies.
    pub pace: Pace,
    /// Connection limit per address; `None`: unlimited.
    pub per_address_limit: Option<AddressLimit>,
}

impl PeerLimits {
    /// Returns true for the address of a proxy, which represents many clients.
    pub fn is_proxy(&self, address: IpAddr) -> bool {
        let exempt = self.per_address_limit.iter().flat_map(|limit| &limit.exempt);
        exempt.into_iter().any(|network| network.contains(&address.to_canonical()))
    }
}

/// Limits of a server's connections.
#[derive(Debug, Clone)]
pub struct HttpLimits {
    /// Maximum number of connections; others wait in the socket's queue.
    pub max_connections: usize,
    /// Limits on each peer.
    pub peers: PeerLimits,
    /// Time limit for receiving a request's headers, and for an idle connection.
    pub header_timeout: Duration,
    /// Memory budget for responses: slow clients are cut off earlier while others wait for memory.
    pub memory_budget: MemoryBudget,
    /// Maximum size of a request's headers, in bytes.
    pub max_header_bytes: usize,
    /// Maximum number of concurrent requests on an HTTP/2 connection.
    pub max_streams: u32,
    /// Time limit for requests in progress after a shutdown was requested.
    pub drain_timeout: Duration,
}

/// Limits shared by all parts of a connection.
#[derive(Debug)]
struct Guard {
    pace: Pace,
    memory_budget: MemoryBudget,
}

/// The outcome of the shutdown.
#[derive(Debug, Clone, Copy)]
pub struct DrainOutcome {
    /// True if no request had to be cut off.
    pub all_ended: bool,
    /// Deadline of the whole shutdown.
    pub deadline: Instant,
}

impl HttpLimits {
    /// Serves until `shutdown`, then finishes the requests in progress. For each connection, `connect` returns its
    /// stream and its request handler.
    pub async fn serve<C, S>(
        &self,
        listener: TcpListener,
        shutdown: &CancellationToken,
        mut connect: impl FnMut(PeerStream<TcpStream>, SocketAddr) -> (C, S),
    ) -> DrainOutcome
    where
        C: AsyncRead + AsyncWrite + Unpin + Send + 'static,
        S: Service<Request<Body>, Response = Response<Body>, Error = Infallible> + Send + 'static,
        S::Future: Send + 'static,
    {
        let connections = TaskTracker::new();
        let guard = Arc::new(Guard { pace: self.peers.pace, memory_budget: self.memory_budget.clone() });
        let mut entrance = LimitedListener::new(listener, self.max_connections);
        if let Some(limit) = &self.peers.per_address_limit {
            entrance = entrance.with_address_limit(limit.clone());
        }
        while let Some(AcceptedConnection { stream, peer, permit: place }) = entrance.next(shutdown).await {
            let connection = Arc::new(Connection::new(&guard));
            let stream = PeerStream::new(stream, self.header_timeout, Arc::clone(&guard), Arc::clone(&connection));
            let (client, service) = connect(stream, peer);
            let server = self.server(StreamExecutor { guard: Arc::clone(&guard), connection: Arc::clone(&connection) });
            let serving =
                converse(server, client, service, self.peers.pace, connection, self.header_timeout, shutdown.clone());
            connections.spawn(async move {
                serving.await;
                drop(place);
            });
        }
        drop(entrance);
        connections.close();
        tracing::info!(drain.connections = connections.len(), "draining");
        let until = Instant::now() + self.drain_timeout;
        let all_ended = tokio::time::timeout_at(until, connections.wait()).await.is_ok();
        if !all_ended {
            tracing::warn!("requests in progress were cut off");
        }
        DrainOutcome { all_ended, deadline: until }
    }

    fn server(&self, executor: StreamExecutor) -> Builder<StreamExecutor> {
        let mut server = Builder::new(executor);
        server
            .http1()
            .timer(TokioTimer::new())
            .header_read_timeout(self.header_timeout)
            .max_buf_size(self.max_header_bytes)
            .max_headers(MAX_HEADERS);
        server
            .http2()
            .timer(TokioTimer::new())
            .max_concurrent_streams(self.max_streams)
            .max_header_list_size(u32::try_from(self.max_header_bytes).unwrap_or(u32::MAX))
            .initial_stream_window_size(STREAM_WINDOW)
            .initial_connection_window_size(CONNECTION_WINDOW)
            .max_frame_size(FRAME_BYTES)
            .max_send_buf_size(SEND_BUFFER)
            .max_pending_accept_reset_streams(MAX_RESETS)
            .max_local_error_reset_streams(MAX_PROTOCOL_ERRORS)
            .keep_alive_interval(self.header_timeout)
            .keep_alive_timeout(PING_TIMEOUT);
        server
    }
}

/// Serves one connection to its end. It is closed gracefully at `shutdown`, and when it has been idle for `idle`.
async fn converse<C, S>(
    server: Builder<StreamExecutor>,
    client: C,
    service: S,
    pace: Pace,
    connection: Arc<Connection>,
    idle: Duration,
    shutdown: CancellationToken,
) where
    C: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    S: Service<Request<Body>, Response = Response<Body>, Error = Infallible> + Send + 'static,
    S::Future: Send + 'static,
{
    let guarded = service_fn(move |request: Request<Incoming>| {
        let version = request.version();
        let answering = has_one_host(&request).then(|| {
            let (request, is_late) = with_clock(request, pace);
            finish(service.call(request), version, is_late)
        });
        async move {
            match answering {
                Some(answering) => answering.await,
                None => Ok(refusal(StatusCode::BAD_REQUEST, version)),
            }
        }
    });
    let mut serving = pin!(server.serve_connection(TokioIo::new(client), guarded));
    let mut look_again = pin!(tokio::time::sleep(idle));
    let (mut opened, mut is_ending) = (0, false);
    loop {
        let has_to_end = tokio::select! {
            biased;
            ended = serving.as_mut() => {
                if let Err(cause) = ended {
                    tracing::debug!(error = cause, "connection ended early");
                }
                return;
            }
            () = shutdown.cancelled(), if !is_ending => true,
            () = look_again.as_mut(), if !is_ending => connection.is_idle(&mut opened),
        };
        if has_to_end {
            is_ending = true;
            serving.as_mut().graceful_shutdown();
        } else {
            look_again.as_mut().reset(Instant::now() + idle);
        }
    }
}

/// Returns false if readers could disagree about the host of the request. Source: RFC 9112, section 3.2.
fn has_one_host(request: &Request<Incoming>) -> bool {
    match request.headers().get_all(header::HOST).iter().count() {
        0 => request.version() != Version::HTTP_11,
        count => count == 1,
    }
}

/// Returns the request with a body that enforces the minimum speed, and a flag that is set if the sender is too slow;
/// `None` if there is no body.
fn with_clock(request: Request<Incoming>, pace: Pace) -> (Request<Body>, Option<Arc<AtomicBool>>) {
    let (head, body) = request.into_parts();
    if body.is_end_stream() {
        return (Request::from_parts(head, Body::empty()), None);
    }
    let (body, is_late) = RequestBody::new(body, pace);
    (Request::from_parts(head, Body::new(body)), Some(is_late))
}

/// Returns the response with a body that enforces the minimum speed of reading.
async fn finish(
    answering: impl Future<Output = Result<Response<Body>, Infallible>>,
    version: Version,
    is_late: Option<Arc<AtomicBool>>,
) -> Result<Response<Body>, Infallible> {
    let response = answering.await?;
    let is_late = is_late.is_some_and(|is_late| is_late.load(Ordering::Relaxed));
    // Whatever was made of the part that came.
    let response = if is_late { refusal(StatusCode::REQUEST_TIMEOUT, version) } else { response };
    Ok(if version == Version::HTTP_2 { response.map(stream::paced) } else { response })
}

/// Returns an empty response that closes the connection of HTTP/1.1, so that the rest of the request is not read.
fn refusal(status: StatusCode, version: Version) -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = status;
    if version != Version::HTTP_2 {
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    response
}
