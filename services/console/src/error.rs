//! What goes wrong, for the person who asked and for the operator.

use crate::page::{ErrorPage, Shell};
use crate::policy::PageKind;
use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};
use limner_store::StoreError;
use std::net::SocketAddr;
use tonic::Code;

/// What keeps the console from standing.
#[derive(Debug, thiserror::Error)]
pub enum ConsoleError {
    /// The address cannot be listened on.
    #[error("cannot listen on {address}: {cause}")]
    Listen {
        /// The configured address.
        address: SocketAddr,
        /// The operating system's answer.
        cause: std::io::Error,
    },
    /// A setting makes no sense.
    #[error("{0}")]
    Config(String),
}

/// Why a request is not answered with what was asked for.
#[derive(Debug)]
pub(crate) enum Fault {
    /// There is nothing, or nothing of theirs.
    NotFound,
    /// Only for those who have signed in.
    SignInFirst,
    /// The form did not come from a page of ours.
    Forged(&'static str),
    /// The request makes no sense.
    Invalid(String),
    /// Too many tries; seconds until the next.
    Throttled(u32),
    /// What others refused, in words for the caller.
    Refused(String),
    /// Something of ours does not answer.
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
                Self::Refused(status.message().to_owned())
            }
            code => Self::Unavailable(format!("metering: {code:?}: {}", status.message())),
        }
    }
}

impl IntoResponse for Fault {
    fn into_response(self) -> Response {
        let (status, title, text) = match self {
            Self::SignInFirst => return see_other("/sign-in"),
            Self::NotFound => (
                StatusCode::NOT_FOUND,
                "There is nothing here",
                "The address may be mistyped, or what it named is gone or belongs to another account.".to_owned(),
            ),
            Self::Forged(why) => {
                tracing::info!(refusal = why, "a form was refused");
                let text =
                    "The form is too old, or came from another site. Go back, load the page again and repeat it.";
                (StatusCode::FORBIDDEN, "That did not come from this page", text.to_owned())
            }
            Self::Invalid(text) => (StatusCode::BAD_REQUEST, "That does not work", text),
            Self::Refused(text) => (StatusCode::CONFLICT, "That does not work", sentence(&text)),
            Self::Throttled(seconds) => {
                let minutes = seconds.div_ceil(60);
                let text = format!("There were too many tries. Wait {minutes} min and try again.");
                let mut response = page(StatusCode::TOO_MANY_REQUESTS, "Wait a little", &text);
                response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
                return response;
            }
            Self::Unavailable(cause) => {
                tracing::error!(error = cause, "a page could not be made");
                let text = "Something of ours does not answer. Nothing was changed unless it says so elsewhere; try \
                            again in a moment.";
                (StatusCode::SERVICE_UNAVAILABLE, "One moment", text.to_owned())
            }
        };
        page(status, title, &text)
    }
}

fn page(status: StatusCode, title: &'static str, text: &str) -> Response {
    let body = ErrorPage { shell: Shell::anonymous(title), text: text.to_owned() };
    let mut response = crate::page::render(&body, PageKind::Plain);
    *response.status_mut() = status;
    response
}

/// As others put it, with a capital and a full stop.
fn sentence(text: &str) -> String {
    let mut characters = text.chars();
    let first = characters.next().map(char::to_uppercase).into_iter().flatten();
    let end = if text.ends_with(['.', '!', '?']) { "" } else { "." };
    format!("{}{}{end}", first.collect::<String>(), characters.as_str())
}

/// A redirect after a form.
pub(crate) fn see_other(to: &str) -> Response {
    let location = HeaderValue::from_str(to).unwrap_or(HeaderValue::from_static("/"));
    (StatusCode::SEE_OTHER, [(header::LOCATION, location)]).into_response()
}
