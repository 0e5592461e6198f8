//! Responses of the proxy itself.

use bytes::Bytes;
use http::header::PROXY_AUTHENTICATE;
use http::{HeaderName, HeaderValue, Response, StatusCode};
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full};
use limner_netguard::FetchError;
use std::io;

pub(crate) type ProxyResponse = Response<BoxBody<Bytes, io::Error>>;

/// Header with the reason of a response by the proxy itself; removed from responses of sites.
pub(crate) const PROXY_RESPONSE: HeaderName = HeaderName::from_static("x-limner-egress");

/// An error response by the proxy itself: a status, and a label for logs and metrics.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ProxyError {
    status: StatusCode,
    pub(crate) why: &'static str,
}

impl ProxyError {
    pub(crate) const NO_TOKEN: Self = Self::new(StatusCode::PROXY_AUTHENTICATION_REQUIRED, "no_pass");
    pub(crate) const TOO_MANY_PAGES: Self = Self::new(StatusCode::SERVICE_UNAVAILABLE, "crowded");
    pub(crate) const TOO_MANY_CONNECTIONS: Self = Self::new(StatusCode::TOO_MANY_REQUESTS, "too_many_connections");
    pub(crate) const BUDGET_EXHAUSTED: Self = Self::new(StatusCode::FORBIDDEN, "used_up");
    pub(crate) const BAD_REQUEST: Self = Self::new(StatusCode::BAD_REQUEST, "bad_request");
    pub(crate) const INTERRUPTED: Self = Self::new(StatusCode::BAD_GATEWAY, "interrupted");

    const fn new(status: StatusCode, why: &'static str) -> Self {
        Self { status, why }
    }

    /// Returns the error for a site that cannot be reached. The reason is recorded in the page's account, which pages
    /// cannot read.
    pub(crate) fn from_fetch_error(fault: &FetchError) -> Self {
        match fault {
            FetchError::Timeout(_) => Self::new(StatusCode::GATEWAY_TIMEOUT, "timeout"),
            _ => Self::new(StatusCode::BAD_GATEWAY, "unreachable"),
        }
    }

    /// Returns the response with this error.
    pub(crate) fn into_answer(self) -> ProxyResponse {
        let mut answer = Response::new(empty());
        *answer.status_mut() = self.status;
        answer.headers_mut().insert(PROXY_RESPONSE, HeaderValue::from_static(self.why));
        if self == Self::NO_TOKEN {
            answer.headers_mut().insert(PROXY_AUTHENTICATE, HeaderValue::from_static("Basic realm=\"limner\""));
        }
        answer
    }
}

/// Returns an empty body.
pub(crate) fn empty() -> BoxBody<Bytes, io::Error> {
    full_body(Bytes::new())
}

/// Returns a body of these bytes.
pub(crate) fn full_body(bytes: Bytes) -> BoxBody<Bytes, io::Error> {
    Full::new(bytes).map_err(|never| match never {}).boxed()
}
