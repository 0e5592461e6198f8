//! Periodic jobs. Every job may run in any number of processes at once, and may be missed any number of times.

use std::fmt::Display;
use std::future::Future;
use std::time::Duration;
use tokio::time::{MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

/// Runs a job at once, then every `period`, until `shutdown`. A failed job is logged and runs again at its next time.
pub async fn run_every<F, E>(period: Duration, shutdown: &CancellationToken, name: &'static str, job: impl Fn() -> F)
where
    F: Future<Output = Result<(), E>>,
    E: Display,
{
    let mut ticks = interval(period);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            () = shutdown.cancelled() => return,
            _ = ticks.tick() => {}
        }
        if let Err(cause) = job().await {
            tracing::warn!(job.name = name, error = %cause, "job failed; retrying at its next scheduled time");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;
    use tokio::time::Instant;

    #[tokio::test(start_paused = true)]
    async fn failed_job_runs_again_until_shutdown() {
        const PERIOD: Duration = Duration::from_secs(60);
        let (shutdown, runs, started) = (CancellationToken::new(), Cell::new(0), Instant::now());
        let job = || async {
            assert_eq!(started.elapsed(), PERIOD * runs.get());
            runs.set(runs.get() + 1);
            if runs.get() == 3 {
                shutdown.cancel();
            }
            Err::<(), _>("the database is away")
        };
        run_every(PERIOD, &shutdown, "test", job).await;
        assert_eq!(runs.get(), 3);
    }
}
