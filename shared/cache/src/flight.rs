//! Single flight across processes: one of identical concurrent calls becomes the leader, and the others wait.
//!
//! Followers poll, with jitter: a process polls once for all of its own identical calls, a flight lasts seconds, and
//! unlike a subscription a poll cannot miss its message.

use crate::connection::{TimeoutClass, millis};
use crate::{Cache, CacheError};
use bytes::Bytes;
use fred::types::Value;
use fred::types::scripts::Script;
use rand::Rng;
use std::sync::LazyLock;
use std::time::Duration;
use tokio::time::Instant;

static BEGIN_FLIGHT: LazyLock<Script> = LazyLock::new(|| Script::from_lua(include_str!("flight.lua")));
static END_FLIGHT: LazyLock<Script> = LazyLock::new(|| Script::from_lua(include_str!("flight_end.lua")));

/// Time for which a flight's outcome is stored for followers: several polls.
const OUTCOME_TTL: Duration = Duration::from_secs(10);
const FIRST_POLL_DELAY: Duration = Duration::from_millis(4);
const MAX_POLL_DELAY: Duration = Duration::from_millis(60);

/// The role of a call in its flight.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FlightRole {
    /// Execute the call, and end the flight with [`Cache::flight_end`].
    Leader,
    /// Another call is the leader: wait for it with [`Cache::flight_wait`].
    Follower {
        /// The leader's token.
        leader: String,
    },
}

/// The outcome of waiting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FlightOutcome {
    /// The leader left this message.
    Ended(Bytes),
    /// The leader is gone without a message; this call has taken its place as leader.
    BecameLeader,
    /// The deadline passed first.
    DeadlinePassed,
}

enum FlightPoll {
    Ended(Bytes),
    Leader,
    Follower(String),
}

impl Cache {
    /// Joins the flight of `key` as `token`, which is unique to this call. A leader that neither ends its flight nor
    /// sends heartbeats is replaced after `ttl`.
    ///
    /// # Errors
    /// [`CacheError::Unavailable`].
    pub async fn join_flight(&self, key: &str, token: &str, ttl: Duration) -> Result<FlightRole, CacheError> {
        match self.poll_flight(key, token, ttl, "").await? {
            FlightPoll::Follower(leader) => Ok(FlightRole::Follower { leader }),
            FlightPoll::Leader | FlightPoll::Ended(_) => Ok(FlightRole::Leader),
        }
    }

    /// Ends the flight that `token` leads, and leaves `outcome` for the followers.
    ///
    /// # Errors
    /// [`CacheError::Unavailable`]: followers will take over when the flight's time to live expires.
    pub async fn flight_end(&self, key: &str, token: &str, outcome: Bytes) -> Result<(), CacheError> {
        let input = || {
            let arguments = vec![token.into(), outcome.clone().into(), millis(OUTCOME_TTL).to_string().into()];
            (vec![self.redis_key("flight", key), self.outcome_key(token)], arguments)
        };
        self.connection.script("flight_end", TimeoutClass::Small, &END_FLIGHT, input).await?;
        Ok(())
    }

    /// Waits for `leader` to end its flight. If it is gone without a message, this call (`token`, `ttl` as in
    /// [`Cache::join_flight`]) takes its place, or waits for the call that did.
    ///
    /// # Errors
    /// [`CacheError::Unavailable`].
    pub async fn flight_wait(
        &self,
        key: &str,
        token: &str,
        leader: &str,
        ttl: Duration,
        deadline: Instant,
    ) -> Result<FlightOutcome, CacheError> {
        let mut leader = leader.to_owned();
        let mut pause = FIRST_POLL_DELAY;
        loop {
            match self.poll_flight(key, token, ttl, &leader).await? {
                FlightPoll::Ended(outcome) => return Ok(FlightOutcome::Ended(outcome)),
                FlightPoll::Leader => return Ok(FlightOutcome::BecameLeader),
                FlightPoll::Follower(current) => leader = current,
            }
            let wait = pause.mul_f64(rand::rng().random_range(0.7..1.3));
            if Instant::now() + wait >= deadline {
                return Ok(FlightOutcome::DeadlinePassed);
            }
            tokio::time::sleep(wait).await;
            pause = (pause * 2).min(MAX_POLL_DELAY);
        }
    }

    async fn poll_flight(&self, key: &str, token: &str, ttl: Duration, leader: &str) -> Result<FlightPoll, CacheError> {
        let input = || {
            let arguments = vec![token.into(), millis(ttl).to_string().into(), leader.into()];
            (vec![self.redis_key("flight", key), self.outcome_key(leader)], arguments)
        };
        let reply = self.connection.script("flight", TimeoutClass::Small, &BEGIN_FLIGHT, input).await?;
        let mut parts = match reply {
            Value::Array(parts) => parts.into_iter(),
            other => vec![other].into_iter(),
        };
        let turn = parts.next().and_then(Value::into_string);
        match (turn.as_deref(), parts.next()) {
            (Some("leader"), _) => Ok(FlightPoll::Leader),
            (Some("ended"), Some(outcome)) => Ok(FlightPoll::Ended(outcome.into_bytes().unwrap_or_default())),
            (Some("follower"), Some(leader)) => Ok(FlightPoll::Follower(leader.into_string().unwrap_or_default())),
            _ => Err(CacheError::Refused { command: "flight", cause: "unexpected reply".to_owned() }),
        }
    }

    fn outcome_key(&self, token: &str) -> String {
        self.redis_key("landed", token)
    }
}
