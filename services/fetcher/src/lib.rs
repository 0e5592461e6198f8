//! The fetcher role: reads pages without a browser and answers jobs with what the extractor makes of them.
//!
//! [`Reader`] turns an address into a snapshot; it is also what `limner extract` uses in process. Everything outward
//! goes through `netguard`. The role keeps no cookies, runs no scripts and knows nothing of money.

mod config;
mod error;
mod flights;
mod hosts;
mod reader;
mod worker;

pub use config::Config;
pub use error::ReadError;
pub use reader::{CHROME, Needs, Reader, ReaderLimits, user_agent};

use flights::Flights;
use hosts::Hosts;
use limner_bus::{Bus, BusError, Stage, WorkerOptions};
use limner_cache::Cache;
use limner_extractors::{Extractors, InvalidExtractor};
use limner_netguard::Client;
use limner_proto::v1;
use limner_types::ErrorCode;
use limner_worker::{Answers, Snapshots};
use std::sync::{Arc, OnceLock};
use thiserror::Error;
use tokio_util::sync::CancellationToken;
use worker::Worker;

/// What keeps the role from standing or ends it.
#[derive(Debug, Error)]
pub enum FetcherError {
    /// An extractor's address is none.
    #[error(transparent)]
    Extractor(#[from] InvalidExtractor),
    /// There is nobody to hand pages to.
    #[error("no extractor is configured")]
    NoExtractor,
    /// The bus failed for good.
    #[error(transparent)]
    Bus(#[from] BusError),
}

/// The role, ready to work. It listens on nothing: jobs are pulled.
pub struct Fetcher {
    bus: Bus,
    worker: Arc<Worker>,
    jobs_in_hand: usize,
}

impl Fetcher {
    /// Puts the role together.
    ///
    /// # Errors
    /// No extractor, or an address that is none.
    pub fn bind(config: Config, bus: Bus, cache: Cache, egress: Client) -> Result<Self, FetcherError> {
        if config.extractors.is_empty() {
            return Err(FetcherError::NoExtractor);
        }
        let worker = Worker {
            reader: Reader::new(egress, config.limits.clone()),
            hosts: Arc::new(Hosts::new(config.concurrency, config.per_host, config.waiting_per_host)),
            flights: Flights::default(),
            snapshots: Snapshots(cache.clone()),
            answers: Answers { extractors: Extractors::new(&config.extractors)?, cache },
            config,
            renderers: OnceLock::new(),
        };
        let jobs_in_hand = worker.config.jobs_in_hand.max(worker.config.concurrency);
        Ok(Self { bus, worker: Arc::new(worker), jobs_in_hand })
    }

    /// Works until `shutdown`, then finishes the jobs in hand.
    ///
    /// # Errors
    /// The connection to NATS is closed for good; a lost one is waited for.
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
