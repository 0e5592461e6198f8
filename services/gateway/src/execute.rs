//! Executes a call that missed the cache: single flight, hold, job, charge. Runs to its end even if its caller
//! disconnects.
//!
//! Of identical concurrent calls one does the work and is charged, in this process ([`crate::single_flight`]) and across
//! gateways ([`limner_cache::FlightRole`]). The others wait and get its result without a charge, or its failure. Calls with
//! `fresh=true` request a read of their own and neither lead nor follow.
//!
//! A call that does the work has one of its account's places (see [`crate::account_places`]), and leads identical calls
//! only once it has one: a call that waits for its place must not make others wait.
//!
//! A cancelled call (see [`crate::cancellations`]) stops waiting, and its hold is released at once. If others wait for
//! a job that it leads, the job continues for them: the result is offered to those who wait, one of them takes a hold
//! of its own and is charged for it, and the rest are served as usual. If no waiting call accepts the result it is not
//! cached, because every cached result must have been charged to somebody.

mod lead_flight;

use crate::account_directory::Caller;
use crate::account_places::{NoPlaceInTime, Place, PlaceKind, PlaceRequest};
use crate::cancellations::CancelHandle;
use crate::component_name::without_name;
use crate::error::CallError;
use crate::parse_query::ParsedCall;
use crate::request_id::RequestId;
use crate::response::SuccessResponse;
use crate::settlement::{Charge, CommitOutcome, projected_charge};
use crate::single_flight::{LocalFlightOutcome, LocalFlightRole, wait_for_outcome};
use crate::state::GatewayState;
use crate::unpacked_result::{UnpackError, UnpackedResult};
use crate::usage_recorder::{CANCELLED, FreeCallOutcome};
use data_encoding::HEXLOWER;
use limner_cache::{AccountHit, BodyPlace, CachedResult};
use limner_proto::v1;
use limner_types::{AccountState, CacheOutcome, ErrorCode, WireEnum};
use sha2::{Digest, Sha256};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::time::Instant;

/// A call in progress, with all data needed to finish it without its caller.
pub(crate) struct Execution {
    pub(crate) gateway: Arc<GatewayState>,
    pub(crate) id: RequestId,
    pub(crate) cancel_handle: CancelHandle,
    pub(crate) caller: Arc<Caller>,
    pub(crate) call: Arc<ParsedCall>,
    /// The account at the call's arrival.
    pub(crate) account: Arc<AccountState>,
    pub(crate) arrived: Instant,
    pub(crate) deadline: Instant,
}

/// Credits reserved for a call.
struct CreditHold {
    /// The request of the hold.
    request: v1::HoldRequest,
    /// The account after the hold.
    account: AccountState,
    /// The source of the credits.
    source: v1::CreditSource,
    ends: Instant,
}

/// The reason why the work has no result for this call.
enum ExecutionError {
    /// A failure of this caller alone: an identical call of another caller may succeed.
    CallerSpecific(CallError),
    /// A failure that applies to every identical call.
    Shared(CallError),
    /// The caller cancelled; the result is offered to others.
    Abandoned(CachedResult),
}

/// An extraction's result, and whether it is cached already.
struct ExtractionOutcome {
    result: CachedResult,
    is_cached: bool,
}

/// Minimum time left for a call to become the leader after it has waited for another.
const MIN_TIME_TO_LEAD: Duration = Duration::from_secs(5);
/// Time for which a failed call's caller waits for the release of its hold.
const RELEASE_TIMEOUT: Duration = Duration::from_secs(1);

