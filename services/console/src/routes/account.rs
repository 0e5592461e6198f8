//! Account pages: password, sessions, the audit log, export and closing.

use super::auth::DoneQuery;
use super::billing::invoice_json;
use super::connections;
use super::usage::attachment;
use crate::audit::AuditLine;
use crate::error::HttpError;
use crate::form::{EmptyForm, SignedInForm};
use crate::identity::SignedInUser;
use crate::layout::PageLayout;
use crate::password::MIN_CHARACTERS;
use crate::rate_limit;
use crate::response::{see_other, with_status};
use crate::sessions::SessionRow;
use crate::sign_in::{clear_session_cookie, start_session};
use crate::state::AppState;
use crate::text_format::moment;
use askama::Template;
use axum::extract::{Query, State};
use axum::response::Response;
use http::StatusCode;
use limner_proto::{v1, with_trace};
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;
use time::OffsetDateTime;

/// Maximum number of calls in one export; the CSV of the usage page has all of them.
const MAX_EXPORTED_CALLS: usize = 10_000;
const EXPORT_PAGE: u32 = 1_000;

#[derive(Template)]
#[template(path = "account.html")]
struct AccountPage {
    shell: PageLayout,
    email: String,
    account_id: String,
    needs_old: bool,
    has_password: bool,
    fault: Option<String>,
    shortest: usize,
    sessions: Vec<SessionRow>,
    audit: Vec<AuditLine>,
}

impl AccountPage {
    fn shown(&self, at: &OffsetDateTime) -> String {
        moment(*at)
    }
}

/// `GET /account`
pub(crate) async fn page(
    State(app): State<Arc<AppState>>,
    member: SignedInUser,
    Query(query): Query<DoneQuery>,
) -> Result<Response, HttpError> {
    show(&app, &member, query.done.as_deref(), None).await
}

async fn show(
    app: &AppState,
    member: &SignedInUser,
    done: Option<&str>,
    fault: Option<String>,
) -> Result<Response, HttpError> {
    let session = &member.session;
    let (sessions, audit) = tokio::try_join!(app.sessions.list(session), app.audit.list(&session.account_id, None))?;
    let page = AccountPage {
        shell: member.shell("Account", "account", done),
        email: session.email.clone(),
        account_id: session.account_id.clone(),
        needs_old: needs_old_password(member),
        has_password: session.has_password,
        fault,
        shortest: MIN_CHARACTERS,
        sessions,
        audit,
    };
    Ok(member.visitor.render(&page))
}

/// Returns true if the old password is required. A user who has just verified the e-mail address may have forgotten it.
fn needs_old_password(member: &SignedInUser) -> bool {
    let session = &member.session;
    let is_fresh_link = session.signed_in_by == "link" && session.is_fresh;
    session.has_password && !is_fresh_link
}

#[derive(Deserialize)]
pub(crate) struct ChangePassword {
    #[serde(default)]
    old: String,
    new: String,
}

/// `POST /account/password`: ends all other sessions, and all grants given under the old password.
pub(crate) async fn change_password(
    State(app): State<Arc<AppState>>,
    SignedInForm { member, form }: SignedInForm<ChangePassword>,
) -> Result<Response, HttpError> {
    let session = &member.session;
    app.rate_limiter.throttle(rate_limit::COSTLY, &session.account_id).await?;
    let refuse = async |why: String| {
        let response = show(&app, &member, None, Some(why)).await?;
        Ok::<_, HttpError>(with_status(response, StatusCode::UNPROCESSABLE_ENTITY))
    };
    if needs_old_password(&member) && !is_own_password(&app, &member, form.old).await? {
        return refuse("The current password is wrong.".to_owned()).await;
    }
    match app.passwords.hash(form.new, session.email.clone()).await? {
        Err(why) => refuse(why).await,
        Ok(hash) => {
            app.users.set_password(&session.holder_id, &hash).await?;
            app.devices.delete_all(&session.holder_id).await?;
            let mut response = see_other("/account?done=password-changed");
            start_session(&app, &member.visitor, &session.holder_id, "password", &mut response).await?;
            app.sessions.end_all_but_latest(&session.holder_id).await?;
            app.audit.record(&session.account_id, &member.visitor.client, "password_changed", "").await?;
            if session.has_password {
                // Somebody who knew the old password may have authorized clients.
                connections::revoke_all_grants(&app, &member).await?;
            }
            Ok(response)
        }
    }
}

