//! Failures as gRPC status: the stable error code travels in a trailer, so that nothing is guessed from status numbers.

use crate::v1;
use limner_types::ErrorCode;
use prost::Message;
use tonic::metadata::MetadataMap;
use tonic::{Code, Status};

/// Trailer that carries the stable error code of a failed call.
pub const CODE_TRAILER: &str = "limner-code";

/// Most bytes of a failure in headers: clients of gRPC take 8 KB of them in all.
const MAX_STATUS_BYTES: usize = 6 * 1024;

/// Whether a failure can be the status of a call, for any client.
pub fn fits_status(failure: &v1::Failure) -> bool {
    // The whole in base64, and the message in percent-encoding.
    let message = failure.message.bytes().map(|byte| if (b' '..=b'~').contains(&byte) && byte != b'%' { 1 } else { 3 });
    failure.encoded_len().div_ceil(3) * 4 + message.sum::<usize>() <= MAX_STATUS_BYTES
}

/// The status a service answers with. The whole failure rides in the status details: see [`fits_status`].
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

/// The failure a status carries. A status without one (transport faults, foreign errors) is an internal error.
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
    /// A failure with that code and message for the caller.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self { code: code.to_string(), message: message.into(), ..Self::default() }
    }

    /// The code, `internal_error` when this build does not know it.
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
    use limner_types::Choice;

    #[test]
    fn every_code_survives_the_wire() {
        for code in ErrorCode::ALL {
            let failure = v1::Failure::new(*code, "why");
            assert_eq!(status_to_failure(&failure_to_status(&failure)), failure);
        }
    }

    #[test]
    fn a_status_is_no_longer_than_clients_take() {
        for (letter, count, fits) in [("a", 1_000, true), ("a", 3_000, false), ("글", 300, true), ("글", 600, false)]
        {
            let failure = v1::Failure::new(ErrorCode::NotFound, letter.repeat(count));
            assert_eq!(fits_status(&failure), fits, "{count} of {letter}");
        }
    }

    #[test]
    fn a_foreign_status_is_our_fault() {
        assert_eq!(
            status_to_failure(&Status::unavailable("connection refused 10.0.0.1")).error_code(),
            ErrorCode::InternalError
        );
    }
}
