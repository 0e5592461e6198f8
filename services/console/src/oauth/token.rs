//! The token endpoint (OAuth 2.1 §3.2) and revocation (RFC 7009). Only programs use them; a client is authenticated by
//! its code with the code verifier, or by its refresh token.

use super::client_metadata;
use super::error::OAuthError;
use super::params::Params;
use super::resource::find_resource;
use crate::identity::RequestIdentity;
use crate::state::AppState;
use crate::{rate_limit, token};
use axum::body::Bytes;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use limner_proto::v1::TokenOutcome;
use limner_proto::{v1, with_trace};
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;

/// Prefix of access tokens: identifies them to people and secret scanners that find one.
const ACCESS_PREFIX: &str = "lm_access_";
const REFRESH_PREFIX: &str = "lm_refresh_";
const ACCESS_TTL: Duration = Duration::from_secs(60 * 60);
const REFRESH_TTL: Duration = Duration::from_secs(30 * 24 * 60 * 60);
/// RFC 7636 §4.1.
const VERIFIER_LENGTHS: std::ops::RangeInclusive<usize> = 43..=128;

/// `POST /oauth/token`
pub(crate) async fn exchange(
    State(app): State<Arc<AppState>>,
    visitor: RequestIdentity,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, OAuthError> {
    app.rate_limiter.throttle(rate_limit::TOKENS, &visitor.network()).await?;
    let params = parse_params(&headers, &body)?;
    let grant_type = params.get("grant_type").ok_or_else(|| missing("grant_type"))?;
    if !["authorization_code", "refresh_token"].contains(&grant_type) {
        let why = "the grant type must be authorization_code or refresh_token";
        return Err(OAuthError::new("unsupported_grant_type", why));
    }
    let client_id = client_id(&app, &params).await?;
    let resource = requested_resource(&app, &params)?;
    let new = IssuedTokens::new();
    let answer = match grant_type {
        "refresh_token" => {
            let used = params.get("refresh_token").ok_or_else(|| missing("refresh_token"))?;
            let scopes = params.get("scope").unwrap_or_default().split(' ').filter(|word| !word.is_empty());
            let request = v1::RefreshRequest {
                refresh_sha256: token::sha256(used).to_vec(),
                client_id,
                resource,
                scopes: scopes.map(str::to_owned).collect(),
                tokens: Some(new.hashes()),
            };
            app.metering.grants().refresh(with_trace(request)).await?.into_inner()
        }
        _ => {
            let code = params.get("code").ok_or_else(|| missing("code"))?;
            let request = v1::ExchangeCodeRequest {
                code_sha256: token::sha256(code).to_vec(),
                client_id,
                redirect_uri: params.get("redirect_uri").map(str::to_owned),
                code_challenge: challenge(params.get("code_verifier").ok_or_else(|| missing("code_verifier"))?)?,
                resource,
                tokens: Some(new.hashes()),
            };
            app.metering.grants().exchange_code(with_trace(request)).await?.into_inner()
        }
    };
    conclude(&app, &visitor, new, &answer).await
}

/// Returns the outcome to the client; records it in the audit log if the secret may have been stolen.
async fn conclude(
    app: &AppState,
    visitor: &RequestIdentity,
    new: IssuedTokens,
    answer: &v1::TokenResponse,
) -> Result<Response, OAuthError> {
    match answer.outcome() {
        TokenOutcome::Issued => Ok(issued(&new, &answer.scopes)),
        TokenOutcome::Reused => {
            let detail = format!("{}, {}: a code or token came twice", answer.client_name, answer.grant_id);
            app.audit.record(&answer.account_id, &visitor.client, "client_cut_off", &detail).await?;
            Err(OAuthError::invalid_grant("it was used before; everything that came of it has ended"))
        }
        TokenOutcome::WrongResource => Err(OAuthError::invalid_target()),
        TokenOutcome::WrongScope => Err(OAuthError::new("invalid_scope", "more than was granted")),
        TokenOutcome::Invalid | TokenOutcome::Unspecified => {
            Err(OAuthError::invalid_grant("unknown, expired, revoked, or not for this request"))
        }
    }
}

/// `POST /oauth/revoke`: also succeeds for a value that is not (or no longer) a token of this client (RFC 7009 §2.2).
pub(crate) async fn revoke(
    State(app): State<Arc<AppState>>,
    visitor: RequestIdentity,
    headers: HeaderMap,
    body: Bytes,
) -> Result<StatusCode, OAuthError> {
    app.rate_limiter.throttle(rate_limit::TOKENS, &visitor.network()).await?;
    let params = parse_params(&headers, &body)?;
    let client_id = client_id(&app, &params).await?;
    let revoked = params.get("token").ok_or_else(|| missing("token"))?;
    let request = v1::RevokeTokenRequest { token_sha256: token::sha256(revoked).to_vec(), client_id };
    let answer = app.metering.grants().revoke_token(with_trace(request)).await?.into_inner();
    if let Some(grant) = answer.ended {
        let detail = format!("{} ({}), {}, by itself", grant.client_name, grant.client_id, grant.grant_id);
        app.audit.record(&answer.account_id, &visitor.client, "client_disconnected", &detail).await?;
    }
    Ok(StatusCode::OK)
}

/// Parses the parameters of a request. Clients are public, so client authentication is rejected.
fn parse_params(headers: &HeaderMap, body: &[u8]) -> Result<Params, OAuthError> {
    let content_type = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let essence = content_type.split(';').next().unwrap_or_default().trim();
    if !essence.eq_ignore_ascii_case("application/x-www-form-urlencoded") {
        return Err(OAuthError::invalid_request("the body must be application/x-www-form-urlencoded"));
    }
    let params = Params::parse(body);
    if let Some(name) = params.repeated() {
        return Err(OAuthError::invalid_request(format!("a parameter was sent more than once: {}", printable(name))));
    }
    let authenticates = ["client_secret", "client_assertion"].iter().any(|name| params.get(name).is_some());
    if headers.contains_key(header::AUTHORIZATION) || authenticates {
        return Err(OAuthError::invalid_client("clients are public: they have a client_id and no secret"));
    }
    Ok(params)
}

/// Returns the text with only the characters that an error description may contain (RFC 6749 §5.2).
fn printable(text: &str) -> String {
    let is_allowed = |character: &char| matches!(character, ' '..='!' | '#'..='[' | ']'..='~');
    text.chars().filter(is_allowed).take(100).collect()
}

fn missing(name: &'static str) -> OAuthError {
    OAuthError::invalid_request(format!("{name} is missing"))
}

async fn client_id(app: &AppState, params: &Params) -> Result<String, OAuthError> {
    let id = params.get("client_id").ok_or_else(|| missing("client_id"))?;
    if !client_metadata::is_metadata_url(id) && app.oauth_clients.find_registered(id).await?.is_none() {
        return Err(OAuthError::invalid_client("there is no such client"));
    }
    Ok(id.to_owned())
}

fn requested_resource(app: &AppState, params: &Params) -> Result<Option<String>, OAuthError> {
    let wanted: Vec<&str> = params.get_all("resource").collect();
    match wanted.as_slice() {
        [] => Ok(None),
        [one] => {
            let found = find_resource(&app.config.resources, one).ok_or_else(OAuthError::invalid_target)?;
            Ok(Some(found.uri.clone()))
        }
        _ => Err(OAuthError::invalid_target()),
    }
}

/// Returns the code challenge of a verifier (RFC 7636 §4.6).
fn challenge(verifier: &str) -> Result<String, OAuthError> {
    let is_unreserved = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    if !VERIFIER_LENGTHS.contains(&verifier.len()) || !verifier.bytes().all(is_unreserved) {
        return Err(OAuthError::invalid_request("the code_verifier is not one"));
    }
    Ok(URL_SAFE_NO_PAD.encode(token::sha256(verifier)))
}

/// New tokens, which become valid when metering stores their hashes.
struct IssuedTokens {
    access: String,
    refresh: String,
}

impl IssuedTokens {
    fn new() -> Self {
        let of = |prefix: &str| format!("{prefix}{}", token::new_token());
        Self { access: of(ACCESS_PREFIX), refresh: of(REFRESH_PREFIX) }
    }

    fn hashes(&self) -> v1::NewTokens {
        let seconds = |life: Duration| u32::try_from(life.as_secs()).unwrap_or(u32::MAX);
        v1::NewTokens {
            access_sha256: token::sha256(&self.access).to_vec(),
            access_life_seconds: seconds(ACCESS_TTL),
            refresh_sha256: token::sha256(&self.refresh).to_vec(),
            refresh_life_seconds: seconds(REFRESH_TTL),
        }
    }
}

/// RFC 6749 §5.1.
fn issued(new: &IssuedTokens, scopes: &[String]) -> Response {
    let body = json!({
        "access_token": new.access,
        "token_type": "Bearer",
        "expires_in": ACCESS_TTL.as_secs(),
        "refresh_token": new.refresh,
        "scope": scopes.join(" "),
    });
    let mut response = axum::Json(body).into_response();
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response.headers_mut().insert(header::PRAGMA, HeaderValue::from_static("no-cache"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn challenges_are_those_of_the_rfc() {
        // RFC 7636, appendix B.
        let challenged = challenge("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk").unwrap();
        assert_eq!(challenged, "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
        for bad in ["", "short", &"a".repeat(129), &format!("{} ", "a".repeat(43)), &"é".repeat(43)] {
            assert!(challenge(bad).is_err(), "{bad}");
        }
    }
}
