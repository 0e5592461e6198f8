//! Serving HTTP/1.1 and HTTP/2 without TLS, which ends in front of us: connections, what their peers may take of us, the
//! drain.
//!
//! A peer that means harm costs a connection and nothing else. It has to say what it speaks, to send heads, to send bodies
//! that are waited for, and to take answers, all in time; each has a limit here, for all servers.

mod client_address;
mod frames;
mod pace;
mod peer_stream;
mod request_body;
mod room;
mod stream;

pub use client_address::forwarded_address;
pub use pace::Pace;
pub use peer_stream::PeerStream;
pub use room::{NoRoom, Room, Share};

use crate::entrance::{AddressLimit, Arrival, Entrance};
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

/// How long a peer of HTTP/2 may take to answer a ping.
const PING_PATIENCE: Duration = Duration::from_secs(10);
const MOST_HEADERS: usize = 200;

/// What a peer of HTTP/2 may send of one body before it is read, and of all bodies of a connection.
const STREAM_WINDOW: u32 = 64 * 1_024;
const CONNECTION_WINDOW: u32 = 256 * 1_024;
const FRAME_BYTES: u32 = 16 * 1_024;
/// What a stream of HTTP/2 buffers of its answer.
const SEND_BUFFER: usize = 64 * 1_024;
/// Streams that were reset before they were looked at, and streams that we reset for their faults, before the
/// connection ends.
const MOST_RESETS: usize = 20;
const MOST_FAULTS: usize = 100;

/// What peers are held to, the same for all servers.
#[derive(Debug, Clone, Default)]
pub struct PeerLimits {
    /// How slow a peer may be with bodies.
    pub pace: Pace,
    /// How many connections one address may have; `None`: all.
    pub of_address: Option<AddressLimit>,
}

impl PeerLimits {
    /// Returns true for the address of a proxy, which stands for many clients.
    pub fn is_proxy(&self, address: IpAddr) -> bool {
        let exempt = self.of_address.iter().flat_map(|limit| &limit.exempt);
        exempt.into_iter().any(|network| network.contains(&address.to_canonical()))
    }
}

/// What the connections of a server may use.
#[derive(Debug, Clone)]
pub struct HttpLimits {
    /// Most at once; others wait in the socket's queue.
    pub connections: usize,
    /// What each of them is held to.
    pub peers: PeerLimits,
    /// How long a client may take for the headers of a request, and be silent between two of them.
    pub header_patience: Duration,
    /// Room for answers: slow clients are cut off earlier while others wait for it.
    pub room: Option<Room>,
    /// Most bytes of a request's headers.
    pub head_bytes: usize,
    /// Most requests at once on a connection of HTTP/2.
    pub streams: u32,
    /// How long requests under way may take after the end was asked for.
    pub drain: Duration,
}

/// What all parts of a connection hold their peer to.
#[derive(Debug)]
struct Guard {
    pace: Pace,
    room: Option<Room>,
}

/// How the requests under way ended.
#[derive(Debug, Clone, Copy)]
pub struct Drained {
    /// Before others had to be cut off.
    pub all_ended: bool,
    /// When everything has to have ended.
    pub until: Instant,
}

