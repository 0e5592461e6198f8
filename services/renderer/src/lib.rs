//! The renderer role: reads pages in a real browser and answers jobs with what the extractor makes of them.
//!
//! [`Browsers`] keeps one browser process running; each visit has a context of its own in it, a pass of its own for the
//! egress proxy, and is closed whatever becomes of it. A visit ends as the same kind of snapshot as a static read: the
//! document as it stands, every style sheet with its conditions, what the network saw. Nothing here judges an address
//! (the proxy does), knows accounts, or trusts a word of a page.

mod admission;
mod browser;
mod cdp;
mod config;
mod error;
mod proxy;
mod visit;
mod worker;

pub use browser::{Browsers, LaunchError};
pub use config::{BrowserConfig, Config, Recycle, VisitLimits};
pub use error::VisitError;
pub use visit::{Visited, Wanted};

use admission::{Admission, Room};
use limner_bus::{Bus, BusError, Stage, WorkerOptions};
use limner_cache::Cache;
use limner_extractors::{Extractors, InvalidExtractor};
use limner_objects::Screenshots;
use limner_worker::{Answers, Snapshots};
use std::sync::Arc;
use std::time::{Duration, SystemTime};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;
use worker::Worker;

/// What keeps the role from standing or ends it.
#[derive(Debug, thiserror::Error)]
pub enum RendererError {
    /// An extractor's address is none.
    #[error(transparent)]
    Extractor(#[from] InvalidExtractor),
    /// The bus failed for good.
    #[error(transparent)]
    Bus(#[from] BusError),
}

/// The role, ready to work. It listens on nothing: jobs are pulled.
pub struct Renderer {
    bus: Bus,
    worker: Arc<Worker>,
    concurrency: usize,
    admission: Admission,
}

/// How often screenshots that are over are removed.
const SWEEP_EVERY: Duration = Duration::from_secs(3_600);

impl Renderer {
    /// Puts the role together, and starts a browser in the background.
    ///
    /// # Errors
    /// An extractor's address is none.
    pub fn bind(config: Config, bus: Bus, cache: Cache, screenshots: Screenshots) -> Result<Self, RendererError> {
        let extractors = Extractors::new(&config.extractors)?;
        let browsers = Browsers::start(config.browser);
        let places = config.concurrency.max(1);
        let room = Room { places, processors: config.processors, spare_memory: config.spare_memory };
        let admission = Admission::start(browsers.readiness(), room);
        let worker = Worker {
            browsers,
            snapshots: Snapshots(cache.clone()),
            answers: Answers { extractors, cache },
            screenshots,
            screenshots_url: config.screenshots_url,
        };
        Ok(Self { bus, worker: Arc::new(worker), concurrency: places, admission })
    }

    /// Waits until there is a browser, at most for `patience`. Says whether there is one.
    pub async fn wait_for_browser(&self, patience: Duration) -> bool {
        let mut ready = self.worker.browsers.readiness();
        tokio::time::timeout(patience, ready.wait_for(|ready| *ready)).await.is_ok_and(|found| found.is_ok())
    }

    /// Whether there is a browser, now and from now on.
    pub fn readiness(&self) -> tokio::sync::watch::Receiver<bool> {
        self.worker.browsers.readiness()
    }

    /// Works until `shutdown`, then finishes the jobs in hand.
    ///
    /// # Errors
    /// The connection to NATS is closed for good; a lost one is waited for.
    pub async fn run(self, shutdown: CancellationToken) -> Result<(), RendererError> {
        let options = WorkerOptions { concurrency: self.concurrency, exhausted: VisitError::NoBrowser.to_failure() };
        let name = Uuid::new_v4().simple().to_string();
        let sweeping = tokio::spawn(sweep(self.worker.screenshots.clone()));
        let worker = Arc::clone(&self.worker);
        let handler = move |context| {
            let worker = Arc::clone(&worker);
            async move { worker.handle(context).await }
        };
        let most = self.admission.most();
        let working = self.bus.run_limited_worker(Stage::Render, options, most, handler, shutdown.clone());
        // Jobs in hand are finished; nobody is sent here any more.
        let presenting = self.bus.present_renderer(&name, self.worker.browsers.readiness(), shutdown);
        let (worked, presented) = tokio::join!(working, presenting);
        sweeping.abort();
        Ok(worked.and(presented)?)
    }
}

async fn sweep(screenshots: Screenshots) {
    let mut ticks = tokio::time::interval(SWEEP_EVERY);
    loop {
        ticks.tick().await;
        if let Err(cause) = screenshots.sweep(SystemTime::now()).await {
            tracing::warn!(error = %cause, "screenshots that are over could not be removed");
        }
    }
}
