//! The body of a request, with a minimum speed.

use super::min_speed::{Alarm, Clock, Pace, count_cut};
use bytes::Bytes;
use hyper::body::{Body, Frame, Incoming, SizeHint};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};

/// A body that fails if its sender is too slow. Only time in which the body is read counts.
#[derive(Debug)]
pub(super) struct RequestBody {
    inner: Incoming,
    clock: Clock,
    alarm: Alarm,
    is_late: Arc<AtomicBool>,
}

/// The sender of a body is too slow.
#[derive(Debug, thiserror::Error)]
#[error("the body of the request came too slowly")]
struct TooSlow;

impl RequestBody {
    /// Also returns the flag that is set if the sender is too slow.
    pub(super) fn new(inner: Incoming, pace: Pace) -> (Self, Arc<AtomicBool>) {
        let is_late = Arc::new(AtomicBool::new(false));
        let body = Self { inner, clock: Clock::new(pace), alarm: Alarm::default(), is_late: Arc::clone(&is_late) };
        (body, is_late)
    }
}

impl Body for RequestBody {
    type Data = Bytes;
    type Error = axum::BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::BoxError>>> {
        let this = &mut *self;
        if let Poll::Ready(frame) = Pin::new(&mut this.inner).poll_frame(cx) {
            let bytes = frame.as_ref().and_then(|frame| frame.as_ref().ok()?.data_ref()).map_or(0, Bytes::len);
            this.clock.stop(bytes);
            return Poll::Ready(frame.map(|frame| frame.map_err(Into::into)));
        }
        this.clock.start();
        if this.alarm.poll(&this.clock, None, cx).is_pending() {
            return Poll::Pending;
        }
        if !this.is_late.swap(true, Ordering::Relaxed) {
            count_cut("slow_sender");
        }
        Poll::Ready(Some(Err(TooSlow.into())))
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}
