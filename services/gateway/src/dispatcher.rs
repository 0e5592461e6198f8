//! Dispatch of jobs to the workers.

use futures::future::BoxFuture;
use limner_bus::{Bus, BusError, ReplyInbox, Stage};
use limner_proto::v1;
use tokio::time::Instant;

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

/// Dispatches jobs over NATS.
pub(crate) struct BusDispatcher {
    bus: Bus,
    inbox: ReplyInbox,
}

impl BusDispatcher {
    /// # Errors
    /// NATS closed the connection for good.
    pub(crate) async fn new(bus: Bus) -> Result<Self, BusError> {
        let inbox = bus.reply_inbox().await?;
        Ok(Self { bus, inbox })
    }
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
