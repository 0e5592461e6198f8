//! Presence of renderers with a browser in the fleet: renderers send heartbeats every few seconds, and at once when
//! requested or when their state changes. Dispatchers of browser jobs therefore know without waiting.

use crate::{Bus, BusError};
use futures::{Stream, StreamExt};
use prost::Message;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::{Instant, MissedTickBehavior, timeout};
use tokio_util::sync::CancellationToken;

/// A renderer's heartbeat.
#[derive(Clone, PartialEq, Message)]
struct Heartbeat {
    #[prost(string, tag = "1")]
    renderer: String,
    #[prost(bool, tag = "2")]
    has_browser: bool,
}

const SAID: &str = "renderers.said";
const ASKED: &str = "renderers.asked";
const EVERY: Duration = Duration::from_secs(2);
/// Time after which a silent renderer counts as gone.
const HEARD_WITHIN: Duration = Duration::from_secs(7);
/// Time to wait for the first response when a listener starts.
const FIRST_ANSWER: Duration = Duration::from_millis(500);

/// The renderers that have a browser. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct RendererPresence {
    heard: Arc<Mutex<HashMap<String, Instant>>>,
}

impl RendererPresence {
    /// Returns true if one of them has a browser now.
    pub fn any(&self) -> bool {
        let mut heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner);
        heard.retain(|_, last| last.elapsed() < HEARD_WITHIN);
        !heard.is_empty()
    }

    fn receive(&self, heartbeat: Heartbeat) {
        let mut heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner);
        match heartbeat.has_browser {
            true => heard.insert(heartbeat.renderer, Instant::now()),
            false => heard.remove(&heartbeat.renderer),
        };
    }
}

impl Bus {
    /// Follows the presence of renderers from now on. Requests a heartbeat from all of them, and waits a moment for the
    /// first one.
    ///
    /// # Errors
    /// The connection is permanently closed.
    pub async fn renderers(&self) -> Result<RendererPresence, BusError> {
        let renderers = RendererPresence::default();
        let mut said = self.listen(SAID).await?;
        // Renderers also advertise without a question.
        if self.is_connected() {
            self.publish_presence(ASKED, Vec::new()).await?;
            let first = timeout(FIRST_ANSWER, said.next()).await.ok().flatten();
            first.into_iter().for_each(|payload| renderers.record(&payload));
        }
        let listening = renderers.clone();
        tokio::spawn(async move {
            while let Some(payload) = said.next().await {
                listening.record(&payload);
            }
        });
        Ok(renderers)
    }

    /// Advertises whether this renderer has a browser, until `shutdown`; then advertises that it has none.
    ///
    /// # Errors
    /// The connection is permanently closed.
    pub async fn advertise_renderer(
        &self,
        renderer: &str,
        mut has_browser: watch::Receiver<bool>,
        shutdown: CancellationToken,
    ) -> Result<(), BusError> {
        let mut asked = self.listen(ASKED).await?;
        let mut beats = tokio::time::interval(EVERY);
        beats.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let heartbeat = |has_browser| Heartbeat { renderer: renderer.to_owned(), has_browser }.encode_to_vec();
        loop {
            tokio::select! {
                () = shutdown.cancelled() => break,
                _ = beats.tick() => {}
                changed = has_browser.changed() => if changed.is_err() { break },
                question = asked.next() => if question.is_none() { break },
            }
            let now = *has_browser.borrow_and_update();
            self.publish_presence(SAID, heartbeat(now)).await?;
        }
        self.publish_presence(SAID, heartbeat(false)).await
    }

    async fn listen(
        &self,
        subject: &str,
    ) -> Result<impl Stream<Item = bytes::Bytes> + Send + Unpin + 'static, BusError> {
        let subject = self.subject(subject);
        let messages =
            self.client.subscribe(subject.clone()).await.map_err(|cause| BusError::subscribe(&subject, cause))?;
        // A response to this ping means that the server has the subscription.
        self.sync_subscription(&subject).await?;
        Ok(messages.map(|message| message.payload))
    }

    async fn publish_presence(&self, subject: &str, payload: Vec<u8>) -> Result<(), BusError> {
        let subject = self.subject(subject);
        let sent = self.client.publish(subject.clone(), payload.into()).await;
        sent.map_err(|cause| BusError::publish(&subject, cause))?;
        self.client.flush().await.map_err(|cause| BusError::publish(subject, cause))
    }
}

impl RendererPresence {
    fn record(&self, payload: &[u8]) {
        match Heartbeat::decode(payload) {
            Ok(heartbeat) => self.receive(heartbeat),
            Err(cause) => tracing::warn!(error = %cause, "cannot decode a renderer heartbeat"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn renderer_is_present_until_it_signs_off_or_falls_silent() {
        let renderers = RendererPresence::default();
        assert!(!renderers.any());
        let heartbeat =
            |renderer: &str, has_browser| Heartbeat { renderer: renderer.to_owned(), has_browser }.encode_to_vec();
        renderers.record(&heartbeat("a", true));
        renderers.record(&heartbeat("b", false));
        renderers.record(b"\xff");
        assert!(renderers.any());
        renderers.record(&heartbeat("a", false));
        assert!(!renderers.any());
        renderers.record(&heartbeat("a", true));
        tokio::time::advance(HEARD_WITHIN).await;
        assert!(!renderers.any());
    }
}
