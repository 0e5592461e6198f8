//! Sign-up, sign-in and sign-out. Pages never reveal whether an e-mail address has an account; only the mail does.

use crate::config::{Config, MailConfig};
use crate::devices::AttemptSource;
use crate::email::Email;
use crate::email_links::{EmailLink, EmailLinkPurpose, LINK_TTL, PendingPassword};
use crate::error::HttpError;
use crate::form::{CsrfForm, EmptyForm, SignedInForm};
use crate::identity::RequestIdentity;
use crate::layout::{PageLayout, notice};
use crate::password::MIN_CHARACTERS;
use crate::rate_limit::{self, MailTurn};
use crate::response::{see_other, with_status};
use crate::sign_in::{attempt_source, clear_session_cookie, start_session};
use crate::state::AppState;
use crate::users::User;
use askama::Template;
use axum::extract::{Query, State};
use axum::response::Response;
use http::StatusCode;
use limner_proto::{v1, with_trace};
use serde::Deserialize;
use std::sync::Arc;

/// Name of an account's first key.
const FIRST_KEY_NAME: &str = "First key";

#[derive(Template)]
#[template(path = "sign_up.html")]
struct SignUpPage {
    shell: PageLayout,
    email: String,
    fault: Option<String>,
    shortest: usize,
    goes_on: bool,
    /// Display name of the OpenID Connect provider.
    provider: Option<String>,
}

#[derive(Template)]
#[template(path = "sign_in.html")]
struct SignInPage {
    shell: PageLayout,
    email: String,
    fault: Option<String>,
    /// True if an authorization request continues after the sign-in.
    goes_on: bool,
    /// Display name of the OpenID Connect provider.
    provider: Option<String>,
}

#[derive(Template)]
#[template(path = "sent.html")]
struct SentPage {
    shell: PageLayout,
    email: String,
    minutes: u64,
    /// Directory that mail is written to if it is not delivered.
    folder: Option<String>,
    /// True if no mail is being delivered, whoever the recipient is.
    is_stuck: bool,
    /// Minutes until another mail is sent, if too many were requested.
    wait: Option<u32>,
}

#[derive(Template)]
#[template(path = "link.html")]
struct LinkPage {
    shell: PageLayout,
    link: String,
    is_sign_up: bool,
}

#[derive(Template)]
#[template(path = "welcome.html")]
struct WelcomePage {
    shell: PageLayout,
    api_key: String,
    curl: String,
    /// True if the password was discarded because it was chosen in another browser.
    drops_password: bool,
    /// Path of the authorization request that continues after the sign-in.
    landing: Option<String>,
}

/// Returns the display name of the provider that people may sign in with.
fn provider_label(app: &AppState) -> Option<String> {
    app.provider.as_ref().map(|provider| provider.config.label.clone())
}

#[derive(Deserialize)]
pub(crate) struct DoneQuery {
    pub(crate) done: Option<String>,
}

/// `GET /sign-up`
pub(crate) async fn sign_up_page(State(app): State<Arc<AppState>>, visitor: RequestIdentity) -> Response {
    if visitor.session.is_some() {
        return see_other("/");
    }
    let shell = visitor.shell("Get a free key", "sign-up");
    let (goes_on, provider) = (visitor.landing.is_some(), provider_label(&app));
    visitor.render(&SignUpPage {
        shell,
        email: String::new(),
        fault: None,
        shortest: MIN_CHARACTERS,
        goes_on,
        provider,
    })
}

#[derive(Deserialize)]
pub(crate) struct SignUp {
    email: String,
    password: String,
}

