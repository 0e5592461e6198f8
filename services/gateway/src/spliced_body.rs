//! A body of two parts: one shared by many responses, and one of this response.

use bytes::Bytes;
use hyper::body::{Body, Frame, SizeHint};
use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

/// A body that yields one part after the other.
#[derive(Debug)]
pub(crate) struct Spliced {
    pub(crate) first: Bytes,
    pub(crate) last: Bytes,
}

impl Body for Spliced {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let first = std::mem::take(&mut self.first);
        let part = if first.is_empty() { std::mem::take(&mut self.last) } else { first };
        Poll::Ready((!part.is_empty()).then(|| Ok(Frame::data(part))))
    }

    fn is_end_stream(&self) -> bool {
        self.first.is_empty() && self.last.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact((self.first.len() + self.last.len()) as u64)
    }
}
