//! The authorization endpoint (OAuth 2.1 §4.1): a user signs in, sees which client requests which access, and decides.
//!
//! No response is sent to a client until client and redirect URI are verified. After that, responses go to the client.
//! Responses that no user clicked for go to other sites, and to schemes of native apps, only by a link, so that this
//! host can neither be used as an open redirector (RFC 9700 §4.11.2) nor to open an app.

use super::client::{Client, ClientIdentity};
use super::params::Params;
use super::redirect_uri::{self, RedirectTarget};
use super::resource::find_resource;
use super::{pending_authorization, scope};
use crate::config::ProtectedResource;
use crate::error::HttpError;
use crate::form::SignedInForm;
use crate::identity::{RequestIdentity, SignedInUser};
use crate::layout::PageLayout;
use crate::response::{see_other, with_status};
use crate::security_headers::FormTarget;
use crate::state::AppState;
use crate::{rate_limit, token};
use askama::Template;
use axum::extract::{RawQuery, State};
use axum::response::Response;
use http::StatusCode;
use limner_proto::{v1, with_trace};
use serde::Deserialize;
use std::sync::Arc;
use std::time::Duration;
use url::Url;

/// Lifetime of a code: clients exchange it immediately.
const CODE_TTL: Duration = Duration::from_secs(60);
const MAX_QUERY_BYTES: usize = 8 * 1024;
/// Length of a SHA-256 in base64url (RFC 7636 §4.2).
const CHALLENGE_LENGTH: usize = 43;

/// A valid authorization request.
#[derive(Debug)]
struct AuthorizationRequest<'a> {
    client: Client,
    /// The redirect URI as sent: the token request repeats it.
    redirect_uri: String,
    redirect: Url,
    state: Option<String>,
    scopes: Vec<String>,
    resource: &'a ProtectedResource,
    code_challenge: String,
}

/// The error of a request that is not shown for consent.
#[derive(Debug)]
enum AuthorizationError {
    /// The redirect URI is not verified: only the user is told.
    Untrusted(HttpError),
    /// The client is told by a redirect.
    Redirect { redirect: Url, state: Option<String>, code: &'static str, description: &'static str },
}

#[derive(Template)]
#[template(path = "consent.html")]
struct ConsentPage {
    shell: PageLayout,
    client: String,
    /// Host of the client's document, if the client has one.
    host: Option<String>,
    place: RedirectTarget,
    resource: String,
    email: String,
    scopes: Vec<&'static str>,
    /// The request itself, which is validated again with the decision.
    request: String,
}

#[derive(Template)]
#[template(path = "return.html")]
struct RedirectPage {
    shell: PageLayout,
    text: &'static str,
    place: RedirectTarget,
    url: String,
}

/// `GET /oauth/authorize`
pub(crate) async fn ask(
    State(app): State<Arc<AppState>>,
    visitor: RequestIdentity,
    RawQuery(query): RawQuery,
) -> Result<Response, HttpError> {
    let query = query.unwrap_or_default();
    // Before a sign-in the request is neither parsed nor fetched for, and nobody is redirected.
    let Some(session) = visitor.session.clone() else {
        let mut response = see_other("/sign-in");
        if !pending_authorization::store(&mut response, &query) {
            return Err(HttpError::Invalid(
                "The client's request is too long to be stored during a sign-in.".to_owned(),
            ));
        }
        return Ok(response);
    };
    let member = SignedInUser { visitor, session };
    let mut response = match parse_request(&app, &member, &query).await {
        Ok(asked) => consent(&member, asked, query),
        Err(refusal) => refuse(&app, &member, refusal)?,
    };
    pending_authorization::clear(&mut response);
    Ok(response)
}

#[derive(Deserialize)]
pub(crate) struct ConsentDecision {
    request: String,
    decision: String,
}

