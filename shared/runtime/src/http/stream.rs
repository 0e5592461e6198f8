//! The requests of an HTTP/2 connection. Each is a task that ends when its peer reads the response too slowly: hyper
//! does not poll a body while the peer's window is closed, so the body could not end itself.

use super::Guard;
use super::memory_budget::Units;
use super::min_speed::{Alarm, Clock, count_cut};
use axum::body::Body;
use bytes::Bytes;
use hyper::body::{Body as HttpBody, Frame, SizeHint};
use hyper::rt::Executor;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};

/// Maximum size of a chunk passed to hyper.
const PIECE_BYTES: usize = 16 * 1_024;

tokio::task_local! {
    /// The stream of the current task.
    static STREAM: Arc<Stream>;
}

/// State of a connection.
#[derive(Debug, Default)]
pub(super) struct Connection {
    is_http2: AtomicBool,
    /// Number of streams in progress.
    streams: AtomicUsize,
    /// Number of streams ever opened.
    opened: AtomicUsize,
    budget: Option<Arc<Units>>,
}

impl Connection {
    pub(super) fn new(guard: &Guard) -> Self {
        Self { budget: Some(guard.memory_budget.for_connection()), ..Self::default() }
    }

    /// Records that the peer uses HTTP/2.
    pub(super) fn speaks_http2(&self) {
        self.is_http2.store(true, Ordering::Relaxed);
    }

    /// Returns true for an HTTP/2 connection with no stream in progress, and no stream opened since `opened` was
    /// updated. Idle HTTP/1.1 connections are closed by hyper.
    pub(super) fn is_idle(&self, opened: &mut usize) -> bool {
        let before = std::mem::replace(opened, self.opened.load(Ordering::Relaxed));
        self.is_http2.load(Ordering::Relaxed) && self.streams.load(Ordering::Relaxed) == 0 && before == *opened
    }
}

/// A request and its response.
#[derive(Debug)]
struct Stream {
    clock: Mutex<Clock>,
    connection: Arc<Connection>,
}

impl Stream {
    fn new(guard: &Guard, connection: Arc<Connection>) -> Self {
        connection.streams.fetch_add(1, Ordering::Relaxed);
        connection.opened.fetch_add(1, Ordering::Relaxed);
        Self { clock: Mutex::new(Clock::new(guard.pace)), connection }
    }

    fn clock(&self) -> MutexGuard<'_, Clock> {
        self.clock.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        self.connection.streams.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Returns the memory budget of the current request's connection, if it is HTTP/2.
pub(super) fn connection_budget() -> Option<Arc<Units>> {
    STREAM.try_with(|stream| stream.connection.budget.clone()).ok().flatten()
}

/// Spawns the streams of a connection.
#[derive(Debug, Clone)]
pub(super) struct StreamExecutor {
    pub(super) guard: Arc<Guard>,
    pub(super) connection: Arc<Connection>,
}

impl<F> Executor<F> for StreamExecutor
where
    F: Future + Send + 'static,
    F::Output: Send,
{
    fn execute(&self, serving: F) {
        let guard = Arc::clone(&self.guard);
        let stream = Arc::new(Stream::new(&guard, Arc::clone(&self.connection)));
        let in_time = {
            let stream = Arc::clone(&stream);
            async move {
                let mut alarm = Alarm::default();
                // The first polled future starts and stops the clock.
                let expiry =
                    std::future::poll_fn(move |cx| alarm.poll(&stream.clock(), Some(&guard.memory_budget), cx));
                tokio::select! {
                    biased;
                    _ = serving => {}
                    // Dropping an unfinished stream resets it and frees its buffers.
                    () = expiry => count_cut("slow_reader"),
                }
            }
        };
        tokio::spawn(STREAM.scope(stream, in_time));
    }
}

/// Returns the response body for the current request, in chunks that stop the clock when they are consumed. Bodies of
/// HTTP/1.1 are unchanged: their clock is that of the connection.
pub(super) fn paced(body: Body) -> Body {
    match STREAM.try_with(Arc::clone) {
        Ok(stream) if !body.is_end_stream() => {
            Body::new(PacedBody { inner: body, remaining: Bytes::new(), stream, handed: 0 })
        }
        _ => body,
    }
}

struct PacedBody {
    inner: Body,
    /// The remaining bytes of the inner body's frame.
    remaining: Bytes,
    stream: Arc<Stream>,
    /// Length of the last chunk.
    handed: usize,
}

impl PacedBody {
    /// Returns the next chunk. The last byte of a frame is a chunk of its own: hyper accepts the end of a body even
    /// without window, so only consuming this byte proves that the peer has granted window for the bytes before it.
    fn piece(&mut self) -> Bytes {
        let bytes = match self.remaining.len() {
            1 => 1,
            more => (more - 1).min(PIECE_BYTES),
        };
        self.handed = bytes;
        self.remaining.split_to(bytes)
    }
}

impl HttpBody for PacedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        // Being polled again means that the last chunk was consumed.
        let taken = std::mem::take(&mut self.handed);
        self.stream.clock().stop(taken);
        while self.remaining.is_empty() {
            match ready!(Pin::new(&mut self.inner).poll_frame(cx)) {
                Some(Ok(frame)) => match frame.into_data() {
                    Ok(data) => self.remaining = data,
                    Err(other) => return Poll::Ready(Some(Ok(other))),
                },
                end => return Poll::Ready(end),
            }
        }
        let piece = self.piece();
        self.stream.clock().start();
        Poll::Ready(Some(Ok(Frame::data(piece))))
    }

    fn is_end_stream(&self) -> bool {
        self.remaining.is_empty() && self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let (rest, inner) = (self.remaining.len() as u64, self.inner.size_hint());
        let mut hint = SizeHint::new();
        hint.set_lower(inner.lower().saturating_add(rest));
        if let Some(upper) = inner.upper() {
            hint.set_upper(upper.saturating_add(rest));
        }
        hint
    }
}
