//! Single flight within this process: identical concurrent calls are executed once. The leader then takes part in the
//! single flight across gateways (see [`crate::execute`]).

use crate::error::CallError;
use crate::unpacked_result::UnpackedResult;
use limner_cache::CachedResult;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::watch;

/// The outcome of a flight, for its followers.
#[derive(Debug, Clone)]
pub(crate) enum LocalFlightOutcome {
    /// A result, which the followers get without a charge.
    Result(UnpackedResult),
    /// A failure that applies to the followers as well.
    Failed(CallError),
    /// A result whose leader was cancelled: a follower that pays for it gets it.
    Abandoned(CachedResult),
    /// A failure of the leader alone (its credits, its account, its deadline): a follower may try.
    LeaderOnly,
}

#[derive(Default)]
pub(crate) struct SingleFlight {
    running: Mutex<HashMap<String, watch::Receiver<Option<LocalFlightOutcome>>>>,
}

/// The role of a call in its flight.
pub(crate) enum LocalFlightRole {
    Leader(FlightLeader),
    Follower(watch::Receiver<Option<LocalFlightOutcome>>),
}

/// The leader of a flight. If it is dropped without an outcome, a follower may try.
pub(crate) struct FlightLeader {
    flights: Arc<SingleFlight>,
    key: String,
    sender: watch::Sender<Option<LocalFlightOutcome>>,
}

impl SingleFlight {
    pub(crate) fn join(self: &Arc<Self>, key: &str) -> LocalFlightRole {
        match self.lock().entry(key.to_owned()) {
            Entry::Occupied(running) => LocalFlightRole::Follower(running.get().clone()),
            Entry::Vacant(vacant) => {
                let (sender, receiver) = watch::channel(None);
                vacant.insert(receiver);
                LocalFlightRole::Leader(FlightLeader { flights: Arc::clone(self), key: key.to_owned(), sender })
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, watch::Receiver<Option<LocalFlightOutcome>>>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl FlightLeader {
    pub(crate) fn complete(self, outcome: LocalFlightOutcome) {
        self.sender.send_replace(Some(outcome));
    }
}

impl Drop for FlightLeader {
    fn drop(&mut self) {
        self.flights.lock().remove(&self.key);
        self.sender.send_if_modified(|outcome| match outcome {
            Some(_) => false,
            None => {
                *outcome = Some(LocalFlightOutcome::LeaderOnly);
                true
            }
        });
    }
}

/// Waits for the outcome of a flight. There always is one, because dropping the leader sets it.
pub(crate) async fn wait_for_outcome(mut flight: watch::Receiver<Option<LocalFlightOutcome>>) -> LocalFlightOutcome {
    match flight.wait_for(Option::is_some).await {
        Ok(outcome) => outcome.clone().unwrap_or(LocalFlightOutcome::LeaderOnly),
        Err(_) => LocalFlightOutcome::LeaderOnly,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn follower(role: LocalFlightRole) -> watch::Receiver<Option<LocalFlightOutcome>> {
        match role {
            LocalFlightRole::Follower(flight) => flight,
            LocalFlightRole::Leader(_) => panic!("expected a follower"),
        }
    }

    fn leader(role: LocalFlightRole) -> FlightLeader {
        match role {
            LocalFlightRole::Leader(lead) => lead,
            LocalFlightRole::Follower(_) => panic!("expected a leader"),
        }
    }

    #[tokio::test]
    async fn followers_share_the_outcome_and_the_next_call_leads() {
        let flights = Arc::new(SingleFlight::default());
        let lead = leader(flights.join("k"));
        let (first, second) = (follower(flights.join("k")), follower(flights.join("k")));
        drop(leader(flights.join("other")));
        lead.complete(LocalFlightOutcome::Failed(CallError::internal()));
        for flight in [first, second] {
            assert!(
                matches!(wait_for_outcome(flight).await, LocalFlightOutcome::Failed(fault) if fault == CallError::internal())
            );
        }
        drop(leader(flights.join("k")));
    }

    #[tokio::test]
    async fn dropped_leader_lets_a_follower_try() {
        let flights = Arc::new(SingleFlight::default());
        let lead = leader(flights.join("k"));
        let waiting = follower(flights.join("k"));
        drop(lead);
        assert!(matches!(wait_for_outcome(waiting).await, LocalFlightOutcome::LeaderOnly));
        drop(leader(flights.join("k")));
    }
}
