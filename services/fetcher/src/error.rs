//! Errors of reading a page: for the caller with advice on what to do next, for the operator in full.

use limner_netguard::FetchError;
use limner_page::{Degradation, PageSnapshot};
use limner_page_worker::{PageError, ReadMethod, ReadingError, WAITED_TOO_LONG};
use limner_proto::v1;
use limner_types::ErrorCode;
use thiserror::Error;

/// The reason why there is no snapshot. `Display` is for the operator, [`ReadError::message`] for the caller.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ReadError {
    /// The document could not be fetched.
    #[error(transparent)]
    Fetch(#[from] FetchError),
    /// The response is not the page.
    #[error(transparent)]
    Page(#[from] PageError),
    /// The deadline of the caller, or our own, passed before the document was read.
    #[error("no time left for the document")]
    OutOfTime,
    /// Other reads took all the available time: the target was not asked.
    #[error("waited too long for other reads")]
    Waited,
    /// Too many reads wait for this host already.
    #[error("too many wait for this host")]
    HostQueueFull,
    /// Reading panicked or was cancelled: an internal error.
    #[error("the read did not finish: {0}")]
    Internal(String),
}

impl From<ReadingError> for ReadError {
    fn from(cause: ReadingError) -> Self {
        match cause {
            ReadingError::TooCostly => PageError::TooCostly.into(),
            // The target has answered: this machine is busy.
            ReadingError::OutOfTime => Self::Waited,
            ReadingError::Panicked(_) => Self::Internal(cause.to_string()),
        }
    }
}

/// Time after which a page that waited for others may be read.
const RETRY_AFTER_SECONDS: u32 = 10;

impl ReadError {
    /// Returns the stable error code.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::Fetch(cause) => cause.code(),
            Self::Page(cause) => cause.code(),
            Self::OutOfTime => ErrorCode::TargetTimeout,
            Self::Waited | Self::HostQueueFull | Self::Internal(_) => ErrorCode::InternalError,
        }
    }

    /// Returns the message for the caller. `render_available`: it may advise `render=true`.
    pub fn message(&self, render_available: bool) -> String {
        let method = if render_available { ReadMethod::Fetcher } else { ReadMethod::FetcherOnly };
        match self {
            Self::Fetch(cause) => cause.message(),
            Self::Page(cause) => cause.message(method),
            Self::OutOfTime => "The target did not answer in time. Try again later.".to_owned(),
            Self::Waited => WAITED_TOO_LONG.to_owned(),
            Self::HostQueueFull | Self::Internal(_) => {
                "The page could not be read because of an internal error. Try again.".to_owned()
            }
        }
    }

    /// Returns true if a browser may get the page where a plain request did not: it may be let in, or may keep the
    /// cookie that a redirect to the same URL sets.
    fn browser_may_help(&self) -> bool {
        self.code() == ErrorCode::TargetBlocked || matches!(self, Self::Fetch(FetchError::TooManyRedirects(_)))
    }

    /// Returns true if the target answered that it gets too many requests.
    pub(crate) fn is_overload(&self) -> bool {
        matches!(self, Self::Page(cause) if cause.is_overload())
    }

    pub(crate) fn to_failure(&self, render_available: bool) -> v1::Failure {
        let retry_after_seconds = matches!(self, Self::Waited).then_some(RETRY_AFTER_SECONDS);
        let valid_for_seconds = match self {
            Self::Page(cause) => cause.valid_for_seconds(),
            _ => None,
        };
        v1::Failure {
            retry_after_seconds,
            valid_for_seconds,
            ..v1::Failure::new(self.code(), self.message(render_available))
        }
    }
}

/// Returns true if a browser may read more than a static read did: of a client-rendered page, and of one that was
/// refused. The browser fallback of the fleet and that of the command line both depend on it.
pub fn browser_may_help(read: Result<&PageSnapshot, &ReadError>) -> bool {
    match read {
        Ok(page) => page.degradation == Some(Degradation::ClientRendered),
        Err(error) => error.browser_may_help(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_those_of_the_contract() {
        for (error, code) in [
            (PageError::Status(403).into(), ErrorCode::TargetBlocked),
            (PageError::Status(404).into(), ErrorCode::TargetError),
            (PageError::NotHtml("application/pdf".to_owned()).into(), ErrorCode::UnprocessableContent),
            (PageError::TooCostly.into(), ErrorCode::UnprocessableContent),
            (ReadError::OutOfTime, ErrorCode::TargetTimeout),
            (ReadError::Waited, ErrorCode::InternalError),
            (ReadError::HostQueueFull, ErrorCode::InternalError),
        ] {
            assert_eq!(error.code(), code, "{error}");
            assert_eq!(error.browser_may_help(), code == ErrorCode::TargetBlocked);
            for render_available in [true, false] {
                let message = error.message(render_available);
                assert!(message.ends_with('.'), "{message}");
                assert!(render_available || !message.contains("render=true"), "{message}");
            }
            let is_remembered = error.to_failure(true).valid_for_seconds.is_some();
            assert_eq!(is_remembered, error == PageError::TooCostly.into(), "{error}");
        }
        assert!(ReadError::from(FetchError::TooManyRedirects(1)).browser_may_help());
    }
}
