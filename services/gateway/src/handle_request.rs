//! The gateway's shared state, and the handling of a call.

use crate::Config;
use crate::account_directory::{AccountDirectory, Caller, Sha256Sum, key_hash};
use crate::billing_month::BillingMonth;
use crate::cancellations::CancellableCalls;
use crate::dependencies::{Dependencies, Dispatcher, Metering, MeteringError};
use crate::error::CallError;
use crate::execute::{CreditHold, Execution};
use crate::local_rate_limit::LocalRateLimiter;
use crate::parse_query::{ParsedCall, ParsedQuery};
use crate::parsed_request_cache::{ParsedRequest, ParsedRequestCache, text_hash};
use crate::request_id::RequestId;
use crate::response::{
    Charge, ResponseContext, SuccessResponse, UnpackError, UnpackedResult, error_response, json_response, write_quota,
};
use crate::result_cache::{ResultCache, ResultEntry};
use crate::screenshot_route::ScreenshotRateLimiter;
use crate::settlement::{CommitOutcome, HoldSettler, projected_charge};
use crate::single_flight::SingleFlight;
use crate::usage_recorder::{FreeCallOutcome, UsageRecorder};
use crate::usage_route;
use axum::response::Response;
use http::HeaderMap;
use http::header::CACHE_CONTROL;
use limner_cache::{Cache, CachedResult, Lookup, LookupReply, ResultHit, ResultVersion};
use limner_proto::v1;
use limner_runtime::http::MemoryBudget;
use limner_screenshot_store::ScreenshotStore;
use limner_types::{AccountState, CacheOutcome, Operation};
use std::sync::Arc;
use time::OffsetDateTime;
use tokio::sync::Semaphore;
use tokio::time::Instant;
use tokio_util::task::TaskTracker;
use tracing::Instrument;

pub(crate) struct GatewayState {
    pub(crate) config: Config,
    pub(crate) cache: Cache,
    pub(crate) metering: Arc<dyn Metering>,
    pub(crate) dispatcher: Arc<dyn Dispatcher>,
    pub(crate) directory: Arc<AccountDirectory>,
    calendar: Arc<BillingMonth>,
    pub(crate) flights: Arc<SingleFlight>,
    pub(crate) named: CancellableCalls,
    pub(crate) history: UsageRecorder,
    pub(crate) settlement: HoldSettler,
    pub(crate) in_flight: Semaphore,
    pub(crate) screenshots: Option<ScreenshotStore>,
    pub(crate) screenshot_askers: ScreenshotRateLimiter,
    /// Memory budget for cached unpacked results and for those being sent to callers.
    pub(crate) memory_budget: MemoryBudget,
    has_browser: Arc<dyn Fn() -> bool + Send + Sync>,
    rate_limiter: LocalRateLimiter,
    result_cache: ResultCache,
    readings: ParsedRequestCache,
    /// Calls that outlive their callers, and unsettled holds: a shutdown waits for them.
    pub(crate) tasks: TaskTracker,
}

/// A caller whose request was counted by the rate limit.
pub(crate) struct AdmittedRequest {
    pub(crate) caller: Arc<Caller>,
    pub(crate) account: AccountState,
    result: Option<ResultHit>,
}

/// A cache look-up for a call's result.
#[derive(Default)]
pub(crate) struct CacheProbe<'a> {
    cache_key: Option<&'a str>,
    remembered: Option<ResultEntry>,
}

impl GatewayState {
    pub(crate) fn new(
        config: Config,
        backend: &Dependencies,
        history: UsageRecorder,
        calendar: Arc<BillingMonth>,
    ) -> Self {
        let tasks = TaskTracker::new();
        Self {
            cache: backend.cache.clone(),
            metering: Arc::clone(&backend.metering),
            dispatcher: Arc::clone(&backend.dispatcher),
            directory: Arc::new(AccountDirectory::new(backend, config.key_cache_ttl, Arc::clone(&calendar))),
            calendar,
            flights: Arc::default(),
            named: CancellableCalls::new(&backend.cancellations),
            history,
            settlement: HoldSettler::new(Arc::clone(&backend.metering), tasks.clone()),
            in_flight: Semaphore::new(config.max_calls_in_flight),
            screenshots: backend.screenshots.clone(),
            screenshot_askers: ScreenshotRateLimiter::new(config.screenshots_per_minute),
            memory_budget: MemoryBudget::new(config.response_bytes + config.result_memory_bytes),
            has_browser: Arc::clone(&backend.has_browser),
            rate_limiter: LocalRateLimiter::default(),
            result_cache: ResultCache::new(config.result_memory_bytes as u64),
            readings: ParsedRequestCache::default(),
            tasks,
            config,
        }
    }

