//! What account holders see and do by themselves: their keys, their history, the end of their account.

use super::Ledger;
use super::keys::{KeyRecord, NewKey, check_name, key_record};
use super::row::{column, count};
use super::usage::{UsageEntry, read_cursor, usage_entry, write_cursor};
use crate::LedgerError;
use limner_store::{Row, StoreError};
use time::{Date, OffsetDateTime};

/// Most calls on a page.
const LARGEST_PAGE: u32 = 1_000;
/// Addresses that one run of the job forgets.
const FORGET_BATCH: i32 = 1_000;

/// What a key is for.
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
    fn of(word: Option<&str>) -> Self {
        match word {
            Some("playground") => Self::Playground,
            Some("mcp") => Self::Mcp,
            _ => Self::Api,
        }
    }
}

/// A key with what its owner wants to know about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeldKey {
    /// The key as it is kept.
    pub record: KeyRecord,
    /// The begin of its latest call.
    pub last_used_at: Option<OffsetDateTime>,
    /// What it is for.
    pub purpose: KeyPurpose,
}

/// Which calls are wanted. What is `None` does not matter.
#[derive(Debug, Clone, Default)]
pub struct CallFilter {
    /// This call alone.
    pub request_id: Option<String>,
    /// Of this operation.
    pub operation: Option<String>,
    /// With this key.
    pub key_id: Option<String>,
    /// `ok`, `failed`, `cached`, or an error code.
    pub outcome: Option<String>,
    /// With this in the page's address, whatever its case.
    pub url_part: Option<String>,
    /// From then on.
    pub since: Option<OffsetDateTime>,
    /// Before then.
    pub until: Option<OffsetDateTime>,
}

/// A call and the name of its key.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedCall {
    /// The call.
    pub entry: UsageEntry,
    /// Empty: a key of another time.
    pub key_name: String,
    /// What that key is for.
    pub key_purpose: KeyPurpose,
}

/// Calls of one operation on one day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UsageDay {
    /// In UTC.
    pub day: Date,
    /// The operation.
    pub operation: String,
    /// Calls, hits and failures included.
    pub calls: u64,
    /// Served from the cache.
    pub cached: u64,
    /// Not answered with a result.
    pub failed: u64,
    /// Credits charged.
    pub credits: u64,
}

impl Ledger {
    /// The keys of an account, oldest first, revoked ones included, with their last use.
    ///
    /// # Errors
    /// There is no such account, or the database fails.
    pub async fn held_keys(&self, account_id: &str) -> Result<Vec<HeldKey>, LedgerError> {
        const SQL: &str = "SELECT k.*, (SELECT max(c.at) FROM metering.usage_call c WHERE c.key_id = k.id) AS last_used \
                           FROM metering.api_key k WHERE k.account_id = $1 ORDER BY k.created_at, k.id";
        let rows = self.store.query(SQL, &[&account_id]).await?;
        if rows.is_empty() {
            self.account(account_id).await?;
        }
        Ok(rows.iter().map(held_key).collect::<Result<_, _>>()?)
    }

    /// Makes the one playground key of an account; the one before it stops working.
    ///
    /// # Errors
    /// There is no such account, or the database fails.
    pub async fn create_playground_key(&self, account_id: &str) -> Result<NewKey, LedgerError> {
        const SQL: &str = "SELECT * FROM metering.create_playground_key($1, $2, $3, $4, $5, $6)";
        let made = self.insert_key(SQL, account_id, "Playground").await?;
        self.announce_now().await;
        Ok(made)
    }

    /// Makes a key for the calls of a client that signed in.
    ///
    /// # Errors
    /// There is no such account, the name is too long, or the database fails.
    pub async fn create_mcp_key(&self, account_id: &str, name: &str) -> Result<NewKey, LedgerError> {
        const SQL: &str = "SELECT * FROM metering.create_mcp_key($1, $2, $3, $4, $5, $6)";
        check_name(name)?;
        let made = self.insert_key(SQL, account_id, name).await?;
        self.announce_now().await;
        Ok(made)
    }

    /// Revokes a key of this account. At once, and for good; revoking again changes nothing.
    ///
    /// # Errors
    /// The account has no such key, or the database fails.
    pub async fn revoke_own_key(&self, account_id: &str, key_id: &str) -> Result<KeyRecord, LedgerError> {
        const SQL: &str = "SELECT FROM metering.api_key WHERE id = $1 AND account_id = $2";
        self.store.query_opt(SQL, &[&key_id, &account_id]).await?.ok_or(LedgerError::UnknownKey)?;
        self.revoke_key(key_id).await
    }

