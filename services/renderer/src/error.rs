//! Why a visit came to nothing: for the caller in words that say what to do next, for the operator in full.

use crate::cdp::CdpError;
use limner_page::health::Refusal;
use limner_proto::v1;
use limner_types::ErrorCode;
use thiserror::Error;

/// Why there is no snapshot. `Display` is for the operator, [`VisitError::message`] for the caller.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum VisitError {
    /// There is no browser.
    #[error("no browser")]
    NoBrowser,
    /// The browser died, or stopped answering: another one may do better.
    #[error("the browser is gone: {0}")]
    BrowserGone(String),
    /// The page's own process died.
    #[error("the page crashed")]
    Crashed,
    /// The target can't be reached.
    #[error("unreachable: {code}: {message}")]
    Unreachable {
        /// The stable code.
        code: ErrorCode,
        /// For the caller.
        message: String,
    },
    /// The target answered with an error status.
    #[error("the target answered with status {0}")]
    Status(u16),
    /// The target answered with something other than the page.
    #[error("refused with status {status}: {refusal:?}")]
    Refused {
        /// What it answered with.
        refusal: Refusal,
        /// Under which status.
        status: u16,
    },
    /// The address leads to something that is no page.
    #[error("not a page: {0:?}")]
    NotAPage(String),
    /// The page is larger than allowed.
    #[error("the page is larger than {0} bytes")]
    TooLarge(usize),
    /// The page did not come, or never stood still long enough to be read, within the time there is.
    #[error("out of time {0}")]
    OutOfTime(&'static str),
    /// Our fault.
    #[error("the visit failed: {0}")]
    Internal(String),
}

impl From<CdpError> for VisitError {
    fn from(cause: CdpError) -> Self {
        match cause {
            CdpError::Gone => Self::BrowserGone(cause.to_string()),
            CdpError::Timeout(_) => Self::OutOfTime("waiting for the page"),
            CdpError::Refused { .. } | CdpError::Strange { .. } => Self::Internal(cause.to_string()),
        }
    }
}

/// Statuses that mean "not you" rather than "not here".
pub(crate) fn is_refusal(status: u16) -> bool {
    matches!(status, 401 | 403 | 407 | 429 | 451)
}

/// When to ask for a browser again.
const RETRY_SECONDS: u32 = 30;

impl VisitError {
    /// The stable code a caller branches on.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::NoBrowser | Self::BrowserGone(_) => ErrorCode::RenderUnavailable,
            Self::Unreachable { code, .. } => *code,
            Self::Status(status) if is_refusal(*status) => ErrorCode::TargetBlocked,
            Self::Status(_) => ErrorCode::TargetError,
            Self::Refused { .. } => ErrorCode::TargetBlocked,
            Self::Crashed | Self::NotAPage(_) | Self::TooLarge(_) => ErrorCode::UnprocessableContent,
            Self::OutOfTime(_) => ErrorCode::TargetTimeout,
            Self::Internal(_) => ErrorCode::InternalError,
        }
    }

    /// What to tell the caller.
    pub fn message(&self) -> String {
        match self {
            Self::NoBrowser | Self::BrowserGone(_) => {
                "Browser rendering is unavailable at the moment. Nothing was charged. Retry without `render`, or later."
                    .to_owned()
            }
            Self::Crashed => {
                "The page crashed the browser: it needs more memory than one page may have. Give a smaller page."
                    .to_owned()
            }
            Self::Unreachable { message, .. } => message.clone(),
            Self::Status(401) => needs_sign_in("The target answered with status 401."),
            Self::Status(429) => {
                "The target refuses further requests for now (status 429). Try again later.".to_owned()
            }
            Self::Status(status) if is_refusal(*status) => {
                format!("The target refused a browser too (status {status}). {ONLY_OPEN_PAGES}")
            }
            Self::Status(status) if *status >= 500 => {
                format!("The target answered with an error of its own (status {status}). Try again later.")
            }
            Self::Status(status) => format!("The target answered with status {status}. Check the address."),
            Self::Refused { refusal: Refusal::Challenge(vendor), .. } => {
                format!("The target answered a browser with a bot challenge ({vendor}) too. {ONLY_OPEN_PAGES}")
            }
            Self::Refused { refusal: Refusal::BlockPage, .. } => {
                format!("The target answered a browser with a page that denies access. {ONLY_OPEN_PAGES}")
            }
            Self::Refused { refusal: Refusal::LoginWall, .. } => {
                needs_sign_in("The target answered with a form to sign in instead of the page.")
            }
            Self::Refused { refusal: Refusal::Empty, .. } => {
                "The page is empty, in a browser too. Check the address.".to_owned()
            }
            Self::NotAPage(essence) if essence.is_empty() => {
                "The address does not lead to an HTML page. Give the address of a web page.".to_owned()
            }
            Self::NotAPage(essence) => {
                format!("The address leads to `{essence}`, not to an HTML page. Give the address of a web page.")
            }
            Self::TooLarge(bytes) => {
                format!(
                    "The page is too large: at most {} MB of HTML are read. Give a smaller page.",
                    bytes / 1_000_000
                )
            }
            Self::OutOfTime(_) => "The page could not be read in time. Try again later.".to_owned(),
            Self::Internal(_) => {
                "The page could not be read because of an internal error. Nothing was charged. Try again.".to_owned()
            }
        }
    }

    /// Whether another browser may do better.
    pub(crate) fn is_worth_another_try(&self) -> bool {
        matches!(self, Self::BrowserGone(_) | Self::Internal(_))
    }

    /// As it is answered.
    pub fn to_failure(&self) -> v1::Failure {
        let retry_after_seconds = (self.code() == ErrorCode::RenderUnavailable).then_some(RETRY_SECONDS);
        v1::Failure { retry_after_seconds, ..v1::Failure::new(self.code(), self.message()) }
    }
}

