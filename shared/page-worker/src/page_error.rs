//! Errors of responses that are not the requested page, for both kinds of read.

use limner_page::page_health::NotAPage;
use limner_types::ErrorCode;
use thiserror::Error;

/// The component that requested the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReadMethod {
    /// A static read: a browser may still get the page.
    Fetcher,
    /// A static read where no browser can be asked for.
    FetcherOnly,
    /// A browser: there is no further fallback.
    Browser,
}

/// The reason why a response is not the page. `Display` is for the operator, [`PageError::message`] for the caller.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PageError {
    /// The target answered with an error status.
    #[error("the target answered with status {0}")]
    Status(u16),
    /// The target answered with something other than the page.
    #[error("refused with status {status}: {refusal:?}")]
    Refused {
        /// The kind of response.
        refusal: NotAPage,
        /// Its status.
        status: u16,
    },
    /// The URL is not a page; its media type, if it has one.
    #[error("not a page: {0:?}")]
    NotHtml(String),
    /// The document is larger than this limit in bytes.
    #[error("the document is larger than {0} bytes")]
    TooLarge(usize),
    /// Classifying the document, or listing its files, exceeds the budget of work.
    #[error("the page takes too much work to read")]
    TooCostly,
}

/// Time for which a page that takes too much work is not read again for the same call, in seconds.
const TOO_COSTLY_SECONDS: u32 = 300;

/// Message of a call that ended while it waited for other reads: an error of ours.
pub const WAITED_TOO_LONG: &str = "The page could not be read in time, because too many other pages were read. Nothing \
                                   was charged. Try again in a few seconds.";

/// Returns true for statuses that refuse the client, as opposed to a missing page.
pub fn is_access_denied(status: u16) -> bool {
    matches!(status, 401 | 403 | 407 | 429 | 451)
}

impl PageError {
    /// Returns true if the target answered that it gets too many requests.
    pub fn is_overload(&self) -> bool {
        matches!(self, Self::Status(429 | 503) | Self::Refused { status: 429 | 503, .. })
    }

    /// Returns the stable error code.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::Status(status) if is_access_denied(*status) => ErrorCode::TargetBlocked,
            Self::Status(_) => ErrorCode::TargetError,
            Self::Refused { .. } => ErrorCode::TargetBlocked,
            Self::NotHtml(_) | Self::TooLarge(_) | Self::TooCostly => ErrorCode::UnprocessableContent,
        }
    }

    /// Returns the time for which the same call would meet the error again, in seconds.
    pub fn valid_for_seconds(&self) -> Option<u32> {
        matches!(self, Self::TooCostly).then_some(TOO_COSTLY_SECONDS)
    }

    /// Returns the message for the caller.
    pub fn message(&self, method: ReadMethod) -> String {
        match self {
            Self::Status(status) => of_status(*status, method),
            Self::Refused { refusal, .. } => of_refusal(*refusal, method),
            Self::NotHtml(essence) if essence.is_empty() => {
                "The address does not lead to an HTML page. Give the address of a web page.".to_owned()
            }
            Self::NotHtml(essence) => {
                format!("The address leads to `{essence}`, not to an HTML page. Give the address of a web page.")
            }
            Self::TooLarge(bytes) => {
                let most = match bytes / 1_000_000 {
                    0 => format!("{} kB", bytes / 1_000),
                    megabytes => format!("{megabytes} MB"),
                };
                format!("The page is too large: at most {most} of HTML are read. Give a smaller page.")
            }
            Self::TooCostly => "The page takes too long to read. Nothing was charged. Give a smaller page.".to_owned(),
        }
    }
}

fn of_status(status: u16, method: ReadMethod) -> String {
    match (status, method) {
        (401, _) => needs_sign_in("The target answered with status 401."),
        (429, _) => "The target refuses further requests for now (status 429). Try again later.".to_owned(),
        (status, ReadMethod::Fetcher) if is_access_denied(status) => {
            format!("The target refused the request (status {status}). {TRY_A_BROWSER}")
        }
        (status, ReadMethod::FetcherOnly) if is_access_denied(status) => {
            format!("The target refused the request (status {status}). {NO_BROWSER}")
        }
        (status, ReadMethod::Browser) if is_access_denied(status) => {
            format!("The target refused a browser too (status {status}). {ONLY_OPEN_PAGES}")
        }
        (500.., _) => format!("The target answered with an error of its own (status {status}). Try again later."),
        _ => format!("The target answered with status {status}. Check the address."),
    }
}

