//! OAuth error responses: RFC 6749 §5.2, RFC 7591 §3.2.2, RFC 7009 §2.2.1.

use crate::error::HttpError;
use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};
use serde_json::json;
use std::borrow::Cow;

/// A rejected request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OAuthError {
    pub(crate) status: StatusCode,
    pub(crate) code: &'static str,
    pub(crate) description: Cow<'static, str>,
    retry_after: Option<u32>,
}

impl OAuthError {
    /// Returns an error with status 400.
    pub(crate) fn new(code: &'static str, description: impl Into<Cow<'static, str>>) -> Self {
        Self { status: StatusCode::BAD_REQUEST, code, description: description.into(), retry_after: None }
    }

    pub(crate) fn invalid_request(description: impl Into<Cow<'static, str>>) -> Self {
        Self::new("invalid_request", description)
    }

    pub(crate) fn invalid_grant(description: impl Into<Cow<'static, str>>) -> Self {
        Self::new("invalid_grant", description)
    }

    pub(crate) fn invalid_target() -> Self {
        Self::new("invalid_target", "no such resource, or not the one that was granted")
    }

    /// Returns the error for a client that is unknown, or that authenticates in an unsupported way.
    pub(crate) fn invalid_client(description: impl Into<Cow<'static, str>>) -> Self {
        Self { status: StatusCode::UNAUTHORIZED, ..Self::new("invalid_client", description) }
    }
}

impl From<HttpError> for OAuthError {
    fn from(fault: HttpError) -> Self {
        let again = |status, description: &'static str, seconds| Self {
            status,
            code: "temporarily_unavailable",
            description: description.into(),
            retry_after: Some(seconds),
        };
        match fault {
            HttpError::RateLimited(seconds) => again(StatusCode::TOO_MANY_REQUESTS, "too many requests", seconds),
            HttpError::Unavailable(cause) => {
                tracing::error!(error = cause, "cannot serve a client request");
                again(StatusCode::SERVICE_UNAVAILABLE, "one of our services is unavailable", 5)
            }
            HttpError::Invalid(text) | HttpError::Conflict(text) => Self::invalid_request(text),
            HttpError::NotFound | HttpError::Unauthenticated | HttpError::CsrfRejected(_) => {
                Self::invalid_request("not possible")
            }
        }
    }
}

impl From<tonic::Status> for OAuthError {
    fn from(status: tonic::Status) -> Self {
        HttpError::from(status).into()
    }
}

impl IntoResponse for OAuthError {
    fn into_response(self) -> Response {
        let body = json!({ "error": self.code, "error_description": self.description });
        let mut response = (self.status, axum::Json(body)).into_response();
        if self.status == StatusCode::UNAUTHORIZED {
            // A client that tried an authentication scheme must be told one (RFC 6749 §5.2), although none is
            // supported.
            response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Basic realm=\"none\""));
        }
        if let Some(seconds) = self.retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}
