//! Executes a call that missed the cache: single flight, hold, job, charge. Runs to its end even if its caller
//! disconnects.
//!
//! Of identical concurrent calls one does the work and is charged, in this process ([`crate::flight`]) and across
//! gateways ([`limner_cache::Flight`]). The others wait and get its result without a charge, or its failure. Calls with
//! `fresh=true` request a read of their own and neither lead nor follow.
//!
//! A cancelled call (see [`crate::cancellations`]) stops waiting, and its hold is released at once. If others wait for
//! a job that it leads, the job continues for them: the result is offered to those who wait, one of them takes a hold
//! of its own and is charged for it, and the rest are served as usual. If no waiting call accepts the result it is not
//! cached, because every cached result must have been charged to somebody.

use crate::answer::{Answer, Charge, Extracted, UnpackError};
use crate::cancellations::WayOut;
use crate::directory::Caller;
use crate::error::CallError;
use crate::flight::{Landing, Lead, Part, landing};
use crate::gateway::Gateway;
use crate::history::{CANCELLED, Ending};
use crate::naming::without_name;
use crate::query::Call;
use crate::request_id::RequestId;
use crate::shared_flight::{SharedFlight, Word};
use limner_cache::{CachedResult, Flight, FlightEnd, FoundAccount};
use limner_proto::v1;
use limner_types::{AccountState, CacheOutcome, ErrorCode};
use sha2::{Digest, Sha256};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::time::Instant;

/// A call in progress, with all data needed to finish it without its caller.
pub(crate) struct Miss {
    pub(crate) gateway: Arc<Gateway>,
    pub(crate) id: RequestId,
    pub(crate) way_out: WayOut,
    pub(crate) caller: Arc<Caller>,
    pub(crate) call: Arc<Call>,
    /// The account at the call's arrival.
    pub(crate) account: AccountState,
    pub(crate) deadline: Instant,
}

/// Credits reserved for a call.
pub(crate) struct Held {
    /// The request of the hold.
    request: v1::HoldRequest,
    /// The account after the hold.
    pub(crate) account: AccountState,
    /// The source of the credits.
    pub(crate) source: v1::CreditSource,
    ends: Instant,
}

/// The reason why the work has no result for this call.
enum NoResult {
    /// A failure of this caller alone: an identical call of another caller may succeed.
    Private(CallError),
    /// A failure that applies to every identical call.
    Shared(CallError),
    /// The caller cancelled; the result is offered to others.
    Unpaid(CachedResult),
}

/// An extraction's result, and whether it is cached already.
struct Extracting {
    result: CachedResult,
    is_kept: bool,
}

/// Minimum time left for a call to become the leader after it has waited for another.
const LEAST_TO_LEAD: Duration = Duration::from_secs(5);
/// Time for which a failed call's caller waits for the release of its hold.
const RELEASE_PATIENCE: Duration = Duration::from_secs(1);

impl Miss {
    /// Returns the result, whichever call did the work.
    pub(crate) async fn run(self) -> Result<Answer, CallError> {
        if self.call.request.fresh {
            return self.work(CacheOutcome::Bypass, None).await.map_err(NoResult::into_error);
        }
        let mut offered = None;
        loop {
            match self.gateway.flights.join(&self.call.cache_key) {
                Part::Leader(lead) => return self.lead(lead, offered).await,
                Part::Follower(flight) => {
                    let landed = tokio::time::timeout_at(self.deadline, landing(flight));
                    match self.way_out.unless_asked(landed).await {
                        Some(Ok(Landing::Result(result))) => return Ok(self.served(result).await),
                        Some(Ok(Landing::Failed(error))) => return Err(self.followed(error)),
                        Some(Ok(Landing::Unpaid(result))) => offered = Some(result),
                        // A call with little time left would fail where others succeed, so it does not lead.
                        Some(Ok(Landing::Private)) if self.deadline < Instant::now() + LEAST_TO_LEAD => {
                            return Err(self.followed(out_of_time()));
                        }
                        Some(Ok(Landing::Private)) => {}
                        Some(Err(_)) => return Err(self.followed(out_of_time())),
                        None => return Err(self.left()),
                    }
                }
            }
        }
    }

