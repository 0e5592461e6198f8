//! The handling of a call: the order of the checks, hits, and the start of a miss.

use crate::account_directory::{Caller, Sha256Sum, key_hash};
use crate::admission::{AdmittedRequest, CacheProbe, admit};
use crate::error::CallError;
use crate::execute::Execution;
use crate::parse_query::{ParsedCall, ParsedQuery};
use crate::parsed_request_cache::{ParsedRequest, text_hash};
use crate::request_id::RequestId;
use crate::response::{ResponseContext, SuccessResponse, error_response};
use crate::result_cache::ResultEntry;
use crate::settlement::Charge;
use crate::state::GatewayState;
use crate::unpacked_result::{UnpackError, UnpackedResult};
use crate::usage_recorder::FreeCallOutcome;
use axum::response::Response;
use http::HeaderMap;
use http::header::CACHE_CONTROL;
use limner_cache::{CachedResult, ResultHit, ResultVersion};
use limner_types::{CacheOutcome, ErrorCode, Operation};
use std::sync::Arc;
use tokio::time::Instant;
use tracing::Instrument;

/// Answers one of the nine operations. Checks are made in this order: key (401), suspension (402), rate limit
/// (429), parameters (400), then whether the operation is served (503), the cache, whether there is a browser
/// (503), and credits (429). A suspended or invalid call counts in the rate window like any other; a call over the
/// limit does not.
pub(crate) async fn answer(
    gateway: Arc<GatewayState>,
    operation: Operation,
    headers: &HeaderMap,
    query: Option<&str>,
    id: &RequestId,
) -> Response {
    let arrived = Instant::now();
    let mut known = ResponseContext::default();
    let response = match try_respond(Arc::clone(&gateway), operation, headers, query, id, arrived, &mut known).await {
        Ok((answer, call)) => answer.into_response(&call, &known, &gateway).await,
        Err(error) => Err(error),
    };
    response.unwrap_or_else(|error| error_response(&error, id, &known))
}

async fn try_respond(
    gateway: Arc<GatewayState>,
    operation: Operation,
    headers: &HeaderMap,
    query: Option<&str>,
    id: &RequestId,
    arrived: Instant,
    known: &mut ResponseContext,
) -> Result<(SuccessResponse, Arc<ParsedCall>), CallError> {
    let text = text_hash(operation, headers, query);
    let parsed = match &text {
        Some(text) => gateway.parsed_requests.get(text).await,
        None => None,
    };
    let (caller, call) = match parsed {
        Some(parsed) => {
            known.ignored.clone_from(&parsed.ignored);
            (gateway.directory.authenticate(parsed.key).await?, Ok(Arc::clone(&parsed.call)))
        }
        None => Box::pin(authenticate_and_parse(&gateway, operation, headers, query, text, known)).await?,
    };
    let cache_key = call.as_ref().ok().filter(|call| !call.request.fresh).map(|call| call.cache_key.as_str());
    let cached = match cache_key {
        Some(key) => gateway.result_cache.get(key).await,
        None => None,
    };
    let probe = CacheProbe { cache_key, cached };
    let admitted = admit(&gateway, caller, &probe, known).await?;
    let cached = probe.cached;
    let call = call?;
    if !(gateway.config.served)(operation) {
        gateway.history.record(&admitted.caller, id, &call, arrived, FreeCallOutcome::Failed(ErrorCode::InternalError));
        return Err(CallError::operation_unavailable(operation));
    }
    if let Some(answer) = hit(&gateway, &admitted, cached, &call, id, arrived).await? {
        return Ok((answer, call));
    }
    if is_only_if_cached(headers) {
        return Err(CallError::not_cached());
    }
    if call.request.render && !(gateway.config.renderer && (gateway.has_browser)()) {
        let error = CallError::no_browser(gateway.config.renderer);
        gateway.history.record(&admitted.caller, id, &call, arrived, FreeCallOutcome::Failed(error.code));
        return Err(error);
    }
    let cancel_handle = Box::pin(gateway.cancellable_calls.cancel_handle(&admitted.caller, headers)).await;
    let miss = Execution {
        id: *id,
        cancel_handle: cancel_handle.clone(),
        caller: admitted.caller,
        call: Arc::clone(&call),
        account: admitted.account,
        arrived,
        deadline: arrived + gateway.config.call_deadline,
        gateway: Arc::clone(&gateway),
    };
    // Spawned as a task: a caller who disconnects does not end the work.
    let work = gateway.tasks.spawn(miss.join_or_lead().in_current_span());
    tokio::select! {
        // A cancelled call pays nothing and gets nothing, even if its work ends at the same time.
        biased;
        () = cancel_handle.completed() => Err(CallError::cancelled()),
        finished = work => Ok((finished.unwrap_or_else(|cause| {
            tracing::error!(error = %cause, "call task failed");
            Err(CallError::internal())
        })?, call)),
    }
}

