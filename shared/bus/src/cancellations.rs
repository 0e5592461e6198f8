//! Announcements that a call was cancelled, for whichever gateway has it.

use crate::{Bus, BusError};
use futures::{Stream, StreamExt};
use prost::Message;

/// Somebody gave up a call, or several that go by the same id.
#[derive(Clone, PartialEq, Eq, Hash, Message)]
pub struct Cancellation {
    /// Whose calls.
    #[prost(string, tag = "1")]
    pub account_id: String,
    /// As their caller named them.
    #[prost(string, tag = "2")]
    pub call: String,
}

const SUBJECT: &str = "calls.cancelled";

impl Bus {
    /// Tells every gateway that is connected at this moment.
    ///
    /// # Errors
    /// The connection is closed for good.
    pub async fn announce_cancellation(&self, cancellation: &Cancellation) -> Result<(), BusError> {
        let subject = self.subject(SUBJECT);
        let payload = cancellation.encode_to_vec().into();
        let published = self.client.publish(subject.clone(), payload).await;
        published.map_err(|cause| BusError::publish(&subject, cause))?;
        self.client.flush().await.map_err(|cause| BusError::publish(subject, cause))
    }

    /// Cancellations from now on. Those announced while disconnected are missed: their calls go on.
    ///
    /// # Errors
    /// The connection is closed for good.
    pub async fn cancellations(&self) -> Result<impl Stream<Item = Cancellation> + Send + Unpin + 'static, BusError> {
        let subject = self.subject(SUBJECT);
        let messages =
            self.client.subscribe(subject.clone()).await.map_err(|cause| BusError::subscribe(&subject, cause))?;
        // The server has the subscription once it answers this ping; announcements before that would be missed.
        self.client.flush().await.map_err(|cause| BusError::subscribe(subject, cause))?;
        Ok(messages.filter_map(|message| std::future::ready(read(&message.payload))))
    }
}

fn read(payload: &[u8]) -> Option<Cancellation> {
    Cancellation::decode(payload)
        .inspect_err(|cause| tracing::warn!(error = %cause, "a cancellation could not be read"))
        .ok()
}
