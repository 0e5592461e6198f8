//! A call whose result is not there yet: single flight, hold, job, charge. Runs to its end even when its caller hangs
//! up.
//!
//! Of identical calls at the same time one does the work and is charged, in this process ([`crate::flight`]) and across
//! gateways ([`limner_cache::Flight`]). The others wait and are served its result for nothing, or its failure. Calls
//! with `fresh=true` ask for a read of their own and neither lead nor follow.

use crate::answer::{Answer, Charge, Extracted};
use crate::directory::Caller;
use crate::error::CallError;
use crate::flight::{Landing, Lead, Part, landing};
use crate::gateway::Gateway;
use crate::history::Ending;
use crate::naming::without_name;
use crate::query::Call;
use crate::request_id::RequestId;
use bytes::{BufMut, Bytes, BytesMut};
use limner_cache::{CacheError, CachedResult, Flight, FlightEnd, FoundAccount};
use limner_proto::v1;
use limner_types::{AccountState, CacheOutcome, ErrorCode};
use prost::Message;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::task::AbortHandle;
use tokio::time::Instant;

/// A call on its way, with all that is needed to finish it without its caller.
pub(crate) struct Miss {
    pub(crate) gateway: Arc<Gateway>,
    pub(crate) id: RequestId,
    pub(crate) caller: Arc<Caller>,
    pub(crate) call: Arc<Call>,
    /// The account as it was when the call arrived.
    pub(crate) account: AccountState,
    pub(crate) deadline: Instant,
}

/// Credits that are reserved for a call.
pub(crate) struct Held {
    /// What was asked for.
    request: v1::HoldRequest,
    /// The account then.
    pub(crate) account: AccountState,
    /// What the call draws on.
    pub(crate) source: v1::CreditSource,
    ends: Instant,
}

/// Why work came to nothing.
enum NoResult {
    /// For reasons of this caller alone: an identical call of another may succeed.
    Private(CallError),
    /// For reasons that every identical call shares.
    Shared(CallError),
}

/// How long a caller whose call failed waits for its hold to be freed.
const RELEASE_PATIENCE: Duration = Duration::from_secs(1);

impl Miss {
    /// The result, whoever did the work.
    pub(crate) async fn run(self) -> Result<Answer, CallError> {
        if self.call.request.fresh {
            return self.work(CacheOutcome::Bypass).await.map_err(NoResult::into_error);
        }
        loop {
            match self.gateway.flights.join(&self.call.cache_key) {
                Part::Leader(lead) => return self.lead(lead).await,
                Part::Follower(flight) => match tokio::time::timeout_at(self.deadline, landing(flight)).await {
                    Ok(Landing::Result(result)) => return Ok(self.served(result).await),
                    Ok(Landing::Failed(error)) => return Err(self.followed(error)),
                    Ok(Landing::Private) => {}
                    Err(_) => return Err(self.followed(out_of_time())),
                },
            }
        }
    }

    /// Leads the identical calls of this process: goes ahead, or waits for the gateway that does.
    async fn lead(&self, lead: Lead) -> Result<Answer, CallError> {
        let flight = match self.take_off().await {
            Ok(flight) => flight,
            Err(landing) => {
                lead.land(landing.clone());
                return match landing {
                    Landing::Result(result) => Ok(self.served(result).await),
                    Landing::Failed(error) => Err(self.followed(error)),
                    Landing::Private => Err(CallError::internal()),
                };
            }
        };
        // Between this call's look-up and its flight another may have landed.
        if let Some(result) = self.kept_result().await {
            flight.land(&Word::Kept).await;
            lead.land(Landing::Result(result.clone()));
            return Ok(self.served(result).await);
        }
        let (word, landing, outcome) = match self.work(CacheOutcome::Miss).await {
            Ok(answer) => (Word::Kept, Landing::Result(answer.result.clone()), Ok(answer)),
            Err(NoResult::Shared(error)) => {
                (Word::Failed(error.to_failure()), Landing::Failed(error.clone()), Err(error))
            }
            Err(NoResult::Private(error)) => (Word::Private, Landing::Private, Err(error)),
        };
        flight.land(&word).await;
        lead.land(landing);
        outcome
    }

