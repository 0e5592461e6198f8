//! Handles a job: visit, screenshot, extraction, cache, reply.

use crate::browser::BrowserPool;
use crate::error::VisitError;
use crate::visit::{VisitRequest, VisitResult};
use limner_bus::{JobContext, JobOutcome};
use limner_page::site::registrable_domain;
use limner_page::snapshot::ReadMethod;
use limner_page::{Degradation, PageSnapshot, Resource};
use limner_page_worker::{JobError, PageError, ResultPublisher, SitePlaces, Snapshots, Task, Unconfirmed};
use limner_proto::v1;
use limner_proto::v1::fallback::StaticOutcome;
use limner_proto::v1::job_reply::Outcome;
use limner_screenshot_store::ScreenshotStore;
use limner_types::WireEnum;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The dependencies of a job.
pub(crate) struct Worker {
    pub(crate) browsers: BrowserPool,
    pub(crate) sites: SitePlaces,
    pub(crate) snapshots: Snapshots,
    pub(crate) publisher: ResultPublisher,
    pub(crate) screenshots: ScreenshotStore,
    /// URL prefix of screenshots; a name is appended.
    pub(crate) screenshots_url: String,
    /// Time before a job's deadline by which its visit must have begun.
    pub(crate) start_reserve: Duration,
}

/// Time reserved for the extraction and the reply.
const EXTRACTION_RESERVE: Duration = Duration::from_secs(3);

/// Time for which a page occupies a slot while its site has no place for it.
const SITE_WAIT: Duration = Duration::from_secs(1);

/// Delay of a job that is returned to the queue because the fleet reads enough pages of its site.
const SITE_BUSY_RETRY_DELAY: Duration = Duration::from_secs(2);

impl Worker {
    pub(crate) async fn handle(&self, context: JobContext) -> JobOutcome {
        let started = Instant::now();
        let job_id = context.job.job_id.clone();
        let task = match Task::read(context) {
            Ok(task) => task,
            Err(failure) => return reply(job_id, Outcome::Failure(failure), started),
        };
        match self.handle_task(&task).await {
            Ok(outcome) => reply(job_id, outcome, started),
            Err(JobError::Failure(failure)) => reply(job_id, self.publisher.fail(&task, failure).await, started),
            Err(JobError::Retry(delay)) => JobOutcome::Retry { delay },
        }
    }

    async fn handle_task(&self, task: &Task) -> Result<Outcome, JobError> {
        let fallback = task.job.fallback.as_ref().and_then(|fallback| fallback.static_outcome.clone());
        // A page that crashes the browser or takes too long to read would do so again.
        if fallback.is_none()
            && let Some(failure) = self.publisher.known_failure(task).await
        {
            return Ok(Outcome::Failure(failure));
        }
        let kind = if fallback.is_some() { "fallback" } else { "asked" };
        metrics::gauge!("limner_renderer_busy_slots").increment(1.0);
        let page = self.page(task, fallback.is_some()).await;
        metrics::gauge!("limner_renderer_busy_slots").decrement(1.0);
        let word = page.as_ref().map_or_else(|fault| fault.code().as_str(), |_| "read");
        metrics::counter!("limner_renderer_visits_total", "kind" => kind, "outcome" => word).increment(1);
        match page {
            Ok((page, snapshot)) => {
                let result = self.publisher.extract(task, &page).await?;
                if let Some(snapshot) = snapshot {
                    snapshot.confirm();
                }
                Ok(self.publisher.cache_and_reply(task, result).await)
            }
            Err(VisitError::SiteBusy) if self.may_return_to_queue(task) => Err(JobError::Retry(SITE_BUSY_RETRY_DELAY)),
            Err(fault) => {
                tracing::info!(job.id = task.job.job_id, error = %fault, "page not read in a browser");
                match fallback {
                    Some(static_outcome) => Ok(self.fallback_outcome(task, static_outcome, &fault).await),
                    None => Err(JobError::Failure(fault.to_failure())),
                }
            }
        }
    }

    /// Returns the outcome of a call whose page the browser could not read better than the static read.
    async fn fallback_outcome(&self, task: &Task, static_outcome: StaticOutcome, fault: &VisitError) -> Outcome {
        let known = match static_outcome {
            StaticOutcome::Extraction(extraction) => Ok(extraction),
            StaticOutcome::Failure(failure) => Err(failure),
        };
        match known {
            known if fault.replaces(&known) => self.publisher.fail(task, fault.to_failure()).await,
            // A result without content, which its hint says.
            Ok(extraction) => self.publisher.cache_and_reply_proto(task, extraction).await,
            Err(failure) => Outcome::Failure(failure),
        }
    }

