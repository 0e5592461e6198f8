//! The extractors, as those see them who have pages to hand over: every address that their names resolve to, asked in
//! turn until one answers.
//!
//! A name that leads to several addresses (a headless service) is several extractors; names are resolved again every few
//! seconds and whenever nobody answered, so that extractors come and go without a restart of their callers. This crate
//! never judges an answer: whatever an extractor said about a call is the call's end.

mod members;

use limner_page::PageSnapshot;
use limner_proto::v1::extractor_service_client::ExtractorServiceClient;
use limner_proto::{CODE_TRAILER, MAX_MESSAGE_BYTES, status_to_failure, v1, with_trace};
use limner_types::ErrorCode;
use members::Members;
use std::sync::Arc;
use std::time::Duration;
use thiserror::Error;
use tokio::time::Instant;
use tonic::transport::Channel;
use tonic::{Code, Status};

pub use members::InvalidExtractor;

/// Every known extractor. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Extractors {
    members: Arc<Members>,
}

/// Why there is no extraction.
#[derive(Debug, Error)]
pub enum ExtractFault {
    /// The page or the call: the caller's answer.
    #[error("the extractor answered: {}", .0.message)]
    Failure(v1::Failure),
    /// None of them answered: another try may go better.
    #[error("no extractor answered: {0}")]
    Unavailable(Status),
}

/// Pause after each round through all extractors.
const PAUSES: [Duration; 4] =
    [Duration::from_millis(50), Duration::from_millis(150), Duration::from_millis(400), LONG_PAUSE];
const LONG_PAUSE: Duration = Duration::from_secs(1);

impl Extractors {
    /// The extractors at these addresses, such as `http://extractors:50051`. Resolves and connects when first used.
    ///
    /// # Errors
    /// An address that cannot be one of an extractor.
    pub fn new(addresses: &[String]) -> Result<Self, InvalidExtractor> {
        Ok(Self { members: Arc::new(Members::new(addresses)?) })
    }

    /// Has the page extracted by the first extractor that answers. After a few rounds another worker may be luckier;
    /// `to_the_end` goes on until the deadline instead.
    ///
    /// # Errors
    /// See [`ExtractFault`].
    pub async fn extract(
        &self,
        call: &v1::Call,
        page: &PageSnapshot,
        deadline: Instant,
        to_the_end: bool,
    ) -> Result<v1::Extraction, ExtractFault> {
        let mut last = Status::unavailable("the name of the extractors leads nowhere");
        let long_pauses = std::iter::repeat(LONG_PAUSE).take_while(|_| to_the_end);
        let mut pauses = PAUSES.into_iter().chain(long_pauses);
        let mut broken_off = 0;
        loop {
            for member in self.members.in_turn().await {
                let left = deadline.saturating_duration_since(Instant::now());
                if left.is_zero() {
                    return Err(ExtractFault::Unavailable(last));
                }
                match ask(member.channel(), call, page, left).await {
                    Ok(Ok(extraction)) => return Ok(extraction),
                    Ok(Err(failure)) => return Err(ExtractFault::Failure(failure)),
                    Err(status) if is_answer(&status) => return Err(ExtractFault::Failure(status_to_failure(&status))),
                    Err(status) if is_too_large(&status) => return Err(ExtractFault::Failure(too_large())),
                    Err(status) => last = status,
                }
                broken_off += usize::from(broke_off(&last));
                if broken_off >= MOST_BROKEN_OFF {
                    tracing::error!(error = last.message(), "a page is given up: extractors broke under it");
                    return Err(ExtractFault::Failure(given_up()));
                }
                // A busy one is well; one that can't be reached costs those who come next their time.
                if last.code() != Code::ResourceExhausted {
                    member.rest();
                }
                metrics::counter!("limner_extractor_client_retries_total").increment(1);
                tracing::warn!(rpc.grpc.status_code = ?last.code(), error = last.message(), "an extractor did not answer");
            }
            let Some(pause) = pauses.next() else { return Err(ExtractFault::Unavailable(last)) };
            if Instant::now() + pause >= deadline {
                return Err(ExtractFault::Unavailable(last));
            }
            tokio::time::sleep(pause).await;
            self.members.resolve().await;
        }
    }
}

type Answer = Result<v1::Extraction, v1::Failure>;

async fn ask(channel: Channel, call: &v1::Call, page: &PageSnapshot, left: Duration) -> Result<Answer, Status> {
    let mut client = ExtractorServiceClient::new(channel)
        .max_encoding_message_size(MAX_MESSAGE_BYTES)
        .max_decoding_message_size(MAX_MESSAGE_BYTES);
    let message = v1::ExtractRequest { call: Some(call.clone()), page: Some(page.clone().into()) };
    let mut request = with_trace(message);
    request.set_timeout(left);
    let response = client.extract(request).await?.into_inner();
    match (response.extraction, response.failure) {
        (Some(extraction), _) => Ok(Ok(extraction)),
        (None, Some(failure)) => Ok(Err(failure)),
        (None, None) => Err(Status::unavailable("the extractor answered without an extraction")),
    }
}

/// Extractions of one page that may break off. The page may be the cause, so that it does not go round the fleet.
const MOST_BROKEN_OFF: usize = 2;

/// Returns true if an extractor took the call and then fell silent, by its own word or because the connection broke.
fn broke_off(status: &Status) -> bool {
    match status.code() {
        Code::Aborted => true,
        // Its own deadline and a full queue are no break.
        Code::ResourceExhausted | Code::DeadlineExceeded | Code::Cancelled | Code::Unimplemented => false,
        _ => !never_connected(status),
    }
}

/// Returns true if the call never reached an extractor.
fn never_connected(status: &Status) -> bool {
    let mut cause = std::error::Error::source(status);
    while let Some(error) = cause {
        if error.is::<tonic::ConnectError>() {
            return true;
        }
        cause = error.source();
    }
    false
}

fn given_up() -> v1::Failure {
    v1::Failure::new(ErrorCode::InternalError, "The page could not be processed. Nothing was charged.")
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
