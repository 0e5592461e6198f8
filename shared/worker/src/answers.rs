//! From a page to an answer.

use crate::Task;
use limner_cache::{Cache, CachedResult};
use limner_extractors::{ExtractFault, Extractors};
use limner_page::PageSnapshot;
use limner_proto::v1;
use limner_proto::v1::job_reply::Outcome;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// How a job ends early.
#[derive(Debug, Clone)]
pub enum End {
    /// With an answer.
    Failure(v1::Failure),
    /// Not now.
    Later(Duration),
}

/// How long a job that found no extractor goes back to the queue.
const UNAVAILABLE_PAUSE: Duration = Duration::from_secs(1);

/// What a job keeps of its time for answering.
const ANSWER_RESERVE: Duration = Duration::from_millis(250);

/// Makes answers of pages.
#[derive(Clone)]
pub struct Answers {
    /// Those who extract.
    pub extractors: Extractors,
    /// Where results are kept.
    pub cache: Cache,
}

impl Answers {
    /// The result, compressed as it is kept and sent.
    ///
    /// # Errors
    /// The page has no such result, or no extractor answered.
    pub async fn extract(&self, task: &Task, page: &PageSnapshot) -> Result<CachedResult, End> {
        let deadline = task.deadline.checked_sub(ANSWER_RESERVE).unwrap_or(task.deadline);
        match self.extractors.extract(&task.call, page, deadline, task.last_delivery).await {
            Ok(extraction) => compress(extraction).await.ok_or(End::Later(UNAVAILABLE_PAUSE)),
            Err(ExtractFault::Failure(failure)) => Err(End::Failure(failure)),
            Err(ExtractFault::Unavailable(status)) => {
                tracing::error!(job.id = task.job.job_id, error = %status, "no extractor answers");
                Err(End::Later(UNAVAILABLE_PAUSE))
            }
        }
    }

    /// Puts the result into the cache *before* anybody hears of it: no result is charged that was not kept.
    pub async fn keep(&self, task: &Task, result: CachedResult) -> Outcome {
        if !task.job.cache_key.is_empty()
            && let Err(cause) = self.cache.put_result(&task.job.cache_key, &result).await
        {
            tracing::warn!(job.id = task.job.job_id, error = %cause, "a result was not kept");
        }
        Outcome::Extraction(on_the_wire(result))
    }
}

impl Answers {
    /// As [`Answers::keep`], for a result that was made by another worker and is compressed already.
    pub async fn keep_wire(&self, task: &Task, extraction: v1::Extraction) -> Outcome {
        let v1::Extraction { body, content_type, auto_render } = extraction;
        self.keep(task, CachedResult { body, content_type, auto_render, created_unix: now_unix() }).await
    }
}

fn now_unix() -> i64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    i64::try_from(now).unwrap_or(i64::MAX)
}

async fn compress(extraction: v1::Extraction) -> Option<CachedResult> {
    let created_unix = now_unix();
    let v1::Extraction { body, content_type, auto_render } = extraction;
    let compress = move || CachedResult::compress(&body, content_type, auto_render, created_unix);
    let compressed = tokio::task::spawn_blocking(compress).await.ok()?;
    compressed.inspect_err(|cause| tracing::error!(error = %cause, "a result could not be compressed")).ok()
}

/// A kept result as it is sent.
pub fn on_the_wire(result: CachedResult) -> v1::Extraction {
    let CachedResult { body, content_type, auto_render, .. } = result;
    v1::Extraction { body, content_type, auto_render }
}
