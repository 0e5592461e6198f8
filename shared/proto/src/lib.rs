//! The wire: generated messages and services of `proto/limner/v1`, and their conversion to and from the types of the
//! core. The code under `gen/` is generated (`make proto`) and committed.

mod account;
mod call;
mod failure;
mod page;

/// Generated from `proto/limner/v1`.
#[allow(missing_docs, unreachable_pub, clippy::all)]
pub mod v1 {
    include!("gen/limner.v1.rs");
}

pub use call::InvalidCall;
pub use failure::{CODE_TRAILER, failure_to_status, status_to_failure};

/// The compiled descriptors of `limner.v1`, for gRPC reflection.
pub const FILE_DESCRIPTOR_SET: &[u8] = include_bytes!("gen/descriptor.bin");
