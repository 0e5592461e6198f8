//! The pool of extraction processes: one for each slot, kept warm, replaced when a call ends it or
//! yields its slot.

use crate::admission::QueueSlot;
use crate::call::CallResult;
use crate::failures;
use crate::message::{CallOutcome, Frame};
use limner_proto::{MAX_MESSAGE_BYTES, v1};
use limner_subprocess::{CallFault, CallLimits, GiveWay, Launch, Subprocess};
use prost::Message;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// Configuration of extraction processes and limits of a call.
#[derive(Debug, Clone)]
pub struct ProcessConfig {
    /// The program that runs [`crate::child::serve_calls`], and its arguments.
    pub launch: Launch,
    /// Processor time of one call, including layout.
    pub processor_time: Duration,
    /// Number of calls after which a process is replaced, so that leaked memory is freed.
    pub calls_per_process: u32,
}

impl ProcessConfig {
    /// Returns the defaults for everything but the program.
    pub fn new(launch: Launch) -> Self {
        Self { launch, processor_time: Duration::from_secs(8), calls_per_process: 1_000 }
    }
}

/// The reason why a call has no result that its caller could be told.
#[derive(Debug)]
pub(crate) enum Unanswered {
    /// The call has not started: another extractor may run it.
    NotBegun,
    /// The call was interrupted for a reason that cannot be attributed to the page.
    BrokeOff,
    /// The caller does not wait any more.
    Cancelled,
}

/// The pool. Callers hold a [`QueueSlot`], so there are never more concurrent calls than slots and background places.
#[derive(Debug)]
pub(crate) struct Processes {
    config: ProcessConfig,
    idle: Mutex<Vec<Subprocess>>,
    /// True if the last process that was needed could be started.
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

    /// Returns a receiver of the pool's readiness: whether processes can be started.
    pub(crate) fn readiness(&self) -> watch::Receiver<bool> {
        self.can_start.subscribe()
    }

    /// Runs a call in a process. Blocks, at most until `deadline`. If `place` yields its slot, the process continues in
    /// the background and ends with the call, because it cannot raise its priority again without privileges.
    pub(crate) fn extract(
        &self,
        request: &v1::ExtractRequest,
        deadline: Instant,
        cancelled: &AtomicBool,
        slot: &QueueSlot,
    ) -> Result<CallResult, Unanswered> {
        let mut process = self.take().ok_or(Unanswered::NotBegun)?;
        let yields_slot = || {
            let yields_slot = slot.yield_slot();
            metrics::counter!("limner_extractor_yielded_slots_total").increment(yields_slot.into());
            yields_slot
        };
        let limits = CallLimits {
            deadline: Some(deadline),
            processor_time: self.config.processor_time,
            idle: None,
            answer_bytes: MAX_MESSAGE_BYTES,
            cancelled: Some(cancelled),
            gives_way: Some(GiveWay(&yields_slot)),
        };
        match converse(&mut process, request, limits) {
            Ok(outcome) => {
                self.return_to_pool(process);
                read_outcome(outcome, request)
            }
            Err(fault) => {
                self.kill_and_replace(process);
                record_killed_process(request, &fault);
                classify_fault(fault)
            }
        }
    }

    fn take(&self) -> Option<Subprocess> {
        let idle = self.lock().pop();
        idle.or_else(|| self.start())
    }

    fn return_to_pool(&self, process: Subprocess) {
        if process.calls() < self.config.calls_per_process && !process.gave_way() {
            self.lock().push(process);
        } else {
            self.kill_and_replace(process);
        }
    }

    /// Kills a process ([`Subprocess`] does it on drop) and starts one for the next call, unless it yielded its slot, which
    /// has another process already.
    fn kill_and_replace(&self, process: Subprocess) {
        let has_successor = process.gave_way();
        // Frees memory and processor before the next call takes the slot.
        drop(process);
        if !has_successor && let Some(process) = self.start() {
            self.lock().push(process);
        }
    }

    fn start(&self) -> Option<Subprocess> {
        let started = Subprocess::start(&self.config.launch);
        self.can_start.send_if_modified(|can_start| std::mem::replace(can_start, started.is_ok()) != started.is_ok());
        started
            .inspect_err(|fault| {
                let program = self.config.launch.program.display();
                tracing::error!(error = %fault, process.executable.path = %program, "cannot start an extraction process");
            })
            .ok()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Subprocess>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Sends the call and returns how it ended.
fn converse(
    process: &mut Subprocess,
    request: &v1::ExtractRequest,
    limits: CallLimits<'_>,
) -> Result<CallOutcome, CallFault> {
    let mut call = process.call(&[&request.encode_to_vec()], limits)?;
    loop {
        match Frame::decode(call.receive()?)? {
            Frame::LayoutTime(used) => call.add_processor_time(used),
            Frame::End(outcome) => return Ok(outcome),
        }
    }
}

fn read_outcome(outcome: CallOutcome, request: &v1::ExtractRequest) -> Result<CallResult, Unanswered> {
    match outcome {
        CallOutcome::Answer(v1::ExtractResponse { extraction: Some(extraction), .. }) => Ok(Ok(extraction)),
        CallOutcome::Answer(v1::ExtractResponse { failure, .. }) => Ok(Err(failure.unwrap_or_else(failures::internal))),
        CallOutcome::Panicked(message) => {
            metrics::counter!("limner_extractor_panics_total").increment(1);
            tracing::error!(extract.operation = operation_of(request), error = message, "core panicked");
            Ok(Err(failures::internal()))
        }
        CallOutcome::LayoutUnavailable(cause) => {
            tracing::error!(error = cause, "layout unavailable");
            Err(Unanswered::BrokeOff)
        }
    }
}

/// Distinguishes a page that exceeds its limits from an overloaded machine.
fn classify_fault(fault: CallFault) -> Result<CallResult, Unanswered> {
    match fault {
        CallFault::ProcessorTime => Ok(Err(failures::too_slow())),
        CallFault::Crashed(_) => Ok(Err(failures::too_complex())),
        CallFault::Deadline => Ok(Err(failures::overloaded())),
        CallFault::Cancelled => Err(Unanswered::Cancelled),
        CallFault::Left(_) | CallFault::Killed | CallFault::Idle | CallFault::Pipe(_) => Err(Unanswered::BrokeOff),
    }
}

fn record_killed_process(request: &v1::ExtractRequest, fault: &CallFault) {
    let reason = match fault {
        CallFault::ProcessorTime => "processor_time",
        CallFault::Crashed(_) => "crashed",
        CallFault::Deadline => "deadline",
        CallFault::Cancelled => "cancelled",
        CallFault::Left(_) | CallFault::Killed | CallFault::Idle | CallFault::Pipe(_) => "lost",
    };
    metrics::counter!("limner_extractor_processes_lost_total", "reason" => reason).increment(1);
    tracing::warn!(extract.operation = operation_of(request), error = %fault, "extraction process lost");
    if let Some(page) = &request.page {
        tracing::debug!(url.full = page.url, "this page crashed it");
    }
}

fn operation_of(request: &v1::ExtractRequest) -> &str {
    request.call.as_ref().map_or("", |call| call.operation.as_str())
}
