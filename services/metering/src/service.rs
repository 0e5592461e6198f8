//! The metering role: the ledger over gRPC, and its periodic jobs.

use crate::billing::BillingEngine;
use crate::grpc::accounts::AccountGrpc;
use crate::grpc::billing::BillingGrpc;
use crate::grpc::grants::GrantGrpc;
use crate::grpc::metering::Grpc;
use crate::token_check::TokenCheck;
use crate::{Ledger, scheduled_jobs, webhook_server};
use limner_proto::v1::account_service_server::{self, AccountServiceServer};
use limner_proto::v1::billing_service_server::{self, BillingServiceServer};
use limner_proto::v1::grant_service_server::{self, GrantServiceServer};
use limner_proto::v1::metering_service_server::{self, MeteringServiceServer};

use limner_runtime::Secret;
use limner_runtime::grpc::{self, GrpcServerError};
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
    /// Address to listen on; port 0 picks a free port.
    pub listen: SocketAddr,
    /// Interval at which overdue holds are expired. Until then they count as held.
    pub sweep_interval: Duration,
    /// Interval at which changes are published that could not be published at once.
    pub announce_interval: Duration,
    /// Interval at which all balances are compared with the ledger.
    pub audit_interval: Duration,
    /// Interval at which ended months are closed and invoices submitted.
    pub close_interval: Duration,
    /// Interval at which orders, payments and invoices are compared with the billing provider's.
    pub reconcile_interval: Duration,
    /// Address that receives webhook events of the billing provider; `None` disables it.
    pub webhooks: Option<SocketAddr>,
    /// Time for which calls stay in the usage history. Ledger entries are never deleted.
    pub history_retention: Duration,
    /// Interval at which older calls are deleted.
    pub retention_interval: Duration,
    /// Interval at which the health status is updated from the database.
    pub health_interval: Duration,
    /// Tokens that clients may present, so that one can replace another; none: no token is required.
    pub tokens: Vec<Secret>,
    /// True if the server describes itself over gRPC reflection.
    pub reflection: bool,
    /// Limits on the connections of webhook senders.
    pub peers: PeerLimits,
    /// Time limit for calls in progress after a shutdown was requested.
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
            reconcile_interval: 24 * HOUR,
            webhooks: None,
            history_retention: 400 * 24 * HOUR,
            retention_interval: HOUR,
            health_interval: Duration::from_secs(2),
            tokens: Vec::new(),
            reflection: false,
            peers: PeerLimits::default(),
            drain: Duration::from_secs(10),
        }
    }
}

type Service = MeteringServiceServer<Grpc>;

/// The role, bound to its address. It never migrates the schema: `limner migrate` and `limner up` do.
#[derive(Debug)]
pub struct MeteringService {
    config: Config,
    billing: BillingEngine,
    listener: TcpListener,
    address: SocketAddr,
    webhooks: Option<TcpListener>,
}

impl MeteringService {
    /// Binds the configured addresses. The database may become available later.
    ///
    /// # Errors
    /// An address is in use or not a local one.
    pub async fn bind(config: Config, billing: impl Into<BillingEngine>) -> Result<Self, GrpcServerError> {
        let (listener, address) = grpc::bind(config.listen).await?;
        let webhooks = match config.webhooks {
            Some(address) => Some(grpc::bind(address).await?.0),
            None => None,
        };
        Ok(Self { config, billing: billing.into(), listener, address, webhooks })
    }

    /// Returns the address that receives webhook events of the billing provider.
    pub fn webhooks_addr(&self) -> Option<SocketAddr> {
        self.webhooks.as_ref().and_then(|listener| listener.local_addr().ok())
    }

    /// Returns the gRPC address.
    pub fn local_addr(&self) -> SocketAddr {
        self.address
    }

    /// Serves until `shutdown`, then lets calls in progress end, for at most [`Config::drain`].
    ///
    /// # Errors
    /// See [`GrpcServerError`].
    pub async fn run(self, shutdown: CancellationToken) -> Result<(), GrpcServerError> {
        let ledger = self.billing.ledger().clone();
        let (health, health_service) = tonic_health::server::health_reporter();
        health.set_not_serving::<Service>().await;
        tracing::info!(metering.address = %self.address, "metering listens");
        // Without TCP_NODELAY every response waits for an acknowledgement that the peer delays by 40 ms.
        let incoming = TcpIncoming::from(self.listener).with_nodelay(Some(true));
        let describes = self.config.reflection;
        let token = TokenCheck::new(&self.config.tokens);
        if token.is_open() && !self.address.ip().is_loopback() {
            tracing::warn!("metering.token is not set: whoever reaches this port can grant credits");
        }
        // Only health and, if it is on, reflection need no token.
        let server = grpc::server()
            .add_service(health_service)
            .add_optional_service(describes.then(|| reflection("v1").build_v1()).transpose()?)
            .add_optional_service(describes.then(|| reflection("v1alpha").build_v1alpha()).transpose()?)
            .add_service(MeteringServiceServer::with_interceptor(Grpc::new(ledger.clone()), token.clone()))
            .add_service(BillingServiceServer::with_interceptor(BillingGrpc::new(self.billing.clone()), token.clone()))
            .add_service(AccountServiceServer::with_interceptor(AccountGrpc::new(self.billing.clone()), token.clone()))
            .add_service(GrantServiceServer::with_interceptor(GrantGrpc::new(ledger.clone()), token))
            .serve_with_incoming_shutdown(incoming, shutdown.clone().cancelled_owned());
        let served = async {
            let messages = serve_webhooks(self.webhooks, &self.billing, &self.config, &shutdown);
            let jobs = scheduled_jobs::run(&self.billing, &self.config, &shutdown);
            let health = follow_database(&ledger, &health, self.config.health_interval, &shutdown);
            let beside = async {
                tokio::join!(messages, jobs, health);
                Ok(())
            };
            tokio::try_join!(server, beside).map(drop)
        };
        // A peer that keeps its connection busy must not delay the shutdown.
        let drained = async {
            shutdown.cancelled().await;
            tokio::time::sleep(self.config.drain).await;
        };
        tokio::select! {
            served = served => Ok(served?),
            () = drained => {
                tracing::warn!("calls in progress were cut off");
                Ok(())
            }
        }
    }
}

/// Receives webhook events of the billing provider. gRPC calls work without it.
async fn serve_webhooks(
    listener: Option<TcpListener>,
    billing: &BillingEngine,
    config: &Config,
    shutdown: &CancellationToken,
) {
    let Some(listener) = listener else { return };
    webhook_server::serve(listener, billing.clone(), config.peers.clone(), shutdown, config.drain).await;
}

/// Updates the health status: serving while the database answers and has our schema, and no shutdown was requested.
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
                    tracing::warn!(error = %cause, "metering cannot reach its ledger");
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

fn reflection(version: &str) -> tonic_reflection::server::Builder<'static> {
    let services = &[
        metering_service_server::SERVICE_NAME,
        billing_service_server::SERVICE_NAME,
        account_service_server::SERVICE_NAME,
        grant_service_server::SERVICE_NAME,
    ];
    grpc::reflection(version, services, &[limner_proto::FILE_DESCRIPTOR_SET, tonic_health::pb::FILE_DESCRIPTOR_SET])
}