/// `POST /sign-up`: the account is created when the e-mail address is verified.
pub(crate) async fn sign_up(
    State(app): State<Arc<AppState>>,
    CsrfForm { visitor, form }: CsrfForm<SignUp>,
) -> Result<Response, HttpError> {
    let refuse = |fault: String| {
        let shell = visitor.shell("Get a free key", "sign-up");
        let (fault, goes_on) = (Some(fault), visitor.landing.is_some());
        let (email, provider) = (form.email.clone(), provider_label(&app));
        let page = SignUpPage { shell, email, fault, shortest: MIN_CHARACTERS, goes_on, provider };
        with_status(visitor.render(&page), StatusCode::UNPROCESSABLE_ENTITY)
    };
    let email = match Email::parse_public(&form.email) {
        Ok(email) => email,
        Err(HttpError::Invalid(why)) => return Ok(refuse(why)),
        Err(fault) => return Err(fault),
    };
    let asker = attempt_source(&app, &visitor, &email).await?;
    app.rate_limiter.throttle_network(&asker).await?;
    // Hashed even if the address has an account: both cases take as long.
    let hash = match form.password.as_str() {
        "" => None,
        password => match app.passwords.hash(password.to_owned(), email.address.clone()).await? {
            Ok(hash) => Some(hash),
            Err(why) => return Ok(refuse(why)),
        },
    };
    let turn = app.rate_limiter.count_mail(&asker, EmailLinkPurpose::SignUp, &email).await?;
    if turn == MailTurn::Send {
        match app.users.find(&email).await? {
            Some(holder) => mail_sign_in(&app, &email, Some(&holder), true).await?,
            None => send_sign_up_mail(&app, &visitor, &email, hash.as_deref()).await?,
        }
    }
    Ok(sent(&app, &visitor, &email, turn))
}

async fn send_sign_up_mail(
    app: &AppState,
    visitor: &RequestIdentity,
    email: &Email,
    hash: Option<&str>,
) -> Result<(), HttpError> {
    let chosen = hash.map(|hash| PendingPassword { hash, browser_sha256: visitor.browser_sha256() });
    let link = app.email_links.create(EmailLinkPurpose::SignUp, email, chosen).await?;
    let minutes = LINK_TTL.as_secs() / 60;
    let text = format!(
        "Welcome to Limner.\n\nOpen this link to confirm your address and get your key:\n\n{link}\n\nIt works once, \
         within {minutes} minutes. If you did not request it, ignore this mail: no account is created without it.\n"
    );
    app.mailer.send(&email.address, "Your key to Limner", text);
    Ok(())
}

/// Mails a sign-in link to a user. For an address without an account the same work is done, with a link that does not
/// exist.
async fn mail_sign_in(
    app: &AppState,
    email: &Email,
    holder: Option<&User>,
    wanted_account: bool,
) -> Result<(), HttpError> {
    let link = app.email_links.create(EmailLinkPurpose::SignIn, email, None).await?;
    let Some(holder) = holder else { return Ok(()) };
    let minutes = LINK_TTL.as_secs() / 60;
    let why = match wanted_account {
        true => "Somebody, probably you, requested an account for this address. You have one already.",
        false => "Somebody, probably you, requested a link to sign in with this address.",
    };
    let text = format!(
        "{why}\n\nOpen this link to sign in:\n\n{link}\n\nIt works once, within {minutes} minutes. If it was not you, \
         ignore this mail: nobody can sign in without it.\n"
    );
    app.mailer.send(&holder.email, "Sign in to Limner", text);
    Ok(())
}

fn sent(app: &AppState, visitor: &RequestIdentity, email: &Email, turn: MailTurn) -> Response {
    let folder = match &app.config.mail {
        MailConfig::Folder(folder) => Some(folder.display().to_string()),
        MailConfig::Smtp(_) => None,
    };
    let wait = match turn {
        MailTurn::Send => None,
        MailTurn::Wait { minutes } => Some(minutes),
    };
    let (shell, is_stuck) = (visitor.shell("Check your e-mail", ""), app.mailer.is_failing());
    let (email, minutes) = (email.address.clone(), LINK_TTL.as_secs() / 60);
    visitor.render(&SentPage { shell, email, minutes, folder, is_stuck, wait })
}

