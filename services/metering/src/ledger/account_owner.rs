//! Self-service of account owners: their keys, their history, closing their account.

use super::Ledger;
use super::keys::{KeyRecord, NewKey, check_name, key_record};
use super::row_mapping::{column, count};
use super::usage::{UsageEntry, entry_columns, read_cursor, usage_entry, write_cursor};
use crate::LedgerError;
use limner_store::{Row, StoreError};
use time::{Date, OffsetDateTime};

/// Maximum number of calls on a page.
const MAX_PAGE_SIZE: u32 = 1_000;
/// Maximum number of e-mail addresses that one run of the job deletes.
const FORGET_BATCH: i32 = 1_000;

/// The purpose of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum KeyPurpose {
    /// Handed to its owner.
    #[default]
    Api,
    /// Kept by the console for its playground.
    Playground,
    /// Kept by the MCP server for a client that signed in.
    Mcp,
}

impl KeyPurpose {
    fn from_db(word: Option<&str>) -> Self {
        match word {
            Some("playground") => Self::Playground,
            Some("mcp") => Self::Mcp,
            _ => Self::Api,
        }
    }
}

/// A key with the details that its owner sees.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiKeyInfo {
    /// The stored key.
    pub record: KeyRecord,
    /// Start time of the latest call.
    pub last_used_at: Option<OffsetDateTime>,
    /// The purpose of the key.
    pub purpose: KeyPurpose,
}

/// A filter of calls. `None` matches every call.
#[derive(Debug, Clone, Default)]
pub struct CallFilter {
    /// Only the call with this id.
    pub request_id: Option<String>,
    /// Only calls of this operation.
    pub operation: Option<String>,
    /// Only calls with this key.
    pub key_id: Option<String>,
    /// `ok`, `failed`, `cached`, or an error code.
    pub outcome: Option<String>,
    /// Case-insensitive substring of the page's URL.
    pub url_part: Option<String>,
    /// Start of the time range, inclusive.
    pub since: Option<OffsetDateTime>,
    /// End of the time range, exclusive.
    pub until: Option<OffsetDateTime>,
}

/// A call and the purpose of its key.
#[derive(Debug, Clone, PartialEq)]
pub struct CallWithKeyPurpose {
    /// The call.
    pub entry: UsageEntry,
    /// The purpose of the key.
    pub key_purpose: KeyPurpose,
}

/// Calls of one operation on one day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UsageDay {
    /// The day in UTC.
    pub day: Date,
    /// The operation.
    pub operation: String,
    /// Calls, hits and failures included.
    pub calls: u64,
    /// Served from the cache.
    pub cached: u64,
    /// Number of calls without a result.
    pub failed: u64,
    /// Credits charged.
    pub credits: u64,
}

impl Ledger {
    /// Returns the keys of an account, oldest first, including revoked ones, with their last use.
    ///
    /// # Errors
    /// There is no such account, or the database fails.
    pub async fn api_key_infos(&self, account_id: &str) -> Result<Vec<ApiKeyInfo>, LedgerError> {
        const SQL: &str = "SELECT k.*, greatest(k.last_hit_at, \
                             (SELECT max(c.at) FROM metering.usage_call c WHERE c.key_id = k.id)) AS last_used \
                           FROM metering.api_key k WHERE k.account_id = $1 ORDER BY k.created_at, k.id";
        let rows = self.store.query(SQL, &[&account_id]).await?;
        if rows.is_empty() {
            self.account(account_id).await?;
        }
        Ok(rows.iter().map(api_key_info).collect::<Result<_, _>>()?)
    }

    /// Creates the only playground key of an account and revokes the previous one.
    ///
    /// # Errors
    /// There is no such account, or the database fails.
    pub async fn create_playground_key(&self, account_id: &str) -> Result<NewKey, LedgerError> {
        const SQL: &str = "SELECT * FROM metering.create_playground_key($1, $2, $3, $4, $5, $6)";
        let made = self.insert_key(SQL, account_id, "Playground").await?;
        self.flush_outbox().await;
        Ok(made)
    }

    /// Creates a key for the calls of a client that signed in.
    ///
    /// # Errors
    /// There is no such account, the name is too long, or the database fails.
    pub async fn create_mcp_key(&self, account_id: &str, name: &str) -> Result<NewKey, LedgerError> {
        const SQL: &str = "SELECT * FROM metering.create_mcp_key($1, $2, $3, $4, $5, $6)";
        check_name(name)?;
        let made = self.insert_key(SQL, account_id, name).await?;
        self.flush_outbox().await;
        Ok(made)
    }

    /// Revokes a key of this account, immediately and permanently. Idempotent.
    ///
    /// # Errors
    /// The account has no such key, or the database fails.
    pub async fn revoke_own_key(&self, account_id: &str, key_id: &str) -> Result<KeyRecord, LedgerError> {
        const SQL: &str = "SELECT FROM metering.api_key WHERE id = $1 AND account_id = $2";
        self.store.query_opt(SQL, &[&key_id, &account_id]).await?.ok_or(LedgerError::UnknownKey)?;
        self.revoke_key(key_id).await
    }

