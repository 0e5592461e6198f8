//! The extractors, asked in turn until one answers.

use limner_page::PageSnapshot;
use limner_proto::v1::extractor_service_client::ExtractorServiceClient;
use limner_proto::{CODE_TRAILER, MAX_MESSAGE_BYTES, status_to_failure, v1, with_trace};
use limner_types::ErrorCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use thiserror::Error;
use tokio::time::Instant;
use tonic::transport::{Channel, Endpoint};
use tonic::{Code, Status};

/// Every known extractor. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct Extractors {
    channels: Arc<[Channel]>,
    next: Arc<AtomicUsize>,
}

/// An address that cannot be one of an extractor.
#[derive(Debug, Error)]
#[error("`{address}` is no address of an extractor: {cause}")]
pub struct InvalidExtractor {
    address: String,
    cause: tonic::transport::Error,
}

/// Why there is no extraction.
#[derive(Debug)]
pub(crate) enum ExtractFault {
    /// The page or the call: the caller's answer.
    Failure(v1::Failure),
    /// None of them answered: another try may go better.
    Unavailable(Status),
}

/// Pause after each round through all extractors.
const PAUSES: [Duration; 4] =
    [Duration::from_millis(50), Duration::from_millis(150), Duration::from_millis(400), LONG_PAUSE];
const LONG_PAUSE: Duration = Duration::from_secs(1);

impl Extractors {
    /// Connects when first used.
    pub(crate) fn new(addresses: &[String]) -> Result<Self, InvalidExtractor> {
        let channels: Result<Vec<_>, _> = addresses.iter().map(|address| channel(address)).collect();
        Ok(Self { channels: channels?.into(), next: Arc::default() })
    }

    /// Has the page extracted by the first extractor that answers. After a few rounds another worker may be luckier;
    /// `to_the_end` goes on until the deadline instead.
    pub(crate) async fn extract(
        &self,
        call: &v1::Call,
        page: &PageSnapshot,
        deadline: Instant,
        to_the_end: bool,
    ) -> Result<v1::Extraction, ExtractFault> {
        let first = self.next.fetch_add(1, Ordering::Relaxed);
        let mut last = Status::unavailable("no extractor is configured");
        let long_pauses = std::iter::repeat(LONG_PAUSE).take_while(|_| to_the_end);
        let mut pauses = PAUSES.into_iter().chain(long_pauses);
        loop {
            for turn in 0..self.channels.len() {
                let channel = self.channels[(first.wrapping_add(turn)) % self.channels.len()].clone();
                let left = deadline.saturating_duration_since(Instant::now());
                if left.is_zero() {
                    return Err(ExtractFault::Unavailable(last));
                }
                match ask(channel, call, page, left).await {
                    Ok(extraction) => return Ok(extraction),
                    Err(status) if is_answer(&status) => return Err(ExtractFault::Failure(status_to_failure(&status))),
                    Err(status) if is_too_large(&status) => return Err(ExtractFault::Failure(too_large())),
                    Err(status) => last = status,
                }
                metrics::counter!("limner_fetcher_extractor_retries_total").increment(1);
                tracing::warn!(rpc.grpc.status_code = ?last.code(), error = last.message(), "an extractor did not answer");
            }
            let Some(pause) = pauses.next() else { return Err(ExtractFault::Unavailable(last)) };
            tokio::time::sleep(pause).await;
        }
    }
}

fn channel(address: &str) -> Result<Channel, InvalidExtractor> {
    let invalid = |cause| InvalidExtractor { address: address.to_owned(), cause };
    let endpoint = Endpoint::from_shared(address.to_owned()).map_err(invalid)?;
    let endpoint = endpoint
        .connect_timeout(Duration::from_secs(2))
        .tcp_nodelay(true)
        .http2_keep_alive_interval(Duration::from_secs(10))
        .keep_alive_timeout(Duration::from_secs(5))
        .keep_alive_while_idle(true)
        // Pages are megabytes; the standard windows would make each a dozen round trips.
        .initial_stream_window_size(4 * 1024 * 1024)
        .initial_connection_window_size(16 * 1024 * 1024);
    Ok(endpoint.connect_lazy())
}

async fn ask(channel: Channel, call: &v1::Call, page: &PageSnapshot, left: Duration) -> Result<v1::Extraction, Status> {
    let mut client = ExtractorServiceClient::new(channel)
        .max_encoding_message_size(MAX_MESSAGE_BYTES)
        .max_decoding_message_size(MAX_MESSAGE_BYTES);
    let message = v1::ExtractRequest { call: Some(call.clone()), page: Some(page.clone().into()) };
    let mut request = with_trace(message);
    request.set_timeout(left);
    let response = client.extract(request).await?;
    response.into_inner().extraction.ok_or_else(|| Status::unavailable("the extractor answered without an extraction"))
}

/// Whether an extractor has judged the call, rather than failed to.
fn is_answer(status: &Status) -> bool {
    status.metadata().contains_key(CODE_TRAILER)
}

fn is_too_large(status: &Status) -> bool {
    status.code() == Code::OutOfRange
}

fn too_large() -> v1::Failure {
    let message = "The page with its style sheets is too large to be processed. Give a smaller page.";
    v1::Failure::new(ErrorCode::UnprocessableContent, message)
}