impl Execution {
    /// Joins the flight of an identical call, or leads one. Returns the result, whichever call did the work.
    pub(crate) async fn join_or_lead(self) -> Result<SuccessResponse, CallError> {
        if self.call.request.fresh {
            let place = self.wait_for_place().await?;
            let outcome = self.execute_and_charge(CacheOutcome::Bypass, None).await.map_err(ExecutionError::into_error);
            return end_place(Some(place), outcome);
        }
        let (mut offered, mut place) = (None, None);
        loop {
            match self.gateway.flights.join(&self.call.cache_key) {
                LocalFlightRole::Leader(lead) => {
                    if place.is_none() && offered.is_none() {
                        place = self.gateway.places.try_take(self.place_request()).await;
                    }
                    if place.is_some() || offered.is_some() {
                        let outcome = self.lead(lead, offered).await;
                        return end_place(place, outcome);
                    }
                    lead.complete(LocalFlightOutcome::LeaderOnly);
                    place = Some(self.wait_for_place().await?);
                }
                LocalFlightRole::Follower(flight) => {
                    // Another call does the work.
                    place = None;
                    let outcome = tokio::time::timeout_at(self.deadline, wait_for_outcome(flight));
                    match self.cancel_handle.run_until_cancelled(outcome).await {
                        Some(Ok(LocalFlightOutcome::Result(result))) => {
                            return Ok(self.serve_shared_result(result).await);
                        }
                        Some(Ok(LocalFlightOutcome::Failed(error))) => return Err(self.record_failure(error)),
                        Some(Ok(LocalFlightOutcome::Abandoned(result))) => offered = Some(result),
                        // A call with little time left would fail where others succeed, so it does not lead.
                        Some(Ok(LocalFlightOutcome::LeaderOnly))
                            if self.deadline < Instant::now() + MIN_TIME_TO_LEAD =>
                        {
                            return Err(self.record_failure(deadline_exceeded()));
                        }
                        Some(Ok(LocalFlightOutcome::LeaderOnly)) => {}
                        Some(Err(_)) => return Err(self.record_failure(deadline_exceeded())),
                        None => return Err(self.cancelled_before_hold()),
                    }
                }
            }
        }
    }

