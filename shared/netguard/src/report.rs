//! What the egress proxy tells about a page to whoever holds its pass.

use limner_types::ErrorCode;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What a page has taken, and what it could not reach.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct PageReport {
    /// Bytes in both directions.
    pub bytes: u64,
    /// Requests and tunnels.
    pub requests: u32,
    /// Whether it asked for more than its allowance.
    pub exhausted: bool,
    /// Why hosts (as `host:port`) could not be reached.
    pub failures: BTreeMap<String, Refusal>,
}

/// Why something could not be reached, as a caller may hear it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    /// The stable code.
    pub code: ErrorCode,
    /// Names no address, and does not tell a forbidden host from an unknown one.
    pub message: String,
}
