//! One delivery of a message, from decoding to acknowledgement.
//!
//! A redelivered message was lost: its worker died, possibly over this job, or lost its connection. A job that a worker
//! gives back is queued again instead, as another message.

use super::pull::InFlightJob;
use super::{JobContext, JobOutcome, WorkerOptions};
use crate::publish::remaining;
use crate::topology::{JobQueue, Stage};
use crate::{Bus, BusError, trace};
use async_nats::jetstream::{AckKind, Message};
use limner_proto::v1;
use limner_proto::v1::fallback::StaticOutcome;
use prost::Message as _;
use std::convert::Infallible;
use std::time::{Duration, SystemTime};
use tokio::time::{Instant, MissedTickBehavior};
use tracing::Instrument;

pub(super) struct Worker<F> {
    pub(super) bus: Bus,
    pub(super) stage: Stage,
    pub(super) options: WorkerOptions,
    pub(super) handler: F,
}

/// Delay before a job whose handler panicked is retried.
const AFTER_PANIC: Duration = Duration::from_millis(500);

/// Delay before a job that NATS did not accept is retried.
const AFTER_REFUSAL: Duration = Duration::from_secs(1);

impl<F, Fut> Worker<F>
where
    F: Fn(JobContext) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = JobOutcome> + Send + 'static,
{
    pub(super) async fn work(
        &self,
        message: Message,
        queue: JobQueue,
        progress_every: Duration,
        in_flight: InFlightJob,
    ) {
        self.observe_wait(&message, queue);
        let Some(context) = self.open(&message).await else { return };
        let started = Instant::now();
        let span = tracing::info_span!(
            "job",
            otel.kind = "consumer",
            job.id = context.job.job_id,
            bus.stage = self.stage.as_str(),
            bus.deliveries = context.deliveries,
        );
        trace::adopt(&span, message.headers.as_ref());
        let outcome = self.handle(context, message, progress_every, in_flight).instrument(span).await;
        let stage = self.stage.as_str();
        metrics::counter!("limner_bus_jobs_total", "stage" => stage, "outcome" => outcome).increment(1);
        metrics::histogram!("limner_bus_job_duration_seconds", "stage" => stage).record(started.elapsed());
    }

    /// Records the number of jobs waiting behind this one, and its own waiting time. Redelivered jobs are not counted:
    /// they have waited for other reasons.
    fn observe_wait(&self, message: &Message, queue: JobQueue) {
        let Ok(info) = message.info() else { return };
        let stage = self.stage.as_str();
        metrics::gauge!("limner_bus_waiting_jobs", "stage" => stage, "queue" => queue.as_str())
            .set(info.pending as f64);
        if info.delivered == 1
            && let Ok(waited) = SystemTime::now().duration_since(SystemTime::from(info.published))
        {
            metrics::histogram!("limner_bus_job_wait_seconds", "stage" => stage).record(waited);
        }
    }

    /// Decodes the message. A message that cannot serve any caller is removed from the queue.
    async fn open(&self, message: &Message) -> Option<JobContext> {
        let stage = self.stage.as_str();
        let drop_it = async |reason: &'static str| {
            metrics::counter!("limner_bus_dropped_jobs_total", "stage" => stage, "reason" => reason).increment(1);
            acknowledge(message, AckKind::Term).await;
        };
        let job = match v1::Job::decode(message.payload.clone()) {
            Ok(job) => job,
            Err(cause) => {
                tracing::error!(error = %cause, bus.stage = stage, "cannot decode a job");
                drop_it("unreadable").await;
                return None;
            }
        };
        let Some(left) = remaining(&job) else {
            tracing::info!(job.id = job.job_id, bus.stage = stage, "job dropped: its deadline has passed");
            drop_it("deadline").await;
            return None;
        };
        let delivered = message.info().map_or(1, |info| u32::try_from(info.delivered).unwrap_or(u32::MAX));
        let deliveries = job.retries.saturating_add(delivered);
        let (most, losses, most_losses) =
            (self.options_limit(), delivered.saturating_sub(1), self.bus.config.max_losses);
        // No caller waits longer, even if the clocks of two machines differ.
        let left = left.min(self.bus.config.max_job_age);
        let context = JobContext {
            job,
            deadline: Instant::now() + left,
            deliveries,
            last_delivery: deliveries >= most || losses >= most_losses.max(1),
        };
        // The previous delivery was the last one, and its worker died.
        if deliveries > most || losses > most_losses {
            self.give_up(&context, message).await;
            return None;
        }
        Some(context)
    }

    fn options_limit(&self) -> u32 {
        self.bus.config.max_deliveries.max(1)
    }

    async fn handle(
        &self,
        context: JobContext,
        message: Message,
        progress_every: Duration,
        in_flight: InFlightJob,
    ) -> &'static str {
        let job = tokio::spawn((self.handler)(context.clone()).in_current_span());
        let abort_when_dropped = AbortOnDrop(job.abort_handle());
        let outcome = tokio::select! {
            outcome = job => outcome,
            never = keep_alive(&message, progress_every) => match never {},
            () = tokio::time::sleep_until(context.deadline) => {
                drop(abort_when_dropped);
                tracing::warn!(job.id = context.job.job_id, "job abandoned: its deadline has passed");
                acknowledge(&message, AckKind::Term).await;
                return "deadline";
            }
        };
        let delay = match outcome {
            Ok(JobOutcome::Reply(reply)) => return self.reply(&context, reply, &message, progress_every).await,
            Ok(JobOutcome::HandOver(stage, job)) => {
                let job = v1::Job { retries: 0, ..*job };
                match self.forward_to_stage(stage, &job, &message).await {
                    Ok(()) => return "handed_over",
                    Err(cause) => {
                        tracing::error!(job.id = job.job_id, error = %cause, "cannot forward a job");
                        AFTER_REFUSAL
                    }
                }
            }
            Ok(JobOutcome::Retry { delay }) => delay,
            Err(panic) => {
                tracing::error!(job.id = context.job.job_id, error = %panic, "job handler panicked");
                AFTER_PANIC
            }
        };
        // A job that waits takes no place.
        drop(in_flight);
        tokio::select! {
            outcome = self.retry(context, delay, &message) => outcome,
            never = keep_alive(&message, progress_every) => match never {},
        }
    }

    async fn reply(
        &self,
        context: &JobContext,
        reply: v1::JobReply,
        message: &Message,
        progress_every: Duration,
    ) -> &'static str {
        let outcome = match reply.outcome {
            Some(v1::job_reply::Outcome::Extraction(_)) => "answered",
            Some(v1::job_reply::Outcome::Failure(_)) | None => "failed",
        };
        let patience = context.deadline.saturating_duration_since(Instant::now());
        tokio::select! {
            () = self.bus.send_reply(&context.job.reply_subject, reply, patience) => {}
            never = keep_alive(message, progress_every) => match never {},
        }
        acknowledge(message, AckKind::Ack).await;
        outcome
    }

    async fn forward_to_stage(&self, stage: Stage, job: &v1::Job, message: &Message) -> Result<(), BusError> {
        self.bus.publish_job(stage, job).await?;
        if let Some(outcome) = static_outcome(job) {
            let job_id = job.job_id.clone();
            let reply = v1::JobReply { job_id, outcome: Some(outcome), worker_ms: 0, provisional: true, unkept: true };
            self.bus.send_reply(&job.reply_subject, reply, PROVISIONAL_PATIENCE).await;
        }
        acknowledge(message, AckKind::Ack).await;
        Ok(())
    }

    /// Queues the job again after `delay`. Until then it belongs to this worker: if that dies, another one gets the job.
    async fn retry(&self, context: JobContext, delay: Duration, message: &Message) -> &'static str {
        if context.last_delivery || Instant::now() + delay >= context.deadline {
            self.give_up(&context, message).await;
            return "exhausted";
        }
        tokio::time::sleep(delay).await;
        let job = v1::Job { retries: context.job.retries + 1, ..context.job };
        let kind = match self.bus.publish_job(self.stage, &job).await {
            Ok(()) => AckKind::Ack,
            Err(cause) => {
                tracing::error!(job.id = job.job_id, error = %cause, "cannot queue a job again");
                AckKind::Nak(Some(AFTER_REFUSAL))
            }
        };
        acknowledge(message, kind).await;
        "retried"
    }

    /// Answers with a failure, so that the caller need not wait for its deadline, and removes the job from the queue.
    async fn give_up(&self, context: &JobContext, message: &Message) {
        let job = &context.job;
        tracing::error!(job.id = job.job_id, bus.deliveries = context.deliveries, "job failed after its last delivery");
        let failure = || v1::job_reply::Outcome::Failure(self.options.exhausted.clone());
        let outcome = Some(static_outcome(job).unwrap_or_else(failure));
        let reply = v1::JobReply { job_id: job.job_id.clone(), outcome, unkept: true, ..v1::JobReply::default() };
        let patience = context.deadline.saturating_duration_since(Instant::now());
        self.bus.send_reply(&job.reply_subject, reply, patience).await;
        acknowledge(message, AckKind::Term).await;
    }
}

