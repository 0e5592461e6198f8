//! One visit: a page is opened, waited for, scrolled through, captured as a screenshot, read and closed.

mod capture;
mod isolated_world;
mod network;
mod observer;
mod screenshot;
mod scrolling;
mod setup;
mod subresources;

use crate::browser::{Browser, BrowserPool, Page};
use crate::cdp::Events;
use crate::config::{BrowserConfig, VisitLimits};
use crate::error::{VisitError, from_network_error};
use crate::proxy;
use chromiumoxide_cdp::cdp::browser_protocol::page::NavigateParams;
use isolated_world::PageWorld;
use limner_netguard::{ACTIVATION_URL, Credentials, EgressToken};
use limner_page::{PageSnapshot, Resource, TargetUrl};
use limner_page_worker::PageError;
use limner_page_worker::subresources::KnownSubresources;
use limner_types::{Operation, Screenshot};
use network::MainResponse;
use observer::{InterceptRules, Observer, PageState};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, sleep_until, timeout_at};
use uuid::Uuid;

/// Maximum delay of the event about a crashed process.
const CRASH_EVENT_DELAY: Duration = Duration::from_millis(300);
/// Attribute that marks elements whose stylesheet was changed through the CSSOM, while a page is read.
const CHANGED_ATTRIBUTE: &str = "data-limner-changed";
/// Time limit for a simple evaluation in a page. A page that exceeds it is busy.
const EVALUATION_TIMEOUT: Duration = Duration::from_secs(2);
/// Polling interval for a page that does not say when it may become stable.
const POLL: Duration = Duration::from_millis(100);
/// Time for which a stable page may stay empty.
const CONTENTS: Duration = Duration::from_secs(3);
/// Lifetime of a page's egress token beyond the visit.
const EGRESS_TOKEN_MARGIN: Duration = Duration::from_secs(15);
/// Maximum number of visits for one job: a browser that dies takes innocent pages with it.
const ATTEMPTS: u32 = 2;

/// A request for a visit.
#[derive(Debug, Clone)]
pub struct VisitRequest {
    /// The page.
    pub target: TargetUrl,
    /// The operation whose subresources are needed as well.
    pub operation: Operation,
    /// The extent of the screenshot, if any.
    pub screenshot: Option<Screenshot>,
    /// Deadline of the visit.
    pub deadline: Instant,
}

/// The result of a visit.
#[derive(Debug)]
pub struct VisitResult {
    /// The page, with the subresources that the operation reads.
    pub snapshot: PageSnapshot,
    /// All known subresources of the page.
    pub resources: BTreeMap<String, Resource>,
    /// The screenshot, as PNG.
    pub screenshot: Option<Vec<u8>>,
}

impl BrowserPool {
    /// Visits a page.
    ///
    /// # Errors
    /// See [`VisitError`].
    pub async fn visit(&self, wanted: &VisitRequest) -> Result<VisitResult, VisitError> {
        let deadline = wanted.deadline.min(Instant::now() + self.config.limits.visit);
        let mut attempt = 1;
        loop {
            let outcome = self.try_visit(wanted, deadline).await;
            let Err(fault) = &outcome else { return outcome };
            if !fault.is_retryable() || attempt == ATTEMPTS {
                return outcome;
            }
            tracing::warn!(error = %fault, "restarting a visit");
            attempt += 1;
        }
    }

    /// Adds the missing subresources for `wanted` to a page that was read before, and returns all its known
    /// subresources. Opens a page only if needed.
    ///
    /// # Errors
    /// There is no browser, or it died; or listing the files takes too much work.
    pub async fn complete(
        &self,
        snapshot: &mut PageSnapshot,
        wanted: &VisitRequest,
    ) -> Result<KnownSubresources, VisitError> {
        let limits = &self.config.limits.subresources;
        let deadline = wanted.deadline.min(Instant::now() + self.config.limits.visit);
        let own = limner_page_worker::subresources::completed(snapshot, wanted.operation, limits, deadline).await?;
        if let Some(own) = own {
            let resources = std::mem::replace(snapshot, own).resources;
            return Ok(KnownSubresources { resources, is_new: false, lacks_some: false });
        }
        let browser = self.browser(deadline).await.ok_or(VisitError::NoBrowser)?;
        let visit = Visit::begin(&self.config, &browser, false, deadline).await?;
        let completed = timeout_at(deadline, visit.load_subresources_for(snapshot, wanted)).await;
        visit.end().await;
        completed.unwrap_or(Err(VisitError::OutOfTime("completing a page")))
    }

