//! Publishes jobs to their stream.

use crate::topology::{JobQueue, Stage};
use crate::{Bus, BusConfig, BusError, trace};
use async_nats::HeaderMap;
use async_nats::jetstream::message::PublishMessage;
use bytes::Bytes;
use limner_proto::v1;
use prost::Message;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::time::Instant;

/// Maximum number of attempts to publish a job. The message id makes repetitions harmless.
const ATTEMPTS: u32 = 3;
/// Time limit for a reconnection: another server of a cluster takes over faster.
const RECONNECT_PATIENCE: Duration = Duration::from_secs(2);
/// Time limit for the election of a stream's leader in a cluster: two of nats-server's own timeouts (4 to 9 s).
const ELECTION_PATIENCE: Duration = Duration::from_secs(15);
/// Maximum delay between two attempts.
const MAX_BACKOFF: Duration = Duration::from_millis(500);

impl Bus {
    /// Queues a job. The message id is the job id with its number of retries, so a repetition within two minutes is the
    /// same job.
    ///
    /// # Errors
    /// JetStream did not confirm it: unavailable, stream missing or full.
    pub async fn publish_job(&self, stage: Stage, job: &v1::Job) -> Result<(), BusError> {
        if !is_subject_token(&job.job_id) {
            return Err(BusError::InvalidJobId(job.job_id.clone()));
        }
        let subject = stage.subject(&self.config.prefix, JobQueue::of_job(job));
        let mut headers = HeaderMap::new();
        headers.insert("Nats-Msg-Id", message_id(job).as_str());
        trace::inject(&mut headers);
        let payload = Bytes::from(job.encode_to_vec());
        let budget = PublishBudget::from_config(&self.config);
        let mut attempt = 1;
        loop {
            let refused = |_: &BusError| refused_job(stage);
            self.connected(RECONNECT_PATIENCE).await.inspect_err(refused)?;
            let publishing = self.publish_once(&subject, headers.clone(), payload.clone());
            let cause = tokio::select! {
                answer = publishing => match answer {
                    Ok(()) => return Ok(()),
                    Err(cause) => cause,
                },
                // A lost connection brings no confirmation any more.
                () = self.disconnected() => {
                    tracing::warn!(job.id = job.job_id, "NATS connection lost before a job was confirmed");
                    attempt += 1;
                    if budget.is_over(attempt) {
                        refused_job(stage);
                        return Err(BusError::Away);
                    }
                    continue;
                }
            };
            let in_time = remaining(job).is_some_and(|left| left > Duration::from_secs(1));
            if budget.is_over(attempt + 1) || !in_time || !cause.is_transient() {
                refused_job(stage);
                return Err(BusError::publish(subject, cause.0));
            }
            tracing::warn!(job.id = job.job_id, error = %cause.0, "job not confirmed; publishing it again");
            tokio::time::sleep(MAX_BACKOFF.min(Duration::from_millis(100 * u64::from(attempt)))).await;
            attempt += 1;
        }
    }

    async fn publish_once(&self, subject: &str, headers: HeaderMap, payload: Bytes) -> Result<(), PublishError> {
        let message = PublishMessage::build().headers(headers).payload(payload);
        self.jetstream
            .send_publish(subject.to_owned(), message)
            .await
            .map_err(PublishError)?
            .await
            .map_err(PublishError)?;
        Ok(())
    }
}

fn message_id(job: &v1::Job) -> String {
    match job.retries {
        0 => job.job_id.clone(),
        retries => format!("{}.{retries}", job.job_id),
    }
}

/// Limit of the attempts to publish a job.
struct PublishBudget {
    /// Extended limit for a replicated stream, which has no leader for a while after its server failed.
    until: Option<Instant>,
}

impl PublishBudget {
    fn from_config(config: &BusConfig) -> Self {
        Self { until: (config.replicas > 1).then(|| Instant::now() + ELECTION_PATIENCE) }
    }

    fn is_over(&self, attempt: u32) -> bool {
        attempt > ATTEMPTS && self.until.is_none_or(|until| Instant::now() >= until)
    }
}

fn refused_job(stage: Stage) {
    metrics::counter!("limner_bus_refused_jobs_total", "stage" => stage.as_str()).increment(1);
}

struct PublishError(async_nats::jetstream::context::PublishError);

impl PublishError {
    /// Returns true if a retry may succeed.
    fn is_transient(&self) -> bool {
        use async_nats::jetstream::context::PublishErrorKind::{BrokenPipe, StreamNotFound, TimedOut};
        // A restarted server that has not loaded its streams yet also answers "not found".
        matches!(self.0.kind(), TimedOut | BrokenPipe | StreamNotFound)
    }
}

/// Returns the time left until the job's deadline.
pub(crate) fn remaining(job: &v1::Job) -> Option<Duration> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let deadline = Duration::from_millis(u64::try_from(job.deadline_unix_ms).unwrap_or(0));
    deadline.checked_sub(now).filter(|left| !left.is_zero())
}

/// Returns true if `text` is a valid subject token.
pub(crate) fn is_subject_token(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn job_ids_are_subject_tokens() {
        for (id, valid) in [("req_0aZ-", true), ("", false), ("a.b", false), ("*", false), ("a b", false)] {
            assert_eq!(is_subject_token(id), valid, "{id}");
        }
    }

    #[test]
    fn remaining_time_is_none_after_the_deadline() {
        for deadline_unix_ms in [i64::MIN, -1, 0, 1] {
            assert_eq!(remaining(&v1::Job { deadline_unix_ms, ..v1::Job::default() }), None);
        }
        assert!(remaining(&v1::Job { deadline_unix_ms: i64::MAX, ..v1::Job::default() }).is_some());
    }
}
