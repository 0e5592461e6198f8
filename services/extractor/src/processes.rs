//! Extraction processes: one for each slot, kept warm, replaced when a call has ended them.

use crate::call::Answer;
use crate::failures;
use crate::message::Frame;
use limner_proto::{MAX_MESSAGE_BYTES, v1};
use limner_subprocess::{CallFault, CallLimits, Launch, Subprocess};
use prost::Message;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// How extraction processes are started and what a call may use.
#[derive(Debug, Clone)]
pub struct ProcessConfig {
    /// The program that runs [`crate::child::serve_calls`], and its arguments.
    pub launch: Launch,
    /// Processor time of one call, layout included.
    pub processor_time: Duration,
    /// Calls after which a process is replaced, so that whatever leaks is given back.
    pub calls_per_process: u32,
}

impl ProcessConfig {
    /// Returns the defaults for everything but the program.
    pub fn new(launch: Launch) -> Self {
        Self { launch, processor_time: Duration::from_secs(8), calls_per_process: 1_000 }
    }
}

/// The reason why a call has no answer that its caller could be told.
#[derive(Debug)]
pub(crate) enum Unanswered {
    /// The call did not begin: it is as good elsewhere.
    NotBegun,
    /// The call broke off through no fault that could be laid on the page.
    BrokeOff,
    /// Nobody waits for the answer any more.
    Cancelled,
}

/// The pool. Whoever calls it has a slot: there are never more calls at once than slots.
#[derive(Debug)]
pub(crate) struct Processes {
    config: ProcessConfig,
    idle: Mutex<Vec<Subprocess>>,
    /// True while the last process that was needed could be started.
    can_start: watch::Sender<bool>,
}

impl Processes {
    pub(crate) fn new(config: ProcessConfig) -> Self {
        Self { config, idle: Mutex::default(), can_start: watch::channel(true).0 }
    }

    /// Starts processes until `count` are idle.
    pub(crate) fn warm_up(&self, count: usize) {
        while self.lock().len() < count {
            let Some(process) = self.start() else { return };
            self.lock().push(process);
        }
    }

    /// Follows whether processes can be started.
    pub(crate) fn readiness(&self) -> watch::Receiver<bool> {
        self.can_start.subscribe()
    }

    /// Has a call answered by a process. Blocks, until `deadline` at most.
    pub(crate) fn extract(
        &self,
        request: &v1::ExtractRequest,
        deadline: Instant,
        cancelled: &AtomicBool,
    ) -> Result<Answer, Unanswered> {
        let mut process = self.take().ok_or(Unanswered::NotBegun)?;
        let limits = CallLimits {
            deadline: Some(deadline),
            processor_time: self.config.processor_time,
            idle: None,
            answer_bytes: MAX_MESSAGE_BYTES,
            cancelled: Some(cancelled),
        };
        match converse(&mut process, request, limits) {
            Ok(Frame::Answer(v1::ExtractResponse { extraction, failure })) => {
                self.give_back(process);
                match (extraction, failure) {
                    (Some(extraction), _) => Ok(Ok(extraction)),
                    (None, failure) => Ok(Err(failure.unwrap_or_else(failures::internal))),
                }
            }
            Ok(Frame::Panicked(message)) => {
                self.give_back(process);
                metrics::counter!("limner_extractor_panics_total").increment(1);
                tracing::error!(extract.operation = operation_of(request), error = message, "the core panicked");
                Ok(Err(failures::internal()))
            }
            Ok(Frame::LayoutUnavailable(cause)) => {
                self.give_back(process);
                tracing::error!(error = cause, "layout is not available");
                Err(Unanswered::BrokeOff)
            }
            Ok(Frame::LayoutTime(_)) => Err(Unanswered::BrokeOff),
            Err(fault) => {
                // Memory and processor are free again before the next call takes the slot.
                drop(process);
                self.replace();
                record_loss(request, &fault);
                judge(fault)
            }
        }
    }

    fn take(&self) -> Option<Subprocess> {
        let idle = self.lock().pop();
        idle.or_else(|| self.start())
    }

    fn give_back(&self, process: Subprocess) {
        if process.calls() < self.config.calls_per_process {
            self.lock().push(process);
        } else {
            drop(process);
            self.replace();
        }
    }

    /// Starts a process for the next call in place of one that ended.
    fn replace(&self) {
        if let Some(process) = self.start() {
            self.lock().push(process);
        }
    }

    fn start(&self) -> Option<Subprocess> {
        let started = Subprocess::start(&self.config.launch);
        self.can_start.send_if_modified(|can_start| std::mem::replace(can_start, started.is_ok()) != started.is_ok());
        started
            .inspect_err(|fault| {
                let program = self.config.launch.program.display();
                tracing::error!(error = %fault, process.executable.path = %program, "no extraction process");
            })
            .ok()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Subprocess>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Sends the call and returns the frame that ends it.
fn converse(
    process: &mut Subprocess,
    request: &v1::ExtractRequest,
    limits: CallLimits<'_>,
) -> Result<Frame, CallFault> {
    let mut call = process.call(&[&request.encode_to_vec()], limits)?;
    loop {
        match Frame::decode(call.receive()?)? {
            Frame::LayoutTime(used) => call.add_processor_time(used),
            last => return Ok(last),
        }
    }
}

/// Tells a page that exceeds its limits from a machine that does.
fn judge(fault: CallFault) -> Result<Answer, Unanswered> {
    match fault {
        CallFault::ProcessorTime => Ok(Err(failures::too_slow())),
        CallFault::Crashed(_) => Ok(Err(failures::too_complex())),
        CallFault::Deadline => Ok(Err(failures::overloaded())),
        CallFault::Cancelled => Err(Unanswered::Cancelled),
        CallFault::Left(_) | CallFault::Killed | CallFault::Idle | CallFault::Pipe(_) => Err(Unanswered::BrokeOff),
    }
}

fn record_loss(request: &v1::ExtractRequest, fault: &CallFault) {
    let reason = match fault {
        CallFault::ProcessorTime => "processor_time",
        CallFault::Crashed(_) => "crashed",
        CallFault::Deadline => "deadline",
        CallFault::Cancelled => "cancelled",
        CallFault::Left(_) | CallFault::Killed | CallFault::Idle | CallFault::Pipe(_) => "lost",
    };
    metrics::counter!("limner_extractor_processes_lost_total", "reason" => reason).increment(1);
    tracing::warn!(extract.operation = operation_of(request), error = %fault, "an extraction process was lost");
    if let Some(page) = &request.page {
        tracing::debug!(url.full = page.url, "this page lost it");
    }
}

fn operation_of(request: &v1::ExtractRequest) -> &str {
    request.call.as_ref().map_or("", |call| call.operation.as_str())
}
