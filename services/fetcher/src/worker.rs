//! Handles a job: snapshot, extraction, cache, reply.

use crate::config::Config;
use crate::error::{ReadError, browser_may_help};
use crate::host_limiter::{HostLimiter, QueueFull};
use crate::reader::{ReadPurpose, Reader};
use crate::single_flight::{PageFlight, PageFlights};
use limner_bus::{JobContext, JobOutcome, RendererPresence, Stage};
use limner_page::PageSnapshot;
use limner_page::site::registrable_domain;
use limner_page_worker::{JobError, ResultPublisher, SitePlaces, Snapshots, Task, Unconfirmed, to_proto};
use limner_proto::v1;
use limner_proto::v1::fallback::StaticOutcome;
use limner_proto::v1::job_reply::Outcome as ReplyOutcome;
use limner_types::ErrorCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// The dependencies of a job.
pub(crate) struct Worker {
    pub(crate) reader: Reader,
    pub(crate) hosts: Arc<HostLimiter>,
    pub(crate) sites: SitePlaces,
    pub(crate) flights: PageFlights,
    pub(crate) snapshots: Snapshots,
    pub(crate) publisher: ResultPublisher,
    pub(crate) config: Config,
    /// Set once the role runs; stays unset without a browser in the fleet.
    pub(crate) renderers: OnceLock<RendererPresence>,
}

/// Delay of a job that is returned to the queue because its host has too many queued reads.
const HOST_BUSY_RETRY_DELAY: Duration = Duration::from_secs(2);

/// Time reserved for the reply: the gateway does not wait past the deadline.
const REPLY_RESERVE: Duration = Duration::from_secs(1);

/// Time reserved for the extraction.
const ANSWER_RESERVE: Duration = Duration::from_millis(250);

impl Worker {
    pub(crate) async fn handle(&self, context: JobContext) -> JobOutcome {
        let started = Instant::now();
        let job_id = context.job.job_id.clone();
        let outcome = match Task::read(context) {
            Ok(task) => self.work(&task).await,
            Err(failure) => JobAction::Answer(ReplyOutcome::Failure(failure)),
        };
        match outcome {
            JobAction::Answer(outcome) => {
                let worker_ms = u32::try_from(started.elapsed().as_millis()).unwrap_or(u32::MAX);
                JobOutcome::Reply(v1::JobReply { job_id, outcome: Some(outcome), worker_ms, ..v1::JobReply::default() })
            }
            JobAction::HandOver(job) => JobOutcome::HandOver(Stage::Render, job),
            JobAction::Later(delay) => JobOutcome::Retry { delay },
        }
    }

    async fn work(&self, task: &Task) -> JobAction {
        if let Some(failure) = self.publisher.known_failure(task).await {
            return JobAction::Answer(ReplyOutcome::Failure(failure));
        }
        if task.call.render {
            return self.hand_over_to_browser(task, None);
        }
        let CompletePage { page, lacks_some, unconfirmed } = match self.page(task).await {
            Ok(page) => page,
            Err(PageFailure::Read(error)) => {
                tracing::info!(job.id = task.job.job_id, error = %error, "page not read");
                let failure = error.to_failure(self.config.render_available);
                return if browser_may_help(Err(&error)) && self.has_browser() {
                    self.hand_over_to_browser(task, Some(StaticOutcome::Failure(failure)))
                } else {
                    JobAction::Answer(self.publisher.fail(task, failure).await)
                };
            }
            Err(PageFailure::HostBusy)
                if tokio::time::Instant::now() + HOST_BUSY_RETRY_DELAY >= self.starts_by(task) =>
            {
                return JobAction::Answer(ReplyOutcome::Failure(
                    ReadError::Waited.to_failure(self.config.render_available),
                ));
            }
            Err(PageFailure::HostBusy) => return JobAction::Later(HOST_BUSY_RETRY_DELAY),
        };
        let needs_browser = browser_may_help(Ok(&page)) && self.has_browser();
        let mut extracted = self.publisher.extract(task, &page).await;
        if let (Ok(_), Some(snapshot)) = (&extracted, unconfirmed) {
            snapshot.confirm();
        }
        if let Ok(result) = &mut extracted {
            result.incomplete |= lacks_some;
        }
        match extracted {
            Ok(result) if needs_browser => {
                self.hand_over_to_browser(task, Some(StaticOutcome::Extraction(to_proto(result))))
            }
            Ok(result) => JobAction::Answer(self.publisher.cache_and_reply(task, result).await),
            Err(JobError::Failure(failure)) if needs_browser => {
                self.hand_over_to_browser(task, Some(StaticOutcome::Failure(failure)))
            }
            Err(JobError::Failure(failure)) => JobAction::Answer(self.publisher.fail(task, failure).await),
            Err(JobError::Retry(delay)) => JobAction::Later(delay),
        }
    }

    /// Returns the page from the cache, from a read in progress, or from a new read; with the subresources of the
    /// operation.
    async fn page(&self, task: &Task) -> Result<CompletePage, PageFailure> {
        let name = task.target.as_str();
        let cached = if task.job.fresh { None } else { self.snapshots.get(name).await };
        metrics::counter!("limner_fetcher_pages_total", "from" => if cached.is_some() { "cache" } else { "origin" })
            .increment(1);
        let read_by = tokio::time::Instant::now() + self.config.limits.static_read;
        let (page, was_read) = match cached {
            Some(cached) => (Arc::new(cached), false),
            None => (self.read(task).await?, true),
        };
        let reserve_less = task.deadline.checked_sub(ANSWER_RESERVE).unwrap_or(task.deadline);
        let mut complete = PageSnapshot::clone(&page);
        let known = self.reader.complete(&mut complete, task.request.operation, reserve_less.min(read_by)).await;
        let known = known.map_err(|cause| PageFailure::Read(cause.into()))?;
        let lacks_some = known.lacks_some;
        let unconfirmed = (was_read || known.is_new).then(|| {
            let kept = PageSnapshot { resources: known.resources, ..Arc::unwrap_or_clone(page) };
            self.snapshots.put_in_background(name.to_owned(), Arc::new(kept))
        });
        Ok(CompletePage { page: Arc::new(complete), lacks_some, unconfirmed })
    }

