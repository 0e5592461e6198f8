//! Pulls messages: never more than can be started at once, and again at once after a reconnection.

use super::delivery::Worker;
use super::{JobContext, JobOutcome};
use crate::BusError;
use async_nats::jetstream::Message;
use async_nats::jetstream::consumer::{PullConsumer, pull::Batch};
use futures::{FutureExt, StreamExt};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// Lifetime of a pull request at the server. A lost request is repeated slightly later than this.
const REQUEST_LIFE: Duration = Duration::from_secs(10);

/// Delay before looking again for a missing consumer.
const MISSING_CONSUMER_PAUSE: Duration = Duration::from_secs(1);

/// Time limit for flushing the last acknowledgements.
const FLUSH_WITHIN: Duration = Duration::from_secs(2);

pub(super) struct Puller<F> {
    worker: Arc<Worker<F>>,
    /// Current maximum number of jobs in progress.
    most: watch::Receiver<usize>,
    in_flight: watch::Sender<usize>,
    shutdown: CancellationToken,
}

impl<F, Fut> Puller<F>
where
    F: Fn(JobContext) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = JobOutcome> + Send + 'static,
{
    pub(super) fn new(worker: Worker<F>, most: watch::Receiver<usize>, shutdown: CancellationToken) -> Self {
        Self { worker: Arc::new(worker), most, in_flight: watch::Sender::new(0), shutdown }
    }

    pub(super) async fn run(self) -> Result<(), BusError> {
        let jobs = TaskTracker::new();
        let shutdown = self.shutdown.clone();
        let pulled = shutdown.run_until_cancelled(self.pull_for_ever(&jobs)).await;
        jobs.close();
        let in_flight = jobs.len();
        tracing::info!(bus.stage = self.worker.stage.as_str(), jobs.in_flight = in_flight, "worker stops pulling");
        jobs.wait().await;
        // Unsent acknowledgements would cause finished jobs to be redelivered.
        self.worker.bus.flush(FLUSH_WITHIN).await;
        pulled.unwrap_or(Ok(()))
    }

    async fn pull_for_ever(&self, jobs: &TaskTracker) -> Result<(), BusError> {
        let mut connections = self.worker.bus.connections();
        loop {
            let consumer = self.find_consumer().await;
            if let Err(cause) = self.pull_from(&consumer, &mut connections, jobs).await {
                tracing::warn!(bus.stage = self.worker.stage.as_str(), error = %cause, "pull interrupted");
                tokio::time::sleep(MISSING_CONSUMER_PAUSE).await;
            }
        }
    }

    /// Returns the consumer created by `declare`; waits until it exists.
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
        loop {
            let room = self.room().await;
            connections.mark_unchanged();
            let batch = consumer.batch().max_messages(room).expires(REQUEST_LIFE).messages().await?;
            let mut request = PullRequest(batch);
            loop {
                let next = tokio::select! {
                    biased;
                    // Messages that still arrive are returned at once.
                    () = self.no_room() => break,
                    next = request.0.next() => next,
                    // A request on the old connection is lost: send a new one.
                    _ = connections.changed() => break,
                };
                let Some(message) = next.transpose()? else { break };
                let worker = Arc::clone(&self.worker);
                let held = InFlightJob::one_more(&self.in_flight);
                jobs.spawn(async move { worker.work(message, progress_every, held).await });
            }
        }
    }

    fn room_now(&self) -> usize {
        let most = (*self.most.borrow()).min(self.worker.options.concurrency.max(1));
        most.saturating_sub(*self.in_flight.borrow())
    }

    /// Waits until another job may be taken, and returns the number that may.
    async fn room(&self) -> usize {
        self.wait_for(|room| room > 0).await
    }

    /// Waits until no further job may be taken.
    async fn no_room(&self) {
        self.wait_for(|room| room == 0).await;
    }

    async fn wait_for(&self, is_so: impl Fn(usize) -> bool) -> usize {
        let (mut most, mut in_flight) = (self.most.clone(), self.in_flight.subscribe());
        loop {
            most.mark_unchanged();
            in_flight.mark_unchanged();
            let room = self.room_now();
            if is_so(room) {
                return room;
            }
            tokio::select! {
                // Without a sender the limit stays unchanged.
                Ok(()) = most.changed() => {}
                Ok(()) = in_flight.changed() => {}
            }
        }
    }
}

/// A job in progress, counted until it is dropped.
pub(super) struct InFlightJob(watch::Sender<usize>);

impl InFlightJob {
    fn one_more(in_flight: &watch::Sender<usize>) -> Self {
        in_flight.send_modify(|jobs| *jobs += 1);
        Self(in_flight.clone())
    }
}

impl Drop for InFlightJob {
    fn drop(&mut self) {
        self.0.send_modify(|jobs| *jobs -= 1);
    }
}

/// An open pull request. Messages that arrived but were not started are returned to the queue at once instead of after
/// `ack_wait`.
struct PullRequest(Batch);

impl Drop for PullRequest {
    fn drop(&mut self) {
        let mut arrived: Vec<Message> = Vec::new();
        while let Some(Some(Ok(message))) = self.0.next().now_or_never() {
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
