//! Replies: one wildcard subscription per waiting process, and confirmed delivery by the answering one.

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

/// The inbox for replies to this process's jobs. Cheap to clone; the subscription ends with the last clone.
#[derive(Clone)]
pub struct ReplyInbox {
    subject: String,
    shared: Arc<Shared>,
}

struct Shared {
    waiting: Arc<PendingReplies>,
    receiver: JoinHandle<()>,
}

impl Drop for Shared {
    fn drop(&mut self) {
        self.receiver.abort();
    }
}

/// A pending wait for a reply.
struct PendingWaiter {
    last: oneshot::Sender<v1::JobReply>,
    /// The reply if no better one arrives in time.
    provisional: Option<v1::JobReply>,
}

#[derive(Default)]
struct PendingReplies(Mutex<HashMap<String, PendingWaiter>>);

impl PendingReplies {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, PendingWaiter>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A reply that is awaited.
pub struct PendingReply {
    job_id: String,
    waiting: Arc<PendingReplies>,
    reply: oneshot::Receiver<v1::JobReply>,
}

impl Bus {
    /// Subscribes to a new inbox of this process.
    ///
    /// # Errors
    /// The connection is permanently closed.
    pub async fn reply_inbox(&self) -> Result<ReplyInbox, BusError> {
        // The client's own inbox name is unique; its last token is used below our prefix.
        let unique = self.client.new_inbox();
        let unique = unique.rsplit('.').next().unwrap_or_default();
        let subject = self.subject(&format!("replies.{unique}"));
        let wildcard = format!("{subject}.*");
        let replies =
            self.client.subscribe(wildcard.clone()).await.map_err(|cause| BusError::subscribe(&wildcard, cause))?;
        self.sync_subscription(&wildcard).await?;
        let waiting = Arc::<PendingReplies>::default();
        let receiver = tokio::spawn(receive(replies, Arc::clone(&waiting), self.client.clone()));
        Ok(ReplyInbox { subject, shared: Arc::new(Shared { waiting, receiver }) })
    }

    /// Sends a reply until its receiver confirms it, `timeout` is over, or there is no receiver. Replies are core
    /// NATS: without repetition, a reply sent during a reconnection would be lost.
    pub(crate) async fn send_reply(&self, subject: &str, reply: v1::JobReply, timeout: Duration) {
        let deadline = Instant::now() + timeout;
        let payload = self.shrink_to_limit(reply);
        let mut nobody_there = 0;
        loop {
            let confirm_within = deadline.saturating_duration_since(Instant::now()).min(Duration::from_secs(2));
            if confirm_within.is_zero() || nobody_there == 3 {
                tracing::info!(reply.subject = subject, "no receiver for a reply");
                return;
            }
            let request = Request::new().payload(payload.clone()).timeout(Some(confirm_within));
            match self.client.send_request(subject.to_owned(), request).await {
                Ok(_) => return,
                // After a restart of the server the receiver may reconnect a moment later than this process.
                Err(cause) if cause.kind() == RequestErrorKind::NoResponders => nobody_there += 1,
                Err(cause) => tracing::warn!(reply.subject = subject, error = %cause, "reply not confirmed"),
            }
            tokio::time::sleep(Duration::from_millis(200).min(confirm_within)).await;
        }
    }

    /// Encodes a reply. One that the server would reject becomes a failure that says so.
    fn shrink_to_limit(&self, reply: v1::JobReply) -> Bytes {
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

async fn receive(mut replies: Subscriber, waiting: Arc<PendingReplies>, client: Client) {
    while let Some(message) = replies.next().await {
        deliver(&message, &waiting);
        if let Some(confirmation) = message.reply {
            // Without the confirmation the worker sends the reply again, which is harmless.
            let _ = client.publish(confirmation, Bytes::new()).await;
        }
    }
}

fn deliver(message: &NatsMessage, waiting: &PendingReplies) {
    let job_id = message.subject.rsplit('.').next().unwrap_or_default();
    match v1::JobReply::decode(message.payload.clone()) {
        Ok(reply) if reply.job_id == job_id => {
            let mut waiting = waiting.lock();
            // No wait is pending: the reply is a repetition, or the deadline has passed.
            let Some(waiter) = waiting.get_mut(job_id) else { return };
            if reply.provisional {
                waiter.provisional = Some(reply);
            } else if let Some(waiter) = waiting.remove(job_id) {
                let _ = waiter.last.send(reply);
            }
        }
        Ok(reply) => {
            tracing::warn!(job.id = job_id, reply.job_id = reply.job_id, "reply does not match the job of its subject")
        }
        Err(cause) => tracing::warn!(job.id = job_id, error = %cause, "cannot decode a reply"),
    }
}

impl ReplyInbox {
    /// Returns the reply subject of a job.
    pub fn subject(&self, job_id: &str) -> String {
        format!("{}.{job_id}", self.subject)
    }

    /// Registers a wait for a job's reply. Register before the job is published. A second registration of the same job
    /// replaces the first.
    pub fn register(&self, job_id: &str) -> PendingReply {
        let (last, reply) = oneshot::channel();
        self.shared.waiting.lock().insert(job_id.to_owned(), PendingWaiter { last, provisional: None });
        PendingReply { job_id: job_id.to_owned(), waiting: Arc::clone(&self.shared.waiting), reply }
    }
}

impl PendingReply {
    /// Waits for the reply; at the deadline returns the provisional one, or an error if there is none.
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
        // A later registration of the same job stays.
        if waiting.get(&self.job_id).is_some_and(|waiter| waiter.last.is_closed()) {
            waiting.remove(&self.job_id);
        }
    }
}
