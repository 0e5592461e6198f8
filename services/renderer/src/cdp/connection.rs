//! One connection to a browser: who asked what, and whose event it is.

use super::{CdpError, Event, Events, Session};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

/// Larger messages are skipped. A snapshot with everything in it is smaller.
const MAX_MESSAGE_BYTES: usize = 160 * 1024 * 1024;
/// Events of a session that wait to be handled.
const MAX_WAITING_EVENTS: usize = 16_384;
/// Commands that wait to be written.
const MAX_WAITING_COMMANDS: usize = 1_024;
const READ_BYTES: usize = 256 * 1024;

/// A connection to a browser. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct Connection(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    commands: mpsc::Sender<Vec<u8>>,
    next_id: AtomicU64,
    waiting: Mutex<Waiting>,
    gone: CancellationToken,
}

type Answer = Result<Box<RawValue>, String>;

#[derive(Debug, Default)]
struct Waiting {
    answers: HashMap<u64, oneshot::Sender<Answer>>,
    sessions: HashMap<Arc<str>, mpsc::Sender<Event>>,
    closed: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Command<'a, P> {
    id: u64,
    method: &'a str,
    params: P,
    #[serde(skip_serializing_if = "Option::is_none")]
    session_id: Option<&'a str>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Message {
    id: Option<u64>,
    method: Option<String>,
    params: Option<Box<RawValue>>,
    result: Option<Box<RawValue>>,
    error: Option<Fault>,
    session_id: Option<String>,
}

#[derive(Deserialize)]
struct Fault {
    message: String,
}

impl Connection {
    /// A connection over both ends of a browser's pipe. `browser` gets the events that belong to no session.
    pub(crate) fn new<R, W>(from: R, to: W) -> (Self, mpsc::Receiver<Event>)
    where
        R: AsyncRead + Send + Unpin + 'static,
        W: AsyncWrite + Send + Unpin + 'static,
    {
        let (commands, queue) = mpsc::channel(MAX_WAITING_COMMANDS);
        let (browser, events) = mpsc::channel(MAX_WAITING_EVENTS);
        let shared =
            Shared { commands, next_id: AtomicU64::new(1), waiting: Mutex::default(), gone: CancellationToken::new() };
        let connection = Self(Arc::new(shared));
        tokio::spawn(write(queue, to, connection.0.gone.clone()));
        tokio::spawn(read(from, connection.clone(), browser));
        (connection, events)
    }

    /// Resolves when the browser is gone.
    pub(crate) async fn gone(&self) {
        self.0.gone.cancelled().await;
    }

    /// Whether the browser is gone.
    pub(crate) fn is_gone(&self) -> bool {
        self.0.gone.is_cancelled()
    }

    /// Ends the connection: whoever waits hears that the browser is gone.
    pub(crate) fn close(&self) {
        self.0.gone.cancel();
        let mut waiting = self.waiting();
        waiting.closed = true;
        waiting.answers.clear();
        waiting.sessions.clear();
    }

    /// Sends a command and waits for its result.
    pub(crate) async fn call<T: DeserializeOwned>(
        &self,
        session: Option<&str>,
        method: &'static str,
        params: impl Serialize,
        patience: Duration,
    ) -> Result<T, CdpError> {
        let id = self.0.next_id.fetch_add(1, Ordering::Relaxed);
        let (sender, answer) = oneshot::channel();
        {
            let mut waiting = self.waiting();
            if waiting.closed {
                return Err(CdpError::Gone);
            }
            waiting.answers.insert(id, sender);
        }
        // Whatever ends the waiting, nobody waits for this answer any more.
        let _asked = Asked { connection: self, id };
        self.send(Command { id, method, params, session_id: session }).await?;
        let answer = match tokio::time::timeout(patience, answer).await {
            Err(_) => return Err(CdpError::Timeout(method)),
            Ok(Err(_)) => return Err(CdpError::Gone),
            Ok(Ok(answer)) => answer,
        };
        let result = answer.map_err(|message| CdpError::Refused { method, message })?;
        serde_json::from_str(result.get()).map_err(|cause| CdpError::Strange { method, cause: cause.to_string() })
    }

    /// Sends a command whose result does not matter.
    pub(crate) async fn tell(&self, session: Option<&str>, method: &'static str, params: impl Serialize) {
        let id = self.0.next_id.fetch_add(1, Ordering::Relaxed);
        // A browser that is gone needs no telling.
        let _ = self.send(Command { id, method, params, session_id: session }).await;
    }

