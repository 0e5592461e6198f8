//! Replies: one wildcard subscription per process on the side that waits, confirmed delivery on the side that answers.

use crate::{Bus, BusError, ReplyError};
use async_nats::client::{Request, RequestErrorKind};
use async_nats::{Client, Message as NatsMessage, Subscriber};
use bytes::Bytes;
use futures::StreamExt;
use limner_proto::v1;
use limner_types::ErrorCode;
use prost::Message;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::Instant;

/// Where this process receives the replies to its jobs. Cheap to clone; the subscription ends with the last clone.
#[derive(Clone)]
pub struct ReplyInbox {
    subject: String,
    shared: Arc<Shared>,
}

struct Shared {
    waiting: Arc<Waiting>,
    receiver: JoinHandle<()>,
}

impl Drop for Shared {
    fn drop(&mut self) {
        self.receiver.abort();
    }
}

/// Somebody who waits for a reply.
struct Waiter {
    last: oneshot::Sender<v1::JobReply>,
    /// What it is told if no other reply comes in time.
    provisional: Option<v1::JobReply>,
}

#[derive(Default)]
struct Waiting(Mutex<HashMap<String, Waiter>>);

impl Waiting {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, Waiter>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A reply that is being waited for.
pub struct PendingReply {
    job_id: String,
    waiting: Arc<Waiting>,
    reply: oneshot::Receiver<v1::JobReply>,
}

impl Bus {
    /// Subscribes to an inbox of this process's own.
    ///
    /// # Errors
    /// The connection is closed for good.
    pub async fn reply_inbox(&self) -> Result<ReplyInbox, BusError> {
        // The client's own inbox name is unique; only its last part is used, below our prefix.
        let unique = self.client.new_inbox();
        let unique = unique.rsplit('.').next().unwrap_or_default();
        let subject = self.subject(&format!("replies.{unique}"));
        let wildcard = format!("{subject}.*");
        let replies =
            self.client.subscribe(wildcard.clone()).await.map_err(|cause| BusError::subscribe(&wildcard, cause))?;
        self.client.flush().await.map_err(|cause| BusError::subscribe(&wildcard, cause))?;
        let waiting = Arc::<Waiting>::default();
        let receiver = tokio::spawn(receive(replies, Arc::clone(&waiting), self.client.clone()));
        Ok(ReplyInbox { subject, shared: Arc::new(Shared { waiting, receiver }) })
    }

    /// Sends a reply until its receiver confirms it, `patience` is over, or nobody is there. Replies are core NATS, so
    /// one that falls into a reconnection would be lost without this.
    pub(crate) async fn send_reply(&self, subject: &str, reply: v1::JobReply, patience: Duration) {
        let deadline = Instant::now() + patience;
        let payload = self.fit(reply);
        let mut nobody_there = 0;
        loop {
            let confirm_within = deadline.saturating_duration_since(Instant::now()).min(Duration::from_secs(2));
            if confirm_within.is_zero() || nobody_there == 3 {
                tracing::info!(reply.subject = subject, "nobody takes this reply any more");
                return;
            }
            let request = Request::new().payload(payload.clone()).timeout(Some(confirm_within));
            match self.client.send_request(subject.to_owned(), request).await {
                Ok(_) => return,
                // After a restart of the server the receiver may be a moment later than we are.
                Err(cause) if cause.kind() == RequestErrorKind::NoResponders => nobody_there += 1,
                Err(cause) => tracing::warn!(reply.subject = subject, error = %cause, "reply not confirmed"),
            }
            tokio::time::sleep(Duration::from_millis(200).min(confirm_within)).await;
        }
    }

    /// A reply that the server would refuse becomes a failure that says so.
    fn fit(&self, reply: v1::JobReply) -> Bytes {
        const HEADROOM: usize = 1_024;
        let payload = reply.encode_to_vec();
        if payload.len() + HEADROOM <= self.client.max_payload() {
            return payload.into();
        }
        let message = "The result is larger than the service can carry. Narrow the call, for instance with `selector`.";
        let failure = v1::Failure::new(ErrorCode::UnprocessableContent, message);
        let outcome = Some(v1::job_reply::Outcome::Failure(failure));
        v1::JobReply { outcome, ..reply }.encode_to_vec().into()
    }
}

async fn receive(mut replies: Subscriber, waiting: Arc<Waiting>, client: Client) {
    while let Some(message) = replies.next().await {
        hand_over(&message, &waiting);
        if let Some(confirmation) = message.reply {
            // Without it the worker sends the reply again, which is harmless.
            let _ = client.publish(confirmation, Bytes::new()).await;
        }
    }
}

fn hand_over(message: &NatsMessage, waiting: &Waiting) {
    let job_id = message.subject.rsplit('.').next().unwrap_or_default();
    match v1::JobReply::decode(message.payload.clone()) {
        Ok(reply) if reply.job_id == job_id => {
            let mut waiting = waiting.lock();
            // Nobody waits any more: a repeat, or the deadline has passed.
            let Some(waiter) = waiting.get_mut(job_id) else { return };
            if reply.provisional {
                waiter.provisional = Some(reply);
            } else if let Some(waiter) = waiting.remove(job_id) {
                let _ = waiter.last.send(reply);
            }
        }
        Ok(reply) => {
            tracing::warn!(job.id = job_id, reply.job_id = reply.job_id, "a reply under another job's subject")
        }
        Err(cause) => tracing::warn!(job.id = job_id, error = %cause, "a reply could not be read"),
    }
}

impl ReplyInbox {
    /// The reply subject for a job.
    pub fn subject(&self, job_id: &str) -> String {
        format!("{}.{job_id}", self.subject)
    }

    /// Starts to wait for a job's reply. Register before the job is published. A second registration of the same job
    /// replaces the first.
    pub fn register(&self, job_id: &str) -> PendingReply {
        let (last, reply) = oneshot::channel();
        self.shared.waiting.lock().insert(job_id.to_owned(), Waiter { last, provisional: None });
        PendingReply { job_id: job_id.to_owned(), waiting: Arc::clone(&self.shared.waiting), reply }
    }
}

impl PendingReply {
    /// The reply; by the deadline a provisional one, or the news that none came in time.
    ///
    /// # Errors
    /// The deadline passed or the inbox is closed.
    pub async fn wait(mut self, deadline: impl Into<Instant>) -> Result<v1::JobReply, ReplyError> {
        match tokio::time::timeout_at(deadline.into(), &mut self.reply).await {
            Ok(Ok(reply)) => Ok(reply),
            Ok(Err(_)) => Err(ReplyError::Closed),
            Err(_) => self.provisional().ok_or(ReplyError::DeadlinePassed),
        }
    }

    fn provisional(&self) -> Option<v1::JobReply> {
        self.waiting.lock().get_mut(&self.job_id)?.provisional.take()
    }
}

impl Drop for PendingReply {
    fn drop(&mut self) {
        self.reply.close();
        let mut waiting = self.waiting.lock();
        // A later registration of the same job keeps its place.
        if waiting.get(&self.job_id).is_some_and(|waiter| waiter.last.is_closed()) {
            waiting.remove(&self.job_id);
        }
    }
}
