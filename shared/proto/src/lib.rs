//! The wire formats: generated messages and services of `proto/limner/v1`, and their conversion to and from the core's
//! types. The code in `gen/` is generated (`make proto`) and committed.
//!
//! ```
//! use limner_proto::{failure_to_status, status_to_failure, v1};
//! use limner_types::ErrorCode;
//!
//! let failure = v1::Failure::new(ErrorCode::TargetTimeout, "The page did not answer in time.");
//! let status = failure_to_status(&failure);
//! assert_eq!(status.code(), tonic::Code::DeadlineExceeded);
//! assert_eq!(status_to_failure(&status), failure);
//! ```

mod account;
mod call;
mod failure;
mod page;
mod trace;

/// Generated from `proto/limner/v1`.
#[allow(missing_docs, unreachable_pub, clippy::all)]
pub mod v1 {
    include!("gen/limner.v1.rs");
}

pub use call::InvalidCall;
pub use failure::{CODE_TRAILER, failure_to_status, fits_status, status_to_failure};
pub use trace::{adopt_trace, with_trace};

/// Maximum size of a gRPC message, in bytes: a page with all its stylesheets.
pub const MAX_MESSAGE_BYTES: usize = 64 * 1024 * 1024;

/// The compiled descriptors of `limner.v1`, for gRPC reflection.
pub const FILE_DESCRIPTOR_SET: &[u8] = include_bytes!("gen/descriptor.bin");