/// `POST /oauth/authorize`: the user has decided.
pub(crate) async fn decide(
    State(app): State<Arc<AppState>>,
    SignedInForm { member, form }: SignedInForm<ConsentDecision>,
) -> Result<Response, HttpError> {
    let asked = match parse_request(&app, &member, &form.request).await {
        Ok(asked) => asked,
        Err(refusal) => return refuse(&app, &member, refusal),
    };
    let particulars = format!("{} ({})", asked.client.name, asked.client.id);
    if form.decision != "allow" {
        app.audit.record(&member.session.account_id, &member.visitor.client, "client_refused", &particulars).await?;
        let answer = [("error", "access_denied"), ("error_description", "the account holder said no")];
        return Ok(see_other(answered(&app, &asked.redirect, asked.state.as_deref(), &answer).as_str()));
    }
    app.rate_limiter.throttle(rate_limit::GRANTS, &member.session.account_id).await?;
    let code = token::new_token();
    let grant = v1::CreateGrantRequest {
        account_id: member.account_id(),
        client_id: asked.client.id,
        client_name: asked.client.name,
        scopes: asked.scopes,
        resource: asked.resource.uri.clone(),
        redirect_uri: asked.redirect_uri,
        code_challenge: asked.code_challenge,
        code_sha256: token::sha256(&code).to_vec(),
        code_life_seconds: u32::try_from(CODE_TTL.as_secs()).unwrap_or(u32::MAX),
    };
    let grant_id = app.metering.grants().create_grant(with_trace(grant)).await?.into_inner().grant_id;
    let detail = format!("{particulars} for {} as {grant_id}", asked.resource.name);
    app.audit.record(&member.session.account_id, &member.visitor.client, "client_connected", &detail).await?;
    Ok(see_other(answered(&app, &asked.redirect, asked.state.as_deref(), &[("code", &code)]).as_str()))
}

/// Returns the redirect URL of a response, with issuer (RFC 9207) and `state`.
fn answered(app: &AppState, redirect: &Url, state: Option<&str>, answer: &[(&str, &str)]) -> Url {
    let mut pairs = answer.to_vec();
    pairs.extend(state.map(|state| ("state", state)));
    pairs.push(("iss", app.url.as_str()));
    redirect_uri::with_params(redirect, &pairs)
}

async fn parse_request<'a>(
    app: &'a AppState,
    member: &SignedInUser,
    query: &str,
) -> Result<AuthorizationRequest<'a>, AuthorizationError> {
    let untrusted = |why: &str| AuthorizationError::Untrusted(HttpError::Invalid(why.to_owned()));
    if query.len() > MAX_QUERY_BYTES {
        return Err(untrusted("The client's request is too long."));
    }
    let params = Params::parse(query.as_bytes());
    if matches!(params.repeated(), Some("client_id" | "redirect_uri")) {
        return Err(untrusted("The client's request names its client more than once."));
    }
    let client_id = params.get("client_id").ok_or_else(|| untrusted("The request does not name its client."))?;
    let client =
        app.oauth_clients.find(&member.session.account_id, client_id).await.map_err(AuthorizationError::Untrusted)?;
    let (redirect_uri, redirect) = redirect_uri(&params, &client).map_err(untrusted)?;
    let state = params.get("state").map(str::to_owned);
    match details(app, &params) {
        Ok((scopes, resource, code_challenge)) => {
            Ok(AuthorizationRequest { client, redirect_uri, redirect, state, scopes, resource, code_challenge })
        }
        Err((code, description)) => Err(AuthorizationError::Redirect { redirect, state, code, description }),
    }
}

/// Returns the redirect URI: the requested one if it belongs to the client, or the client's only one.
fn redirect_uri(params: &Params, client: &Client) -> Result<(String, Url), &'static str> {
    let given = match (params.get("redirect_uri"), client.redirect_uris.as_slice()) {
        (Some(given), _) => given,
        (None, [only]) => only.as_str(),
        (None, _) => return Err("The request does not say where to redirect."),
    };
    if !redirect_uri::is_registered(given, &client.redirect_uris) {
        return Err("The request redirects to an address that is not the client's. Do not continue.");
    }
    Ok((given.to_owned(), redirect_uri::check(given)?))
}

