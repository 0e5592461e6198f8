//! Metering, as the gateway uses it.

use futures::future::BoxFuture;
use limner_proto::v1;
use limner_types::AccountState;

/// Metering, the owner of accounts and credits. Every write is idempotent by request id.
pub trait Metering: Send + Sync + 'static {
    /// Returns the owner of a key; `None` if it is unknown or revoked.
    fn authenticate(&self, key_sha256: [u8; 32]) -> BoxFuture<'_, Result<Option<KeyOwner>, MeteringError>>;
    /// Returns an account's state; `None` if it is unknown.
    fn account<'a>(&'a self, account_id: &'a str) -> BoxFuture<'a, Result<Option<AccountState>, MeteringError>>;
    /// Reserves credits before work starts.
    fn hold(&self, request: v1::HoldRequest) -> BoxFuture<'_, Result<v1::HoldResponse, MeteringError>>;
    /// Charges a hold.
    fn commit(&self, request: v1::CommitRequest) -> BoxFuture<'_, Result<v1::CommitResponse, MeteringError>>;
    /// Releases a hold.
    fn release(&self, request: v1::ReleaseRequest) -> BoxFuture<'_, Result<(), MeteringError>>;
    /// Adds calls that cost nothing to the usage history; returns the start of the current month, in seconds since the
    /// epoch.
    fn record_calls(&self, calls: Vec<v1::RecordedCall>) -> BoxFuture<'_, Result<i64, MeteringError>>;
    /// Returns the month's summary and the latest calls.
    fn usage(&self, request: v1::GetUsageRequest) -> BoxFuture<'_, Result<v1::GetUsageResponse, MeteringError>>;
}

/// The owner of a valid key.
#[derive(Debug, Clone)]
pub struct KeyOwner {
    /// The account.
    pub account_id: String,
    /// The key's own id.
    pub key_id: String,
    /// True if the key may cancel its calls, as keys of the MCP server may.
    pub cancels: bool,
    /// The account's state.
    pub account: AccountState,
}

/// A failed call to metering.
#[derive(Debug, Clone, thiserror::Error)]
pub enum MeteringError {
    /// Metering cannot be reached, or did not answer in time: the call may have been carried out or not.
    #[error("metering is unavailable: {0}")]
    Unavailable(String),
    /// Metering rejected the call, and would reject it again.
    #[error("metering refused: {0}")]
    Refused(String),
}
