//! Corrections by operators: new ledger entries with a reason.

use super::Ledger;
use super::row_mapping::{account_state, column};
use crate::LedgerError;
use crate::api_key::new_id;
use limner_store::StoreError;
use limner_types::AccountState;
use serde::Serialize;

/// Maximum length of a reason, in characters.
const MAX_REASON_CHARACTERS: usize = 500;

/// A refunded call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Refunded {
    /// The account now.
    pub account: AccountState,
    /// True if the credits were added to the pack balance because the charge could not be undone any more: its month
    /// has ended, or its overage is on an invoice.
    pub as_pack_credits: bool,
}

impl Ledger {
    /// Adds credits to the pack balance of an account or takes them away; the balance never becomes negative.
    /// `reference` makes it idempotent; without `reference`, each call is an adjustment of its own.
    ///
    /// # Errors
    /// There is no such account, the balance is too small, the reason is missing or too long, the reference belongs to
    /// another adjustment, or the database fails.
    pub async fn adjust(
        &self,
        account_id: &str,
        credits: i64,
        reason: &str,
        reference: Option<&str>,
    ) -> Result<AccountState, LedgerError> {
        const SQL: &str = "SELECT j.outcome, (j.state).* FROM metering.adjust_pack($1, $2, $3, $4) j";
        check_reason(reason)?;
        if credits == 0 {
            return Err(LedgerError::Invalid("an adjustment is of at least 1 credit".to_owned()));
        }
        let reference = reference.map_or_else(|| new_id("adj"), str::to_owned);
        let row = self.store.query_one(SQL, &[&account_id, &reference, &credits, &reason]).await?;
        match column(&row, "outcome")? {
            "adjusted" => self.changed(&row, account_id, "credits adjusted").await,
            "too_little" => Err(LedgerError::Invalid("the pack balance is smaller than that".to_owned())),
            "conflict" => Err(LedgerError::RequestConflict(reference)),
            _ => Err(LedgerError::UnknownAccount(account_id.to_owned())),
        }
    }

    /// Refunds a charged call: to the source of its credits while the charge can be undone, otherwise as pack credits.
    /// Idempotent.
    ///
    /// # Errors
    /// There is no such call, it was not charged, the reason is missing or too long, or the database fails.
    pub async fn refund(&self, request_id: &str, reason: &str) -> Result<Refunded, LedgerError> {
        const SQL: &str = "SELECT r.outcome, r.as_pack, (r.state).* FROM metering.refund_call($1, $2) r";
        check_reason(reason)?;
        let row = self.store.query_one(SQL, &[&request_id, &reason]).await?;
        match column(&row, "outcome")? {
            "refunded" => {}
            "not_charged" => return Err(LedgerError::Invalid(format!("call `{request_id}` was not charged"))),
            _ => return Err(LedgerError::UnknownRequest(request_id.to_owned())),
        }
        let account = account_state(&row)?
            .ok_or_else(|| StoreError::Unexpected("no account state where one is expected".to_owned()))?;
        let as_pack_credits = column(&row, "as_pack")?;
        tracing::info!(account.id = %account.account_id, request.id = request_id, "call refunded");
        self.flush_outbox().await;
        Ok(Refunded { account, as_pack_credits })
    }
}

fn check_reason(reason: &str) -> Result<(), LedgerError> {
    if (1..=MAX_REASON_CHARACTERS).contains(&reason.trim().chars().count()) {
        return Ok(());
    }
    Err(LedgerError::Invalid(format!(
        "give a reason of 1 to {MAX_REASON_CHARACTERS} characters: it stays in the ledger"
    )))
}
