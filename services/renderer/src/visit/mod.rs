//! One visit: a page is opened, waited for, scrolled through, captured as a screenshot, read and closed.

mod capture;
mod network;
mod observer;
mod page_world;
mod screenshot;
mod setup;
mod side;

use crate::browser::{Browser, Browsers, Page};
use crate::cdp::Events;
use crate::config::{BrowserConfig, VisitLimits};
use crate::error::{VisitError, of_network_error};
use crate::proxy;
use chromiumoxide_cdp::cdp::browser_protocol::page::NavigateParams;
use limner_netguard::{Credentials, FIRST_ADDRESS, Pass};
use limner_page::{PageSnapshot, Resource, TargetUrl};
use limner_types::{Operation, Screenshot};
use limner_worker::PageError;
use limner_worker::side::Known;
use network::MainResponse;
use observer::{Life, Observer, Rules};
use page_world::PageWorld;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, sleep_until, timeout_at};
use uuid::Uuid;

/// Maximum delay of the event about a crashed process.
const NEWS: Duration = Duration::from_millis(300);
/// Attribute that marks elements whose stylesheet was changed through the CSSOM, while a page is read.
const MARK: &str = "data-limner-changed";
/// Time limit for a simple evaluation in a page. A page that exceeds it is busy.
const QUESTION: Duration = Duration::from_secs(2);
/// Polling interval for a page that does not say when it may become stable.
const POLL: Duration = Duration::from_millis(100);
/// Time limit for scrolling through a page, and maximum distance.
const SCROLL: Duration = Duration::from_secs(3);
const SCROLL_PIXELS: u32 = 40_000;
/// Time for which a stable page may stay empty.
const CONTENTS: Duration = Duration::from_secs(3);
/// Maximum time to wait for a page to become stable after it was scrolled through.
const SETTLE_AGAIN: Duration = Duration::from_secs(3);
/// Lifetime of a page's egress token beyond the visit.
const PASS_MARGIN: Duration = Duration::from_secs(15);
/// Maximum number of visits for one job: a browser that dies takes innocent pages with it.
const ATTEMPTS: u32 = 2;