    /// Answers one of the nine operations. Checks are made in this order: key (401), suspension (402), rate limit
    /// (429), parameters (400), then whether the operation is served (503), the cache, whether there is a browser
    /// (503), and credits (429). A suspended or invalid call counts in the rate window like any other; a call over the
    /// limit does not.
    pub(crate) async fn answer(
        self: Arc<Self>,
        operation: Operation,
        headers: &HeaderMap,
        query: Option<&str>,
        id: &RequestId,
    ) -> Response {
        let arrived = Instant::now();
        let mut known = ResponseContext::default();
        let response = match Arc::clone(&self).try_respond(operation, headers, query, id, arrived, &mut known).await {
            Ok((answer, call)) => answer.into_response(&call, &known, &self).await,
            Err(error) => Err(error),
        };
        response.unwrap_or_else(|error| error_response(&error, id, &known))
    }

    async fn try_respond(
        self: Arc<Self>,
        operation: Operation,
        headers: &HeaderMap,
        query: Option<&str>,
        id: &RequestId,
        arrived: Instant,
        known: &mut ResponseContext,
    ) -> Result<(SuccessResponse, Arc<ParsedCall>), CallError> {
        let text = text_hash(operation, headers, query);
        let before = match &text {
            Some(text) => self.readings.get(text).await,
            None => None,
        };
        let (caller, call) = match before {
            Some(reading) => {
                known.ignored.clone_from(&reading.ignored);
                (self.directory.authenticate(reading.key).await?, Ok(Arc::clone(&reading.call)))
            }
            None => Box::pin(self.authenticate_and_parse(operation, headers, query, text, known)).await?,
        };
        let cache_key = call.as_ref().ok().filter(|call| !call.request.fresh).map(|call| call.cache_key.as_str());
        let remembered = match cache_key {
            Some(key) => self.result_cache.get(key).await,
            None => None,
        };
        let wanted = CacheProbe { cache_key, remembered };
        let admitted = self.admit(caller, &wanted, known).await?;
        let remembered = wanted.remembered;
        let call = call?;
        if !(self.config.served)(operation) {
            self.history.record(
                &admitted.caller,
                id,
                &call,
                FreeCallOutcome::Failed(limner_types::ErrorCode::InternalError),
            );
            return Err(CallError::operation_unavailable(operation));
        }
        if let Some(answer) = self.hit(&admitted, remembered, &call, id).await? {
            return Ok((answer, call));
        }
        if is_only_if_cached(headers) {
            return Err(CallError::not_cached());
        }
        if call.request.render && !(self.config.renderer && (self.has_browser)()) {
            let error = CallError::no_browser();
            self.history.record(&admitted.caller, id, &call, FreeCallOutcome::Failed(error.code));
            return Err(error);
        }
        let way_out = Box::pin(self.named.cancel_handle(&admitted.caller, headers)).await;
        let miss = Execution {
            id: *id,
            cancel_handle: way_out.clone(),
            caller: admitted.caller,
            call: Arc::clone(&call),
            account: admitted.account,
            deadline: arrived + self.config.call_deadline,
            gateway: Arc::clone(&self),
        };
        // Spawned as a task: a caller who disconnects does not end the work.
        let work = self.tasks.spawn(miss.run().in_current_span());
        tokio::select! {
            // A cancelled call pays nothing and gets nothing, even if its work ends at the same time.
            biased;
            () = way_out.completed() => Err(CallError::cancelled()),
            finished = work => Ok((finished.unwrap_or_else(|cause| {
                tracing::error!(error = %cause, "call task failed");
                Err(CallError::internal())
            })?, call)),
        }
    }

