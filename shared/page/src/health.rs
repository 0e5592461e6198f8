//! Whether what a server sent is the page a visitor came for: recognises bot challenges, block pages, login walls, empty
//! pages, and shells that only scripts fill.
//!
//! Errs on the side of the page. A page that reads well is never refused because of a word on it: markers count only
//! where a page says next to nothing else, since that is what challenges look like and articles about them do not.

mod outline;
mod signatures;

use crate::dom::Document;
use outline::Outline;
use url::Url;

/// What a response is judged by.
#[derive(Debug, Clone, Copy)]
pub struct Response<'a> {
    /// The HTTP status.
    pub status: u16,
    /// The address that was asked for.
    pub requested: &'a Url,
    /// The address after redirects.
    pub url: &'a Url,
    /// Header names in lower case, and values.
    pub headers: &'a [(String, String)],
    /// The markup, decoded.
    pub html: &'a str,
}

/// What the response turned out to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Health {
    /// The page.
    Sound,
    /// A shell that scripts fill: a browser sees more.
    ClientRendered,
    /// Not the page; a browser may still get it.
    Refused(Refusal),
}

/// Why a response is not the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// A bot challenge of that vendor.
    Challenge(&'static str),
    /// A page that says that access is denied.
    BlockPage,
    /// A form to sign in, instead of the page.
    LoginWall,
    /// Nothing at all.
    Empty,
}

/// Judges a response and its parsed markup.
pub fn assess(response: &Response<'_>, document: &Document) -> Health {
    if let Some(vendor) = signatures::challenge_in_headers(response) {
        return Health::Refused(Refusal::Challenge(vendor));
    }
    let outline = Outline::of(document);
    if let Some(vendor) = signatures::challenge_in_markup(response.html, &outline) {
        return Health::Refused(Refusal::Challenge(vendor));
    }
    if signatures::is_block_page(&outline) {
        return Health::Refused(Refusal::BlockPage);
    }
    if is_login_wall(response, &outline) {
        return Health::Refused(Refusal::LoginWall);
    }
    if outline.is_empty() {
        return Health::Refused(Refusal::Empty);
    }
    if outline.is_shell() { Health::ClientRendered } else { Health::Sound }
}

/// Path segments of sign-in pages.
const LOGIN_SEGMENTS: &[&str] = &[
    "login",
    "log-in",
    "log_in",
    "signin",
    "sign-in",
    "sign_in",
    "authwall",
    "sso",
    "wp-login.php",
    "servicelogin",
    "login.php",
    "login.aspx",
    "login.html",
    "oauth",
    "oauth2",
    "authorize",
    "saml",
    "saml2",
    "auth",
    "session",
];

/// Hosts that do nothing but sign people in.
const IDENTITY_HOSTS: &[&str] = &[
    "accounts.google.com",
    "login.microsoftonline.com",
    "login.live.com",
    "login.yahoo.com",
    "appleid.apple.com",
    "idmsa.apple.com",
    "login.salesforce.com",
    "id.atlassian.com",
];

/// Domains whose sub-domains sign people in for others.
const IDENTITY_DOMAINS: &[&str] =
    &[".okta.com", ".auth0.com", ".onelogin.com", ".cloudflareaccess.com", ".b2clogin.com"];

/// A form to sign in that stands where something else was asked for. A sign-in page that was asked for is a page.
fn is_login_wall(response: &Response<'_>, outline: &Outline) -> bool {
    if asks_to_sign_in(response.requested) {
        return false;
    }
    let redirected = response.requested.host_str() != response.url.host_str()
        || response.requested.path().trim_end_matches('/') != response.url.path().trim_end_matches('/');
    if redirected && asks_to_sign_in(response.url) {
        let is_form = outline.password_fields > 0 || (outline.is_sparse() && outline.title_asks_to_sign_in());
        return is_identity_host(response.url) || is_form;
    }
    // Without a redirect only a page that holds nothing but the form is taken for a wall; a start page is taken as it is.
    let is_start = response.requested.path() == "/" && response.requested.query().is_none();
    let asks = || outline.title_asks_to_sign_in() || outline.text_asks_to_sign_in_first();
    !is_start && outline.password_fields > 0 && outline.is_sparse() && asks()
}

fn asks_to_sign_in(url: &Url) -> bool {
    let names_it = |segment: &str| LOGIN_SEGMENTS.iter().any(|known| segment.eq_ignore_ascii_case(known));
    let first_label = url.host_str().and_then(|host| host.split('.').next()).unwrap_or_default();
    is_identity_host(url)
        || matches!(first_label, "login" | "signin" | "auth" | "sso" | "accounts")
        || url.path_segments().is_some_and(|mut segments| segments.any(names_it))
}

fn is_identity_host(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    IDENTITY_HOSTS.contains(&host) || IDENTITY_DOMAINS.iter().any(|domain| host.ends_with(domain))
}

#[cfg(test)]
mod tests;
