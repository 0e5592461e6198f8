//! The worker loop: pull, keep alive, act on the outcome, acknowledge.
//!
//! A message leaves the work queue in one of three ways: acknowledged after its reply was sent or its job was handed
//! to another stage, terminated when nobody can be served by it any more, or, when its worker falls silent, by being
//! delivered again to another.

mod delivery;
mod pull;

use crate::topology::Stage;
use crate::{Bus, BusError};
use limner_proto::v1;
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// How a worker works.
#[derive(Debug, Clone)]
pub struct WorkerOptions {
    /// Jobs in hand at once. Nothing is pulled that could not be started at once.
    pub concurrency: usize,
    /// The failure a caller gets when a job was tried as often as allowed.
    pub exhausted: v1::Failure,
}

/// A job in a worker's hands.
#[derive(Debug, Clone)]
pub struct JobContext {
    /// The job.
    pub job: v1::Job,
    /// Past this moment nobody waits any more.
    pub deadline: Instant,
    /// How often it was delivered, this time included.
    pub deliveries: u32,
    /// A retry is not possible any more.
    pub last_delivery: bool,
}

/// What became of a job.
#[derive(Debug, Clone)]
pub enum JobOutcome {
    /// Answered.
    Reply(v1::JobReply),
    /// Another stage goes on with it.
    HandOver(Stage, Box<v1::Job>),
    /// Not now: deliver it again after a while. After the last delivery the caller gets
    /// [`WorkerOptions::exhausted`].
    Retry {
        /// How long to wait.
        delay: Duration,
    },
}

impl Bus {
    /// Works on a stage until `shutdown`, then finishes the jobs in hand. A missing consumer or a lost connection is
    /// waited for, not an error.
    ///
    /// # Errors
    /// The connection is closed for good.
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
        // Dropping the sender leaves the limit as it is.
        let most = watch::channel(usize::MAX).1;
        self.run_limited_worker(stage, options, most, handler, shutdown).await
    }

    /// As [`Bus::run_worker`], but takes jobs only while fewer than `most` are in hand, which may change at any time; 0
    /// is none. Jobs in hand are finished; those that arrive when no more may be taken go back at once.
    ///
    /// # Errors
    /// The connection is closed for good.
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
