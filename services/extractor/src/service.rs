//! The gRPC service: decode, admit, extract on a blocking thread, answer.

use crate::{Admission, Config, Core};
use limner_extract::{ExtractError, Extraction, Options};
use limner_page::{PageSnapshot, ReadBy};
use limner_proto::v1::extractor_service_server::ExtractorService;
use limner_proto::{adopt_trace, failure_to_status, fits_status, v1};
use limner_style::layout::Layout;
use limner_types::{ErrorCode, Request};
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tracing::Instrument;

/// `limner.v1.ExtractorService` over the pure core.
#[derive(Debug, Clone)]
pub struct ExtractorServer {
    core: Core,
    admission: Admission,
    max_duration: Duration,
    layout: Arc<dyn Layout + Send + Sync>,
    result_bytes: usize,
    max_message_bytes: usize,
}

impl ExtractorServer {
    pub(crate) fn new(core: Core, admission: Admission, config: &Config) -> Self {
        Self {
            core,
            admission,
            max_duration: config.max_duration,
            layout: Arc::clone(&config.layout),
            result_bytes: config.result_bytes,
            max_message_bytes: config.max_message_bytes,
        }
    }

    async fn answer(&self, request: v1::ExtractRequest, time: Duration) -> Result<v1::Extraction, v1::Failure> {
        let until = tokio::time::Instant::now() + time;
        let (request, page) = read_call(request)?;
        // Waiting is no fault of the page: whoever finds no slot in half of its time goes elsewhere with the other half.
        let slot = tokio::time::timeout(time / 2, self.admission.enter()).await.ok().flatten().ok_or_else(busy)?;
        let span = tracing::Span::current();
        let (core, layout, result_bytes) = (self.core, Arc::clone(&self.layout), self.result_bytes);
        let work = tokio::task::spawn_blocking(move || {
            // The slot stays taken until the thread is done, even when the caller has given up.
            let _slot = slot;
            let options = Options { layout: &*layout, result_bytes };
            span.in_scope(|| extract_caught(core, &page, &request, &options))
        });
        let done = tokio::time::timeout_at(until, work).await.map_err(|_| too_slow())?;
        let extraction = done.map_err(|_| internal())??;
        if extraction.body.len() + ENVELOPE_BYTES > self.max_message_bytes {
            return Err(too_large());
        }
        Ok(extraction)
    }
}

#[tonic::async_trait]
impl ExtractorService for ExtractorServer {
    async fn extract(
        &self,
        request: tonic::Request<v1::ExtractRequest>,
    ) -> Result<tonic::Response<v1::ExtractResponse>, tonic::Status> {
        let started = Instant::now();
        let deadline = deadline_of(&request).map_or(self.max_duration, |asked| asked.min(self.max_duration));
        let operation = request.get_ref().call.as_ref().map(|call| call.operation.clone()).unwrap_or_default();
        let span = tracing::info_span!("extract", extract.operation = %operation);
        adopt_trace(&span, request.metadata());
        let answer = self.answer(request.into_inner(), deadline).instrument(span).await;
        record(&answer, started.elapsed());
        match answer {
            Ok(extraction) => {
                Ok(tonic::Response::new(v1::ExtractResponse { extraction: Some(extraction), failure: None }))
            }
            Err(failure) if !fits_status(&failure) => {
                Ok(tonic::Response::new(v1::ExtractResponse { extraction: None, failure: Some(failure) }))
            }
            Err(failure) if failure.code == BUSY => Err(tonic::Status::resource_exhausted(failure.message)),
            Err(failure) => Err(failure_to_status(&failure)),
        }
    }
}

/// Not a code of the interface: the caller of this service tries another extractor.
const BUSY: &str = "busy";

fn busy() -> v1::Failure {
    let message = "this extractor is busy; try another".to_owned();
    v1::Failure { code: BUSY.to_owned(), message, ..v1::Failure::default() }
}

/// What a message holds beside the result itself.
const ENVELOPE_BYTES: usize = 1_024;

fn too_large() -> v1::Failure {
    let message = "The result is larger than the service can carry. Nothing was charged. Give a smaller page.";
    v1::Failure::new(ErrorCode::UnprocessableContent, message)
}

