//! The byte stream of a connection, with limits that hyper does not have: a peer has to send the HTTP version in time,
//! has to read sent bytes, and may not flood an HTTP/2 connection with frames.

use super::Guard;
use super::frame_budget::FrameBudget;
use super::min_speed::{Alarm, Clock, count_cut};
use super::stream::Connection;
use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Sleep;

/// The HTTP/2 connection preface (RFC 9113 §3.4).
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// A connection's stream, with limits.
#[derive(Debug)]
pub struct PeerStream<S> {
    inner: S,
    spoken: Protocol,
    guard: Arc<Guard>,
    connection: Arc<Connection>,
    /// Runs while the peer does not read.
    clock: Clock,
    alarm: Alarm,
}

#[derive(Debug)]
enum Protocol {
    /// The number of preface bytes read. Hyper waits for the rest without a limit.
    Undecided {
        known: usize,
        timeout: Pin<Box<Sleep>>,
    },
    Http1,
    Http2(FrameBudget),
}

impl<S> PeerStream<S> {
    /// Returns the stream. The peer has `timeout` to send the preface.
    pub(super) fn new(inner: S, timeout: Duration, guard: Arc<Guard>, connection: Arc<Connection>) -> Self {
        let spoken = Protocol::Undecided { known: 0, timeout: Box::pin(tokio::time::sleep(timeout)) };
        let clock = Clock::new(guard.pace);
        Self { inner, spoken, guard, connection, clock, alarm: Alarm::default() }
    }

    /// Processes bytes that were read.
    fn received(&mut self, bytes: &[u8]) -> io::Result<()> {
        let frames = match &mut self.spoken {
            Protocol::Http1 => return Ok(()),
            Protocol::Http2(budget) => return checked(budget, bytes),
            Protocol::Undecided { known, .. } => {
                let expected = &PREFACE[*known..];
                let compared = expected.len().min(bytes.len());
                if expected[..compared] != bytes[..compared] {
                    self.spoken = Protocol::Http1;
                    return Ok(());
                }
                *known += compared;
                if *known < PREFACE.len() {
                    return Ok(());
                }
                &bytes[compared..]
            }
        };
        self.connection.speaks_http2();
        let mut budget = FrameBudget::new();
        let outcome = checked(&mut budget, frames);
        self.spoken = Protocol::Http2(budget);
        outcome
    }

    /// Fails a write if the peer has read too little for too long.
    fn enforce_pace(&mut self, cx: &mut Context<'_>, poll: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        if let Poll::Ready(outcome) = &poll {
            let written = *outcome.as_ref().unwrap_or(&0);
            self.clock.stop(written);
            if let Protocol::Http2(budget) = &mut self.spoken {
                budget.sent(written);
            }
            return poll;
        }
        self.clock.start();
        ready!(self.alarm.poll(&self.clock, Some(&self.guard.memory_budget), cx));
        count_cut("slow_reader");
        Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "the peer takes too little of what is sent to it")))
    }
}

fn checked(budget: &mut FrameBudget, bytes: &[u8]) -> io::Result<()> {
    budget.received(bytes).map_err(|_| {
        count_cut("flood");
        io::Error::new(io::ErrorKind::InvalidData, "the peer floods the connection with frames")
    })
}

impl<S: AsyncRead + Unpin> AsyncRead for PeerStream<S> {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let before = buf.filled().len();
        let poll = Pin::new(&mut this.inner).poll_read(cx, buf);
        if poll.is_pending()
            && let Protocol::Undecided { timeout, .. } = &mut this.spoken
        {
            ready!(timeout.as_mut().poll(cx));
            count_cut("silent");
            return Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "the peer says nothing")));
        }
        ready!(poll)?;
        Poll::Ready(this.received(&buf.filled()[before..]))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for PeerStream<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let poll = Pin::new(&mut self.inner).poll_write(cx, bytes);
        self.enforce_pace(cx, poll)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let poll = Pin::new(&mut self.inner).poll_write_vectored(cx, slices);
        self.enforce_pace(cx, poll)
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
    use crate::http::Pace;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::time::Instant;

    const PACE: Pace = Pace { timeout: Duration::from_secs(30), min_rate: 1_000 };

    fn connection() -> (PeerStream<tokio::io::DuplexStream>, tokio::io::DuplexStream) {
        let (ours, theirs) = tokio::io::duplex(16);
        let guard = Arc::new(Guard { pace: PACE, memory_budget: crate::http::MemoryBudget::new(1 << 20) });
        let connection = Arc::new(Connection::new(&guard));
        (PeerStream::new(ours, PACE.timeout, guard, connection), theirs)
    }

    #[tokio::test(start_paused = true)]
    async fn peer_that_reads_nothing_is_cut_off() {
        let (mut stream, _theirs) = connection();
        let started = Instant::now();
        let fault = stream.write_all(&[b'x'; 1_000]).await.unwrap_err();
        assert_eq!((fault.kind(), started.elapsed()), (io::ErrorKind::TimedOut, PACE.timeout));
    }

    #[tokio::test(start_paused = true)]
    async fn peer_below_the_minimum_rate_is_cut_off_and_a_slow_one_is_not() {
        for (pause, is_given_up) in [(Duration::from_secs(20), true), (Duration::from_millis(8), false)] {
            let (mut stream, mut theirs) = connection();
            let reader = tokio::spawn(async move {
                let mut buffer = [0; 10];
                while theirs.read(&mut buffer).await.is_ok_and(|read| read > 0) {
                    tokio::time::sleep(pause).await;
                }
            });
            assert_eq!(stream.write_all(&[b'x'; 100_000]).await.is_err(), is_given_up, "{pause:?}");
            drop(stream);
            reader.await.unwrap();
        }
    }
}