    /// Authenticates the caller and parses the call.
    async fn authenticate_and_parse(
        &self,
        operation: Operation,
        headers: &HeaderMap,
        query: Option<&str>,
        text: Option<Sha256Sum>,
        known: &mut ResponseContext,
    ) -> Result<(Arc<Caller>, Result<Arc<ParsedCall>, CallError>), CallError> {
        let key = key_hash(headers)?;
        let caller = self.directory.authenticate(key).await?;
        let ParsedQuery { call, ignored } = ParsedQuery::parse(operation, query, &self.config);
        known.ignored.clone_from(&ignored);
        let call = call.map(Arc::new);
        if let (Ok(call), Some(text)) = (&call, text) {
            self.readings.insert(text, Arc::new(ParsedRequest { key, call: Arc::clone(call), ignored })).await;
        }
        Ok((caller, call))
    }

    /// Counts the request, and rejects a caller that is suspended or over the rate limit.
    pub(crate) async fn admit(
        &self,
        caller: Arc<Caller>,
        wanted: &CacheProbe<'_>,
        known: &mut ResponseContext,
    ) -> Result<AdmittedRequest, CallError> {
        let account = self.directory.cached_account(&caller.account_id).await?;
        let window_limit = account.state.requests_per_minute;
        let lookup = Lookup {
            account_id: &caller.account_id,
            result_key: wanted.cache_key,
            remembered: wanted.remembered.as_ref().map(|remembered| remembered.version.clone()),
            cached_account_version: Some(account.state.version),
            window_limit,
        };
        let LookupReply { window, result, account: found } = match self.cache.lookup(lookup).await {
            Ok(reply) => reply,
            Err(cause) => {
                tracing::debug!(error = %cause, "cache look-up failed; counting requests in this process only");
                let window = self.rate_limiter.count(&caller.account_id, window_limit, std::time::Instant::now());
                LookupReply { window, result: None, account: None }
            }
        };
        known.window = Some(window);
        let account = self.directory.resolve_account(account, found).await?;
        let account = self.at_current_month(AccountState::clone(&account));
        if account.suspended {
            return Err(CallError::suspended());
        }
        if !window.allowed {
            return Err(CallError::rate_limited(window.limit, window.reset_seconds));
        }
        Ok(AdmittedRequest { caller, account, result })
    }

    /// Returns the response from the cache.
    async fn hit(
        &self,
        admitted: &AdmittedRequest,
        remembered: Option<ResultEntry>,
        call: &Arc<ParsedCall>,
        id: &RequestId,
    ) -> Result<Option<SuccessResponse>, CallError> {
        let result = match (admitted.result.as_ref(), remembered) {
            (Some(ResultHit::Remembered), Some(remembered)) => remembered.result,
            (Some(ResultHit::Sent(kept, version)), _) => {
                match Box::pin(self.unpack_cached(kept, version, call)).await? {
                    Some(result) => result,
                    None => return Ok(None),
                }
            }
            (Some(ResultHit::Remembered), None) | (None, _) => return Ok(None),
        };
        self.history.record(&admitted.caller, id, call, FreeCallOutcome::Cached);
        let account = admitted.account.clone();
        Ok(Some(SuccessResponse { result, cache: CacheOutcome::Hit, charge: Charge::default(), account }))
    }

    /// Unpacks a cached result; a result that cannot be unpacked is treated as a miss.
    async fn unpack_cached(
        &self,
        kept: &CachedResult,
        version: &ResultVersion,
        call: &ParsedCall,
    ) -> Result<Option<UnpackedResult>, CallError> {
        match self.unpack(kept.clone()).await {
            Ok(result) => {
                self.result_cache.insert(&call.cache_key, version.clone(), result.clone()).await;
                Ok(Some(result))
            }
            Err(UnpackError::Broken(cause)) => {
                tracing::warn!(error = %cause, "cannot unpack a cached result");
                Ok(None)
            }
            Err(UnpackError::NoRoom(_)) => Err(CallError::internal()),
        }
    }

