//! Dynamic client registration (RFC 7591), for clients without a metadata document. Anybody may register; only an
//! unverified name and the redirect URIs are stored. Clients are public: there are no client secrets.

use super::client::display_name;
use super::error::OAuthError;
use super::{redirect_uri, scope};
use crate::identity::RequestIdentity;
use crate::state::AppState;
use crate::{rate_limit, token};
use axum::body::Bytes;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;

const MAX_REDIRECT_URIS: usize = 20;

/// The client metadata that is read. A wrong type is an error, an unknown member is not (RFC 7591 §2).
#[derive(Debug, Deserialize)]
struct ClientMetadata {
    redirect_uris: Option<Vec<String>>,
    client_name: Option<String>,
    grant_types: Option<Vec<String>>,
    response_types: Option<Vec<String>>,
    scope: Option<String>,
}

/// `POST /oauth/register`
pub(crate) async fn register(
    State(app): State<Arc<AppState>>,
    visitor: RequestIdentity,
    body: Bytes,
) -> Result<Response, OAuthError> {
    app.rate_limiter.throttle(rate_limit::REGISTER, &visitor.network()).await?;
    app.rate_limiter.throttle(rate_limit::REGISTER_ANYWHERE, "").await?;
    let metadata: ClientMetadata = serde_json::from_slice(&body)
        .map_err(|cause| invalid(format!("the body is not JSON with client metadata: {cause}")))?;
    let redirect_uris = checked(metadata.redirect_uris.unwrap_or_default())?;
    let wants =
        |types: &Option<Vec<String>>, one: &str| types.as_ref().is_none_or(|types| types.iter().any(|t| t == one));
    if !wants(&metadata.grant_types, "authorization_code") {
        return Err(invalid("grant_types must have authorization_code"));
    }
    if !wants(&metadata.response_types, "code") {
        return Err(invalid("response_types must have code"));
    }
    let scopes = scope::parse_scopes(metadata.scope.as_deref()).unwrap_or_default();
    let name = display_name(metadata.client_name.as_deref()).unwrap_or_else(|| "A client without a name".to_owned());
    let id = token::new_id("client");
    let issued_at = app.oauth_clients.add(&id, &name, &redirect_uris).await?;
    tracing::info!(client.id = id, "a client registered");
    let registered: Value = json!({
        "client_id": id,
        "client_id_issued_at": issued_at,
        "client_name": name,
        "redirect_uris": redirect_uris,
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
        "token_endpoint_auth_method": "none",
        "scope": scopes.join(" "),
    });
    Ok((StatusCode::CREATED, axum::Json(registered)).into_response())
}

fn invalid(why: impl Into<std::borrow::Cow<'static, str>>) -> OAuthError {
    OAuthError::new("invalid_client_metadata", why)
}

fn checked(uris: Vec<String>) -> Result<Vec<String>, OAuthError> {
    if uris.is_empty() || uris.len() > MAX_REDIRECT_URIS {
        let why = format!("redirect_uris must have one to {MAX_REDIRECT_URIS} URIs");
        return Err(OAuthError::new("invalid_redirect_uri", why));
    }
    for uri in &uris {
        redirect_uri::check(uri).map_err(|why| OAuthError::new("invalid_redirect_uri", why))?;
    }
    Ok(uris)
}