    fn place_request(&self) -> PlaceRequest<'_> {
        PlaceRequest {
            account_id: &self.caller.account_id,
            plan: self.account.plan,
            kind: if self.call.request.render { PlaceKind::Browser } else { PlaceKind::Static },
            call: self.id.as_str(),
            deadline: self.deadline,
        }
    }

    /// Waits behind the account's other calls.
    async fn wait_for_place(&self) -> Result<Place, CallError> {
        match self.cancel_handle.run_until_cancelled(self.gateway.places.take(self.place_request())).await {
            Some(Ok(place)) => Ok(place),
            Some(Err(NoPlaceInTime { retry_after })) => Err(self.record_failure(no_place_in_time(retry_after))),
            None => Err(self.cancelled_before_hold()),
        }
    }

    async fn find_cached_result(&self) -> Result<Option<UnpackedResult>, CallError> {
        let cached = self.gateway.cache.get_result(&self.call.cache_key).await.ok().flatten();
        let Some(cached) = cached else { return Ok(None) };
        match self.gateway.unpacker.unpack(cached).await {
            Ok(result) => Ok(Some(result)),
            Err(UnpackError::NoRoom(_)) => Err(CallError::internal()),
            Err(_) => Ok(None),
        }
    }

    /// Returns the response with a result that another call paid for: to a follower, and to a leader that finds the
    /// result in the cache or gets it from another gateway.
    async fn serve_shared_result(&self, result: UnpackedResult) -> SuccessResponse {
        self.record(FreeCallOutcome::Cached);
        let account = self.gateway.calendar.shared_at_current_month(self.current_account().await);
        SuccessResponse { result, cache: CacheOutcome::Hit, charge: Charge::default(), account }
    }

    /// Records and returns the failure of a call that has no hold.
    fn record_failure(&self, error: CallError) -> CallError {
        self.record(FreeCallOutcome::Failed(error.code));
        error
    }

    /// Returns the error of a call that was cancelled before it had a hold.
    fn cancelled_before_hold(&self) -> CallError {
        self.record(FreeCallOutcome::Cancelled);
        CallError::cancelled()
    }

    fn record(&self, ending: FreeCallOutcome) {
        self.gateway.history.record(&self.caller, &self.id, &self.call, self.arrived, ending);
    }

    /// Returns the account, including changes made while this call waited.
    async fn current_account(&self) -> Arc<AccountState> {
        let newest = async {
            let cached = self.gateway.directory.cached_account(&self.caller.account_id).await?;
            let hot = self.gateway.cache.get_account(&self.caller.account_id).await.ok().flatten();
            self.gateway.directory.resolve_account(cached, hot.map(AccountHit::Sent)).await
        };
        let newest: Result<Arc<AccountState>, CallError> = newest.await;
        newest.unwrap_or_else(|_| Arc::clone(&self.account))
    }

    /// Takes a hold, runs the job and charges the call. An `offered` result replaces the job.
    async fn execute_and_charge(
        &self,
        cache: CacheOutcome,
        offered: Option<CachedResult>,
    ) -> Result<SuccessResponse, ExecutionError> {
        let Ok(_in_flight) = self.gateway.in_flight.try_acquire() else {
            tracing::warn!("too many calls in flight");
            return Err(ExecutionError::Shared(self.record_failure(busy())));
        };
        let GatewayState { browser_load, static_load, config, .. } = &*self.gateway;
        let (load, longest) = match self.call.request.render {
            true => (browser_load, config.max_browser_duration),
            false => (static_load, config.max_static_duration),
        };
        let left = self.deadline.saturating_duration_since(Instant::now());
        let _admitted = match load.admit(left.min(longest)) {
            Ok(admitted) => admitted,
            Err(excess) => {
                metrics::counter!("limner_gateway_shed_calls_total").increment(1);
                return Err(ExecutionError::Shared(self.record_failure(busy().retry_after(seconds(excess)))));
            }
        };
        let held = self.hold().await?;
        if self.cancel_handle.is_requested() {
            self.release(CANCELLED, held.ends).await;
            return Err(
                offered.map_or(ExecutionError::CallerSpecific(CallError::cancelled()), ExecutionError::Abandoned)
            );
        }
        let mut extracting = Box::pin(self.extract(offered));
        // A cancellation before this point is free of charge and gets no result; after it, it is too late.
        let extracted = match self.cancel_handle.run_until_cancelled(&mut extracting).await {
            Some(Ok(extracted)) => self.store_result(extracted).await,
            Some(Err(error)) => Err(error),
            None => {
                self.release(CANCELLED, held.ends).await;
                self.cancel_handle.complete();
                return Err(self.abandon(extracting).await);
            }
        };
        match extracted {
            Ok(result) => Ok(self.charge(result, cache, held).await),
            Err(error) => {
                self.release(&error.code.to_string(), held.ends).await;
                // Calls that wait for this one may have more time than it had.
                let is_own = Instant::now() >= self.deadline;
                Err(if is_own { ExecutionError::CallerSpecific(error) } else { ExecutionError::Shared(error) })
            }
        }
    }

    /// Handles a cancelled call: others may wait for its result, here or at other gateways.
    async fn abandon(&self, extracting: impl Future<Output = Result<ExtractionOutcome, CallError>>) -> ExecutionError {
        if self.call.request.fresh {
            return ExecutionError::CallerSpecific(CallError::cancelled());
        }
        match extracting.await {
            Ok(extracted) => ExecutionError::Abandoned(extracted.result),
            Err(error) => ExecutionError::Shared(error),
        }
    }

    async fn release(&self, code: &str, hold_ends: Instant) {
        let release = v1::ReleaseRequest { request_id: self.id.as_str().to_owned(), code: code.to_owned() };
        self.gateway.settlement.release(release, RELEASE_TIMEOUT, hold_ends).await;
    }

    async fn hold(&self) -> Result<CreditHold, ExecutionError> {
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
                return Err(ExecutionError::Shared(CallError::internal()));
            }
        };
        let account = response.account.clone().and_then(|account| AccountState::try_from(account).ok());
        if let Some(account) = &account {
            self.gateway.directory.store_if_newer(Arc::new(account.clone())).await;
        }
        match response.outcome() {
            v1::HoldOutcome::Granted => Ok(CreditHold {
                request: hold,
                account: account.unwrap_or_else(|| AccountState::clone(&self.account)),
                source: response.source(),
                ends,
            }),
            v1::HoldOutcome::QuotaExceeded => {
                let error = CallError::new(ErrorCode::QuotaExceeded, response.message);
                Err(self.hold_refused(error.retry_after(response.retry_after_seconds)))
            }
            v1::HoldOutcome::Suspended => Err(self.hold_refused(CallError::suspended())),
            v1::HoldOutcome::UnknownAccount => Err(ExecutionError::CallerSpecific(CallError::invalid_key(
                "The account of this API key no longer exists. Create a key in the console.",
            ))),
            v1::HoldOutcome::Unspecified => {
                tracing::error!("hold response without an outcome");
                Err(ExecutionError::Shared(CallError::internal()))
            }
        }
    }

    /// Records a call that never had a hold; metering does not record those itself.
    fn hold_refused(&self, error: CallError) -> ExecutionError {
        self.record(FreeCallOutcome::Failed(error.code));
        ExecutionError::CallerSpecific(error)
    }

    /// Dispatches the job and evaluates its reply.
    async fn extract(&self, offered: Option<CachedResult>) -> Result<ExtractionOutcome, CallError> {
        if let Some(result) = offered {
            return Ok(ExtractionOutcome { result, is_cached: false });
        }
        let reply = self.gateway.dispatcher.dispatch(self.job(), self.deadline).await.map_err(|cause| {
            tracing::error!(error = %cause, "job failed");
            CallError::internal()
        })?;
        match reply.outcome {
            Some(v1::job_reply::Outcome::Failure(failure)) => Err(failure.into()),
            Some(v1::job_reply::Outcome::Extraction(extraction)) => {
                let result = from_proto(extraction);
                // Workers leave what is too large for Redis to the gateway.
                let is_kept = !reply.unkept && self.gateway.cache.fits(&result);
                let is_cached = is_kept && !self.cancel_handle.is_cancellable();
                let operation = self.call.request.operation.as_str();
                metrics::histogram!("limner_gateway_result_bytes", "operation" => operation)
                    .record(u32::try_from(result.body.len()).unwrap_or(u32::MAX));
                Ok(ExtractionOutcome { result, is_cached })
            }
            None => {
                tracing::error!("job reply without an outcome");
                Err(CallError::internal())
            }
        }
    }

    /// Stores the result in the cache.
    async fn store_result(&self, extracted: ExtractionOutcome) -> Result<UnpackedResult, CallError> {
        let ExtractionOutcome { result, is_cached } = extracted;
        if !is_cached && let Err(cause) = self.cache_result(&result).await {
            tracing::warn!(error = %cause, "cannot cache a result");
        }
        self.gateway.unpacker.unpack(result).await.map_err(|cause| {
            tracing::error!(error = %cause, "cannot unpack a job reply");
            CallError::internal()
        })
    }

    /// Caches the result: in Redis, or with its body in the object store if it is too large for that.
    async fn cache_result(&self, result: &CachedResult) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        let GatewayState { cache, screenshots, .. } = &*self.gateway;
        let kept = match screenshots {
            Some(objects) if !cache.fits(result) => {
                let name = objects.put_result(result.body.clone()).await?;
                &CachedResult { body: name.into(), place: BodyPlace::Object, ..result.clone() }
            }
            _ => result,
        };
        Ok(cache.put_result(&self.call.cache_key, kept).await?)
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
            cache_key: if self.cancel_handle.is_cancellable() { String::new() } else { self.call.cache_key.clone() },
            fresh: self.call.request.fresh,
            fallback: None,
            tenant: tenant_of(&self.caller.account_id),
            retries: 0,
            free_plan: self.account.plan == limner_types::Plan::Free,
        }
    }

    /// Charges the call. The result is cached by now: charging comes last, so that, as long as Redis works, no
    /// failure can bill a result that the caller does not get from a retry.
    async fn charge(&self, result: UnpackedResult, cache: CacheOutcome, held: CreditHold) -> SuccessResponse {
        let commit = v1::CommitRequest {
            request_id: self.id.as_str().to_owned(),
            auto_render: result.auto_render,
            held: Some(held.request.clone()),
        };
        let config = &self.gateway.config;
        let (timeout, give_up) = (config.commit_timeout, held.ends + config.late_commit);
        let committed = self.gateway.settlement.commit(commit, timeout, give_up).await;
        let price = u64::from(self.call.request.price());
        let (account, charge) = self.apply_charge(committed, held, price).await;
        let account = Arc::new(self.gateway.calendar.at_current_month(account));
        SuccessResponse { result, cache, charge, account }
    }

    /// Returns the account after a charge, for the caller. While metering is unavailable it is a projection.
    async fn apply_charge(&self, committed: CommitOutcome, held: CreditHold, price: u64) -> (AccountState, Charge) {
        match committed {
            CommitOutcome::Now(response) => {
                let from_pack = response.source() == v1::CreditSource::Pack;
                let charge = Charge { credits: response.credits_spent, from_pack };
                let account = response.account.and_then(|account| AccountState::try_from(account).ok());
                if let Some(account) = &account {
                    self.gateway.directory.store_if_newer(Arc::new(account.clone())).await;
                }
                (account.unwrap_or(held.account), charge)
            }
            CommitOutcome::Deferred => {
                projected_charge(self.gateway.calendar.at_current_month(held.account), price, held.source)
            }
            CommitOutcome::Never => (held.account, Charge::default()),
        }
    }
}

