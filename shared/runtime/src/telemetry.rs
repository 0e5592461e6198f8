//! Logs on standard error, and traces to an OpenTelemetry collector if one is configured.

use crate::settings::{LogFormat, LogSettings, Share, TelemetrySettings};
use opentelemetry::KeyValue;
use opentelemetry::trace::{TraceContextExt, TraceId, TracerProvider};
use opentelemetry_otlp::{ExporterBuildError, SpanExporter, WithExportConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::{Sampler, SdkTracerProvider};
use std::fmt;
use std::io::IsTerminal;
use std::time::Duration;
use tracing::{Event, Subscriber};
use tracing_opentelemetry::get_otel_context;
use tracing_subscriber::fmt::FmtContext;
use tracing_subscriber::fmt::format::{FormatEvent, FormatFields, Writer};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::registry::LookupSpan;
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
        Some(endpoint) => Some(provider(endpoint.as_str(), telemetry.sampling, role)?),
        None => None,
    };
    let spans = traces.as_ref().map(|provider| tracing_opentelemetry::layer().with_tracer(provider.tracer("limner")));
    Registry::default().with(filter(log)).with(lines(log.format)).with(spans).try_init()?;
    Ok(Telemetry { traces })
}

/// The operator's directives come last and take precedence. The parser's warnings about errors in pages are off,
/// because pages could fill the log, and so are the database's notices, such as that a table exists already.
fn filter(log: &LogSettings) -> EnvFilter {
    EnvFilter::builder().parse_lossy(format!("html5ever=error,tokio_postgres=warn,{}", log.level.as_str()))
}

fn lines<S>(format: LogFormat) -> Box<dyn Layer<S> + Send + Sync>
where
    S: tracing::Subscriber + for<'a> tracing_subscriber::registry::LookupSpan<'a>,
{
    let on_terminal = std::io::stderr().is_terminal();
    let layer = tracing_subscriber::fmt::layer().with_writer(std::io::stderr);
    match format {
        LogFormat::Auto if on_terminal => layer.compact().with_ansi(true).with_target(false).boxed(),
        LogFormat::Json | LogFormat::Auto => {
            layer.json().flatten_event(true).with_span_list(false).map_event_format(WithTraceId).boxed()
        }
        LogFormat::Pretty => layer.compact().with_ansi(on_terminal).with_target(false).boxed(),
    }
}

/// Adds the id of the current trace to lines of JSON, so that a line leads to its trace and to the lines of other roles.
struct WithTraceId<F>(F);

impl<S, N, F> FormatEvent<S, N> for WithTraceId<F>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
    F: FormatEvent<S, N>,
{
    fn format_event(&self, context: &FmtContext<'_, S, N>, mut to: Writer<'_>, event: &Event<'_>) -> fmt::Result {
        let Some(id) = trace_id(context) else { return self.0.format_event(context, to, event) };
        let mut line = String::new();
        self.0.format_event(context, Writer::new(&mut line), event)?;
        match line.strip_prefix('{') {
            Some(rest) => write!(to, "{{\"trace_id\":\"{id}\",{rest}"),
            None => to.write_str(&line),
        }
    }
}

fn trace_id<S, N>(context: &FmtContext<'_, S, N>) -> Option<TraceId>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    let span = context.lookup_current()?;
    let context = tracing::dispatcher::get_default(|all| get_otel_context(&span.id(), all))?;
    let id = context.span().span_context().trace_id();
    (id != TraceId::INVALID).then_some(id)
}

fn provider(endpoint: &str, sampling: Share, role: &str) -> Result<SdkTracerProvider, ExporterBuildError> {
    let exporter = SpanExporter::builder().with_tonic().with_endpoint(endpoint).with_timeout(EXPORT_TIMEOUT).build()?;
    let instance = std::env::var("HOSTNAME").unwrap_or_else(|_| std::process::id().to_string());
    let resource = Resource::builder()
        .with_service_name(format!("limner-{role}"))
        .with_attribute(KeyValue::new("service.version", env!("CARGO_PKG_VERSION")))
        .with_attribute(KeyValue::new("service.instance.id", instance))
        .build();
    // The first role decides, the others follow: a trace is whole or not there.
    let sampler = Sampler::ParentBased(Box::new(Sampler::TraceIdRatioBased(sampling.0)));
    Ok(SdkTracerProvider::builder().with_batch_exporter(exporter).with_sampler(sampler).with_resource(resource).build())
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Settings;
    use tracing::Level;

    #[test]
    fn notices_of_the_database_are_not_logged() {
        let log = Settings::from_sources(None, []).unwrap().log;
        tracing::subscriber::with_default(Registry::default().with(filter(&log)), || {
            assert!(!tracing::enabled!(target: "tokio_postgres::connection", Level::INFO));
            assert!(tracing::enabled!(target: "tokio_postgres::connection", Level::WARN));
            assert!(tracing::enabled!(target: "limner_store", Level::INFO));
        });
    }
}
