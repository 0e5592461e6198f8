//! What the ledger refuses, and what can go wrong under it.

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
    /// There was never a hold for this request.
    #[error("there is no hold for request `{0}`")]
    UnknownRequest(String),
    /// The request id belongs to another call.
    #[error("request id `{0}` belongs to another call")]
    RequestConflict(String),
    /// The call was given up (released or expired) before: it can't be held or charged again.
    #[error("request `{0}` was given up before")]
    RequestSettled(String),
    /// A value is out of range.
    #[error("{0}")]
    Invalid(String),
    /// Overage belongs to paid plans.
    #[error("the plan of account `{0}` has no overage; set a paid plan first")]
    NoOverage(String),
    /// The billing provider did not do its part.
    #[error(transparent)]
    Billing(#[from] crate::billing::BillingError),
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl LedgerError {
    /// Whether the ledger could not be reached, as opposed to having refused something.
    pub fn is_unavailable(&self) -> bool {
        matches!(self, Self::Store(cause) if cause.is_unavailable())
    }

    /// A breach of a unique request id that two accounts used in the same instant.
    pub(crate) fn is_unique_violation(cause: &StoreError) -> bool {
        cause.sql_state() == Some(&SqlState::UNIQUE_VIOLATION)
    }
}
