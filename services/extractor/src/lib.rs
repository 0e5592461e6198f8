//! The extractor role: the pure core as a gRPC service for workers and other internal callers.
//!
//! It never connects anywhere. Work runs on blocking threads behind an admission limit; a page that makes the core panic
//! costs its own call only.

mod admission;
mod service;

pub use service::ExtractorServer;

use admission::Admission;
use limner_extract::{ExtractError, Extraction, Options};
use limner_page::PageSnapshot;
use limner_proto::MAX_MESSAGE_BYTES;
use limner_proto::v1::extractor_service_server::ExtractorServiceServer;
use limner_style::layout::{Layout, NoLayout};
use limner_types::Request;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tonic::transport::Server;
use tonic::transport::server::TcpIncoming;

/// Configuration of the role.
#[derive(Debug, Clone)]
pub struct Config {
    /// Where to listen; port 0 takes a free one.
    pub listen: SocketAddr,
    /// Extractions that run at once; more than the processor count only adds memory.
    pub max_running: usize,
    /// Calls that may wait for one to end; further ones are refused with `RESOURCE_EXHAUSTED`.
    pub max_waiting: usize,
    /// Longest a call may take, waiting included, unless the caller's own deadline is shorter.
    pub max_duration: Duration,
    /// What lays pages out for the operations that want boxes. It must not take this process down.
    pub layout: Arc<dyn Layout + Send + Sync>,
    /// Largest result in bytes; lists are cut to fit.
    pub result_bytes: usize,
    /// Largest message that is sent: whatever can't be cut must fit into it.
    pub max_message_bytes: usize,
}

impl Default for Config {
    fn default() -> Self {
        let processors = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
        Self {
            listen: SocketAddr::from(([127, 0, 0, 1], 0)),
            max_running: processors,
            max_waiting: 64,
            max_duration: Duration::from_secs(20),
            layout: Arc::new(NoLayout),
            result_bytes: 8_000_000,
            max_message_bytes: 64 * 1024 * 1024,
        }
    }
}

/// What keeps the role from standing.
#[derive(Debug, thiserror::Error)]
pub enum ExtractorError {
    /// The address cannot be listened on.
    #[error("cannot listen on {address}: {cause}")]
    Listen {
        /// The configured address.
        address: SocketAddr,
        /// The operating system's answer.
        cause: std::io::Error,
    },
    /// The reflection service refused the descriptors.
    #[error("the reflection service could not be built: {0}")]
    Reflection(#[from] tonic_reflection::server::Error),
    /// The server ended by itself.
    #[error("the gRPC server failed: {0}")]
    Serve(#[from] tonic::transport::Error),
}

/// What the service serves: a pure function of page, call and options.
pub type Core = fn(&PageSnapshot, &Request, &Options<'_>) -> Result<Extraction, ExtractError>;

/// The role, bound to its address.
#[derive(Debug)]
pub struct Extractor {
    config: Config,
    core: Core,
    listener: TcpListener,
    address: SocketAddr,
}

impl Extractor {
    /// Listens on the configured address.
    ///
    /// # Errors
    /// The address is taken or not ours.
    pub async fn bind(config: Config) -> Result<Self, ExtractorError> {
        let refused = |cause| ExtractorError::Listen { address: config.listen, cause };
        let listener = TcpListener::bind(config.listen).await.map_err(refused)?;
        let address = listener.local_addr().map_err(refused)?;
        Ok(Self { config, core: limner_extract::extract_with, listener, address })
    }

    /// The same with another core, for tests of what happens around it.
    #[must_use]
    pub fn with_core(self, core: Core) -> Self {
        Self { core, ..self }
    }

    /// The address it listens on.
    pub fn local_addr(&self) -> SocketAddr {
        self.address
    }

    /// Serves until `shutdown`, then lets running calls end.
    ///
    /// # Errors
    /// See [`ExtractorError`].
    pub async fn run(self, shutdown: CancellationToken) -> Result<(), ExtractorError> {
        let (health, health_service) = tonic_health::server::health_reporter();
        let admission = Admission::new(self.config.max_running, self.config.max_waiting);
        let service = ExtractorServiceServer::new(ExtractorServer::new(self.core, admission, &self.config))
            .max_decoding_message_size(MAX_MESSAGE_BYTES)
            .max_encoding_message_size(self.config.max_message_bytes);
        health.set_serving::<ExtractorServiceServer<ExtractorServer>>().await;
        let draining = {
            let (health, shutdown) = (health.clone(), shutdown.clone());
            async move {
                shutdown.cancelled().await;
                // Callers that watch health go elsewhere while what runs here ends.
                health.set_not_serving::<ExtractorServiceServer<ExtractorServer>>().await;
            }
        };
        tracing::info!(extractor.address = %self.address, "extractor listens");
        // Without it every answer waits for an acknowledgement that the caller delays by 40 ms.
        let incoming = TcpIncoming::from(self.listener).with_nodelay(Some(true));
        Server::builder()
            .http2_keepalive_interval(Some(Duration::from_secs(20)))
            .add_service(health_service)
            .add_service(reflection().build_v1()?)
            .add_service(reflection().build_v1alpha()?)
            .add_service(service)
            .serve_with_incoming_shutdown(incoming, draining)
            .await?;
        Ok(())
    }
}

fn reflection() -> tonic_reflection::server::Builder<'static> {
    tonic_reflection::server::Builder::configure()
        .register_encoded_file_descriptor_set(limner_proto::FILE_DESCRIPTOR_SET)
        .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
}
