//! The trace context in message headers, so that a call is one trace across the queue. Headers of NATS and metadata of gRPC
//! (`limner_proto`) are different types.

use async_nats::HeaderMap;
use opentelemetry::propagation::{Extractor, Injector};
use tracing::Span;
use tracing_opentelemetry::OpenTelemetrySpanExt;

struct Writer<'a>(&'a mut HeaderMap);

impl Injector for Writer<'_> {
    fn set(&mut self, key: &str, value: String) {
        self.0.insert(key, value);
    }
}

struct Reader<'a>(&'a HeaderMap);

impl Extractor for Reader<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key).map(async_nats::HeaderValue::as_str)
    }

    fn keys(&self) -> Vec<&str> {
        self.0.iter().map(|(name, _)| name.as_ref()).collect()
    }
}

/// Writes the context of the current span into headers.
pub(crate) fn inject(headers: &mut HeaderMap) {
    let context = Span::current().context();
    opentelemetry::global::get_text_map_propagator(|propagator| {
        propagator.inject_context(&context, &mut Writer(headers));
    });
}

/// Makes `span` a child of the span that sent the message. Without a context in the headers nothing changes.
pub(crate) fn adopt(span: &Span, headers: Option<&HeaderMap>) {
    let Some(headers) = headers else { return };
    let context = opentelemetry::global::get_text_map_propagator(|propagator| propagator.extract(&Reader(headers)));
    // Fails only without an OpenTelemetry layer, when there is no trace to join.
    let _ = span.set_parent(context);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trace_headers_round_trip() {
        let mut headers = HeaderMap::new();
        Writer(&mut headers).set("traceparent", "00-1-2-01".to_owned());
        assert_eq!(Reader(&headers).get("traceparent"), Some("00-1-2-01"));
        assert_eq!(Reader(&headers).keys(), ["traceparent"]);
    }
}
