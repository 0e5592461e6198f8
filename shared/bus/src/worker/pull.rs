//! Pulls messages: never more than can be started at once, of paying accounts more than of free ones while both have
//! some, and again at once after a reconnection.

use super::delivery::Worker;
use super::{JobContext, JobOutcome};
use crate::{BusError, JobQueue};
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

/// A queue with its consumer at the server.
struct ConsumedQueue {
    queue: JobQueue,
    consumer: PullConsumer,
}

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
            let paid = self.find_queue(JobQueue::Paid).await;
            let free = self.find_queue(JobQueue::Free).await;
            if let Err(cause) = self.pull_from(&paid, &free, &mut connections, jobs).await {
                tracing::warn!(bus.stage = self.worker.stage.as_str(), error = %cause, "pull interrupted");
                tokio::time::sleep(MISSING_CONSUMER_PAUSE).await;
            }
        }
    }

    /// Returns a queue with the consumer created by `declare`; waits until it exists.
    async fn find_queue(&self, queue: JobQueue) -> ConsumedQueue {
        let stage = self.worker.stage;
        let stream = stage.stream(&self.worker.bus.config.prefix);
        loop {
            match self.worker.bus.jetstream.get_consumer_from_stream(stage.consumer(queue), stream.as_str()).await {
                Ok(consumer) => return ConsumedQueue { queue, consumer },
                Err(cause) => {
                    tracing::warn!(bus.stream = stream, error = %cause, "no consumer yet: has `limner migrate` run?");
                }
            }
            tokio::time::sleep(MISSING_CONSUMER_PAUSE).await;
        }
    }

    async fn pull_from(
        &self,
        paid: &ConsumedQueue,
        free: &ConsumedQueue,
        connections: &mut watch::Receiver<u64>,
        jobs: &TaskTracker,
    ) -> Result<(), async_nats::Error> {
        let mut shares = QueueShares::new(self.worker.bus.config.paid_weight);
        loop {
            let room = self.room().await;
            connections.mark_unchanged();
            let reserved = shares.reserve(room);
            let waiting = async {
                let of_free = self.start_waiting(free, reserved, jobs).await?;
                let of_paid = self.start_waiting(paid, room - of_free, jobs).await?;
                let rest = QueueShares::rest(room, reserved, of_free, of_paid);
                let more = self.start_waiting(free, rest, jobs).await?;
                shares.record(of_paid, of_free, of_free < reserved);
                Ok::<_, async_nats::Error>(of_free + of_paid + more)
            };
            let started = tokio::select! {
                started = waiting => started?,
                // A request on the old connection is lost.
                _ = connections.changed() => continue,
            };
            if started == 0 {
                self.start_next([paid, free], connections, jobs).await?;
            }
        }
    }

    /// Starts the jobs that wait in a queue, at most `most`, and returns their number.
    async fn start_waiting(
        &self,
        queue: &ConsumedQueue,
        most: usize,
        jobs: &TaskTracker,
    ) -> Result<usize, async_nats::Error> {
        if most == 0 {
            return Ok(0);
        }
        let mut request = PullRequest(queue.consumer.fetch().max_messages(most).messages().await?);
        let mut started = 0;
        while let Some(message) = request.0.next().await.transpose()? {
            self.start_job(queue, message, jobs);
            started += 1;
        }
        Ok(started)
    }

    /// Waits for the next job of any queue and starts it.
    async fn start_next(
        &self,
        queues: [&ConsumedQueue; 2],
        connections: &mut watch::Receiver<u64>,
        jobs: &TaskTracker,
    ) -> Result<(), async_nats::Error> {
        let request = async |queue: &ConsumedQueue| {
            Ok::<_, async_nats::Error>(PullRequest(
                queue.consumer.batch().max_messages(1).expires(REQUEST_LIFE).messages().await?,
            ))
        };
        let [mut paid, mut free] = [request(queues[0]).await?, request(queues[1]).await?];
        tokio::select! {
            biased;
            // A message that still arrives is returned at once.
            () = self.no_room() => return Ok(()),
            next = paid.0.next() => if let Some(message) = next.transpose()? { self.start_job(queues[0], message, jobs) },
            next = free.0.next() => if let Some(message) = next.transpose()? { self.start_job(queues[1], message, jobs) },
            // A request on the old connection is lost: send a new one.
            _ = connections.changed() => return Ok(()),
        }
        // One that arrived in the other queue at the same time would count as lost if it were returned.
        for (queue, request) in queues.into_iter().zip([&mut paid, &mut free]) {
            if let Some(Some(Ok(message))) = request.0.next().now_or_never() {
                self.start_job(queue, message, jobs);
            }
        }
        Ok(())
    }

    fn start_job(&self, queue: &ConsumedQueue, message: Message, jobs: &TaskTracker) {
        let progress_every = (queue.consumer.cached_info().config.ack_wait / 3).max(Duration::from_millis(50));
        let (worker, queue) = (Arc::clone(&self.worker), queue.queue);
        let held = InFlightJob::one_more(&self.in_flight);
        jobs.spawn(async move { worker.work(message, queue, progress_every, held).await });
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

/// Shares of the two queues in the jobs that are taken while both have some.
struct QueueShares {
    paid_weight: usize,
    /// Jobs of paying accounts that were taken since a free one.
    paid_since: usize,
}

impl QueueShares {
    fn new(paid_weight: usize) -> Self {
        Self { paid_weight: paid_weight.max(1), paid_since: 0 }
    }

    /// Returns the number of places among `room` for jobs of free accounts.
    fn reserve(&self, room: usize) -> usize {
        // Of so many jobs and those before them, each one behind `paid_weight` others is a free one.
        (self.paid_since + room) / (self.paid_weight + 1)
    }

    /// Returns the number of places that jobs of free accounts may have because those who pay have no more jobs.
    fn rest(room: usize, reserved: usize, of_free: usize, of_paid: usize) -> usize {
        if of_free < reserved { 0 } else { room - of_free - of_paid }
    }

    /// Records jobs that were taken. `free_is_empty`: no more of free accounts wait.
    fn record(&mut self, of_paid: usize, of_free: usize, free_is_empty: bool) {
        let since = (self.paid_since + of_paid).saturating_sub(of_free * self.paid_weight);
        self.paid_since = if free_is_empty { 0 } else { since.min(self.paid_weight) };
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Takes jobs while `[paid, free]` wait, `room` at a time, and returns how many of each were taken in `turns`.
    fn taken(mut waiting: [usize; 2], room: usize, turns: usize) -> [usize; 2] {
        let (before, mut shares) = (waiting, QueueShares::new(3));
        for _ in 0..turns {
            let reserved = shares.reserve(room);
            let of_free = reserved.min(waiting[1]);
            let of_paid = (room - of_free).min(waiting[0]);
            let rest = QueueShares::rest(room, reserved, of_free, of_paid).min(waiting[1] - of_free);
            shares.record(of_paid, of_free, of_free < reserved);
            waiting = [waiting[0] - of_paid, waiting[1] - of_free - rest];
        }
        [before[0] - waiting[0], before[1] - waiting[1]]
    }

    #[test]
    fn queues_have_their_shares_while_both_have_jobs() {
        assert_eq!(taken([100, 100], 1, 40), [30, 10]);
        assert_eq!(taken([100, 100], 4, 10), [30, 10]);
        assert_eq!(taken([100, 100], 3, 12), [27, 9]);
        assert_eq!(taken([0, 100], 1, 40), [0, 40], "a free one does not wait for nobody");
        assert_eq!(taken([0, 100], 8, 5), [0, 40]);
        assert_eq!(taken([100, 0], 8, 5), [40, 0]);
    }
}
