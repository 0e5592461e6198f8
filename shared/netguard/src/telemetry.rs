//! Telemetry for operators: counters by outcome, bytes, durations; never a URL with its path, never content.

use crate::error::FetchError;
use crate::response::FetchResponse;
use metrics::{counter, histogram};
use std::time::Duration;
use tokio::net::TcpStream;
use tracing::Span;
use url::Url;

const REQUESTS: &str = "limner_netguard_requests_total";
const DURATION: &str = "limner_netguard_duration_seconds";
const REDIRECTS: &str = "limner_netguard_redirects_total";
const CONNECTIONS: &str = "limner_netguard_connections_total";
const WIRE_BYTES: &str = "limner_netguard_wire_bytes_total";
const BODY_BYTES: &str = "limner_netguard_body_bytes_total";

/// Returns the span of one fetch.
pub(crate) fn span(url: &Url) -> Span {
    tracing::info_span!(
        "netguard.get",
        "server.address" = url.host_str().unwrap_or_default(),
        "url.scheme" = url.scheme(),
        "http.response.status_code" = tracing::field::Empty,
        "fetch.outcome" = tracing::field::Empty,
        "fetch.redirects" = tracing::field::Empty,
        "fetch.wire_bytes" = tracing::field::Empty,
        "fetch.body_bytes" = tracing::field::Empty,
        "fetch.duration_ms" = tracing::field::Empty,
    )
}

/// Records the outcome of a fetch, in its span and in the metrics.
pub(crate) fn finished(span: &Span, outcome: &Result<FetchResponse, FetchError>, wire_bytes: u64, took: Duration) {
    let word = outcome.as_ref().map_or_else(FetchError::outcome, |_| "answered");
    counter!(REQUESTS, "outcome" => word).increment(1);
    counter!(WIRE_BYTES).increment(wire_bytes);
    histogram!(DURATION).record(took.as_secs_f64());
    span.record("fetch.outcome", word);
    span.record("fetch.wire_bytes", wire_bytes);
    span.record("fetch.duration_ms", took.as_millis() as u64);
    if let Ok(fetched) = outcome {
        counter!(BODY_BYTES).increment(fetched.body.len() as u64);
        counter!(REDIRECTS).increment(fetched.redirects.len() as u64);
        span.record("http.response.status_code", fetched.status.as_u16());
        span.record("fetch.redirects", fetched.redirects.len());
        span.record("fetch.body_bytes", fetched.body.len());
    }
    log_failure(span, outcome);
}

/// Logs details that the caller does not get. A refusal may be an attack, other failures are common.
pub(crate) fn log_failure<T>(span: &Span, outcome: &Result<T, FetchError>) {
    match outcome {
        Ok(_) => {}
        Err(error @ FetchError::Forbidden(_)) => tracing::warn!(parent: span, %error, "outward request refused"),
        Err(error) => tracing::debug!(parent: span, %error, "outward request failed"),
    }
}

/// Counts a connection attempt.
pub(crate) fn connection(outcome: &Result<TcpStream, FetchError>) {
    let word = outcome.as_ref().map_or_else(FetchError::outcome, |_| "connected");
    counter!(CONNECTIONS, "outcome" => word).increment(1);
}
