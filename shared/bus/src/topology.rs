//! Streams, subjects and consumers, and their declaration.

use crate::{Bus, BusConfig, BusError};
use async_nats::jetstream::consumer::{AckPolicy, DeliverPolicy, Info, pull};
use async_nats::jetstream::stream::{Config as StreamConfig, DiscardPolicy, RetentionPolicy, StorageType};
use std::time::Duration;

/// A work queue: one stream, one subject, one durable consumer.
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

    /// Returns the subject of its jobs.
    pub fn subject(self, prefix: &str) -> String {
        format!("{prefix}.jobs.{}", self.as_str())
    }

    /// Returns the name of its stream.
    pub fn stream(self, prefix: &str) -> String {
        format!("{}_{}", prefix.replace(['.', ' ', '*', '>'], "_"), self.as_str()).to_uppercase()
    }

    /// Returns the name of its durable consumer.
    pub fn consumer(self) -> String {
        format!("{}er", self.as_str())
    }
}

/// Maximum number of waiting jobs. Further ones are refused at once: an error is better than a queue whose jobs would
/// time out.
const MAX_WAITING_JOBS: i64 = 100_000;

/// Maximum number of jobs in progress in all workers together.
const MAX_JOBS_IN_HAND: i64 = 20_000;

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
        self.jetstream
            .create_consumer_on_stream(consumer_config(stage, &self.config), name.as_str())
            .await
            .map_err(|cause| BusError::declare(format!("{name}/{}", stage.consumer()), cause))?;
        tracing::info!(bus.stream = name, "stream and consumer declared");
        Ok(())
    }

    /// Returns the number of jobs of a stage that no worker has taken yet.
    ///
    /// # Errors
    /// The consumer is missing or JetStream does not answer.
    pub async fn waiting_jobs(&self, stage: Stage) -> Result<u64, BusError> {
        Ok(self.consumer_info(stage).await?.num_pending)
    }

    /// Returns the number of jobs of a stage that are waiting or in progress.
    ///
    /// # Errors
    /// The consumer is missing or JetStream does not answer.
    pub async fn unfinished_jobs(&self, stage: Stage) -> Result<u64, BusError> {
        let info = self.consumer_info(stage).await?;
        Ok(info.num_pending + info.num_ack_pending as u64)
    }

    async fn consumer_info(&self, stage: Stage) -> Result<Info, BusError> {
        let name = stage.stream(&self.config.prefix);
        let consumer = self
            .jetstream
            .get_consumer_from_stream::<pull::Config, _, _>(stage.consumer(), name.as_str())
            .await
            .map_err(|cause| BusError::declare(name, cause))?;
        Ok(consumer.cached_info().clone())
    }
}

fn stream_config(stage: Stage, config: &BusConfig) -> StreamConfig {
    StreamConfig {
        name: stage.stream(&config.prefix),
        subjects: vec![stage.subject(&config.prefix)],
        retention: RetentionPolicy::WorkQueue,
        storage: StorageType::File,
        discard: DiscardPolicy::New,
        max_messages: MAX_WAITING_JOBS,
        max_bytes: -1,
        max_messages_per_subject: -1,
        max_consumers: -1,
        max_message_size: -1,
        max_age: config.max_job_age,
        duplicate_window: DUPLICATE_WINDOW.min(config.max_job_age),
        num_replicas: config.replicas,
        ..StreamConfig::default()
    }
}

fn consumer_config(stage: Stage, config: &BusConfig) -> pull::Config {
    pull::Config {
        durable_name: Some(stage.consumer()),
        deliver_policy: DeliverPolicy::All,
        ack_policy: AckPolicy::Explicit,
        ack_wait: config.ack_wait,
        // Workers count deliveries and answer the last one. The server's `max_deliver` would leave the message in the
        // work queue for ever, and `backoff` would replace `ack_wait`: neither is used.
        max_deliver: -1,
        max_ack_pending: MAX_JOBS_IN_HAND,
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
        assert_eq!(Stage::Fetch.subject("a.b"), "a.b.jobs.fetch");
        assert_eq!((Stage::Fetch.consumer(), Stage::Render.consumer()), ("fetcher".to_owned(), "renderer".to_owned()));
    }
}
