//! Connections: clients and the playground, which can make calls on behalf of the account without one of its own keys.

use super::auth::DoneQuery;
use super::keys::{KeyRow, keys, revoke_key, row};
use crate::error::HttpError;
use crate::form::{EmptyForm, SignedInForm};
use crate::identity::SignedInUser;
use crate::layout::PageLayout;
use crate::oauth::{is_metadata_url, scope_words};
use crate::response::see_other;
use crate::state::AppState;
use crate::text_format::moment_unix;
use askama::Template;
use axum::extract::{Query, State};
use axum::response::Response;
use limner_proto::{v1, with_trace};
use serde::Deserialize;
use std::sync::Arc;
use url::Url;

/// An authorized client, as shown to the account's owner.
struct ClientRow {
    grant_id: String,
    name: String,
    /// Host of its document; `None` if nothing about the client is verified.
    host: Option<String>,
    resource: String,
    scopes: Vec<&'static str>,
    since: String,
    last_used: String,
}

#[derive(Template)]
#[template(path = "connections.html")]
struct ConnectionsPage {
    shell: PageLayout,
    /// The playground's key, if there is one.
    playground: Option<KeyRow>,
    clients: Vec<ClientRow>,
    /// True if there is an MCP server to connect to.
    has_agents: bool,
}

/// `GET /connections`
pub(crate) async fn page(
    State(app): State<Arc<AppState>>,
    member: SignedInUser,
    Query(query): Query<DoneQuery>,
) -> Result<Response, HttpError> {
    let (playground, grants) = tokio::try_join!(live_playground_key(&app, &member), grants(&app, &member))?;
    let shell = member.shell("Connections", "connections", query.done.as_deref());
    let clients = grants.into_iter().map(|grant| client_row(&app, grant)).collect();
    let has_agents = !app.config.resources.is_empty();
    Ok(member.visitor.render(&ConnectionsPage { shell, playground: playground.map(row), clients, has_agents }))
}

/// Returns the active grants of the account.
pub(super) async fn grants(app: &AppState, member: &SignedInUser) -> Result<Vec<v1::ClientGrant>, HttpError> {
    let request = v1::ListGrantsRequest { account_id: member.account_id() };
    Ok(app.metering.grants().list_grants(with_trace(request)).await?.into_inner().grants)
}

fn client_row(app: &AppState, grant: v1::ClientGrant) -> ClientRow {
    let url = is_metadata_url(&grant.client_id).then(|| Url::parse(&grant.client_id).ok()).flatten();
    let known = app.config.resources.iter().find(|resource| resource.uri == grant.resource);
    ClientRow {
        grant_id: grant.grant_id,
        name: grant.client_name,
        host: url.and_then(|url| url.host_str().map(str::to_owned)),
        resource: known.map_or(grant.resource, |resource| resource.name.clone()),
        scopes: grant.scopes.iter().map(|scope| scope_words(scope)).collect(),
        since: moment_unix(grant.created_at_unix),
        last_used: grant.last_used_at_unix.map_or_else(|| "never".to_owned(), moment_unix),
    }
}

#[derive(Deserialize)]
pub(crate) struct Revoke {
    grant_id: String,
}

/// `POST /connections/revoke`
pub(crate) async fn revoke(
    State(app): State<Arc<AppState>>,
    SignedInForm { member, form }: SignedInForm<Revoke>,
) -> Result<Response, HttpError> {
    let request = v1::RevokeGrantRequest { account_id: member.account_id(), grant_id: form.grant_id };
    let grant = app.metering.grants().revoke_grant(with_trace(request)).await?.into_inner().grant.unwrap_or_default();
    record_disconnect(&app, &member, &grant).await?;
    Ok(see_other("/connections?done=disconnected"))
}

/// Ends all grants of the account.
pub(super) async fn revoke_all_grants(app: &AppState, member: &SignedInUser) -> Result<(), HttpError> {
    let request = v1::RevokeGrantsRequest { account_id: member.account_id() };
    let ended = app.metering.grants().revoke_grants(with_trace(request)).await?.into_inner().grants;
    for grant in &ended {
        record_disconnect(app, member, grant).await?;
    }
    Ok(())
}

async fn record_disconnect(app: &AppState, member: &SignedInUser, grant: &v1::ClientGrant) -> Result<(), HttpError> {
    let detail = format!("{} ({}), {}", grant.client_name, grant.client_id, grant.grant_id);
    app.audit.record(&member.session.account_id, &member.visitor.client, "client_disconnected", &detail).await
}

async fn live_playground_key(app: &AppState, member: &SignedInUser) -> Result<Option<v1::Key>, HttpError> {
    let is_live = |key: &v1::Key| key.purpose() == v1::KeyPurpose::Playground && key.revoked_at_unix.is_none();
    Ok(keys(app, member).await?.into_iter().find(is_live))
}

/// `POST /connections/playground/revoke`
pub(crate) async fn revoke_playground(
    State(app): State<Arc<AppState>>,
    SignedInForm { member, .. }: SignedInForm<EmptyForm>,
) -> Result<Response, HttpError> {
    if let Some(key) = live_playground_key(&app, &member).await? {
        revoke_key(&app, &member, key.key_id).await?;
    }
    app.playground.forget_key(&member.session.account_id).await;
    Ok(see_other("/connections?done=playground-revoked"))
}