type Details<'a> = (Vec<String>, &'a ProtectedResource, String);

/// Parses the remaining parameters; the error is code and description (RFC 6749 §4.1.2.1, RFC 7636 §4.4.1, RFC 8707
/// §2).
fn details<'a>(app: &'a AppState, params: &Params) -> Result<Details<'a>, (&'static str, &'static str)> {
    if params.repeated().is_some() {
        return Err(("invalid_request", "a parameter was sent more than once"));
    }
    match params.get("response_type") {
        Some("code") => {}
        Some(_) => return Err(("unsupported_response_type", "the response type must be code")),
        None => return Err(("invalid_request", "the response type is missing")),
    }
    if params.get("request").is_some() || params.get("request_uri").is_some() {
        let code = if params.get("request").is_some() { "request_not_supported" } else { "request_uri_not_supported" };
        return Err((code, "request objects are not supported"));
    }
    if params.get("response_mode").is_some_and(|mode| mode != "query") {
        return Err(("invalid_request", "the response mode must be query"));
    }
    let challenge = params.get("code_challenge").ok_or(("invalid_request", "code challenge required"))?;
    // A missing method means `plain` (RFC 7636 §4.3), which is not supported.
    if params.get("code_challenge_method") != Some("S256") {
        return Err(("invalid_request", "transform algorithm not supported; the code challenge method must be S256"));
    }
    let is_base64url = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    if challenge.len() != CHALLENGE_LENGTH || !challenge.bytes().all(is_base64url) {
        return Err(("invalid_request", "the code challenge is not the base64url of a SHA-256"));
    }
    let scopes =
        scope::parse_scopes(params.get("scope")).ok_or(("invalid_scope", "no scope that was asked for exists"))?;
    let wanted: Vec<&str> = params.get_all("resource").collect();
    let found = match (wanted.as_slice(), app.config.resources.as_slice()) {
        // Clients that predate RFC 8707 mean the only resource server there is.
        ([], [only]) => Some(only),
        ([one], known) => find_resource(known, one),
        _ => None,
    };
    let found = found.ok_or(("invalid_target", "exactly one known resource must be asked for"))?;
    Ok((scopes, found, challenge.to_owned()))
}

fn consent(member: &SignedInUser, asked: AuthorizationRequest<'_>, query: String) -> Response {
    let source = redirect_uri::policy_source(&asked.redirect);
    let host = match asked.client.identity {
        ClientIdentity::Document { host } => Some(host),
        ClientIdentity::Registered => None,
    };
    let page = ConsentPage {
        shell: member.shell("Connect a client", "connections", None),
        client: asked.client.name,
        host,
        place: redirect_uri::target(&asked.redirect),
        resource: asked.resource.name.clone(),
        email: member.session.email.clone(),
        scopes: asked.scopes.iter().map(|word| scope::description(word)).collect(),
        request: query,
    };
    let mut response = member.visitor.render(&page);
    response.extensions_mut().insert(FormTarget(source));
    response
}

fn refuse(app: &AppState, member: &SignedInUser, refusal: AuthorizationError) -> Result<Response, HttpError> {
    let (redirect, state, code, description) = match refusal {
        AuthorizationError::Untrusted(fault) => return Err(fault),
        AuthorizationError::Redirect { redirect, state, code, description } => (redirect, state, code, description),
    };
    let answer = [("error", code), ("error_description", description)];
    let url = answered(app, &redirect, state.as_deref(), &answer);
    let place = redirect_uri::target(&redirect);
    if place == RedirectTarget::Loopback {
        return Ok(see_other(url.as_str()));
    }
    let shell = member.visitor.shell("That does not work", "");
    let body = RedirectPage { shell, text: description, place, url: url.into() };
    Ok(with_status(member.visitor.render(&body), StatusCode::BAD_REQUEST))
}
