//! What the gateway needs from the rest of the fleet, as traits: production talks gRPC and NATS, tests put themselves
//! in their place.

use crate::cancellations::Cancellations;
use crate::metering_client::GrpcMetering;
use crate::{Config, GatewayError};
use futures::future::BoxFuture;
use futures::stream::{self, BoxStream, StreamExt};
use limner_bus::{Bus, ReplyInbox, Stage};
use limner_cache::Cache;
use limner_objects::Screenshots;
use limner_proto::v1;
use limner_types::AccountState;
use std::sync::Arc;
use tokio::time::Instant;

/// Metering, the owner of accounts and credits. Every write is idempotent by request id.
pub trait Metering: Send + Sync + 'static {
    /// Whose key this is; `None`: unknown or revoked.
    fn authenticate(&self, key_sha256: [u8; 32]) -> BoxFuture<'_, Result<Option<Owner>, MeteringError>>;
    /// An account's state; `None`: unknown.
    fn account<'a>(&'a self, account_id: &'a str) -> BoxFuture<'a, Result<Option<AccountState>, MeteringError>>;
    /// Reserves credits before work starts.
    fn hold(&self, request: v1::HoldRequest) -> BoxFuture<'_, Result<v1::HoldResponse, MeteringError>>;
    /// Charges a hold.
    fn commit(&self, request: v1::CommitRequest) -> BoxFuture<'_, Result<v1::CommitResponse, MeteringError>>;
    /// Frees a hold.
    fn release(&self, request: v1::ReleaseRequest) -> BoxFuture<'_, Result<(), MeteringError>>;
    /// Adds calls that cost nothing to the usage history; says when the present month began, in seconds since the epoch.
    fn record_calls(&self, calls: Vec<v1::RecordedCall>) -> BoxFuture<'_, Result<i64, MeteringError>>;
    /// The month's summary and the latest calls.
    fn usage(&self, request: v1::GetUsageRequest) -> BoxFuture<'_, Result<v1::GetUsageResponse, MeteringError>>;
}

/// Whom a valid key belongs to.
#[derive(Debug, Clone)]
pub struct Owner {
    /// The account.
    pub account_id: String,
    /// The key's own id.
    pub key_id: String,
    /// Whether the key may cancel calls that it makes: those of the MCP server may.
    pub cancels: bool,
    /// The account's state.
    pub account: AccountState,
}

/// Why metering gave no answer.
#[derive(Debug, Clone, thiserror::Error)]
pub enum MeteringError {
    /// It can't be reached, or did not answer in time: the call may have been carried out or not.
    #[error("metering is unavailable: {0}")]
    Unavailable(String),
    /// It answered, and will answer the same again.
    #[error("metering refused: {0}")]
    Refused(String),
}

/// Whoever does the work.
pub trait Dispatcher: Send + Sync + 'static {
    /// Hands a job to the fleet and waits for its reply. The job's reply subject is the dispatcher's to fill in.
    fn dispatch(&self, job: v1::Job, deadline: Instant) -> BoxFuture<'_, Result<v1::JobReply, DispatchError>>;
}

/// Why no reply came.
#[derive(Debug, Clone, thiserror::Error)]
pub enum DispatchError {
    /// The job could not be queued.
    #[error("the job could not be queued: {0}")]
    NotQueued(String),
    /// The job was queued, and nobody answered in time.
    #[error("no reply: {0}")]
    NoReply(String),
}

/// Something that was remembered may no longer be true.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Invalidation {
    /// An account, and a key of it if one is named.
    Account {
        /// The account.
        account_id: String,
        /// The key.
        key_sha256: Option<[u8; 32]>,
    },
    /// Announcements may have been missed.
    Everything,
}

/// The rest of the fleet.
pub struct Backend {
    /// Shared hot state.
    pub cache: Cache,
    /// The owner of accounts and credits.
    pub metering: Arc<dyn Metering>,
    /// Whoever does the work.
    pub dispatcher: Arc<dyn Dispatcher>,
    /// Whether somebody has a browser at this moment.
    pub has_browser: Arc<dyn Fn() -> bool + Send + Sync>,
    /// Where screenshots are; `None`: a fleet that makes none.
    pub screenshots: Option<Screenshots>,
    /// News about accounts and keys.
    pub invalidations: BoxStream<'static, Invalidation>,
    /// Calls that are cancelled at other gateways, and the way to tell those.
    pub cancellations: Cancellations,
}

impl Backend {
    /// The real fleet.
    ///
    /// # Errors
    /// The address of metering can't be parsed, or NATS closed the connection for good.
    pub async fn connect(
        config: &Config,
        cache: Cache,
        bus: Bus,
        screenshots: Option<Screenshots>,
    ) -> Result<Self, GatewayError> {
        let metering = GrpcMetering::new(&config.metering_url)?;
        let changes = bus
            .account_changes()
            .await?
            .map(|change| Invalidation::Account { account_id: change.account_id, key_sha256: change.key_sha256 });
        // Whatever was announced while the connection was down is lost.
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
        let cancellations = Cancellations::over(&bus).await?;
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
