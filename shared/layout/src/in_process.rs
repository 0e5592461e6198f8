//! Layout in this process: long-lived threads with stacks large enough for any document.

use crate::fonts::{Fonts, digit_widths_of_system};
use crate::layout_page;
use limner_page::PageSnapshot;
use limner_style::layout::{Boxes, Layout};
use limner_style::{Environment, ZeroAdvances};
use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Enough for documents of the maximum depth, [`limner_page::dom::MAX_DEPTH`].
pub(crate) const STACK_BYTES: usize = 64 * 1024 * 1024;
/// Default time limit for one page.
const DEFAULT_PAGE_TIMEOUT: Duration = Duration::from_secs(10);
/// Maximum number of threads lost to pages that never finish; after that no page is laid out any more.
const MAX_ABANDONED_THREADS: usize = 8;

struct Job {
    page: PageSnapshot,
    environment: Environment,
    reply: SyncSender<Option<Boxes>>,
}

/// Lays pages out in this process. The [crate](crate) documentation compares it with [`crate::ProcessLayout`].
#[derive(Debug)]
pub struct BlitzLayout {
    jobs: Sender<Job>,
    queue: Arc<Mutex<Receiver<Job>>>,
    timeout: Duration,
    abandoned: AtomicUsize,
}

impl BlitzLayout {
    /// Starts that many threads; each loads the installed fonts when it gets its first page.
    pub fn new(threads: usize) -> Self {
        let (jobs, queue) = channel();
        let layout = Self {
            jobs,
            queue: Arc::new(Mutex::new(queue)),
            timeout: DEFAULT_PAGE_TIMEOUT,
            abandoned: AtomicUsize::new(0),
        };
        for _ in 0..threads.max(1) {
            layout.start_thread();
        }
        layout
    }

    /// Sets the time limit for one page.
    #[must_use]
    pub fn with_timeout(self, timeout: Duration) -> Self {
        Self { timeout, ..self }
    }

    fn start_thread(&self) {
        let queue = self.queue.clone();
        let started =
            std::thread::Builder::new().name("layout".into()).stack_size(STACK_BYTES).spawn(move || run_worker(&queue));
        if let Err(fault) = started {
            tracing::error!(error = %fault, "a thread for layout could not be started");
        }
    }
}

impl Layout for BlitzLayout {
    fn boxes(&self, page: &PageSnapshot, environment: &Environment) -> Option<Boxes> {
        if self.abandoned.load(Ordering::Relaxed) >= MAX_ABANDONED_THREADS {
            return None;
        }
        let (answer, answered) = sync_channel(1);
        self.jobs.send(Job { page: page.clone(), environment: environment.clone(), reply: answer }).ok()?;
        if let Ok(boxes) = answered.recv_timeout(self.timeout) {
            return boxes;
        }
        // Threads cannot be ended: this one is lost until its page is done, and another replaces it.
        tracing::warn!("layout timed out");
        tracing::debug!(url.full = %page.url, "page whose layout timed out");
        self.abandoned.fetch_add(1, Ordering::Relaxed);
        self.start_thread();
        None
    }

    fn digit_widths(&self) -> ZeroAdvances {
        digit_widths_of_system()
    }
}

fn run_worker(queue: &Mutex<Receiver<Job>>) {
    let mut fonts = None;
    loop {
        let next = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(job) = next else { return };
        let boxes = layout_catching_panics(&job.page, &job.environment, &mut fonts);
        // The receiver is gone if the layout timed out.
        let _ = job.reply.send(boxes);
    }
}

/// Lays a page out. A panic ends it; the fonts are loaded again afterwards, since they may be left in a broken state.
pub(crate) fn layout_catching_panics(
    page: &PageSnapshot,
    environment: &Environment,
    fonts: &mut Option<Fonts>,
) -> Option<Boxes> {
    let mut own = fonts.take().unwrap_or_default();
    let outcome = std::panic::catch_unwind(AssertUnwindSafe(|| {
        let boxes = layout_page::lay_out(page, environment, &mut own);
        (boxes, own)
    }));
    match outcome {
        Ok((boxes, kept)) => {
            *fonts = Some(kept);
            boxes
        }
        Err(_) => {
            tracing::warn!("layout panicked");
            tracing::debug!(url.full = %page.url, "page whose layout panicked");
            None
        }
    }
}
