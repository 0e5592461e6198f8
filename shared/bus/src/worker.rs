//! The worker loop: pull, keep alive, act on the outcome, acknowledge.
//!
//! A message leaves the work queue in one of two ways: it is acknowledged after its reply was sent or its job was
//! forwarded to another stage or queued again; or it is terminated if it cannot serve any caller any more. If its worker
//! falls silent it is redelivered to another one, once: a job over which two workers died is given up.

mod delivery;
mod pull;

use crate::topology::Stage;
use crate::{Bus, BusError};
use limner_proto::v1;
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// Options of a worker.
#[derive(Debug, Clone)]
pub struct WorkerOptions {
    /// Maximum number of jobs in progress. Jobs are only pulled if they can be started at once.
    pub concurrency: usize,
    /// The failure of a job that was delivered as often as allowed.
    pub exhausted: v1::Failure,
}

/// A job being processed.
#[derive(Debug, Clone)]
pub struct JobContext {
    /// The job.
    pub job: v1::Job,
    /// After this time no caller waits any more.
    pub deadline: Instant,
    /// Number of attempts, including this one.
    pub deliveries: u32,
    /// True if no retry is possible any more.
    pub last_delivery: bool,
}

/// The outcome of a job.
#[derive(Debug, Clone)]
pub enum JobOutcome {
    /// Answered.
    Reply(v1::JobReply),
    /// Another stage continues with it.
    HandOver(Stage, Box<v1::Job>),
    /// Retry later. After the last attempt the caller gets [`WorkerOptions::exhausted`].
    Retry {
        /// Delay before the redelivery.
        delay: Duration,
    },
}

impl Bus {
    /// Works on a stage until `shutdown`, then finishes the jobs in progress. A missing consumer or a lost connection
    /// is waited for and is not an error.
    ///
    /// # Errors
    /// The connection is permanently closed.
    pub async fn run_worker<F, Fut>(
        &self,
        stage: Stage,
        options: WorkerOptions,
        handler: F,
        shutdown: CancellationToken,
    ) -> Result<(), BusError>
    where
        F: Fn(JobContext) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = JobOutcome> + Send + 'static,
    {
        // Dropping the sender leaves the limit unchanged.
        let most = watch::channel(usize::MAX).1;
        self.run_limited_worker(stage, options, most, handler, shutdown).await
    }

    /// Like [`Bus::run_worker`], but takes jobs only while fewer than `most` are in progress. `most` may change at any
    /// time; 0 stops taking jobs. Jobs in progress are finished; jobs that arrive over the limit are returned at once.
    ///
    /// # Errors
    /// The connection is permanently closed.
    pub async fn run_limited_worker<F, Fut>(
        &self,
        stage: Stage,
        options: WorkerOptions,
        most: watch::Receiver<usize>,
        handler: F,
        shutdown: CancellationToken,
    ) -> Result<(), BusError>
    where
        F: Fn(JobContext) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = JobOutcome> + Send + 'static,
    {
        let worker = delivery::Worker { bus: self.clone(), stage, options, handler };
        pull::Puller::new(worker, most, shutdown).run().await
    }
}