    /// Returns calls of an account, latest first, after `cursor`; and the cursor of the next page.
    ///
    /// # Errors
    /// The cursor is invalid, or the database fails.
    pub async fn calls(
        &self,
        account_id: &str,
        filter: &CallFilter,
        limit: u32,
        cursor: Option<&str>,
    ) -> Result<(Vec<CallWithKeyPurpose>, Option<String>), LedgerError> {
        const ONE: &str = concat!(
            "SELECT ",
            entry_columns!(),
            ", k.purpose AS key_purpose FROM metering.usage_call c LEFT JOIN metering.api_key k ON k.id = c.key_id \
              WHERE c.request_id = $2 AND c.account_id = $1"
        );
        const MANY: &str = concat!(
            "SELECT ",
            entry_columns!(),
            ", k.purpose AS key_purpose FROM metering.usage_call c LEFT JOIN metering.api_key k ON k.id = c.key_id \
              WHERE c.account_id = $1 AND (c.at, c.request_id) < ($2, $3) \
                AND ($4::text IS NULL OR c.operation = $4) AND ($5::text IS NULL OR c.key_id = $5) \
                AND CASE $6::text WHEN 'cached' THEN c.cached WHEN 'failed' THEN c.outcome <> 'ok' \
                      ELSE $6 IS NULL OR c.outcome = $6 END \
                AND ($7::text IS NULL OR strpos(lower(c.url), lower($7)) > 0) \
                AND ($8::timestamptz IS NULL OR c.at >= $8) AND ($9::timestamptz IS NULL OR c.at < $9) \
              ORDER BY c.at DESC, c.request_id DESC LIMIT $10"
        );
        if let Some(request_id) = &filter.request_id {
            let rows = self.store.query(ONE, &[&account_id, request_id]).await?;
            return Ok((rows.iter().map(call_with_key_purpose).collect::<Result<_, _>>()?, None));
        }
        let limit = limit.min(MAX_PAGE_SIZE);
        let (before, before_id) = match cursor {
            Some(cursor) => read_cursor(cursor)?,
            None => (time::macros::datetime!(9999-12-31 0:00 UTC), String::new()),
        };
        let one_more = i64::from(limit) + 1;
        let rows = self
            .store
            .query(
                MANY,
                &[
                    &account_id,
                    &before,
                    &before_id,
                    &filter.operation,
                    &filter.key_id,
                    &filter.outcome,
                    &filter.url_part,
                    &filter.since,
                    &filter.until,
                    &one_more,
                ],
            )
            .await?;
        let mut calls = rows.iter().map(call_with_key_purpose).collect::<Result<Vec<_>, _>>()?;
        let has_more = calls.len() > limit as usize;
        calls.truncate(limit as usize);
        let next = calls.last().filter(|_| has_more).map(|call| write_cursor(&call.entry));
        Ok((calls, next))
    }

    /// Returns the calls by day and operation, from `since` to the day before `until`. Days without calls are omitted.
    ///
    /// # Errors
    /// The database fails.
    pub async fn usage_days(&self, account_id: &str, since: Date, until: Date) -> Result<Vec<UsageDay>, LedgerError> {
        const SQL: &str = "SELECT day, operation, sum(calls)::bigint AS calls, sum(cached)::bigint AS cached, \
                             sum(failed)::bigint AS failed, sum(credits)::bigint AS credits \
                           FROM metering.usage_by_day($1, $2, $3) GROUP BY day, operation ORDER BY day, operation";
        let rows = self.store.query(SQL, &[&account_id, &since, &until]).await?;
        let day = |row: &Row| {
            Ok(UsageDay {
                day: column(row, "day")?,
                operation: column(row, "operation")?,
                calls: count(row, "calls")?,
                cached: count(row, "cached")?,
                failed: count(row, "failed")?,
                credits: count(row, "credits")?,
            })
        };
        rows.iter().map(day).collect()
    }

    /// Closes an account for its owner: all its keys stop working, nothing exceeds the plan, and personal data is
    /// deleted; the e-mail address only once nothing is owed, see [`Self::purge_closed_accounts`]. Idempotent.
    ///
    /// # Errors
    /// There is no such account, or the database fails.
    pub async fn close_account(&self, account_id: &str) -> Result<(), LedgerError> {
        self.log_closing(account_id).await?;
        let row = self.store.query_one("SELECT metering.close_account($1) AS closed", &[&account_id]).await?;
        if !column::<bool>(&row, "closed")? {
            return Err(LedgerError::UnknownAccount(account_id.to_owned()));
        }
        tracing::info!(account.id = account_id, "account closed");
        self.flush_outbox().await;
        Ok(())
    }

    /// Deletes the e-mail addresses of closed accounts that have no calls in progress, no overage to bill and no
    /// unsettled invoice. Returns their number.
    ///
    /// # Errors
    /// The database fails.
    pub async fn purge_closed_accounts(&self) -> Result<usize, LedgerError> {
        const DUE: &str = "SELECT metering.accounts_to_forget($1) AS account_id";
        const FORGET: &str = "SELECT metering.forget_address($1) AS forgotten";
        let mut forgotten = 0;
        for row in &self.store.query(DUE, &[&FORGET_BATCH]).await? {
            let account: &str = column(row, "account_id")?;
            forgotten += usize::from(column::<bool>(&self.store.query_one(FORGET, &[&account]).await?, "forgotten")?);
        }
        if forgotten > 0 {
            tracing::info!(erasure.accounts = forgotten, "e-mail addresses of closed accounts deleted");
        }
        Ok(forgotten)
    }
}

fn api_key_info(row: &Row) -> Result<ApiKeyInfo, StoreError> {
    Ok(ApiKeyInfo {
        record: key_record(row)?,
        last_used_at: column(row, "last_used")?,
        purpose: KeyPurpose::from_db(column(row, "purpose")?),
    })
}

fn call_with_key_purpose(row: &Row) -> Result<CallWithKeyPurpose, StoreError> {
    let key_purpose = KeyPurpose::from_db(column(row, "key_purpose")?);
    Ok(CallWithKeyPurpose { entry: usage_entry(row)?, key_purpose })
}