    /// Calls of an account, latest first, after `cursor`; and the cursor of the next page.
    ///
    /// # Errors
    /// The cursor is none of ours, or the database fails.
    pub async fn calls(
        &self,
        account_id: &str,
        filter: &CallFilter,
        limit: u32,
        cursor: Option<&str>,
    ) -> Result<(Vec<NamedCall>, Option<String>), LedgerError> {
        const ONE: &str = "SELECT c.*, c.source::text AS source_word, k.name AS key_name, k.purpose AS key_purpose FROM metering.usage_call c \
                           LEFT JOIN metering.api_key k ON k.id = c.key_id \
                           WHERE c.request_id = $2 AND c.account_id = $1";
        const MANY: &str = "SELECT c.*, c.source::text AS source_word, k.name AS key_name, k.purpose AS key_purpose FROM metering.usage_call c \
                            LEFT JOIN metering.api_key k ON k.id = c.key_id \
                            WHERE c.account_id = $1 AND (c.at, c.request_id) < ($2, $3) \
                              AND ($4::text IS NULL OR c.operation = $4) AND ($5::text IS NULL OR c.key_id = $5) \
                              AND CASE $6::text WHEN 'cached' THEN c.cached WHEN 'failed' THEN c.outcome <> 'ok' \
                                    ELSE $6 IS NULL OR c.outcome = $6 END \
                              AND ($7::text IS NULL OR strpos(lower(c.url), lower($7)) > 0) \
                              AND ($8::timestamptz IS NULL OR c.at >= $8) AND ($9::timestamptz IS NULL OR c.at < $9) \
                            ORDER BY c.at DESC, c.request_id DESC LIMIT $10";
        if let Some(request_id) = &filter.request_id {
            let rows = self.store.query(ONE, &[&account_id, request_id]).await?;
            return Ok((rows.iter().map(named_call).collect::<Result<_, _>>()?, None));
        }
        let limit = limit.min(LARGEST_PAGE);
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
        let mut calls = rows.iter().map(named_call).collect::<Result<Vec<_>, _>>()?;
        let has_more = calls.len() > limit as usize;
        calls.truncate(limit as usize);
        let next = calls.last().filter(|_| has_more).map(|call| write_cursor(&call.entry));
        Ok((calls, next))
    }

    /// Calls by day and operation, from `since` to the day before `until`; days without calls are not there.
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

    /// Ends an account for its owner: no key works any more, nothing goes past the plan, and what tells about a person is
    /// forgotten; the address once nothing is owed, see [`Self::forget_closed_accounts`]. Repeats succeed.
    ///
    /// # Errors
    /// There is no such account, or the database fails.
    pub async fn close_account(&self, account_id: &str) -> Result<(), LedgerError> {
        let row = self.store.query_one("SELECT metering.close_account($1) AS closed", &[&account_id]).await?;
        if !column::<bool>(&row, "closed")? {
            return Err(LedgerError::UnknownAccount(account_id.to_owned()));
        }
        tracing::info!(account.id = account_id, "account closed");
        self.announce_now().await;
        Ok(())
    }

    /// Forgets the addresses of closed accounts that have no calls under way, no overage to bill and no invoice that is not
    /// settled; says how many.
    ///
    /// # Errors
    /// The database fails.
    pub async fn forget_closed_accounts(&self) -> Result<usize, LedgerError> {
        const DUE: &str = "SELECT metering.accounts_to_forget($1) AS account_id";
        const FORGET: &str = "SELECT metering.forget_address($1) AS forgotten";
        let mut forgotten = 0;
        for row in &self.store.query(DUE, &[&FORGET_BATCH]).await? {
            let account: &str = column(row, "account_id")?;
            forgotten += usize::from(column::<bool>(&self.store.query_one(FORGET, &[&account]).await?, "forgotten")?);
        }
        if forgotten > 0 {
            tracing::info!(accounts = forgotten, "addresses of closed accounts were forgotten");
        }
        Ok(forgotten)
    }
}

fn held_key(row: &Row) -> Result<HeldKey, StoreError> {
    Ok(HeldKey {
        record: key_record(row)?,
        last_used_at: column(row, "last_used")?,
        purpose: KeyPurpose::of(column(row, "purpose")?),
    })
}

fn named_call(row: &Row) -> Result<NamedCall, StoreError> {
    let key_name: Option<String> = column(row, "key_name")?;
    let key_purpose = KeyPurpose::of(column(row, "key_purpose")?);
    Ok(NamedCall { entry: usage_entry(row)?, key_name: key_name.unwrap_or_default(), key_purpose })
}
