//! Conversion between failures and gRPC status. A trailer contains the stable error code, so that it is never inferred
//! from status numbers.

use crate::v1;
use limner_types::ErrorCode;
use prost::Message;
use tonic::metadata::MetadataMap;
use tonic::{Code, Status};

/// Trailer with the stable error code of a failed call.
pub const CODE_TRAILER: &str = "limner-code";

/// Maximum size of a failure in headers: gRPC clients accept 8 KB of headers in total.
const MAX_STATUS_BYTES: usize = 6 * 1024;

/// Returns true if a failure fits into the status of a call, for any client.
pub fn fits_status(failure: &v1::Failure) -> bool {
    // The whole failure in base64, and the message in percent-encoding.
    let message = failure.message.bytes().map(|byte| if (b' '..=b'~').contains(&byte) && byte != b'%' { 1 } else { 3 });
    failure.encoded_len().div_ceil(3) * 4 + message.sum::<usize>() <= MAX_STATUS_BYTES
}

/// Returns the status of a response with this failure. Its details contain the whole failure: see [`fits_status`].
pub fn failure_to_status(failure: &v1::Failure) -> Status {
    let code = ErrorCode::parse(&failure.code).unwrap_or(ErrorCode::InternalError);
    let mut metadata = MetadataMap::new();
    if let Ok(value) = code.to_string().parse() {
        metadata.insert(CODE_TRAILER, value);
    }
    Status::with_details_and_metadata(
        Code::from(code.grpc()),
        failure.message.clone(),
        failure.encode_to_vec().into(),
        metadata,
    )
}

/// Returns the failure in a status. A status without one (transport errors, foreign errors) is an internal error.
pub fn status_to_failure(status: &Status) -> v1::Failure {
    let carried =
        v1::Failure::decode(status.details()).ok().filter(|failure| ErrorCode::parse(&failure.code).is_some());
    carried.unwrap_or_else(|| {
        v1::Failure::new(
            ErrorCode::InternalError,
            "An internal service did not answer. Nothing was charged; try again.",
        )
    })
}

impl v1::Failure {
    /// Returns a failure with that code and message for the caller.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self { code: code.to_string(), message: message.into(), ..Self::default() }
    }

    /// Returns the code, or `internal_error` if this build does not know it.
    pub fn error_code(&self) -> ErrorCode {
        ErrorCode::parse(&self.code).unwrap_or(ErrorCode::InternalError)
    }
}

impl From<limner_types::SectionRef> for v1::Section {
    fn from(section: limner_types::SectionRef) -> Self {
        Self {
            selector: section.selector,
            label: section.label,
            elements: u32::try_from(section.elements).unwrap_or(u32::MAX),
            preview: section.preview,
            role: section.role,
        }
    }
}

impl From<v1::Section> for limner_types::SectionRef {
    fn from(section: v1::Section) -> Self {
        Self {
            selector: section.selector,
            label: section.label,
            elements: section.elements as usize,
            preview: section.preview,
            role: section.role,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use limner_types::WireEnum;

    #[test]
    fn every_code_round_trips() {
        for code in ErrorCode::ALL {
            let failure = v1::Failure::new(*code, "why");
            assert_eq!(status_to_failure(&failure_to_status(&failure)), failure);
        }
    }

    #[test]
    fn status_fits_the_clients_header_limit() {
        for (letter, count, fits) in [("a", 1_000, true), ("a", 3_000, false), ("글", 300, true), ("글", 600, false)]
        {
            let failure = v1::Failure::new(ErrorCode::NotFound, letter.repeat(count));
            assert_eq!(fits_status(&failure), fits, "{count} of {letter}");
        }
    }

    #[test]
    fn foreign_status_is_an_internal_error() {
        assert_eq!(
            status_to_failure(&Status::unavailable("connection refused 10.0.0.1")).error_code(),
            ErrorCode::InternalError
        );
    }
}
