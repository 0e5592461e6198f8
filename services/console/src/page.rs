//! What every page has: its frame, and how it becomes a response.

use crate::assets;
use crate::policy::PageKind;
use askama::Template;
use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};

/// The frame around a page.
#[derive(Debug, Clone)]
pub(crate) struct Shell {
    /// Of the document, and its heading.
    pub(crate) title: &'static str,
    /// Which entry of the navigation it belongs to.
    pub(crate) section: &'static str,
    /// Who has signed in.
    pub(crate) email: Option<String>,
    /// For the forms of the page.
    pub(crate) form_token: String,
    /// What has just been done.
    pub(crate) notice: Option<&'static str>,
}

impl Shell {
    /// For a page that knows nobody and has no form.
    pub(crate) fn anonymous(title: &'static str) -> Self {
        Self { title, section: "", email: None, form_token: String::new(), notice: None }
    }

    /// The address of a file that belongs to the pages.
    pub(crate) fn asset(&self, name: &str) -> String {
        assets::address(name)
    }

    /// For `aria-current`.
    pub(crate) fn current(&self, section: &str) -> &'static str {
        if self.section == section { "page" } else { "false" }
    }
}

/// Whatever went wrong.
#[derive(Template)]
#[template(path = "error.html")]
pub(crate) struct ErrorPage {
    pub(crate) shell: Shell,
    pub(crate) text: String,
}

/// A template as a response.
pub(crate) fn render(page: &impl Template, kind: PageKind) -> Response {
    let html = match page.render() {
        Ok(html) => html,
        Err(cause) => {
            tracing::error!(error = %cause, "a template failed");
            return (StatusCode::INTERNAL_SERVER_ERROR, "This page could not be made.").into_response();
        }
    };
    let mut response = html.into_response();
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    response.extensions_mut().insert(kind);
    response
}

/// What a page says was done, by the word in `?done=`: only words of this list are ever shown.
pub(crate) fn notice(word: Option<&str>) -> Option<&'static str> {
    Some(match word? {
        "signed-out" => "You have signed out.",
        "closed" => "Your account is closed. Its keys no longer work.",
        "key-revoked" => "The key is revoked. It works nowhere any more.",
        "overage-on" => "Overage billing is on.",
        "overage-off" => "Overage billing is off: calls stop at the quota.",
        "plan-changed" => "The plan is in effect. Your keys stay as they are.",
        "plan-scheduled" => "The change is noted. It takes effect with the end of what is paid for.",
        "plan-kept" => "Your plan stays as it is.",
        "ordered" => "The order is placed. It takes effect as soon as it is approved or paid.",
        "paid" => "Thank you. What you ordered takes effect as soon as the payment is confirmed.",
        "not-paid" => "Nothing was paid and nothing has changed.",
        "password-changed" => {
            "The password is changed. Other sessions have ended, and connected clients have to ask again."
        }
        "session-ended" => "The session has ended.",
        "sessions-ended" => "All other sessions have ended.",
        "disconnected" => "The client is disconnected. It can do nothing in your name any more.",
        "playground-revoked" => "The playground's key is revoked. The next call makes a new one.",
        _ => return None,
    })
}
