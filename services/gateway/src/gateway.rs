//! The gateway's shared state, and the handling of a call.

use crate::Config;
use crate::answer::{Answer, Charge, Extracted, Known, UnpackError, error_response, json_response, write_quota};
use crate::backend::{Backend, Dispatcher, Metering, MeteringError};
use crate::calendar::Calendar;
use crate::cancellations::CallsByName;
use crate::directory::{Caller, Directory, Sha256Sum, key_hash};
use crate::error::CallError;
use crate::flight::Flights;
use crate::history::{Ending, History};
use crate::memory::{Memory, Remembered};
use crate::miss::{Held, Miss};
use crate::query::{Call, Query};
use crate::rate::LocalWindows;
use crate::reading::{Reading, Readings, text_hash};
use crate::request_id::RequestId;
use crate::screenshots::Askers;
use crate::settle::{Committed, Settlement, foreseen};
use crate::usage_route;
use axum::response::Response;
use http::HeaderMap;
use http::header::CACHE_CONTROL;
use limner_cache::{Cache, CachedResult, FoundResult, Lookup, LookupReply, ResultVersion};
use limner_objects::Screenshots;
use limner_proto::v1;
use limner_runtime::http::Room;
use limner_types::{AccountState, CacheOutcome, Operation};
use std::sync::Arc;
use time::OffsetDateTime;
use tokio::sync::Semaphore;
use tokio::time::Instant;
use tokio_util::task::TaskTracker;
use tracing::Instrument;

pub(crate) struct Gateway {
    pub(crate) config: Config,
    pub(crate) cache: Cache,
    pub(crate) metering: Arc<dyn Metering>,
    pub(crate) dispatcher: Arc<dyn Dispatcher>,
    pub(crate) directory: Arc<Directory>,
    calendar: Arc<Calendar>,
    pub(crate) flights: Arc<Flights>,
    pub(crate) named: CallsByName,
    pub(crate) history: History,
    pub(crate) settlement: Settlement,
    pub(crate) in_flight: Semaphore,
    pub(crate) screenshots: Option<Screenshots>,
    pub(crate) screenshot_askers: Askers,
    /// Memory budget for cached unpacked results and for those being sent to callers.
    pub(crate) room: Room,
    has_browser: Arc<dyn Fn() -> bool + Send + Sync>,
    windows: LocalWindows,
    memory: Memory,
    readings: Readings,
    /// Calls that outlive their callers, and unsettled holds: a shutdown waits for them.
    pub(crate) tasks: TaskTracker,
}

/// A caller whose request was counted by the rate limit.
pub(crate) struct Admitted {
    pub(crate) caller: Arc<Caller>,
    pub(crate) account: AccountState,
    result: Option<FoundResult>,
}

/// A cache look-up for a call's result.
#[derive(Default)]
pub(crate) struct Wanted<'a> {
    cache_key: Option<&'a str>,
    remembered: Option<Remembered>,
}

