//! Who sends a request: somebody who has signed in, or anybody.

use crate::address::ClientAddress;
use crate::app::App;
use crate::csrf;
use crate::devices::DEVICE_COOKIE;
use crate::error::Fault;
use crate::oauth::landing_of;
use crate::page::{self, Shell};
use crate::policy::PageKind;
use crate::sessions::Session;
use crate::token;
use askama::Template;
use axum::extract::FromRequestParts;
use axum::response::Response;
use http::request::Parts;
use http::{HeaderMap, HeaderValue, header};
use std::sync::Arc;

/// The cookie of a session.
pub(crate) const SESSION_COOKIE: &str = "__Host-limner_session";
/// The cookie that forms of visitors without a session are bound to.
const FORM_COOKIE: &str = "__Host-limner_form";
/// A form may lie open that long.
const FORM_COOKIE_SECONDS: u64 = 24 * 60 * 60;
const LONGEST_AGENT: usize = 200;

/// Anybody.
#[derive(Debug, Clone)]
pub(crate) struct Visitor {
    /// Their session, if it still lasts.
    pub(crate) session: Option<Session>,
    /// Where the request comes from.
    pub(crate) address: ClientAddress,
    /// What their browser calls itself.
    pub(crate) agent: String,
    /// What they came for before they signed in, as a path of ours.
    pub(crate) landing: Option<String>,
    /// The token of a browser that somebody has signed in with, as it says.
    pub(crate) device_token: Option<String>,
    /// What their forms are bound to.
    secret: String,
    /// Whether their browser does not know the secret yet.
    is_new: bool,
}

impl FromRequestParts<Arc<App>> for Visitor {
    type Rejection = Fault;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Fault> {
        if let Some(known) = parts.extensions.get::<Self>() {
            return Ok(known.clone());
        }
        let token = cookie(&parts.headers, SESSION_COOKIE);
        let session = match token {
            Some(token) => app.session(token).await?,
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
            address: ClientAddress::of(parts, app.config.client_address_header.as_deref()),
            agent: text(&parts.headers, header::USER_AGENT).chars().take(LONGEST_AGENT).collect(),
            landing: landing_of(&parts.headers),
            device_token: cookie(&parts.headers, DEVICE_COOKIE).map(str::to_owned),
            secret,
            is_new,
        };
        parts.extensions.insert(visitor.clone());
        Ok(visitor)
    }
}

impl Visitor {
    /// The frame of a page for them.
    pub(crate) fn shell(&self, title: &'static str, section: &'static str) -> Shell {
        Shell {
            title,
            section,
            email: self.session.as_ref().map(|session| session.email.clone()),
            form_token: csrf::form_token(&self.secret),
            notice: None,
        }
    }

    /// The network they come from: what tries are counted by.
    pub(crate) fn network(&self) -> String {
        self.address.network()
    }

    /// What tells their browser from all others; no secret.
    pub(crate) fn browser_sha256(&self) -> [u8; 32] {
        token::sha256_of(&[b"browser", self.secret.as_bytes()])
    }

    /// Whether a form with that token is from a page that was made for them.
    pub(crate) fn owns(&self, form_token: &str) -> bool {
        !self.is_new && csrf::is_own_token(&self.secret, form_token)
    }

    /// A page for them. Their browser learns what its forms are bound to.
    pub(crate) fn show(&self, page: &impl Template) -> Response {
        self.show_as(page, PageKind::Plain)
    }

    /// As [`Self::show`], under another policy.
    pub(crate) fn show_as(&self, page: &impl Template, kind: PageKind) -> Response {
        let mut response = page::render(page, kind);
        if self.is_new && self.session.is_none() {
            set_cookie(&mut response, FORM_COOKIE, &self.secret, FORM_COOKIE_SECONDS);
        }
        response
    }
}

/// Somebody who has signed in.
#[derive(Debug, Clone)]
pub(crate) struct Member {
    pub(crate) visitor: Visitor,
    pub(crate) session: Session,
}

impl FromRequestParts<Arc<App>> for Member {
    type Rejection = Fault;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Fault> {
        Visitor::from_request_parts(parts, app).await?.member()
    }
}

impl Visitor {
    /// # Errors
    /// They have not signed in.
    pub(crate) fn member(self) -> Result<Member, Fault> {
        let session = self.session.clone().ok_or(Fault::SignInFirst)?;
        Ok(Member { visitor: self, session })
    }
}

impl Member {
    /// The frame of a page, with what `?done=` says.
    pub(crate) fn shell(&self, title: &'static str, section: &'static str, done: Option<&str>) -> Shell {
        Shell { notice: page::notice(done), ..self.visitor.shell(title, section) }
    }

    /// Their account.
    pub(crate) fn account_id(&self) -> String {
        self.session.account_id.clone()
    }
}

/// Sets a cookie that only this host gets, over TLS or on this machine, and no script reads.
pub(crate) fn set_cookie(response: &mut Response, name: &str, value: &str, seconds: u64) {
    let cookie = format!("{name}={value}; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age={seconds}");
    if let Ok(cookie) = HeaderValue::from_str(&cookie) {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
}

/// The value of a cookie.
pub(crate) fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let lines = headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
    let mut pairs = lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(given, value)| *given == name && !value.is_empty()).map(|(_, value)| value)
}

fn text(headers: &HeaderMap, name: header::HeaderName) -> &str {
    headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cookies_are_found() {
        let mut headers = HeaderMap::new();
        headers.append(header::COOKIE, HeaderValue::from_static("a=1; __Host-limner_session=abc"));
        headers.append(header::COOKIE, HeaderValue::from_static("b=; c=d=e"));
        for (name, value) in
            [("a", Some("1")), (SESSION_COOKIE, Some("abc")), ("b", None), ("c", Some("d=e")), ("x", None)]
        {
            assert_eq!(cookie(&headers, name), value, "{name}");
        }
    }
}