    async fn try_visit(&self, wanted: &VisitRequest, deadline: Instant) -> Result<VisitResult, VisitError> {
        let browser = self.browser(deadline).await.ok_or(VisitError::NoBrowser)?;
        let begun = Visit::begin(&self.config, &browser, wanted.screenshot.is_some(), deadline).await;
        // The target was not asked yet.
        let visit = begun.map_err(VisitError::into_own_delay)?;
        let has_its_time = Instant::now() + self.config.limits.visit <= deadline + self.config.limits.opening;
        // The page is closed before the outcome is returned, whatever it is.
        let outcome = timeout_at(deadline, visit.perform(wanted)).await;
        let outcome = match outcome.unwrap_or(Err(VisitError::OutOfTime("over all"))) {
            // A command fails for no reason of its own when the page's process dies: that is not to be repeated.
            Err(fault) if fault.is_retryable() => visit.check_alive().await.and(Err(fault)),
            outcome => outcome,
        };
        visit.end().await;
        if has_its_time { outcome } else { outcome.map_err(VisitError::into_own_delay) }
    }
}

/// A visit in progress.
struct Visit {
    config: Arc<BrowserConfig>,
    page: Page,
    observer: Observer,
    pass: Credentials,
    /// Name of the guard script's answer function; unguessable for pages.
    guard: String,
    deadline: Instant,
}

#[derive(Deserialize)]
struct State {
    /// Milliseconds without a change.
    still: f64,
    fonts: bool,
}

impl State {
    fn stable_for(&self) -> Duration {
        Duration::try_from_secs_f64(self.still / 1_000.0).unwrap_or_default()
    }
}

impl Visit {
    async fn begin(
        config: &Arc<BrowserConfig>,
        browser: &Arc<Browser>,
        photographed: bool,
        deadline: Instant,
    ) -> Result<Self, VisitError> {
        let (page, events) = browser.open_page().await?;
        let life = deadline.saturating_duration_since(Instant::now()) + EGRESS_TOKEN_MARGIN;
        let pass = EgressToken::lasting(Uuid::new_v4().simple().to_string(), config.limits.allowance, life);
        let pass = config.token_key.sign(&pass);
        let visit = Self {
            // Frames are only worth their cost for a screenshot.
            observer: observe(&page, events, &pass, photographed, &config.limits),
            config: Arc::clone(config),
            guard: format!("_{}", Uuid::new_v4().simple()),
            page,
            pass,
            deadline,
        };
        visit.prepare(photographed).await?;
        Ok(visit)
    }

    async fn perform(&self, wanted: &VisitRequest) -> Result<VisitResult, VisitError> {
        self.open(&wanted.target).await?;
        let world = PageWorld::new(&self.page.session, &self.page.main_frame);
        self.wait_until_loaded().await?;
        self.wait_until_stable(&world, self.limits().stable_within).await?;
        self.wait_for_content(&world).await?;
        self.scroll_through(&world, wanted.screenshot.is_some()).await?;
        let screenshot = match wanted.screenshot {
            None => None,
            Some(extent) => Some(self.capture_screenshot(&world, extent).await?),
        };
        let mut snapshot = self.read_page(&world, &wanted.target).await?;
        let known = self.complete(&mut snapshot, wanted.operation).await?;
        snapshot.screenshot_cut = screenshot.as_ref().is_some_and(|captured| captured.is_cut);
        let screenshot = screenshot.map(|captured| captured.png);
        Ok(VisitResult { snapshot, resources: known.resources, screenshot })
    }

    /// Loads subresources for a page that was read before, in an empty page.
    async fn load_subresources_for(
        &self,
        snapshot: &mut PageSnapshot,
        wanted: &VisitRequest,
    ) -> Result<KnownSubresources, VisitError> {
        // A resource loaded by itself is not challenged for the proxy's credentials: the first document must have sent
        // them.
        self.page.session.call(NavigateParams::new(ACTIVATION_URL), self.remaining()).await?;
        Ok(self.complete(snapshot, wanted.operation).await?)
    }

    async fn open(&self, target: &TargetUrl) -> Result<(), VisitError> {
        let navigated = self.page.session.call(NavigateParams::new(target.as_str()), self.remaining()).await?;
        if navigated.is_download.unwrap_or_default() {
            return Err(PageError::NotHtml("a file to download".to_owned()).into());
        }
        match navigated.error_text.filter(|text| !text.is_empty()) {
            None => Ok(()),
            Some(text) => {
                if matches!(text.as_str(), "net::ERR_ABORTED" | "net::ERR_FAILED") {
                    self.check_alive().await?;
                }
                Err(self.unreachable(&text).await)
            }
        }
    }

    /// A command that fails without a reason may fail because the page's process died: the event about that may arrive
    /// later.
    async fn check_alive(&self) -> Result<(), VisitError> {
        let died = self.observer.wait_for_state(PageState::is_end);
        tokio::time::timeout(CRASH_EVENT_DELAY, died).await.map_or(Ok(()), |life| self.check_life(life))
    }