/// Authenticates the caller and parses the call.
async fn authenticate_and_parse(
    gateway: &GatewayState,
    operation: Operation,
    headers: &HeaderMap,
    query: Option<&str>,
    text: Option<Sha256Sum>,
    known: &mut ResponseContext,
) -> Result<(Arc<Caller>, Result<Arc<ParsedCall>, CallError>), CallError> {
    let key = key_hash(headers)?;
    let caller = gateway.directory.authenticate(key).await?;
    let ParsedQuery { call, ignored } = ParsedQuery::parse(operation, query, &gateway.config);
    known.ignored.clone_from(&ignored);
    let call = call.map(Arc::new);
    if let (Ok(call), Some(text)) = (&call, text) {
        gateway.parsed_requests.insert(text, Arc::new(ParsedRequest { key, call: Arc::clone(call), ignored })).await;
    }
    Ok((caller, call))
}

/// Returns the response from the cache.
async fn hit(
    gateway: &GatewayState,
    admitted: &AdmittedRequest,
    cached: Option<ResultEntry>,
    call: &Arc<ParsedCall>,
    id: &RequestId,
    arrived: Instant,
) -> Result<Option<SuccessResponse>, CallError> {
    let result = match (admitted.result.as_ref(), cached) {
        (Some(ResultHit::Unchanged), Some(cached)) => cached.result,
        (Some(ResultHit::Sent(cached, version)), _) => {
            match Box::pin(unpack_cached(gateway, cached, version, call)).await? {
                Some(result) => result,
                None => return Ok(None),
            }
        }
        (Some(ResultHit::Unchanged), None) | (None, _) => return Ok(None),
    };
    gateway.history.record(&admitted.caller, id, call, arrived, FreeCallOutcome::Cached);
    let account = Arc::clone(&admitted.account);
    Ok(Some(SuccessResponse { result, cache: CacheOutcome::Hit, charge: Charge::default(), account }))
}

/// Unpacks a cached result; a result that cannot be unpacked is treated as a miss.
async fn unpack_cached(
    gateway: &GatewayState,
    cached: &CachedResult,
    version: &ResultVersion,
    call: &ParsedCall,
) -> Result<Option<UnpackedResult>, CallError> {
    match gateway.unpacker.unpack(cached.clone()).await {
        Ok(result) => {
            gateway.result_cache.insert(&call.cache_key, version.clone(), result.clone()).await;
            Ok(Some(result))
        }
        Err(UnpackError::NoRoom(_)) => Err(CallError::internal()),
        Err(cause) => {
            tracing::warn!(error = %cause, "cannot unpack a cached result");
            Ok(None)
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
    fn future_of_a_hit_is_small() {
        type Asked = (Arc<GatewayState>, &'static HeaderMap, &'static RequestId);
        let bytes =
            size_of_future(|(gateway, headers, id): Asked| answer(gateway, Operation::Images, headers, None, id));
        // The future is moved about a dozen times through the layers. Branches that few calls need belong into a box.
        assert!(bytes < 4_096, "{bytes} bytes");
    }
}