    /// Leads the identical calls of this process: executes the call, or waits for the gateway that does.
    async fn lead(&self, lead: Lead, mut offered: Option<CachedResult>) -> Result<Answer, CallError> {
        let Some(part) = self.way_out.unless_asked(self.take_off(&mut offered)).await else {
            // This call may just have become the leader. If it has not, the message is not read by anybody.
            SharedFlight::end(self, &Word::Private);
            lead.land(offered.map_or(Landing::Private, Landing::Unpaid));
            return Err(self.left());
        };
        let flight = match part {
            Ok(flight) => flight,
            Err(landing) => {
                let landing = match (landing, offered) {
                    (Landing::Private, Some(offered)) => Landing::Unpaid(offered),
                    (landing, _) => landing,
                };
                lead.land(landing.clone());
                return match landing {
                    Landing::Result(result) => Ok(self.served(result).await),
                    Landing::Failed(error) => Err(self.followed(error)),
                    // This call has timed out; its followers may have more time.
                    Landing::Private | Landing::Unpaid(_) => Err(self.followed(out_of_time())),
                };
            }
        };
        // Another flight may have completed between this call's look-up and its own flight.
        match self.kept_result().await {
            Ok(None) => {}
            Ok(Some(result)) => {
                flight.land(&Word::Kept).await;
                lead.land(Landing::Result(result.clone()));
                return Ok(self.served(result).await);
            }
            Err(error) => {
                flight.land(&Word::Private).await;
                lead.land(Landing::Failed(error.clone()));
                return Err(self.followed(error));
            }
        }
        let (word, landing, outcome) = match self.work(CacheOutcome::Miss, offered).await {
            Ok(answer) => (Word::Kept, Landing::Result(answer.result.clone()), Ok(answer)),
            Err(NoResult::Shared(error)) => {
                (Word::Failed(error.to_failure()), Landing::Failed(error.clone()), Err(error))
            }
            Err(NoResult::Private(error)) => (Word::Private, Landing::Private, Err(error)),
            Err(NoResult::Unpaid(result)) => {
                (Word::Unpaid(on_the_wire(result.clone())), Landing::Unpaid(result), Err(CallError::cancelled()))
            }
        };
        flight.land(&word).await;
        lead.land(landing);
        outcome
    }