async fn is_own_password(app: &AppState, member: &SignedInUser, password: String) -> Result<bool, HttpError> {
    let hash = app.users.password_hash(&member.session.holder_id).await?;
    app.passwords.verify(password, hash).await
}

#[derive(Deserialize)]
pub(crate) struct EndSession {
    id: String,
}

/// `POST /account/sessions/end`
pub(crate) async fn end_session(
    State(app): State<Arc<AppState>>,
    SignedInForm { member, form }: SignedInForm<EndSession>,
) -> Result<Response, HttpError> {
    if !app.sessions.end(&member.session.holder_id, &form.id).await? {
        return Err(HttpError::NotFound);
    }
    app.audit.record(&member.session.account_id, &member.visitor.client, "session_ended", "").await?;
    Ok(see_other("/account?done=session-ended"))
}

/// `POST /account/sessions/end-others`
pub(crate) async fn end_other_sessions(
    State(app): State<Arc<AppState>>,
    SignedInForm { member, .. }: SignedInForm<EmptyForm>,
) -> Result<Response, HttpError> {
    app.sessions.end_others(&member.session.holder_id, &member.session.id).await?;
    app.audit.record(&member.session.account_id, &member.visitor.client, "other_sessions_ended", "").await?;
    Ok(see_other("/account?done=sessions-ended"))
}

/// `POST /account/export`: everything the service knows about the account, as one file.
pub(crate) async fn export(
    State(app): State<Arc<AppState>>,
    SignedInForm { member, .. }: SignedInForm<EmptyForm>,
) -> Result<Response, HttpError> {
    let session = &member.session;
    app.rate_limiter.throttle(rate_limit::COSTLY, &session.account_id).await?;
    let account_id = member.account_id();
    let describe = v1::DescribeAccountRequest { account_id: account_id.clone() };
    let details = app.metering.accounts().describe_account(with_trace(describe)).await?.into_inner();
    let keys = v1::ListKeysRequest { account_id: account_id.clone() };
    let keys = app.metering.accounts().list_keys(with_trace(keys)).await?.into_inner().keys;
    let orders = v1::ListOrdersRequest { account_id: account_id.clone() };
    let orders = app.metering.billing().list_orders(with_trace(orders)).await?.into_inner().orders;
    let invoices = v1::ListInvoicesRequest { account_id: account_id.clone() };
    let invoices = app.metering.billing().list_invoices(with_trace(invoices)).await?.into_inner().invoices;
    let (calls, is_all) = exported_calls(&app, &account_id).await?;
    let connections = connections::grants(&app, &member).await?;
    let audit = app.audit.list(&account_id, Some(i64::MAX)).await?;
    let sessions = app.sessions.list(session).await?;
    let identities = app.users.identities(&session.holder_id).await?;
    app.audit.record(&account_id, &member.visitor.client, "exported", "").await?;
    let account = details.account.unwrap_or_default();
    let export = json!({
        "account": {
            "id": account_id,
            "email": session.email,
            "plan": account.plan,
            "billing_interval": details.billing_interval,
            "currency": details.currency,
            "overage_enabled": account.overage_enabled,
            "pack_balance": account.pack_balance,
            "spent_this_month": account.spent_this_month,
            "created_at_unix": details.created_at_unix,
        },
        "keys": keys.iter().map(key_json).collect::<Vec<_>>(),
        "connections": connections.iter().map(grant_json).collect::<Vec<_>>(),
        "orders": orders.iter().map(order_json).collect::<Vec<_>>(),
        "billed": invoices.iter().map(invoice_json).collect::<Vec<_>>(),
        "sessions": sessions.iter().map(session_json).collect::<Vec<_>>(),
        "identities": identities,
        "audit": audit.iter().map(audit_json).collect::<Vec<_>>(),
        "calls": calls,
        "calls_are_complete": is_all,
    });
    Ok(attachment("application/json", "limner-account.json", format!("{export:#}\n")))
}

