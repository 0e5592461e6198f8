//! The DevTools protocol over a pipe: typed commands, and the events of one session at a time.
//!
//! Commands, results and events are the types of `chromiumoxide_cdp`. Messages are JSON objects that end with a zero
//! byte. A message that is too large to be legitimate is skipped while it is read; a session whose events arrive faster
//! than they are handled is dropped.

mod connection;
#[cfg(test)]
pub(crate) mod fake_browser;
mod permissions;

pub(crate) use connection::Connection;
pub(crate) use permissions::GrantPermissionsParams;

use chromiumoxide_cdp::cdp::browser_protocol::target::SessionId;
use chromiumoxide_types::{Command, MethodId, MethodType};
use connection::MessagePart;
use serde::de::DeserializeOwned;
use std::time::Duration;
use tokio::sync::mpsc;

/// The reason why a command has no result.
#[derive(Debug, Clone, thiserror::Error)]
pub(crate) enum CdpError {
    /// The browser is gone.
    #[error("the browser is gone")]
    BrowserGone,
    /// The browser did not respond in time.
    #[error("`{0}` was not answered in time")]
    Timeout(MethodId),
    /// The browser rejected the command.
    #[error("`{method}` was refused: {cause}")]
    Refused {
        /// The command.
        method: MethodId,
        /// The error.
        cause: chromiumoxide_types::Error,
    },
    /// The response has an unexpected shape.
    #[error("`{method}` was answered strangely: {cause}")]
    UnexpectedResponse {
        /// The command.
        method: MethodId,
        /// The parse error.
        cause: String,
    },
}

/// An event of a session.
#[derive(Debug)]
pub(crate) struct Event {
    /// Name, such as `Page.loadEventFired`.
    method: String,
    params: MessagePart,
}

impl Event {
    /// Returns the event if it is an `E`. An event of that name with another shape (of a newer browser) is ignored and
    /// counted.
    pub(crate) fn decode<E: MethodType + DeserializeOwned>(&self) -> Option<E> {
        let method = E::method_id();
        if self.method != method {
            return None;
        }
        let read = self.params.parse();
        read.inspect_err(|cause| {
            tracing::debug!(cdp.event = self.method, error = %cause, "cannot parse an event");
            metrics::counter!("limner_renderer_unreadable_events_total", "event" => method).increment(1);
        })
        .ok()
    }
}

/// Commands to one target. Cheap to clone; the session ends with its [`Events`].
#[derive(Debug, Clone)]
pub(crate) struct Session {
    connection: Connection,
    id: SessionId,
}

/// The events of a session. Closed when the target or the browser is gone, or when events were handled too slowly.
#[derive(Debug)]
pub(crate) struct Events {
    receiver: mpsc::Receiver<Event>,
    session: Session,
}

impl Session {
    /// Sends a command and waits for its result.
    pub(crate) async fn call<C: Command>(&self, command: C, timeout: Duration) -> Result<C::Response, CdpError> {
        self.connection.call(Some(&self.id), command, timeout).await
    }

    /// Sends a command and ignores its result.
    pub(crate) async fn send_and_forget(&self, command: impl Command) {
        self.connection.send_and_forget(Some(&self.id), command).await;
    }

    /// Returns true if the browser is gone.
    pub(crate) fn has_no_browser(&self) -> bool {
        self.connection.is_gone()
    }
}

impl Events {
    /// Returns the next event; `None` at the end.
    pub(crate) async fn next(&mut self) -> Option<Event> {
        self.receiver.recv().await
    }
}

impl Drop for Events {
    fn drop(&mut self) {
        self.session.connection.forget(&self.session.id);
    }
}
