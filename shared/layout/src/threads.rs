//! Layout in this process: long-lived threads with stacks that are large enough for any document.

use crate::fonts::{Fonts, digit_widths_of_system};
use crate::page;
use limner_page::PageSnapshot;
use limner_style::layout::{Boxes, Layout};
use limner_style::{DigitWidths, Environment};
use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Enough for documents of the greatest depth that [`limner_page::dom::MAX_DEPTH`] lets through.
pub(crate) const STACK_BYTES: usize = 64 * 1024 * 1024;
/// Longest that one page may take, unless said otherwise.
const PATIENCE: Duration = Duration::from_secs(10);
/// Threads that may be lost to pages that never end; after that nothing is laid out any more.
const MAX_LOST: usize = 8;

struct Job {
    page: PageSnapshot,
    environment: Environment,
    answer: SyncSender<Option<Boxes>>,
}

/// Lays pages out in this process. See the [crate](crate) for what it is good for.
#[derive(Debug)]
pub struct BlitzLayout {
    jobs: Sender<Job>,
    queue: Arc<Mutex<Receiver<Job>>>,
    patience: Duration,
    lost: AtomicUsize,
}

impl BlitzLayout {
    /// With that many threads, started at once; each reads the installed fonts when its first page comes.
    pub fn new(threads: usize) -> Self {
        let (jobs, queue) = channel();
        let layout = Self { jobs, queue: Arc::new(Mutex::new(queue)), patience: PATIENCE, lost: AtomicUsize::new(0) };
        for _ in 0..threads.max(1) {
            layout.start_thread();
        }
        layout
    }

    /// Gives up on a page after that time.
    #[must_use]
    pub fn with_patience(self, patience: Duration) -> Self {
        Self { patience, ..self }
    }

    fn start_thread(&self) {
        let queue = self.queue.clone();
        let started =
            std::thread::Builder::new().name("layout".into()).stack_size(STACK_BYTES).spawn(move || work(&queue));
        if let Err(fault) = started {
            tracing::error!(error = %fault, "a thread for layout could not be started");
        }
    }
}

impl Layout for BlitzLayout {
    fn boxes(&self, page: &PageSnapshot, environment: &Environment) -> Option<Boxes> {
        if self.lost.load(Ordering::Relaxed) >= MAX_LOST {
            return None;
        }
        let (answer, answered) = sync_channel(1);
        self.jobs.send(Job { page: page.clone(), environment: environment.clone(), answer }).ok()?;
        if let Ok(boxes) = answered.recv_timeout(self.patience) {
            return boxes;
        }
        // Threads cannot be ended: this one is lost until its page is done, and another takes its place.
        tracing::warn!("layout took too long");
        tracing::debug!(url.full = %page.url, "this page took too long");
        self.lost.fetch_add(1, Ordering::Relaxed);
        self.start_thread();
        None
    }

    fn digit_widths(&self) -> DigitWidths {
        digit_widths_of_system()
    }
}

fn work(queue: &Mutex<Receiver<Job>>) {
    let mut fonts = None;
    loop {
        let next = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(job) = next else { return };
        let boxes = lay_out_caught(&job.page, &job.environment, &mut fonts);
        // Nobody waits any more when it took too long.
        let _ = job.answer.send(boxes);
    }
}

/// Lays a page out; a panic ends it, and the fonts are read anew afterwards, since they may be left broken.
pub(crate) fn lay_out_caught(
    page: &PageSnapshot,
    environment: &Environment,
    fonts: &mut Option<Fonts>,
) -> Option<Boxes> {
    let mut own = fonts.take().unwrap_or_default();
    let outcome = std::panic::catch_unwind(AssertUnwindSafe(|| {
        let boxes = page::lay_out(page, environment, &mut own);
        (boxes, own)
    }));
    match outcome {
        Ok((boxes, kept)) => {
            *fonts = Some(kept);
            boxes
        }
        Err(_) => {
            tracing::warn!("layout panicked");
            tracing::debug!(url.full = %page.url, "on this page");
            None
        }
    }
}
