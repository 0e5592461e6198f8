//! The metering role: the ledger over gRPC, and the jobs that keep it.

use crate::account_grpc::AccountGrpc;
use crate::billing::BillingDesk;
use crate::billing_grpc::BillingGrpc;
use crate::grant_grpc::GrantGrpc;
use crate::grpc::Grpc;
use crate::{Ledger, jobs, webhooks};
use limner_proto::v1::account_service_server::AccountServiceServer;
use limner_proto::v1::billing_service_server::BillingServiceServer;
use limner_proto::v1::grant_service_server::GrantServiceServer;
use limner_proto::v1::metering_service_server::MeteringServiceServer;
use limner_runtime::grpc;
use limner_runtime::http::PeerLimits;
use std::net::SocketAddr;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tonic::transport::server::TcpIncoming;
use tonic_health::server::HealthReporter;

/// Configuration of the role.
#[derive(Debug, Clone)]
pub struct Config {
    /// Where to listen; port 0 takes a free one.
    pub listen: SocketAddr,
    /// How often holds whose time is up are expired. Until then they count.
    pub sweep_interval: Duration,
    /// How often changes that could not be told at once are tried again.
    pub announce_interval: Duration,
    /// How often all balances are compared with the ledger.
    pub audit_interval: Duration,
    /// How often ended months are closed and invoices handed over.
    pub close_interval: Duration,
    /// Where a billing provider sends its messages; `None`: nowhere.
    pub webhooks: Option<SocketAddr>,
    /// How long calls stay in the usage history. Ledger lines stay for good.
    pub history_retention: Duration,
    /// How often older calls are removed.
    pub retention_interval: Duration,
    /// How often health follows the database.
    pub health_interval: Duration,
    /// What senders of a billing provider's messages are held to.
    pub peers: PeerLimits,
    /// How long calls under way may take after the end was asked for.
    pub drain: Duration,
}

impl Default for Config {
    fn default() -> Self {
        const HOUR: Duration = Duration::from_secs(60 * 60);
        Self {
            listen: SocketAddr::from(([127, 0, 0, 1], 0)),
            sweep_interval: Duration::from_secs(1),
            announce_interval: Duration::from_secs(1),
            audit_interval: HOUR,
            close_interval: HOUR,
            webhooks: None,
            history_retention: 400 * 24 * HOUR,
            retention_interval: HOUR,
            health_interval: Duration::from_secs(2),
            peers: PeerLimits::default(),
            drain: Duration::from_secs(10),
        }
    }
}

/// What keeps the role from standing.
#[derive(Debug, thiserror::Error)]
pub enum MeteringError {
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

type Service = MeteringServiceServer<Grpc>;

/// The role, bound to its address. It never migrates: `limner migrate` and `limner up` do.
#[derive(Debug)]
pub struct MeteringService {
    config: Config,
    desk: BillingDesk,
    listener: TcpListener,
    address: SocketAddr,
    webhooks: Option<TcpListener>,
}

impl MeteringService {
    /// Listens on the configured addresses. The database may come later.
    ///
    /// # Errors
    /// An address is taken or not ours.
    pub async fn bind(config: Config, desk: impl Into<BillingDesk>) -> Result<Self, MeteringError> {
        let (listener, address) = listen(config.listen).await?;
        let webhooks = match config.webhooks {
            Some(address) => Some(listen(address).await?.0),
            None => None,
        };
        Ok(Self { config, desk: desk.into(), listener, address, webhooks })
    }

    /// Where a billing provider sends its messages.
    pub fn webhooks_addr(&self) -> Option<SocketAddr> {
        self.webhooks.as_ref().and_then(|listener| listener.local_addr().ok())
    }

    /// The address it listens on.
    pub fn local_addr(&self) -> SocketAddr {
        self.address
    }

    /// Serves until `shutdown`, then lets calls under way end, at most for [`Config::drain`].
    ///
    /// # Errors
    /// See [`MeteringError`].
    pub async fn run(self, shutdown: CancellationToken) -> Result<(), MeteringError> {
        let ledger = self.desk.ledger().clone();
        let (health, health_service) = tonic_health::server::health_reporter();
        health.set_not_serving::<Service>().await;
        tracing::info!(metering.address = %self.address, "metering listens");
        // Without it every answer waits for an acknowledgement that the caller delays by 40 ms.
        let incoming = TcpIncoming::from(self.listener).with_nodelay(Some(true));
        let server = grpc::server()
            .add_service(health_service)
            .add_service(reflection().build_v1()?)
            .add_service(reflection().build_v1alpha()?)
            .add_service(MeteringServiceServer::new(Grpc::new(ledger.clone())))
            .add_service(BillingServiceServer::new(BillingGrpc::new(self.desk.clone())))
            .add_service(AccountServiceServer::new(AccountGrpc::new(self.desk.clone())))
            .add_service(GrantServiceServer::new(GrantGrpc::new(ledger.clone())))
            .serve_with_incoming_shutdown(incoming, shutdown.clone().cancelled_owned());
        let served = async {
            let messages = take_messages(self.webhooks, &self.desk, &self.config, &shutdown);
            let jobs = jobs::run(&self.desk, &self.config, &shutdown);
            let health = follow_database(&ledger, &health, self.config.health_interval, &shutdown);
            let beside = async {
                tokio::join!(messages, jobs, health);
                Ok(())
            };
            tokio::try_join!(server, beside).map(drop)
        };
        // A peer that keeps its connection busy does not keep us.
        let drained = async {
            shutdown.cancelled().await;
            tokio::time::sleep(self.config.drain).await;
        };
        tokio::select! {
            served = served => Ok(served?),
            () = drained => {
                tracing::warn!("calls under way were cut off");
                Ok(())
            }
        }
    }
}

async fn listen(address: SocketAddr) -> Result<(TcpListener, SocketAddr), MeteringError> {
    let refused = |cause| MeteringError::Listen { address, cause };
    let listener = TcpListener::bind(address).await.map_err(refused)?;
    let address = listener.local_addr().map_err(refused)?;
    Ok((listener, address))
}

/// Takes a billing provider's messages. Calls go on without them.
async fn take_messages(
    listener: Option<TcpListener>,
    desk: &BillingDesk,
    config: &Config,
    shutdown: &CancellationToken,
) {
    let Some(listener) = listener else { return };
    webhooks::serve(listener, desk.clone(), config.peers.clone(), shutdown, config.drain).await;
}

/// Healthy is: the database answers and has our schema. Not any more once the end was asked for.
async fn follow_database(ledger: &Ledger, health: &HealthReporter, interval: Duration, shutdown: &CancellationToken) {
    let mut was_ready = None;
    while !shutdown.is_cancelled() {
        let readiness = ledger.ready().await;
        let is_ready = readiness.is_ok();
        if was_ready.replace(is_ready) != Some(is_ready) {
            match readiness {
                Ok(()) => {
                    tracing::info!("metering is ready");
                    health.set_serving::<Service>().await;
                }
                Err(cause) => {
                    tracing::warn!(error = %cause, "metering can't reach its ledger");
                    health.set_not_serving::<Service>().await;
                }
            }
        }
        tokio::select! {
            () = shutdown.cancelled() => {}
            () = tokio::time::sleep(interval) => {}
        }
    }
    health.set_not_serving::<Service>().await;
}

fn reflection() -> tonic_reflection::server::Builder<'static> {
    tonic_reflection::server::Builder::configure()
        .register_encoded_file_descriptor_set(limner_proto::FILE_DESCRIPTOR_SET)
        .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
}
