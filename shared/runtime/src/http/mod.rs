//! Serving HTTP/1.1 and HTTP/2 without TLS, which ends in front of us: connections, how long they may be silent, the drain.

use crate::entrance::{Arrival, Entrance};
use axum::body::Body;
use hyper::body::Incoming;
use hyper::service::Service;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::server::graceful::GracefulShutdown;
use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Instant, Sleep};
use tokio_util::sync::CancellationToken;

/// What every connection of HTTP/2 begins with (RFC 9113, section 3.4).
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
/// How long a peer of HTTP/2 may take to answer a ping.
const PING_PATIENCE: Duration = Duration::from_secs(10);
const MOST_HEADERS: usize = 200;

/// What the connections of a server may use.
#[derive(Debug, Clone)]
pub struct HttpLimits {
    /// Most at once; others wait in the socket's queue.
    pub connections: usize,
    /// How long a client may take for the headers of a request, and be silent between two of them.
    pub header_patience: Duration,
    /// Most bytes of a request's headers.
    pub head_bytes: usize,
    /// Most requests at once on a connection of HTTP/2.
    pub streams: u32,
    /// How long requests under way may take after the end was asked for.
    pub drain: Duration,
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
        mut connect: impl FnMut(PromptStream<TcpStream>, SocketAddr) -> (C, S),
    ) -> Drained
    where
        C: AsyncRead + AsyncWrite + Unpin + Send + 'static,
        S: Service<hyper::Request<Incoming>, Response = hyper::Response<Body>, Error = Infallible> + Send + 'static,
        S::Future: Send + 'static,
    {
        let connections = GracefulShutdown::new();
        let entrance = Entrance::new(listener, self.connections);
        let server = self.server();
        while let Some(Arrival { stream, peer, place }) = entrance.next(shutdown).await {
            let (client, service) = connect(PromptStream::new(stream, self.header_patience), peer);
            let watched = connections.watch(server.serve_connection(TokioIo::new(client), service).into_owned());
            tokio::spawn(async move {
                if let Err(cause) = watched.await {
                    tracing::debug!(error = cause, "a connection ended early");
                }
                drop(place);
            });
        }
        drop(entrance);
        tracing::info!(drain.connections = connections.count(), "draining");
        let until = Instant::now() + self.drain;
        let all_ended = tokio::time::timeout_at(until, connections.shutdown()).await.is_ok();
        if !all_ended {
            tracing::warn!("requests under way were cut off");
        }
        Drained { all_ended, until }
    }

    fn server(&self) -> Builder<TokioExecutor> {
        let mut server = Builder::new(TokioExecutor::new());
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
            .keep_alive_interval(self.header_patience)
            .keep_alive_timeout(PING_PATIENCE);
        server
    }
}

/// A connection whose client has to say which version of HTTP it speaks. Hyper waits for that without a limit.
#[derive(Debug)]
pub struct PromptStream<S> {
    inner: S,
    /// How much of the preface of HTTP/2 was read, until it is known whether it is one.
    undecided: Option<(usize, Pin<Box<Sleep>>)>,
}

impl<S> PromptStream<S> {
    /// Gives the client so long.
    pub fn new(inner: S, patience: Duration) -> Self {
        Self { inner, undecided: Some((0, Box::pin(tokio::time::sleep(patience)))) }
    }

    /// Takes note of what was read.
    fn heard(&mut self, bytes: &[u8]) {
        let Some((known, _)) = &mut self.undecided else { return };
        let expected = &PREFACE[*known..];
        *known += bytes.len();
        if *known >= PREFACE.len() || !expected.starts_with(bytes) {
            self.undecided = None;
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for PromptStream<S> {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let before = buf.filled().len();
        let poll = Pin::new(&mut this.inner).poll_read(cx, buf);
        if poll.is_pending() {
            let is_over = this.undecided.as_mut().is_some_and(|(_, patience)| patience.as_mut().poll(cx).is_ready());
            if is_over {
                return Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "the client says nothing")));
            }
        }
        this.heard(&buf.filled()[before..]);
        poll
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for PromptStream<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.inner).poll_write(cx, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.inner).poll_write_vectored(cx, bufs)
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::Router;
    use axum::routing::get;
    use hyper_util::service::TowerToHyperService;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    const PATIENCE: Duration = Duration::from_millis(300);

    /// A server whose one request takes longer than clients may be silent.
    async fn start(shutdown: CancellationToken) -> (SocketAddr, tokio::task::JoinHandle<Drained>) {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let slow = || async {
            tokio::time::sleep(PATIENCE * 3).await;
            "done"
        };
        let service = TowerToHyperService::new(Router::new().route("/", get(slow)));
        let limits = HttpLimits {
            connections: 8,
            header_patience: PATIENCE,
            head_bytes: 64 * 1024,
            streams: 8,
            drain: Duration::from_secs(20),
        };
        let serving = async move { limits.serve(listener, &shutdown, |stream, _| (stream, service.clone())).await };
        (address, tokio::spawn(serving))
    }

    #[tokio::test]
    async fn who_does_not_say_what_it_speaks_is_sent_away() {
        let (address, _serving) = start(CancellationToken::new()).await;
        for said in [&b""[..], b"P", b"PRI * HTTP/2.0\r\n", b"GET / HTTP/1.1\r\n"] {
            let mut client = TcpStream::connect(address).await.unwrap();
            client.write_all(said).await.unwrap();
            let since = Instant::now();
            let mut answer = Vec::new();
            let ended = tokio::time::timeout(Duration::from_secs(20), client.read_to_end(&mut answer)).await;
            assert!(ended.is_ok(), "{said:?} holds a connection");
            assert!(since.elapsed() >= PATIENCE / 2, "{said:?}");
        }
    }

    #[tokio::test]
    async fn who_has_asked_may_wait_for_the_answer() {
        let shutdown = CancellationToken::new();
        let (address, serving) = start(shutdown.clone()).await;
        // Shorter than the preface of HTTP/2, and beginning like it.
        for asked in [
            "GET / HTTP/1.0\r\n\r\n",
            "POST / HTTP/1.0\r\n\r\n",
            "GET / HTTP/1.1\r\nhost: a.test\r\nconnection: close\r\n\r\n",
        ] {
            let mut client = TcpStream::connect(address).await.unwrap();
            client.write_all(asked.as_bytes()).await.unwrap();
            let mut answer = String::new();
            client.read_to_string(&mut answer).await.unwrap();
            let status = if asked.starts_with("GET") { " 200 OK" } else { " 405 " };
            assert!(answer.lines().next().is_some_and(|line| line.contains(status)), "{asked:?}: {answer}");
        }
        shutdown.cancel();
        assert!(serving.await.unwrap().all_ended);
    }

    #[tokio::test]
    async fn requests_under_way_end_after_the_server() {
        let shutdown = CancellationToken::new();
        let (address, serving) = start(shutdown.clone()).await;
        let mut client = TcpStream::connect(address).await.unwrap();
        client.write_all(b"GET / HTTP/1.1\r\nhost: a.test\r\n\r\n").await.unwrap();
        tokio::time::sleep(PATIENCE / 3).await;
        shutdown.cancel();
        let mut answer = String::new();
        client.read_to_string(&mut answer).await.unwrap();
        assert!(answer.ends_with("done") && serving.await.unwrap().all_ended, "{answer}");
    }
}
