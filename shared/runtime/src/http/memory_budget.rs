//! Memory budgets for responses: of the process, and of each connection.

use super::stream;
use axum::body::Body;
use bytes::Bytes;
use hyper::body::{Body as HttpBody, Frame, SizeHint};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;

/// Budgets are counted in units of this many bytes.
const UNIT: usize = 1_024;
/// Maximum share of the budget for one HTTP/2 connection: one part in four.
const CONNECTION_PART: usize = 4;

/// The memory budget for responses. While a response waits for memory, slow readers are cut off earlier.
#[derive(Debug, Clone)]
pub struct MemoryBudget {
    total: Arc<Units>,
    waiting: Arc<AtomicUsize>,
}

/// No memory was released in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no room for another answer became free in time")]
pub struct BudgetExhausted;

/// A reservation, released on drop.
#[derive(Debug)]
pub struct Reservation {
    _of_all: OwnedSemaphorePermit,
    _of_connection: Option<OwnedSemaphorePermit>,
}

/// A number of units.
#[derive(Debug)]
pub(super) struct Units {
    free: Arc<Semaphore>,
    count: u32,
}

impl MemoryBudget {
    /// Returns a budget of `bytes`.
    pub fn new(bytes: usize) -> Self {
        Self { total: Arc::new(Units::new(bytes)), waiting: Arc::default() }
    }

    /// Reserves `bytes` that are shared by several responses. A larger amount than the budget reserves all of it.
    ///
    /// # Errors
    /// No memory was released within `timeout`.
    pub async fn reserve(&self, bytes: usize, timeout: Duration) -> Result<Reservation, BudgetExhausted> {
        let of_all = self.units(&self.total, bytes, Instant::now() + timeout).await?;
        Ok(Reservation { _of_all: of_all, _of_connection: None })
    }

    /// Like [`MemoryBudget::reserve`], for bytes of the current request's response only: they also count against its connection's
    /// budget.
    ///
    /// # Errors
    /// See [`MemoryBudget::reserve`].
    pub async fn reserve_for_request(&self, bytes: usize, timeout: Duration) -> Result<Reservation, BudgetExhausted> {
        let until = Instant::now() + timeout;
        let of_connection = match stream::connection_budget() {
            Some(units) => Some(self.units(&units, bytes, until).await?),
            None => None,
        };
        Ok(Reservation { _of_all: self.units(&self.total, bytes, until).await?, _of_connection: of_connection })
    }

    /// Returns true if a reservation is waiting.
    pub(super) fn has_waiters(&self) -> bool {
        self.waiting.load(Ordering::Relaxed) > 0
    }

    /// Returns the budget of a connection.
    pub(super) fn for_connection(&self) -> Arc<Units> {
        Arc::new(Units::new(self.total.count as usize * UNIT / CONNECTION_PART))
    }

    async fn units(
        &self,
        units: &Units,
        bytes: usize,
        until: Instant,
    ) -> Result<OwnedSemaphorePermit, BudgetExhausted> {
        let count = units.units_for(bytes);
        if let Ok(permit) = Arc::clone(&units.free).try_acquire_many_owned(count) {
            return Ok(permit);
        }
        let _waiting = WaiterGuard::new(&self.waiting);
        let acquired = tokio::time::timeout_at(until, Arc::clone(&units.free).acquire_many_owned(count)).await;
        acquired.ok().and_then(Result::ok).ok_or_else(|| {
            metrics::counter!("limner_http_room_shortages_total").increment(1);
            BudgetExhausted
        })
    }
}

impl Reservation {
    /// Returns the bytes, which keep this reservation until their last slice is dropped.
    pub fn hold(self, bytes: impl AsRef<[u8]> + Send + 'static) -> Bytes {
        Bytes::from_owner(ReservedBody { inner: bytes, _share: self })
    }

    /// Returns the body, which keeps this reservation until it is dropped.
    pub fn hold_body(self, body: Body) -> Body {
        Body::new(ReservedBody { inner: body, _share: self })
    }
}

struct ReservedBody<T> {
    inner: T,
    _share: Reservation,
}

impl<T: AsRef<[u8]>> AsRef<[u8]> for ReservedBody<T> {
    fn as_ref(&self) -> &[u8] {
        self.inner.as_ref()
    }
}

impl HttpBody for ReservedBody<Body> {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.inner).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}

impl Units {
    fn new(bytes: usize) -> Self {
        let count = u32::try_from(bytes / UNIT).unwrap_or(u32::MAX).clamp(1, 1 << 28);
        Self { free: Arc::new(Semaphore::new(count as usize)), count }
    }

    fn units_for(&self, bytes: usize) -> u32 {
        u32::try_from(bytes.div_ceil(UNIT)).unwrap_or(u32::MAX).min(self.count)
    }
}

struct WaiterGuard<'a>(&'a AtomicUsize);

impl<'a> WaiterGuard<'a> {
    fn new(count: &'a AtomicUsize) -> Self {
        count.fetch_add(1, Ordering::Relaxed);
        Self(count)
    }
}

impl Drop for WaiterGuard<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHORT_TIMEOUT: Duration = Duration::from_millis(10);

    #[tokio::test(start_paused = true)]
    async fn memory_is_released_with_the_last_slice_of_the_bytes() {
        let room = MemoryBudget::new(10 * UNIT);
        let bytes = room.reserve(6 * UNIT, SHORT_TIMEOUT).await.unwrap().hold(vec![7; 6 * UNIT]);
        let part = bytes.slice(100..200);
        drop(bytes);
        assert_eq!(room.reserve(5 * UNIT, SHORT_TIMEOUT).await.unwrap_err(), BudgetExhausted);
        assert!(room.reserve(4 * UNIT, SHORT_TIMEOUT).await.is_ok());
        assert!(!room.has_waiters(), "no reservation is waiting any more");
        drop(part);
        assert!(room.reserve(10 * UNIT, SHORT_TIMEOUT).await.is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn reservation_larger_than_the_budget_is_exclusive() {
        let room = MemoryBudget::new(UNIT);
        let all = room.reserve(100 * UNIT, SHORT_TIMEOUT).await.unwrap();
        assert!(room.reserve(1, SHORT_TIMEOUT).await.is_err());
        drop(all);
        assert!(room.reserve(1, SHORT_TIMEOUT).await.is_ok());
    }
}
