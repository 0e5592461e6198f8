//! Responses and their headers.

use super::schemas::result_name;
use super::{examples, reference};
use limner_types::{CacheOutcome, ErrorCode, Operation, TokenFormat, WireEnum};
use serde_json::{Map, Value, json};

const RATE: [&str; 3] = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"];

/// Returns every header of the API.
pub(super) fn headers() -> Value {
    let integer =
        |description: &str| json!({ "description": description, "schema": { "type": "integer", "minimum": 0 } });
    let outcomes: Vec<&str> = CacheOutcome::ALL.iter().map(|outcome| outcome.as_str()).collect();
    json!({
        "X-RateLimit-Limit": integer("Requests allowed per window of 60 seconds."),
        "X-RateLimit-Remaining": integer("Requests left in the current window. A window opens with its first request."),
        "X-RateLimit-Reset": integer("Seconds until the window ends, rounded up."),
        "X-Quota-Limit": integer("Monthly credits; omitted on unlimited plans."),
        "X-Quota-Remaining": integer("Plan credits left this month; omitted on unlimited plans."),
        "X-Pack-Credits": integer("Pack balance left; only if a pack paid for the call."),
        "X-Cache": { "description": "Whether the result came from the cache.", "schema": { "type": "string", "enum": outcomes } },
        "X-Request-Id": { "description": "Unique id of the call.", "schema": { "type": "string", "pattern": "^req_[0-9a-z]{26}$" } },
        "X-Ignored-Params": { "description": "Parameters that the operation does not have, separated by commas and percent-encoded where needed; only if there are any.", "schema": { "type": "string" } },
        "Retry-After": integer("Seconds after which a retry may succeed."),
        "WWW-Authenticate": { "description": "The scheme to authenticate with.", "schema": { "type": "string", "const": "Bearer" } },
        "Allow": { "description": "The allowed method.", "schema": { "type": "string", "const": "GET" } },
    })
}

/// Returns references to these headers.
fn header_references(names: &[&str]) -> Value {
    let references = names.iter().map(|name| ((*name).to_owned(), reference("headers", name)));
    Value::Object(references.collect())
}

/// One error response.
struct ErrorResponseDoc {
    status: u16,
    codes: &'static [ErrorCode],
    description: &'static str,
    headers: &'static [&'static str],
}

