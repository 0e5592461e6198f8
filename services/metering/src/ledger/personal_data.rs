//! Data about an account's owner: its export, its erasure, and the log of erasures and revocations that lies
//! outside of the database. A restored database has neither: [`Ledger::replay_erasures`] repeats them.

use super::Ledger;
use super::row_mapping::column;
use crate::LedgerError;
use limner_screenshot_store::RecordLog;
use limner_store::Row;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Lists tables with the statement that returns those of their rows that a condition holds for, without [`SECRETS`].
macro_rules! tables {
    ($($condition:literal: [$($table:literal),+],)+) => {
        &[$($((
            $table,
            concat!("SELECT (to_jsonb(t) - $2::text[])::text AS row FROM ", $table, " t WHERE ", $condition),
        ),)+)+]
    };
}

/// All tables that say something about an account, each with the statement for the rows that do.
const TABLES: &[(&str, &str)] = tables! {
    "id = $1": ["metering.account"],
    "account_id = $1": [
        "metering.account_event", "metering.account_period", "metering.adjustment", "metering.api_key",
        "metering.billing_customer", "metering.billing_order", "metering.billing_subscription", "metering.client_grant",
        "metering.credit_note", "metering.hold", "metering.invoice", "metering.ledger_entry", "metering.pack_purchase",
        "metering.returned_payment", "metering.scheduled_terms", "metering.surplus_subscription", "metering.unpaid_invoice",
        "metering.usage_call", "metering.usage_day", "console.audit", "console.holder"
    ],
    "grant_id IN (SELECT id FROM metering.client_grant WHERE account_id = $1)": [
        "metering.authorization_code", "metering.grant_token"
    ],
    "invoice_id IN (SELECT id FROM metering.invoice WHERE account_id = $1)": ["metering.invoice_line"],
    "holder_id IN (SELECT id FROM console.holder WHERE account_id = $1)": [
        "console.device", "console.identity", "console.session"
    ],
    "lower(email) IN (SELECT email_key FROM console.holder WHERE account_id = $1)": ["console.link"],
};

/// Columns that are left out: whoever has one could act as the owner.
const SECRETS: &[&str] = &["sha256", "token_sha256", "asker_sha256", "password_hash", "code_challenge"];

/// A record of the log.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum ErasureRecord {
    /// A key or an access token was revoked.
    Revoked { account_id: String, sha256: String },
    /// The account was closed by its owner.
    Closed { account_id: String },
    /// The data about the account's owner was erased.
    Erased { account_id: String },
}

/// The result of [`Ledger::replay_erasures`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Replay {
    /// Number of records in the log.
    pub records: usize,
    /// Keys and tokens that were in force again.
    pub revoked: usize,
    /// Accounts that were open again.
    pub closed: usize,
    /// Accounts whose owner was known again.
    pub erased: usize,
}

impl Ledger {
    /// Returns the ledger with a log of erasures and revocations.
    #[must_use]
    pub fn with_erasure_log(self, log: RecordLog) -> Self {
        Self { erasure_log: Some(log), ..self }
    }

    /// Returns everything that is held about an account and its owner: rows by table, without hashes of secrets. The
    /// database's user must be the owner of the schemas.
    ///
    /// # Errors
    /// There is no such account, or the database fails.
    pub async fn export_account(&self, account_id: &str) -> Result<Value, LedgerError> {
        self.account(account_id).await?;
        let mut tables = Map::new();
        for (table, sql) in TABLES {
            let rows = self.store.query(sql, &[&account_id, &SECRETS]).await?;
            let parse = |row: &Row| {
                let text: &str = column(row, "row")?;
                serde_json::from_str(text).map_err(|cause| LedgerError::Invalid(format!("a row of {table}: {cause}")))
            };
            tables.insert((*table).to_owned(), rows.iter().map(parse).collect::<Result<Vec<Value>, _>>()?.into());
        }
        Ok(serde_json::json!({ "account_id": account_id, "tables": tables }))
    }

