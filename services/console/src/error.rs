//! Errors of the service and of requests; [`crate::error_page`] shows the latter to users.

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
pub(crate) enum HttpError {
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

impl From<StoreError> for HttpError {
    fn from(cause: StoreError) -> Self {
        Self::Unavailable(cause.to_string())
    }
}

impl From<tonic::Status> for HttpError {
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