/// `GET /sign-in`
pub(crate) async fn sign_in_page(
    State(app): State<Arc<AppState>>,
    visitor: RequestIdentity,
    Query(query): Query<DoneQuery>,
) -> Response {
    if visitor.session.is_some() {
        return see_other("/");
    }
    let shell = PageLayout { notice: notice(query.done.as_deref()), ..visitor.shell("Sign in", "sign-in") };
    let (goes_on, provider) = (visitor.landing.is_some(), provider_label(&app));
    visitor.render(&SignInPage { shell, email: String::new(), fault: None, goes_on, provider })
}

#[derive(Deserialize)]
pub(crate) struct SignIn {
    email: String,
    password: String,
}

/// `POST /sign-in`
pub(crate) async fn sign_in(
    State(app): State<Arc<AppState>>,
    CsrfForm { visitor, form }: CsrfForm<SignIn>,
) -> Result<Response, HttpError> {
    let email = Email::parse(&form.email);
    // An invalid e-mail address is counted and checked like one without an account.
    let (asker, key) = match &email {
        Ok(email) => (attempt_source(&app, &visitor, email).await?, email.key.clone()),
        Err(_) => (AttemptSource::Network(visitor.network()), form.email.clone()),
    };
    app.rate_limiter.throttle_sign_in(&asker, &key).await?;
    let holder = match &email {
        Ok(email) => app.users.find(email).await?,
        Err(_) => None,
    };
    let hash = holder.as_ref().and_then(|holder| holder.password_hash.clone());
    let is_right = app.passwords.verify(form.password.clone(), hash).await?;
    match holder {
        Some(holder) if is_right => {
            app.rate_limiter.reset(rate_limit::SIGN_IN, &asker.rate_limit_key(&key)).await?;
            let mut response = redirect_after_sign_in(&visitor);
            start_session(&app, &visitor, &holder.id, "password", &mut response).await?;
            app.audit.record(&holder.account_id, &visitor.client, "signed_in", "with the password").await?;
            Ok(response)
        }
        holder => {
            if let Some(holder) = holder {
                app.audit.record_in_background(
                    holder.account_id,
                    &visitor.client,
                    "sign_in_failed",
                    "another password",
                );
            }
            let fault = Some("Wrong e-mail address or password. You can request a link by e-mail instead.".into());
            let shell = visitor.shell("Sign in", "sign-in");
            let (goes_on, provider) = (visitor.landing.is_some(), provider_label(&app));
            let page = SignInPage { shell, email: form.email, fault, goes_on, provider };
            Ok(with_status(visitor.render(&page), StatusCode::UNPROCESSABLE_ENTITY))
        }
    }
}

#[derive(Deserialize)]
pub(crate) struct SendLink {
    email: String,
}

/// `POST /sign-in/link`
pub(crate) async fn send_link(
    State(app): State<Arc<AppState>>,
    CsrfForm { visitor, form }: CsrfForm<SendLink>,
) -> Result<Response, HttpError> {
    let email = Email::parse(&form.email)?;
    let asker = attempt_source(&app, &visitor, &email).await?;
    app.rate_limiter.throttle_network(&asker).await?;
    let turn = app.rate_limiter.count_mail(&asker, EmailLinkPurpose::SignIn, &email).await?;
    if turn == MailTurn::Send {
        let holder = app.users.find(&email).await?;
        mail_sign_in(&app, &email, holder.as_ref(), false).await?;
    }
    Ok(sent(&app, &visitor, &email, turn))
}

#[derive(Deserialize)]
pub(crate) struct FollowLink {
    link: String,
}

/// `GET /enter`: mail scanners open links too, so opening it changes nothing.
pub(crate) async fn link_page(
    State(app): State<Arc<AppState>>,
    visitor: RequestIdentity,
    Query(query): Query<FollowLink>,
) -> Result<Response, HttpError> {
    let Some(purpose) = app.email_links.peek(&query.link).await? else { return Err(link_expired()) };
    let is_sign_up = purpose == EmailLinkPurpose::SignUp;
    let shell = visitor.shell(if is_sign_up { "Confirm your address" } else { "Sign in" }, "");
    Ok(visitor.render(&LinkPage { shell, link: query.link, is_sign_up }))
}

