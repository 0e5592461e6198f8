//! Sign-in and sign-up with an OpenID Connect provider.
//!
//! A known subject of the provider identifies its account. An unknown one is matched by an e-mail address that the
//! provider has verified: accounts only exist for verified addresses, so an attacker cannot prepare either side.

use super::auth::{redirect_after_sign_in, show_first_key};
use crate::cookies::{cookie, set_cookie};
use crate::email::Email;
use crate::email_links::{EmailLink, EmailLinkPurpose};
use crate::error::HttpError;
use crate::identity::RequestIdentity;
use crate::oidc::{OidcUser, Provider, SignInAttempt};
use crate::response::see_other;
use crate::sign_in::start_session;
use crate::state::AppState;
use crate::{rate_limit, token};
use axum::extract::{Query, State};
use axum::response::Response;
use http::HeaderMap;
use serde::Deserialize;
use std::sync::Arc;

/// Path that starts a sign-in.
pub(super) const START: &str = "/sign-in/provider";
/// Path that the provider redirects back to.
pub(super) const CALLBACK: &str = "/sign-in/provider/callback";
/// Cookie with the secret of a sign-in in progress.
const ATTEMPT_COOKIE: &str = "__Host-limner_provider";
const ATTEMPT_SECONDS: u64 = 10 * 60;
const MAX_CODE_BYTES: usize = 4_096;

fn provider(app: &AppState) -> Result<&Provider, HttpError> {
    app.provider.as_ref().ok_or(HttpError::NotFound)
}

/// `GET /sign-in/provider`
pub(crate) async fn start(State(app): State<Arc<AppState>>, visitor: RequestIdentity) -> Result<Response, HttpError> {
    let provider = provider(&app)?;
    if visitor.session.is_some() {
        return Ok(see_other("/"));
    }
    let secret = token::new_token();
    let address = provider.address(&SignInAttempt(&secret), &app.url.link(CALLBACK)).await?;
    let mut response = see_other(&address);
    set_cookie(&mut response, ATTEMPT_COOKIE, &secret, ATTEMPT_SECONDS);
    Ok(response)
}

#[derive(Deserialize)]
pub(crate) struct CallbackQuery {
    #[serde(default)]
    state: String,
    code: Option<String>,
    iss: Option<String>,
}

/// `GET /sign-in/provider/callback`
pub(crate) async fn callback(
    State(app): State<Arc<AppState>>,
    visitor: RequestIdentity,
    headers: HeaderMap,
    Query(answer): Query<CallbackQuery>,
) -> Result<Response, HttpError> {
    let provider = provider(&app)?;
    let begun =
        cookie(&headers, ATTEMPT_COOKIE).map(SignInAttempt).filter(|attempt| attempt.matches_state(&answer.state));
    let attempt = begun.ok_or_else(|| {
        HttpError::Invalid("That sign-in was not started in this browser, or has expired. Start again.".to_owned())
    })?;
    // The response of another provider (RFC 9207).
    if answer.iss.as_ref().is_some_and(|issuer| *issuer != provider.config.issuer) {
        return Err(HttpError::Invalid("That response is from another provider. Start again.".to_owned()));
    }
    let label = &provider.config.label;
    let Some(code) = answer.code.filter(|code| code.len() <= MAX_CODE_BYTES) else {
        let why = format!("{label} did not sign you in. Try again, or use your e-mail address.");
        return Err(HttpError::Invalid(why));
    };
    app.rate_limiter.throttle(rate_limit::FROM_NETWORK, &visitor.network()).await?;
    let person = provider.person(&attempt, &code, &app.url.link(CALLBACK)).await?;
    let mut response = sign_in(&app, &visitor, provider, person).await?;
    set_cookie(&mut response, ATTEMPT_COOKIE, "", 0);
    Ok(response)
}

async fn sign_in(
    app: &AppState,
    visitor: &RequestIdentity,
    provider: &Provider,
    person: OidcUser,
) -> Result<Response, HttpError> {
    let (issuer, label) = (&provider.config.issuer, &provider.config.label);
    let mut holder = app.users.find_by_identity(issuer, &person.subject).await?;
    if holder.is_none() {
        let email = person.email.as_deref().map(Email::parse).transpose()?.ok_or_else(|| {
            let why = format!("{label} has not verified your e-mail address. Sign up with a link by mail instead.");
            HttpError::Invalid(why)
        })?;
        holder = app.users.find(&email).await?;
        if holder.is_none() {
            let link = EmailLink {
                purpose: EmailLinkPurpose::SignUp,
                email: email.address,
                password_hash: None,
                asker_sha256: None,
            };
            let opened = app.users.open_account(&link).await?;
            let opened = opened.ok_or_else(|| HttpError::Invalid("Start again on the sign-in page.".to_owned()))?;
            app.users.add_identity(issuer, &person.subject, &opened.id).await?;
            return show_first_key(app, visitor, &opened, false, "provider").await;
        }
    }
    let Some(holder) = holder else { return Err(HttpError::NotFound) };
    if app.users.add_identity(issuer, &person.subject, &holder.id).await? {
        app.audit.record(&holder.account_id, &visitor.client, "identity_added", label).await?;
    }
    let mut response = redirect_after_sign_in(visitor);
    start_session(app, visitor, &holder.id, "provider", &mut response).await?;
    app.audit.record(&holder.account_id, &visitor.client, "signed_in", &format!("with {label}")).await?;
    Ok(response)
}
