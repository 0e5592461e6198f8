//! Logs on standard error, and traces to an OpenTelemetry collector if one is configured.

use crate::settings::{LogFormat, LogSettings, TelemetrySettings};
use opentelemetry::trace::TracerProvider;
use opentelemetry_otlp::{ExporterBuildError, SpanExporter, WithExportConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::SdkTracerProvider;
use std::io::IsTerminal;
use std::time::Duration;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer, Registry};

/// Time limit of an export: an unavailable collector must not delay anything.
const EXPORT_TIMEOUT: Duration = Duration::from_secs(2);

/// A failure to set up telemetry.
#[derive(Debug, thiserror::Error)]
pub enum TelemetryError {
    /// The exporter rejects its settings.
    #[error("telemetry.otlp_endpoint: {0}")]
    Exporter(#[from] ExporterBuildError),
    /// Logging is already set up.
    #[error("logging is set up already: {0}")]
    AlreadySet(#[from] tracing_subscriber::util::TryInitError),
}

/// Running telemetry; [`Telemetry::finish`] flushes pending data.
pub struct Telemetry {
    traces: Option<SdkTracerProvider>,
}

/// Starts logging and tracing for this process. `role` is the service's name in traces. Call once, inside a runtime.
///
/// # Errors
/// The exporter rejects its settings, or logging was started before.
pub fn start(log: &LogSettings, telemetry: &TelemetrySettings, role: &str) -> Result<Telemetry, TelemetryError> {
    opentelemetry::global::set_text_map_propagator(TraceContextPropagator::new());
    let traces = match &telemetry.otlp_endpoint {
        Some(endpoint) => Some(provider(endpoint.as_str(), role)?),
        None => None,
    };
    let spans = traces.as_ref().map(|provider| tracing_opentelemetry::layer().with_tracer(provider.tracer("limner")));
    Registry::default().with(filter(log)).with(lines(log.format)).with(spans).try_init()?;
    Ok(Telemetry { traces })
}

/// The operator's directives come last and take precedence. The parser's warnings about errors in pages are off,
/// because pages could fill the log.
fn filter(log: &LogSettings) -> EnvFilter {
    EnvFilter::builder().parse_lossy(format!("html5ever=error,{}", log.level.as_str()))
}

fn lines<S>(format: LogFormat) -> Box<dyn Layer<S> + Send + Sync>
where
    S: tracing::Subscriber + for<'a> tracing_subscriber::registry::LookupSpan<'a>,
{
    let on_terminal = std::io::stderr().is_terminal();
    let layer = tracing_subscriber::fmt::layer().with_writer(std::io::stderr);
    match format {
        LogFormat::Json => layer.json().flatten_event(true).with_span_list(false).boxed(),
        LogFormat::Auto if !on_terminal => layer.json().flatten_event(true).with_span_list(false).boxed(),
        LogFormat::Auto | LogFormat::Pretty => layer.compact().with_ansi(on_terminal).with_target(false).boxed(),
    }
}

fn provider(endpoint: &str, role: &str) -> Result<SdkTracerProvider, ExporterBuildError> {
    let exporter = SpanExporter::builder().with_tonic().with_endpoint(endpoint).with_timeout(EXPORT_TIMEOUT).build()?;
    let resource = Resource::builder().with_service_name(format!("limner-{role}")).build();
    Ok(SdkTracerProvider::builder().with_batch_exporter(exporter).with_resource(resource).build())
}

impl Telemetry {
    /// Sends pending data. Takes a few seconds at most, even without a collector.
    pub async fn finish(self) {
        let Some(traces) = self.traces else { return };
        // Blocks, and waits for work on the runtime's threads.
        let flushed = tokio::task::spawn_blocking(move || traces.shutdown_with_timeout(EXPORT_TIMEOUT)).await;
        if !matches!(flushed, Ok(Ok(()))) {
            tracing::warn!("cannot send the last traces");
        }
    }
}
