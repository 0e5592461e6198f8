//! What an account used: the period's summary, its calls, and the ledger line by line.

use super::row::{column, count, optional_count, word};
use super::{Ledger, calls::Source};
use crate::LedgerError;
use limner_store::{Row, StoreError};
use limner_types::AccountState;
use serde::Serialize;
use std::time::Duration;
use time::OffsetDateTime;

/// Most entries on a page of usage.
const LARGEST_PAGE: u32 = 1_000;
/// Calls that one step of [`Ledger::forget_calls`] removes.
const FORGET_BATCH: i64 = 5_000;

/// One page of an account's usage history, latest first.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct UsagePage {
    /// The account now.
    pub account: AccountState,
    /// Calls, latest first.
    pub entries: Vec<UsageEntry>,
    /// For the next page; null on the last.
    pub next_cursor: Option<String>,
    /// This month by operation.
    pub totals: Vec<OperationTotal>,
}

/// One call.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct UsageEntry {
    /// `X-Request-Id` of the call.
    pub request_id: String,
    /// The key it came with.
    pub key_id: String,
    /// When it began.
    #[serde(with = "time::serde::rfc3339")]
    pub at: OffsetDateTime,
    /// The operation.
    pub operation: String,
    /// The page.
    pub url: String,
    /// What it was charged.
    pub credits: u64,
    /// Where from.
    pub source: Option<Source>,
    /// Served from the cache.
    pub cached: bool,
    /// The browser fallback was used.
    pub auto_render: bool,
    /// `ok`, the error code, or `expired`.
    pub outcome: String,
    /// Committed after its hold had expired.
    pub late: bool,
    /// Given back by an operator.
    pub refunded: bool,
}

/// Calls and credits of one operation this month.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OperationTotal {
    /// The operation.
    pub operation: String,
    /// Calls, hits and failures included.
    pub calls: u64,
    /// Credits charged.
    pub credits: u64,
}

/// One line of the ledger: credits that moved from one book to another.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LedgerEntry {
    /// Grows with time.
    pub id: i64,
    /// When.
    #[serde(with = "time::serde::rfc3339")]
    pub at: OffsetDateTime,
    /// First day of the month it belongs to.
    pub period_start: String,
    /// Why: `grant`, `hold`, `commit`, …
    pub kind: String,
    /// Where the credits were.
    pub from_book: String,
    /// Where they are now.
    pub to_book: String,
    /// How many.
    pub credits: u64,
    /// The call, the purchase or the adjustment.
    pub request_id: Option<String>,
    /// Why, where a person did it.
    pub note: Option<String>,
}

impl Ledger {
    /// The usage of an account: its state, this month by operation, and its calls, latest first, after `cursor`.
    ///
    /// # Errors
    /// There is no such account, the cursor is none of ours, or the database fails.
    pub async fn usage(&self, account_id: &str, limit: u32, cursor: Option<&str>) -> Result<UsagePage, LedgerError> {
        const SQL: &str = "SELECT *, source::text AS source_word FROM metering.usage_call \
                           WHERE account_id = $1 AND (at, request_id) < ($2, $3) \
                           ORDER BY at DESC, request_id DESC LIMIT $4";
        let account = self.account_state(account_id).await?;
        let limit = limit.min(LARGEST_PAGE);
        let (before, before_id) = match cursor {
            Some(cursor) => read_cursor(cursor)?,
            None => (time::macros::datetime!(9999-12-31 0:00 UTC), String::new()),
        };
        // One more than the page says whether there is another.
        let rows = self.store.query(SQL, &[&account_id, &before, &before_id, &(i64::from(limit) + 1)]).await?;
        let mut entries = rows.iter().map(usage_entry).collect::<Result<Vec<_>, _>>()?;
        let has_more = entries.len() > limit as usize;
        entries.truncate(limit as usize);
        let next_cursor = entries.last().filter(|_| has_more).map(write_cursor);
        let totals = self.totals(&account).await?;
        Ok(UsagePage { account, entries, next_cursor, totals })
    }

    async fn totals(&self, account: &AccountState) -> Result<Vec<OperationTotal>, LedgerError> {
        // A call is charged in its own month or, when its charge came late, in a later one.
        const SQL: &str = "SELECT operation, sum(calls)::bigint AS calls, sum(credits)::bigint AS credits \
                           FROM (SELECT to_timestamp($2::bigint)::date AS month) m, \
                             LATERAL metering.usage_by_day($1, m.month - 2, (m.month + interval '1 month')::date) \
                           WHERE period_start = m.month \
                           GROUP BY operation ORDER BY credits DESC, operation";
        let rows = self.store.query(SQL, &[&account.account_id, &account.period_start_unix]).await?;
        let total = |row: &Row| {
            Ok(OperationTotal {
                operation: column(row, "operation")?,
                calls: count(row, "calls")?,
                credits: count(row, "credits")?,
            })
        };
        rows.iter().map(total).collect()
    }

