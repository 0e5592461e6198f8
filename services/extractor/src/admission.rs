//! Admission control: a limited number of calls runs, a limited number waits, the rest is refused at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// A gate with a bounded queue in front of it. Clones share it.
#[derive(Debug, Clone)]
pub(crate) struct Admission {
    slots: Arc<Semaphore>,
    waiting: Arc<AtomicUsize>,
    max_waiting: usize,
}

impl Admission {
    pub(crate) fn new(max_running: usize, max_waiting: usize) -> Self {
        Self { slots: Arc::new(Semaphore::new(max_running.max(1))), waiting: Arc::default(), max_waiting }
    }

    /// Waits for a slot, or returns `None` if the queue is full. Dropping the permit frees the slot.
    pub(crate) async fn enter(&self) -> Option<OwnedSemaphorePermit> {
        if let Ok(permit) = self.slots.clone().try_acquire_owned() {
            return Some(permit);
        }
        let _place = self.queue()?;
        self.slots.clone().acquire_owned().await.ok()
    }

    fn queue(&self) -> Option<Place> {
        let taken = self.waiting.fetch_update(Ordering::AcqRel, Ordering::Acquire, |waiting| {
            (waiting < self.max_waiting).then_some(waiting + 1)
        });
        taken.ok().map(|_| Place(self.waiting.clone()))
    }
}

/// A place in the queue, released however the wait ends.
struct Place(Arc<AtomicUsize>);

impl Drop for Place {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures::FutureExt;

    #[tokio::test]
    async fn the_queue_is_bounded_and_places_are_released() {
        let admission = Admission::new(1, 1);
        let running = admission.enter().await.unwrap();
        let mut waiting = Box::pin(admission.enter());
        assert!(waiting.as_mut().now_or_never().is_none(), "the second waits");
        assert!(admission.enter().await.is_none(), "the third is refused");
        drop(waiting);
        let mut again = Box::pin(admission.enter());
        assert!(again.as_mut().now_or_never().is_none(), "a cancelled caller released its place");
        drop(running);
        assert!(again.await.is_some());
    }
}
