//! A job, parsed for a reader of pages.

use limner_bus::JobContext;
use limner_page::TargetUrl;
use limner_page::target_url::MAX_URL_BYTES;
use limner_proto::v1;
use limner_types::{ErrorCode, OperationRequest};
use std::time::Duration;
use tokio::time::Instant;

/// A job with valid members.
#[derive(Debug, Clone)]
pub struct Task {
    /// The job.
    pub job: v1::Job,
    /// The call, as it is sent to an extractor.
    pub call: v1::Call,
    /// The parsed call.
    pub request: OperationRequest,
    /// The page.
    pub target: TargetUrl,
    /// After this time no caller waits any more.
    pub deadline: Instant,
    /// True if no retry is possible any more.
    pub last_delivery: bool,
    /// True if another worker had the job before, or this one had it earlier.
    pub is_continued: bool,
}

impl Task {
    /// Parses a job.
    ///
    /// # Errors
    /// The failure to reply with if the job is invalid.
    pub fn read(context: JobContext) -> Result<Self, v1::Failure> {
        let invalid = |message: String| v1::Failure::new(ErrorCode::InvalidRequest, message);
        let JobContext { job, deadline, last_delivery, deliveries } = context;
        let is_continued = deliveries > 1 || job.fallback.is_some();
        let call = job.call.clone().ok_or_else(|| invalid("The job holds no call.".to_owned()))?;
        let request = call.to_request(&job.url).map_err(|fault| invalid(fault.0))?;
        let target =
            TargetUrl::parse(&job.url, MAX_URL_BYTES.max(job.url.len())).map_err(|fault| invalid(fault.message))?;
        Ok(Self { job, call, request, target, deadline, last_delivery, is_continued })
    }

    /// Returns the time by which the read must have begun: `reserve` before the deadline.
    pub fn starts_by(&self, reserve: Duration) -> Instant {
        self.deadline.checked_sub(reserve).unwrap_or(self.deadline)
    }
}