/// Time for which a provisional reply is sent: either its receiver exists, or it does not need it.
const PROVISIONAL_PATIENCE: Duration = Duration::from_secs(1);

/// Returns the previous worker's outcome of a job that was forwarded for a better one.
fn static_outcome(job: &v1::Job) -> Option<v1::job_reply::Outcome> {
    match job.fallback.as_ref()?.static_outcome.clone()? {
        StaticOutcome::Extraction(extraction) => Some(v1::job_reply::Outcome::Extraction(extraction)),
        StaticOutcome::Failure(failure) => Some(v1::job_reply::Outcome::Failure(failure)),
    }
}

/// Reports progress for as long as it is polled.
async fn keep_alive(message: &Message, every: Duration) -> Infallible {
    let mut tick = tokio::time::interval_at(Instant::now() + every, every);
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tick.tick().await;
        acknowledge(message, AckKind::Progress).await;
    }
}

async fn acknowledge(message: &Message, kind: AckKind) {
    // A lost acknowledgement causes a redelivery, which finds the deadline passed or does the work again.
    if let Err(cause) = message.ack_with(kind).await {
        tracing::warn!(error = %cause, bus.ack = ?kind, "cannot send an acknowledgement");
    }
}

struct AbortOnDrop(tokio::task::AbortHandle);

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        self.0.abort();
    }
}
