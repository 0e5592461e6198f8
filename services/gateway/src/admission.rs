//! Admission of an authenticated request: the rate limit and the state of the account, in the round trip to Redis that
//! also looks up the result.

use crate::account_directory::Caller;
use crate::error::CallError;
use crate::response::ResponseContext;
use crate::result_cache::ResultEntry;
use crate::state::GatewayState;
use limner_cache::{Lookup, LookupReply, ResultHit};
use limner_types::AccountState;
use std::sync::Arc;

/// A caller whose request was counted by the rate limit.
pub(crate) struct AdmittedRequest {
    pub(crate) caller: Arc<Caller>,
    pub(crate) account: Arc<AccountState>,
    pub(crate) result: Option<ResultHit>,
}

/// A cache look-up for a call's result.
#[derive(Default)]
pub(crate) struct CacheProbe<'a> {
    pub(crate) cache_key: Option<&'a str>,
    pub(crate) cached: Option<ResultEntry>,
}

/// Counts the request, and rejects a caller that is suspended or over the rate limit.
pub(crate) async fn admit(
    gateway: &GatewayState,
    caller: Arc<Caller>,
    probe: &CacheProbe<'_>,
    known: &mut ResponseContext,
) -> Result<AdmittedRequest, CallError> {
    let account = gateway.directory.cached_account(&caller.account_id).await?;
    let window_limit = account.state.requests_per_minute;
    let lookup = Lookup {
        account_id: &caller.account_id,
        result_key: probe.cache_key,
        cached: probe.cached.as_ref().map(|cached| cached.version.clone()),
        cached_account_version: Some(account.state.version),
        window_limit,
    };
    let LookupReply { window, result, account: found } = match gateway.cache.lookup(lookup).await {
        Ok(reply) => reply,
        Err(cause) => {
            tracing::debug!(error = %cause, "cache look-up failed; counting requests in this process only");
            let window = gateway.rate_limiter.count(&caller.account_id, window_limit, std::time::Instant::now());
            LookupReply { window, result: None, account: None }
        }
    };
    known.window = Some(window);
    let account = gateway.directory.resolve_account(account, found).await?;
    let account = gateway.calendar.shared_at_current_month(account);
    if account.suspended {
        return Err(CallError::suspended());
    }
    if !window.allowed {
        return Err(CallError::rate_limited(window.limit, window.reset_seconds));
    }
    Ok(AdmittedRequest { caller, account, result })
}
