//! Errors of ledger operations: rejections, and failures of the systems below the ledger.

use limner_store::{SqlState, StoreError};

/// A ledger operation that was not carried out.
#[derive(Debug, thiserror::Error)]
pub enum LedgerError {
    /// There is no such account.
    #[error("there is no account `{0}`")]
    UnknownAccount(String),
    /// The key is unknown or revoked.
    #[error("the key is unknown or revoked")]
    UnknownKey,
    /// The account has no such grant.
    #[error("there is no grant `{0}`")]
    UnknownGrant(String),
    /// This request never had a hold.
    #[error("there is no hold for request `{0}`")]
    UnknownRequest(String),
    /// The request id belongs to another call.
    #[error("request id `{0}` belongs to another call")]
    RequestConflict(String),
    /// The call was released or expired before, so it cannot be held or charged again.
    #[error("request `{0}` was given up before")]
    RequestSettled(String),
    /// A value is out of range.
    #[error("{0}")]
    Invalid(String),
    /// The plan has no overage: only paid plans do.
    #[error("the plan of account `{0}` has no overage; set a paid plan first")]
    NoOverage(String),
    /// The billing provider failed or rejected a request.
    #[error(transparent)]
    Billing(#[from] crate::billing::BillingError),
    /// The log of erasures and revocations failed, or there is none.
    #[error("the log of erasures: {0}")]
    ErasureLog(String),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl LedgerError {
    /// Returns true if the ledger could not be reached, false if it rejected the operation.
    pub fn is_unavailable(&self) -> bool {
        matches!(self, Self::Store(cause) if cause.is_unavailable())
    }

    /// Returns true for a violation of the unique request id: two accounts used the same one in the same instant.
    pub(crate) fn is_unique_violation(cause: &StoreError) -> bool {
        cause.sql_state() == Some(&SqlState::UNIQUE_VIOLATION)
    }
}