    /// Returns the reason why the document did not load. Only the proxy knows why a host cannot be reached.
    async fn unreachable(&self, text: &str) -> VisitError {
        let (url, status) = {
            let log = self.observer.log();
            (log.main_url().to_owned(), log.main_response().and_then(MainResponse::error_status))
        };
        // An error response without a body is a response too; the browser shows its own error page for it.
        if let Some(status) = status.filter(|_| text == "net::ERR_HTTP_RESPONSE_CODE_FAILURE") {
            return PageError::Status(status).into();
        }
        let Ok(url) = url::Url::parse(&url) else { return from_network_error(text) };
        let authority = format!("{}:{}", url.host_str().unwrap_or_default(), url.port_or_known_default().unwrap_or(80));
        let report = proxy::report(&self.config.proxy, &self.pass).await;
        match report.and_then(|mut report| report.failures.remove(&authority)) {
            Some(refusal) => VisitError::Unreachable { code: refusal.code, message: refusal.message },
            None => from_network_error(text),
        }
    }

    async fn wait_until_loaded(&self) -> Result<(), VisitError> {
        // A page whose load event does not fire is read as it is by then.
        let latest = self.read_deadline();
        let loaded = timeout_at(latest, self.observer.wait_for_state(|life| life != PageState::Loading)).await;
        self.check_life(loaded.unwrap_or(PageState::Loading))
    }

    fn check_life(&self, life: PageState) -> Result<(), VisitError> {
        match life {
            PageState::Loading | PageState::Loaded => Ok(()),
            PageState::TooLarge => Err(PageError::TooLarge(self.limits().html_bytes).into()),
            PageState::Crashed => Err(VisitError::Crashed),
            PageState::Disconnected => Err(VisitError::BrowserGone("in the middle of a visit".to_owned())),
        }
    }

    /// Waits until neither network nor document has changed for a while and the fonts are loaded; at most for
    /// `longest`.
    async fn wait_until_stable(&self, world: &PageWorld<'_>, longest: Duration) -> Result<(), VisitError> {
        let latest = (Instant::now() + longest).min(self.read_deadline());
        while Instant::now() < latest {
            self.check_life(self.observer.state())?;
            let Some(wait) = self.unstable_for(world).await else { return Ok(()) };
            sleep_until(latest.min(Instant::now() + wait)).await;
        }
        metrics::counter!("limner_renderer_unsettled_pages_total").increment(1);
        self.check_life(self.observer.state())
    }

    /// Gives an empty page some more time: a timer may fill it.
    async fn wait_for_content(&self, world: &PageWorld<'_>) -> Result<(), VisitError> {
        let latest = (Instant::now() + CONTENTS).min(self.read_deadline());
        // A page that does not respond is read as it is.
        let waits = async || world.ask::<bool>("limner.waits()", EVALUATION_TIMEOUT).await.unwrap_or(false);
        let mut has_waited = false;
        while Instant::now() < latest && waits().await {
            self.check_life(self.observer.state())?;
            has_waited = true;
            sleep_until(latest.min(Instant::now() + POLL)).await;
        }
        if !has_waited {
            return Ok(());
        }
        metrics::counter!("limner_renderer_content_waits_total").increment(1);
        self.wait_until_stable(world, self.limits().stable_within).await
    }

    /// Returns the minimum time until the page can be stable; `None` if it is stable.
    async fn unstable_for(&self, world: &PageWorld<'_>) -> Option<Duration> {
        let quiet = self.limits().quiet;
        let left_of = |calm: Duration| quiet.checked_sub(calm).filter(|left| !left.is_zero());
        // First, because it is free.
        let network = left_of(self.observer.log().idle_time());
        if network.is_some() {
            return network;
        }
        match world.ask::<State>("limner.state()", EVALUATION_TIMEOUT).await {
            Ok(state) if state.fonts => left_of(state.stable_for()),
            // A page that does not respond is busy.
            Ok(_) | Err(_) => Some(POLL),
        }
    }

    /// Returns the time at which the page has to be read in any case.
    fn read_deadline(&self) -> Instant {
        self.deadline.checked_sub(self.limits().reading).unwrap_or(self.deadline)
    }

    fn limits(&self) -> &VisitLimits {
        &self.config.limits
    }

    fn remaining(&self) -> Duration {
        self.deadline.saturating_duration_since(Instant::now())
    }

    /// Closes the page and its open network connections.
    async fn end(self) {
        let closed = proxy::close(&self.config.proxy, &self.pass);
        let (report, ()) = tokio::join!(closed, self.page.close());
        if let Some(report) = report {
            metrics::histogram!("limner_renderer_page_network_bytes").record(report.bytes as f64);
        }
    }
}

fn observe(page: &Page, events: Events, pass: &Credentials, frames: bool, limits: &VisitLimits) -> Observer {
    let (main_frame, credentials) = (page.main_frame.clone(), pass.clone());
    let (max_events, max_document_bytes) = (limits.events, limits.html_bytes);
    let rules = InterceptRules { main_frame, credentials, frames, max_events, max_document_bytes };
    Observer::start(page.session.clone(), events, rules)
}