    async fn read(&self, task: &Task) -> Result<Arc<PageSnapshot>, PageFailure> {
        let (starts_by, latest) = (self.starts_by(task), latest(task));
        loop {
            let flight = self.shared_read(task);
            let outcome = tokio::time::timeout_at(latest, flight.outcome.clone()).await;
            // Our own waiting is not the target's.
            let too_late = if flight.has_its_time() { ReadError::OutOfTime } else { ReadError::Waited };
            let outcome = outcome.unwrap_or(Err(too_late));
            // The job whose read was shared may have had less time.
            let now = tokio::time::Instant::now();
            let is_over = now >= starts_by || now + REPLY_RESERVE >= latest;
            return match outcome {
                Err(ReadError::Waited) if !is_over => continue,
                Err(ReadError::HostQueueFull) => Err(PageFailure::HostBusy),
                other => other.map_err(PageFailure::Read),
            };
        }
    }

    /// Reads the page, or joins another job's read.
    fn shared_read(&self, task: &Task) -> PageFlight {
        let (reader, target) = (self.reader.clone(), task.target.clone());
        let site = registrable_domain(target.url()).unwrap_or_default();
        let (hosts, sites) = (Arc::clone(&self.hosts), self.sites.clone());
        let (starts_by, latest) = (self.starts_by(task), latest(task));
        let name = format!("{} static", task.job.job_id);
        let (tenant, is_last_attempt) = (task.job.tenant.clone(), task.last_delivery);
        let whole_time = self.config.limits.static_read;
        let read = |has_its_time: Arc<AtomicBool>| async move {
            let turn = tokio::time::timeout_at(starts_by, hosts.wait_for_turn(&tenant, &site, is_last_attempt)).await;
            let turn = turn.map_err(|_| ReadError::Waited)?.map_err(|QueueFull| ReadError::HostQueueFull)?;
            let _place = sites.acquire(&site, &name, starts_by, latest).await.ok_or(ReadError::Waited)?;
            let permit = tokio::time::timeout_at(starts_by, hosts.begin(turn)).await;
            let _permit = permit.map_err(|_| ReadError::Waited)?.map_err(|QueueFull| ReadError::HostQueueFull)?;
            let is_whole = tokio::time::Instant::now() + whole_time <= latest;
            has_its_time.store(is_whole, Ordering::Relaxed);
            let started = Instant::now();
            let outcome = reader.read(&target, ReadPurpose::Page, latest).await;
            // A target that had less time because the read waited is not at fault.
            let is_late = outcome.as_ref().is_err_and(|error| error.code() == ErrorCode::TargetTimeout)
                && tokio::time::Instant::now() + REPLY_RESERVE >= latest;
            let outcome = if is_late && !is_whole { Err(ReadError::Waited) } else { outcome };
            metrics::histogram!("limner_fetcher_read_duration_seconds").record(started.elapsed());
            if outcome.as_ref().is_err_and(ReadError::is_overload) {
                hosts.throttle(&site);
                sites.throttle(&site).await;
            }
            outcome.map(Arc::new)
        };
        self.flights.join_or_start(task.target.as_str(), task.job.fresh, read)
    }

    /// Returns the time by which the read of a job's page must have begun.
    fn starts_by(&self, task: &Task) -> tokio::time::Instant {
        task.starts_by(self.config.start_reserve.max(REPLY_RESERVE))
    }

    /// Returns true if a renderer could take over a job now.
    fn has_browser(&self) -> bool {
        self.renderers.get().is_some_and(RendererPresence::any)
    }

    /// Returns the hand-over of a job to the stage `render`: the browser fallback if there is a static outcome, else
    /// the browser that the caller requested.
    fn hand_over_to_browser(&self, task: &Task, static_outcome: Option<StaticOutcome>) -> JobAction {
        if !self.has_browser() {
            let message = "Browser rendering is not available at the moment. Retry without render.";
            let failure = v1::Failure {
                retry_after_seconds: Some(60),
                ..v1::Failure::new(ErrorCode::RenderUnavailable, message)
            };
            return JobAction::Answer(ReplyOutcome::Failure(failure));
        }
        let fallback = static_outcome.map(|outcome| v1::Fallback { static_outcome: Some(outcome) });
        JobAction::HandOver(Box::new(v1::Job { fallback, ..task.job.clone() }))
    }
}

/// Returns the time by which a job's page has to be read.
fn latest(task: &Task) -> tokio::time::Instant {
    task.deadline.checked_sub(REPLY_RESERVE).unwrap_or(task.deadline)
}

/// The next step of a job.
enum JobAction {
    Answer(ReplyOutcome),
    HandOver(Box<v1::Job>),
    Later(Duration),
}

/// A page with the files of one operation.
struct CompletePage {
    page: Arc<PageSnapshot>,
    /// True if another read may get files that are missing.
    lacks_some: bool,
    /// A new snapshot, which is confirmed when the call succeeds.
    unconfirmed: Option<Unconfirmed>,
}

enum PageFailure {
    Read(ReadError),
    /// Too many reads wait for this host.
    HostBusy,
}