/// Returns the latest calls, and true if they are all calls.
async fn exported_calls(app: &AppState, account_id: &str) -> Result<(Vec<Value>, bool), HttpError> {
    let mut request =
        v1::ListCallsRequest { account_id: account_id.to_owned(), limit: EXPORT_PAGE, ..Default::default() };
    let mut calls = Vec::new();
    loop {
        let page = app.metering.accounts().list_calls(with_trace(request.clone())).await?.into_inner();
        calls.extend(page.calls.into_iter().filter_map(|call| call.entry).map(|entry| {
            json!({
                "request_id": entry.request_id,
                "at_unix_ms": entry.at_unix_ms,
                "operation": entry.operation,
                "page": entry.url,
                "outcome": entry.outcome,
                "cached": entry.cached,
                "credits": entry.credits,
            })
        }));
        request.cursor = page.next_cursor;
        if request.cursor.is_none() || calls.len() >= MAX_EXPORTED_CALLS {
            return Ok((calls, request.cursor.is_none()));
        }
    }
}

fn key_json(key: &v1::Key) -> Value {
    json!({
        "id": key.key_id,
        "name": key.name,
        "prefix": key.prefix,
        "created_at_unix": key.created_at_unix,
        "revoked_at_unix": key.revoked_at_unix,
        "last_used_at_unix": key.last_used_at_unix,
    })
}

fn grant_json(grant: &v1::ClientGrant) -> Value {
    json!({
        "id": grant.grant_id,
        "client_id": grant.client_id,
        "client_name": grant.client_name,
        "scopes": grant.scopes,
        "resource": grant.resource,
        "created_at_unix": grant.created_at_unix,
        "last_used_at_unix": grant.last_used_at_unix,
    })
}

fn order_json(order: &v1::Order) -> Value {
    json!({
        "id": order.id,
        "pack": order.pack,
        "plan": order.plan,
        "billing_interval": order.billing_interval,
        "currency": order.currency,
        "amount_cents": order.amount_cents,
        "state": order.state,
        "ordered_at_unix_ms": order.ordered_at_unix_ms,
    })
}

fn session_json(session: &SessionRow) -> Value {
    let (created, seen) = (moment(session.created_at), moment(session.last_seen_at));
    json!({ "created": created, "last_seen": seen, "address": session.address, "agent": session.agent })
}

fn audit_json(line: &AuditLine) -> Value {
    json!({
        "at": moment(line.at),
        "what": line.what,
        "detail": line.detail,
        "address": line.address,
        "agent": line.agent,
    })
}

#[derive(Deserialize)]
pub(crate) struct Close {
    email: String,
    #[serde(default)]
    password: String,
}

/// `POST /account/close`
pub(crate) async fn close(
    State(app): State<Arc<AppState>>,
    SignedInForm { member, form }: SignedInForm<Close>,
) -> Result<Response, HttpError> {
    let session = &member.session;
    app.rate_limiter.throttle(rate_limit::COSTLY, &session.account_id).await?;
    let is_sure = form.email.trim().eq_ignore_ascii_case(&session.email);
    if !is_sure || needs_old_password(&member) && !is_own_password(&app, &member, form.password).await? {
        let why = "The account was not closed: the e-mail address or password is wrong.".to_owned();
        return Ok(with_status(show(&app, &member, None, Some(why)).await?, StatusCode::UNPROCESSABLE_ENTITY));
    }
    let request = v1::CloseAccountRequest { account_id: member.account_id() };
    app.metering.accounts().close_account(with_trace(request)).await?;
    app.playground.forget_key(&session.account_id).await;
    app.users.delete(&session.holder_id, &session.account_id, &session.email).await?;
    let mut response = see_other("/?done=closed");
    clear_session_cookie(&mut response);
    Ok(response)
}