/// `POST /enter`
pub(crate) async fn follow_link(
    State(app): State<Arc<AppState>>,
    CsrfForm { visitor, form }: CsrfForm<FollowLink>,
) -> Result<Response, HttpError> {
    let link = app.email_links.consume(&form.link).await?.ok_or_else(link_expired)?;
    match link.purpose {
        EmailLinkPurpose::SignUp => create_account(&app, &visitor, link).await,
        EmailLinkPurpose::SignIn => {
            let holder = app.users.find(&Email::parse(&link.email)?).await?.ok_or_else(link_expired)?;
            let mut response = redirect_after_sign_in(&visitor);
            start_session(&app, &visitor, &holder.id, "link", &mut response).await?;
            app.audit.record(&holder.account_id, &visitor.client, "signed_in", "with a link").await?;
            Ok(response)
        }
    }
}

/// Creates the account of a verified sign-up and signs the user in.
async fn create_account(app: &AppState, visitor: &RequestIdentity, mut link: EmailLink) -> Result<Response, HttpError> {
    // Anybody can sign up with somebody else's address. A password chosen by them must not work for the account that
    // the owner of the address confirms.
    let is_asker = link.asker_sha256.as_deref() == Some(&visitor.browser_sha256());
    let drops_password = link.password_hash.is_some() && !is_asker;
    if drops_password {
        link.password_hash = None;
    }
    let Some(holder) = app.users.open_account(&link).await? else { return Err(link_expired()) };
    show_first_key(app, visitor, &holder, drops_password, "link").await
}

/// Shows the first key of a new account, on the only page that ever shows it.
pub(super) async fn show_first_key(
    app: &AppState,
    visitor: &RequestIdentity,
    holder: &User,
    drops_password: bool,
    signed_in_by: &str,
) -> Result<Response, HttpError> {
    let create = v1::CreateKeyRequest {
        account_id: holder.account_id.clone(),
        name: FIRST_KEY_NAME.to_owned(),
        purpose: v1::KeyPurpose::Api.into(),
    };
    let made = app.metering.accounts().create_key(with_trace(create)).await?.into_inner();
    app.audit.record(&holder.account_id, &visitor.client, "signed_up", &holder.email).await?;
    let shell = PageLayout { email: Some(holder.email.clone()), ..visitor.shell("Here is your key", "keys") };
    let curl = curl_line(&app.config, &made.api_key);
    let mut response = visitor.render(&WelcomePage {
        shell,
        api_key: made.api_key,
        curl,
        drops_password,
        landing: visitor.landing.clone(),
    });
    start_session(app, visitor, &holder.id, signed_in_by, &mut response).await?;
    Ok(response)
}

/// Redirects after a sign-in: to the pending authorization request, if there is one.
pub(super) fn redirect_after_sign_in(visitor: &RequestIdentity) -> Response {
    see_other(visitor.landing.as_deref().unwrap_or("/"))
}

/// Returns a curl command that works as it stands.
pub(crate) fn curl_line(config: &Config, key: &str) -> String {
    format!("curl -H 'Authorization: Bearer {key}' '{}/v1/images?url={}'", config.api_url, config.example_page())
}

fn link_expired() -> HttpError {
    HttpError::Invalid(
        "This link has been used or has expired. Request another one on the sign-in page; if you have just signed up, \
         your account exists."
            .to_owned(),
    )
}

/// `POST /sign-out`
pub(crate) async fn sign_out(
    State(app): State<Arc<AppState>>,
    SignedInForm { member, .. }: SignedInForm<EmptyForm>,
) -> Result<Response, HttpError> {
    app.sessions.end(&member.session.holder_id, &member.session.id).await?;
    app.audit.record(&member.session.account_id, &member.visitor.client, "signed_out", "").await?;
    let mut response = see_other("/sign-in?done=signed-out");
    clear_session_cookie(&mut response);
    Ok(response)
}
