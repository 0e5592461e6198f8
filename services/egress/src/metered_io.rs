//! Streams and bodies whose bytes are counted against their page's budget, and that end with the page.

use crate::page_budgets::{OpenConnection, PageAccount};
use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// A connection of a page; both directions count.
pub(crate) struct MeteredStream<S> {
    stream: S,
    page: Arc<PageAccount>,
    _open: OpenConnection,
}

fn budget_exhausted() -> io::Error {
    io::Error::other("the page's allowance is used up")
}

impl<S> MeteredStream<S> {
    pub(crate) fn new(stream: S, page: Arc<PageAccount>, open: OpenConnection) -> Self {
        Self { stream, page, _open: open }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for MeteredStream<S> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = buf.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(cx, buf))?;
        let read = buf.filled().len() - before;
        Poll::Ready(if self.page.count_bytes(read) { Ok(()) } else { Err(budget_exhausted()) })
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for MeteredStream<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        let written = ready!(Pin::new(&mut self.stream).poll_write(cx, buf))?;
        Poll::Ready(if self.page.count_bytes(written) { Ok(written) } else { Err(budget_exhausted()) })
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

/// The body of a request or response.
pub(crate) struct MeteredBody<B> {
    body: B,
    page: Arc<PageAccount>,
    ended: Pin<Box<dyn Future<Output = ()> + Send + Sync>>,
    /// Counts the connection of the body, unless another value does.
    _open: Option<OpenConnection>,
    /// True if the body ends in order when its connection breaks off.
    ends_in_order: bool,
}

impl<B> MeteredBody<B> {
    /// Returns the body with an end in order, wherever its connection breaks off.
    pub(crate) fn closing_in_order(self) -> Self {
        Self { ends_in_order: true, ..self }
    }

    pub(crate) fn new(body: B, page: Arc<PageAccount>, open: Option<OpenConnection>) -> Self {
        let watched = Arc::clone(&page);
        let ended = Box::pin(async move { watched.wait_until_ended().await });
        Self { body, page, ended, _open: open, ends_in_order: false }
    }
}

impl<B> Body for MeteredBody<B>
where
    B: Body<Data = Bytes, Error = hyper::Error> + Unpin,
{
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        if self.ended.as_mut().poll(cx).is_ready() {
            return Poll::Ready(Some(Err(budget_exhausted())));
        }
        let Some(frame) = ready!(Pin::new(&mut self.body).poll_frame(cx)) else { return Poll::Ready(None) };
        let frame = match frame {
            Ok(frame) => frame,
            Err(cause) if self.ends_in_order => {
                tracing::debug!(error = %cause, "the response of a page ended early");
                return Poll::Ready(None);
            }
            Err(cause) => return Poll::Ready(Some(Err(io::Error::other(cause)))),
        };
        let bytes = frame.data_ref().map_or(0, Bytes::len);
        Poll::Ready(Some(if self.page.count_bytes(bytes) { Ok(frame) } else { Err(budget_exhausted()) }))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        if self.ends_in_order { SizeHint::default() } else { self.body.size_hint() }
    }
}
