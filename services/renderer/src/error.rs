//! Errors of a visit: for the caller with advice on what to do next, for the operator in full.

use crate::cdp::CdpError;
use limner_page_worker::{PageError, ReadMethod, ReadingError};
use limner_proto::v1;
use limner_types::ErrorCode;
use thiserror::Error;

/// The reason why there is no snapshot. `Display` is for the operator, [`VisitError::message`] for the caller.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum VisitError {
    /// There is no browser.
    #[error("no browser")]
    NoBrowser,
    /// The browser died or stopped responding: another one may succeed.
    #[error("the browser is gone: {0}")]
    BrowserGone(String),
    /// The page's own process died.
    #[error("the page crashed")]
    Crashed,
    /// The target cannot be reached.
    #[error("unreachable: {code}: {message}")]
    Unreachable {
        /// The stable error code.
        code: ErrorCode,
        /// Message for the caller.
        message: String,
    },
    /// The response is not the page.
    #[error(transparent)]
    Page(#[from] PageError),
    /// The page did not arrive, or was never stable long enough to be read, within the time limit.
    #[error("out of time {0}")]
    OutOfTime(&'static str),
    /// The fleet reads as many pages of the site as it may.
    #[error("waited too long for other reads of the site")]
    SiteBusy,
    /// The job, or its browser, waited for so long that the page had less time than it may have.
    #[error("waited too long for other pages")]
    Waited,
    /// An internal error.
    #[error("the visit failed: {0}")]
    Internal(String),
}

impl From<CdpError> for VisitError {
    fn from(cause: CdpError) -> Self {
        match cause {
            CdpError::BrowserGone => Self::BrowserGone(cause.to_string()),
            CdpError::Timeout(_) => Self::OutOfTime("waiting for the page"),
            CdpError::Refused { .. } | CdpError::UnexpectedResponse { .. } => Self::Internal(cause.to_string()),
        }
    }
}

impl From<ReadingError> for VisitError {
    fn from(cause: ReadingError) -> Self {
        match cause {
            ReadingError::TooCostly => PageError::TooCostly.into(),
            // The browser has read the page: this machine is busy.
            ReadingError::OutOfTime => Self::Waited,
            ReadingError::Panicked(_) => Self::Internal(cause.to_string()),
        }
    }
}

/// `Retry-After` if there is no browser.
const RETRY_SECONDS: u32 = 30;

/// Time for which a crash is cached: the page would crash again, at the same cost.
const CRASH_SECONDS: u32 = 300;

impl VisitError {
    /// Returns the stable error code.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::NoBrowser | Self::BrowserGone(_) => ErrorCode::RenderUnavailable,
            Self::Unreachable { code, .. } => *code,
            Self::Page(cause) => cause.code(),
            Self::Crashed => ErrorCode::UnprocessableContent,
            Self::OutOfTime(_) => ErrorCode::TargetTimeout,
            Self::SiteBusy | Self::Waited | Self::Internal(_) => ErrorCode::InternalError,
        }
    }

    /// Returns true if a call ends with this error of its fallback, not with the outcome of its static read.
    pub fn replaces<T, E>(&self, known: &Result<T, E>) -> bool {
        match known {
            // The browser got no page either: a client-rendered page without content is not worth a charge.
            Ok(_) => matches!(self, Self::Page(PageError::Refused { .. })),
            // Refused twice: the browser's own failure is more informative than the refused plain request. So is the verdict
            // on a page that the browser got.
            Err(_) => self.code() == ErrorCode::TargetBlocked || *self == Self::Page(PageError::TooCostly),
        }
    }

    /// Returns the message for the caller.
    pub fn message(&self) -> String {
        match self {
            Self::NoBrowser | Self::BrowserGone(_) => {
                "Browser rendering is unavailable at the moment. Nothing was charged. Retry without `render`, or later."
                    .to_owned()
            }
            Self::Crashed => {
                "The page crashed the browser: it needs more memory or processor time than one page may have. Give a smaller page."
                    .to_owned()
            }
            Self::Unreachable { message, .. } => message.clone(),
            Self::Page(cause) => cause.message(ReadMethod::Browser),
            Self::OutOfTime(_) => "The page could not be read in time. Try again later.".to_owned(),
            Self::SiteBusy | Self::Waited => limner_page_worker::WAITED_TOO_LONG.to_owned(),
            Self::Internal(_) => {
                "The page could not be read because of an internal error. Nothing was charged. Try again.".to_owned()
            }
        }
    }

    /// Returns the error of a page that had less time than it may have: it is not at fault if it was late.
    pub(crate) fn into_own_delay(self) -> Self {
        if self.code() == ErrorCode::TargetTimeout { Self::Waited } else { self }
    }

    /// Returns true if another browser may succeed.
    pub(crate) fn is_retryable(&self) -> bool {
        matches!(self, Self::BrowserGone(_) | Self::Internal(_))
    }

    /// Converts to the message of a reply.
    pub fn to_failure(&self) -> v1::Failure {
        let is_busy = self.code() == ErrorCode::RenderUnavailable || matches!(self, Self::SiteBusy | Self::Waited);
        let retry_after_seconds = is_busy.then_some(RETRY_SECONDS);
        let valid_for_seconds = match self {
            Self::Crashed => Some(CRASH_SECONDS),
            Self::Page(cause) => cause.valid_for_seconds(),
            _ => None,
        };
        v1::Failure { retry_after_seconds, valid_for_seconds, ..v1::Failure::new(self.code(), self.message()) }
    }
}