impl ExecutionError {
    fn into_error(self) -> CallError {
        match self {
            Self::CallerSpecific(error) | Self::Shared(error) => error,
            Self::Abandoned(_) => CallError::cancelled(),
        }
    }
}

fn from_proto(extraction: v1::Extraction) -> CachedResult {
    let v1::Extraction { body, content_type, auto_render, incomplete } = extraction;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let created_unix = i64::try_from(now).unwrap_or(i64::MAX);
    CachedResult { body, place: BodyPlace::Inline, content_type, auto_render, incomplete, created_unix }
}

fn to_proto(result: CachedResult) -> v1::Extraction {
    let CachedResult { body, content_type, auto_render, incomplete, .. } = result;
    v1::Extraction { body, content_type, auto_render, incomplete }
}

fn deadline_exceeded() -> CallError {
    CallError::new(
        ErrorCode::InternalError,
        "The call could not be finished in time. Nothing was charged. Try again in a few seconds.",
    )
}

/// Returns the place of a call that has ended. The time of a call that failed by a fault of ours is not held against its
/// account.
fn end_place<T>(place: Option<Place>, outcome: Result<T, CallError>) -> Result<T, CallError> {
    let is_ours = |error: &CallError| matches!(error.code, ErrorCode::InternalError | ErrorCode::RenderUnavailable);
    if let Some(mut place) = place
        && outcome.as_ref().err().is_none_or(is_ours)
    {
        place.mark_useful();
    }
    outcome
}

fn no_place_in_time(retry_after: Duration) -> CallError {
    CallError::new(
        ErrorCode::InternalError,
        "The account has more calls under way than are worked on at once, and this one would not have ended in time. \
         Nothing was charged. Send fewer calls at once, or try again later.",
    )
    .retry_after(seconds(retry_after))
}

/// Returns whole seconds, rounded up.
fn seconds(duration: Duration) -> u32 {
    u32::try_from(duration.as_millis().div_ceil(1_000)).unwrap_or(u32::MAX)
}

fn busy() -> CallError {
    CallError::new(
        ErrorCode::InternalError,
        "The service is busy at the moment. Nothing was charged. Try again in a few seconds.",
    )
}

/// Returns the opaque name under which workers and extractors distinguish accounts without knowing them.
fn tenant_of(account_id: &str) -> String {
    HEXLOWER.encode(&Sha256::digest(account_id)[..16])
}
