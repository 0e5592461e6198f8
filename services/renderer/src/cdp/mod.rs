//! The DevTools protocol over a pipe, as far as a visit needs it: commands, and the events of one session at a time.
//!
//! Messages are JSON objects that end with a zero byte. What is too large to be an honest answer is skipped while it is
//! read; a session whose events come faster than they are handled is dropped.

mod connection;

pub(crate) use connection::Connection;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use std::time::Duration;
use tokio::sync::mpsc;

/// Why a command has no result.
#[derive(Debug, Clone, thiserror::Error)]
pub(crate) enum CdpError {
    /// The browser is gone.
    #[error("the browser is gone")]
    Gone,
    /// It did not answer in time.
    #[error("`{0}` was not answered in time")]
    Timeout(&'static str),
    /// It refused.
    #[error("`{method}` was refused: {message}")]
    Refused {
        /// The command.
        method: &'static str,
        /// Why.
        message: String,
    },
    /// It answered something else than it should.
    #[error("`{method}` was answered strangely: {cause}")]
    Strange {
        /// The command.
        method: &'static str,
        /// What is wrong with the answer.
        cause: String,
    },
}

/// Something that happened in a session.
#[derive(Debug)]
pub(crate) struct Event {
    /// Such as `Page.loadEventFired`.
    pub(crate) method: String,
    params: Box<RawValue>,
}

impl Event {
    /// The event's parameters; `None` when they are not what was expected.
    pub(crate) fn read<T: DeserializeOwned>(&self) -> Option<T> {
        let read = serde_json::from_str(self.params.get());
        read.inspect_err(|cause| tracing::debug!(event = self.method, error = %cause, "an event could not be read"))
            .ok()
    }
}

/// Commands to one target. Cheap to clone; the session ends with its [`Events`].
#[derive(Debug, Clone)]
pub(crate) struct Session {
    connection: Connection,
    id: std::sync::Arc<str>,
}

/// What happens in a session. Closed when the target or the browser is gone, or when nobody kept up.
#[derive(Debug)]
pub(crate) struct Events {
    receiver: mpsc::Receiver<Event>,
    session: Session,
}

impl Session {
    /// Sends a command and waits for its result.
    pub(crate) async fn call<T: DeserializeOwned>(
        &self,
        method: &'static str,
        params: impl Serialize,
        patience: Duration,
    ) -> Result<T, CdpError> {
        self.connection.call(Some(&self.id), method, params, patience).await
    }

    /// Sends a command whose result does not matter.
    pub(crate) async fn tell(&self, method: &'static str, params: impl Serialize) {
        self.connection.tell(Some(&self.id), method, params).await;
    }
}

impl Events {
    /// The next event; `None`: there will be none.
    pub(crate) async fn next(&mut self) -> Option<Event> {
        self.receiver.recv().await
    }
}

impl Drop for Events {
    fn drop(&mut self) {
        self.session.connection.forget(&self.session.id);
    }
}

/// For commands without a result worth reading.
#[derive(Debug, serde::Deserialize)]
pub(crate) struct Nothing {}
