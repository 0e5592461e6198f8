//! Extracts, caches and replies.

use crate::Task;
use limner_cache::{BodyPlace, Cache, CacheError, CachedResult};
use limner_extractor_client::{ExtractError, ExtractorPool};
use limner_page::PageSnapshot;
use limner_proto::v1;
use limner_proto::v1::job_reply::Outcome;
use limner_types::ErrorCode;
use prost::Message;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The reason why a job ends without a result.
#[derive(Debug, Clone)]
pub enum JobError {
    /// The job fails.
    Failure(v1::Failure),
    /// The job is retried after a delay.
    Retry(Duration),
}

/// Delay of a job that found no extractor.
const UNAVAILABLE_PAUSE: Duration = Duration::from_secs(1);

/// Time reserved for the reply.
const ANSWER_RESERVE: Duration = Duration::from_millis(250);

/// Maximum number of extractors that break under one job, whichever workers have it.
const MAX_BROKEN_EXTRACTIONS: u32 = 2;

/// Time after which no worker has a job any more: longer than any deadline.
const MAX_JOB_LIFE: Duration = Duration::from_secs(600);

/// Time in seconds for which the failure of a page that breaks extractors is cached.
const GIVEN_UP_SECONDS: u32 = 300;

/// Turns pages into results and replies.
#[derive(Clone)]
pub struct ResultPublisher {
    /// The extractors.
    pub extractors: ExtractorPool,
    /// The cache of results.
    pub cache: Cache,
}

impl ResultPublisher {
    /// Extracts the result, compressed as it is cached and sent.
    ///
    /// # Errors
    /// The page has no such result, extractors broke under the job, or no extractor answered.
    pub async fn extract(&self, task: &Task, page: &PageSnapshot) -> Result<CachedResult, JobError> {
        let deadline = task.deadline.checked_sub(ANSWER_RESERVE).unwrap_or(task.deadline);
        let tenant = &task.job.tenant;
        let mut broken = self.broken_extractions(task).await;
        while broken < MAX_BROKEN_EXTRACTIONS {
            match self.extractors.extract(&task.call, page, tenant, deadline, task.last_delivery).await {
                Ok(extraction) => return compress(extraction).await.ok_or(JobError::Retry(UNAVAILABLE_PAUSE)),
                Err(ExtractError::Failure(failure)) => return Err(JobError::Failure(failure)),
                Err(ExtractError::Unavailable(status)) => {
                    tracing::error!(job.id = task.job.job_id, error = %status, "no extractor available");
                    return Err(JobError::Retry(UNAVAILABLE_PAUSE));
                }
                Err(ExtractError::BrokeOff(_)) => {
                    broken += 1;
                    self.keep_broken_extractions(task, broken).await;
                }
            }
        }
        tracing::error!(job.id = task.job.job_id, "giving up on a page that breaks extractors");
        Err(JobError::Failure(given_up()))
    }

    /// Returns the number of extractors that broke under this job in the hands of other workers.
    async fn broken_extractions(&self, task: &Task) -> u32 {
        if !task.is_continued {
            return 0;
        }
        let kept = self.cache.broken_extractions(&task.job.job_id).await;
        kept.inspect_err(|cause| tracing::warn!(error = %cause, "cannot read the number of broken extractions"))
            .unwrap_or(0)
    }

    /// Keeps the number at once, because this worker may be the next to break.
    async fn keep_broken_extractions(&self, task: &Task, number: u32) {
        if let Err(cause) = self.cache.put_broken_extractions(&task.job.job_id, number, MAX_JOB_LIFE).await {
            tracing::warn!(job.id = task.job.job_id, error = %cause, "cannot keep the number of broken extractions");
        }
    }

    /// Caches the result *before* replying, so that a caller whose answer is lost gets it again for free. A result that
    /// cannot be cached is delivered all the same. One that is too large for Redis is left to the gateway, which has the
    /// object store.
    pub async fn cache_and_reply(&self, task: &Task, result: CachedResult) -> Outcome {
        if !task.job.cache_key.is_empty()
            && self.cache.fits(&result)
            && let Err(cause) = self.cache.put_result(&task.job.cache_key, &result).await
        {
            tracing::warn!(job.id = task.job.job_id, error = %cause, "cannot cache a result");
        }
        Outcome::Extraction(to_proto(result))
    }
}

impl ResultPublisher {
    /// Returns the failure that the same call met in the last minutes, and would meet again.
    pub async fn known_failure(&self, task: &Task) -> Option<v1::Failure> {
        if task.job.fresh || task.job.cache_key.is_empty() {
            return None;
        }
        let found = self.cache.get_verdict(&task.job.cache_key).await;
        let bytes =
            found.inspect_err(|cause| tracing::debug!(error = %cause, "cannot read cached failures")).ok()??;
        let failure = v1::Failure::decode(bytes).ok()?;
        metrics::counter!("limner_worker_known_failures_total").increment(1);
        Some(failure)
    }

    /// Returns a failure as an outcome, and caches it for as long as it says that the same call would meet it again.
    pub async fn fail(&self, task: &Task, failure: v1::Failure) -> Outcome {
        let life = Duration::from_secs(failure.valid_for_seconds.unwrap_or(0).into());
        let key = &task.job.cache_key;
        if !life.is_zero()
            && !key.is_empty()
            && let Err(cause) = self.cache.put_verdict(key, failure.encode_to_vec().into(), life).await
        {
            tracing::debug!(job.id = task.job.job_id, error = %cause, "cannot cache a failure");
        }
        Outcome::Failure(failure)
    }

    /// Like [`ResultPublisher::cache_and_reply`], for a result of another worker, which is already compressed.
    pub async fn cache_and_reply_proto(&self, task: &Task, extraction: v1::Extraction) -> Outcome {
        let v1::Extraction { body, content_type, auto_render, incomplete } = extraction;
        let (place, created_unix) = (BodyPlace::Inline, now_unix());
        let result = CachedResult { body, place, content_type, auto_render, incomplete, created_unix };
        self.cache_and_reply(task, result).await
    }
}

fn given_up() -> v1::Failure {
    let failure = v1::Failure::new(ErrorCode::InternalError, "The page could not be processed. Nothing was charged.");
    v1::Failure { valid_for_seconds: Some(GIVEN_UP_SECONDS), ..failure }
}

fn now_unix() -> i64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    i64::try_from(now).unwrap_or(i64::MAX)
}

async fn compress(extraction: v1::Extraction) -> Option<CachedResult> {
    let created_unix = now_unix();
    let v1::Extraction { body, content_type, auto_render, incomplete } = extraction;
    let compress = move || {
        let complete = CachedResult::compress(&body, content_type, auto_render, created_unix)?;
        Ok::<_, CacheError>(CachedResult { incomplete, ..complete })
    };
    let compressed = tokio::task::spawn_blocking(compress).await.ok()?;
    compressed.inspect_err(|cause| tracing::error!(error = %cause, "cannot compress a result")).ok()
}

/// Converts a cached result to its wire format.
pub fn to_proto(result: CachedResult) -> v1::Extraction {
    let CachedResult { body, content_type, auto_render, incomplete, .. } = result;
    v1::Extraction { body, content_type, auto_render, incomplete }
}
