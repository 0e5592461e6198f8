//! Cancellation for clients that begin with `initialize`: they cancel a request with a notification. No process keeps
//! sessions; a session id only distinguishes equal request ids of different clients. Any process passes a cancellation
//! on, and the gateway knows the call.
//!
//! Clients of revision 2026-07-28 close the stream of the request instead (see [`crate::tools`]).

use crate::json_rpc::PARSE_ERROR;
use crate::{Backend, Caller};
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use data_encoding::HEXLOWER;
use http::header::CONTENT_TYPE;
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use http_body_util::{BodyExt, Limited};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::sync::Arc;
use uuid::Uuid;

/// Maximum size of a request; the arguments of tools are short.
pub(crate) const MAX_REQUEST_BYTES: usize = 256 * 1024;
const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");

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
    let Ok(message) = serde_json::from_slice::<Value>(&body) else {
        return (StatusCode::BAD_REQUEST, [(CONTENT_TYPE, "application/json")], PARSE_ERROR).into_response();
    };
    let name = cancelled_request(&message).and_then(|request_id| call_name(&parts.headers, request_id));
    let is_initialize = message["method"] == "initialize";
    let caller = parts.extensions.get::<Caller>().cloned();
    let mut response = next.run(Request::from_parts(parts, body.into())).await;
    if !response.status().is_success() {
        return response;
    }
    if let (Some(name), Some(caller)) = (name, caller) {
        backend.cancel(&caller, &name).await;
    }
    if is_initialize && let Ok(id) = HeaderValue::from_str(&Uuid::new_v4().to_string()) {
        response.headers_mut().entry(SESSION).or_insert(id);
    }
    response
}

/// Returns the id of the request that a message cancels.
fn cancelled_request(message: &Value) -> Option<&Value> {
    message["params"].get("requestId").filter(|_| message["method"] == "notifications/cancelled")
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
        for (message, id) in [
            (cancel(json!(7)), Some(json!(7))),
            (cancel(json!("7")), Some(json!("7"))),
            (json!({ "method": "notifications/cancelled" }), None),
            (json!({ "method": "notifications/cancelled", "params": [7] }), None),
            (json!({ "method": "tools/call", "params": { "requestId": 7 } }), None),
            (json!({ "result": {} }), None),
            (json!([1]), None),
        ] {
            assert_eq!(cancelled_request(&message), id.as_ref(), "{message}");
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
