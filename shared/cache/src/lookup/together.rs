//! Batches look-ups: while as many round trips are in progress as there are connections, further look-ups wait for the
//! first to return and are then sent together. No look-up waits while a connection is free, and a busy gateway sends
//! one request to Redis instead of a dozen.

use super::{LookupReply, Question, ask, strange};
use crate::connection::Connection;
use crate::{CacheConfig, CacheError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::oneshot;

/// Maximum number of look-ups in one round trip: Redis serves no other client meanwhile.
const MOST: usize = 64;

/// Waiting look-ups, and the number of round trips in progress.
#[derive(Debug)]
pub(crate) struct Together {
    most_under_way: usize,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    waiting: Vec<Waiting>,
    under_way: usize,
}

struct Waiting {
    question: Question,
    reply: oneshot::Sender<Result<LookupReply, CacheError>>,
}

impl std::fmt::Debug for Waiting {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Waiting").finish_non_exhaustive()
    }
}

impl Together {
    pub(crate) fn new(connections: usize) -> Self {
        Self { most_under_way: connections.max(1), state: Mutex::default() }
    }

    /// Sends a look-up with the next round trip.
    pub(super) async fn ask(
        self: &Arc<Self>,
        question: Question,
        connection: &Connection,
        config: &Arc<CacheConfig>,
    ) -> Result<LookupReply, CacheError> {
        let (reply, replied) = oneshot::channel();
        if self.join(Waiting { question, reply }) {
            let journey = Journey { together: Arc::clone(self), is_over: false };
            // In a task of its own: a caller that disconnects must not cancel the others' look-ups.
            tokio::spawn(journey.travel(connection.clone(), Arc::clone(config)));
        }
        replied.await.unwrap_or_else(|_| Err(strange()))
    }

    /// Enqueues a look-up. Returns true if a new round trip has to be started for it.
    fn join(&self, newcomer: Waiting) -> bool {
        let mut state = self.lock();
        state.waiting.push(newcomer);
        let begins = state.under_way < self.most_under_way;
        state.under_way += usize::from(begins);
        begins
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Runs round trips for as long as there are waiting look-ups.
struct Journey {
    together: Arc<Together>,
    is_over: bool,
}

impl Journey {
    async fn travel(mut self, connection: Connection, config: Arc<CacheConfig>) {
        while let Some(passengers) = self.next() {
            let (questions, replies): (Vec<_>, Vec<_>) =
                passengers.into_iter().map(|waiting| (waiting.question, waiting.reply)).unzip();
            let outcome = ask(&connection, &questions, &config).await;
            // A caller that has disconnected meanwhile gets no reply.
            match outcome {
                Ok(found) => replies.into_iter().zip(found).for_each(|(reply, found)| drop(reply.send(Ok(found)))),
                Err(fault) => replies.into_iter().for_each(|reply| drop(reply.send(Err(same(&fault))))),
            }
        }
    }

    /// Returns the next batch; `None` if no look-up is waiting, which ends this runner.
    fn next(&mut self) -> Option<Vec<Waiting>> {
        let mut state = self.together.lock();
        if state.waiting.is_empty() {
            state.under_way -= 1;
            self.is_over = true;
            return None;
        }
        let now = state.waiting.len().min(MOST);
        let later = state.waiting.split_off(now);
        Some(std::mem::replace(&mut state.waiting, later))
    }
}

impl Drop for Journey {
    /// If the runner is cancelled, another one may start, and its waiting look-ups fail.
    fn drop(&mut self) {
        if !self.is_over {
            let mut state = self.together.lock();
            state.under_way -= 1;
            state.waiting.clear();
        }
    }
}

/// Clones an error for another look-up of the batch.
fn same(fault: &CacheError) -> CacheError {
    match fault {
        CacheError::Refused { command, cause } => CacheError::Refused { command, cause: cause.clone() },
        CacheError::Unavailable(cause) => CacheError::Unavailable(cause.clone()),
        other => CacheError::Unavailable(other.to_string()),
    }
}