const ONLY_OPEN_PAGES: &str = "Only pages that are open to everybody can be read.";

fn needs_sign_in(what: &str) -> String {
    format!("{what} {ONLY_OPEN_PAGES} Give the address of a public page.")
}

/// What the browser's network error means (Chromium's `net_error_list.h`).
pub(crate) fn of_network_error(text: &str) -> VisitError {
    let name = text.strip_prefix("net::ERR_").unwrap_or(text);
    let (code, message) = match name {
        "PROXY_CONNECTION_FAILED" | "NO_SUPPORTED_PROXIES" | "MANDATORY_PROXY_CONFIGURATION_FAILED" => {
            return VisitError::BrowserGone(format!("its proxy does not answer: {text}"));
        }
        "ABORTED" | "FAILED" => return VisitError::NotAPage(String::new()),
        "TIMED_OUT" | "CONNECTION_TIMED_OUT" => {
            (ErrorCode::TargetTimeout, "The target did not answer in time. Try again later.")
        }
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
        // A forbidden address reads like an unknown one.
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
        let refused = |refusal| VisitError::Refused { refusal, status: 200 };
        for (error, code) in [
            (VisitError::NoBrowser, ErrorCode::RenderUnavailable),
            (VisitError::BrowserGone(String::new()), ErrorCode::RenderUnavailable),
            (VisitError::Crashed, ErrorCode::UnprocessableContent),
            (VisitError::Status(403), ErrorCode::TargetBlocked),
            (VisitError::Status(401), ErrorCode::TargetBlocked),
            (VisitError::Status(404), ErrorCode::TargetError),
            (VisitError::Status(500), ErrorCode::TargetError),
            (refused(Refusal::Challenge("x")), ErrorCode::TargetBlocked),
            (refused(Refusal::Empty), ErrorCode::TargetBlocked),
            (VisitError::NotAPage("application/pdf".to_owned()), ErrorCode::UnprocessableContent),
            (VisitError::TooLarge(1), ErrorCode::UnprocessableContent),
            (VisitError::OutOfTime("x"), ErrorCode::TargetTimeout),
            (of_network_error("net::ERR_CERT_AUTHORITY_INVALID"), ErrorCode::TargetUnreachable),
            (of_network_error("net::ERR_TOO_MANY_REDIRECTS"), ErrorCode::TargetError),
            (of_network_error("net::ERR_PROXY_CONNECTION_FAILED"), ErrorCode::RenderUnavailable),
            (of_network_error("net::ERR_ABORTED"), ErrorCode::UnprocessableContent),
            (of_network_error("net::ERR_UNSAFE_PORT"), ErrorCode::TargetUnreachable),
        ] {
            assert_eq!(error.code(), code, "{error}");
            assert!(error.message().ends_with('.'), "{}", error.message());
            let waits = error.to_failure().retry_after_seconds.is_some();
            assert_eq!(waits, code == ErrorCode::RenderUnavailable);
        }
    }
}
