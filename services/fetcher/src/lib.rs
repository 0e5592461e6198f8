//! The fetcher role: reads pages without a browser and answers jobs with the extractor's results.
//!
//! [`Reader`] turns a URL into a snapshot; `limner extract` also uses it in process. All outgoing connections go
//! through `netguard`. The role keeps no cookies, runs no scripts and has no access to billing.

mod config;
mod error;
mod host_limiter;
mod reader;
mod single_flight;
mod worker;

pub use config::Config;
pub use error::{ReadError, browser_may_help};
pub use reader::{CHROME, ReadPurpose, Reader, ReaderLimits, user_agent};

use crate::host_limiter::HostLimiter;
use crate::single_flight::PageFlights;
use limner_bus::{Bus, BusError, Stage, WorkerOptions};
use limner_cache::Cache;
use limner_extractor_client::{ExtractorPool, InvalidEndpoint};
use limner_netguard::Client;
use limner_page_worker::{ResultPublisher, SitePlaces, Snapshots};
use limner_proto::v1;
use limner_types::ErrorCode;
use std::sync::{Arc, OnceLock};
use thiserror::Error;
use tokio_util::sync::CancellationToken;
use worker::Worker;

/// A failure to start or run the role.
#[derive(Debug, Error)]
pub enum FetcherError {
    /// An extractor's URL is invalid.
    #[error(transparent)]
    Extractor(#[from] InvalidEndpoint),
    /// No extractor is configured.
    #[error("no extractor is configured")]
    NoExtractor,
    /// The bus failed permanently.
    #[error(transparent)]
    Bus(#[from] BusError),
}

/// The role, ready to run. It has no listener: it pulls jobs.
pub struct Fetcher {
    bus: Bus,
    worker: Arc<Worker>,
    jobs_in_hand: usize,
}

impl Fetcher {
    /// Creates the role.
    ///
    /// # Errors
    /// There is no extractor, or one of the URLs is invalid.
    pub fn bind(config: Config, bus: Bus, cache: Cache, egress: Client) -> Result<Self, FetcherError> {
        if config.extractors.is_empty() {
            return Err(FetcherError::NoExtractor);
        }
        let worker = Worker {
            reader: Reader::new(egress, config.limits.clone()),
            hosts: Arc::new(HostLimiter::new(config.concurrency, config.per_host, config.waiting_per_host)),
            sites: SitePlaces::new(cache.clone(), config.per_site),
            flights: PageFlights::default(),
            snapshots: Snapshots(cache.clone()),
            publisher: ResultPublisher { extractors: ExtractorPool::new(&config.extractors)?, cache },
            config,
            renderers: OnceLock::new(),
        };
        let jobs_in_hand = worker.config.jobs_in_hand.max(worker.config.concurrency);
        Ok(Self { bus, worker: Arc::new(worker), jobs_in_hand })
    }

    /// Works until `shutdown`, then finishes the jobs in progress.
    ///
    /// # Errors
    /// The connection to NATS is closed permanently; a lost connection is re-established.
    pub async fn run(self, shutdown: CancellationToken) -> Result<(), FetcherError> {
        let exhausted = v1::Failure::new(
            ErrorCode::InternalError,
            "The page could not be processed in several attempts. Nothing was charged; try again later.",
        );
        let options = WorkerOptions { concurrency: self.jobs_in_hand, exhausted };
        let worker = self.worker;
        if worker.config.render_available {
            let _ = worker.renderers.set(self.bus.renderers().await?);
        }
        let handler = move |context| {
            let worker = Arc::clone(&worker);
            async move { worker.handle(context).await }
        };
        self.bus.run_worker(Stage::Fetch, options, handler, shutdown).await?;
        Ok(())
    }
}