    async fn send<P: Serialize>(&self, command: Command<'_, P>) -> Result<(), CdpError> {
        let method = "a command";
        let strange = |cause: serde_json::Error| CdpError::Strange { method, cause: cause.to_string() };
        let mut bytes = serde_json::to_vec(&command).map_err(strange)?;
        bytes.push(0);
        tokio::select! {
            sent = self.0.commands.send(bytes) => sent.map_err(|_| CdpError::Gone),
            () = self.0.gone.cancelled() => Err(CdpError::Gone),
        }
    }

    /// The session of that id, and its events from now on.
    pub(crate) fn session(&self, id: &str) -> (Session, Events) {
        let (sender, receiver) = mpsc::channel(MAX_WAITING_EVENTS);
        let session = Session { connection: self.clone(), id: Arc::from(id) };
        let mut waiting = self.waiting();
        if !waiting.closed {
            waiting.sessions.insert(Arc::clone(&session.id), sender);
        }
        (session.clone(), Events { receiver, session })
    }

    pub(super) fn forget(&self, session: &str) {
        self.waiting().sessions.remove(session);
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.0.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn deliver(&self, bytes: &[u8], browser: &mpsc::Sender<Event>) {
        let message: Message = match serde_json::from_slice(bytes) {
            Ok(message) => message,
            Err(cause) => {
                tracing::debug!(error = %cause, "a message of the browser could not be read");
                return;
            }
        };
        if let Some(id) = message.id {
            let asked = self.waiting().answers.remove(&id);
            let answer = match (message.result, message.error) {
                (_, Some(fault)) => Err(fault.message),
                (Some(result), None) => Ok(result),
                (None, None) => Err("neither result nor error".to_owned()),
            };
            if let Some(asked) = asked {
                let _ = asked.send(answer);
            }
            return;
        }
        let (Some(method), Some(params)) = (message.method, message.params) else { return };
        let event = Event { method, params };
        match message.session_id {
            // Nobody needs every one of the browser's own events.
            None => drop(browser.try_send(event)),
            Some(session) => {
                let mut waiting = self.waiting();
                let Some(listener) = waiting.sessions.get(session.as_str()) else { return };
                if listener.try_send(event).is_err() {
                    tracing::warn!("a page's events come faster than they are handled: it is given up");
                    metrics::counter!("limner_renderer_flooded_pages_total").increment(1);
                    waiting.sessions.remove(session.as_str());
                }
            }
        }
    }
}

/// A command that somebody waits for.
struct Asked<'a> {
    connection: &'a Connection,
    id: u64,
}

impl Drop for Asked<'_> {
    fn drop(&mut self) {
        self.connection.waiting().answers.remove(&self.id);
    }
}

async fn write(mut queue: mpsc::Receiver<Vec<u8>>, mut to: impl AsyncWrite + Unpin, gone: CancellationToken) {
    loop {
        let command = tokio::select! {
            command = queue.recv() => command,
            () = gone.cancelled() => None,
        };
        let Some(command) = command else { return };
        let written = tokio::select! {
            written = to.write_all(&command) => written.is_ok(),
            () = gone.cancelled() => false,
        };
        if !written {
            return;
        }
    }
}