/// A request for a visit.
#[derive(Debug, Clone)]
pub struct Wanted {
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
pub struct Visited {
    /// The page, with the subresources that the operation reads.
    pub snapshot: PageSnapshot,
    /// All known subresources of the page.
    pub known: BTreeMap<String, Resource>,
    /// The screenshot, as PNG.
    pub screenshot: Option<Vec<u8>>,
}

impl Browsers {
    /// Visits a page.
    ///
    /// # Errors
    /// See [`VisitError`].
    pub async fn visit(&self, wanted: &Wanted) -> Result<Visited, VisitError> {
        let deadline = wanted.deadline.min(Instant::now() + self.config.limits.visit);
        let mut attempt = 1;
        loop {
            let outcome = self.visit_once(wanted, deadline).await;
            let Err(fault) = &outcome else { return outcome };
            if !fault.is_worth_another_try() || attempt == ATTEMPTS {
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
    /// There is no browser, or it died.
    pub async fn complete(&self, snapshot: &mut PageSnapshot, wanted: &Wanted) -> Result<Known, VisitError> {
        let limits = &self.config.limits.side;
        if let Some(own) = limner_worker::side::completed(snapshot, wanted.operation, limits).await {
            let resources = std::mem::replace(snapshot, own).resources;
            return Ok(Known { resources, is_new: false });
        }
        let deadline = wanted.deadline.min(Instant::now() + self.config.limits.visit);
        let browser = self.browser(deadline).await.ok_or(VisitError::NoBrowser)?;
        let visit = Visit::begin(&self.config, &browser, false, deadline).await?;
        let completed = timeout_at(deadline, visit.complete_elsewhere(snapshot, wanted)).await;
        visit.end().await;
        completed.unwrap_or(Err(VisitError::OutOfTime("completing a page")))
    }

    async fn visit_once(&self, wanted: &Wanted, deadline: Instant) -> Result<Visited, VisitError> {
        let browser = self.browser(deadline).await.ok_or(VisitError::NoBrowser)?;
        let visit = Visit::begin(&self.config, &browser, wanted.screenshot.is_some(), deadline).await?;
        // The page is closed before the outcome is returned, whatever it is.
        let outcome = timeout_at(deadline, visit.run(wanted)).await;
        visit.end().await;
        outcome.unwrap_or(Err(VisitError::OutOfTime("over all")))
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
    fn still(&self) -> Duration {
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
        let life = deadline.saturating_duration_since(Instant::now()) + PASS_MARGIN;
        let pass = Pass::lasting(Uuid::new_v4().simple().to_string(), config.limits.allowance, life);
        let pass = config.passes.sign(&pass);
        let visit = Self {
            // Frames are only worth their cost for a screenshot.
            observer: observe(&page, events, &pass, photographed),
            config: Arc::clone(config),
            guard: format!("_{}", Uuid::new_v4().simple()),
            page,
            pass,
            deadline,
        };
        visit.prepare(photographed).await?;
        Ok(visit)
    }

    async fn run(&self, wanted: &Wanted) -> Result<Visited, VisitError> {
        self.open(&wanted.target).await?;
        let world = PageWorld::new(&self.page.session, &self.page.main_frame);
        self.wait_until_loaded().await?;
        self.settle(&world, self.limits().settle).await?;
        self.wait_for_contents(&world).await?;
        self.look_through(&world).await?;
        let screenshot = match wanted.screenshot {
            None => None,
            Some(extent) => Some(self.photograph(&world, extent).await?),
        };
        let mut snapshot = self.read(&world, &wanted.target).await?;
        let known = self.complete(&mut snapshot, wanted.operation).await;
        Ok(Visited { snapshot, known: known.resources, screenshot })
    }

    /// Loads subresources for a page that was read before, in an empty page.
    async fn complete_elsewhere(&self, snapshot: &mut PageSnapshot, wanted: &Wanted) -> Result<Known, VisitError> {
        // A resource loaded by itself is not challenged for the proxy's credentials: the first document must have sent
        // them.
        self.page.session.call(NavigateParams::new(FIRST_ADDRESS), self.left()).await?;
        Ok(self.complete(snapshot, wanted.operation).await)
    }

    async fn open(&self, target: &TargetUrl) -> Result<(), VisitError> {
        let navigated = self.page.session.call(NavigateParams::new(target.as_str()), self.left()).await?;
        if navigated.is_download.unwrap_or_default() {
            return Err(PageError::NotAPage("a file to download".to_owned()).into());
        }
        match navigated.error_text.filter(|text| !text.is_empty()) {
            None => Ok(()),
            Some(text) => {
                if matches!(text.as_str(), "net::ERR_ABORTED" | "net::ERR_FAILED") {
                    self.check_that_it_lives().await?;
                }
                Err(self.unreachable(&text).await)
            }
        }
    }

    /// A command that fails without a reason may fail because the page's process died: the event about that may arrive
    /// later.
    async fn check_that_it_lives(&self) -> Result<(), VisitError> {
        let died = self.observer.until(|life| matches!(life, Life::Crashed | Life::Gone));
        tokio::time::timeout(NEWS, died).await.map_or(Ok(()), |life| self.check_life(life))
    }

    /// Returns the reason why the document did not load. Only the proxy knows why a host cannot be reached.
    async fn unreachable(&self, text: &str) -> VisitError {
        let (url, status) = {
            let log = self.observer.log();
            (log.main_url().to_owned(), log.main_response().and_then(MainResponse::refusal))
        };
        // An error response without a body is a response too; the browser shows its own error page for it.
        if let Some(status) = status.filter(|_| text == "net::ERR_HTTP_RESPONSE_CODE_FAILURE") {
            return PageError::Status(status).into();
        }
        let Ok(url) = url::Url::parse(&url) else { return of_network_error(text) };
        let authority = format!("{}:{}", url.host_str().unwrap_or_default(), url.port_or_known_default().unwrap_or(80));
        let report = proxy::report(&self.config.proxy, &self.pass).await;
        match report.and_then(|mut report| report.failures.remove(&authority)) {
            Some(refusal) => VisitError::Unreachable { code: refusal.code, message: refusal.message },
            None => of_network_error(text),
        }
    }

    async fn wait_until_loaded(&self) -> Result<(), VisitError> {
        // A page whose load event does not fire is read as it is by then.
        let latest = self.reading_begins();
        let loaded = timeout_at(latest, self.observer.until(|life| life != Life::Loading)).await;
        self.check_life(loaded.unwrap_or(Life::Loading))
    }

    fn check_life(&self, life: Life) -> Result<(), VisitError> {
        match life {
            Life::Loading | Life::Loaded => Ok(()),
            Life::Crashed => Err(VisitError::Crashed),
            Life::Gone => Err(VisitError::BrowserGone("in the middle of a visit".to_owned())),
        }
    }

    /// Waits until neither network nor document has changed for a while and the fonts are loaded; at most for
    /// `longest`.
    async fn settle(&self, world: &PageWorld<'_>, longest: Duration) -> Result<(), VisitError> {
        let latest = (Instant::now() + longest).min(self.reading_begins());
        while Instant::now() < latest {
            self.check_life(self.observer.life())?;
            let Some(wait) = self.unsettled_for(world).await else { return Ok(()) };
            sleep_until(latest.min(Instant::now() + wait)).await;
        }
        metrics::counter!("limner_renderer_unsettled_pages_total").increment(1);
        self.check_life(self.observer.life())
    }

    /// Gives an empty page some more time: a timer may fill it.
    async fn wait_for_contents(&self, world: &PageWorld<'_>) -> Result<(), VisitError> {
        let latest = (Instant::now() + CONTENTS).min(self.reading_begins());
        // A page that does not respond is read as it is.
        let waits = async || world.ask::<bool>("limner.waits()", QUESTION).await.unwrap_or(false);
        let mut has_waited = false;
        while Instant::now() < latest && waits().await {
            self.check_life(self.observer.life())?;
            has_waited = true;
            sleep_until(latest.min(Instant::now() + POLL)).await;
        }
        if has_waited { self.settle(world, self.limits().settle).await } else { Ok(()) }
    }

    /// Returns the minimum time until the page can be stable; `None` if it is stable.
    async fn unsettled_for(&self, world: &PageWorld<'_>) -> Option<Duration> {
        let quiet = self.limits().quiet;
        let left_of = |calm: Duration| quiet.checked_sub(calm).filter(|left| !left.is_zero());
        // First, because it is free.
        let network = left_of(self.observer.log().quiet_for());
        if network.is_some() {
            return network;
        }
        match world.ask::<State>("limner.state()", QUESTION).await {
            Ok(state) if state.fonts => left_of(state.still()),
            // A page that does not respond is busy.
            Ok(_) | Err(_) => Some(POLL),
        }
    }

    /// Returns the time at which the page has to be read in any case.
    fn reading_begins(&self) -> Instant {
        self.deadline.checked_sub(self.limits().reading).unwrap_or(self.deadline)
    }

    /// Scrolls through the page once, so that lazy content is loaded.
    async fn look_through(&self, world: &PageWorld<'_>) -> Result<(), VisitError> {
        let time = SCROLL.min(self.reading_begins().saturating_duration_since(Instant::now()));
        if time.is_zero() {
            return Ok(());
        }
        let scroll = format!("limner.scroll({}, {SCROLL_PIXELS})", time.as_millis());
        // A page that cannot be scrolled is still read.
        let _ = world.ask::<Option<bool>>(&scroll, time + POLL).await;
        self.settle(world, SETTLE_AGAIN).await
    }

    fn limits(&self) -> &VisitLimits {
        &self.config.limits
    }

    fn left(&self) -> Duration {
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

fn observe(page: &Page, events: Events, pass: &Credentials, frames: bool) -> Observer {
    let rules = Rules { main_frame: page.main_frame.clone(), credentials: pass.clone(), frames };
    Observer::start(page.session.clone(), events, rules)
}
