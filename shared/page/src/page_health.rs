//! Classifies responses: recognises bot challenges, block pages, login walls, empty pages, and
//! client-rendered pages.
//!
//! In doubt a response counts as the page. A page with enough content is never rejected for a word in it: markers count
//! only on pages with almost no other content, since challenges look like that and articles about them do not.

mod block_page_signatures;
mod captcha_widgets;
mod sign_in_signatures;
mod title_parts;
mod visible_content;

use crate::dom::Document;
use url::Url;
use visible_content::VisibleContent;

/// The facts by which a response is classified.
#[derive(Debug, Clone, Copy)]
pub struct ResponseInfo<'a> {
    /// The HTTP status.
    pub status: u16,
    /// The requested URL.
    pub requested: &'a Url,
    /// The URL after redirects.
    pub url: &'a Url,
    /// Header names in lower case, and values.
    pub headers: &'a [(String, String)],
    /// The markup, decoded.
    pub html: &'a str,
}

/// The classification of a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PageHealth {
    /// The requested page.
    Sound,
    /// A client-rendered page: its scripts create its content, so a browser sees more.
    ClientRendered,
    /// A response in place of the page (a challenge, a block page, …). A browser may still be given the page.
    Refused(NotAPage),
}

/// The reason why a response is not the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotAPage {
    /// A bot challenge of that vendor.
    Challenge(&'static str),
    /// A page that denies access.
    BlockPage,
    /// A sign-in form instead of the page.
    LoginWall,
    /// No content.
    Empty,
}

/// Classifies a response by its parsed markup.
pub fn assess(response: &ResponseInfo<'_>, document: &Document) -> PageHealth {
    let outline = VisibleContent::from_document(document);
    match refusal(response, &outline) {
        Some(refusal) => PageHealth::Refused(refusal),
        None if outline.is_empty() => PageHealth::Refused(NotAPage::Empty),
        None if outline.is_shell() => PageHealth::ClientRendered,
        None => PageHealth::Sound,
    }
}

/// Classifies a page rendered by a browser: elements that scripts have not filled count as empty. Never returns
/// [`PageHealth::ClientRendered`].
pub fn assess_rendered(response: &ResponseInfo<'_>, document: &Document) -> PageHealth {
    let outline = VisibleContent::from_document(document);
    match refusal(response, &outline) {
        Some(refusal) => PageHealth::Refused(refusal),
        None if outline.is_blank() || outline.is_loading_shell() => PageHealth::Refused(NotAPage::Empty),
        None => PageHealth::Sound,
    }
}

fn refusal(response: &ResponseInfo<'_>, outline: &VisibleContent) -> Option<NotAPage> {
    let vendor = block_page_signatures::challenge_in_headers(response)
        .or_else(|| block_page_signatures::challenge_in_markup(response.html, outline))
        .or_else(|| block_page_signatures::standalone_captcha(outline));
    if let Some(vendor) = vendor {
        return Some(NotAPage::Challenge(vendor));
    }
    if block_page_signatures::is_block_page(outline) {
        return Some(NotAPage::BlockPage);
    }
    is_login_wall(response, outline).then_some(NotAPage::LoginWall)
}

/// Hosts of identity providers, which only sign people in.
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

/// Domains of identity providers with one sub-domain for each customer.
const IDENTITY_DOMAINS: &[&str] =
    &[".okta.com", ".auth0.com", ".onelogin.com", ".cloudflareaccess.com", ".b2clogin.com"];

/// Returns true for a bare sign-in form at any URL, or for a sign-in form in response to a request for another page.
fn is_login_wall(response: &ResponseInfo<'_>, outline: &VisibleContent) -> bool {
    if is_sign_in_form(outline) || is_call_to_sign_in(outline) {
        return true;
    }
    if asks_to_sign_in(response.requested) {
        return false;
    }
    let title_asks = || sign_in_signatures::asks_to_sign_in(&outline.title);
    let redirected = response.requested.host_str() != response.url.host_str()
        || response.requested.path().trim_end_matches('/') != response.url.path().trim_end_matches('/');
    if redirected && asks_to_sign_in(response.url) {
        let is_form = outline.password_fields > 0 || (outline.has_little_text() && title_asks());
        return is_identity_host(response.url) || is_form;
    }
    // A start page has other content than its form, even if it is short.
    let is_start = response.requested.path() == "/" && response.requested.query().is_none();
    let asks = || title_asks() || sign_in_signatures::requires_sign_in(&outline.text.to_lowercase());
    !is_start && outline.password_fields > 0 && outline.has_little_text() && asks()
}

