//! The failures that this service responds with.

use limner_proto::v1;
use limner_types::ErrorCode;

/// Time in seconds for which the failure of a page that exceeds its limits is cached.
const VERDICT_SECONDS: u32 = 300;

/// The core panicked, or returned a result that cannot be sent.
pub(crate) fn internal() -> v1::Failure {
    v1::Failure::new(ErrorCode::InternalError, "The page could not be processed. Nothing was charged.")
}

/// The page needs more processor time than a call has.
pub(crate) fn too_slow() -> v1::Failure {
    about_the_page("The page takes too long to read. Nothing was charged. Give a smaller page.")
}

/// The page crashes the process that reads it, nearly always for lack of memory.
pub(crate) fn too_complex() -> v1::Failure {
    about_the_page("The page is too complex to be read. Nothing was charged. Give a smaller page.")
}

/// The result does not fit into a message.
pub(crate) fn too_large() -> v1::Failure {
    about_the_page("The result is larger than the service can carry. Nothing was charged. Give a smaller page.")
}

/// The deadline passed before the page had used its processor time, so the page is not at fault.
pub(crate) fn overloaded() -> v1::Failure {
    let message =
        "The page could not be processed in time, because the service is busy. Nothing was charged. Try again.";
    v1::Failure { retry_after_seconds: Some(10), ..v1::Failure::new(ErrorCode::InternalError, message) }
}

/// A failure that the same call would meet again.
pub(crate) fn about_the_page(message: &str) -> v1::Failure {
    let failure = v1::Failure::new(ErrorCode::UnprocessableContent, message);
    v1::Failure { valid_for_seconds: Some(VERDICT_SECONDS), ..failure }
}