async fn read(mut from: impl AsyncRead + Unpin, connection: Connection, browser: mpsc::Sender<Event>) {
    let mut chunk = vec![0; READ_BYTES];
    let mut message = Vec::new();
    let mut skipping = false;
    loop {
        let read = tokio::select! {
            read = from.read(&mut chunk) => read.unwrap_or(0),
            () = connection.0.gone.cancelled() => 0,
        };
        if read == 0 {
            break;
        }
        let mut rest = &chunk[..read];
        while let Some(end) = rest.iter().position(|byte| *byte == 0) {
            message.extend_from_slice(&rest[..end]);
            rest = &rest[end + 1..];
            if !std::mem::take(&mut skipping) {
                connection.deliver(&message, &browser);
            }
            message.clear();
            message.shrink_to(READ_BYTES);
        }
        message.extend_from_slice(rest);
        if message.len() > MAX_MESSAGE_BYTES {
            skipping = true;
        }
        if skipping {
            message.clear();
        }
    }
    connection.close();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cdp::Nothing;
    use serde_json::json;

    const SOON: Duration = Duration::from_secs(10);

    /// Answers what a browser would be asked.
    struct Puppet {
        from: tokio::io::ReadHalf<tokio::io::DuplexStream>,
        to: tokio::io::WriteHalf<tokio::io::DuplexStream>,
    }

    impl Puppet {
        fn new() -> (Self, Connection) {
            let (ours, theirs) = tokio::io::duplex(1 << 16);
            let (from, to) = tokio::io::split(ours);
            let (connection, _) = Connection::new(from, to);
            let (from, to) = tokio::io::split(theirs);
            (Self { from, to }, connection)
        }

        async fn hear(&mut self) -> serde_json::Value {
            let mut bytes = Vec::new();
            loop {
                match self.from.read_u8().await.unwrap() {
                    0 => return serde_json::from_slice(&bytes).unwrap(),
                    byte => bytes.push(byte),
                }
            }
        }

        async fn say(&mut self, message: &serde_json::Value) {
            self.to.write_all(message.to_string().as_bytes()).await.unwrap();
            self.to.write_all(&[0]).await.unwrap();
        }
    }

    #[tokio::test]
    async fn answers_find_those_who_asked_in_whatever_order_they_come() {
        let (mut puppet, connection) = Puppet::new();
        let ask = |method| {
            let connection = connection.clone();
            tokio::spawn(
                async move { connection.call::<serde_json::Value>(Some("s"), method, json!({"a": 1}), SOON).await },
            )
        };
        let (first, second) = (ask("A.first"), ask("A.second"));
        let (one, other) = (puppet.hear().await, puppet.hear().await);
        assert_eq!((&one["sessionId"], &one["params"]), (&json!("s"), &json!({"a": 1})));
        puppet.say(&json!({"id": other["id"], "result": {"to": other["method"]}})).await;
        puppet.say(&json!({"id": one["id"], "result": {"to": one["method"]}})).await;
        assert_eq!(first.await.unwrap().unwrap()["to"], "A.first");
        assert_eq!(second.await.unwrap().unwrap()["to"], "A.second");
    }

    #[tokio::test]
    async fn events_go_to_their_session_alone() {
        let (mut puppet, connection) = Puppet::new();
        let (_, mut events) = connection.session("s");
        for session in ["other", "s"] {
            puppet.say(&json!({"method": "E.happened", "sessionId": session, "params": {"n": session}})).await;
        }
        let event = events.next().await.unwrap();
        assert_eq!(event.read::<serde_json::Value>().unwrap()["n"], "s");
    }

    #[tokio::test]
    async fn whoever_waits_hears_when_the_browser_is_gone_or_refuses() {
        let (mut puppet, connection) = Puppet::new();
        let (_, mut events) = connection.session("s");
        let asking = connection.clone();
        let refused = tokio::spawn(async move { asking.call::<Nothing>(None, "A.b", json!({}), SOON).await });
        let id = puppet.hear().await["id"].clone();
        puppet.say(&json!({"id": id, "error": {"code": -1, "message": "no"}})).await;
        assert!(matches!(refused.await.unwrap(), Err(CdpError::Refused { message, .. }) if message == "no"));

        let late = connection.call::<Nothing>(None, "A.b", json!({}), Duration::from_millis(1)).await;
        assert!(matches!(late, Err(CdpError::Timeout("A.b"))));

        let asking = connection.clone();
        let waiting = tokio::spawn(async move { asking.call::<Nothing>(None, "A.b", json!({}), SOON).await });
        puppet.hear().await;
        drop(puppet);
        assert!(matches!(waiting.await.unwrap(), Err(CdpError::Gone)));
        assert!(events.next().await.is_none());
        assert!(matches!(connection.call::<Nothing>(None, "A.b", json!({}), SOON).await, Err(CdpError::Gone)));
        assert!(connection.waiting().answers.is_empty());
    }

    #[tokio::test]
    async fn nonsense_is_passed_over() {
        let (mut puppet, connection) = Puppet::new();
        puppet.to.write_all(b"nonsense\0{}\0[1]\0").await.unwrap();
        puppet.say(&json!({"id": 999, "result": {}})).await;
        let asking = connection.clone();
        let asked = tokio::spawn(async move { asking.call::<Nothing>(None, "A.b", json!({}), SOON).await });
        let id = puppet.hear().await["id"].clone();
        puppet.say(&json!({"id": id, "result": {}})).await;
        asked.await.unwrap().unwrap();
    }
}
