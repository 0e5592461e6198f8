//! Authorization server metadata (RFC 8414).

use super::{AUTHORIZE, REGISTER, REVOKE, TOKEN, scope};
use crate::state::AppState;
use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};
use std::sync::Arc;

/// `GET /.well-known/oauth-authorization-server`
pub(crate) async fn show(State(app): State<Arc<AppState>>) -> Json<Value> {
    let resources: Vec<&str> = app.config.resources.iter().map(|resource| resource.uri.as_str()).collect();
    Json(json!({
        "issuer": app.url.as_str(),
        "authorization_endpoint": app.url.link(AUTHORIZE),
        "token_endpoint": app.url.link(TOKEN),
        "registration_endpoint": app.url.link(REGISTER),
        "revocation_endpoint": app.url.link(REVOKE),
        "scopes_supported": scope::ALL,
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": ["authorization_code", "refresh_token"],
        "token_endpoint_auth_methods_supported": ["none"],
        "revocation_endpoint_auth_methods_supported": ["none"],
        "code_challenge_methods_supported": ["S256"],
        "authorization_response_iss_parameter_supported": true,
        "client_id_metadata_document_supported": true,
        "protected_resources": resources,
        "service_documentation": app.url.link("/docs"),
        "ui_locales_supported": ["en"],
    }))
}
