//! The layout of every page, and rendering to a response.

use crate::assets;
use crate::legal::LegalLinks;
use crate::security_headers::PageKind;
use askama::Template;
use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};
use std::borrow::Cow;

/// The layout of a page.
#[derive(Debug, Clone)]
pub(crate) struct PageLayout {
    /// Title of the document, and its heading.
    pub(crate) title: Cow<'static, str>,
    /// Entry of the navigation that the page belongs to.
    pub(crate) section: &'static str,
    /// E-mail address of the signed-in user.
    pub(crate) email: Option<String>,
    /// CSRF token for the forms of the page.
    pub(crate) form_token: String,
    /// Message about an action that was just completed.
    pub(crate) notice: Option<&'static str>,
    /// The operator's texts that the page links to.
    pub(crate) legal: LegalLinks,
}

impl PageLayout {
    /// Returns the layout of a page without user and forms.
    pub(crate) fn anonymous(title: &'static str) -> Self {
        Self {
            title: title.into(),
            section: "",
            email: None,
            form_token: String::new(),
            notice: None,
            legal: LegalLinks::default(),
        }
    }

    /// Returns the URL of a static file.
    pub(crate) fn asset(&self, name: &str) -> String {
        assets::address(name)
    }

    /// Returns the value of `aria-current`.
    pub(crate) fn current(&self, section: &str) -> &'static str {
        if self.section == section { "page" } else { "false" }
    }
}

/// Renders a template to a response.
pub(crate) fn render(page: &impl Template, kind: PageKind) -> Response {
    let html = match page.render() {
        Ok(html) => html,
        Err(cause) => {
            tracing::error!(error = %cause, "cannot render a template");
            return (StatusCode::INTERNAL_SERVER_ERROR, "This page could not be rendered.").into_response();
        }
    };
    let mut response = html.into_response();
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    response.extensions_mut().insert(kind);
    response
}

/// Returns the message for the key in `?done=`: only messages of this list are ever shown.
pub(crate) fn notice(word: Option<&str>) -> Option<&'static str> {
    Some(match word? {
        "signed-out" => "You have signed out.",
        "closed" => "Your account is closed. Its keys no longer work.",
        "key-revoked" => "The key is revoked. It no longer works.",
        "overage-on" => "Overage billing is on.",
        "overage-off" => "Overage billing is off: calls stop at the quota.",
        "plan-changed" => "The plan is in effect. Your keys stay as they are.",
        "plan-scheduled" => "The change is scheduled. It takes effect at the end of the current billing period.",
        "plan-kept" => "Your plan stays as it is.",
        "ordered" => "The order is placed. It takes effect as soon as it is approved or paid.",
        "withdrawn" => "The order is withdrawn. Its credits are taken back, and what you paid is refunded.",
        "paid" => "Thank you. Your order takes effect as soon as the payment is confirmed.",
        "not-paid" => "Nothing was paid and nothing has changed.",
        "password-changed" => {
            "The password is changed. Other sessions have ended, and connected clients have to ask again."
        }
        "session-ended" => "The session has ended.",
        "sessions-ended" => "All other sessions have ended.",
        "disconnected" => "The client is disconnected. It can no longer act on your behalf.",
        "playground-revoked" => "The playground's key is revoked. The next call creates a new one.",
        _ => return None,
    })
}
