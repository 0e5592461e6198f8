//! The W3C trace context in gRPC metadata, so that a call is one trace across services.

use opentelemetry::propagation::{Extractor, Injector};
use tonic::metadata::{KeyRef, MetadataKey, MetadataMap};
use tracing::Span;
use tracing_opentelemetry::OpenTelemetrySpanExt;

struct MetadataInjector<'a>(&'a mut MetadataMap);

impl Injector for MetadataInjector<'_> {
    fn set(&mut self, key: &str, value: String) {
        if let (Ok(key), Ok(value)) = (MetadataKey::from_bytes(key.as_bytes()), value.parse()) {
            self.0.insert(key, value);
        }
    }
}

struct MetadataExtractor<'a>(&'a MetadataMap);

impl Extractor for MetadataExtractor<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key).and_then(|value| value.to_str().ok())
    }

    fn keys(&self) -> Vec<&str> {
        let ascii = |key| match key {
            KeyRef::Ascii(key) => Some(key.as_str()),
            KeyRef::Binary(_) => None,
        };
        self.0.keys().filter_map(ascii).collect()
    }
}

/// Returns a request with the context of the current span.
pub fn with_trace<T>(message: T) -> tonic::Request<T> {
    let mut request = tonic::Request::new(message);
    let context = Span::current().context();
    opentelemetry::global::get_text_map_propagator(|propagator| {
        propagator.inject_context(&context, &mut MetadataInjector(request.metadata_mut()));
    });
    request
}

/// Makes `span` a child of the span that sent the request. Without a context in the metadata nothing changes.
pub fn adopt_trace(span: &Span, metadata: &MetadataMap) {
    let context =
        opentelemetry::global::get_text_map_propagator(|propagator| propagator.extract(&MetadataExtractor(metadata)));
    // Fails only without an OpenTelemetry layer, when there is no trace to join.
    let _ = span.set_parent(context);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trace_metadata_round_trips() {
        let mut metadata = MetadataMap::new();
        MetadataInjector(&mut metadata).set("traceparent", "00-1-2-01".to_owned());
        assert_eq!(MetadataExtractor(&metadata).get("traceparent"), Some("00-1-2-01"));
        assert_eq!(MetadataExtractor(&metadata).keys(), ["traceparent"]);
    }
}