fn of_refusal(refusal: NotAPage, method: ReadMethod) -> String {
    match (refusal, method) {
        (NotAPage::Challenge(vendor), ReadMethod::Fetcher) => {
            format!("The target answered with a bot challenge ({vendor}) instead of the page. {TRY_A_BROWSER}")
        }
        (NotAPage::Challenge(vendor), ReadMethod::FetcherOnly) => {
            format!("The target answered with a bot challenge ({vendor}) instead of the page. {NO_BROWSER}")
        }
        (NotAPage::Challenge(vendor), ReadMethod::Browser) => {
            format!("The target answered a browser with a bot challenge ({vendor}) too. {ONLY_OPEN_PAGES}")
        }
        (NotAPage::BlockPage, ReadMethod::Fetcher) => {
            format!("The target answered with a page that denies access. {TRY_A_BROWSER}")
        }
        (NotAPage::BlockPage, ReadMethod::FetcherOnly) => {
            format!("The target answered with a page that denies access. {NO_BROWSER}")
        }
        (NotAPage::BlockPage, ReadMethod::Browser) => {
            format!("The target answered a browser with a page that denies access. {ONLY_OPEN_PAGES}")
        }
        (NotAPage::LoginWall, _) => needs_sign_in("The target answered with a form to sign in instead of the page."),
        (NotAPage::Empty, ReadMethod::Fetcher) => format!("The target answered with an empty page. {TRY_A_BROWSER}"),
        (NotAPage::Empty, ReadMethod::FetcherOnly) => format!("The target answered with an empty page. {NO_BROWSER}"),
        (NotAPage::Empty, ReadMethod::Browser) => "The page is empty, in a browser too. Check the address.".to_owned(),
    }
}

const ONLY_OPEN_PAGES: &str = "Only pages that are open to everybody can be read.";
const TRY_A_BROWSER: &str =
    "Retry with render=true to read it in a browser; only pages that are open to everybody can be read.";
const NO_BROWSER: &str =
    "This service has no browser to read it in, and only pages that are open to everybody can be read.";

fn needs_sign_in(what: &str) -> String {
    format!("{what} {ONLY_OPEN_PAGES} Give the address of a public page.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_messages_are_those_of_the_contract() {
        let refused = |refusal| PageError::Refused { refusal, status: 200 };
        for (error, code) in [
            (PageError::Status(401), ErrorCode::TargetBlocked),
            (PageError::Status(403), ErrorCode::TargetBlocked),
            (PageError::Status(429), ErrorCode::TargetBlocked),
            (PageError::Status(451), ErrorCode::TargetBlocked),
            (PageError::Status(304), ErrorCode::TargetError),
            (PageError::Status(404), ErrorCode::TargetError),
            (PageError::Status(410), ErrorCode::TargetError),
            (PageError::Status(503), ErrorCode::TargetError),
            (refused(NotAPage::Challenge("x")), ErrorCode::TargetBlocked),
            (refused(NotAPage::BlockPage), ErrorCode::TargetBlocked),
            (refused(NotAPage::LoginWall), ErrorCode::TargetBlocked),
            (refused(NotAPage::Empty), ErrorCode::TargetBlocked),
            (PageError::NotHtml("application/pdf".to_owned()), ErrorCode::UnprocessableContent),
            (PageError::NotHtml(String::new()), ErrorCode::UnprocessableContent),
            (PageError::TooLarge(20_000), ErrorCode::UnprocessableContent),
            (PageError::TooCostly, ErrorCode::UnprocessableContent),
        ] {
            assert_eq!(error.code(), code, "{error}");
            for method in [ReadMethod::Fetcher, ReadMethod::FetcherOnly, ReadMethod::Browser] {
                let message = error.message(method);
                assert!(message.ends_with('.'), "{message}");
                assert!(!message.contains(" 0 "), "{message}");
                // Without a browser, or after a browser's read, the message must not suggest one.
                assert!(method == ReadMethod::Fetcher || !message.contains("render=true"), "{message}");
            }
        }
    }
}