    /// Takes part in the flight across gateways. `Err` is how another gateway's flight landed.
    async fn take_off(&self) -> Result<SharedFlight, Landing> {
        let (cache, ttl) = (&self.gateway.cache, self.gateway.config.flight_ttl);
        let (key, token) = (self.call.cache_key.as_str(), self.id.as_str());
        loop {
            let leader = match cache.flight_begin(key, token, ttl).await {
                Ok(Flight::Leader) => return Ok(SharedFlight::new(self)),
                Ok(Flight::Follower { leader }) => leader,
                Err(cause) => return Ok(SharedFlight::without(self, &cause)),
            };
            match cache.flight_wait(key, token, &leader, ttl, self.deadline).await {
                Ok(FlightEnd::TookOver) => return Ok(SharedFlight::new(self)),
                Ok(FlightEnd::DeadlinePassed) => return Err(Landing::Failed(out_of_time())),
                Ok(FlightEnd::Ended(word)) => match Word::read(&word) {
                    Word::Failed(failure) => return Err(Landing::Failed(failure.into())),
                    // Not there after all (Redis was full, or started anew): this call may have to do the work.
                    Word::Kept => {
                        if let Some(result) = self.kept_result().await {
                            return Err(Landing::Result(result));
                        }
                    }
                    Word::Private => {}
                },
                Err(cause) => return Ok(SharedFlight::without(self, &cause)),
            }
        }
    }

    async fn kept_result(&self) -> Option<Extracted> {
        let kept = self.gateway.cache.get_result(&self.call.cache_key).await.ok().flatten()?;
        Extracted::unpack(kept, self.gateway.config.max_result_bytes).await.ok()
    }

    /// An answer that another call paid for.
    async fn served(&self, result: Extracted) -> Answer {
        self.record(Ending::Cached);
        let account = self.gateway.present(self.newest_account().await);
        Answer { result, cache: CacheOutcome::Hit, charge: Charge::default(), account }
    }

    fn followed(&self, error: CallError) -> CallError {
        self.record(Ending::Failed(error.code));
        error
    }

    fn record(&self, ending: Ending) {
        let request = &self.call.request;
        self.gateway.history.record(&self.caller, &self.id, request.operation, self.call.target.as_str(), ending);
    }

    /// The account after what happened while this call waited.
    async fn newest_account(&self) -> AccountState {
        let newest = async {
            let remembered = self.gateway.directory.remembered(&self.caller.account_id).await?;
            let hot = self.gateway.cache.get_account(&self.caller.account_id).await.ok().flatten();
            self.gateway.directory.newest(remembered, hot.map(FoundAccount::Sent)).await
        };
        let newest: Result<Arc<AccountState>, CallError> = newest.await;
        newest.map_or_else(|_| self.account.clone(), |state| AccountState::clone(&state))
    }

    /// Hold, job, charge.
    async fn work(&self, cache: CacheOutcome) -> Result<Answer, NoResult> {
        let Ok(_in_flight) = self.gateway.in_flight.try_acquire() else {
            tracing::warn!("too many calls in flight");
            return Err(NoResult::Shared(busy()));
        };
        let held = self.hold().await?;
        match self.extract().await {
            Ok(result) => Ok(self.charge(result, cache, held).await),
            Err(error) => {
                let release =
                    v1::ReleaseRequest { request_id: self.id.as_str().to_owned(), code: error.code.to_string() };
                self.gateway.settlement.release(release, RELEASE_PATIENCE, held.ends).await;
                Err(NoResult::Shared(error))
            }
        }
    }