    /// Lines of the ledger, latest first, with ids below `before`.
    ///
    /// # Errors
    /// The database fails.
    pub async fn entries(
        &self,
        account_id: &str,
        limit: u32,
        before: Option<i64>,
    ) -> Result<Vec<LedgerEntry>, LedgerError> {
        const SQL: &str = "SELECT id, at, period_start::text AS month, kind::text AS kind_word, \
                             from_book::text AS from_word, to_book::text AS to_word, credits, request_id, note \
                           FROM metering.ledger_entry WHERE account_id = $1 AND id < $2 ORDER BY id DESC LIMIT $3";
        let before = before.unwrap_or(i64::MAX);
        let rows = self.store.query(SQL, &[&account_id, &before, &i64::from(limit)]).await?;
        let entry = |row: &Row| {
            Ok(LedgerEntry {
                id: column(row, "id")?,
                at: column(row, "at")?,
                period_start: column(row, "month")?,
                kind: column(row, "kind_word")?,
                from_book: column(row, "from_word")?,
                to_book: column(row, "to_word")?,
                credits: count(row, "credits")?,
                request_id: column(row, "request_id")?,
                note: column(row, "note")?,
            })
        };
        rows.iter().map(entry).collect()
    }

    /// Removes calls older than `retention` from the usage history; says how many. What they add up to by day and
    /// operation is kept, and so are the lines of the ledger.
    ///
    /// # Errors
    /// The database fails.
    pub async fn forget_calls(&self, retention: Duration) -> Result<u64, LedgerError> {
        const SQL: &str = "SELECT metering.forget_calls($1, $2) AS gone";
        let mut forgotten = 0;
        loop {
            let row = self.store.query_one(SQL, &[&retention.as_secs_f64(), &FORGET_BATCH]).await?;
            let gone = count(&row, "gone")?;
            forgotten += gone;
            if gone < FORGET_BATCH.unsigned_abs() {
                break;
            }
        }
        if forgotten > 0 {
            tracing::info!(calls.forgotten = forgotten, "calls past their retention removed");
        }
        Ok(forgotten)
    }
}

pub(crate) fn usage_entry(row: &Row) -> Result<UsageEntry, StoreError> {
    let source = match column::<Option<&str>>(row, "source_word")? {
        Some(_) => Some(word(row, "source_word")?),
        None => None,
    };
    Ok(UsageEntry {
        request_id: column(row, "request_id")?,
        key_id: column(row, "key_id")?,
        at: column(row, "at")?,
        operation: column(row, "operation")?,
        url: column(row, "url")?,
        credits: optional_count(row, "credits")?.unwrap_or_default(),
        source,
        cached: column(row, "cached")?,
        auto_render: column(row, "auto_render")?,
        outcome: column(row, "outcome")?,
        late: column(row, "late")?,
        refunded: column::<Option<OffsetDateTime>>(row, "refunded_at")?.is_some(),
    })
}

/// Where a page ended: time in microseconds (what the database keeps) and request id.
pub(crate) fn write_cursor(entry: &UsageEntry) -> String {
    format!("{}.{}", entry.at.unix_timestamp_nanos() / 1_000, entry.request_id)
}

pub(crate) fn read_cursor(cursor: &str) -> Result<(OffsetDateTime, String), LedgerError> {
    let parse = || {
        let (micros, request_id) = cursor.split_once('.')?;
        let nanos = micros.parse::<i128>().ok()?.checked_mul(1_000)?;
        Some((OffsetDateTime::from_unix_timestamp_nanos(nanos).ok()?, request_id.to_owned()))
    };
    parse().ok_or_else(|| LedgerError::Invalid("the cursor is not one that was handed out".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_cursors_are_refused() {
        for cursor in
            ["", "1", "x.req_1", "99999999999999999999999999.req_1", "170141183460469231731687303715884105727.r"]
        {
            assert!(read_cursor(cursor).is_err(), "{cursor}");
        }
        let (at, request_id) = read_cursor("1793491200123456.req_a.b").unwrap();
        assert_eq!((at.unix_timestamp_nanos(), request_id.as_str()), (1_793_491_200_123_456_000, "req_a.b"));
    }
}