    /// Joins the flight across gateways. `Err` is the outcome of another gateway's flight. A result whose leader was
    /// cancelled is returned in `offered`.
    async fn take_off(&self, offered: &mut Option<CachedResult>) -> Result<SharedFlight, Landing> {
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
                Ok(FlightEnd::DeadlinePassed) => return Err(Landing::Private),
                Ok(FlightEnd::Ended(word)) => match Word::read(&word) {
                    Word::Failed(failure) => return Err(Landing::Failed(failure.into())),
                    // The result is missing from the cache (Redis was full, or restarted): this call may have to do the
                    // work.
                    Word::Kept => match self.kept_result().await {
                        Ok(Some(result)) => return Err(Landing::Result(result)),
                        Ok(None) => {}
                        Err(error) => return Err(Landing::Failed(error)),
                    },
                    Word::Unpaid(extraction) => *offered = Some(off_the_wire(extraction)),
                    Word::Private => {}
                },
                Err(cause) => return Ok(SharedFlight::without(self, &cause)),
            }
        }
    }

    async fn kept_result(&self) -> Result<Option<Extracted>, CallError> {
        let kept = self.gateway.cache.get_result(&self.call.cache_key).await.ok().flatten();
        let Some(kept) = kept else { return Ok(None) };
        match self.gateway.unpack(kept).await {
            Ok(result) => Ok(Some(result)),
            Err(UnpackError::Broken(_)) => Ok(None),
            Err(UnpackError::NoRoom(_)) => Err(CallError::internal()),
        }
    }

    /// Returns the response with a result that another call paid for.
    async fn served(&self, result: Extracted) -> Answer {
        self.record(Ending::Cached);
        let account = self.gateway.present(self.newest_account().await);
        Answer { result, cache: CacheOutcome::Hit, charge: Charge::default(), account }
    }

    fn followed(&self, error: CallError) -> CallError {
        self.record(Ending::Failed(error.code));
        error
    }

    /// Returns the error of a call that was cancelled before it had a hold.
    fn left(&self) -> CallError {
        self.record(Ending::Cancelled);
        CallError::cancelled()
    }

    fn record(&self, ending: Ending) {
        self.gateway.history.record(&self.caller, &self.id, &self.call, ending);
    }

    /// Returns the account, including changes made while this call waited.
    async fn newest_account(&self) -> AccountState {
        let newest = async {
            let remembered = self.gateway.directory.remembered(&self.caller.account_id).await?;
            let hot = self.gateway.cache.get_account(&self.caller.account_id).await.ok().flatten();
            self.gateway.directory.newest(remembered, hot.map(FoundAccount::Sent)).await
        };
        let newest: Result<Arc<AccountState>, CallError> = newest.await;
        newest.map_or_else(|_| self.account.clone(), |state| AccountState::clone(&state))
    }

    /// Takes a hold, runs the job and charges the call. An `offered` result replaces the job.
    async fn work(&self, cache: CacheOutcome, offered: Option<CachedResult>) -> Result<Answer, NoResult> {
        let Ok(_in_flight) = self.gateway.in_flight.try_acquire() else {
            tracing::warn!("too many calls in flight");
            self.record(Ending::Failed(busy().code));
            return Err(NoResult::Shared(busy()));
        };
        let held = self.hold().await?;
        if self.way_out.is_asked() {
            self.release(CANCELLED, held.ends).await;
            return Err(offered.map_or(NoResult::Private(CallError::cancelled()), NoResult::Unpaid));
        }
        let mut extracting = Box::pin(self.extract(offered));
        // A cancellation before this point is free of charge and gets no result; after it, it is too late.
        let extracted = match self.way_out.unless_asked(&mut extracting).await {
            Some(Ok(extracted)) => self.keep(extracted).await,
            Some(Err(error)) => Err(error),
            None => {
                self.release(CANCELLED, held.ends).await;
                self.way_out.take();
                return Err(self.leave(extracting).await);
            }
        };
        match extracted {
            Ok(result) => Ok(self.charge(result, cache, held).await),
            Err(error) => {
                self.release(&error.code.to_string(), held.ends).await;
                // Calls that wait for this one may have more time than it had.
                let is_own = Instant::now() >= self.deadline;
                Err(if is_own { NoResult::Private(error) } else { NoResult::Shared(error) })
            }
        }
    }

    /// Handles a cancelled call: others may wait for its result, here or at other gateways.
    async fn leave(&self, extracting: impl Future<Output = Result<Extracting, CallError>>) -> NoResult {
        if self.call.request.fresh {
            return NoResult::Private(CallError::cancelled());
        }
        match extracting.await {
            Ok(extracted) => NoResult::Unpaid(extracted.result),
            Err(error) => NoResult::Shared(error),
        }
    }

    async fn release(&self, code: &str, hold_ends: Instant) {
        let release = v1::ReleaseRequest { request_id: self.id.as_str().to_owned(), code: code.to_owned() };
        self.gateway.settlement.release(release, RELEASE_PATIENCE, hold_ends).await;
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
                tracing::error!(error = %cause, "hold failed: metering did not answer");
                // Metering may have taken the hold all the same, so it is released.
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
                Err(self.refused(error.retry_after(response.retry_after_seconds)))
            }
            v1::HoldOutcome::Suspended => Err(self.refused(CallError::suspended())),
            v1::HoldOutcome::UnknownAccount => Err(NoResult::Private(CallError::invalid_key(
                "The account of this API key no longer exists. Create a key in the console.",
            ))),
            v1::HoldOutcome::Unspecified => {
                tracing::error!("hold response without an outcome");
                Err(NoResult::Shared(CallError::internal()))
            }
        }
    }

    /// Records a call that never had a hold; metering does not record those itself.
    fn refused(&self, error: CallError) -> NoResult {
        self.record(Ending::Failed(error.code));
        NoResult::Private(error)
    }

    /// Dispatches the job and evaluates its reply.
    async fn extract(&self, offered: Option<CachedResult>) -> Result<Extracting, CallError> {
        if let Some(result) = offered {
            return Ok(Extracting { result, is_kept: false });
        }
        let reply = self.gateway.dispatcher.dispatch(self.job(), self.deadline).await.map_err(|cause| {
            tracing::error!(error = %cause, "job failed");
            CallError::internal()
        })?;
        match reply.outcome {
            Some(v1::job_reply::Outcome::Failure(failure)) => Err(failure.into()),
            Some(v1::job_reply::Outcome::Extraction(extraction)) => {
                let is_kept = !reply.unkept && !self.way_out.is_there();
                Ok(Extracting { result: off_the_wire(extraction), is_kept })
            }
            None => {
                tracing::error!("job reply without an outcome");
                Err(CallError::internal())
            }
        }
    }

    /// Stores the result in the cache.
    async fn keep(&self, extracted: Extracting) -> Result<Extracted, CallError> {
        let Extracting { result, is_kept } = extracted;
        if !is_kept && let Err(cause) = self.gateway.cache.put_result(&self.call.cache_key, &result).await {
            tracing::warn!(error = %cause, "cannot cache a result");
        }
        self.gateway.unpack(result).await.map_err(|cause| {
            tracing::error!(error = %cause, "cannot unpack a job reply");
            CallError::internal()
        })
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
            // The result of a cancellable call is not cached by the worker: only once it is certain that it is paid
            // for.
            cache_key: if self.way_out.is_there() { String::new() } else { self.call.cache_key.clone() },
            fresh: self.call.request.fresh,
            fallback: None,
            tenant: tenant_of(&self.caller.account_id),
            retries: 0,
        }
    }

    /// Charges the call. The result is cached by now: charging comes last, so that no failure can bill a result that
    /// was not delivered.
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
            Self::Unpaid(_) => CallError::cancelled(),
        }
    }
}

fn off_the_wire(extraction: v1::Extraction) -> CachedResult {
    let v1::Extraction { body, content_type, auto_render } = extraction;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    CachedResult { body, content_type, auto_render, created_unix: i64::try_from(now).unwrap_or(i64::MAX) }
}

fn on_the_wire(result: CachedResult) -> v1::Extraction {
    let CachedResult { body, content_type, auto_render, .. } = result;
    v1::Extraction { body, content_type, auto_render }
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

/// Returns the opaque name under which workers and extractors distinguish accounts without knowing them.
fn tenant_of(account_id: &str) -> String {
    use std::fmt::Write;
    let hash = Sha256::digest(account_id);
    hash.iter().take(16).fold(String::new(), |mut name, byte| {
        let _ = write!(name, "{byte:02x}");
        name
    })
}
