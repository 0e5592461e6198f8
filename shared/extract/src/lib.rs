//! The nine operations as pure functions of a page.
//!
//! [`extract`] takes a [`PageSnapshot`] and a [`Request`] and gives the bytes of the result. No I/O, no clock, no
//! randomness: the same input gives the same bytes. What an operation wants fetched beyond the page and its sheets it
//! says through [`needs`]; fetching is somebody else's work.

mod page_view;

pub use page_view::PageView;

use limner_page::PageSnapshot;
use limner_types::{ErrorCode, Operation, Request, SectionRef};

/// The bytes of a result: a JSON object without `usage`, or the text of another format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Extraction {
    /// The bytes.
    pub body: Vec<u8>,
    /// Their media type.
    pub content_type: &'static str,
}

/// Why a page gave no result.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ExtractError {
    /// The operation is not part of this build.
    #[error("`{0}` is not served yet")]
    NotServed(Operation),
    /// The page has nothing this operation could read.
    #[error("{0}")]
    Unprocessable(String),
    /// A selector or section matches nothing.
    #[error("{message}")]
    NotFound {
        /// For the caller; names the sections that exist.
        message: String,
        /// The sections that exist.
        sections: Vec<SectionRef>,
    },
    /// The result could not be written.
    #[error("the result could not be serialised: {0}")]
    Serialise(String),
}

impl ExtractError {
    /// The stable code a caller sees.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::NotServed(_) | Self::Serialise(_) => ErrorCode::InternalError,
            Self::Unprocessable(_) => ErrorCode::UnprocessableContent,
            Self::NotFound { .. } => ErrorCode::NotFound,
        }
    }
}

/// Whether this build answers the operation.
pub fn is_served(_operation: Operation) -> bool {
    false
}

/// Reads what `request` asks for out of the page.
///
/// # Errors
/// See [`ExtractError`].
pub fn extract(page: &PageSnapshot, request: &Request) -> Result<Extraction, ExtractError> {
    let _view = PageView::new(page);
    Err(ExtractError::NotServed(request.operation))
}

/// Absolute addresses (without fragment) of side resources that this operation wants fetched next, most wanted first.
/// Called again after they were added to [`PageSnapshot::resources`], until it gives nothing new.
pub fn needs(_operation: Operation, _page: &PageSnapshot) -> Vec<String> {
    Vec::new()
}
