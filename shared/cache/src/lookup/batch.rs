//! Batches look-ups: while as many round trips are in progress as there are connections, further look-ups wait for the
//! first to return and are then sent together. No look-up waits while a connection is free, and a busy gateway sends
//! one request to Redis instead of a dozen.

use super::{LookupReply, LookupRequest, send_lookups, unexpected_reply};
use crate::connection::Connection;
use crate::{CacheConfig, CacheError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::oneshot;

/// Maximum number of look-ups in one round trip: Redis serves no other client meanwhile.
const MAX_BATCH: usize = 64;

/// Waiting look-ups, and the number of round trips in progress.
#[derive(Debug)]
pub(crate) struct LookupBatcher {
    max_in_flight: usize,
    state: Mutex<BatchState>,
}

#[derive(Debug, Default)]
struct BatchState {
    waiting: Vec<PendingLookup>,
    in_flight: usize,
}

struct PendingLookup {
    request: LookupRequest,
    reply: oneshot::Sender<Result<LookupReply, CacheError>>,
}

impl std::fmt::Debug for PendingLookup {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PendingLookup").finish_non_exhaustive()
    }
}

impl LookupBatcher {
    pub(crate) fn new(connections: usize) -> Self {
        Self { max_in_flight: connections.max(1), state: Mutex::default() }
    }

    /// Sends a look-up with the next round trip.
    pub(super) async fn submit(
        self: &Arc<Self>,
        question: LookupRequest,
        connection: &Connection,
        config: &Arc<CacheConfig>,
    ) -> Result<LookupReply, CacheError> {
        let (reply, replied) = oneshot::channel();
        if self.enqueue(PendingLookup { request: question, reply }) {
            let journey = BatchRunner { batcher: Arc::clone(self), is_finished: false };
            // In a task of its own: a caller that disconnects must not cancel the others' look-ups.
            tokio::spawn(journey.run_batches(connection.clone(), Arc::clone(config)));
        }
        replied.await.unwrap_or_else(|_| Err(unexpected_reply()))
    }

    /// Enqueues a look-up. Returns true if a new round trip has to be started for it.
    fn enqueue(&self, newcomer: PendingLookup) -> bool {
        let mut state = self.lock();
        state.waiting.push(newcomer);
        let begins = state.in_flight < self.max_in_flight;
        state.in_flight += usize::from(begins);
        begins
    }

    fn lock(&self) -> MutexGuard<'_, BatchState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Runs round trips for as long as there are waiting look-ups.
struct BatchRunner {
    batcher: Arc<LookupBatcher>,
    is_finished: bool,
}

impl BatchRunner {
    async fn run_batches(mut self, connection: Connection, config: Arc<CacheConfig>) {
        while let Some(passengers) = self.next_batch() {
            let (questions, replies): (Vec<_>, Vec<_>) =
                passengers.into_iter().map(|waiting| (waiting.request, waiting.reply)).unzip();
            let outcome = send_lookups(&connection, &questions, &config).await;
            // A caller that has disconnected meanwhile gets no reply.
            match outcome {
                Ok(found) => replies.into_iter().zip(found).for_each(|(reply, found)| drop(reply.send(Ok(found)))),
                Err(fault) => replies.into_iter().for_each(|reply| drop(reply.send(Err(clone_error(&fault))))),
            }
        }
    }

    /// Returns the next batch; `None` if no look-up is waiting, which ends this runner.
    fn next_batch(&mut self) -> Option<Vec<PendingLookup>> {
        let mut state = self.batcher.lock();
        if state.waiting.is_empty() {
            state.in_flight -= 1;
            self.is_finished = true;
            return None;
        }
        let now = state.waiting.len().min(MAX_BATCH);
        let later = state.waiting.split_off(now);
        Some(std::mem::replace(&mut state.waiting, later))
    }
}

impl Drop for BatchRunner {
    /// If the runner is cancelled, another one may start, and its waiting look-ups fail.
    fn drop(&mut self) {
        if !self.is_finished {
            let mut state = self.batcher.lock();
            state.in_flight -= 1;
            state.waiting.clear();
        }
    }
}

/// Clones an error for another look-up of the batch.
fn clone_error(fault: &CacheError) -> CacheError {
    match fault {
        CacheError::Refused { command, cause } => CacheError::Refused { command, cause: cause.clone() },
        CacheError::Unavailable(cause) => CacheError::Unavailable(cause.clone()),
        other => CacheError::Unavailable(other.to_string()),
    }
}
