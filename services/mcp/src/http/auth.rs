//! Authentication by an access token in the `Authorization` header (RFC 6750 §2.1), introspected by metering.

use super::METADATA;
use crate::Caller;
use crate::config::PATH;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures::future::BoxFuture;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use moka::future::Cache;
use serde_json::json;
use sha2::{Digest, Sha256};
use std::sync::Arc;
use std::time::Duration;

/// The required scope.
pub(crate) const SCOPE: &str = "extract";
/// Maximum length of a token; ours are shorter.
const MAX_TOKEN_BYTES: usize = 512;
const MAX_TOKENS: u64 = 100_000;

/// The properties of a valid token.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Introspected {
    /// The account that granted it.
    pub account_id: String,
    /// Name that the client gave itself.
    pub client_name: String,
    /// The granted scopes.
    pub scopes: Vec<String>,
}

/// Introspects tokens.
pub trait Introspect: Send + Sync + 'static {
    /// Returns `None` if the token is unknown, expired, revoked, or for another resource server; `Err` with the reason
    /// if that cannot be determined now.
    fn introspect<'a>(
        &'a self,
        token_sha256: [u8; 32],
        resource: &'a str,
    ) -> BoxFuture<'a, Result<Option<Introspected>, String>>;
}

/// The authentication layer.
pub(crate) struct BearerAuth {
    /// Identifier of this resource server (RFC 8707).
    resource: String,
    /// URL of its metadata.
    metadata: String,
    tokens: Arc<dyn Introspect>,
    cache: Cache<[u8; 32], Option<Introspected>>,
}

/// The reason why a request is rejected.
enum AuthError {
    /// There is no token.
    SignIn,
    /// The token is invalid, or not valid any more.
    BadToken,
    /// The token lacks the scope.
    WrongScope,
    /// The token cannot be checked now.
    Unknown,
}

impl BearerAuth {
    pub(crate) fn new(url: &str, tokens: Arc<dyn Introspect>, memory: Duration) -> Self {
        let cache = Cache::builder().max_capacity(MAX_TOKENS).time_to_live(memory).build();
        Self { resource: format!("{url}{PATH}"), metadata: format!("{url}{METADATA}{PATH}"), tokens, cache }
    }

    async fn check_token(&self, headers: &HeaderMap) -> Result<Caller, AuthError> {
        let token = bearer(headers)?;
        let hash: [u8; 32] = Sha256::digest(token).into();
        let ask = self.tokens.introspect(hash, &self.resource);
        let known = self.cache.try_get_with(hash, ask).await.map_err(|cause| {
            tracing::error!(error = %cause, "cannot introspect a token");
            AuthError::Unknown
        })?;
        let granted = known.ok_or(AuthError::BadToken)?;
        if !granted.scopes.iter().any(|scope| scope == SCOPE) {
            return Err(AuthError::WrongScope);
        }
        Ok(Caller { account_id: granted.account_id, client_name: granted.client_name })
    }

    fn refuse(&self, refusal: &AuthError) -> Response {
        let metadata = &self.metadata;
        let (status, error, text) = match refusal {
            AuthError::SignIn => (StatusCode::UNAUTHORIZED, None, "Sign in first."),
            AuthError::BadToken => (
                StatusCode::UNAUTHORIZED,
                Some("invalid_token"),
                "The token is unknown, expired or revoked. Sign in again.",
            ),
            AuthError::WrongScope => {
                (StatusCode::FORBIDDEN, Some("insufficient_scope"), "The token does not allow this. Sign in again.")
            }
            AuthError::Unknown => {
                (StatusCode::SERVICE_UNAVAILABLE, None, "Sign-in can't be checked right now. Try again.")
            }
        };
        metrics::counter!("limner_mcp_refusals_total", "status" => status.as_u16().to_string()).increment(1);
        let body = json!({ "error": error.unwrap_or("unauthorized"), "error_description": text });
        let mut response = (status, axum::Json(body)).into_response();
        if status.is_server_error() {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("2"));
            return response;
        }
        let error = error.map(|error| format!(", error=\"{error}\"")).unwrap_or_default();
        let challenge = format!("Bearer resource_metadata=\"{metadata}\", scope=\"{SCOPE}\"{error}");
        if let Ok(challenge) = HeaderValue::from_str(&challenge) {
            response.headers_mut().insert(header::WWW_AUTHENTICATE, challenge);
        }
        response
    }
}

/// Returns the only token of a request. Tokens in URLs are ignored: URLs end up in logs.
fn bearer(headers: &HeaderMap) -> Result<&[u8], AuthError> {
    let mut values = headers.get_all(header::AUTHORIZATION).iter();
    let value = values.next().ok_or(AuthError::SignIn)?;
    let text = value.to_str().map_err(|_| AuthError::BadToken)?;
    let (scheme, token) = text.trim().split_once(' ').ok_or(AuthError::SignIn)?;
    if !scheme.eq_ignore_ascii_case("bearer") {
        return Err(AuthError::SignIn);
    }
    let token = token.trim();
    let is_token =
        !token.is_empty() && token.len() <= MAX_TOKEN_BYTES && token.bytes().all(|byte| byte.is_ascii_graphic());
    match is_token && values.next().is_none() {
        true => Ok(token.as_bytes()),
        false => Err(AuthError::BadToken),
    }
}

/// Authenticates a request and attaches its caller.
pub(crate) async fn authenticate(State(auth): State<Arc<BearerAuth>>, mut request: Request, next: Next) -> Response {
    match auth.check_token(request.headers()).await {
        Ok(caller) => {
            request.extensions_mut().insert(caller);
            // Keeps the token out of everything that inner layers log.
            request.headers_mut().remove(header::AUTHORIZATION);
            next.run(request).await
        }
        Err(refusal) => auth.refuse(&refusal),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn authorization_with_anything_but_one_bearer_token_is_refused() {
        let token = |values: &[&str]| {
            let headers: HeaderMap =
                values.iter().map(|value| (header::AUTHORIZATION, HeaderValue::from_str(value).unwrap())).collect();
            bearer(&headers).map(<[u8]>::to_vec).map_err(|refusal| matches!(refusal, AuthError::SignIn))
        };
        assert_eq!(token(&["Bearer abc"]), Ok(b"abc".to_vec()));
        assert_eq!(token(&["bearer  abc "]), Ok(b"abc".to_vec()));
        for nothing in [&[][..], &["Basic abc"], &["Bearer"]] {
            assert_eq!(token(nothing), Err(true), "{nothing:?}");
        }
        let long = format!("Bearer {}", "a".repeat(600));
        for bad in [&["Bearer a b"][..], &["Bearer abc", "Bearer abc"], &[&long]] {
            assert_eq!(token(bad), Err(false), "{bad:?}");
        }
    }
}
