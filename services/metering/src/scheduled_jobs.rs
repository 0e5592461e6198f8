//! Periodic jobs: expired holds, scheduled plans, subscriptions to cancel, the outbox, ended months, closed accounts,
//! the audit, the retention of the usage history.

use crate::billing::BillingEngine;
use crate::{Config, LedgerError};
use limner_runtime::periodic;
use std::future::Future;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// Maximum number of holds that one sweep expires; the next sweep continues.
const SWEEP_BATCH: u32 = 1_000;
/// Time for which grants and tokens are kept after they end.
const GRANT_RETENTION: Duration = Duration::from_secs(24 * 60 * 60);

/// Days that a reconciliation looks back: more than the three for which Stripe repeats an event.
pub(crate) const RECONCILED_DAYS: u32 = 7;

/// Runs all jobs until `shutdown`.
pub(crate) async fn run(billing: &BillingEngine, config: &Config, shutdown: &CancellationToken) {
    let (ledger, retention) = (billing.ledger(), config.history_retention);
    tokio::join!(
        run_every(config.sweep_interval, shutdown, "expire_holds", || async {
            ledger.expire_holds(SWEEP_BATCH).await.map(drop)
        }),
        run_every(config.sweep_interval, shutdown, "apply_scheduled_plans", || async {
            ledger.apply_scheduled_plans().await.map(drop)
        }),
        run_every(config.sweep_interval, shutdown, "end_subscriptions", || async {
            billing.end_subscriptions().await.map(drop)
        }),
        run_every(config.announce_interval, shutdown, "deliver_changes", || async {
            ledger.deliver_outbox().await.map(drop)
        }),
        run_every(config.audit_interval, shutdown, "check_ledger", || async {
            // The other processes' clocks are not this one's: a run that is due within the tick is not waited for.
            let interval = config.audit_interval / 2;
            ledger
                .run_for_all("check_ledger", interval, || async { ledger.check_new().await.map(drop) })
                .await
                .map(drop)
        }),
        run_every(config.close_interval, shutdown, "reconcile", || async {
            let reconcile = || async { billing.reconcile(RECONCILED_DAYS).await.map(drop) };
            ledger.run_for_all("reconcile", config.reconcile_interval, reconcile).await.map(drop)
        }),
        run_every(config.close_interval, shutdown, "close_periods", || async {
            ledger.close_periods(None).await?;
            let submitted = billing.submit_invoices().await;
            let synced = billing.sync_invoices_of_closed_accounts().await;
            ledger.purge_closed_accounts().await?;
            submitted.and(synced)
        }),
        run_every(config.close_interval, shutdown, "submit_refunds", || async { billing.submit_refunds().await }),
        run_every(config.retention_interval, shutdown, "maintain_history", || async {
            ledger.maintain_history(retention).await.map(drop)
        }),
        run_every(config.retention_interval, shutdown, "forget_grants", || async {
            ledger.purge_grants(GRANT_RETENTION).await.map(drop)
        }),
    );
}

/// Runs a job periodically, and counts its failures.
async fn run_every<F>(period: Duration, shutdown: &CancellationToken, name: &'static str, job: impl Fn() -> F)
where
    F: Future<Output = Result<(), LedgerError>>,
{
    let counted = || async {
        job().await.inspect_err(|_| metrics::counter!("limner_metering_job_failures_total", "job" => name).increment(1))
    };
    periodic::run_every(period, shutdown, name, counted).await;
}
