//! Single flight within this process: identical concurrent calls are executed once. The leader then takes part in the
//! single flight across gateways (see [`crate::miss`]).

use crate::answer::Extracted;
use crate::error::CallError;
use limner_cache::CachedResult;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::watch;

/// The outcome of a flight, for its followers.
#[derive(Debug, Clone)]
pub(crate) enum Landing {
    /// A result, which the followers get without a charge.
    Result(Extracted),
    /// A failure that applies to the followers as well.
    Failed(CallError),
    /// A result whose leader was cancelled: a follower that pays for it gets it.
    Unpaid(CachedResult),
    /// A failure of the leader alone (its credits, its account, its deadline): a follower may try.
    Private,
}

#[derive(Default)]
pub(crate) struct Flights {
    running: Mutex<HashMap<String, watch::Receiver<Option<Landing>>>>,
}

/// The role of a call in its flight.
pub(crate) enum Part {
    Leader(Lead),
    Follower(watch::Receiver<Option<Landing>>),
}

/// The leader of a flight. If it is dropped without an outcome, a follower may try.
pub(crate) struct Lead {
    flights: Arc<Flights>,
    key: String,
    sender: watch::Sender<Option<Landing>>,
}

impl Flights {
    pub(crate) fn join(self: &Arc<Self>, key: &str) -> Part {
        match self.lock().entry(key.to_owned()) {
            Entry::Occupied(running) => Part::Follower(running.get().clone()),
            Entry::Vacant(vacant) => {
                let (sender, receiver) = watch::channel(None);
                vacant.insert(receiver);
                Part::Leader(Lead { flights: Arc::clone(self), key: key.to_owned(), sender })
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, watch::Receiver<Option<Landing>>>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Lead {
    pub(crate) fn land(self, landing: Landing) {
        self.sender.send_replace(Some(landing));
    }
}

impl Drop for Lead {
    fn drop(&mut self) {
        self.flights.lock().remove(&self.key);
        self.sender.send_if_modified(|landing| match landing {
            Some(_) => false,
            None => {
                *landing = Some(Landing::Private);
                true
            }
        });
    }
}

/// Waits for the outcome of a flight. There always is one, because dropping the leader sets it.
pub(crate) async fn landing(mut flight: watch::Receiver<Option<Landing>>) -> Landing {
    match flight.wait_for(Option::is_some).await {
        Ok(landing) => landing.clone().unwrap_or(Landing::Private),
        Err(_) => Landing::Private,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn follower(part: Part) -> watch::Receiver<Option<Landing>> {
        match part {
            Part::Follower(flight) => flight,
            Part::Leader(_) => panic!("expected a follower"),
        }
    }

    fn leader(part: Part) -> Lead {
        match part {
            Part::Leader(lead) => lead,
            Part::Follower(_) => panic!("expected a leader"),
        }
    }

    #[tokio::test]
    async fn followers_share_the_landing_and_the_next_call_leads() {
        let flights = Arc::new(Flights::default());
        let lead = leader(flights.join("k"));
        let (first, second) = (follower(flights.join("k")), follower(flights.join("k")));
        drop(leader(flights.join("other")));
        lead.land(Landing::Failed(CallError::internal()));
        for flight in [first, second] {
            assert!(matches!(landing(flight).await, Landing::Failed(fault) if fault == CallError::internal()));
        }
        drop(leader(flights.join("k")));
    }

    #[tokio::test]
    async fn a_lead_that_is_dropped_lets_the_next_one_try() {
        let flights = Arc::new(Flights::default());
        let lead = leader(flights.join("k"));
        let waiting = follower(flights.join("k"));
        drop(lead);
        assert!(matches!(landing(waiting).await, Landing::Private));
        drop(leader(flights.join("k")));
    }
}
