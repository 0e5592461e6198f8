//! Key pages.

use super::auth::{DoneQuery, curl_line};
use crate::error::HttpError;
use crate::form::SignedInForm;
use crate::identity::SignedInUser;
use crate::layout::PageLayout;
use crate::rate_limit;
use crate::response::{see_other, with_status};
use crate::state::AppState;
use crate::text_format::moment_unix;
use askama::Template;
use axum::extract::{Query, State};
use axum::response::Response;
use http::StatusCode;
use limner_proto::{v1, with_trace};
use serde::Deserialize;
use std::sync::Arc;

/// A key, as shown to its owner.
pub(super) struct KeyRow {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) prefix: String,
    pub(super) created: String,
    pub(super) last_used: String,
    pub(super) revoked: Option<String>,
}

#[derive(Template)]
#[template(path = "keys.html")]
struct KeysPage {
    shell: PageLayout,
    live: Vec<KeyRow>,
    revoked: Vec<KeyRow>,
    fault: Option<String>,
    name: String,
}

#[derive(Template)]
#[template(path = "key.html")]
struct NewKeyPage {
    shell: PageLayout,
    name: String,
    api_key: String,
    curl: String,
}

/// `GET /keys`
pub(crate) async fn page(
    State(app): State<Arc<AppState>>,
    member: SignedInUser,
    Query(query): Query<DoneQuery>,
) -> Result<Response, HttpError> {
    let shell = member.shell("Keys", "keys", query.done.as_deref());
    list(&app, &member, shell, None, String::new()).await
}

async fn list(
    app: &AppState,
    member: &SignedInUser,
    shell: PageLayout,
    fault: Option<String>,
    name: String,
) -> Result<Response, HttpError> {
    let keys = keys(app, member).await?.into_iter().filter(|key| key.purpose() == v1::KeyPurpose::Api);
    let (revoked, live) = keys.rev().map(row).partition(|key| key.revoked.is_some());
    Ok(member.visitor.render(&KeysPage { shell, live, revoked, fault, name }))
}

pub(super) async fn keys(app: &AppState, member: &SignedInUser) -> Result<Vec<v1::Key>, HttpError> {
    let request = v1::ListKeysRequest { account_id: member.account_id() };
    Ok(app.metering.accounts().list_keys(with_trace(request)).await?.into_inner().keys)
}

pub(super) fn row(key: v1::Key) -> KeyRow {
    KeyRow {
        id: key.key_id,
        name: if key.name.is_empty() { "Unnamed".to_owned() } else { key.name },
        prefix: key.prefix,
        created: moment_unix(key.created_at_unix),
        last_used: key.last_used_at_unix.map_or_else(|| "never".to_owned(), moment_unix),
        revoked: key.revoked_at_unix.map(moment_unix),
    }
}

#[derive(Deserialize)]
pub(crate) struct CreateKey {
    name: String,
}

/// `POST /keys`: the only page that shows the key.
pub(crate) async fn create(
    State(app): State<Arc<AppState>>,
    SignedInForm { member, form }: SignedInForm<CreateKey>,
) -> Result<Response, HttpError> {
    app.rate_limiter.throttle(rate_limit::NEW_KEYS, &member.session.account_id).await?;
    let name = form.name.trim().to_owned();
    let request = v1::CreateKeyRequest {
        account_id: member.account_id(),
        name: name.clone(),
        purpose: v1::KeyPurpose::Api.into(),
    };
    let made = match app.metering.accounts().create_key(with_trace(request)).await.map_err(HttpError::from) {
        Ok(made) => made.into_inner(),
        Err(HttpError::Conflict(why)) => {
            let shell = member.shell("Keys", "keys", None);
            let response = list(&app, &member, shell, Some(why), name).await?;
            return Ok(with_status(response, StatusCode::UNPROCESSABLE_ENTITY));
        }
        Err(fault) => return Err(fault),
    };
    let key_id = made.key.map(|key| key.key_id).unwrap_or_default();
    app.audit
        .record(&member.session.account_id, &member.visitor.client, "key_created", &format!("{name} ({key_id})"))
        .await?;
    let shell = member.shell("Your new key", "keys", None);
    let curl = curl_line(&app.config, &made.api_key);
    Ok(member.visitor.render(&NewKeyPage { shell, name, api_key: made.api_key, curl }))
}

#[derive(Deserialize)]
pub(crate) struct RevokeKey {
    key_id: String,
}

/// `POST /keys/revoke`
pub(crate) async fn revoke(
    State(app): State<Arc<AppState>>,
    SignedInForm { member, form }: SignedInForm<RevokeKey>,
) -> Result<Response, HttpError> {
    revoke_key(&app, &member, form.key_id).await?;
    Ok(see_other("/keys?done=key-revoked"))
}

pub(super) async fn revoke_key(app: &AppState, member: &SignedInUser, key_id: String) -> Result<(), HttpError> {
    let request = v1::RevokeKeyRequest { account_id: member.account_id(), key_id: key_id.clone() };
    let revoked = app.metering.accounts().revoke_key(with_trace(request)).await?.into_inner();
    let name = revoked.key.map(|key| key.name).unwrap_or_default();
    app.audit
        .record(&member.session.account_id, &member.visitor.client, "key_revoked", &format!("{name} ({key_id})"))
        .await
}
