//! The extractor role: the pure core as a gRPC service for workers and other internal callers.
//!
//! It makes no outgoing connections. Work is subject to admission control and runs in child processes that are killed
//! when a call exceeds its time, its memory or its processor time: a page fails only its own call.

mod admission;
mod call;
pub mod child;
mod failures;
mod message;
mod processes;
mod service;

pub use processes::ProcessConfig;
pub use service::ExtractorServer;

use admission::{AdmissionQueue, Limits};
use limner_extract::{ExtractError, Extraction, Options};
use limner_page::PageSnapshot;
use limner_proto::MAX_MESSAGE_BYTES;
use limner_proto::v1::extractor_service_server::{self, ExtractorServiceServer};
use limner_runtime::grpc::{self, GrpcServerError};
use limner_style::layout::{Layout, NoLayout};
use limner_types::OperationRequest;
use processes::Processes;
use service::{ExtractionBackend, InProcess};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use tonic::transport::server::TcpIncoming;

/// Configuration of the role.
#[derive(Debug, Clone)]
pub struct Config {
    /// Address to listen on; port 0 picks a free port.
    pub listen: SocketAddr,
    /// Number of slots: maximum number of concurrent extractions at full priority, and of concurrent extractions of one
    /// tenant. More than the processor count only uses more memory.
    pub max_running: usize,
    /// Maximum number of calls that have yielded their slot and continue at the lowest priority, in a process each.
    pub max_background: usize,
    /// Time after which a call yields its slot to a waiting call.
    pub slot_time: Duration,
    /// Maximum number of waiting calls; further ones are refused with `RESOURCE_EXHAUSTED`.
    pub max_waiting: usize,
    /// Maximum duration of a call, including waiting, unless the caller's own deadline is shorter.
    pub max_duration: Duration,
    /// The execution of the core.
    pub execution: Execution,
    /// Maximum size of a sent message: data that cannot be cut must fit into it.
    pub max_message_bytes: usize,
    /// True if the server describes itself over gRPC reflection.
    pub reflection: bool,
}

/// The execution of the core.
#[derive(Debug, Clone)]
pub enum Execution {
    /// In child processes, one for each concurrent call.
    Processes(ProcessConfig),
    /// On blocking threads of this process, which cannot be stopped: for tests.
    InProcess {
        /// The layout engine, for operations that need boxes.
        layout: Arc<dyn Layout + Send + Sync>,
        /// Maximum size of a result in bytes; lists are cut to fit.
        result_bytes: usize,
        /// True if hints may advise `render=true`.
        render_available: bool,
    },
}

impl Default for Execution {
    fn default() -> Self {
        let Options { result_bytes, render_available, .. } = Options::default();
        Self::InProcess { layout: Arc::new(NoLayout), result_bytes, render_available }
    }
}

impl Default for Config {
    fn default() -> Self {
        let processors = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
        Self {
            listen: SocketAddr::from(([127, 0, 0, 1], 0)),
            max_running: processors,
            max_background: 4 * processors,
            slot_time: Duration::from_millis(500),
            max_waiting: 64,
            max_duration: Duration::from_secs(20),
            execution: Execution::default(),
            max_message_bytes: 64 * 1024 * 1024,
            reflection: false,
        }
    }
}

/// The served function: a pure function of page, call and options.
pub type ExtractFn = fn(&PageSnapshot, &OperationRequest, &Options<'_>) -> Result<Extraction, ExtractError>;

/// The role, bound to its address.
#[derive(Debug)]
pub struct Extractor {
    config: Config,
    work: ExtractionBackend,
    listener: TcpListener,
    address: SocketAddr,
}

impl Extractor {
    /// Binds the configured address.
    ///
    /// # Errors
    /// The address is in use or not a local one.
    pub async fn bind(config: Config) -> Result<Self, GrpcServerError> {
        let (listener, address) = grpc::bind(config.listen).await?;
        let work = match &config.execution {
            Execution::Processes(config) => ExtractionBackend::Processes(Arc::new(Processes::new(config.clone()))),
            Execution::InProcess { layout, result_bytes, render_available } => {
                ExtractionBackend::InProcess(InProcess {
                    core: limner_extract::extract_with,
                    layout: Arc::clone(layout),
                    result_bytes: *result_bytes,
                    render_available: *render_available,
                })
            }
        };
        Ok(Self { config, work, listener, address })
    }

    /// Replaces the core in this process, for tests of the service itself.
    #[must_use]
    pub fn with_core(mut self, another: ExtractFn) -> Self {
        if let ExtractionBackend::InProcess(work) = &mut self.work {
            work.core = another;
        }
        self
    }

    /// Returns a receiver of the readiness: false while no extraction process can be started.
    pub fn readiness(&self) -> watch::Receiver<bool> {
        match &self.work {
            ExtractionBackend::Processes(processes) => processes.readiness(),
            ExtractionBackend::InProcess(_) => watch::channel(true).1,
        }
    }

    /// Returns the listening address.
    pub fn local_addr(&self) -> SocketAddr {
        self.address
    }

    /// Serves until `shutdown`, then lets running calls end.
    ///
    /// # Errors
    /// See [`GrpcServerError`].
    pub async fn run(self, shutdown: CancellationToken) -> Result<(), GrpcServerError> {
        let (health, health_service) = tonic_health::server::health_reporter();
        let Config { max_running, max_background, max_waiting, slot_time, .. } = self.config;
        let limits = Limits { slots: max_running, background: max_background, waiting: max_waiting, slot_time };
        let admission = AdmissionQueue::new(limits);
        if let ExtractionBackend::Processes(processes) = &self.work {
            processes.warm_up(self.config.max_running.max(1));
        }
        let service = ExtractorServiceServer::new(ExtractorServer::new(self.work, admission, &self.config))
            .max_decoding_message_size(MAX_MESSAGE_BYTES)
            .max_encoding_message_size(self.config.max_message_bytes);
        health.set_serving::<ExtractorServiceServer<ExtractorServer>>().await;
        let draining = {
            let (health, shutdown) = (health.clone(), shutdown.clone());
            async move {
                shutdown.cancelled().await;
                // Callers that watch the health status use other extractors while calls here end.
                health.set_not_serving::<ExtractorServiceServer<ExtractorServer>>().await;
            }
        };
        tracing::info!(extractor.address = %self.address, "extractor listens");
        // Without TCP_NODELAY every response waits for an acknowledgement that the peer delays by 40 ms.
        let incoming = TcpIncoming::from(self.listener).with_nodelay(Some(true));
        let describes = self.config.reflection;
        grpc::server()
            .add_service(health_service)
            .add_optional_service(describes.then(|| reflection("v1").build_v1()).transpose()?)
            .add_optional_service(describes.then(|| reflection("v1alpha").build_v1alpha()).transpose()?)
            .add_service(service)
            .serve_with_incoming_shutdown(incoming, draining)
            .await?;
        Ok(())
    }
}

fn reflection(version: &str) -> tonic_reflection::server::Builder<'static> {
    let services = &[extractor_service_server::SERVICE_NAME];
    grpc::reflection(version, services, &[limner_proto::FILE_DESCRIPTOR_SET, tonic_health::pb::FILE_DESCRIPTOR_SET])
}
