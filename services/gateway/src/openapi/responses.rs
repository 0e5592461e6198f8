//! Responses and their headers.

use super::reference;
use super::schemas::result_name;
use limner_types::{CacheOutcome, ErrorBody, ErrorCode, Operation, SectionRef, TokenFormat, WireEnum};
use serde_json::{Map, Value, json};

const RATE: [&str; 3] = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"];

/// Returns every header of the API.
pub(super) fn headers() -> Value {
    let integer =
        |description: &str| json!({ "description": description, "schema": { "type": "integer", "minimum": 0 } });
    let outcomes: Vec<&str> = CacheOutcome::ALL.iter().map(|outcome| outcome.as_str()).collect();
    json!({
        "X-RateLimit-Limit": integer("Requests in a window of 60 seconds."),
        "X-RateLimit-Remaining": integer("Requests left in the present window, which opened with its first request."),
        "X-RateLimit-Reset": integer("Seconds until the window ends, rounded up."),
        "X-Quota-Limit": integer("Monthly credits; omitted on unlimited plans."),
        "X-Quota-Remaining": integer("Plan credits left this month; omitted on unlimited plans."),
        "X-Pack-Credits": integer("Pack balance left; only when a pack backed the call."),
        "X-Cache": { "description": "Whether the result came from the cache.", "schema": { "type": "string", "enum": outcomes } },
        "X-Request-Id": { "description": "Unique id of the call.", "schema": { "type": "string", "pattern": "^req_[0-9a-z]{26}$" } },
        "X-Ignored-Params": { "description": "Parameters that the operation does not know, comma-separated and percent-encoded where needed; only when there are any.", "schema": { "type": "string" } },
        "Retry-After": integer("Seconds after which a repeat may succeed."),
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
        description: "A parameter is missing, doubled or has a bad value, which the message lists the valid ones of; or the address is not one of the public Internet.",
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
        description: "The account is suspended for a failed payment.",
        headers: &RATE,
    },
    ErrorResponseDoc {
        status: 404,
        codes: &[ErrorCode::NotFound],
        description: "`selector` or `section` matches nothing on the page: `data.sections` lists what there is. Also unknown paths, without `data.sections`.",
        headers: &RATE,
    },
    ErrorResponseDoc {
        status: 405,
        codes: &[ErrorCode::InvalidRequest],
        description: "A method other than GET.",
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
        description: "The page could not be fetched or read: it refused us (`target_blocked`), did not answer in time (`target_timeout`), answered with an error (`target_error`), could not be reached (`target_unreachable`), or is no HTML or too large (`unprocessable_content`).",
        headers: &RATE,
    },
    ErrorResponseDoc {
        status: 429,
        codes: &[ErrorCode::RateLimited, ErrorCode::QuotaExceeded],
        description: "The per-minute rate limit (`rate_limited`) or the monthly credits (`quota_exceeded`) are exceeded; the message says which and when to retry.",
        headers: &["Retry-After", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"],
    },
    ErrorResponseDoc {
        status: 500,
        codes: &[ErrorCode::InternalError],
        description: "Our fault. Nothing is charged.",
        headers: &["Retry-After", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"],
    },
    ErrorResponseDoc {
        status: 503,
        codes: &[ErrorCode::RenderUnavailable, ErrorCode::InternalError],
        description: "`render=true` while browser rendering is unavailable (`render_unavailable`): retry without it. Or an operation that is not available yet (`internal_error`).",
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
            .map(|code| (code.to_string(), json!({ "value": example(*code, failure.status) })))
            .collect();
        let body = json!({ "schema": reference("schemas", "ErrorBody"), "examples": examples });
        json!({ "description": failure.description, "headers": header_references(&names), "content": { "application/json": body } })
    };
    FAILURES.iter().map(|failure| (failure.status.to_string(), response(failure))).collect::<Map<_, _>>().into()
}

fn example(code: ErrorCode, status: u16) -> ErrorBody {
    let message = match code {
        ErrorCode::InvalidRequest if status == 405 => "The method POST is not allowed here. Every operation is a GET.",
        ErrorCode::InvalidRequest => "`yes` is not a valid value of `render`. Valid values: true, false.",
        ErrorCode::InvalidApiKey => "The API key is missing. Send it as `Authorization: Bearer <API_KEY>`.",
        ErrorCode::BillingIssue => {
            "The account is suspended because a payment failed. Update the payment method in the console."
        }
        ErrorCode::NotFound => "`#pricing` matches nothing on the page. Sections: #hero (Hero).",
        ErrorCode::TargetBlocked => {
            "The page refused to be read. Pages behind a sign-in or a bot challenge cannot be extracted."
        }
        ErrorCode::TargetTimeout => "The page did not answer in time. Try again later.",
        ErrorCode::TargetError => "The page answered with status 404. Check the address.",
        ErrorCode::TargetUnreachable => "The page cannot be reached. Check the address.",
        ErrorCode::UnprocessableContent => "The address does not lead to an HTML page.",
        ErrorCode::RateLimited => "The rate limit of 30 requests per minute is exceeded. Try again in 12 seconds.",
        ErrorCode::QuotaExceeded => {
            "The monthly credits are used up. They reset in 9 days; an upgrade takes effect at once."
        }
        ErrorCode::RenderUnavailable => {
            "Browser rendering is unavailable at the moment. Retry without `render`, or later."
        }
        ErrorCode::InternalError if status == 503 => "The operation /code is not available yet. Nothing was charged.",
        ErrorCode::InternalError => {
            "Something went wrong on our side. Nothing was charged. Try again in a few seconds."
        }
    };
    let mut body = ErrorBody::new(code, message, Some("req_01kd3v5w6x7y8z9a0b1c2d3e4f".to_owned()));
    body.status_code = status;
    if code == ErrorCode::NotFound {
        body.data.sections = Some(vec![SectionRef {
            selector: "#hero".to_owned(),
            label: "Hero".to_owned(),
            elements: 42,
            preview: "Design data of any page".to_owned(),
            role: Some("hero".to_owned()),
        }]);
    }
    body
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
    let content = json!({ "application/json": { "schema": reference("schemas", "UsageReport") } });
    let found = json!({ "description": "Usage.", "headers": header_references(&names), "content": content });
    response_map(found, [400, 401, 402, 405, 429, 500].into_iter())
}

fn response_map(found: Value, failures: impl Iterator<Item = u16>) -> Value {
    let mut responses = Map::from_iter([("200".to_owned(), found)]);
    responses.extend(failures.map(|status| (status.to_string(), reference("responses", &status.to_string()))));
    Value::Object(responses)
}

fn content(operation: Operation) -> Value {
    let result = result_name(operation);
    let json_schema = json!({ "allOf": [reference("schemas", result), reference("schemas", "WithUsage")] });
    if operation != Operation::Extract {
        return json!({ "application/json": { "schema": json_schema } });
    }
    let media_type = |format: TokenFormat| format.content_type().split(';').next().unwrap_or_default().to_owned();
    let text = json!({ "schema": { "type": "string" } });
    let json_or_dtcg = json!({ "anyOf": [json_schema, reference("schemas", "DesignTokensFile")] });
    json!({
        media_type(TokenFormat::Json): { "schema": json_or_dtcg },
        media_type(TokenFormat::Css): text.clone(),
        media_type(TokenFormat::Tailwind): text,
    })
}
