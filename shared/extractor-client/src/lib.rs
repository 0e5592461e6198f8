//! Client for the extractor services: tries the addresses that their names resolve to, one after
//! another, until one answers.
//!
//! A name with several addresses (a headless service) stands for several extractors. Names are
//! resolved again every few seconds and whenever none answered, so that extractors may come and go
//! without a restart of their clients. The response of an extractor is final, whether it is a
//! result or a failure. A call under which an extractor broke is returned as [`ExtractError::BrokeOff`]: the page may
//! be the cause, so whoever knows how often that happened decides about another try.
//!
//! ```
//! use limner_extractor_client::ExtractorPool;
//!
//! let pool = ExtractorPool::new(&["http://extractor:50051".to_owned()]);
//! assert!(pool.is_ok(), "the name is resolved with the first call");
//! assert!(ExtractorPool::new(&["extractor".to_owned()]).is_err());
//! ```

use limner_grpc_client::{EndpointSet, never_connected};
use limner_page::PageSnapshot;
use limner_proto::v1::extractor_service_client::ExtractorServiceClient;
use limner_proto::{CODE_TRAILER, MAX_MESSAGE_BYTES, status_to_failure, v1, with_trace};
use limner_types::ErrorCode;
use std::sync::Arc;
use std::time::Duration;
use thiserror::Error;
use tokio::time::Instant;
use tonic::transport::Channel;
use tonic::{Code, Status};

pub use limner_grpc_client::InvalidEndpoint;

/// The pool of known extractors. Cheap to clone.
#[derive(Debug, Clone)]
pub struct ExtractorPool {
    endpoints: Arc<EndpointSet>,
}

/// The reason why there is no extraction.
#[derive(Debug, Error)]
pub enum ExtractError {
    /// The extractor rejected the page or the call; this is the response for the caller.
    #[error("the extractor answered: {}", .0.message)]
    Failure(v1::Failure),
    /// No extractor answered; another attempt may succeed.
    #[error("no extractor answered: {0}")]
    Unavailable(Status),
    /// An extractor accepted the call and then failed to answer, possibly because of the page.
    #[error("an extractor broke: {0}")]
    BrokeOff(Status),
}

/// Pause after each round through all extractors.
const PAUSES: [Duration; 4] =
    [Duration::from_millis(50), Duration::from_millis(150), Duration::from_millis(400), LONG_PAUSE];
const LONG_PAUSE: Duration = Duration::from_secs(1);

impl ExtractorPool {
    /// Creates a pool for these addresses, such as `http://extractors:50051`. Names are resolved
    /// and connections opened on first use.
    ///
    /// # Errors
    /// Returns an error if an address cannot be that of an extractor.
    pub fn new(addresses: &[String]) -> Result<Self, InvalidEndpoint> {
        Ok(Self { endpoints: Arc::new(EndpointSet::new(addresses)?) })
    }

    /// Sends the page to extractors until one answers or breaks, for `tenant`. Gives up after a few rounds, so that
    /// another worker may take the call, or with `to_the_end` only at the deadline.
    ///
    /// # Errors
    /// See [`ExtractError`].
    pub async fn extract(
        &self,
        call: &v1::Call,
        page: &PageSnapshot,
        tenant: &str,
        deadline: Instant,
        to_the_end: bool,
    ) -> Result<v1::Extraction, ExtractError> {
        let mut last = Status::unavailable("the name of the extractors leads nowhere");
        let long_pauses = std::iter::repeat(LONG_PAUSE).take_while(|_| to_the_end);
        let mut pauses = PAUSES.into_iter().chain(long_pauses);
        loop {
            for endpoint in self.endpoints.round_robin().await {
                let left = deadline.saturating_duration_since(Instant::now());
                if left.is_zero() {
                    return Err(ExtractError::Unavailable(last));
                }
                match send_request(endpoint.channel(), call, page, tenant, left).await {
                    Ok(Ok(extraction)) => return Ok(extraction),
                    Ok(Err(failure)) => return Err(ExtractError::Failure(failure)),
                    Err(status) if is_answer(&status) => return Err(ExtractError::Failure(status_to_failure(&status))),
                    Err(status) if is_too_large(&status) => return Err(ExtractError::Failure(too_large())),
                    Err(status) => last = status,
                }
                // A busy extractor is healthy; an unreachable one would cost the next calls time.
                if last.code() != Code::ResourceExhausted {
                    endpoint.mark_unhealthy();
                }
                metrics::counter!("limner_extractor_client_retries_total").increment(1);
                tracing::warn!(rpc.grpc.status_code = ?last.code(), error = last.message(), "an extractor did not answer");
                if broke_off(&last) {
                    return Err(ExtractError::BrokeOff(last));
                }
            }
            let Some(pause) = pauses.next() else { return Err(ExtractError::Unavailable(last)) };
            if Instant::now() + pause >= deadline {
                return Err(ExtractError::Unavailable(last));
            }
            tokio::time::sleep(pause).await;
            self.endpoints.resolve().await;
        }
    }
}

type ExtractionResult = Result<v1::Extraction, v1::Failure>;

async fn send_request(
    channel: Channel,
    call: &v1::Call,
    page: &PageSnapshot,
    tenant: &str,
    left: Duration,
) -> Result<ExtractionResult, Status> {
    let mut client = ExtractorServiceClient::new(channel)
        .max_encoding_message_size(MAX_MESSAGE_BYTES)
        .max_decoding_message_size(MAX_MESSAGE_BYTES);
    let (call, page, tenant) = (Some(call.clone()), Some(page.clone().into()), tenant.to_owned());
    let message = v1::ExtractRequest { call, page, tenant };
    let mut request = with_trace(message);
    request.set_timeout(left);
    let response = client.extract(request).await?.into_inner();
    match (response.extraction, response.failure) {
        (Some(extraction), _) => Ok(Ok(extraction)),
        (None, Some(failure)) => Ok(Err(failure)),
        (None, None) => Err(Status::unavailable("the extractor answered without an extraction")),
    }
}

/// Returns true if an extractor accepted the call and then failed to answer, by its own report or
/// because the connection broke.
fn broke_off(status: &Status) -> bool {
    match status.code() {
        Code::Aborted => true,
        // The extractor's own deadline and a full queue do not count.
        Code::ResourceExhausted | Code::DeadlineExceeded | Code::Cancelled | Code::Unimplemented => false,
        _ => !never_connected(status),
    }
}

/// Returns true if an extractor has judged the call, rather than failed to.
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
