//! One visit: a page opened, let settle, looked through, photographed, read and closed.

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

/// How much later the news of a dead process may come.
const NEWS: Duration = Duration::from_millis(300);
/// What marks elements whose style sheet was changed through the CSSOM, while a page is read.
const MARK: &str = "data-limner-changed";
/// How long simple questions to a page may take. One that does not answer is busy.
const QUESTION: Duration = Duration::from_secs(2);
/// How often a page is asked that does not say when it may stand still.
const POLL: Duration = Duration::from_millis(100);
/// How long a page may take to be scrolled through, and how far.
const SCROLL: Duration = Duration::from_secs(3);
const SCROLL_PIXELS: u32 = 40_000;
/// How long a page may show nothing once it is settled.
const CONTENTS: Duration = Duration::from_secs(3);
/// How long a page may go on changing after it was scrolled through.
const SETTLE_AGAIN: Duration = Duration::from_secs(3);
/// How much longer than the visit a page's pass lasts.
const PASS_MARGIN: Duration = Duration::from_secs(15);
/// Visits that may be begun for one answer: a browser that dies takes pages along that did nothing wrong.
const ATTEMPTS: u32 = 2;

/// What is wanted of a visit.
#[derive(Debug, Clone)]
pub struct Wanted {
    /// The page.
    pub target: TargetUrl,
    /// The operation whose side resources are wanted as well.
    pub operation: Operation,
    /// How much of the page is to be photographed.
    pub screenshot: Option<Screenshot>,
    /// When to give up.
    pub deadline: Instant,
}

/// What came of a visit.
#[derive(Debug)]
pub struct Visited {
    /// The page, with the files that the operation reads.
    pub snapshot: PageSnapshot,
    /// All files that are known of the page.
    pub known: BTreeMap<String, Resource>,
    /// The photograph, as PNG.
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
            tracing::warn!(error = %fault, "a visit is begun anew");
            attempt += 1;
        }
    }

    /// Adds to a page that was read before what `wanted` needs beyond it, and gives back all files known of it by then.
    /// Opens a page for that only when it has to.
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
        // Whatever becomes of the visit, its page is closed before the outcome is told.
        let outcome = timeout_at(deadline, visit.run(wanted)).await;
        visit.end().await;
        outcome.unwrap_or(Err(VisitError::OutOfTime("over all")))
    }
}

/// A visit under way.
struct Visit {
    config: Arc<BrowserConfig>,
    page: Page,
    observer: Observer,
    pass: Credentials,
    /// The name under which the guard script answers; no page can know it.
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
            // Frames are only worth their cost when somebody looks at the page.
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

    /// Loads for a page that was read before; this one is empty.
    async fn complete_elsewhere(&self, snapshot: &mut PageSnapshot, wanted: &Wanted) -> Result<Known, VisitError> {
        // What is loaded on its own is not asked for a pass: the first document must have shown it.
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

    /// What is broken off for no reason of its own may be so because its process died: the news of that may come later.
    async fn check_that_it_lives(&self) -> Result<(), VisitError> {
        let died = self.observer.until(|life| matches!(life, Life::Crashed | Life::Gone));
        tokio::time::timeout(NEWS, died).await.map_or(Ok(()), |life| self.check_life(life))
    }

    /// Why the document did not come. Only the proxy knows why a host can't be reached.
    async fn unreachable(&self, text: &str) -> VisitError {
        let (url, status) = {
            let log = self.observer.log();
            (log.main_url().to_owned(), log.main_response().and_then(MainResponse::refusal))
        };
        // A refusal without a word is an answer all the same; the browser has a page of its own for it.
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
        // A page whose load event does not come is read as it is by then.
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

    /// Waits until neither network nor document has changed for a while and the fonts are there; at most for `longest`.
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

    /// Gives a page that shows nothing some more time: a timer that nobody sees may fill it.
    async fn wait_for_contents(&self, world: &PageWorld<'_>) -> Result<(), VisitError> {
        let latest = (Instant::now() + CONTENTS).min(self.reading_begins());
        // A page that does not answer is read as it is.
        let waits = async || world.ask::<bool>("limner.waits()", QUESTION).await.unwrap_or(false);
        let mut has_waited = false;
        while Instant::now() < latest && waits().await {
            self.check_life(self.observer.life())?;
            has_waited = true;
            sleep_until(latest.min(Instant::now() + POLL)).await;
        }
        if has_waited { self.settle(world, self.limits().settle).await } else { Ok(()) }
    }

    /// For how long the page can't be settled yet, whatever happens meanwhile; `None`: it is.
    async fn unsettled_for(&self, world: &PageWorld<'_>) -> Option<Duration> {
        let quiet = self.limits().quiet;
        let left_of = |calm: Duration| quiet.checked_sub(calm).filter(|left| !left.is_zero());
        // First, since it costs nothing to know.
        let network = left_of(self.observer.log().quiet_for());
        if network.is_some() {
            return network;
        }
        match world.ask::<State>("limner.state()", QUESTION).await {
            Ok(state) if state.fonts => left_of(state.still()),
            // A page that does not answer is busy with itself.
            Ok(_) | Err(_) => Some(POLL),
        }
    }

    /// When the page has to be read, whatever it does.
    fn reading_begins(&self) -> Instant {
        self.deadline.checked_sub(self.limits().reading).unwrap_or(self.deadline)
    }

    /// Scrolls through the page once, so that what is loaded when it is seen gets loaded.
    async fn look_through(&self, world: &PageWorld<'_>) -> Result<(), VisitError> {
        let time = SCROLL.min(self.reading_begins().saturating_duration_since(Instant::now()));
        if time.is_zero() {
            return Ok(());
        }
        let scroll = format!("limner.scroll({}, {SCROLL_PIXELS})", time.as_millis());
        // A page that can't be scrolled is read all the same.
        let _ = world.ask::<Option<bool>>(&scroll, time + POLL).await;
        self.settle(world, SETTLE_AGAIN).await
    }

    fn limits(&self) -> &VisitLimits {
        &self.config.limits
    }

    fn left(&self) -> Duration {
        self.deadline.saturating_duration_since(Instant::now())
    }

    /// Closes the page, and what it may still have open on the network.
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
