//! What the fetcher does with a job: snapshot, extraction, cache, reply.

use crate::config::Config;
use crate::error::ReadError;
use crate::flights::{Flights, Outcome};
use crate::hosts::{Crowded, Hosts};
use crate::reader::{Needs, Reader};
use crate::snapshots::Snapshots;
use limner_bus::{JobContext, JobOutcome, Stage};
use limner_cache::{Cache, CachedResult};
use limner_extractors::{ExtractFault, Extractors};
use limner_page::target::MAX_URL_BYTES;
use limner_page::{Degradation, PageSnapshot, TargetUrl};
use limner_proto::v1;
use limner_proto::v1::fallback::StaticOutcome;
use limner_proto::v1::job_reply::Outcome as ReplyOutcome;
use limner_types::{ErrorCode, Operation};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// The parts a job passes through.
pub(crate) struct Worker {
    pub(crate) reader: Reader,
    pub(crate) hosts: Arc<Hosts>,
    pub(crate) flights: Flights,
    pub(crate) snapshots: Snapshots,
    pub(crate) extractors: Extractors,
    pub(crate) cache: Cache,
    pub(crate) config: Config,
}

/// How a job ends early.
enum End {
    /// With an answer.
    Failure(v1::Failure),
    /// Not now.
    Later(Duration),
}

/// A job as this role understands it.
struct Task {
    job: v1::Job,
    call: v1::Call,
    target: TargetUrl,
    operation: Operation,
    deadline: tokio::time::Instant,
    last_delivery: bool,
}

/// How long a job whose host is crowded, or that found no extractor, goes back to the queue.
const CROWDED_PAUSE: Duration = Duration::from_secs(2);
const UNAVAILABLE_PAUSE: Duration = Duration::from_secs(1);

/// What a job keeps of its time for answering.
const ANSWER_RESERVE: Duration = Duration::from_millis(250);

impl Worker {
    pub(crate) async fn handle(&self, context: JobContext) -> JobOutcome {
        let started = Instant::now();
        let job_id = context.job.job_id.clone();
        let outcome = match Task::read(context) {
            Ok(task) => self.work(&task).await,
            Err(failure) => Work::Answer(ReplyOutcome::Failure(failure)),
        };
        match outcome {
            Work::Answer(outcome) => {
                let worker_ms = u32::try_from(started.elapsed().as_millis()).unwrap_or(u32::MAX);
                JobOutcome::Reply(v1::JobReply { job_id, outcome: Some(outcome), worker_ms })
            }
            Work::HandOver(job) => JobOutcome::HandOver(Stage::Render, job),
            Work::Later(delay) => JobOutcome::Retry { delay },
        }
    }

    async fn work(&self, task: &Task) -> Work {
        if task.call.render {
            return self.to_the_browser(task, None);
        }
        let page = match self.page(task).await {
            Ok(page) => page,
            Err(PageFault::Read(error)) => {
                tracing::info!(job.id = task.job.job_id, error = %error, "page not read");
                let failure = error.to_failure();
                let hand_over = error.browser_may_help() && self.config.render_available;
                return if hand_over {
                    self.to_the_browser(task, Some(StaticOutcome::Failure(failure)))
                } else {
                    Work::Answer(ReplyOutcome::Failure(failure))
                };
            }
            Err(PageFault::Crowded) => return Work::Later(CROWDED_PAUSE),
        };
        let thin = page.degradation == Some(Degradation::ClientRendered) && self.config.render_available;
        match self.extract(task, &page).await {
            Ok(result) if thin => self.to_the_browser(task, Some(StaticOutcome::Extraction(on_the_wire(result)))),
            Ok(result) => self.keep_and_answer(task, result).await,
            Err(End::Failure(failure)) if thin => self.to_the_browser(task, Some(StaticOutcome::Failure(failure))),
            Err(End::Failure(failure)) => Work::Answer(ReplyOutcome::Failure(failure)),
            Err(End::Later(delay)) => Work::Later(delay),
        }
    }

