//! The gRPC services of metering.

pub(super) mod accounts;
pub(super) mod billing;
pub(super) mod grants;
pub(super) mod metering;
