//! How many pages there may be in hand at this moment: none without a browser or without memory for one page more, one
//! for each processor while the processors are busy, else as many as there are places.

mod machine;

use machine::{Processors, free_memory};
use std::time::Duration;
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// How often memory and processors are looked at.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// Share of the processors' time that must have gone unused before more pages are taken than there are processors: else
/// each page more makes all others slower, and is better left to another renderer.
const UNUSED: f64 = 0.05;

/// What pages may be taken with.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Room {
    /// Pages at once, at most.
    pub(crate) places: usize,
    /// Pages that can be worked on at the same time.
    pub(crate) processors: usize,
    /// Bytes of memory that must be left before another page is taken.
    pub(crate) spare_memory: u64,
}

/// What was seen at one look.
#[derive(Debug, Clone, Copy)]
struct Seen {
    has_browser: bool,
    /// Bytes; `None`: nobody says.
    free_memory: Option<u64>,
    /// Share of the processors' time since the last look; `None`: nobody says, or this is the first.
    unused: Option<f64>,
}

impl Room {
    /// How many pages there may be in hand.
    fn most(self, seen: Seen) -> usize {
        if !seen.has_browser {
            return 0;
        }
        if seen.free_memory.is_some_and(|free| free < self.spare_memory) {
            metrics::counter!("limner_renderer_short_of_memory_seconds_total").increment(1);
            return 0;
        }
        if seen.unused.is_some_and(|unused| unused < UNUSED) {
            metrics::counter!("limner_renderer_short_of_processor_seconds_total").increment(1);
            return self.places.min(self.processors.max(1));
        }
        self.places
    }
}

/// The limit in front of the queue.
#[derive(Debug)]
pub(crate) struct Admission {
    most: watch::Receiver<usize>,
    watching: JoinHandle<()>,
}

impl Admission {
    /// Watches over the browser, over memory and over the processors.
    pub(crate) fn start(browser: watch::Receiver<bool>, room: Room) -> Self {
        let mut processors = Processors::default();
        Self::watch(browser, room, move || (free_memory(), processors.unused()))
    }

    fn watch(
        mut browser: watch::Receiver<bool>,
        room: Room,
        mut look: impl FnMut() -> (Option<u64>, Option<f64>) + Send + 'static,
    ) -> Self {
        let (limit, most) = watch::channel(0);
        let watching = tokio::spawn(async move {
            let mut looks = tokio::time::interval(LOOK_EVERY);
            let mut latest = (None, None);
            loop {
                tokio::select! {
                    biased;
                    _ = looks.tick() => latest = look(),
                    changed = browser.changed() => if changed.is_err() { return },
                }
                let (free_memory, unused) = latest;
                let has_browser = *browser.borrow_and_update();
                let most = room.most(Seen { has_browser, free_memory, unused });
                limit.send_if_modified(|limit| std::mem::replace(limit, most) != most);
            }
        });
        Self { most, watching }
    }

    pub(crate) fn most(&self) -> watch::Receiver<usize> {
        self.most.clone()
    }
}

impl Drop for Admission {
    fn drop(&mut self) {
        self.watching.abort();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::{Arc, Mutex};

    const ROOM: Room = Room { places: 4, processors: 2, spare_memory: 100 };

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
            assert_eq!(ROOM.most(Seen { has_browser, free_memory, unused }), expected, "{why}");
        }
        let busy = Seen { has_browser: true, free_memory: None, unused: Some(0.0) };
        assert_eq!(Room { places: 1, ..ROOM }.most(busy), 1, "never more than there are places");
        assert_eq!(Room { processors: 0, ..ROOM }.most(busy), 1, "a busy machine is no reason to do nothing");
    }

    #[tokio::test(start_paused = true)]
    async fn the_limit_follows_what_is_seen() {
        let (browser, has_browser) = watch::channel(false);
        let seen = Arc::new(Mutex::new((Some(100), Some(0.0))));
        let look = Arc::clone(&seen);
        let admission = Admission::watch(has_browser, ROOM, move || *look.lock().unwrap());
        let mut most = admission.most();
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
        assert!(most.changed().await.is_err(), "nothing is watched any more");
    }
}
