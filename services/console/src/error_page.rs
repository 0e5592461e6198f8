//! Error pages: the status and the text for the user of every failed request, and the log line for the operator.

use crate::error::HttpError;
use crate::layout::{PageLayout, render};
use crate::response::{see_other, with_status};
use crate::security_headers::PageKind;
use askama::Template;
use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};

/// An error page.
#[derive(Template)]
#[template(path = "error.html")]
struct ErrorPage {
    shell: PageLayout,
    text: String,
}

impl IntoResponse for HttpError {
    fn into_response(self) -> Response {
        let (status, title, text) = match self {
            Self::Unauthenticated => return see_other("/sign-in"),
            Self::NotFound => (
                StatusCode::NOT_FOUND,
                "Page not found",
                "The address may be mistyped, or the page was deleted or belongs to another account.".to_owned(),
            ),
            Self::CsrfRejected(why) => {
                tracing::info!(form.reason = why, "form rejected");
                let text = "The form is too old, or came from another site. Go back, reload the page and submit the form again.";
                (StatusCode::FORBIDDEN, "This form is not valid", text.to_owned())
            }
            Self::Invalid(text) => (StatusCode::BAD_REQUEST, "That does not work", text),
            Self::Conflict(text) => (StatusCode::CONFLICT, "That does not work", sentence(&text)),
            Self::RateLimited(seconds) => {
                let minutes = seconds.div_ceil(60);
                let text = format!("There were too many attempts. Wait {minutes} min and try again.");
                let mut response = page(StatusCode::TOO_MANY_REQUESTS, "Too many attempts", &text);
                response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
                return response;
            }
            Self::Unavailable(cause) => {
                tracing::error!(error = cause, "cannot serve a page");
                let text = "One of our services is unavailable. Unless another page says otherwise, nothing was changed. \
                            Try again in a moment.";
                (StatusCode::SERVICE_UNAVAILABLE, "We’re having trouble right now", text.to_owned())
            }
        };
        page(status, title, &text)
    }
}

fn page(status: StatusCode, title: &'static str, text: &str) -> Response {
    let body = ErrorPage { shell: PageLayout::anonymous(title), text: text.to_owned() };
    with_status(render(&body, PageKind::Plain), status)
}

/// Formats another service's message as a sentence, with a capital letter and a full stop.
fn sentence(text: &str) -> String {
    let mut characters = text.chars();
    let first = characters.next().map(char::to_uppercase).into_iter().flatten();
    let end = if text.ends_with(['.', '!', '?']) { "" } else { "." };
    format!("{}{}{end}", first.collect::<String>(), characters.as_str())
}
