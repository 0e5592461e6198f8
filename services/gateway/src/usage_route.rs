//! `GET /v1/usage`: the month's summary and the latest calls of the key's account.

use crate::account_directory::key_hash;
use crate::admission::{CacheProbe, admit};
use crate::error::CallError;
use crate::metering::MeteringError;
use crate::request_id::RequestId;
use crate::response::{ResponseContext, error_response, json_response, write_quota};
use crate::state::GatewayState;
use axum::response::Response;
use http::HeaderMap;
use limner_proto::v1;
use limner_types::{AccountState, ErrorCode};
use serde::Serialize;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use utoipa::ToSchema;

const DEFAULT_LIMIT: u32 = 50;
const MAX_LIMIT: u32 = 200;

/// The requested page of the history.
#[derive(Debug, PartialEq, Eq)]
struct UsagePageQuery {
    limit: u32,
    cursor: Option<String>,
}

/// The answer.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct UsageReport {
    usage: MonthUsage,
    /// The account's plan.
    plan: String,
    /// First day of the month that the numbers belong to (UTC).
    period_start: String,
    /// Calls and credits of the month by operation.
    operations: Vec<OperationUsage>,
    /// The latest calls, newest first.
    calls: Vec<RecordedCall>,
    /// Pass as `cursor` for older calls; null at the end.
    #[schema(required = true)]
    next_cursor: Option<String>,
}

/// The month so far.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MonthUsage {
    /// Every credit spent this month, from whatever source.
    credits_this_month: u64,
    /// Monthly plan credits; null on an unlimited plan.
    #[schema(required = true)]
    monthly_limit: Option<u64>,
    /// Plan credits left; null on an unlimited plan.
    #[schema(required = true)]
    remaining: Option<u64>,
    /// Billed overage credits of this month.
    overage_credits: u64,
    /// Pack credits left.
    pack_credits: u64,
}

/// One operation's part in the month.
#[derive(Serialize, ToSchema)]
pub(crate) struct OperationUsage {
    /// The operation.
    operation: String,
    /// Calls, whatever came of them.
    calls: u64,
    /// Credits charged.
    credits: u64,
}

/// One call.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RecordedCall {
    /// Its `X-Request-Id`.
    request_id: String,
    /// When, RFC 3339 in UTC.
    at: String,
    /// The operation.
    operation: String,
    /// The page.
    url: String,
    /// Credits charged.
    credits: u64,
    /// Source of the credits: `plan`, `pack`, `overage` or `unlimited`; null for a call that was free.
    #[schema(required = true)]
    source: Option<String>,
    /// Served from the cache.
    cached: bool,
    /// The browser fallback was used, which costs nothing.
    auto_render: bool,
    /// `ok`, the error code, `cancelled` (by the client of an agent), or `expired` if the call was neither committed nor
    /// released.
    outcome: String,
    /// Charged after its hold had expired.
    late: bool,
    /// Given back.
    refunded: bool,
    /// Milliseconds that the call took; null if it expired, or if it was made before durations were recorded.
    #[schema(required = true)]
    duration_ms: Option<u32>,
    /// Id of the key that the call was made with.
    key_id: String,
    /// Name of that key; null if the key is no longer stored.
    #[schema(required = true)]
    key_name: Option<String>,
}

