//! Layout in child processes, which may crash.

use crate::fonts::digit_widths_of_system;
use crate::protocol::{LayoutRequest, MAX_FRAME, decode_answer};
use limner_page::PageSnapshot;
use limner_style::layout::{Boxes, Layout};
use limner_style::{Environment, ZeroAdvances};
use limner_subprocess::{CallFault, CallLimits, Launch, Subprocess};
use std::io;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;
use thiserror::Error;

/// Configuration and limits of the child processes.
#[derive(Debug, Clone)]
pub struct ProcessLayoutConfig {
    /// The program that runs [`crate::layout_child::run_worker`], and its arguments.
    pub launch: Launch,
    /// Maximum number of children; each uses a processor while it works.
    pub children: usize,
    /// Processor time for the boxes of one page. There is no limit in wall-clock time: boxes must not depend on the
    /// load of the machine.
    pub processor_time: Duration,
    /// Maximum time in which a working child uses no processor time; it then counts as broken.
    pub idle: Duration,
    /// Number of pages after which a child is replaced, so that leaked memory is released.
    pub pages_per_child: u32,
}

const IDLE: Duration = Duration::from_secs(20);

impl ProcessLayoutConfig {
    /// Returns the defaults for everything but the program.
    pub fn new(launch: Launch) -> Self {
        let children = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
        Self { launch, children, processor_time: Duration::from_secs(5), idle: IDLE, pages_per_child: 500 }
    }
}

/// Lays pages out in child processes, which are started on demand, reused for further pages, and replaced if they crash
/// or take too long. A page that kills its child has no boxes; other pages are unaffected.
#[derive(Debug)]
pub struct ProcessLayout {
    config: ProcessLayoutConfig,
    pool: Mutex<Pool>,
    freed: Condvar,
}

#[derive(Debug, Default)]
struct Pool {
    idle: Vec<Subprocess>,
    /// Number of children that are idle, at work or about to be started.
    alive: usize,
}

/// The boxes of a page and their cost.
#[derive(Debug)]
pub struct LaidOut {
    /// The boxes; `None` if the page cannot be laid out within the limits, which does not change with another try.
    pub boxes: Option<Boxes>,
    /// Processor time of the child.
    pub processor_time: Duration,
}

/// The reason why layout is unavailable. It does not depend on the page: another try may succeed.
#[derive(Debug, Error)]
pub enum LayoutUnavailable {
    /// No child could be started.
    #[error("no child for layout could be started: {0}")]
    Start(io::Error),
    /// The child was killed from outside, or its pipes failed.
    #[error("a child for layout was lost: {0}")]
    ChildLost(CallFault),
}

impl ProcessLayout {
    /// Creates a pool without children; they are started on demand.
    pub fn new(config: ProcessLayoutConfig) -> Self {
        Self { config, pool: Mutex::new(Pool::default()), freed: Condvar::new() }
    }

    /// Returns the boxes of `page`, computed within `processor_time`, which the configured one limits. Waits while all
    /// children are at work.
    ///
    /// # Errors
    /// See [`LayoutUnavailable`].
    pub fn layout_with_budget(
        &self,
        page: &PageSnapshot,
        environment: &Environment,
        processor_time: Duration,
    ) -> Result<LaidOut, LayoutUnavailable> {
        let processor_time = processor_time.min(self.config.processor_time);
        let impossible = |processor_time| LaidOut { boxes: None, processor_time };
        let Ok(question) = LayoutRequest::new(page, environment).encode() else {
            return Ok(impossible(Duration::ZERO));
        };
        let mut child = self.acquire_child()?;
        match self.ask(&mut child, &question, processor_time) {
            Ok(laid_out) => {
                self.release_child(Some(child));
                Ok(laid_out)
            }
            Err(fault) => {
                tracing::warn!(error = %fault, "layout child process lost");
                tracing::debug!(url.full = %page.url, "page whose layout child process was lost");
                self.release_child(None);
                match fault {
                    CallFault::ProcessorTime | CallFault::Crashed(_) => Ok(impossible(processor_time)),
                    other => Err(LayoutUnavailable::ChildLost(other)),
                }
            }
        }
    }

    fn ask(&self, child: &mut Subprocess, question: &[u8], processor_time: Duration) -> Result<LaidOut, CallFault> {
        let idle = Some(self.config.idle);
        let (answer_bytes, cancelled, gives_way) = (MAX_FRAME, None, None);
        let limits = CallLimits { deadline: None, processor_time, idle, answer_bytes, cancelled, gives_way };
        let mut call = child.call(&[question], limits)?;
        let boxes = decode_answer(&call.receive()?)?;
        Ok(LaidOut { boxes, processor_time: call.processor_time()? })
    }

    /// Takes an idle child, or starts one; waits while all are at work.
    fn acquire_child(&self) -> Result<Subprocess, LayoutUnavailable> {
        let mut pool = self.pool.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(child) = pool.idle.pop() {
                return Ok(child);
            }
            if pool.alive < self.config.children.max(1) {
                pool.alive += 1;
                drop(pool);
                return Subprocess::start(&self.config.launch).map_err(|fault| {
                    self.release_child(None);
                    LayoutUnavailable::Start(fault)
                });
            }
            pool = self.freed.wait(pool).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Returns a usable child to the pool; `None` frees its slot.
    fn release_child(&self, child: Option<Subprocess>) {
        let mut pool = self.pool.lock().unwrap_or_else(PoisonError::into_inner);
        match child.filter(|child| child.calls() < self.config.pages_per_child) {
            Some(child) => pool.idle.push(child),
            None => pool.alive -= 1,
        }
        drop(pool);
        self.freed.notify_one();
    }
}

impl Layout for ProcessLayout {
    fn boxes(&self, page: &PageSnapshot, environment: &Environment) -> Option<Boxes> {
        match self.layout_with_budget(page, environment, self.config.processor_time) {
            Ok(laid_out) => laid_out.boxes,
            Err(fault) => {
                let program = self.config.launch.program.display();
                tracing::error!(error = %fault, layout.program = %program, "layout is not available");
                None
            }
        }
    }

    fn digit_widths(&self) -> ZeroAdvances {
        digit_widths_of_system()
    }
}