    async fn hold(&self) -> Result<Held, NoResult> {
        let request = &self.call.request;
        let hold = v1::HoldRequest {
            account_id: self.caller.account_id.clone(),
            key_id: self.caller.key_id.clone(),
            request_id: self.id.as_str().to_owned(),
            credits: request.price(),
            operation: request.operation.to_string(),
            url: self.call.target.as_str().to_owned(),
            life_ms: u32::try_from(self.gateway.config.hold_life.as_millis()).unwrap_or(u32::MAX),
        };
        let ends = Instant::now() + self.gateway.config.hold_life;
        let response = match self.gateway.metering.hold(hold.clone()).await {
            Ok(response) => response,
            Err(cause) => {
                tracing::error!(error = %cause, "no hold: metering did not answer");
                // It may have heard us all the same.
                let request_id = self.id.as_str().to_owned();
                let release = v1::ReleaseRequest { request_id, code: ErrorCode::InternalError.to_string() };
                self.gateway.settlement.release(release, Duration::ZERO, ends).await;
                return Err(NoResult::Shared(CallError::internal()));
            }
        };
        let account = response.account.clone().and_then(|account| AccountState::try_from(account).ok());
        if let Some(account) = &account {
            self.gateway.directory.note(Arc::new(account.clone())).await;
        }
        match response.outcome() {
            v1::HoldOutcome::Granted => Ok(Held {
                request: hold,
                account: account.unwrap_or_else(|| self.account.clone()),
                source: response.source(),
                ends,
            }),
            v1::HoldOutcome::QuotaExceeded => {
                let error = CallError::new(ErrorCode::QuotaExceeded, response.message);
                Err(NoResult::Private(error.retry_after(response.retry_after_seconds)))
            }
            v1::HoldOutcome::Suspended => Err(NoResult::Private(CallError::suspended())),
            v1::HoldOutcome::UnknownAccount => Err(NoResult::Private(CallError::invalid_key(
                "The account of this API key no longer exists. Create a key in the console.",
            ))),
            v1::HoldOutcome::Unspecified => {
                tracing::error!("a hold without an outcome");
                Err(NoResult::Shared(CallError::internal()))
            }
        }
    }

    /// The fleet's own part: the job, and its reply.
    async fn extract(&self) -> Result<Extracted, CallError> {
        let reply = self.gateway.dispatcher.dispatch(self.job(), self.deadline).await.map_err(|cause| {
            tracing::error!(error = %cause, "the job was not done");
            CallError::internal()
        })?;
        match reply.outcome {
            Some(v1::job_reply::Outcome::Failure(failure)) => Err(failure.into()),
            Some(v1::job_reply::Outcome::Extraction(extraction)) => {
                let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
                let result = CachedResult {
                    body: extraction.body,
                    content_type: extraction.content_type,
                    auto_render: extraction.auto_render,
                    created_unix: i64::try_from(now).unwrap_or(i64::MAX),
                };
                if reply.unkept
                    && let Err(cause) = self.gateway.cache.put_result(&self.call.cache_key, &result).await
                {
                    tracing::warn!(error = %cause, "a result was not kept");
                }
                Extracted::unpack(result, self.gateway.config.max_result_bytes).await.map_err(|cause| {
                    tracing::error!(error = %cause, "a reply could not be unpacked");
                    CallError::internal()
                })
            }
            None => {
                tracing::error!("a reply without an outcome");
                Err(CallError::internal())
            }
        }
    }

    fn job(&self) -> v1::Job {
        let left = self.deadline.saturating_duration_since(Instant::now());
        let deadline = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default() + left;
        v1::Job {
            job_id: self.id.as_str().to_owned(),
            url: self.call.target.as_str().to_owned(),
            call: Some(v1::Call::from(&without_name(&self.call.request))),
            deadline_unix_ms: i64::try_from(deadline.as_millis()).unwrap_or(i64::MAX),
            reply_subject: String::new(),
            cache_key: self.call.cache_key.clone(),
            fresh: self.call.request.fresh,
            fallback: None,
        }
    }

    /// The result is kept by now: charging comes last, so that no failure can bill a result that was not.
    async fn charge(&self, result: Extracted, cache: CacheOutcome, held: Held) -> Answer {
        let commit = v1::CommitRequest {
            request_id: self.id.as_str().to_owned(),
            auto_render: result.auto_render,
            held: Some(held.request.clone()),
        };
        let config = &self.gateway.config;
        let (patience, give_up) = (config.commit_patience, held.ends + config.late_commit);
        let committed = self.gateway.settlement.commit(commit, patience, give_up).await;
        let price = u64::from(self.call.request.price());
        let (account, charge) = self.gateway.charged(committed, held, price).await;
        Answer { result, cache, charge, account: self.gateway.present(account) }
    }
}

