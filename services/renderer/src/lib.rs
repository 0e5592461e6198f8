//! The renderer role: reads pages in a real browser and answers jobs with the extractor's results.
//!
//! [`BrowserPool`] keeps one browser process running. Each visit has its own context in it and its own egress token, and
//! its page is closed whatever the outcome. A visit returns the same kind of snapshot as a static read: the final
//! document, every stylesheet with its conditions, the network log. The renderer does not judge addresses (the proxy
//! does), has no access to accounts, and trusts no data of a page.

mod admission;
mod browser;
mod cdp;
mod config;
mod error;
mod proxy;
mod visit;
mod worker;

pub use browser::{BrowserPool, LaunchError};
pub use config::{BrowserConfig, Config, Recycle, VisitLimits};
pub use error::VisitError;
pub use visit::{VisitRequest, VisitResult};

use admission::{AdmissionLimit, Capacity};
use limner_bus::{Bus, BusError, Stage, WorkerOptions};
use limner_cache::Cache;
use limner_extractor_client::{ExtractorPool, InvalidEndpoint};
use limner_page_worker::{ResultPublisher, SitePlaces, Snapshots};
use limner_screenshot_store::ScreenshotStore;
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;
use worker::Worker;

/// A failure to start or run the role.
#[derive(Debug, thiserror::Error)]
pub enum RendererError {
    /// An extractor's URL is invalid.
    #[error(transparent)]
    Extractor(#[from] InvalidEndpoint),
    /// The bus failed permanently.
    #[error(transparent)]
    Bus(#[from] BusError),
}

/// The role, ready to run. It has no listener: it pulls jobs.
pub struct Renderer {
    bus: Bus,
    worker: Arc<Worker>,
    concurrency: usize,
    admission: AdmissionLimit,
}

impl Renderer {
    /// Creates the role, and starts a browser in the background.
    ///
    /// # Errors
    /// An extractor's URL is invalid.
    pub fn bind(config: Config, bus: Bus, cache: Cache, screenshots: ScreenshotStore) -> Result<Self, RendererError> {
        let extractors = ExtractorPool::new(&config.extractors)?;
        let browsers = BrowserPool::start(config.browser);
        let places = config.concurrency.max(1);
        let room = Capacity { max_pages: places, processors: config.processors, spare_memory: config.spare_memory };
        let admission = AdmissionLimit::start(browsers.readiness(), room);
        let worker = Worker {
            browsers,
            sites: SitePlaces::new(cache.clone(), config.per_site),
            snapshots: Snapshots(cache.clone()),
            publisher: ResultPublisher { extractors, cache },
            screenshots,
            screenshots_url: config.screenshots_url,
            start_reserve: config.start_reserve,
        };
        Ok(Self { bus, worker: Arc::new(worker), concurrency: places, admission })
    }

    /// Waits until there is a browser, at most for `timeout`. Returns true if there is one.
    pub async fn wait_for_browser(&self, timeout: Duration) -> bool {
        let mut ready = self.worker.browsers.readiness();
        tokio::time::timeout(timeout, ready.wait_for(|ready| *ready)).await.is_ok_and(|found| found.is_ok())
    }

    /// Returns a receiver of the readiness of the browser.
    pub fn readiness(&self) -> tokio::sync::watch::Receiver<bool> {
        self.worker.browsers.readiness()
    }

    /// Works until `shutdown`, then finishes the jobs in progress.
    ///
    /// # Errors
    /// The connection to NATS is closed permanently; a lost connection is re-established.
    pub async fn run(self, shutdown: CancellationToken) -> Result<(), RendererError> {
        let options = WorkerOptions { concurrency: self.concurrency, exhausted: VisitError::NoBrowser.to_failure() };
        let name = Uuid::new_v4().simple().to_string();
        let worker = Arc::clone(&self.worker);
        let handler = move |context| {
            let worker = Arc::clone(&worker);
            async move { worker.handle(context).await }
        };
        let most = self.admission.limit();
        let working = self.bus.run_limited_worker(Stage::Render, options, most, handler, shutdown.clone());
        // Jobs in progress are finished, but this renderer is not advertised any more.
        let presenting = self.bus.advertise_renderer(&name, self.worker.browsers.readiness(), shutdown);
        let (worked, presented) = tokio::join!(working, presenting);
        Ok(worked.and(presented)?)
    }
}
