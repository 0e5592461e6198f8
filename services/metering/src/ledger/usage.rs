//! An account's usage: the summary of the period, its calls, and the ledger line by line.

use super::Ledger;
use super::holds::CreditSource;
use super::row_mapping::{column, column_enum, count, optional_count};
use crate::LedgerError;
use limner_store::{Row, StoreError};
use limner_types::AccountState;
use serde::Serialize;
use time::OffsetDateTime;

/// The columns that [`usage_entry`] reads, of a call `c` and its key `k`.
macro_rules! entry_columns {
    () => {
        "c.request_id, c.key_id, k.name AS key_name, c.at, c.operation, c.url, c.credits, \
         c.source::text AS source_word, c.cached, c.auto_render, c.outcome, c.late, c.refunded_at, c.duration_ms"
    };
}
pub(super) use entry_columns;

/// Maximum number of entries on a page of usage.
const MAX_PAGE_SIZE: u32 = 1_000;

/// One page of an account's usage history, latest first.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct UsagePage {
    /// The account now.
    pub account: AccountState,
    /// Calls, latest first.
    pub entries: Vec<UsageEntry>,
    /// Cursor of the next page; null on the last page.
    pub next_cursor: Option<String>,
    /// Totals of this month by operation.
    pub totals: Vec<OperationTotal>,
}

/// One call.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct UsageEntry {
    /// `X-Request-Id` of the call.
    pub request_id: String,
    /// The key that authenticated the call.
    pub key_id: String,
    /// Name of the key; empty if it is no longer stored.
    pub key_name: String,
    /// Start time.
    #[serde(with = "time::serde::rfc3339")]
    pub at: OffsetDateTime,
    /// The operation.
    pub operation: String,
    /// The page.
    pub url: String,
    /// Credits charged.
    pub credits: u64,
    /// Source of the credits.
    pub source: Option<CreditSource>,
    /// True if it was served from the cache.
    pub cached: bool,
    /// True if the browser fallback was used.
    pub auto_render: bool,
    /// `ok`, the error code, or `expired`.
    pub outcome: String,
    /// True if it was committed after its hold had expired.
    pub late: bool,
    /// True if an operator refunded it.
    pub refunded: bool,
    /// Milliseconds that the call took; `None` if nobody measured them: the call expired, or a former release recorded it.
    pub duration_ms: Option<u32>,
}

/// Calls and credits of one operation this month.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OperationTotal {
    /// The operation.
    pub operation: String,
    /// Number of calls, including cache hits and failures.
    pub calls: u64,
    /// Credits charged.
    pub credits: u64,
}

/// One ledger entry: credits that moved from one book to another.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LedgerEntry {
    /// Increases with time.
    pub id: i64,
    /// Time of the entry.
    #[serde(with = "time::serde::rfc3339")]
    pub at: OffsetDateTime,
    /// First day of the month that the entry belongs to.
    pub period_start: String,
    /// Reason: `grant`, `hold`, `commit`, …
    pub kind: String,
    /// The book debited.
    pub from_book: String,
    /// The book credited.
    pub to_book: String,
    /// Number of credits.
    pub credits: u64,
    /// Id of the call, the purchase or the adjustment.
    pub request_id: Option<String>,
    /// Reason given by an operator.
    pub note: Option<String>,
}

impl Ledger {
    /// Returns the usage of an account: its state, this month's totals by operation, and its calls, latest first, after
    /// `cursor`.
    ///
    /// # Errors
    /// There is no such account, the cursor is invalid, or the database fails.
    pub async fn usage(&self, account_id: &str, limit: u32, cursor: Option<&str>) -> Result<UsagePage, LedgerError> {
        const SQL: &str = concat!(
            "SELECT ",
            entry_columns!(),
            " FROM metering.usage_call c LEFT JOIN metering.api_key k ON k.id = c.key_id \
              WHERE c.account_id = $1 AND (c.at, c.request_id) < ($2, $3) \
              ORDER BY c.at DESC, c.request_id DESC LIMIT $4"
        );
        let account = self.account_state(account_id).await?;
        let limit = limit.min(MAX_PAGE_SIZE);
        let (before, before_id) = match cursor {
            Some(cursor) => read_cursor(cursor)?,
            None => (time::macros::datetime!(9999-12-31 0:00 UTC), String::new()),
        };
        // One row more than the page shows if there is a next page.
        let rows = self.store.query(SQL, &[&account_id, &before, &before_id, &(i64::from(limit) + 1)]).await?;
        let mut entries = rows.iter().map(usage_entry).collect::<Result<Vec<_>, _>>()?;
        let has_more = entries.len() > limit as usize;
        entries.truncate(limit as usize);
        let next_cursor = entries.last().filter(|_| has_more).map(write_cursor);
        let totals = self.totals(&account).await?;
        Ok(UsagePage { account, entries, next_cursor, totals })
    }

    async fn totals(&self, account: &AccountState) -> Result<Vec<OperationTotal>, LedgerError> {
        // A call is charged in its own month or, if it was charged late, in a later one.
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

    /// Returns ledger entries, latest first, with ids below `before`.
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
}

pub(crate) fn usage_entry(row: &Row) -> Result<UsageEntry, StoreError> {
    let source = match column::<Option<&str>>(row, "source_word")? {
        Some(_) => Some(column_enum(row, "source_word")?),
        None => None,
    };
    Ok(UsageEntry {
        request_id: column(row, "request_id")?,
        key_id: column(row, "key_id")?,
        key_name: column::<Option<String>>(row, "key_name")?.unwrap_or_default(),
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
        duration_ms: column::<Option<i32>>(row, "duration_ms")?.and_then(|ms| u32::try_from(ms).ok()),
    })
}

/// Encodes the position where a page ended: time in microseconds (the database's precision) and request id.
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
