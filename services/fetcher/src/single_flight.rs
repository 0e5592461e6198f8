//! Single flight of page reads in this process: callers that request a page while it is being read share the read.

use crate::error::ReadError;
use futures::FutureExt;
use futures::future::{BoxFuture, Shared};
use limner_page::PageSnapshot;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The outcome of a read, shared by all callers that waited for it.
pub(crate) type ReadOutcome = Result<Arc<PageSnapshot>, ReadError>;

/// A read, shared by the callers that joined it.
#[derive(Clone)]
pub(crate) struct PageFlight {
    pub(crate) outcome: Shared<BoxFuture<'static, ReadOutcome>>,
    has_its_time: Arc<AtomicBool>,
}

impl PageFlight {
    /// Returns true if the target was asked and has its whole time to answer, false if the read waits or has waited for
    /// others for too long.
    pub(crate) fn has_its_time(&self) -> bool {
        self.has_its_time.load(Ordering::Relaxed)
    }
}

/// Reads in progress, by page.
#[derive(Clone, Default)]
pub(crate) struct PageFlights {
    in_flight: Arc<Mutex<HashMap<String, (u64, PageFlight)>>>,
}

impl PageFlights {
    /// Joins the read of `page` in progress, or starts `read`. A read continues for the callers that joined even if the
    /// caller that started it gives up. `fresh` always starts a new read, which later callers join. The read sets
    /// `has_its_time` when it asks the target.
    pub(crate) fn join_or_start<F>(
        &self,
        page: &str,
        fresh: bool,
        read: impl FnOnce(Arc<AtomicBool>) -> F,
    ) -> PageFlight
    where
        F: Future<Output = ReadOutcome> + Send + 'static,
    {
        let mut under_way = self.lock();
        let earlier = under_way.get(page);
        if let Some((_, flight)) = earlier.filter(|_| !fresh) {
            metrics::counter!("limner_fetcher_shared_reads_total").increment(1);
            return flight.clone();
        }
        let number = earlier.map_or(0, |(number, _)| number + 1);
        let (flights, name) = (self.clone(), page.to_owned());
        let has_its_time = Arc::new(AtomicBool::new(false));
        let read = read(Arc::clone(&has_its_time));
        let task = tokio::spawn(tracing::Instrument::in_current_span(async move {
            let landing = FlightGuard { flights, page: name, number };
            let outcome = read.await;
            drop(landing);
            outcome
        }));
        let finished = |outcome: Result<ReadOutcome, tokio::task::JoinError>| {
            outcome.unwrap_or_else(|fault| Err(ReadError::Internal(fault.to_string())))
        };
        let flight = PageFlight { outcome: task.map(finished).boxed().shared(), has_its_time };
        under_way.insert(page.to_owned(), (number, flight.clone()));
        flight
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, (u64, PageFlight)>> {
        self.in_flight.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Removes a read from the map however it ends, unless a newer one has replaced it.
struct FlightGuard {
    flights: PageFlights,
    page: String,
    number: u64,
}

impl Drop for FlightGuard {
    fn drop(&mut self) {
        let mut under_way = self.flights.lock();
        if under_way.get(&self.page).is_some_and(|(number, _)| *number == self.number) {
            under_way.remove(&self.page);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicUsize;
    use tokio::sync::Notify;

    impl PageFlights {
        async fn join_or_read<F>(&self, page: &str, fresh: bool, read: F) -> ReadOutcome
        where
            F: Future<Output = ReadOutcome> + Send + 'static,
        {
            let flight = self.join_or_start(page, fresh, |_| read);
            flight.outcome.await
        }
    }

    fn page(url: &str) -> ReadOutcome {
        Ok(Arc::new(PageSnapshot { url: url.to_owned(), ..PageSnapshot::default() }))
    }

    #[tokio::test]
    async fn callers_share_a_read_that_is_under_way() {
        let (flights, gate, reads) = (PageFlights::default(), Arc::new(Notify::new()), Arc::new(AtomicUsize::new(0)));
        let read = || {
            let (gate, reads) = (Arc::clone(&gate), Arc::clone(&reads));
            async move {
                reads.fetch_add(1, Ordering::SeqCst);
                gate.notified().await;
                page("x")
            }
        };
        let mut first = Box::pin(flights.join_or_read("p", false, read()));
        assert!(first.as_mut().now_or_never().is_none());
        let second = flights.join_or_read("p", false, read());
        drop(first);
        gate.notify_one();
        assert_eq!(second.await.unwrap().url, "x");
        assert_eq!(reads.load(Ordering::SeqCst), 1, "the second shared the read of the first, which gave up");
        gate.notify_one();
        flights.join_or_read("p", false, read()).await.unwrap();
        assert_eq!(reads.load(Ordering::SeqCst), 2, "a finished read is not shared");
        assert!(flights.lock().is_empty());
    }

    #[tokio::test]
    async fn fresh_call_starts_its_own_read() {
        let (flights, gate) = (PageFlights::default(), Arc::new(Notify::new()));
        let slow = Arc::clone(&gate);
        let old = async move {
            slow.notified().await;
            page("old")
        };
        let mut stale = Box::pin(flights.join_or_read("p", false, old));
        assert!(stale.as_mut().now_or_never().is_none());
        assert_eq!(flights.join_or_read("p", true, async { page("new") }).await.unwrap().url, "new");
        gate.notify_one();
        assert_eq!(stale.await.unwrap().url, "old");
        assert!(flights.lock().is_empty());
    }

    #[tokio::test]
    async fn read_that_panics_fails_and_is_forgotten() {
        let flights = PageFlights::default();
        let outcome = flights.join_or_read("p", false, async { panic!("fault") }).await;
        assert!(matches!(outcome, Err(ReadError::Internal(_))));
        assert!(flights.lock().is_empty());
    }
}