impl NoResult {
    fn into_error(self) -> CallError {
        match self {
            Self::Private(error) | Self::Shared(error) => error,
        }
    }
}

fn out_of_time() -> CallError {
    CallError::new(
        ErrorCode::InternalError,
        "The call could not be finished in time. Nothing was charged. Try again in a few seconds.",
    )
}

fn busy() -> CallError {
    CallError::new(
        ErrorCode::InternalError,
        "The service is busy at the moment. Nothing was charged. Try again in a few seconds.",
    )
}

/// What the leader of a flight leaves for other gateways.
#[derive(Debug, PartialEq)]
enum Word {
    /// The result is in the cache.
    Kept,
    Failed(v1::Failure),
    /// The leader's own trouble: try yourselves.
    Private,
}

impl Word {
    fn write(&self) -> Bytes {
        match self {
            Self::Kept => Bytes::from_static(b"k"),
            Self::Private => Bytes::from_static(b"p"),
            Self::Failed(failure) => {
                let mut bytes = BytesMut::from(&b"f"[..]);
                bytes.put_slice(&failure.encode_to_vec());
                bytes.freeze()
            }
        }
    }

    fn read(bytes: &[u8]) -> Self {
        match bytes.split_first() {
            Some((b'k', _)) => Self::Kept,
            Some((b'f', failure)) => v1::Failure::decode(failure).map_or(Self::Private, Self::Failed),
            _ => Self::Private,
        }
    }
}

/// A flight that this gateway leads: kept alive until it lands. Dropped without landing, it ends when its time is up.
struct SharedFlight {
    gateway: Arc<Gateway>,
    key: String,
    token: String,
    heartbeat: Option<AbortHandle>,
}

impl SharedFlight {
    fn new(miss: &Miss) -> Self {
        let (gateway, key) = (Arc::clone(&miss.gateway), miss.call.cache_key.clone());
        let token = miss.id.as_str().to_owned();
        let beat = {
            let (gateway, key, token) = (Arc::clone(&gateway), key.clone(), token.clone());
            async move {
                let ttl = gateway.config.flight_ttl;
                loop {
                    tokio::time::sleep(ttl / 3).await;
                    // A beat that is missed is made up for by the next.
                    let _ = gateway.cache.flight_begin(&key, &token, ttl).await;
                }
            }
        };
        Self { gateway, key, token, heartbeat: Some(tokio::spawn(beat).abort_handle()) }
    }

    /// Redis is away: identical calls of other gateways are on their own.
    fn without(miss: &Miss, cause: &CacheError) -> Self {
        tracing::warn!(error = %cause, "no flight across gateways");
        let (gateway, key) = (Arc::clone(&miss.gateway), miss.call.cache_key.clone());
        Self { gateway, key, token: miss.id.as_str().to_owned(), heartbeat: None }
    }

    async fn land(self, word: &Word) {
        if let Some(heartbeat) = &self.heartbeat {
            heartbeat.abort();
            let _ = self.gateway.cache.flight_end(&self.key, &self.token, word.write()).await;
        }
    }
}

impl Drop for SharedFlight {
    fn drop(&mut self) {
        if let Some(heartbeat) = &self.heartbeat {
            heartbeat.abort();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_survives_redis() {
        let mut failure = v1::Failure::new(ErrorCode::NotFound, "nothing matches");
        failure.retry_after_seconds = Some(3);
        for word in [Word::Kept, Word::Private, Word::Failed(failure)] {
            assert_eq!(Word::read(&word.write()), word);
        }
        for broken in [&b""[..], b"x", b"f\xff"] {
            assert_eq!(Word::read(broken), Word::Private, "whoever can't read it tries for themselves");
        }
    }
}