impl HttpLimits {
    /// Serves until `shutdown`, then finishes the requests under way. What is read and written, and by whom requests are
    /// answered, `connect` says for each connection.
    pub async fn serve<C, S>(
        &self,
        listener: TcpListener,
        shutdown: &CancellationToken,
        mut connect: impl FnMut(PeerStream<TcpStream>, SocketAddr) -> (C, S),
    ) -> Drained
    where
        C: AsyncRead + AsyncWrite + Unpin + Send + 'static,
        S: Service<Request<Body>, Response = Response<Body>, Error = Infallible> + Send + 'static,
        S::Future: Send + 'static,
    {
        let connections = TaskTracker::new();
        let guard = Arc::new(Guard { pace: self.peers.pace, room: self.room.clone() });
        let mut entrance = Entrance::new(listener, self.connections);
        if let Some(limit) = &self.peers.of_address {
            entrance = entrance.with_address_limit(limit.clone());
        }
        while let Some(Arrival { stream, peer, place }) = entrance.next(shutdown).await {
            let connection = Arc::new(Connection::new(&guard));
            let stream = PeerStream::new(stream, self.header_patience, Arc::clone(&guard), Arc::clone(&connection));
            let (client, service) = connect(stream, peer);
            let server = self.server(StreamExecutor { guard: Arc::clone(&guard), connection: Arc::clone(&connection) });
            let serving =
                converse(server, client, service, self.peers.pace, connection, self.header_patience, shutdown.clone());
            connections.spawn(async move {
                serving.await;
                drop(place);
            });
        }
        drop(entrance);
        connections.close();
        tracing::info!(drain.connections = connections.len(), "draining");
        let until = Instant::now() + self.drain;
        let all_ended = tokio::time::timeout_at(until, connections.wait()).await.is_ok();
        if !all_ended {
            tracing::warn!("requests under way were cut off");
        }
        Drained { all_ended, until }
    }

    fn server(&self, executor: StreamExecutor) -> Builder<StreamExecutor> {
        let mut server = Builder::new(executor);
        server
            .http1()
            .timer(TokioTimer::new())
            .header_read_timeout(self.header_patience)
            .max_buf_size(self.head_bytes)
            .max_headers(MOST_HEADERS);
        server
            .http2()
            .timer(TokioTimer::new())
            .max_concurrent_streams(self.streams)
            .max_header_list_size(u32::try_from(self.head_bytes).unwrap_or(u32::MAX))
            .initial_stream_window_size(STREAM_WINDOW)
            .initial_connection_window_size(CONNECTION_WINDOW)
            .max_frame_size(FRAME_BYTES)
            .max_send_buf_size(SEND_BUFFER)
            .max_pending_accept_reset_streams(MOST_RESETS)
            .max_local_error_reset_streams(MOST_FAULTS)
            .keep_alive_interval(self.header_patience)
            .keep_alive_timeout(PING_PATIENCE);
        server
    }
}

/// Serves one connection to its end. It is asked to end once `shutdown` is, and when it has been idle for `idle`.
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
        let (request, is_late) = with_clock(request, pace);
        finish(service.call(request), version, is_late)
    });
    let mut serving = pin!(server.serve_connection(TokioIo::new(client), guarded));
    let mut look_again = pin!(tokio::time::sleep(idle));
    let (mut opened, mut is_ending) = (0, false);
    loop {
        let has_to_end = tokio::select! {
            biased;
            ended = serving.as_mut() => {
                if let Err(cause) = ended {
                    tracing::debug!(error = cause, "a connection ended early");
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

/// The request with a body that its sender has to keep sending, and whether they did not; `None`: there is no body.
fn with_clock(request: Request<Incoming>, pace: Pace) -> (Request<Body>, Option<Arc<AtomicBool>>) {
    let (head, body) = request.into_parts();
    if body.is_end_stream() {
        return (Request::from_parts(head, Body::empty()), None);
    }
    let (body, is_late) = RequestBody::new(body, pace);
    (Request::from_parts(head, Body::new(body)), Some(is_late))
}

/// The answer, with a body that its peer has to keep taking.
async fn finish(
    answering: impl Future<Output = Result<Response<Body>, Infallible>>,
    version: Version,
    is_late: Option<Arc<AtomicBool>>,
) -> Result<Response<Body>, Infallible> {
    let response = answering.await?;
    let is_late = is_late.is_some_and(|is_late| is_late.load(Ordering::Relaxed));
    let response = if is_late { too_slow(version) } else { response };
    Ok(if version == Version::HTTP_2 { response.map(stream::paced) } else { response })
}

/// The answer to a request whose body did not come in time, whatever was made of the part that came.
fn too_slow(version: Version) -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::REQUEST_TIMEOUT;
    if version != Version::HTTP_2 {
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    response
}
