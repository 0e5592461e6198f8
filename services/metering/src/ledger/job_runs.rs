//! Periodic jobs that one process runs for all, and when they last ended well.

use super::Ledger;
use super::row_mapping::column;
use crate::LedgerError;
use std::time::Duration;
use time::OffsetDateTime;

/// Time after which a run that has not ended is taken for dead.
const LEASE: Duration = Duration::from_secs(30 * 60);

impl Ledger {
    /// Runs a job unless a process has run it within `interval` or is running it. Returns true if it ran.
    ///
    /// # Errors
    /// The job or the database fails; it is run again once the lease of this run is over, by any process.
    pub(crate) async fn run_for_all<F>(
        &self,
        name: &'static str,
        interval: Duration,
        job: impl FnOnce() -> F,
    ) -> Result<bool, LedgerError>
    where
        F: Future<Output = Result<(), LedgerError>>,
    {
        const CLAIM: &str = "SELECT metering.claim_job($1, $2, $3) AS is_claimed";
        let row = self.store.query_one(CLAIM, &[&name, &interval.as_secs_f64(), &LEASE.as_secs_f64()]).await?;
        let is_claimed: bool = column(&row, "is_claimed")?;
        if is_claimed {
            job().await?;
            self.complete_job(name).await?;
        }
        if let Some(completed) = self.job_completed_at(name).await? {
            metrics::gauge!("limner_metering_job_completed_timestamp_seconds", "job" => name)
                .set(completed.unix_timestamp() as f64);
        }
        Ok(is_claimed)
    }

    /// Records that a job ended well, whoever asked for it.
    pub(crate) async fn complete_job(&self, name: &str) -> Result<(), LedgerError> {
        self.store.query("SELECT metering.complete_job($1)", &[&name]).await?;
        Ok(())
    }

    async fn job_completed_at(&self, name: &str) -> Result<Option<OffsetDateTime>, LedgerError> {
        const SQL: &str = "SELECT completed_at FROM metering.job_run WHERE job = $1";
        let row = self.store.query_opt(SQL, &[&name]).await?;
        Ok(row.map(|row| column(&row, "completed_at")).transpose()?.flatten())
    }
}
