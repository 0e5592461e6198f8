//! Responses: bodies, and the headers about limits, quota and cache.

use crate::component_name::with_component_name;
use crate::error::CallError;
use crate::field_projection::project;
use crate::parse_query::ParsedCall;
use crate::request_id::RequestId;
use crate::settlement::Charge;
use crate::spliced_body::Spliced;
use crate::state::GatewayState;
use crate::unpacked_result::UnpackedResult;
use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use http::header::{CACHE_CONTROL, CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use limner_cache::Window;
use limner_types::{AccountState, CacheOutcome, ErrorCode, OperationOptions, Usage, WireEnum};
use std::borrow::Cow;
use std::sync::Arc;

pub(crate) const RATE_LIMIT: HeaderName = HeaderName::from_static("x-ratelimit-limit");
pub(crate) const RATE_REMAINING: HeaderName = HeaderName::from_static("x-ratelimit-remaining");
pub(crate) const RATE_RESET: HeaderName = HeaderName::from_static("x-ratelimit-reset");
pub(crate) const QUOTA_LIMIT: HeaderName = HeaderName::from_static("x-quota-limit");
pub(crate) const QUOTA_REMAINING: HeaderName = HeaderName::from_static("x-quota-remaining");
pub(crate) const CACHE: HeaderName = HeaderName::from_static("x-cache");
pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
pub(crate) const PACK_CREDITS: HeaderName = HeaderName::from_static("x-pack-credits");
pub(crate) const IGNORED_PARAMS: HeaderName = HeaderName::from_static("x-ignored-params");

const JSON: HeaderValue = HeaderValue::from_static("application/json");
/// Number of headers of a result's response, allocated once.
const RESPONSE_HEADERS: usize = 20;
/// Usual size of `usage`, in bytes.
const USAGE_BYTES: usize = 192;
/// Responses are not cacheable by others: they contain the usage of one key.
pub(crate) const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");

/// A successful call.
#[derive(Debug, Clone)]
pub(crate) struct SuccessResponse {
    pub(crate) result: UnpackedResult,
    pub(crate) cache: CacheOutcome,
    pub(crate) charge: Charge,
    /// The account after the charge, in the current month.
    pub(crate) account: Arc<AccountState>,
}

/// Properties of a call that are known whatever its outcome.
#[derive(Debug, Default)]
pub(crate) struct ResponseContext {
    pub(crate) window: Option<Window>,
    pub(crate) ignored: Vec<String>,
}

/// The error code of a response, for logs and metrics.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ErrorCodeExt(pub(crate) ErrorCode);

impl SuccessResponse {
    pub(crate) fn usage(&self) -> Usage {
        let account = &self.account;
        Usage {
            credits_this_month: account.spent_this_month,
            monthly_limit: account.monthly_limit,
            remaining: account.remaining(),
            credits_spent: self.charge.credits,
            cached: self.cache == CacheOutcome::Hit,
            overage_credits: (account.overage_spent > 0).then_some(account.overage_spent),
            pack_credits: self.charge.from_pack.then_some(account.pack_balance),
            auto_render: self.result.auto_render.then_some(true),
        }
    }

    /// Builds the response to `call`.
    pub(crate) async fn into_response(
        self,
        call: &ParsedCall,
        known: &ResponseContext,
        gateway: &GatewayState,
    ) -> Result<Response, CallError> {
        let own = match call.has_json_result() && is_derived(call) {
            true => Some(Box::pin(self.derived_result(call, gateway)).await?),
            false => None,
        };
        let body = self.body(call, own).map_err(not_json_object)?;
        let mut response = Response::new(body);
        let headers = response.headers_mut();
        headers.reserve(RESPONSE_HEADERS);
        headers.insert(CONTENT_TYPE, self.result.content_type.clone());
        headers.insert(CACHE_CONTROL, NO_STORE);
        headers.insert(CACHE, HeaderValue::from_static(self.cache.as_str()));
        known.write(headers);
        write_quota(headers, &self.account);
        if self.charge.from_pack {
            headers.insert(PACK_CREDITS, self.account.pack_balance.into());
        }
        response.extensions_mut().insert(self.cache);
        Ok(response)
    }

    fn body(&self, call: &ParsedCall, own: Option<Bytes>) -> Result<Body, serde_json::Error> {
        let result = own.unwrap_or_else(|| self.result.body.clone());
        match call.has_json_result() {
            true => Ok(Body::new(with_usage(result, &self.usage())?)),
            false => Ok(Body::from(result)),
        }
    }

    /// Returns the result in the form that only this call gets. It may be megabytes, so it uses budgeted memory.
    async fn derived_result(&self, call: &ParsedCall, gateway: &GatewayState) -> Result<Bytes, CallError> {
        let timeout = gateway.config.peers.pace.timeout;
        let share = gateway.memory_budget.reserve_for_request(self.result.body.len(), timeout).await;
        let share = share.map_err(|_| CallError::internal())?;
        let mut own = Cow::Borrowed(self.result.body.as_ref());
        if let OperationOptions::Code(options) = &call.request.options {
            own = Cow::Owned(with_component_name(&own, options.name.as_deref()).map_err(not_json_object)?);
        }
        if let Some(fields) = &call.request.fields {
            own = Cow::Owned(project(&own, fields).map_err(not_json_object)?);
        }
        Ok(share.hold(own.into_owned()))
    }
}

/// Returns true if the call gets a result derived from the cached one.
fn is_derived(call: &ParsedCall) -> bool {
    call.request.fields.is_some() || matches!(call.request.options, OperationOptions::Code(_))
}

fn not_json_object(cause: serde_json::Error) -> CallError {
    tracing::error!(error = %cause, "result is not a JSON object");
    CallError::internal()
}

/// Returns the object with `usage` as its last member. The object is neither parsed nor copied, because it may be
/// megabytes.
fn with_usage(object: Bytes, usage: &Usage) -> Result<Spliced, serde_json::Error> {
    let end = object.iter().rposition(|byte| !byte.is_ascii_whitespace());
    let Some(end) = end.filter(|end| object[*end] == b'}') else {
        return Err(serde::de::Error::custom("the result does not end with a brace"));
    };
    let is_empty = object[..end].trim_ascii_end().last() == Some(&b'{');
    let mut last = Vec::with_capacity(USAGE_BYTES);
    last.extend_from_slice(if is_empty { b"\"usage\":" } else { b",\"usage\":" });
    serde_json::to_writer(&mut last, usage)?;
    last.push(b'}');
    Ok(Spliced { first: object.slice(..end), last: last.into() })
}

impl ResponseContext {
    fn write(&self, headers: &mut HeaderMap) {
        if let Some(window) = self.window {
            headers.insert(RATE_LIMIT, window.limit.into());
            headers.insert(RATE_REMAINING, window.remaining.into());
            headers.insert(RATE_RESET, window.reset_seconds.into());
        }
        if let Some(names) = header_list(&self.ignored) {
            headers.insert(IGNORED_PARAMS, names);
        }
    }
}

/// Writes the quota headers of a 200; unlimited plans have none.
pub(crate) fn write_quota(headers: &mut HeaderMap, account: &AccountState) {
    if let (Some(limit), Some(remaining)) = (account.monthly_limit, account.remaining()) {
        headers.insert(QUOTA_LIMIT, limit.into());
        headers.insert(QUOTA_REMAINING, remaining.into());
    }
}

/// Joins names into a header value. Characters that a header or the list cannot contain are percent-encoded.
fn header_list(names: &[String]) -> Option<HeaderValue> {
    const MAX_BYTES: usize = 1_024;
    let plain = |byte: u8| byte.is_ascii_graphic() && !matches!(byte, b',' | b'%' | b'"');
    let mut list = String::new();
    for name in names {
        let mut shown = String::new();
        for byte in name.bytes().take(100) {
            match plain(byte) {
                true => shown.push(char::from(byte)),
                false => shown.push_str(&format!("%{byte:02X}")),
            }
        }
        if list.len() + shown.len() > MAX_BYTES {
            break;
        }
        if !list.is_empty() {
            list.push_str(", ");
        }
        list.push_str(&shown);
    }
    if list.is_empty() { None } else { HeaderValue::from_str(&list).ok() }
}

/// Builds a JSON response to an authenticated request that is not an extraction.
pub(crate) fn json_response(body: Vec<u8>, known: &ResponseContext) -> Response {
    let mut response = Response::new(Body::from(body));
    response.headers_mut().insert(CONTENT_TYPE, JSON);
    response.headers_mut().insert(CACHE_CONTROL, NO_STORE);
    known.write(response.headers_mut());
    response
}

/// Builds the response to a failed call.
pub(crate) fn error_response(error: &CallError, id: &RequestId, known: &ResponseContext) -> Response {
    let body = serde_json::to_vec(&error.body(id.as_str())).unwrap_or_default();
    let mut response = json_response(body, known);
    *response.status_mut() = StatusCode::from_u16(error.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let headers = response.headers_mut();
    if let Some(seconds) = error.retry_after_seconds {
        headers.insert(RETRY_AFTER, seconds.into());
    }
    if error.code == ErrorCode::InvalidApiKey {
        headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    response.extensions_mut().insert(ErrorCodeExt(error.code));
    response
}

#[cfg(test)]
mod tests {
    use super::*;
    use limner_types::Plan;

    fn answer(account: AccountState, charge: Charge) -> SuccessResponse {
        let result = UnpackedResult { body: Bytes::new(), content_type: JSON, auto_render: false };
        SuccessResponse { result, cache: CacheOutcome::Miss, charge, account: Arc::new(account) }
    }

    fn account() -> AccountState {
        AccountState {
            account_id: "a".to_owned(),
            plan: Plan::Developer,
            suspended: false,
            requests_per_minute: 60,
            monthly_limit: Some(5_000),
            period_start_unix: 0,
            spent_this_month: 5_025,
            plan_spent: 5_000,
            overage_spent: 0,
            pack_balance: 475,
            overage_enabled: true,
            version: 1,
        }
    }

    #[test]
    fn usage_is_the_last_member_and_nothing_else_changes() {
        let usage = answer(account(), Charge::default()).usage();
        let json = serde_json::to_string(&usage).unwrap();
        for (object, expected) in [
            (r#"{"url":"u","n": [1, 2]}"#, format!(r#"{{"url":"u","n": [1, 2],"usage":{json}}}"#)),
            ("{}", format!(r#"{{"usage":{json}}}"#)),
            ("{ }\n", format!(r#"{{ "usage":{json}}}"#)),
        ] {
            let body = with_usage(Bytes::from_static(object.as_bytes()), &usage).unwrap();
            assert_eq!([body.first, body.last].concat(), expected.as_bytes());
        }
        for broken in ["", "[1]", "text"] {
            assert!(with_usage(Bytes::from_static(broken.as_bytes()), &usage).is_err(), "{broken:?}");
        }
    }

    #[test]
    fn usage_tells_who_paid() {
        let plan = answer(account(), Charge { credits: 25, from_pack: false }).usage();
        assert_eq!((plan.credits_spent, plan.pack_credits, plan.overage_credits), (25, None, None));
        assert_eq!((plan.credits_this_month, plan.remaining), (5_025, Some(0)));

        let pack = answer(account(), Charge { credits: 25, from_pack: true }).usage();
        assert_eq!(pack.pack_credits, Some(475));

        let overage = answer(AccountState { overage_spent: 25, ..account() }, Charge::default()).usage();
        assert_eq!(overage.overage_credits, Some(25));

        let unlimited = answer(AccountState { monthly_limit: None, ..account() }, Charge::default()).usage();
        assert_eq!((unlimited.monthly_limit, unlimited.remaining), (None, None));
        let json = serde_json::to_value(&unlimited).unwrap();
        assert!(json["monthlyLimit"].is_null() && json["remaining"].is_null(), "null, not absent: {json}");
        assert!(json.get("overageCredits").is_none() && json.get("packCredits").is_none(), "absent, not null: {json}");
    }

    #[test]
    fn ignored_names_fit_into_a_header() {
        let list = |names: &[&str]| {
            let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
            header_list(&names).map(|value| value.to_str().unwrap().to_owned())
        };
        assert_eq!(list(&[]), None);
        assert_eq!(list(&["a", "fileds"]).unwrap(), "a, fileds");
        assert_eq!(list(&["a,b\r\nX: y", "ü%"]).unwrap(), "a%2Cb%0D%0AX:%20y, %C3%BC%25");
        let many: Vec<String> = (0..1_000).map(|n| format!("parameter{n}")).collect();
        assert!(header_list(&many).unwrap().len() <= 1_100);
    }
}
