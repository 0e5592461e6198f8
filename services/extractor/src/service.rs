//! The gRPC service: decode, admit, extract, respond.

use crate::admission::{AdmissionQueue, QueueSlot};
use crate::call::{CallResult, Panicked, extract_caught, read_call};
use crate::processes::{Processes, Unanswered};
use crate::{Config, ExtractFn, failures};
use limner_extract::Options;
use limner_proto::v1::extractor_service_server::ExtractorService;
use limner_proto::{adopt_trace, failure_to_status, fits_status, v1};
use limner_style::layout::Layout;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tracing::Instrument;

/// `limner.v1.ExtractorService` over the pure core.
#[derive(Debug, Clone)]
pub struct ExtractorServer {
    admission: AdmissionQueue,
    max_duration: Duration,
    max_message_bytes: usize,
    work: ExtractionBackend,
}

/// The execution of the core.
#[derive(Debug, Clone)]
pub(crate) enum ExtractionBackend {
    /// On blocking threads of this process, which cannot be stopped.
    InProcess(InProcess),
    /// In processes that are killed at their limits.
    Processes(Arc<Processes>),
}

/// The core in this process, with its options.
#[derive(Debug, Clone)]
pub(crate) struct InProcess {
    pub(crate) core: ExtractFn,
    pub(crate) layout: Arc<dyn Layout + Send + Sync>,
    pub(crate) result_bytes: usize,
    pub(crate) render_available: bool,
}

impl ExtractorServer {
    pub(crate) fn new(work: ExtractionBackend, admission: AdmissionQueue, config: &Config) -> Self {
        let Config { max_duration, max_message_bytes, .. } = *config;
        Self { admission, max_duration, max_message_bytes, work }
    }

    async fn answer(&self, mut request: v1::ExtractRequest, time: Duration) -> Result<CallResult, Unanswered> {
        let until = Instant::now() + time.saturating_sub(ANSWER_RESERVE);
        // Waiting is not the page's fault: a call without a slot after half of its time can use the other half at
        // another extractor.
        let tenant = std::mem::take(&mut request.tenant);
        let slot = tokio::time::timeout(time / 2, self.admission.enter(&tenant)).await.ok().flatten();
        let slot = slot.ok_or(Unanswered::NotBegun)?;
        let answer = match &self.work {
            ExtractionBackend::Processes(processes) => {
                extract_in_process(Arc::clone(processes), request, until, slot).await?
            }
            ExtractionBackend::InProcess(work) => {
                let work = in_process(work.clone(), request, slot);
                tokio::time::timeout_at(until.into(), work).await.unwrap_or_else(|_| Err(failures::too_slow()))
            }
        };
        let fits = |extraction: &v1::Extraction| extraction.body.len() + ENVELOPE_BYTES <= self.max_message_bytes;
        Ok(answer.and_then(|extraction| if fits(&extraction) { Ok(extraction) } else { Err(failures::too_large()) }))
    }
}

/// Time reserved for sending the response.
const ANSWER_RESERVE: Duration = Duration::from_millis(100);

/// Bytes of a message besides the result itself.
const ENVELOPE_BYTES: usize = 1_024;

async fn extract_in_process(
    processes: Arc<Processes>,
    request: v1::ExtractRequest,
    until: Instant,
    slot: QueueSlot,
) -> Result<CallResult, Unanswered> {
    let cancel = CancelOnDrop::default();
    let cancelled = Arc::clone(&cancel.0);
    let span = tracing::Span::current();
    let work = tokio::task::spawn_blocking(move || {
        // The slot stays occupied until the process has answered or ended, even if the caller has given up.
        span.in_scope(|| processes.extract(&request, until, &cancelled, &slot))
    });
    work.await.unwrap_or(Err(Unanswered::BrokeOff))
}

/// Ends the call's process when its caller has gone.
#[derive(Default)]
struct CancelOnDrop(Arc<AtomicBool>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

async fn in_process(backend: InProcess, request: v1::ExtractRequest, slot: QueueSlot) -> CallResult {
    let (request, page) = read_call(request)?;
    let span = tracing::Span::current();
    let work = tokio::task::spawn_blocking(move || {
        let _slot = slot;
        let InProcess { core, layout, result_bytes, render_available } = backend;
        let options = Options { layout: &*layout, result_bytes, render_available, ..Options::default() };
        span.in_scope(|| extract_caught(core, &page, &request, &options))
    });
    match work.await {
        Ok(Ok(answer)) => answer,
        Ok(Err(Panicked)) | Err(_) => {
            metrics::counter!("limner_extractor_panics_total").increment(1);
            tracing::error!("core panicked");
            Err(failures::internal())
        }
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
            Ok(Ok(extraction)) => {
                Ok(tonic::Response::new(v1::ExtractResponse { extraction: Some(extraction), failure: None }))
            }
            Ok(Err(failure)) if !fits_status(&failure) => {
                Ok(tonic::Response::new(v1::ExtractResponse { extraction: None, failure: Some(failure) }))
            }
            Ok(Err(failure)) => Err(failure_to_status(&failure)),
            Err(unanswered) => Err(to_status(&unanswered)),
        }
    }
}

/// Returns the status that makes a caller try another extractor. It has no API error code: the call has no result.
fn to_status(unanswered: &Unanswered) -> tonic::Status {
    match unanswered {
        Unanswered::NotBegun => tonic::Status::resource_exhausted("this extractor is busy; try another"),
        Unanswered::BrokeOff => tonic::Status::aborted("the call broke off"),
        Unanswered::Cancelled => tonic::Status::cancelled("nobody waits for the answer"),
    }
}

/// Returns the caller's own time limit (`grpc-timeout`).
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

fn record(answer: &Result<CallResult, Unanswered>, elapsed: Duration) {
    let outcome = match answer {
        Ok(Ok(_)) => "ok".to_owned(),
        Ok(Err(failure)) => failure.code.clone(),
        Err(Unanswered::NotBegun) => "busy".to_owned(),
        Err(Unanswered::BrokeOff) => "broke_off".to_owned(),
        Err(Unanswered::Cancelled) => "cancelled".to_owned(),
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
