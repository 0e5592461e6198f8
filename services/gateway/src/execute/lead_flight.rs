//! Leads a flight: does the work of identical calls of this process, once across all gateways.

use super::{Execution, ExecutionError, deadline_exceeded, from_proto, to_proto};
use crate::distributed_flight::{DistributedFlight, FlightMessage};
use crate::error::CallError;
use crate::response::SuccessResponse;
use crate::single_flight::{FlightLeader, LocalFlightOutcome};
use limner_cache::{CachedResult, FlightOutcome, FlightRole};
use limner_types::CacheOutcome;

impl Execution {
    /// Leads the identical calls of this process: executes the call, or waits for the gateway that does.
    pub(super) async fn lead(
        &self,
        lead: FlightLeader,
        mut offered: Option<CachedResult>,
    ) -> Result<SuccessResponse, CallError> {
        let flight = match self.cancel_handle.run_until_cancelled(self.join_distributed_flight(&mut offered)).await {
            Some(Ok(flight)) => flight,
            Some(Err(outcome)) => return self.share_outcome_of_gateway(lead, outcome, offered).await,
            None => return Err(self.abandon_flight(lead, offered)),
        };
        // Another flight may have completed between this call's look-up and its own flight.
        match self.find_cached_result().await {
            Ok(None) => {}
            Ok(Some(result)) => {
                flight.complete(&FlightMessage::Cached).await;
                lead.complete(LocalFlightOutcome::Result(result.clone()));
                return Ok(self.serve_shared_result(result).await);
            }
            Err(error) => {
                flight.complete(&FlightMessage::Retry).await;
                lead.complete(LocalFlightOutcome::Failed(error.clone()));
                return Err(self.record_failure(error));
            }
        }
        let (message, outcome, response) = to_flight_ends(self.execute_and_charge(CacheOutcome::Miss, offered).await);
        flight.complete(&message).await;
        lead.complete(outcome);
        response
    }

    /// Shares the outcome of another gateway's flight with the identical calls of this process.
    async fn share_outcome_of_gateway(
        &self,
        lead: FlightLeader,
        outcome: LocalFlightOutcome,
        offered: Option<CachedResult>,
    ) -> Result<SuccessResponse, CallError> {
        let outcome = match (outcome, offered) {
            (LocalFlightOutcome::LeaderOnly, Some(offered)) => LocalFlightOutcome::Abandoned(offered),
            (outcome, _) => outcome,
        };
        lead.complete(outcome.clone());
        match outcome {
            LocalFlightOutcome::Result(result) => Ok(self.serve_shared_result(result).await),
            LocalFlightOutcome::Failed(error) => Err(self.record_failure(error)),
            // This call has timed out; its followers may have more time.
            LocalFlightOutcome::LeaderOnly | LocalFlightOutcome::Abandoned(_) => {
                Err(self.record_failure(deadline_exceeded()))
            }
        }
    }

    /// Passes the flight on to others: its call was cancelled while it joined.
    fn abandon_flight(&self, lead: FlightLeader, offered: Option<CachedResult>) -> CallError {
        // This call may just have become the leader. If it has not, the message is not read by anybody.
        let (key, token) = (self.call.cache_key.as_str(), self.id.as_str());
        DistributedFlight::finish_if_leading(&self.gateway, key, token, &FlightMessage::Retry);
        lead.complete(offered.map_or(LocalFlightOutcome::LeaderOnly, LocalFlightOutcome::Abandoned));
        self.cancelled_before_hold()
    }

    /// Joins the flight across gateways. `Err` is the outcome of another gateway's flight. A result whose leader was
    /// cancelled is returned in `offered`.
    async fn join_distributed_flight(
        &self,
        offered: &mut Option<CachedResult>,
    ) -> Result<DistributedFlight, LocalFlightOutcome> {
        let (gateway, ttl) = (&self.gateway, self.gateway.config.flight_ttl);
        let (key, token) = (self.call.cache_key.as_str(), self.id.as_str());
        loop {
            let leader = match gateway.cache.join_flight(key, token, ttl).await {
                Ok(FlightRole::Leader) => return Ok(DistributedFlight::new(gateway, key, token)),
                Ok(FlightRole::Follower { leader }) => leader,
                Err(cause) => return Ok(DistributedFlight::local_only(gateway, key, token, &cause)),
            };
            match gateway.cache.flight_wait(key, token, &leader, ttl, self.deadline).await {
                Ok(FlightOutcome::BecameLeader) => return Ok(DistributedFlight::new(gateway, key, token)),
                Ok(FlightOutcome::DeadlinePassed) => return Err(LocalFlightOutcome::LeaderOnly),
                Ok(FlightOutcome::Ended(message)) => match FlightMessage::decode(&message) {
                    FlightMessage::Failed(failure) => return Err(LocalFlightOutcome::Failed(failure.into())),
                    // The result is missing from the cache (Redis was full, or restarted): this call may have to do the
                    // work.
                    FlightMessage::Cached => match self.find_cached_result().await {
                        Ok(Some(result)) => return Err(LocalFlightOutcome::Result(result)),
                        Ok(None) => {}
                        Err(error) => return Err(LocalFlightOutcome::Failed(error)),
                    },
                    FlightMessage::Abandoned(extraction) => *offered = Some(from_proto(extraction)),
                    FlightMessage::Retry => {}
                },
                Err(cause) => return Ok(DistributedFlight::local_only(gateway, key, token, &cause)),
            }
        }
    }
}

/// Returns the message to other gateways, the outcome for the identical calls of this process, and the response.
fn to_flight_ends(
    executed: Result<SuccessResponse, ExecutionError>,
) -> (FlightMessage, LocalFlightOutcome, Result<SuccessResponse, CallError>) {
    match executed {
        Ok(response) => (FlightMessage::Cached, LocalFlightOutcome::Result(response.result.clone()), Ok(response)),
        Err(ExecutionError::Shared(error)) => {
            (FlightMessage::Failed(error.to_failure()), LocalFlightOutcome::Failed(error.clone()), Err(error))
        }
        Err(ExecutionError::CallerSpecific(error)) => {
            (FlightMessage::Retry, LocalFlightOutcome::LeaderOnly, Err(error))
        }
        Err(ExecutionError::Abandoned(result)) => (
            FlightMessage::Abandoned(to_proto(result.clone())),
            LocalFlightOutcome::Abandoned(result),
            Err(CallError::cancelled()),
        ),
    }
}
