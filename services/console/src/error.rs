//! Errors, with texts for the user and for the operator.

use crate::layout::{ErrorPage, PageLayout};
use crate::security_headers::PageKind;
use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};
use limner_store::StoreError;
use std::net::SocketAddr;
use tonic::Code;

/// A failure to start or run the console.
#[derive(Debug, thiserror::Error)]
pub enum ConsoleError {
    /// Cannot listen on the address.
    #[error("cannot listen on {address}: {cause}")]
    Listen {
        /// The configured address.
        address: SocketAddr,
        /// The operating system's error.
        cause: std::io::Error,
    },
    /// A setting is invalid.
    #[error("{0}")]
    Config(String),
}

/// A failed request.
#[derive(Debug)]
pub(crate) enum Fault {
    /// The resource does not exist, or belongs to another account.
    NotFound,
    /// The page requires a sign-in.
    Unauthenticated,
    /// The form was not sent by one of our pages.
    CsrfRejected(&'static str),
    /// The request is invalid.
    Invalid(String),
    /// Too many attempts; the seconds until the next one.
    RateLimited(u32),
    /// Another service rejected the request, with a text for the user.
    Conflict(String),
    /// One of our services is unavailable.
    Unavailable(String),
}

impl From<StoreError> for Fault {
    fn from(cause: StoreError) -> Self {
        Self::Unavailable(cause.to_string())
    }
}

impl From<tonic::Status> for Fault {
    fn from(status: tonic::Status) -> Self {
        match status.code() {
            Code::NotFound => Self::NotFound,
            Code::InvalidArgument | Code::FailedPrecondition | Code::AlreadyExists => {
                Self::Conflict(status.message().to_owned())
            }
            code => Self::Unavailable(format!("metering: {code:?}: {}", status.message())),
        }
    }
}

impl IntoResponse for Fault {
    fn into_response(self) -> Response {
        let (status, title, text) = match self {
            Self::Unauthenticated => return see_other("/sign-in"),
            Self::NotFound => (
                StatusCode::NOT_FOUND,
                "Page not found",
                "The address may be mistyped, or the page was deleted or belongs to another account.".to_owned(),
            ),
            Self::CsrfRejected(why) => {
                tracing::info!(refusal = why, "form rejected");
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
    let mut response = crate::layout::render(&body, PageKind::Plain);
    *response.status_mut() = status;
    response
}

/// Formats another service's message as a sentence, with a capital letter and a full stop.
fn sentence(text: &str) -> String {
    let mut characters = text.chars();
    let first = characters.next().map(char::to_uppercase).into_iter().flatten();
    let end = if text.ends_with(['.', '!', '?']) { "" } else { "." };
    format!("{}{}{end}", first.collect::<String>(), characters.as_str())
}

/// Returns the redirect after a form.
pub(crate) fn see_other(to: &str) -> Response {
    let location = HeaderValue::from_str(to).unwrap_or(HeaderValue::from_static("/"));
    (StatusCode::SEE_OTHER, [(header::LOCATION, location)]).into_response()
}
