//! Whether there is a browser anywhere in the fleet: renderers say so every few seconds, and at once when somebody asks or
//! when it changes. Whoever hands out work that needs a browser knows without waiting.

use crate::{Bus, BusError};
use futures::{Stream, StreamExt};
use prost::Message;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::{Instant, MissedTickBehavior, timeout};
use tokio_util::sync::CancellationToken;

/// What a renderer says.
#[derive(Clone, PartialEq, Message)]
struct Beat {
    #[prost(string, tag = "1")]
    renderer: String,
    #[prost(bool, tag = "2")]
    has_browser: bool,
}

const SAID: &str = "renderers.said";
const ASKED: &str = "renderers.asked";
const EVERY: Duration = Duration::from_secs(2);
/// A renderer that is silent for so long is gone.
const HEARD_WITHIN: Duration = Duration::from_secs(7);
/// How long to wait for the first answer when one starts to listen.
const FIRST_ANSWER: Duration = Duration::from_millis(500);

/// The renderers that have a browser. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Renderers {
    heard: Arc<Mutex<HashMap<String, Instant>>>,
}

impl Renderers {
    /// Whether one of them has a browser at this moment.
    pub fn any(&self) -> bool {
        let mut heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner);
        heard.retain(|_, last| last.elapsed() < HEARD_WITHIN);
        !heard.is_empty()
    }

    fn hear(&self, beat: Beat) {
        let mut heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner);
        match beat.has_browser {
            true => heard.insert(beat.renderer, Instant::now()),
            false => heard.remove(&beat.renderer),
        };
    }
}

impl Bus {
    /// Follows which renderers have a browser, from now on. Asks them all, and waits a moment for the first answer.
    ///
    /// # Errors
    /// The connection is closed for good.
    pub async fn renderers(&self) -> Result<Renderers, BusError> {
        let renderers = Renderers::default();
        let mut said = self.listen(SAID).await?;
        self.say(ASKED, Vec::new()).await?;
        let first = timeout(FIRST_ANSWER, said.next()).await.ok().flatten();
        first.into_iter().for_each(|payload| renderers.note(&payload));
        let listening = renderers.clone();
        tokio::spawn(async move {
            while let Some(payload) = said.next().await {
                listening.note(&payload);
            }
        });
        Ok(renderers)
    }

    /// Says whether this renderer has a browser, until `shutdown`; then that it has none.
    ///
    /// # Errors
    /// The connection is closed for good.
    pub async fn present_renderer(
        &self,
        renderer: &str,
        mut has_browser: watch::Receiver<bool>,
        shutdown: CancellationToken,
    ) -> Result<(), BusError> {
        let mut asked = self.listen(ASKED).await?;
        let mut beats = tokio::time::interval(EVERY);
        beats.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let beat = |has_browser| Beat { renderer: renderer.to_owned(), has_browser }.encode_to_vec();
        loop {
            tokio::select! {
                () = shutdown.cancelled() => break,
                _ = beats.tick() => {}
                changed = has_browser.changed() => if changed.is_err() { break },
                question = asked.next() => if question.is_none() { break },
            }
            let now = *has_browser.borrow_and_update();
            self.say(SAID, beat(now)).await?;
        }
        self.say(SAID, beat(false)).await
    }

    async fn listen(
        &self,
        subject: &str,
    ) -> Result<impl Stream<Item = bytes::Bytes> + Send + Unpin + 'static, BusError> {
        let subject = self.subject(subject);
        let messages =
            self.client.subscribe(subject.clone()).await.map_err(|cause| BusError::subscribe(&subject, cause))?;
        // The server has the subscription once it answers this ping.
        self.client.flush().await.map_err(|cause| BusError::subscribe(subject, cause))?;
        Ok(messages.map(|message| message.payload))
    }

    async fn say(&self, subject: &str, payload: Vec<u8>) -> Result<(), BusError> {
        let subject = self.subject(subject);
        let sent = self.client.publish(subject.clone(), payload.into()).await;
        sent.map_err(|cause| BusError::publish(&subject, cause))?;
        self.client.flush().await.map_err(|cause| BusError::publish(subject, cause))
    }
}

impl Renderers {
    fn note(&self, payload: &[u8]) {
        match Beat::decode(payload) {
            Ok(beat) => self.hear(beat),
            Err(cause) => tracing::warn!(error = %cause, "a renderer could not be understood"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_renderer_counts_until_it_says_otherwise_or_falls_silent() {
        let renderers = Renderers::default();
        assert!(!renderers.any());
        let beat = |renderer: &str, has_browser| Beat { renderer: renderer.to_owned(), has_browser }.encode_to_vec();
        renderers.note(&beat("a", true));
        renderers.note(&beat("b", false));
        renderers.note(b"\xff");
        assert!(renderers.any());
        renderers.note(&beat("a", false));
        assert!(!renderers.any());
        renderers.note(&beat("a", true));
        tokio::time::advance(HEARD_WITHIN).await;
        assert!(!renderers.any());
    }
}
