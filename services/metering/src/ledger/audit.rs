//! Audits the ledger's projections against its entries.

use super::Ledger;
use super::row_mapping::{account_state, column};
use crate::LedgerError;
use limner_store::{Row, StoreError};
use limner_types::AccountState;
use serde::Serialize;

/// Number of accounts compared in one statement.
const BATCH: i64 = 200;

/// A balance that differs from the sum of its entries.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Mismatch {
    /// The account.
    pub account_id: String,
    /// First day of the month; null for balances that outlive months.
    pub period_start: Option<String>,
    /// The book.
    pub book: String,
    /// The balance in the projection.
    pub projected: i64,
    /// The sum of the entries.
    pub posted: i64,
    /// The sum of the open holds.
    pub held: i64,
}

impl Ledger {
    /// Compares every balance with all entries and open holds that it is derived from. Safe to run concurrently with
    /// calls.
    ///
    /// # Errors
    /// The database fails.
    pub async fn check(&self) -> Result<Vec<Mismatch>, LedgerError> {
        self.check_all_accounts("SELECT *, period_start::text AS month FROM metering.check_ledger($1)").await
    }

    /// Like [`Self::check`], but sums only the entries since the last audit that found no difference.
    ///
    /// # Errors
    /// The database fails.
    pub async fn check_new(&self) -> Result<Vec<Mismatch>, LedgerError> {
        self.check_all_accounts("SELECT *, period_start::text AS month FROM metering.check_new_entries($1)").await
    }

    async fn check_all_accounts(&self, comparison: &'static str) -> Result<Vec<Mismatch>, LedgerError> {
        const ACCOUNTS: &str = "SELECT id FROM metering.account WHERE id > $1 ORDER BY id LIMIT $2";
        let mut mismatches = Vec::new();
        let mut after = String::new();
        loop {
            let rows = self.store.query(ACCOUNTS, &[&after, &BATCH]).await?;
            let accounts = rows.iter().map(|row| column(row, "id")).collect::<Result<Vec<String>, _>>()?;
            let Some(last) = accounts.last() else { break };
            after.clone_from(last);
            let rows = self.store.query(comparison, &[&accounts]).await?;
            mismatches.extend(rows.iter().map(mismatch).collect::<Result<Vec<_>, _>>()?);
        }
        metrics::gauge!("limner_metering_ledger_mismatches").set(mismatches.len() as f64);
        for mismatch in &mismatches {
            tracing::error!(
                account.id = %mismatch.account_id,
                ledger.book = %mismatch.book,
                ledger.projected = mismatch.projected,
                ledger.posted = mismatch.posted,
                ledger.held = mismatch.held,
                "balance does not match its ledger entries"
            );
        }
        Ok(mismatches)
    }

    /// Compares the balances of the given accounts.
    ///
    /// # Errors
    /// The database fails.
    pub async fn check_accounts(&self, accounts: &[String]) -> Result<Vec<Mismatch>, LedgerError> {
        const SQL: &str = "SELECT *, period_start::text AS month FROM metering.check_ledger($1)";
        let rows = self.store.query(SQL, &[&accounts]).await?;
        Ok(rows.iter().map(mismatch).collect::<Result<_, _>>()?)
    }

    /// Recomputes the balances of an account from its entries.
    ///
    /// # Errors
    /// There is no such account, or the database fails.
    pub async fn rebuild(&self, account_id: &str) -> Result<AccountState, LedgerError> {
        let row = self.store.query_one("SELECT * FROM metering.rebuild_projections($1)", &[&account_id]).await?;
        let state = account_state(&row)?.ok_or_else(|| LedgerError::UnknownAccount(account_id.to_owned()))?;
        tracing::warn!(account.id = account_id, "balances rebuilt from the ledger");
        self.flush_outbox().await;
        Ok(state)
    }
}

fn mismatch(row: &Row) -> Result<Mismatch, StoreError> {
    Ok(Mismatch {
        account_id: column(row, "account_id")?,
        period_start: column(row, "month")?,
        book: column(row, "book")?,
        projected: column(row, "projected")?,
        posted: column(row, "posted")?,
        held: column(row, "held")?,
    })
}
