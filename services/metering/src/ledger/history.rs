//! The partitions of the usage history, and its retention.

use super::Ledger;
use super::row_mapping::{column, count};
use crate::LedgerError;
use limner_store::Row;
use serde::Serialize;
use std::time::Duration;
use time::{Date, OffsetDateTime};

/// Number of calls that one statement deletes or adds to the sums per day.
const BATCH: i64 = 5_000;
/// Number of months ahead that have a partition.
const MONTHS_AHEAD: i32 = 3;

/// A partition of the usage history.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HistoryPartition {
    /// Its table in the schema `metering`.
    pub name: String,
    /// Its first moment; `None`: it has no lower bound.
    #[serde(with = "time::serde::rfc3339::option")]
    pub since: Option<OffsetDateTime>,
    /// The moment after its last one; `None`: it has no upper bound.
    #[serde(with = "time::serde::rfc3339::option")]
    pub until: Option<OffsetDateTime>,
    /// Its size with indexes.
    pub bytes: u64,
}

impl Ledger {
    /// Prepares the partitions of coming months, adds calls of former releases to the sums per day, and deletes calls
    /// older than `retention`: months as a whole, once all of their calls are older. Returns the number of calls that
    /// were deleted one by one. Their sums by day and operation are kept, and so are the ledger entries.
    ///
    /// # Errors
    /// The database fails.
    pub async fn maintain_history(&self, retention: Duration) -> Result<u64, LedgerError> {
        const PREPARE: &str = "SELECT metering.prepare_months($1) AS made";
        const SUM_UP: &str = "SELECT metering.sum_up_history($1) AS summed";
        const DROP: &str = "SELECT metering.drop_months($1) AS dropped";
        const FORGET: &str = "SELECT metering.forget_calls($1, $2) AS gone";
        let retention = retention.as_secs_f64();
        self.store.query_one(PREPARE, &[&MONTHS_AHEAD]).await?;
        let summed = self.in_batches(SUM_UP, "summed", &[&BATCH]).await?;
        let months = count(&self.store.query_one(DROP, &[&retention]).await?, "dropped")?;
        let forgotten = self.in_batches(FORGET, "gone", &[&retention, &BATCH]).await?;
        if summed + months + forgotten > 0 {
            tracing::info!(
                calls.summed = summed,
                calls.forgotten = forgotten,
                months.dropped = months,
                "usage history maintained"
            );
        }
        Ok(forgotten)
    }

    /// Runs a statement until it has nothing left to do; returns the sum of its results.
    async fn in_batches(
        &self,
        sql: &'static str,
        name: &str,
        parameters: &[&(dyn limner_store::ToSql + Sync)],
    ) -> Result<u64, LedgerError> {
        let mut total = 0;
        loop {
            let done = count(&self.store.query_one(sql, parameters).await?, name)?;
            total += done;
            if done == 0 {
                return Ok(total);
            }
        }
    }

    /// Returns the partitions of the usage history, the earliest first.
    ///
    /// # Errors
    /// The database fails.
    pub async fn history_partitions(&self) -> Result<Vec<HistoryPartition>, LedgerError> {
        let rows = self.store.query("SELECT * FROM metering.history_partitions()", &[]).await?;
        let partition = |row: &Row| {
            Ok(HistoryPartition {
                name: column(row, "name")?,
                since: column(row, "since")?,
                until: column(row, "until")?,
                bytes: count(row, "bytes")?,
            })
        };
        rows.iter().map(partition).collect()
    }

    /// Takes an ended month out of the usage history and returns the name of the table that has its calls from then on.
    /// The database's user must be the owner of the schemas.
    ///
    /// # Errors
    /// There is no such partition, its month has not ended, or the database fails.
    pub async fn detach_month(&self, month: Date) -> Result<String, LedgerError> {
        let row = self.store.query_one("SELECT metering.detach_month($1) AS name", &[&month]).await?;
        let none = || LedgerError::Invalid(format!("the history has no ended month that begins on {month}"));
        column::<Option<String>>(&row, "name")?.ok_or_else(none)
    }
}