fn internal() -> v1::Failure {
    v1::Failure::new(ErrorCode::InternalError, "The page could not be processed. Nothing was charged.")
}

fn too_slow() -> v1::Failure {
    v1::Failure::new(ErrorCode::UnprocessableContent, "The page took too long to process. Nothing was charged.")
}

fn read_call(request: v1::ExtractRequest) -> Result<(Request, PageSnapshot), v1::Failure> {
    let missing = |what: &str| v1::Failure::new(ErrorCode::InvalidRequest, format!("The message has no `{what}`."));
    let call = request.call.ok_or_else(|| missing("call"))?;
    let page = request.page.ok_or_else(|| missing("page"))?;
    let invalid = |fault: limner_proto::InvalidCall| v1::Failure::new(ErrorCode::InvalidRequest, fault.0);
    let request = call.to_request(&page.requested_url).map_err(invalid)?;
    Ok((request, PageSnapshot::from(page)))
}

/// Runs the core. A panic is this call's failure, not the process's: the core holds no state that could be left broken.
fn extract_caught(
    core: Core,
    page: &PageSnapshot,
    request: &Request,
    options: &Options<'_>,
) -> Result<v1::Extraction, v1::Failure> {
    let outcome = std::panic::catch_unwind(AssertUnwindSafe(|| core(page, request, options)));
    match outcome {
        Ok(Ok(extraction)) => Ok(to_wire(extraction, page)),
        Ok(Err(error)) => Err(to_failure(error)),
        Err(_) => {
            metrics::counter!("limner_extractor_panics_total").increment(1);
            tracing::error!(extract.operation = %request.operation, "the core panicked");
            Err(internal())
        }
    }
}

fn to_wire(extraction: Extraction, page: &PageSnapshot) -> v1::Extraction {
    v1::Extraction {
        body: extraction.body.into(),
        content_type: extraction.content_type.to_owned(),
        auto_render: page.read_by == ReadBy::BrowserFallback,
    }
}

fn to_failure(error: ExtractError) -> v1::Failure {
    let mut failure = match &error {
        ExtractError::Serialise(cause) => {
            tracing::error!(error = %cause, "a result could not be serialised");
            internal()
        }
        other => v1::Failure::new(other.code(), other.to_string()),
    };
    if let ExtractError::NotFound { sections, .. } = error {
        failure.sections = sections.into_iter().map(Into::into).collect();
    }
    failure
}

/// The caller's own time limit (`grpc-timeout`).
fn deadline_of<T>(request: &tonic::Request<T>) -> Option<Duration> {
    let text = request.metadata().get("grpc-timeout")?.to_str().ok()?;
    let (digits, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
    let count: u64 = digits.parse().ok()?;
    Some(match unit {
        "H" => Duration::from_secs(count.saturating_mul(3_600)),
        "M" => Duration::from_secs(count.saturating_mul(60)),
        "S" => Duration::from_secs(count),
        "m" => Duration::from_millis(count),
        "u" => Duration::from_micros(count),
        "n" => Duration::from_nanos(count),
        _ => return None,
    })
}

fn record(answer: &Result<v1::Extraction, v1::Failure>, elapsed: Duration) {
    let outcome = match answer {
        Ok(_) => "ok".to_owned(),
        Err(failure) => failure.code.clone(),
    };
    metrics::counter!("limner_extractor_calls_total", "outcome" => outcome).increment(1);
    metrics::histogram!("limner_extractor_call_duration_seconds").record(elapsed.as_secs_f64());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grpc_timeouts_are_read() {
        for (text, expected) in
            [("5S", Some(5_000)), ("250m", Some(250)), ("1M", Some(60_000)), ("x", None), ("", None), ("5é", None)]
        {
            let mut request = tonic::Request::new(());
            if let Ok(value) = tonic::metadata::MetadataValue::try_from(text) {
                request.metadata_mut().insert("grpc-timeout", value);
            }
            assert_eq!(deadline_of(&request), expected.map(Duration::from_millis), "{text}");
        }
    }
}
