//! Metrics for Prometheus.

use metrics_exporter_prometheus::{BuildError, Matcher, PrometheusBuilder, PrometheusHandle};
use std::time::Duration;

/// Histogram buckets in seconds: from a cache hit to a call that uses its whole time.
const SECONDS: [f64; 14] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 15.0, 45.0];
/// Histogram buckets in bytes: from an icon to the largest page.
const BYTES: [f64; 6] = [1e3, 1e4, 1e5, 1e6, 1e7, 1e8];
/// Interval at which histograms are folded, so that an unscraped process does not grow.
const UPKEEP_INTERVAL: Duration = Duration::from_secs(5);

/// The metrics recorded by this process, for `/metrics`.
pub type RecorderHandle = PrometheusHandle;

/// Starts recording metrics in this process; the handle renders the response of `/metrics`. Call once, inside a
/// runtime.
///
/// # Errors
/// Metrics are recorded already.
pub fn install() -> Result<RecorderHandle, BuildError> {
    let handle = builder()?.install_recorder()?;
    let upkeep = handle.clone();
    tokio::spawn(async move {
        let mut ticks = tokio::time::interval(UPKEEP_INTERVAL);
        loop {
            ticks.tick().await;
            upkeep.run_upkeep();
        }
    });
    Ok(handle)
}

fn builder() -> Result<PrometheusBuilder, BuildError> {
    PrometheusBuilder::new()
        .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), &SECONDS)?
        .set_buckets_for_metric(Matcher::Suffix("_bytes".to_owned()), &BYTES)
}