    /// Closes an account and erases what is held about its owner, except for what has to be kept without a name. It is
    /// logged first, if there is a log. The database's user must be the owner of the schemas.
    ///
    /// # Errors
    /// There is no such account, or the log or the database fails; repeat it then.
    pub async fn erase_account(&self, account_id: &str) -> Result<(), LedgerError> {
        self.account(account_id).await?;
        self.log_erasure(&ErasureRecord::Erased { account_id: account_id.to_owned() }).await?;
        self.erase_rows(account_id).await?;
        self.flush_outbox().await;
        Ok(())
    }

    async fn erase_rows(&self, account_id: &str) -> Result<bool, LedgerError> {
        let row = self.store.query_one("SELECT metering.erase_account($1) AS erased", &[&account_id]).await?;
        tracing::info!(account.id = account_id, "account erased");
        Ok(column(&row, "erased")?)
    }

    /// Logs that an account is about to be closed.
    pub(crate) async fn log_closing(&self, account_id: &str) -> Result<(), LedgerError> {
        self.log_erasure(&ErasureRecord::Closed { account_id: account_id.to_owned() }).await
    }

    /// Logs that a key or an access token was revoked.
    pub(crate) async fn log_revocation(&self, account_id: &str, hash: [u8; 32]) -> Result<(), LedgerError> {
        let sha256 = hash.iter().map(|byte| format!("{byte:02x}")).collect();
        self.log_erasure(&ErasureRecord::Revoked { account_id: account_id.to_owned(), sha256 }).await
    }

    async fn log_erasure(&self, record: &ErasureRecord) -> Result<(), LedgerError> {
        let Some(log) = &self.erasure_log else { return Ok(()) };
        let line = serde_json::to_vec(record).map_err(|cause| LedgerError::ErasureLog(cause.to_string()))?;
        log.append(line.into()).await.map_err(|cause| LedgerError::ErasureLog(cause.to_string()))
    }

    /// Repeats the erasures and revocations of the log in this database, after it was restored. Safe to repeat. What a
    /// record names and this database does not have is passed over.
    ///
    /// # Errors
    /// There is no log, or the log or the database fails.
    pub async fn replay_erasures(&self) -> Result<Replay, LedgerError> {
        let unreadable = |cause: String| LedgerError::ErasureLog(cause);
        let log = self.erasure_log.as_ref().ok_or_else(|| unreadable("metering.erasure_log is not set".to_owned()))?;
        let records = log.read().await.map_err(|cause| unreadable(cause.to_string()))?;
        let mut replay = Replay { records: records.len(), revoked: 0, closed: 0, erased: 0 };
        for record in &records {
            match serde_json::from_slice::<ErasureRecord>(record).map_err(|cause| unreadable(cause.to_string()))? {
                ErasureRecord::Revoked { sha256, .. } => {
                    replay.revoked += usize::from(self.revoke_hash(&sha256).await?)
                }
                ErasureRecord::Closed { account_id } => {
                    replay.closed += usize::from(self.close_again(&account_id).await?)
                }
                ErasureRecord::Erased { account_id } => {
                    replay.erased += usize::from(self.erase_again(&account_id).await?)
                }
            }
        }
        self.flush_outbox().await;
        tracing::info!(erasure.records = replay.records, "erasures replayed");
        Ok(replay)
    }

    async fn revoke_hash(&self, hex: &str) -> Result<bool, LedgerError> {
        const SQL: &str = "SELECT metering.revoke_hash(decode($1, 'hex')) AS revoked";
        Ok(column(&self.store.query_one(SQL, &[&hex]).await?, "revoked")?)
    }

    async fn close_again(&self, account_id: &str) -> Result<bool, LedgerError> {
        const SQL: &str = "SELECT metering.close_account(a.id) AS closed FROM metering.account a \
                           WHERE a.id = $1 AND a.closed_at IS NULL";
        Ok(!self.store.query(SQL, &[&account_id]).await?.is_empty())
    }

    async fn erase_again(&self, account_id: &str) -> Result<bool, LedgerError> {
        const SQL: &str = "SELECT EXISTS (SELECT FROM metering.account a WHERE a.id = $1) AND NOT EXISTS (
                             SELECT FROM metering.account_event e WHERE e.account_id = $1 AND e.kind = 'erased') AS due";
        let is_due: bool = column(&self.store.query_one(SQL, &[&account_id]).await?, "due")?;
        Ok(is_due && self.erase_rows(account_id).await?)
    }
}
