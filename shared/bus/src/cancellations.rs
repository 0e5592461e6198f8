//! Announcements of cancelled calls to all gateways.

use crate::{Bus, BusError};
use futures::{Stream, StreamExt};
use prost::Message;

/// The cancellation of a call, or of several with the same id.
#[derive(Clone, PartialEq, Eq, Hash, Message)]
pub struct Cancellation {
    /// The account of the calls.
    #[prost(string, tag = "1")]
    pub account_id: String,
    /// Name of the call, given by its caller.
    #[prost(string, tag = "2")]
    pub call: String,
}

const SUBJECT: &str = "calls.cancelled";

impl Bus {
    /// Announces a cancellation to all gateways that are connected at this moment.
    ///
    /// # Errors
    /// The connection is permanently closed.
    pub async fn announce_cancellation(&self, cancellation: &Cancellation) -> Result<(), BusError> {
        let subject = self.subject(SUBJECT);
        let payload = cancellation.encode_to_vec().into();
        let published = self.client.publish(subject.clone(), payload).await;
        published.map_err(|cause| BusError::publish(&subject, cause))?;
        self.client.flush().await.map_err(|cause| BusError::publish(subject, cause))
    }

    /// Returns the cancellations from now on. Those announced while disconnected are missed: their calls continue.
    ///
    /// # Errors
    /// The connection is permanently closed.
    pub async fn cancellations(&self) -> Result<impl Stream<Item = Cancellation> + Send + Unpin + 'static, BusError> {
        let subject = self.subject(SUBJECT);
        let messages =
            self.client.subscribe(subject.clone()).await.map_err(|cause| BusError::subscribe(&subject, cause))?;
        // A response to this ping means that the server has the subscription; announcements before that would be
        // missed.
        self.sync_subscription(&subject).await?;
        Ok(messages.filter_map(|message| std::future::ready(read(&message.payload))))
    }
}

fn read(payload: &[u8]) -> Option<Cancellation> {
    Cancellation::decode(payload)
        .inspect_err(|cause| tracing::warn!(error = %cause, "cannot decode a cancellation"))
        .ok()
}