impl Gateway {
    pub(crate) fn new(config: Config, backend: &Backend, history: History, calendar: Arc<Calendar>) -> Self {
        let tasks = TaskTracker::new();
        Self {
            cache: backend.cache.clone(),
            metering: Arc::clone(&backend.metering),
            dispatcher: Arc::clone(&backend.dispatcher),
            directory: Arc::new(Directory::new(backend, config.key_memory, Arc::clone(&calendar))),
            calendar,
            flights: Arc::default(),
            named: CallsByName::new(&backend.cancellations),
            history,
            settlement: Settlement::new(Arc::clone(&backend.metering), tasks.clone()),
            in_flight: Semaphore::new(config.max_calls_in_flight),
            screenshots: backend.screenshots.clone(),
            screenshot_askers: Askers::new(config.screenshots_per_minute),
            room: Room::new(config.answer_bytes + config.result_memory_bytes),
            has_browser: Arc::clone(&backend.has_browser),
            windows: LocalWindows::default(),
            memory: Memory::new(config.result_memory_bytes as u64),
            readings: Readings::default(),
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
        let mut known = Known::default();
        let response = match Arc::clone(&self).try_answer(operation, headers, query, id, arrived, &mut known).await {
            Ok((answer, call)) => answer.into_response(&call, &known, &self).await,
            Err(error) => Err(error),
        };
        response.unwrap_or_else(|error| error_response(&error, id, &known))
    }

    async fn try_answer(
        self: Arc<Self>,
        operation: Operation,
        headers: &HeaderMap,
        query: Option<&str>,
        id: &RequestId,
        arrived: Instant,
        known: &mut Known,
    ) -> Result<(Answer, Arc<Call>), CallError> {
        let text = text_hash(operation, headers, query);
        let before = match &text {
            Some(text) => self.readings.get(text).await,
            None => None,
        };
        let (caller, call) = match before {
            Some(reading) => {
                known.ignored.clone_from(&reading.ignored);
                (self.directory.identify(reading.key).await?, Ok(Arc::clone(&reading.call)))
            }
            None => Box::pin(self.read(operation, headers, query, text, known)).await?,
        };
        let cache_key = call.as_ref().ok().filter(|call| !call.request.fresh).map(|call| call.cache_key.as_str());
        let remembered = match cache_key {
            Some(key) => self.memory.get(key).await,
            None => None,
        };
        let wanted = Wanted { cache_key, remembered };
        let admitted = self.admit(caller, &wanted, known).await?;
        let remembered = wanted.remembered;
        let call = call?;
        if !(self.config.served)(operation) {
            self.history.record(&admitted.caller, id, &call, Ending::Failed(limner_types::ErrorCode::InternalError));
            return Err(CallError::not_served(operation));
        }
        if let Some(answer) = self.hit(&admitted, remembered, &call, id).await? {
            return Ok((answer, call));
        }
        if is_only_if_cached(headers) {
            return Err(CallError::not_kept());
        }
        if call.request.render && !(self.config.renderer && (self.has_browser)()) {
            let error = CallError::no_browser();
            self.history.record(&admitted.caller, id, &call, Ending::Failed(error.code));
            return Err(error);
        }
        let way_out = Box::pin(self.named.way_out(&admitted.caller, headers)).await;
        let miss = Miss {
            id: *id,
            way_out: way_out.clone(),
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
            () = way_out.taken() => Err(CallError::cancelled()),
            finished = work => Ok((finished.unwrap_or_else(|cause| {
                tracing::error!(error = %cause, "call task failed");
                Err(CallError::internal())
            })?, call)),
        }
    }

    /// Authenticates the caller and parses the call.
    async fn read(
        &self,
        operation: Operation,
        headers: &HeaderMap,
        query: Option<&str>,
        text: Option<Sha256Sum>,
        known: &mut Known,
    ) -> Result<(Arc<Caller>, Result<Arc<Call>, CallError>), CallError> {
        let key = key_hash(headers)?;
        let caller = self.directory.identify(key).await?;
        let Query { call, ignored } = Query::read(operation, query, &self.config);
        known.ignored.clone_from(&ignored);
        let call = call.map(Arc::new);
        if let (Ok(call), Some(text)) = (&call, text) {
            self.readings.keep(text, Arc::new(Reading { key, call: Arc::clone(call), ignored })).await;
        }
        Ok((caller, call))
    }

    /// Counts the request, and rejects a caller that is suspended or over the rate limit.
    pub(crate) async fn admit(
        &self,
        caller: Arc<Caller>,
        wanted: &Wanted<'_>,
        known: &mut Known,
    ) -> Result<Admitted, CallError> {
        let account = self.directory.remembered(&caller.account_id).await?;
        let window_limit = account.state.requests_per_minute;
        let lookup = Lookup {
            account_id: &caller.account_id,
            result_key: wanted.cache_key,
            remembered: wanted.remembered.as_ref().map(|remembered| remembered.version.clone()),
            known_account: Some(account.state.version),
            window_limit,
        };
        let LookupReply { window, result, account: found } = match self.cache.lookup(lookup).await {
            Ok(reply) => reply,
            Err(cause) => {
                tracing::debug!(error = %cause, "cache look-up failed; counting requests in this process only");
                let window = self.windows.count(&caller.account_id, window_limit, std::time::Instant::now());
                LookupReply { window, result: None, account: None }
            }
        };
        known.window = Some(window);
        let account = self.directory.newest(account, found).await?;
        let account = self.present(AccountState::clone(&account));
        if account.suspended {
            return Err(CallError::suspended());
        }
        if !window.allowed {
            return Err(CallError::rate_limited(window.limit, window.reset_seconds));
        }
        Ok(Admitted { caller, account, result })
    }

    /// Returns the response from the cache.
    async fn hit(
        &self,
        admitted: &Admitted,
        remembered: Option<Remembered>,
        call: &Arc<Call>,
        id: &RequestId,
    ) -> Result<Option<Answer>, CallError> {
        let result = match (admitted.result.as_ref(), remembered) {
            (Some(FoundResult::Remembered), Some(remembered)) => remembered.result,
            (Some(FoundResult::Sent(kept, version)), _) => {
                match Box::pin(self.unpack_kept(kept, version, call)).await? {
                    Some(result) => result,
                    None => return Ok(None),
                }
            }
            (Some(FoundResult::Remembered), None) | (None, _) => return Ok(None),
        };
        self.history.record(&admitted.caller, id, call, Ending::Cached);
        let account = admitted.account.clone();
        Ok(Some(Answer { result, cache: CacheOutcome::Hit, charge: Charge::default(), account }))
    }

    /// Unpacks a cached result; a result that cannot be unpacked is treated as a miss.
    async fn unpack_kept(
        &self,
        kept: &CachedResult,
        version: &ResultVersion,
        call: &Call,
    ) -> Result<Option<Extracted>, CallError> {
        match self.unpack(kept.clone()).await {
            Ok(result) => {
                self.memory.keep(&call.cache_key, version.clone(), result.clone()).await;
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
    pub(crate) async fn unpack(&self, kept: CachedResult) -> Result<Extracted, UnpackError> {
        Extracted::unpack(kept, self.config.max_result_bytes, &self.room, self.config.peers.pace.patience).await
    }

    /// Cancels the caller's calls of that name.
    pub(crate) async fn cancel(&self, headers: &HeaderMap, name: &str, path: &str) -> Result<(), CallError> {
        let caller = self.directory.identify(key_hash(headers)?).await?;
        self.named.cancel(&caller, name, path).await
    }

    /// Answers `GET /v1/usage`: free, but counted like every authenticated request.
    pub(crate) async fn answer_usage(&self, headers: &HeaderMap, query: Option<&str>, id: &RequestId) -> Response {
        let mut known = Known::default();
        let answer = async {
            let caller = self.directory.identify(key_hash(headers)?).await?;
            let page = usage_route::Page::read(query, &mut known.ignored);
            let admitted = self.admit(caller, &Wanted::default(), &mut known).await?;
            let page = page?;
            let request = page.request(&admitted.caller.account_id);
            let usage = self.metering.usage(request).await.map_err(|cause| match cause {
                MeteringError::Refused(_) => usage_route::not_a_cursor(),
                MeteringError::Unavailable(_) => {
                    tracing::error!(error = %cause, "cannot read usage");
                    CallError::internal()
                }
            })?;
            let body = usage_route::body(usage, |account| self.present(account))?;
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
    pub(crate) fn present(&self, account: AccountState) -> AccountState {
        account.at_period(self.calendar.month(OffsetDateTime::now_utc()))
    }

    /// Returns the account after a charge, for the caller. While metering is unavailable it is a projection.
    pub(crate) async fn charged(&self, committed: Committed, held: Held, price: u64) -> (AccountState, Charge) {
        match committed {
            Committed::Now(response) => {
                let from_pack = response.source() == v1::CreditSource::Pack;
                let charge = Charge { credits: response.credits_spent, from_pack };
                let account = response.account.and_then(|account| AccountState::try_from(account).ok());
                if let Some(account) = &account {
                    self.directory.note(Arc::new(account.clone())).await;
                }
                (account.unwrap_or(held.account), charge)
            }
            Committed::Later => foreseen(self.present(held.account), price, held.source),
            Committed::Never => (held.account, Charge::default()),
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
        type Asked = (Arc<Gateway>, &'static HeaderMap, &'static RequestId);
        let bytes =
            size_of_future(|(gateway, headers, id): Asked| gateway.answer(Operation::Images, headers, None, id));
        // The future is moved about a dozen times through the layers. Branches that few calls need belong into a box.
        assert!(bytes < 4_096, "{bytes} bytes");
    }
}
