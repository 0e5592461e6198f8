//! CORS for clients that run in browsers on other origins (Fetch §3.2): they may send requests and read responses,
//! without cookies.

use axum::extract::Request;
use axum::middleware::Next;
use axum::response::Response;
use http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE,
};
use http::{HeaderValue, StatusCode};

/// Answers a preflight; the headers are added by [`open`].
pub(crate) async fn preflight() -> StatusCode {
    StatusCode::NO_CONTENT
}

/// Adds the headers that allow any origin to read the response.
pub(crate) async fn open(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    for (name, value) in [
        (ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
        (ACCESS_CONTROL_ALLOW_METHODS, "GET, POST, OPTIONS"),
        (ACCESS_CONTROL_ALLOW_HEADERS, "Accept, Authorization, Content-Type, MCP-Protocol-Version"),
        (ACCESS_CONTROL_EXPOSE_HEADERS, "Retry-After, WWW-Authenticate"),
        (ACCESS_CONTROL_MAX_AGE, "86400"),
    ] {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}
