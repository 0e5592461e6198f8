//! Limits the number of pages in progress: none without a browser or without memory for one more page; one per
//! processor while the processors are busy; otherwise the configured maximum.

mod resources;

use resources::{CpuIdle, free_memory};
use std::time::Duration;
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// Interval at which memory and processors are checked.
const CHECK_INTERVAL: Duration = Duration::from_secs(1);
/// Share of the processors' time that must be idle before more pages are taken than there are processors. With less,
/// each further page slows down all others, and is better left to another renderer.
const UNUSED: f64 = 0.05;

/// The capacity for pages.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Capacity {
    /// Maximum number of concurrent pages.
    pub(crate) max_pages: usize,
    /// Number of processors for pages.
    pub(crate) processors: usize,
    /// Bytes of memory that must be free before another page is taken.
    pub(crate) spare_memory: u64,
}

/// One observation of the machine.
#[derive(Debug, Clone, Copy)]
struct Observation {
    has_browser: bool,
    /// Free memory in bytes; `None` if unknown.
    free_memory: Option<u64>,
    /// Idle share of the processors' time since the last observation; `None` if unknown, or at the first observation.
    unused: Option<f64>,
}

impl Capacity {
    /// Returns the maximum number of pages in progress.
    fn max_pages(self, seen: Observation) -> usize {
        if !seen.has_browser {
            return 0;
        }
        if seen.free_memory.is_some_and(|free| free < self.spare_memory) {
            metrics::counter!("limner_renderer_memory_pressure_seconds_total").increment(1);
            return 0;
        }
        if seen.unused.is_some_and(|unused| unused < UNUSED) {
            metrics::counter!("limner_renderer_short_of_processor_seconds_total").increment(1);
            return self.max_pages.min(self.processors.max(1));
        }
        self.max_pages
    }
}

/// The limit on pulling jobs.
#[derive(Debug)]
pub(crate) struct AdmissionLimit {
    limit: watch::Receiver<usize>,
    watching: JoinHandle<()>,
}

impl AdmissionLimit {
    /// Observes the browser, memory and processors in the background.
    pub(crate) fn start(browser: watch::Receiver<bool>, room: Capacity) -> Self {
        let mut processors = CpuIdle::default();
        Self::watch(browser, room, move || (free_memory(), processors.unused()))
    }

    fn watch(
        mut browser: watch::Receiver<bool>,
        room: Capacity,
        mut look: impl FnMut() -> (Option<u64>, Option<f64>) + Send + 'static,
    ) -> Self {
        let (sender, limit) = watch::channel(0);
        let watching = tokio::spawn(async move {
            let mut looks = tokio::time::interval(CHECK_INTERVAL);
            let mut latest = (None, None);
            loop {
                tokio::select! {
                    biased;
                    _ = looks.tick() => latest = look(),
                    changed = browser.changed() => if changed.is_err() { return },
                }
                let (free_memory, unused) = latest;
                let has_browser = *browser.borrow_and_update();
                let most = room.max_pages(Observation { has_browser, free_memory, unused });
                sender.send_if_modified(|limit| std::mem::replace(limit, most) != most);
            }
        });
        Self { limit, watching }
    }

    pub(crate) fn limit(&self) -> watch::Receiver<usize> {
        self.limit.clone()
    }
}

impl Drop for AdmissionLimit {
    fn drop(&mut self) {
        self.watching.abort();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::{Arc, Mutex};

    const CAPACITY: Capacity = Capacity { max_pages: 4, processors: 2, spare_memory: 100 };

    #[test]
    fn pages_are_taken_as_browser_memory_and_processors_allow() {
        for (has_browser, free_memory, unused, expected, why) in [
            (true, Some(100), Some(0.5), 4, "there is room"),
            (true, None, None, 4, "nobody says"),
            (false, Some(100), Some(0.5), 0, "no browser"),
            (true, Some(99), Some(0.5), 0, "no memory"),
            (true, Some(100), Some(0.04), 2, "a page for each processor"),
            (true, Some(99), Some(0.0), 0, "no memory, no processor"),
        ] {
            assert_eq!(CAPACITY.max_pages(Observation { has_browser, free_memory, unused }), expected, "{why}");
        }
        let busy = Observation { has_browser: true, free_memory: None, unused: Some(0.0) };
        assert_eq!(Capacity { max_pages: 1, ..CAPACITY }.max_pages(busy), 1, "never more than the maximum");
        assert_eq!(
            Capacity { processors: 0, ..CAPACITY }.max_pages(busy),
            1,
            "a busy machine still takes a page per processor"
        );
    }

    #[tokio::test(start_paused = true)]
    async fn limit_follows_the_observations() {
        let (browser, has_browser) = watch::channel(false);
        let seen = Arc::new(Mutex::new((Some(100), Some(0.0))));
        let look = Arc::clone(&seen);
        let admission = AdmissionLimit::watch(has_browser, CAPACITY, move || *look.lock().unwrap());
        let mut most = admission.limit();
        assert_eq!(*most.borrow(), 0);
        browser.send_replace(true);
        for (now, expected) in
            [((Some(100), Some(0.0)), 2), ((Some(100), Some(1.0)), 4), ((Some(0), Some(1.0)), 0), ((None, None), 4)]
        {
            *seen.lock().unwrap() = now;
            most.wait_for(|most| *most == expected).await.unwrap();
        }
        browser.send_replace(false);
        most.wait_for(|most| *most == 0).await.unwrap();
        drop(browser);
        assert!(most.changed().await.is_err(), "the observer has stopped");
    }
}
