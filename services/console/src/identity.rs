//! The identity of a request's sender: a visitor, possibly signed in.

use crate::client_info::ClientInfo;
use crate::cookies::{DEVICE_COOKIE, SESSION_COOKIE, cookie, set_cookie};
use crate::csrf;
use crate::error::HttpError;
use crate::layout::{self, PageLayout};
use crate::legal::LegalLinks;
use crate::oauth::pending_authorization::pending_path;
use crate::security_headers::PageKind;
use crate::sessions::Session;
use crate::state::AppState;
use crate::token;
use askama::Template;
use axum::extract::FromRequestParts;
use axum::response::Response;
use http::request::Parts;
use std::borrow::Cow;
use std::sync::Arc;

/// Name of the cookie that binds the forms of visitors without a session.
const FORM_COOKIE: &str = "__Host-limner_form";
/// Lifetime of a form in seconds.
const FORM_COOKIE_SECONDS: u64 = 24 * 60 * 60;

/// A visitor, signed in or not.
#[derive(Debug, Clone)]
pub(crate) struct RequestIdentity {
    /// The session, if it has not ended.
    pub(crate) session: Option<Session>,
    /// The client's address and user agent.
    pub(crate) client: ClientInfo,
    /// Path of the authorization request that continues after the sign-in.
    pub(crate) landing: Option<String>,
    /// The device cookie, unverified.
    pub(crate) device_token: Option<String>,
    /// The operator's texts that pages link to.
    legal: LegalLinks,
    /// The secret that the visitor's forms are bound to.
    secret: String,
    /// True if the browser does not have the secret yet.
    is_new: bool,
}

impl FromRequestParts<Arc<AppState>> for RequestIdentity {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<AppState>) -> Result<Self, HttpError> {
        if let Some(known) = parts.extensions.get::<Self>() {
            return Ok(known.clone());
        }
        let token = cookie(&parts.headers, SESSION_COOKIE);
        let session = match token {
            Some(token) => app.sessions.load(token).await?,
            None => None,
        };
        let form_secret = cookie(&parts.headers, FORM_COOKIE);
        let (secret, is_new) = match (&session, token, form_secret) {
            (Some(_), Some(token), _) => (token.to_owned(), false),
            (_, _, Some(secret)) => (secret.to_owned(), false),
            _ => (token::new_token(), true),
        };
        let visitor = Self {
            session,
            client: ClientInfo::from_request(parts, app.config.client_address_header.as_deref()),
            landing: pending_path(&parts.headers),
            device_token: cookie(&parts.headers, DEVICE_COOKIE).map(str::to_owned),
            legal: app.legal.links(),
            secret,
            is_new,
        };
        parts.extensions.insert(visitor.clone());
        Ok(visitor)
    }
}

impl RequestIdentity {
    /// Returns the layout of a page for this visitor.
    pub(crate) fn shell(&self, title: impl Into<Cow<'static, str>>, section: &'static str) -> PageLayout {
        PageLayout {
            title: title.into(),
            section,
            email: self.session.as_ref().map(|session| session.email.clone()),
            form_token: csrf::form_token(&self.secret),
            notice: None,
            legal: self.legal,
        }
    }

    /// Returns the client's network, which attempts are counted by.
    pub(crate) fn network(&self) -> String {
        self.client.address.network()
    }

    /// Returns a hash that identifies the browser; not secret.
    pub(crate) fn browser_sha256(&self) -> [u8; 32] {
        token::sha256_of(&[b"browser", self.secret.as_bytes()])
    }

    /// Returns true if a form with that token comes from a page that was rendered for this visitor.
    pub(crate) fn owns_form(&self, form_token: &str) -> bool {
        !self.is_new && csrf::is_own_token(&self.secret, form_token)
    }

    /// Renders a page, and sets the cookie that its forms are bound to if it is missing.
    pub(crate) fn render(&self, page: &impl Template) -> Response {
        self.show_as(page, PageKind::Plain)
    }

    /// Like [`Self::render`], with another policy.
    pub(crate) fn show_as(&self, page: &impl Template, kind: PageKind) -> Response {
        let mut response = layout::render(page, kind);
        if self.is_new && self.session.is_none() {
            set_cookie(&mut response, FORM_COOKIE, &self.secret, FORM_COOKIE_SECONDS);
        }
        response
    }
}

/// A signed-in user.
#[derive(Debug, Clone)]
pub(crate) struct SignedInUser {
    pub(crate) visitor: RequestIdentity,
    pub(crate) session: Session,
}

impl FromRequestParts<Arc<AppState>> for SignedInUser {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<AppState>) -> Result<Self, HttpError> {
        RequestIdentity::from_request_parts(parts, app).await?.member()
    }
}

impl RequestIdentity {
    /// # Errors
    /// The visitor has not signed in.
    pub(crate) fn member(self) -> Result<SignedInUser, HttpError> {
        let session = self.session.clone().ok_or(HttpError::Unauthenticated)?;
        Ok(SignedInUser { visitor: self, session })
    }
}

impl SignedInUser {
    /// Returns the layout of a page, with the message for `?done=`.
    pub(crate) fn shell(&self, title: &'static str, section: &'static str, done: Option<&str>) -> PageLayout {
        PageLayout { notice: layout::notice(done), ..self.visitor.shell(title, section) }
    }

    /// Returns the id of the user's account.
    pub(crate) fn account_id(&self) -> String {
        self.session.account_id.clone()
    }
}
