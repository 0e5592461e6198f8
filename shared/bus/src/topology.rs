//! Streams, subjects and consumers, and their declaration.

use crate::{Bus, BusConfig, BusError, StreamStorage};
use async_nats::jetstream::consumer::{AckPolicy, DeliverPolicy, Info, pull};
use async_nats::jetstream::stream::{Config as StreamConfig, DiscardPolicy, RetentionPolicy, StorageType};
use limner_proto::v1;
use std::time::Duration;

/// A kind of work: one stream, with a subject and a durable consumer for each queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stage {
    /// Static reads.
    Fetch,
    /// Browser reads.
    Render,
}

impl Stage {
    /// All stages.
    pub const ALL: [Stage; 2] = [Self::Fetch, Self::Render];

    /// Returns the name in subjects, metrics and logs.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Fetch => "fetch",
            Self::Render => "render",
        }
    }

    /// Returns the subject of the jobs of a queue.
    pub fn subject(self, prefix: &str, queue: JobQueue) -> String {
        match queue {
            JobQueue::Paid => format!("{prefix}.jobs.{}", self.as_str()),
            JobQueue::Free => format!("{prefix}.jobs.{}.free", self.as_str()),
        }
    }

    /// Returns the name of its stream.
    pub fn stream(self, prefix: &str) -> String {
        format!("{}_{}", prefix.replace(['.', ' ', '*', '>'], "_"), self.as_str()).to_uppercase()
    }

    /// Returns the name of the durable consumer of a queue.
    pub fn consumer(self, queue: JobQueue) -> String {
        match queue {
            JobQueue::Paid => format!("{}er", self.as_str()),
            JobQueue::Free => format!("{}er_free", self.as_str()),
        }
    }
}

/// A queue of a stage. While jobs wait in both, workers take [`BusConfig::paid_weight`] of the first for each one of the
/// second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum JobQueue {
    /// Jobs of accounts that pay.
    Paid,
    /// Jobs of accounts of the free plan.
    Free,
}

impl JobQueue {
    /// All queues.
    pub const ALL: [Self; 2] = [Self::Paid, Self::Free];

    /// Returns the name in metrics.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Paid => "paid",
            Self::Free => "free",
        }
    }

    /// Returns the queue of a job.
    pub fn of_job(job: &v1::Job) -> Self {
        if job.free_plan { Self::Free } else { Self::Paid }
    }
}

/// Time within which a repeated message id is not queued again. Longer than any call takes.
const DUPLICATE_WINDOW: Duration = Duration::from_secs(120);

impl Bus {
    /// Declares every stream and consumer; a repetition updates them to the current configuration. Only `limner
    /// migrate` and `limner up` call this: workers expect their consumer to exist.
    ///
    /// # Errors
    /// The server rejects it, for instance because JetStream is disabled.
    pub async fn declare(&self) -> Result<(), BusError> {
        for stage in Stage::ALL {
            self.declare_stage(stage).await?;
        }
        Ok(())
    }

    async fn declare_stage(&self, stage: Stage) -> Result<(), BusError> {
        let stream = stream_config(stage, &self.config);
        let name = stream.name.clone();
        self.jetstream.create_or_update_stream(stream).await.map_err(|cause| BusError::declare(&name, cause))?;
        // In this order: a consumer of an earlier release takes the jobs of both queues, which the second one must not.
        for queue in JobQueue::ALL {
            self.jetstream
                .create_consumer_on_stream(consumer_config(stage, queue, &self.config), name.as_str())
                .await
                .map_err(|cause| BusError::declare(format!("{name}/{}", stage.consumer(queue)), cause))?;
        }
        tracing::info!(bus.stream = name, "stream and consumers declared");
        Ok(())
    }

    /// Returns the number of jobs of a stage that no worker has taken yet.
    ///
    /// # Errors
    /// The consumer is missing or JetStream does not answer.
    pub async fn waiting_jobs(&self, stage: Stage) -> Result<u64, BusError> {
        Ok(self.consumers(stage).await?.iter().map(|info| info.num_pending).sum())
    }

    /// Returns the number of jobs of a stage that are waiting or in progress.
    ///
    /// # Errors
    /// The consumer is missing or JetStream does not answer.
    pub async fn unfinished_jobs(&self, stage: Stage) -> Result<u64, BusError> {
        let infos = self.consumers(stage).await?;
        Ok(infos.iter().map(|info| info.num_pending + info.num_ack_pending as u64).sum())
    }

    /// Returns the states of a stage's consumers.
    async fn consumers(&self, stage: Stage) -> Result<Vec<Info>, BusError> {
        let name = stage.stream(&self.config.prefix);
        let mut infos = Vec::new();
        for queue in JobQueue::ALL {
            let consumer = self
                .jetstream
                .get_consumer_from_stream::<pull::Config, _, _>(stage.consumer(queue), name.as_str())
                .await
                .map_err(|cause| BusError::declare(name.as_str(), cause))?;
            infos.push(consumer.cached_info().clone());
        }
        Ok(infos)
    }
}

fn stream_config(stage: Stage, config: &BusConfig) -> StreamConfig {
    StreamConfig {
        name: stage.stream(&config.prefix),
        subjects: JobQueue::ALL.map(|queue| stage.subject(&config.prefix, queue)).into(),
        retention: RetentionPolicy::WorkQueue,
        storage: match config.storage {
            StreamStorage::File => StorageType::File,
            StreamStorage::Memory => StorageType::Memory,
        },
        discard: DiscardPolicy::New,
        max_messages: i64::try_from(config.max_waiting_jobs).unwrap_or(i64::MAX),
        max_bytes: config.max_stream_bytes.map_or(-1, |bytes| i64::try_from(bytes).unwrap_or(i64::MAX)),
        max_messages_per_subject: -1,
        max_consumers: -1,
        max_message_size: -1,
        max_age: config.max_job_age,
        duplicate_window: DUPLICATE_WINDOW.min(config.max_job_age),
        num_replicas: config.replicas,
        ..StreamConfig::default()
    }
}

fn consumer_config(stage: Stage, queue: JobQueue, config: &BusConfig) -> pull::Config {
    pull::Config {
        durable_name: Some(stage.consumer(queue)),
        filter_subject: stage.subject(&config.prefix, queue),
        deliver_policy: DeliverPolicy::All,
        ack_policy: AckPolicy::Explicit,
        ack_wait: config.ack_wait,
        // Workers count deliveries and answer the last one. The server's `max_deliver` would leave the message in the
        // work queue for ever, and `backoff` would replace `ack_wait`: neither is used.
        max_deliver: -1,
        max_ack_pending: i64::try_from(config.max_jobs_in_hand).unwrap_or(i64::MAX),
        max_waiting: 4_096,
        ..pull::Config::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_valid_for_the_server() {
        assert_eq!(Stage::Fetch.stream("limner"), "LIMNER_FETCH");
        assert_eq!(Stage::Render.stream("a.b"), "A_B_RENDER");
        assert_eq!(Stage::Fetch.subject("a.b", JobQueue::Paid), "a.b.jobs.fetch");
        assert_eq!(Stage::Render.subject("a.b", JobQueue::Free), "a.b.jobs.render.free");
        let consumers = [Stage::Fetch, Stage::Render].map(|stage| JobQueue::ALL.map(|queue| stage.consumer(queue)));
        assert_eq!(consumers, [["fetcher", "fetcher_free"], ["renderer", "renderer_free"]]);
    }
}
