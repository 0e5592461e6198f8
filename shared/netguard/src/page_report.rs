//! The egress proxy's report about a page, for the holder of its token.

use limner_types::ErrorCode;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The usage of a page, and the hosts that it could not reach.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct PageReport {
    /// Bytes in both directions.
    pub bytes: u64,
    /// Requests and tunnels.
    pub requests: u32,
    /// True if it exceeded its budget.
    pub exhausted: bool,
    /// Reasons why hosts (as `host:port`) could not be reached.
    pub failures: BTreeMap<String, DenialReport>,
}

/// The reason why a host could not be reached, for the caller.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DenialReport {
    /// The stable code.
    pub code: ErrorCode,
    /// The message; contains no address, and is the same for forbidden and unknown hosts.
    pub message: String,
}
