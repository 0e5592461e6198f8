//! The gateway's dependencies on the rest of the fleet, as traits: production implements them with gRPC and NATS, tests
//! with fakes.

use crate::cancellations::Cancellations;
use crate::metering_client::GrpcMetering;
use crate::{Config, GatewayError};
use futures::future::BoxFuture;
use futures::stream::{self, BoxStream, StreamExt};
use limner_bus::{Bus, ReplyInbox, Stage};
use limner_cache::Cache;
use limner_proto::v1;
use limner_screenshot_store::ScreenshotStore;
use limner_types::AccountState;
use std::sync::Arc;
use tokio::time::Instant;

/// Metering, the owner of accounts and credits. Every write is idempotent by request id.
pub trait Metering: Send + Sync + 'static {
    /// Returns the owner of a key; `None` if it is unknown or revoked.
    fn authenticate(&self, key_sha256: [u8; 32]) -> BoxFuture<'_, Result<Option<KeyOwner>, MeteringError>>;
    /// Returns an account's state; `None` if it is unknown.
    fn account<'a>(&'a self, account_id: &'a str) -> BoxFuture<'a, Result<Option<AccountState>, MeteringError>>;
    /// Reserves credits before work starts.
    fn hold(&self, request: v1::HoldRequest) -> BoxFuture<'_, Result<v1::HoldResponse, MeteringError>>;
    /// Charges a hold.
    fn commit(&self, request: v1::CommitRequest) -> BoxFuture<'_, Result<v1::CommitResponse, MeteringError>>;
    /// Releases a hold.
    fn release(&self, request: v1::ReleaseRequest) -> BoxFuture<'_, Result<(), MeteringError>>;
    /// Adds calls that cost nothing to the usage history; returns the start of the current month, in seconds since the
    /// epoch.
    fn record_calls(&self, calls: Vec<v1::RecordedCall>) -> BoxFuture<'_, Result<i64, MeteringError>>;
    /// Returns the month's summary and the latest calls.
    fn usage(&self, request: v1::GetUsageRequest) -> BoxFuture<'_, Result<v1::GetUsageResponse, MeteringError>>;
}

/// The owner of a valid key.
#[derive(Debug, Clone)]
pub struct KeyOwner {
    /// The account.
    pub account_id: String,
    /// The key's own id.
    pub key_id: String,
    /// True if the key may cancel its calls, as keys of the MCP server may.
    pub cancels: bool,
    /// The account's state.
    pub account: AccountState,
}

/// A failed call to metering.
#[derive(Debug, Clone, thiserror::Error)]
pub enum MeteringError {
    /// Metering cannot be reached, or did not answer in time: the call may have been carried out or not.
    #[error("metering is unavailable: {0}")]
    Unavailable(String),
    /// Metering rejected the call, and would reject it again.
    #[error("metering refused: {0}")]
    Refused(String),
}

/// Dispatches jobs to the workers.
pub trait Dispatcher: Send + Sync + 'static {
    /// Queues a job and waits for its reply. The dispatcher fills in the job's reply subject.
    fn dispatch(&self, job: v1::Job, deadline: Instant) -> BoxFuture<'_, Result<v1::JobReply, DispatchError>>;
}

/// The reason why no reply arrived.
#[derive(Debug, Clone, thiserror::Error)]
pub enum DispatchError {
    /// The job could not be queued.
    #[error("the job could not be queued: {0}")]
    NotQueued(String),
    /// The job was queued, but no reply arrived in time.
    #[error("no reply: {0}")]
    NoReply(String),
}

/// A cached value that may be outdated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Invalidation {
    /// An account, and one of its keys if it is named.
    Account {
        /// The account.
        account_id: String,
        /// The key.
        key_sha256: Option<[u8; 32]>,
    },
    /// Everything: announcements may have been missed.
    Everything,
}

/// The dependencies.
pub struct Dependencies {
    /// The shared cache.
    pub cache: Cache,
    /// The owner of accounts and credits.
    pub metering: Arc<dyn Metering>,
    /// Dispatches jobs to the workers.
    pub dispatcher: Arc<dyn Dispatcher>,
    /// Returns true if a renderer is available.
    pub has_browser: Arc<dyn Fn() -> bool + Send + Sync>,
    /// The store of screenshots; `None`: the fleet makes none.
    pub screenshots: Option<ScreenshotStore>,
    /// Changes of accounts and keys.
    pub invalidations: BoxStream<'static, Invalidation>,
    /// Calls that are cancelled at other gateways, and the announcement of own cancellations to them.
    pub cancellations: Cancellations,
}

impl Dependencies {
    /// Connects to the fleet.
    ///
    /// # Errors
    /// The URL of metering is invalid, or NATS closed the connection for good.
    pub async fn connect(
        config: &Config,
        cache: Cache,
        bus: Bus,
        screenshots: Option<ScreenshotStore>,
    ) -> Result<Self, GatewayError> {
        let metering = GrpcMetering::new(&config.metering_url)?;
        let changes = bus
            .account_changes()
            .await?
            .map(|change| Invalidation::Account { account_id: change.account_id, key_sha256: change.key_sha256 });
        // Announcements made while the connection was down are lost.
        let connections = bus.connections();
        let reconnections = stream::unfold(connections, |mut connections| async move {
            connections.changed().await.ok()?;
            Some((Invalidation::Everything, connections))
        });
        let has_browser: Arc<dyn Fn() -> bool + Send + Sync> = match config.renderer {
            true => {
                let renderers = bus.renderers().await?;
                Arc::new(move || renderers.any())
            }
            false => Arc::new(|| false),
        };
        let cancellations = Cancellations::connect(&bus).await?;
        let inbox = bus.reply_inbox().await?;
        Ok(Self {
            cache,
            metering: Arc::new(metering),
            dispatcher: Arc::new(BusDispatcher { bus, inbox }),
            has_browser,
            screenshots,
            invalidations: stream::select(changes, reconnections).boxed(),
            cancellations,
        })
    }
}

struct BusDispatcher {
    bus: Bus,
    inbox: ReplyInbox,
}

impl Dispatcher for BusDispatcher {
    fn dispatch(&self, mut job: v1::Job, deadline: Instant) -> BoxFuture<'_, Result<v1::JobReply, DispatchError>> {
        Box::pin(async move {
            job.reply_subject = self.inbox.subject(&job.job_id);
            let reply = self.inbox.register(&job.job_id);
            let render = job.call.as_ref().is_some_and(|call| call.render);
            let stage = if render { Stage::Render } else { Stage::Fetch };
            match tokio::time::timeout_at(deadline, self.bus.publish_job(stage, &job)).await {
                Ok(Ok(())) => {}
                Ok(Err(cause)) => return Err(DispatchError::NotQueued(cause.to_string())),
                Err(_) => return Err(DispatchError::NotQueued("the deadline passed".to_owned())),
            }
            reply.wait(deadline).await.map_err(|cause| DispatchError::NoReply(cause.to_string()))
        })
    }
}