/// Maximum number of characters of running text beside a sign-in form: a greeting or a slogan.
const MAX_PROSE: usize = 300;
/// The same limit if only the button names the form's purpose.
const MAX_PROSE_UNNAMED: usize = 20;

/// Returns true if the content is a sign-in form. Sign-up forms, which explain the offer, are pages.
fn is_sign_in_form(outline: &VisibleContent) -> bool {
    let is_named =
        sign_in_signatures::asks_to_sign_in(&outline.title) || sign_in_signatures::asks_to_sign_in(&outline.heading);
    let is_small = outline.has_little_text() && outline.links <= 12 && outline.media <= 8 && outline.fields <= 4;
    if !is_small || outline.new_password || outline.password_fields > 1 || (!is_named && invites_sign_up(outline)) {
        return false;
    }
    if outline.password_fields == 0 {
        return outline.prose < MAX_PROSE && starts_sign_in(outline);
    }
    if is_named && !outline.password_in_margin {
        return outline.prose < MAX_PROSE;
    }
    let goes_on = outline.password_in_margin || outline.heading_after_password || outline.media > 2;
    let is_said = outline.actions.iter().any(|action| sign_in_signatures::asks_to_sign_in(action));
    let most_prose = if is_said { MAX_PROSE_UNNAMED } else { 1 };
    !goes_on && outline.prose < most_prose
}

/// Returns true for a sign-in form without a password field: an identity field first, or buttons of identity providers.
fn starts_sign_in(outline: &VisibleContent) -> bool {
    let any_action = |is: fn(&str) -> bool| outline.actions.iter().any(|action| is(action));
    let asks_who = outline.fields <= 2 && outline.identity_fields > 0;
    let is_named = sign_in_signatures::starts_with_sign_in(&outline.title)
        || sign_in_signatures::starts_with_sign_in(&outline.heading);
    let goes_on = || outline.actions.is_empty() || any_action(sign_in_signatures::is_two_step_sign_in);
    is_named && ((asks_who && goes_on()) || any_action(sign_in_signatures::names_identity_provider))
}

fn invites_sign_up(outline: &VisibleContent) -> bool {
    let asks_to_sign_in = || outline.actions.iter().any(|action| sign_in_signatures::asks_to_sign_in(action));
    let action_offers = || outline.actions.iter().any(|action| sign_in_signatures::asks_to_sign_up(action));
    sign_in_signatures::asks_to_sign_up(&outline.title)
        || sign_in_signatures::asks_to_sign_up(&outline.heading)
        || (action_offers() && !asks_to_sign_in())
}

/// Returns true if a sentence that requires sign-in, with a way to do so, replaces the content.
fn is_call_to_sign_in(outline: &VisibleContent) -> bool {
    let is_small = outline.count_letters() < 400 && outline.elements < 60 && outline.links <= 6 && outline.media <= 5;
    let has_way = || {
        outline.links_to_sign_in
            || outline.password_fields + outline.identity_fields > 0
            || outline.actions.iter().any(|action| sign_in_signatures::asks_to_sign_in(action))
    };
    let is_told = || outline.lines.iter().take(8).any(|line| sign_in_signatures::requires_sign_in(line));
    is_small && outline.fields <= 3 && outline.prose < 80 && has_way() && is_told()
}

fn asks_to_sign_in(url: &Url) -> bool {
    let first_label = url.host_str().and_then(|host| host.split('.').next()).unwrap_or_default();
    is_identity_host(url)
        || matches!(first_label, "login" | "signin" | "auth" | "sso" | "accounts")
        || url.path_segments().is_some_and(|mut segments| segments.any(sign_in_signatures::is_login_segment))
}

fn is_identity_host(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    IDENTITY_HOSTS.contains(&host) || IDENTITY_DOMAINS.iter().any(|domain| host.ends_with(domain))
}

#[cfg(test)]
mod tests;