const FAILURES: &[ErrorResponseDoc] = &[
    ErrorResponseDoc {
        status: 400,
        codes: &[ErrorCode::InvalidRequest],
        description: "A parameter is missing, repeated or invalid, or the URL is not a public address. The message lists the valid values.",
        headers: &["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "X-Ignored-Params"],
    },
    ErrorResponseDoc {
        status: 401,
        codes: &[ErrorCode::InvalidApiKey],
        description: "The key is missing, malformed, unknown or revoked.",
        headers: &["WWW-Authenticate"],
    },
    ErrorResponseDoc {
        status: 402,
        codes: &[ErrorCode::BillingIssue],
        description: "The account is suspended because a payment failed.",
        headers: &RATE,
    },
    ErrorResponseDoc {
        status: 404,
        codes: &[ErrorCode::NotFound],
        description: "`selector` or `section` matches nothing on the page; `data.sections` lists the sections that exist. Also returned for unknown paths, without `data.sections`.",
        headers: &RATE,
    },
    ErrorResponseDoc {
        status: 405,
        codes: &[ErrorCode::InvalidRequest],
        description: "The method is not GET.",
        headers: &["Allow"],
    },
    ErrorResponseDoc {
        status: 422,
        codes: &[
            ErrorCode::TargetBlocked,
            ErrorCode::TargetTimeout,
            ErrorCode::TargetError,
            ErrorCode::TargetUnreachable,
            ErrorCode::UnprocessableContent,
        ],
        description: "The page could not be fetched or read: it refused access (`target_blocked`), did not respond in time (`target_timeout`), responded with an error (`target_error`), could not be reached (`target_unreachable`), or is too large or not HTML (`unprocessable_content`).",
        headers: &RATE,
    },
    ErrorResponseDoc {
        status: 429,
        codes: &[ErrorCode::RateLimited, ErrorCode::QuotaExceeded],
        description: "The per-minute rate limit (`rate_limited`) or the monthly quota (`quota_exceeded`) is exceeded. The message says which, and when to retry.",
        headers: &["Retry-After", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"],
    },
    ErrorResponseDoc {
        status: 500,
        codes: &[ErrorCode::InternalError],
        description: "An error on our side. Nothing is charged.",
        headers: &["Retry-After", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"],
    },
    ErrorResponseDoc {
        status: 503,
        codes: &[ErrorCode::RenderUnavailable, ErrorCode::InternalError],
        description: "Browser rendering was requested but is unavailable (`render_unavailable`): retry without `render=true`. Or the operation is not available yet (`internal_error`).",
        headers: &["Retry-After", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"],
    },
];

/// Returns the error responses, by status.
pub(super) fn errors() -> Value {
    let response = |failure: &ErrorResponseDoc| {
        let mut names = vec!["X-Request-Id"];
        names.extend(failure.headers);
        let examples: Map<String, Value> = failure
            .codes
            .iter()
            .map(|code| (code.to_string(), json!({ "value": examples::of_error(*code, failure.status) })))
            .collect();
        let body = json!({ "schema": reference("schemas", "ErrorBody"), "examples": examples });
        json!({ "description": failure.description, "headers": header_references(&names), "content": { "application/json": body } })
    };
    FAILURES.iter().map(|failure| (failure.status.to_string(), response(failure))).collect::<Map<_, _>>().into()
}

/// Returns the responses of an operation.
pub(super) fn operation_responses(operation: Operation) -> Value {
    let names = [
        "X-RateLimit-Limit",
        "X-RateLimit-Remaining",
        "X-RateLimit-Reset",
        "X-Quota-Limit",
        "X-Quota-Remaining",
        "X-Cache",
        "X-Request-Id",
        "X-Pack-Credits",
        "X-Ignored-Params",
    ];
    let found =
        json!({ "description": "The result.", "headers": header_references(&names), "content": content(operation) });
    let statuses = FAILURES.iter().map(|failure| failure.status);
    response_map(found, statuses)
}

/// Returns the responses of `/usage`.
pub(super) fn usage_responses() -> Value {
    let names = ["X-Request-Id", "X-Quota-Limit", "X-Quota-Remaining"].into_iter().chain(RATE).collect::<Vec<_>>();
    let content = json!({ "application/json": {
        "schema": reference("schemas", "UsageReport"),
        "examples": { "result": { "value": examples::recorded("usage") } },
    } });
    let found = json!({ "description": "The month so far and the latest calls.", "headers": header_references(&names), "content": content });
    response_map(found, [400, 401, 402, 405, 429, 500].into_iter())
}

fn response_map(found: Value, failures: impl Iterator<Item = u16>) -> Value {
    let mut responses = Map::from_iter([("200".to_owned(), found)]);
    responses.extend(failures.map(|status| (status.to_string(), reference("responses", &status.to_string()))));
    Value::Object(responses)
}

fn content(operation: Operation) -> Value {
    let schema = match operation {
        Operation::Extract => "ExtractResponse",
        operation => result_name(operation),
    };
    let mut content = Map::new();
    let response = json!({ "schema": reference("schemas", schema), "examples": examples::of_operation(operation) });
    content.insert("application/json".to_owned(), response);
    if operation == Operation::Extract {
        for format in [TokenFormat::Css, TokenFormat::Tailwind, TokenFormat::DesignMd] {
            let media_type = format.content_type().split(';').next().unwrap_or_default();
            let file = json!({ "schema": { "type": "string" }, "examples": examples::of_format(format) });
            content.insert(media_type.to_owned(), file);
        }
    }
    Value::Object(content)
}