/// Maps the browser's network error (Chromium's `net_error_list.h`).
pub(crate) fn from_network_error(text: &str) -> VisitError {
    let name = text.strip_prefix("net::ERR_").unwrap_or(text);
    let (code, message) = match name {
        "PROXY_CONNECTION_FAILED" | "NO_SUPPORTED_PROXIES" | "MANDATORY_PROXY_CONFIGURATION_FAILED" => {
            return VisitError::BrowserGone(format!("its proxy does not answer: {text}"));
        }
        "ABORTED" | "FAILED" => return PageError::NotHtml(String::new()).into(),
        "TIMED_OUT" | "CONNECTION_TIMED_OUT" => {
            (ErrorCode::TargetTimeout, "The target did not answer in time. Try again later.")
        }
        "CONTENT_DECODING_FAILED" => (
            ErrorCode::UnprocessableContent,
            "The target's answer is not compressed as its Content-Encoding header says, so it cannot be read.",
        ),
        "TOO_MANY_REDIRECTS" => (ErrorCode::TargetError, "The target redirects in a circle or too often: gave up."),
        _ if name.starts_with("CERT_") || name.starts_with("SSL_") || name.starts_with("BAD_SSL") => (
            ErrorCode::TargetUnreachable,
            "No secure connection to the target could be made. Check its certificate, or try http.",
        ),
        _ if name.starts_with("INVALID_") || name.starts_with("HTTP2_") || name.starts_with("CONTENT_") => {
            (ErrorCode::TargetError, "The target's answer is not valid HTTP.")
        }
        "EMPTY_RESPONSE" | "CONNECTION_CLOSED" | "CONNECTION_RESET" | "INCOMPLETE_CHUNKED_ENCODING" => (
            ErrorCode::TargetUnreachable,
            "The target closed the connection before its answer was complete. Try again later.",
        ),
        // The proxy refused a tunnel, or answered a plain request itself, without a reason: forbidden, unknown and silent
        // hosts are reported alike.
        "TUNNEL_CONNECTION_FAILED" | "HTTP_RESPONSE_CODE_FAILURE" => (
            ErrorCode::TargetUnreachable,
            "No connection to the target could be made. Check the address, or try again later.",
        ),
        // A forbidden address is reported like an unknown one.
        _ => (
            ErrorCode::TargetUnreachable,
            "The host of the address could not be found on the public Internet. Check the address.",
        ),
    };
    VisitError::Unreachable { code, message: message.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_those_of_the_contract() {
        for (error, code) in [
            (VisitError::NoBrowser, ErrorCode::RenderUnavailable),
            (VisitError::BrowserGone(String::new()), ErrorCode::RenderUnavailable),
            (VisitError::Crashed, ErrorCode::UnprocessableContent),
            (VisitError::SiteBusy, ErrorCode::InternalError),
            (VisitError::Waited, ErrorCode::InternalError),
            (PageError::Status(403).into(), ErrorCode::TargetBlocked),
            (PageError::Status(500).into(), ErrorCode::TargetError),
            (PageError::TooLarge(1).into(), ErrorCode::UnprocessableContent),
            (PageError::TooCostly.into(), ErrorCode::UnprocessableContent),
            (VisitError::OutOfTime("x"), ErrorCode::TargetTimeout),
            (from_network_error("net::ERR_CERT_AUTHORITY_INVALID"), ErrorCode::TargetUnreachable),
            (from_network_error("net::ERR_TOO_MANY_REDIRECTS"), ErrorCode::TargetError),
            (from_network_error("net::ERR_CONTENT_DECODING_FAILED"), ErrorCode::UnprocessableContent),
            (from_network_error("net::ERR_PROXY_CONNECTION_FAILED"), ErrorCode::RenderUnavailable),
            (from_network_error("net::ERR_ABORTED"), ErrorCode::UnprocessableContent),
            (from_network_error("net::ERR_UNSAFE_PORT"), ErrorCode::TargetUnreachable),
            (from_network_error("net::ERR_TUNNEL_CONNECTION_FAILED"), ErrorCode::TargetUnreachable),
        ] {
            assert_eq!(error.code(), code, "{error}");
            assert!(error.message().ends_with('.'), "{}", error.message());
            let waits = error.to_failure().retry_after_seconds.is_some();
            let may_be_retried =
                code == ErrorCode::RenderUnavailable || matches!(error, VisitError::SiteBusy | VisitError::Waited);
            assert_eq!(waits, may_be_retried, "{error}");
            let is_remembered = error.to_failure().valid_for_seconds.is_some();
            let holds = error == VisitError::Crashed || error == PageError::TooCostly.into();
            assert_eq!(is_remembered, holds, "{error}");
        }
    }

    #[test]
    fn own_delay_hides_no_other_fault() {
        let silent = from_network_error("net::ERR_TIMED_OUT");
        assert_eq!(silent.into_own_delay(), VisitError::Waited);
        assert_eq!(VisitError::OutOfTime("x").into_own_delay(), VisitError::Waited);
        for other in [VisitError::Crashed, VisitError::NoBrowser, from_network_error("net::ERR_TOO_MANY_REDIRECTS")] {
            assert_eq!(other.clone().into_own_delay(), other);
        }
    }

    #[test]
    fn busy_site_is_our_fault_and_replaces_no_static_result() {
        let known: Result<(), ()> = Ok(());
        let refused: Result<(), ()> = Err(());
        assert!(!VisitError::SiteBusy.replaces(&known) && !VisitError::SiteBusy.replaces(&refused));
        assert!(!VisitError::SiteBusy.is_retryable(), "another browser waits for the same places");
    }

    #[test]
    fn proxy_refusals_get_no_invented_reason() {
        for text in ["net::ERR_TUNNEL_CONNECTION_FAILED", "net::ERR_HTTP_RESPONSE_CODE_FAILURE"] {
            let message = from_network_error(text).message();
            assert!(!message.contains("found"), "{text}: {message}");
        }
    }
}