    /// Unpacks a result, waiting for free memory in the budget.
    pub(crate) async fn unpack(&self, kept: CachedResult) -> Result<UnpackedResult, UnpackError> {
        UnpackedResult::unpack(kept, self.config.max_result_bytes, &self.memory_budget, self.config.peers.pace.timeout)
            .await
    }

    /// Cancels the caller's calls of that name.
    pub(crate) async fn cancel(&self, headers: &HeaderMap, name: &str, path: &str) -> Result<(), CallError> {
        let caller = self.directory.authenticate(key_hash(headers)?).await?;
        self.named.cancel(&caller, name, path).await
    }

    /// Answers `GET /v1/usage`: free, but counted like every authenticated request.
    pub(crate) async fn answer_usage(&self, headers: &HeaderMap, query: Option<&str>, id: &RequestId) -> Response {
        let mut known = ResponseContext::default();
        let answer = async {
            let caller = self.directory.authenticate(key_hash(headers)?).await?;
            let page = usage_route::UsagePageQuery::parse(query, &mut known.ignored);
            let admitted = self.admit(caller, &CacheProbe::default(), &mut known).await?;
            let page = page?;
            let request = page.request(&admitted.caller.account_id);
            let usage = self.metering.usage(request).await.map_err(|cause| match cause {
                MeteringError::Refused(_) => usage_route::invalid_cursor(),
                MeteringError::Unavailable(_) => {
                    tracing::error!(error = %cause, "cannot read usage");
                    CallError::internal()
                }
            })?;
            let body = usage_route::body(usage, |account| self.at_current_month(account))?;
            Ok::<_, CallError>((body, admitted.account))
        }
        .await;
        match answer {
            Ok((body, account)) => {
                let mut response = json_response(body, &known);
                write_quota(response.headers_mut(), &account);
                response
            }
            Err(error) => error_response(&error, id, &known),
        }
    }

    /// Returns the account in the current month: counts of an earlier month are reset.
    pub(crate) fn at_current_month(&self, account: AccountState) -> AccountState {
        account.advanced_to_period(self.calendar.month(OffsetDateTime::now_utc()))
    }

    /// Returns the account after a charge, for the caller. While metering is unavailable it is a projection.
    pub(crate) async fn apply_charge(
        &self,
        committed: CommitOutcome,
        held: CreditHold,
        price: u64,
    ) -> (AccountState, Charge) {
        match committed {
            CommitOutcome::Now(response) => {
                let from_pack = response.source() == v1::CreditSource::Pack;
                let charge = Charge { credits: response.credits_spent, from_pack };
                let account = response.account.and_then(|account| AccountState::try_from(account).ok());
                if let Some(account) = &account {
                    self.directory.store_if_newer(Arc::new(account.clone())).await;
                }
                (account.unwrap_or(held.account), charge)
            }
            CommitOutcome::Deferred => projected_charge(self.at_current_month(held.account), price, held.source),
            CommitOutcome::Never => (held.account, Charge::default()),
        }
    }
}

/// Returns true if the request has `Cache-Control: only-if-cached` (RFC 9111 §5.2.1.7): such a call costs nothing.
fn is_only_if_cached(headers: &HeaderMap) -> bool {
    let values = headers.get_all(CACHE_CONTROL).iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).any(|directive| directive.trim().eq_ignore_ascii_case("only-if-cached"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size_of_future<A, F: Future>(_: impl FnOnce(A) -> F) -> usize {
        size_of::<F>()
    }

    #[test]
    fn the_future_of_a_hit_is_small() {
        type Asked = (Arc<GatewayState>, &'static HeaderMap, &'static RequestId);
        let bytes =
            size_of_future(|(gateway, headers, id): Asked| gateway.answer(Operation::Images, headers, None, id));
        // The future is moved about a dozen times through the layers. Branches that few calls need belong into a box.
        assert!(bytes < 4_096, "{bytes} bytes");
    }
}
