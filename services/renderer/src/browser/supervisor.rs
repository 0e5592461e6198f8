//! Keeps one browser running: restarts it when it dies, and replaces it before it becomes too old or too large.

use super::Browser;
use crate::config::BrowserConfig;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, timeout_at};

/// Interval at which a browser is checked.
const CHECK_INTERVAL: Duration = Duration::from_secs(5);
/// Delays between attempts to start a browser.
const FIRST_DELAY: Duration = Duration::from_millis(250);
const MAX_DELAY: Duration = Duration::from_secs(15);

/// The current browser and its predecessors. A replaced browser ends with its last page. Dropping this ends all of
/// them.
pub struct BrowserPool {
    pub(crate) config: Arc<BrowserConfig>,
    current: watch::Receiver<Option<Arc<Browser>>>,
    ready: watch::Receiver<bool>,
    keeper: JoinHandle<()>,
}

impl BrowserPool {
    /// Starts a browser in the background.
    pub fn start(config: BrowserConfig) -> Self {
        let config = Arc::new(config);
        let (slot, current) = watch::channel(None);
        let (says_ready, ready) = watch::channel(false);
        let keeper = BrowserSupervisor { config: Arc::clone(&config), slot, says_ready };
        Self { config, current, ready, keeper: tokio::spawn(keeper.run()) }
    }

    /// Returns true if there is a browser now.
    pub fn is_ready(&self) -> bool {
        *self.ready.borrow()
    }

    /// Returns a receiver of the readiness of the browser.
    pub fn readiness(&self) -> watch::Receiver<bool> {
        self.ready.clone()
    }

    /// Returns the number of contexts in the current browser: one per open page.
    pub async fn open_pages(&self) -> Option<usize> {
        let browser = self.current.borrow().clone()?;
        browser.open_contexts().await
    }

    /// Returns the current browser, or the next one if it starts before the deadline.
    pub(crate) async fn browser(&self, deadline: Instant) -> Option<Arc<Browser>> {
        let mut current = self.current.clone();
        let found = timeout_at(deadline, current.wait_for(Option::is_some)).await.ok()?.ok()?;
        found.clone()
    }
}

impl Drop for BrowserPool {
    fn drop(&mut self) {
        self.keeper.abort();
    }
}

struct BrowserSupervisor {
    config: Arc<BrowserConfig>,
    slot: watch::Sender<Option<Arc<Browser>>>,
    says_ready: watch::Sender<bool>,
}

impl BrowserSupervisor {
    async fn run(self) {
        let mut pause = FIRST_DELAY;
        loop {
            match Browser::launch(&self.config).await {
                Ok(browser) => {
                    pause = FIRST_DELAY;
                    self.supervise(browser).await;
                    metrics::counter!("limner_renderer_browser_ends_total", "why" => "crash").increment(1);
                    tracing::warn!("browser exited; starting another");
                }
                Err(cause) => {
                    metrics::counter!("limner_renderer_failed_starts_total").increment(1);
                    tracing::error!(error = %cause, "cannot start a browser");
                    sleep(pause).await;
                    pause = (pause * 2).min(MAX_DELAY);
                }
            }
        }
    }

    /// Provides the browser, and its replacements, until one of them exits.
    async fn supervise(&self, mut browser: Arc<Browser>) {
        self.publish_browser(Some(&browser));
        loop {
            tokio::select! {
                () = browser.connection.closed() => break,
                () = sleep(CHECK_INTERVAL) => {}
            }
            if let Some(open) = browser.open_contexts().await {
                metrics::gauge!("limner_renderer_open_pages").set(open as f64);
            }
            let looked_at = Arc::clone(&browser);
            let config = Arc::clone(&self.config);
            // Reading `/proc` blocks.
            let due = tokio::task::spawn_blocking(move || looked_at.recycle_reason(&config)).await.unwrap_or(None);
            let Some(why) = due else { continue };
            match Browser::launch(&self.config).await {
                Ok(next) => {
                    tracing::info!(browser.reason = why, "replacing the browser");
                    metrics::counter!("limner_renderer_browser_ends_total", "why" => why).increment(1);
                    self.publish_browser(Some(&next));
                    // The old one ends with its last page, if it still responds.
                    tokio::spawn(end_if_hung(std::mem::replace(&mut browser, next)));
                }
                Err(cause) => {
                    tracing::error!(error = %cause, browser.reason = why, "cannot replace the browser; keeping it")
                }
            }
        }
        self.publish_browser(None);
    }

    fn publish_browser(&self, browser: Option<&Arc<Browser>>) {
        metrics::gauge!("limner_renderer_browser_up").set(if browser.is_some() { 1.0 } else { 0.0 });
        self.slot.send_replace(browser.map(Arc::clone));
        self.says_ready.send_replace(browser.is_some());
    }
}

/// Ends a browser that does not respond, so that its pages stop waiting and are visited again in another one.
async fn end_if_hung(browser: Arc<Browser>) {
    if browser.open_contexts().await.is_some() || browser.connection.is_gone() {
        return;
    }
    tracing::warn!("browser does not respond; ending it");
    metrics::counter!("limner_renderer_browser_ends_total", "why" => "hung").increment(1);
    browser.end().await;
}