    /// Returns the page from the cache, or from a visit. A page with a screenshot is always visited. A new snapshot is
    /// confirmed when the call succeeds.
    async fn page(&self, task: &Task, is_fallback: bool) -> Result<(PageSnapshot, Option<Unconfirmed>), VisitError> {
        let name = format!("browser {}", task.target.as_str());
        let wants_screenshot = task.request.screenshot.is_some();
        let read_by = if is_fallback { ReadMethod::BrowserFallback } else { ReadMethod::Browser };
        if !task.job.fresh
            && !wants_screenshot
            && let Some((kept, unconfirmed)) = self.cached_page(task, &name).await?
        {
            return Ok((PageSnapshot { read_by, ..kept }, unconfirmed));
        }
        let VisitResult { snapshot, resources: known, screenshot } = self.visit(task).await?;
        let mut snapshot = PageSnapshot { read_by, ..snapshot };
        let unconfirmed = self.cache_page(name, &snapshot, known);
        if let Some(png) = screenshot {
            let kept = self.screenshots.put(png.into()).await;
            let name = kept.map_err(|cause| VisitError::Internal(format!("a screenshot was not kept: {cause}")))?;
            snapshot.screenshot = Some(format!("{}/{name}", self.screenshots_url));
        }
        Ok((snapshot, Some(unconfirmed)))
    }

    /// Visits the page once the fleet may read one more of its site.
    async fn visit(&self, task: &Task) -> Result<VisitResult, VisitError> {
        let request = self.visit_request(task);
        let (site, name) =
            (registrable_domain(task.target.url()).unwrap_or_default(), format!("{} browser", task.job.job_id));
        let (now, starts_by) = (tokio::time::Instant::now(), self.starts_by(task));
        if now > starts_by {
            return Err(VisitError::Waited);
        }
        let waits_until = if self.may_return_to_queue(task) { now + SITE_WAIT } else { starts_by };
        // The lease of a place is the time of the visit.
        let place = self.sites.acquire(&site, &name, waits_until, request.deadline).await;
        let _place = place.ok_or(VisitError::SiteBusy)?;
        let started = Instant::now();
        let visited = self.browsers.visit(&request).await;
        metrics::histogram!("limner_renderer_visit_duration_seconds").record(started.elapsed());
        if matches!(&visited, Err(VisitError::Page(cause)) if cause.is_overload()) {
            self.sites.throttle(&site).await;
        }
        visited
    }

    /// Returns the cached page, with the missing subresources of this operation; `None` if it has to be visited.
    async fn cached_page(
        &self,
        task: &Task,
        name: &str,
    ) -> Result<Option<(PageSnapshot, Option<Unconfirmed>)>, VisitError> {
        let Some(mut page) = self.snapshots.get(name).await else { return Ok(None) };
        let known = match self.browsers.complete(&mut page, &self.visit_request(task)).await {
            Ok(known) => known,
            // Another visit would find the same page.
            Err(fault @ VisitError::Page(PageError::TooCostly)) => return Err(fault),
            Err(_) => return Ok(None),
        };
        metrics::counter!("limner_renderer_snapshots_reused_total").increment(1);
        let unconfirmed = known.is_new.then(|| self.cache_page(name.to_owned(), &page, known.resources));
        Ok(Some((page, unconfirmed)))
    }

    /// Caches a page for the next operation on it, without delaying the caller.
    fn cache_page(&self, name: String, page: &PageSnapshot, known: BTreeMap<String, Resource>) -> Unconfirmed {
        // Missing subresources concern one operation, not the page.
        let degradation = page.degradation.filter(|degradation| *degradation != Degradation::MissingFiles);
        let kept = Arc::new(PageSnapshot { resources: known, degradation, ..page.clone() });
        self.snapshots.put_in_background(name, kept)
    }

    /// Returns the time by which the visit for a job must have begun.
    fn starts_by(&self, task: &Task) -> tokio::time::Instant {
        task.starts_by(visit_reserve(&task.job, self.start_reserve))
    }

    /// Returns true if a job has the time and the attempts to wait in the queue.
    fn may_return_to_queue(&self, task: &Task) -> bool {
        let retried_at = tokio::time::Instant::now() + SITE_BUSY_RETRY_DELAY + SITE_WAIT;
        !task.last_delivery && retried_at < self.starts_by(task)
    }

    fn visit_request(&self, task: &Task) -> VisitRequest {
        VisitRequest {
            target: task.target.clone(),
            operation: task.request.operation,
            screenshot: task.request.screenshot,
            deadline: task.deadline.checked_sub(EXTRACTION_RESERVE).unwrap_or(task.deadline),
        }
    }
}

/// Returns the time before a job's deadline by which its visit must have begun. A job that comes after a static read has
/// not waited during that read, so the queue's limit does not apply to it.
fn visit_reserve(job: &v1::Job, start_reserve: Duration) -> Duration {
    if job.fallback.is_some() { EXTRACTION_RESERVE } else { start_reserve.max(EXTRACTION_RESERVE) }
}

fn reply(job_id: String, outcome: Outcome, started: Instant) -> JobOutcome {
    let worker_ms = u32::try_from(started.elapsed().as_millis()).unwrap_or(u32::MAX);
    JobOutcome::Reply(v1::JobReply { job_id, outcome: Some(outcome), worker_ms, ..v1::JobReply::default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queue_limit_applies_to_jobs_that_were_not_read_statically_before() {
        let direct = v1::Job::default();
        let after_read = v1::Job { fallback: Some(v1::Fallback::default()), ..v1::Job::default() };
        let queue_limit = Duration::from_secs(25);
        assert_eq!(visit_reserve(&direct, queue_limit), queue_limit);
        assert_eq!(visit_reserve(&after_read, queue_limit), EXTRACTION_RESERVE);
        assert_eq!(visit_reserve(&direct, Duration::ZERO), EXTRACTION_RESERVE, "the extraction always has its time");
    }
}
