//! Look-ups that travel together: while as many are under way as there are connections, those that come later wait for the
//! first to return and then go in one. Nobody waits while there is a connection to spare, and a busy gateway asks Redis
//! once where it would have asked a dozen times.

use super::{LookupReply, Question, ask, strange};
use crate::connection::Connection;
use crate::{CacheConfig, CacheError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::oneshot;

/// Most look-ups in one round trip: Redis serves nobody else meanwhile.
const MOST: usize = 64;

/// Look-ups that wait, and how many round trips are under way.
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

    /// Asks with the next round trip.
    pub(super) async fn ask(
        self: &Arc<Self>,
        question: Question,
        connection: &Connection,
        config: &Arc<CacheConfig>,
    ) -> Result<LookupReply, CacheError> {
        let (reply, replied) = oneshot::channel();
        if self.join(Waiting { question, reply }) {
            let journey = Journey { together: Arc::clone(self), is_over: false };
            // Not the caller's own: one that hangs up must not take the others along.
            tokio::spawn(journey.travel(connection.clone(), Arc::clone(config)));
        }
        replied.await.unwrap_or_else(|_| Err(strange()))
    }

    /// Whether a round trip is to be begun for it.
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

/// One round trip after another, as long as there is anybody to take along.
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
            // Whoever has hung up in the meantime is not told.
            match outcome {
                Ok(found) => replies.into_iter().zip(found).for_each(|(reply, found)| drop(reply.send(Ok(found)))),
                Err(fault) => replies.into_iter().for_each(|reply| drop(reply.send(Err(same(&fault))))),
            }
        }
    }

    /// Those who go next; `None`: nobody waits, and this is over.
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
    /// One that was broken off makes room for another, and those who waited for it are told.
    fn drop(&mut self) {
        if !self.is_over {
            let mut state = self.together.lock();
            state.under_way -= 1;
            state.waiting.clear();
        }
    }
}

/// The same fault for another of those it meets.
fn same(fault: &CacheError) -> CacheError {
    match fault {
        CacheError::Refused { command, cause } => CacheError::Refused { command, cause: cause.clone() },
        CacheError::Unavailable(cause) => CacheError::Unavailable(cause.clone()),
        other => CacheError::Unavailable(other.to_string()),
    }
}
