//! Metrics for Prometheus.

use crate::{metric_descriptions, process_metrics};
use metrics_exporter_prometheus::{BuildError, Matcher, PrometheusBuilder, PrometheusHandle};
use std::time::Duration;

/// Histogram buckets in seconds: from a cache hit to a call that uses its whole time.
const SECONDS: [f64; 14] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 15.0, 45.0];
/// Histogram buckets in bytes: from an icon to the largest page.
const BYTES: [f64; 6] = [1e3, 1e4, 1e5, 1e6, 1e7, 1e8];
/// Interval at which histograms are folded, so that an unscraped process does not grow.
const UPKEEP_INTERVAL: Duration = Duration::from_secs(5);

/// Renamed metrics: the name and the name in the previous release. Gauges whose previous name ends like a histogram's
/// series are not among them, because a page with such a name is invalid; the rules of the chart record those.
const PREVIOUS_NAMES: [(&str, &str); 6] = [
    ("limner_gateway_usage_records_dropped_total", "limner_gateway_lost_history_calls_total"),
    ("limner_metering_overpayments_total", "limner_metering_payments_in_excess_total"),
    ("limner_renderer_memory_pressure_seconds_total", "limner_renderer_short_of_memory_seconds_total"),
    ("limner_renderer_snapshots_reused_total", "limner_renderer_kept_pages_total"),
    ("limner_screenshots_deleted_total", "limner_objects_swept_total"),
    ("limner_screenshots_stored_bytes_total", "limner_objects_kept_bytes_total"),
];

/// The metrics recorded by this process, for `/metrics`.
pub type RecorderHandle = PrometheusHandle;

/// Starts recording metrics in this process; the handle renders the response of `/metrics`. Call once, inside a
/// runtime.
///
/// # Errors
/// Metrics are recorded already.
pub fn install() -> Result<RecorderHandle, BuildError> {
    process_metrics::note_start();
    let handle = builder()?.install_recorder()?;
    metric_descriptions::describe_all();
    metrics::gauge!("limner_build_info", "version" => env!("CARGO_PKG_VERSION")).set(1.0);
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

/// Renders the response of `/metrics`.
pub(crate) fn render(recorded: &RecorderHandle) -> String {
    with_previous_names(recorded.render()) + &process_metrics::render()
}

/// Repeats the lines of renamed metrics under their previous names.
fn with_previous_names(mut text: String) -> String {
    let repeated: Vec<String> = text.lines().filter_map(under_previous_name).collect();
    for line in repeated {
        text.push_str(&line);
        text.push('\n');
    }
    text
}

fn under_previous_name(line: &str) -> Option<String> {
    let comment = ["# HELP ", "# TYPE "].into_iter().find(|comment| line.starts_with(comment)).unwrap_or_default();
    let sample = &line[comment.len()..];
    let (name, rest) = sample.split_at(sample.find([' ', '{'])?);
    let (_, previous) = PREVIOUS_NAMES.into_iter().find(|(new, _)| *new == name)?;
    Some(format!("{comment}{previous}{rest}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn renamed_metrics_are_exported_under_both_names() {
        let recorder = builder().unwrap().build_recorder();
        metrics::with_local_recorder(&recorder, || {
            for (name, _) in PREVIOUS_NAMES {
                metrics::counter!(name, "reason" => "paid_twice").increment(7);
            }
            metrics::counter!("limner_metering_overpayments_total_of_others").increment(1);
        });
        let text = render(&recorder.handle());
        for name in PREVIOUS_NAMES.iter().flat_map(|(name, previous)| [name, previous]) {
            for line in [format!("# TYPE {name} counter"), format!("{name}{{reason=\"paid_twice\"}} 7")] {
                assert_eq!(text.lines().filter(|found| **found == line).count(), 1, "{line}\n{text}");
            }
        }
        assert_eq!(text.matches("_of_others 1").count(), 1, "{text}");
    }
}
