//! Pulling messages: never more than there are free slots, and again at once after a reconnection.

use super::delivery::Worker;
use super::{JobContext, JobOutcome};
use crate::BusError;
use async_nats::jetstream::Message;
use async_nats::jetstream::consumer::{PullConsumer, pull::Batch};
use futures::{FutureExt, StreamExt};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// How long the server keeps a request for messages. A request that got lost is made again after this and a little.
const REQUEST_LIFE: Duration = Duration::from_secs(10);

/// How long to wait before looking again for a consumer that is not there.
const MISSING_CONSUMER_PAUSE: Duration = Duration::from_secs(1);

/// How long the last acknowledgements may take to leave.
const FLUSH_WITHIN: Duration = Duration::from_secs(2);

pub(super) struct Puller<F> {
    pub(super) worker: Arc<Worker<F>>,
    pub(super) slots: Arc<Semaphore>,
    /// Nothing is pulled while it says no.
    pub(super) gate: watch::Receiver<bool>,
    pub(super) shutdown: CancellationToken,
}

impl<F, Fut> Puller<F>
where
    F: Fn(JobContext) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = JobOutcome> + Send + 'static,
{
    pub(super) async fn run(self) -> Result<(), BusError> {
        let jobs = TaskTracker::new();
        let shutdown = self.shutdown.clone();
        let pulled = shutdown.run_until_cancelled(self.pull_for_ever(&jobs)).await;
        jobs.close();
        let in_hand = jobs.len();
        tracing::info!(bus.stage = self.worker.stage.as_str(), jobs.in_hand = in_hand, "worker stops pulling");
        jobs.wait().await;
        // Acknowledgements that never left would bring finished jobs back.
        self.worker.bus.flush(FLUSH_WITHIN).await;
        pulled.unwrap_or(Ok(()))
    }

    async fn pull_for_ever(&self, jobs: &TaskTracker) -> Result<(), BusError> {
        let mut connections = self.worker.bus.connections();
        loop {
            let consumer = self.find_consumer().await;
            if let Err(cause) = self.pull_from(&consumer, &mut connections, jobs).await {
                tracing::warn!(bus.stage = self.worker.stage.as_str(), error = %cause, "pulling was interrupted");
                tokio::time::sleep(MISSING_CONSUMER_PAUSE).await;
            }
        }
    }

    /// The consumer that `declare` made, waited for if need be.
    async fn find_consumer(&self) -> PullConsumer {
        let stage = self.worker.stage;
        let stream = stage.stream(&self.worker.bus.config.prefix);
        loop {
            match self.worker.bus.jetstream.get_consumer_from_stream(stage.consumer(), stream.as_str()).await {
                Ok(consumer) => return consumer,
                Err(cause) => {
                    tracing::warn!(bus.stream = stream, error = %cause, "no consumer yet: has `limner migrate` run?");
                }
            }
            tokio::time::sleep(MISSING_CONSUMER_PAUSE).await;
        }
    }

    async fn pull_from(
        &self,
        consumer: &PullConsumer,
        connections: &mut watch::Receiver<u64>,
        jobs: &TaskTracker,
    ) -> Result<(), async_nats::Error> {
        let progress_every = (consumer.cached_info().config.ack_wait / 3).max(Duration::from_millis(50));
        let mut gate = self.gate.clone();
        loop {
            wait_until(&mut gate, true).await;
            let mut free = self.free_slots().await;
            connections.mark_unchanged();
            let batch = consumer.batch().max_messages(free.len()).expires(REQUEST_LIFE).messages().await?;
            let mut request = Request { batch, shutdown: &self.shutdown, gate: &self.gate };
            loop {
                let next = tokio::select! {
                    biased;
                    next = request.batch.next() => next,
                    // A request made on the old connection is lost: make a new one.
                    _ = connections.changed() => break,
                    () = wait_until(&mut gate, false) => break,
                };
                let (Some(message), Some(slot)) = (next.transpose()?, free.pop()) else { break };
                let worker = Arc::clone(&self.worker);
                jobs.spawn(async move {
                    worker.work(message, progress_every).await;
                    drop(slot);
                });
            }
        }
    }

    /// Waits for one free slot and takes all there are.
    async fn free_slots(&self) -> Vec<OwnedSemaphorePermit> {
        let mut free = Vec::new();
        if let Ok(first) = Arc::clone(&self.slots).acquire_owned().await {
            free.push(first);
        }
        while let Ok(slot) = Arc::clone(&self.slots).try_acquire_owned() {
            free.push(slot);
        }
        free
    }
}

/// Waits until the gate is open, or closed. One that nobody can move any more stays as it is.
async fn wait_until(gate: &mut watch::Receiver<bool>, open: bool) {
    if gate.wait_for(|state| *state == open).await.is_err() && *gate.borrow() != open {
        std::future::pending::<()>().await;
    }
}

/// An open request for messages. When the worker stops, or its gate closes, messages that have arrived but were not
/// started go back to the queue at once instead of after `ack_wait`.
struct Request<'a> {
    batch: Batch,
    shutdown: &'a CancellationToken,
    gate: &'a watch::Receiver<bool>,
}

impl Drop for Request<'_> {
    fn drop(&mut self) {
        if !self.shutdown.is_cancelled() && *self.gate.borrow() {
            return;
        }
        let mut arrived: Vec<Message> = Vec::new();
        while let Some(Some(Ok(message))) = self.batch.next().now_or_never() {
            arrived.push(message);
        }
        if arrived.is_empty() {
            return;
        }
        tokio::spawn(async move {
            for message in arrived {
                let _ = message.ack_with(async_nats::jetstream::AckKind::Nak(None)).await;
            }
        });
    }
}
