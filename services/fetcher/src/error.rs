//! Why a page could not be read: for the caller in words that say what to do next, for the operator in full.

use limner_netguard::FetchError;
use limner_page::health::Refusal;
use limner_proto::v1;
use limner_types::ErrorCode;
use thiserror::Error;

/// Why there is no snapshot. `Display` is for the operator, [`ReadError::message`] for the caller.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ReadError {
    /// The document could not be fetched.
    #[error(transparent)]
    Fetch(#[from] FetchError),
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
    /// The document is larger than allowed.
    #[error("the document is larger than {0} bytes")]
    TooLarge(usize),
    /// The caller's or our own time is over before the document was read.
    #[error("no time left for the document")]
    OutOfTime,
    /// Too many reads wait for this host already.
    #[error("too many wait for this host")]
    Crowded,
    /// Reading panicked or was cancelled: our fault.
    #[error("the read did not finish: {0}")]
    Internal(String),
}

/// Statuses that mean "not you" rather than "not here".
pub(crate) fn is_refusal(status: u16) -> bool {
    matches!(status, 401 | 403 | 407 | 429 | 451)
}

impl ReadError {
    /// The stable code a caller branches on.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::Fetch(cause) => cause.code(),
            Self::Status(status) if is_refusal(*status) => ErrorCode::TargetBlocked,
            Self::Status(_) => ErrorCode::TargetError,
            Self::Refused { .. } => ErrorCode::TargetBlocked,
            Self::NotAPage(_) | Self::TooLarge(_) => ErrorCode::UnprocessableContent,
            Self::OutOfTime => ErrorCode::TargetTimeout,
            Self::Crowded | Self::Internal(_) => ErrorCode::InternalError,
        }
    }

    /// What to tell the caller.
    pub fn message(&self) -> String {
        match self {
            Self::Fetch(cause) => cause.message(),
            Self::Status(401) => needs_sign_in("The target answered with status 401."),
            Self::Status(429) => {
                "The target refuses further requests for now (status 429). Try again later.".to_owned()
            }
            Self::Status(status) if is_refusal(*status) => {
                format!("The target refused the request (status {status}). {TRY_A_BROWSER}")
            }
            Self::Status(status) if *status >= 500 => {
                format!("The target answered with an error of its own (status {status}). Try again later.")
            }
            Self::Status(status) => {
                format!("The target answered with status {status}. Check the address.")
            }
            Self::Refused { refusal: Refusal::Challenge(vendor), .. } => {
                format!("The target answered with a bot challenge ({vendor}) instead of the page. {TRY_A_BROWSER}")
            }
            Self::Refused { refusal: Refusal::BlockPage, .. } => {
                format!("The target answered with a page that denies access. {TRY_A_BROWSER}")
            }
            Self::Refused { refusal: Refusal::LoginWall, .. } => {
                needs_sign_in("The target answered with a form to sign in instead of the page.")
            }
            Self::Refused { refusal: Refusal::Empty, .. } => {
                format!("The target answered with an empty page. {TRY_A_BROWSER}")
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
            Self::OutOfTime => "The target did not answer in time. Try again later.".to_owned(),
            Self::Crowded | Self::Internal(_) => {
                "The page could not be read because of an internal error. Try again.".to_owned()
            }
        }
    }

    /// Whether a browser may get the page where a plain request did not.
    pub fn browser_may_help(&self) -> bool {
        self.code() == ErrorCode::TargetBlocked
    }

    pub(crate) fn to_failure(&self) -> v1::Failure {
        v1::Failure::new(self.code(), self.message())
    }
}

const TRY_A_BROWSER: &str =
    "Retry with render=true to read it in a browser; only pages that are open to everybody can be read.";

fn needs_sign_in(what: &str) -> String {
    format!("{what} Only pages that are open to everybody can be read: give the address of a public page.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_those_of_the_contract() {
        let refused = |refusal| ReadError::Refused { refusal, status: 200 };
        for (error, code) in [
            (ReadError::Status(401), ErrorCode::TargetBlocked),
            (ReadError::Status(403), ErrorCode::TargetBlocked),
            (ReadError::Status(429), ErrorCode::TargetBlocked),
            (ReadError::Status(451), ErrorCode::TargetBlocked),
            (ReadError::Status(404), ErrorCode::TargetError),
            (ReadError::Status(410), ErrorCode::TargetError),
            (ReadError::Status(503), ErrorCode::TargetError),
            (ReadError::Status(304), ErrorCode::TargetError),
            (refused(Refusal::Challenge("x")), ErrorCode::TargetBlocked),
            (refused(Refusal::LoginWall), ErrorCode::TargetBlocked),
            (refused(Refusal::Empty), ErrorCode::TargetBlocked),
            (ReadError::NotAPage("application/pdf".to_owned()), ErrorCode::UnprocessableContent),
            (ReadError::TooLarge(1), ErrorCode::UnprocessableContent),
            (ReadError::OutOfTime, ErrorCode::TargetTimeout),
        ] {
            assert_eq!(error.code(), code, "{error}");
            assert_eq!(error.browser_may_help(), code == ErrorCode::TargetBlocked);
            assert!(error.message().ends_with('.'), "{}", error.message());
        }
    }
}
