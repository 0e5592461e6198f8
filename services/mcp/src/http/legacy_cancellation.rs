//! Cancellation for clients that begin with `initialize`: they cancel a request with a notification. No process keeps
//! sessions; a session id only distinguishes equal request ids of different clients. Any process passes a cancellation
//! on, and the gateway knows the call.
//!
//! Clients of revision 2026-07-28 close the stream of the request instead (see [`crate::tools`]).

use crate::{Backend, Caller};
use axum::Json;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use data_encoding::HEXLOWER;
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use http_body_util::{BodyExt, Limited};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::borrow::Cow;
use std::sync::Arc;
use uuid::Uuid;

/// Maximum size of a request; the arguments of tools are short.
pub(crate) const MAX_REQUEST_BYTES: usize = 256 * 1024;
const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");

/// The members of a message that are read here.
#[derive(Deserialize)]
struct Message<'a> {
    #[serde(borrow)]
    method: Option<Cow<'a, str>>,
    #[serde(default)]
    params: Params,
}

#[derive(Deserialize, Default)]
struct Params {
    #[serde(rename = "requestId")]
    request_id: Option<Value>,
}

/// Gives initializing clients a session id, and passes cancellations on.
pub(crate) async fn follow(State(backend): State<Arc<dyn Backend>>, request: Request, next: Next) -> Response {
    if request.method() != Method::POST {
        return next.run(request).await;
    }
    let (parts, body) = request.into_parts();
    let Ok(body) = Limited::new(body, MAX_REQUEST_BYTES).collect().await else {
        return StatusCode::PAYLOAD_TOO_LARGE.into_response();
    };
    let body = body.to_bytes();
    if serde_json::from_slice::<IgnoredAny>(&body).is_err() {
        return parse_error();
    }
    let (method, cancelled) = parse_message(&body);
    let name = cancelled.and_then(|request_id| call_name(&parts.headers, &request_id));
    let caller = parts.extensions.get::<Caller>().cloned();
    let mut response = next.run(Request::from_parts(parts, body.into())).await;
    if !response.status().is_success() {
        return response;
    }
    if let (Some(name), Some(caller)) = (name, caller) {
        backend.cancel(&caller, &name).await;
    }
    if method == "initialize"
        && let Ok(id) = HeaderValue::from_str(&Uuid::new_v4().to_string())
    {
        response.headers_mut().entry(SESSION).or_insert(id);
    }
    response
}

/// Returns the response to a body that is not JSON, which the protocol's library answers with a text.
fn parse_error() -> Response {
    let error = json!({ "code": -32700, "message": "Parse error: the body is not JSON" });
    let body = json!({ "jsonrpc": "2.0", "id": null, "error": error });
    (StatusCode::BAD_REQUEST, Json(body)).into_response()
}

/// Returns the message's method, and the id of the request that it cancels.
fn parse_message(body: &Bytes) -> (String, Option<Value>) {
    let Ok(Message { method, params }) = serde_json::from_slice(body) else { return (String::new(), None) };
    let method = method.unwrap_or_default().into_owned();
    let cancelled = params.request_id.filter(|_| method == "notifications/cancelled");
    (method, cancelled)
}

/// Returns the name by which the gateway knows the calls of a request; `None` if they cannot be distinguished from
/// those of other clients.
pub(crate) fn call_name(headers: &HeaderMap, request_id: &Value) -> Option<String> {
    let session = headers.get(SESSION)?;
    let hash = Sha256::new_with_prefix(session.as_bytes()).chain_update("\n").chain_update(request_id.to_string());
    Some(HEXLOWER.encode(&hash.finalize()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn cancellation_names_a_request() {
        let cancel = |id: Value| json!({ "method": "notifications/cancelled", "params": { "requestId": id } });
        for (message, method, id) in [
            (cancel(json!(7)), "notifications/cancelled", Some(json!(7))),
            (cancel(json!("7")), "notifications/cancelled", Some(json!("7"))),
            (json!({ "method": "notifications/cancelled" }), "notifications/cancelled", None),
            (json!({ "method": "tools/call", "params": { "requestId": 7 } }), "tools/call", None),
            (json!({ "result": {} }), "", None),
            (json!([1]), "", None),
        ] {
            assert_eq!(parse_message(&message.to_string().into()), (method.to_owned(), id), "{message}");
        }
    }

    #[test]
    fn requests_are_identified_by_session_and_id() {
        let name = |session: &'static str, id: Value| {
            let headers: HeaderMap = [(SESSION, HeaderValue::from_static(session))].into_iter().collect();
            call_name(&headers, &id).unwrap()
        };
        assert_eq!(name("a", json!(1)), name("a", json!(1)));
        let others = [name("a", json!(2)), name("b", json!(1)), name("a", json!("1"))];
        assert!(others.iter().all(|other| *other != name("a", json!(1)) && other.len() == 64));
        assert_eq!(call_name(&HeaderMap::new(), &json!(1)), None);
    }
}
