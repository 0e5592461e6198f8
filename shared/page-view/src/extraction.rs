//! Defines the result of an operation, and the reasons why there is none.

use limner_types::{ErrorCode, Operation, SectionRef};
use serde::Serialize;

/// The bytes of a result: a JSON object without `usage`, or text in another format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Extraction {
    /// The body.
    pub body: Vec<u8>,
    /// The media type of the body.
    pub content_type: &'static str,
}

impl Extraction {
    /// Serializes a result as JSON.
    ///
    /// # Errors
    /// Returns [`ExtractError::Serialise`] if the value cannot be serialized.
    pub fn json(result: &impl Serialize) -> Result<Self, ExtractError> {
        let body = serde_json::to_vec(result).map_err(|cause| ExtractError::Serialise(cause.to_string()))?;
        Ok(Self { body, content_type: "application/json" })
    }
}

/// The reason why a page gave no result.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ExtractError {
    /// The operation is not part of this build.
    #[error("`{0}` is not served yet")]
    NotServed(Operation),
    /// The page has no content that this operation can process.
    #[error("{0}")]
    Unprocessable(String),
    /// Processing the page takes more work than one call may use; see [`limner_page::work_budget`].
    #[error(
        "The page takes too long to read: its markup and its style sheets ask for more work than one call may take."
    )]
    TooCostly,
    /// A selector or section matches nothing.
    #[error("{message}")]
    NotFound {
        /// A message for the caller that names the existing sections.
        message: String,
        /// The existing sections.
        sections: Vec<SectionRef>,
    },
    /// The result could not be serialized.
    #[error("the result could not be serialised: {0}")]
    Serialise(String),
}

impl ExtractError {
    /// Returns the stable error code for the caller.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::NotServed(_) | Self::Serialise(_) => ErrorCode::InternalError,
            Self::Unprocessable(_) | Self::TooCostly => ErrorCode::UnprocessableContent,
            Self::NotFound { .. } => ErrorCode::NotFound,
        }
    }
}