/// Answers `GET /v1/usage`: free, but counted like every authenticated request.
pub(crate) async fn answer_usage(
    gateway: &GatewayState,
    headers: &HeaderMap,
    query: Option<&str>,
    id: &RequestId,
) -> Response {
    let mut known = ResponseContext::default();
    let answer = async {
        let caller = gateway.directory.authenticate(key_hash(headers)?).await?;
        let page = UsagePageQuery::parse(query, &mut known.ignored);
        let admitted = admit(gateway, caller, &CacheProbe::default(), &mut known).await?;
        let page = page?;
        let request = page.request(&admitted.caller.account_id);
        let usage = gateway.metering.usage(request).await.map_err(|cause| match cause {
            MeteringError::Refused(_) => invalid_cursor(),
            MeteringError::Unavailable(_) => {
                tracing::error!(error = %cause, "cannot read usage");
                CallError::internal()
            }
        })?;
        let body = body(usage, |account| gateway.calendar.at_current_month(account))?;
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

impl UsagePageQuery {
    /// Parses the query. Unknown parameters are added to `ignored`.
    fn parse(query: Option<&str>, ignored: &mut Vec<String>) -> Result<Self, CallError> {
        let mut page = Self { limit: DEFAULT_LIMIT, cursor: None };
        let mut seen: Vec<String> = Vec::new();
        for (name, value) in url::form_urlencoded::parse(query.unwrap_or_default().as_bytes()) {
            if !matches!(name.as_ref(), "limit" | "cursor") {
                if !ignored.iter().any(|known| *known == name) {
                    ignored.push(name.into_owned());
                }
                continue;
            }
            if seen.iter().any(|seen| *seen == name) {
                return Err(invalid(format!("The parameter `{name}` is given more than once. Give it once.")));
            }
            match (name.as_ref(), value.parse::<u32>()) {
                ("limit", Ok(limit)) if (1..=MAX_LIMIT).contains(&limit) => page.limit = limit,
                ("limit", _) => {
                    let shown: String = value.chars().take(40).collect();
                    let message = format!("`{shown}` is not a valid value of `limit`. Valid values: 1 to {MAX_LIMIT}.");
                    return Err(invalid(message));
                }
                _ if value.is_empty() || value.len() > 200 => return Err(invalid_cursor()),
                _ => page.cursor = Some(value.into_owned()),
            }
            seen.push(name.into_owned());
        }
        Ok(page)
    }

    fn request(self, account_id: &str) -> v1::GetUsageRequest {
        v1::GetUsageRequest { account_id: account_id.to_owned(), limit: self.limit, cursor: self.cursor }
    }
}

/// Returns the error for an invalid cursor, which only metering can detect.
fn invalid_cursor() -> CallError {
    invalid("The `cursor` is not valid. Pass the `nextCursor` of an earlier answer.")
}

fn invalid(message: impl Into<String>) -> CallError {
    CallError::new(ErrorCode::InvalidRequest, message)
}

/// Returns the body of the response. `at_current_month` converts an account to the current month.
fn body(
    usage: v1::GetUsageResponse,
    at_current_month: impl Fn(AccountState) -> AccountState,
) -> Result<Vec<u8>, CallError> {
    let account = usage.account.and_then(|account| AccountState::try_from(account).ok());
    let Some(account) = account.map(at_current_month) else {
        tracing::error!("usage report without account");
        return Err(CallError::internal());
    };
    let report = UsageReport {
        usage: MonthUsage {
            credits_this_month: account.spent_this_month,
            monthly_limit: account.monthly_limit,
            remaining: account.remaining(),
            overage_credits: account.overage_spent,
            pack_credits: account.pack_balance,
        },
        plan: account.plan.to_string(),
        period_start: date(account.period_start_unix),
        operations: usage.totals.into_iter().map(OperationUsage::from).collect(),
        calls: usage.entries.into_iter().map(RecordedCall::from).collect(),
        next_cursor: usage.next_cursor,
    };
    serde_json::to_vec(&report).map_err(|cause| {
        tracing::error!(error = %cause, "cannot serialize a usage report");
        CallError::internal()
    })
}

impl From<v1::OperationTotal> for OperationUsage {
    fn from(total: v1::OperationTotal) -> Self {
        Self { operation: total.operation, calls: total.calls, credits: total.credits }
    }
}

impl From<v1::UsageEntry> for RecordedCall {
    fn from(entry: v1::UsageEntry) -> Self {
        Self {
            source: source(entry.source()),
            request_id: entry.request_id,
            at: moment(entry.at_unix_ms),
            operation: entry.operation,
            url: entry.url,
            credits: entry.credits,
            cached: entry.cached,
            auto_render: entry.auto_render,
            outcome: entry.outcome,
            late: entry.late,
            refunded: entry.refunded,
            duration_ms: entry.duration_ms,
            key_id: entry.key_id,
            key_name: Some(entry.key_name).filter(|name| !name.is_empty()),
        }
    }
}

fn source(source: v1::CreditSource) -> Option<String> {
    let word = match source {
        v1::CreditSource::Unspecified => return None,
        v1::CreditSource::Plan => "plan",
        v1::CreditSource::Pack => "pack",
        v1::CreditSource::Overage => "overage",
        v1::CreditSource::Unlimited => "unlimited",
    };
    Some(word.to_owned())
}

fn moment(unix_ms: i64) -> String {
    let moment = OffsetDateTime::from_unix_timestamp_nanos(i128::from(unix_ms) * 1_000_000);
    moment.unwrap_or(OffsetDateTime::UNIX_EPOCH).format(&Rfc3339).unwrap_or_default()
}

fn date(unix: i64) -> String {
    OffsetDateTime::from_unix_timestamp(unix).unwrap_or(OffsetDateTime::UNIX_EPOCH).date().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usage_query_with_an_invalid_page_is_refused() {
        let page = |limit, cursor: Option<&str>| UsagePageQuery { limit, cursor: cursor.map(str::to_owned) };
        for (query, expected) in
            [("", page(50, None)), ("limit=1&cursor=abc", page(1, Some("abc"))), ("limit=200&other=1", page(200, None))]
        {
            let mut ignored = Vec::new();
            assert_eq!(UsagePageQuery::parse(Some(query), &mut ignored).unwrap(), expected, "{query}");
            assert_eq!(ignored.len(), usize::from(query.contains("other")), "{query}");
        }
        for query in ["limit=0", "limit=201", "limit=-1", "limit=", "limit=x", "limit=1&limit=2", "cursor="] {
            assert_eq!(UsagePageQuery::parse(Some(query), &mut Vec::new()).unwrap_err().status, 400, "{query}");
        }
    }

    #[test]
    fn times_are_rfc_3339() {
        assert_eq!(moment(1_000), "1970-01-01T00:00:01Z");
        assert_eq!(date(86_400), "1970-01-02");
        assert_eq!(moment(i64::MAX), "1970-01-01T00:00:00Z", "invalid times do not panic");
    }
}