    /// The page from the cache, from a read that is under way, or read now; with what the operation needs.
    async fn page(&self, task: &Task) -> Result<Arc<PageSnapshot>, PageFault> {
        let name = task.target.as_str();
        let kept = if task.job.fresh { None } else { self.snapshots.get(name).await };
        metrics::counter!("limner_fetcher_pages_total", "from" => if kept.is_some() { "cache" } else { "origin" })
            .increment(1);
        let (mut page, mut is_new) = match kept {
            Some(kept) => (Arc::new(kept), false),
            None => (self.read(task).await?, true),
        };
        let reserve_less = task.deadline.checked_sub(ANSWER_RESERVE).unwrap_or(task.deadline);
        let side_deadline = reserve_less.min(tokio::time::Instant::now() + self.config.limits.static_read);
        let mut complete = Arc::unwrap_or_clone(page);
        is_new |= self.reader.complete(&mut complete, task.operation, side_deadline).await;
        page = Arc::new(complete);
        if is_new {
            // Not on the caller's time.
            let (snapshots, name, page) = (self.snapshots.clone(), name.to_owned(), Arc::clone(&page));
            tokio::spawn(async move { snapshots.put(&name, page).await });
        }
        Ok(page)
    }

    async fn read(&self, task: &Task) -> Result<Arc<PageSnapshot>, PageFault> {
        let (reader, target) = (self.reader.clone(), task.target.clone());
        let host = target.url().host_str().unwrap_or_default().to_owned();
        let (hosts, deadline) = (Arc::clone(&self.hosts), task.deadline);
        let whatever_it_takes = task.last_delivery;
        let read = async move {
            let _leave = hosts.enter(&host, whatever_it_takes).await.map_err(|Crowded| ReadError::Crowded)?;
            let started = Instant::now();
            let outcome = reader.read(&target, Needs::Page, deadline).await;
            metrics::histogram!("limner_fetcher_read_duration_seconds").record(started.elapsed());
            outcome.map(Arc::new)
        };
        let outcome: Outcome = self.flights.read(task.target.as_str(), task.job.fresh, read).await;
        outcome.map_err(|error| if error == ReadError::Crowded { PageFault::Crowded } else { PageFault::Read(error) })
    }

    /// The result, compressed as it is kept and sent.
    async fn extract(&self, task: &Task, page: &PageSnapshot) -> Result<CachedResult, End> {
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
    async fn keep_and_answer(&self, task: &Task, result: CachedResult) -> Work {
        if !task.job.cache_key.is_empty()
            && let Err(cause) = self.cache.put_result(&task.job.cache_key, &result).await
        {
            tracing::warn!(job.id = task.job.job_id, error = %cause, "a result was not kept");
        }
        Work::Answer(ReplyOutcome::Extraction(on_the_wire(result)))
    }

    fn to_the_browser(&self, task: &Task, static_outcome: Option<StaticOutcome>) -> Work {
        if !self.config.render_available {
            let message = "Browser rendering is not available at the moment. Retry without render.";
            let failure = v1::Failure {
                retry_after_seconds: Some(60),
                ..v1::Failure::new(ErrorCode::RenderUnavailable, message)
            };
            return Work::Answer(ReplyOutcome::Failure(failure));
        }
        let fallback = static_outcome.map(|outcome| v1::Fallback { static_outcome: Some(outcome) });
        Work::HandOver(Box::new(v1::Job { fallback, ..task.job.clone() }))
    }
}

async fn compress(extraction: v1::Extraction) -> Option<CachedResult> {
    let created = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let created_unix = i64::try_from(created).unwrap_or(i64::MAX);
    let v1::Extraction { body, content_type, auto_render } = extraction;
    let compress = move || CachedResult::compress(&body, content_type, auto_render, created_unix);
    let compressed = tokio::task::spawn_blocking(compress).await.ok()?;
    compressed.inspect_err(|cause| tracing::error!(error = %cause, "a result could not be compressed")).ok()
}

fn on_the_wire(result: CachedResult) -> v1::Extraction {
    let CachedResult { body, content_type, auto_render, .. } = result;
    v1::Extraction { body, content_type, auto_render }
}

/// What is to happen with a job.
enum Work {
    Answer(ReplyOutcome),
    HandOver(Box<v1::Job>),
    Later(Duration),
}

enum PageFault {
    Read(ReadError),
    /// Too many wait for this host.
    Crowded,
}

impl Task {
    fn read(context: JobContext) -> Result<Self, v1::Failure> {
        let invalid = |message: String| v1::Failure::new(ErrorCode::InvalidRequest, message);
        let JobContext { job, deadline, last_delivery, .. } = context;
        let call = job.call.clone().ok_or_else(|| invalid("The job holds no call.".to_owned()))?;
        let request = call.to_request(&job.url).map_err(|fault| invalid(fault.0))?;
        let target =
            TargetUrl::parse(&job.url, MAX_URL_BYTES.max(job.url.len())).map_err(|fault| invalid(fault.message))?;
        Ok(Self { operation: request.operation, job, call, target, deadline, last_delivery })
    }
}
