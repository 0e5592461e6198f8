//! One connection to a browser: matches responses to commands, and events to sessions.

use super::{CdpError, Event, Events, Session};
use chromiumoxide_cdp::cdp::browser_protocol::target::SessionId;
use chromiumoxide_types::{CallId, Command, Error, MethodCall, MethodId};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_json::value::RawValue;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

/// Maximum size of a message; larger ones are skipped. Even a complete snapshot is smaller.
const MAX_MESSAGE_BYTES: usize = 160 * 1024 * 1024;
/// Maximum number of unhandled events of a session.
const MAX_WAITING_EVENTS: usize = 16_384;
/// Maximum number of unwritten commands.
const MAX_WAITING_COMMANDS: usize = 1_024;
const READ_BYTES: usize = 256 * 1024;

/// A connection to a browser. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct Connection(Arc<ConnectionState>);

#[derive(Debug)]
struct ConnectionState {
    commands: mpsc::Sender<Vec<u8>>,
    next_id: AtomicUsize,
    waiting: Mutex<PendingCommands>,
    gone: CancellationToken,
}

type CommandResult = Result<MessagePart, Error>;

/// A result, or the parameters of an event. It keeps its message, which may be a page of many megabytes, uncopied.
#[derive(Debug)]
pub(super) struct MessagePart {
    message: String,
    range: Range<usize>,
}

impl MessagePart {
    pub(super) fn parse<T: DeserializeOwned>(&self) -> serde_json::Result<T> {
        serde_json::from_str(&self.message[self.range.clone()])
    }
}

#[derive(Debug, Default)]
struct PendingCommands {
    senders: HashMap<CallId, oneshot::Sender<CommandResult>>,
    sessions: HashMap<SessionId, mpsc::Sender<Event>>,
    closed: bool,
}

/// A response or an event. Results and parameters stay unparsed until their type is known:
/// `chromiumoxide_types::Message` would parse each into a value first, and tries every message as a response before it
/// tries an event.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Message<'a> {
    id: Option<CallId>,
    method: Option<String>,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
    #[serde(borrow)]
    result: Option<&'a RawValue>,
    error: Option<Error>,
    session_id: Option<SessionId>,
}

impl Connection {
    /// Creates a connection over both ends of a browser's pipe. `browser` receives the events without a session.
    pub(crate) fn new<R, W>(from: R, to: W) -> (Self, mpsc::Receiver<Event>)
    where
        R: AsyncRead + Send + Unpin + 'static,
        W: AsyncWrite + Send + Unpin + 'static,
    {
        let (commands, queue) = mpsc::channel(MAX_WAITING_COMMANDS);
        let (browser, events) = mpsc::channel(MAX_WAITING_EVENTS);
        let shared = ConnectionState {
            commands,
            next_id: AtomicUsize::new(1),
            waiting: Mutex::default(),
            gone: CancellationToken::new(),
        };
        let connection = Self(Arc::new(shared));
        tokio::spawn(write(queue, to, connection.0.gone.clone()));
        tokio::spawn(read_messages(from, connection.clone(), browser));
        (connection, events)
    }

    /// Resolves when the connection has ended.
    pub(crate) async fn closed(&self) {
        self.0.gone.cancelled().await;
    }

    /// Returns true if the connection has ended.
    pub(crate) fn is_gone(&self) -> bool {
        self.0.gone.is_cancelled()
    }

    /// Ends the connection: all pending commands fail.
    pub(crate) fn close(&self) {
        self.0.gone.cancel();
        let mut waiting = self.pending_commands();
        waiting.closed = true;
        waiting.senders.clear();
        waiting.sessions.clear();
    }

    /// Sends a command and waits for its result.
    pub(crate) async fn call<C: Command>(
        &self,
        session: Option<&SessionId>,
        command: C,
        timeout: Duration,
    ) -> Result<C::Response, CdpError> {
        let (method, params) = (command.identifier(), params(&command)?);
        let result = self.ask(session, method.clone(), params, timeout).await?;
        result.parse().map_err(|cause| malformed(&method, &cause))
    }

    async fn ask(
        &self,
        session: Option<&SessionId>,
        method: MethodId,
        params: Value,
        timeout: Duration,
    ) -> Result<MessagePart, CdpError> {
        let id = self.next_id();
        let (sender, answer) = oneshot::channel();
        {
            let mut waiting = self.pending_commands();
            if waiting.closed {
                return Err(CdpError::BrowserGone);
            }
            waiting.senders.insert(id, sender);
        }
        // Removes the pending command however the wait ends.
        let _asked = PendingCommand { connection: self, id };
        self.send(id, session, method.clone(), params).await?;
        match tokio::time::timeout(timeout, answer).await {
            Err(_) => Err(CdpError::Timeout(method)),
            Ok(Err(_)) => Err(CdpError::BrowserGone),
            Ok(Ok(answer)) => answer.map_err(|cause| CdpError::Refused { method, cause }),
        }
    }

    /// Sends a command and ignores its result.
    pub(crate) async fn send_and_forget(&self, session: Option<&SessionId>, command: impl Command) {
        // If the browser is gone, the command is not needed.
        if let Ok(params) = params(&command) {
            let _ = self.send(self.next_id(), session, command.identifier(), params).await;
        }
    }

    fn next_id(&self) -> CallId {
        CallId::new(self.0.next_id.fetch_add(1, Ordering::Relaxed))
    }

    async fn send(
        &self,
        id: CallId,
        session: Option<&SessionId>,
        method: MethodId,
        params: Value,
    ) -> Result<(), CdpError> {
        let call = MethodCall { id, method, session_id: session.cloned().map(String::from), params };
        let mut bytes = serde_json::to_vec(&call).map_err(|cause| malformed(&call.method, &cause))?;
        bytes.push(0);
        tokio::select! {
            sent = self.0.commands.send(bytes) => sent.map_err(|_| CdpError::BrowserGone),
            () = self.0.gone.cancelled() => Err(CdpError::BrowserGone),
        }
    }

    /// Returns the session with an id, and its events from now on.
    pub(crate) fn session(&self, id: SessionId) -> (Session, Events) {
        let (sender, receiver) = mpsc::channel(MAX_WAITING_EVENTS);
        let session = Session { connection: self.clone(), id };
        let mut waiting = self.pending_commands();
        if !waiting.closed {
            waiting.sessions.insert(session.id.clone(), sender);
        }
        (session.clone(), Events { receiver, session })
    }

    pub(super) fn forget(&self, session: &SessionId) {
        self.pending_commands().sessions.remove(session);
    }

    fn pending_commands(&self) -> MutexGuard<'_, PendingCommands> {
        self.0.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn deliver(&self, bytes: Vec<u8>, browser: &mpsc::Sender<Event>) {
        let text = String::from_utf8(bytes).unwrap_or_default();
        let message: Message<'_> = match serde_json::from_str(&text) {
            Ok(message) => message,
            Err(cause) => {
                tracing::debug!(error = %cause, "cannot parse a message of the browser");
                return;
            }
        };
        let range = |part: &RawValue| {
            let start = part.get().as_ptr() as usize - text.as_ptr() as usize;
            start..start + part.get().len()
        };
        if let Some(id) = message.id {
            let asked = self.pending_commands().senders.remove(&id);
            let answer = match (message.result.map(range), message.error) {
                (_, Some(fault)) => Err(fault),
                (Some(range), None) => Ok(MessagePart { message: text, range }),
                (None, None) => Err(Error { code: 0, message: "neither result nor error".to_owned() }),
            };
            if let Some(asked) = asked {
                let _ = asked.send(answer);
            }
            return;
        }
        let (Some(method), Some(range)) = (message.method, message.params.map(range)) else { return };
        let session_id = message.session_id;
        let event = Event { method, params: MessagePart { message: text, range } };
        match session_id {
            // The browser's own events may be dropped.
            None => drop(browser.try_send(event)),
            Some(session) => {
                let mut waiting = self.pending_commands();
                let Some(listener) = waiting.sessions.get(&session) else { return };
                if listener.try_send(event).is_err() {
                    tracing::warn!("page sends events faster than they are handled; closing its session");
                    metrics::counter!("limner_renderer_flooded_pages_total").increment(1);
                    waiting.sessions.remove(&session);
                }
            }
        }
    }
}

fn params(command: &impl Command) -> Result<Value, CdpError> {
    serde_json::to_value(command).map_err(|cause| malformed(&command.identifier(), &cause))
}

fn malformed(method: &MethodId, cause: &serde_json::Error) -> CdpError {
    CdpError::UnexpectedResponse { method: method.clone(), cause: cause.to_string() }
}

/// A pending command.
struct PendingCommand<'a> {
    connection: &'a Connection,
    id: CallId,
}

impl Drop for PendingCommand<'_> {
    fn drop(&mut self) {
        self.connection.pending_commands().senders.remove(&self.id);
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

async fn read_messages(mut from: impl AsyncRead + Unpin, connection: Connection, browser: mpsc::Sender<Event>) {
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
            let whole = std::mem::take(&mut message);
            if !std::mem::take(&mut skipping) {
                connection.deliver(whole, &browser);
            }
        }
        message.extend_from_slice(rest);
        if message.len() > MAX_MESSAGE_BYTES {
            skipping = true;
        }
        if skipping {
            message = Vec::new();
        }
    }
    connection.close();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cdp::fake_browser::FakeBrowser;
    use chromiumoxide_cdp::cdp::browser_protocol::browser::{GetVersionParams, GetVersionReturns};
    use chromiumoxide_cdp::cdp::browser_protocol::page::{EventLoadEventFired, NavigateParams};
    use chromiumoxide_cdp::cdp::browser_protocol::{inspector, page};
    use serde_json::json;

    const TEST_TIMEOUT: Duration = Duration::from_secs(10);
    const VERSION: &str = "Browser.getVersion";

    /// Requests the version of the browser in the background.
    fn ask(connection: &Connection) -> tokio::task::JoinHandle<Result<GetVersionReturns, CdpError>> {
        let connection = connection.clone();
        tokio::spawn(async move { connection.call(None, GetVersionParams::default(), TEST_TIMEOUT).await })
    }

    fn version(product: &str) -> Value {
        json!({"protocolVersion": "1.3", "product": product, "revision": "", "userAgent": "", "jsVersion": ""})
    }

    #[tokio::test]
    async fn commands_are_written_as_the_protocol_has_them() {
        let (mut puppet, connection) = FakeBrowser::new();
        connection.send_and_forget(Some(&SessionId::new("s")), NavigateParams::new("http://a.test/")).await;
        let heard = puppet.receive().await;
        let written =
            json!({"id": 1, "method": "Page.navigate", "sessionId": "s", "params": {"url": "http://a.test/"}});
        assert_eq!(heard, written);
        connection.send_and_forget(None, inspector::EnableParams::default()).await;
        assert_eq!(puppet.receive().await, json!({"id": 2, "method": "Inspector.enable", "params": {}}));
    }

    #[tokio::test]
    async fn responses_match_their_commands_in_any_order() {
        let (mut puppet, connection) = FakeBrowser::new();
        let first = ask(&connection);
        let one = puppet.receive().await;
        let second = ask(&connection);
        let other = puppet.receive().await;
        puppet.reply(&json!({"id": other["id"], "result": version("second")})).await;
        puppet.reply(&json!({"id": one["id"], "result": version("first")})).await;
        assert_eq!(first.await.unwrap().unwrap().product, "first");
        assert_eq!(second.await.unwrap().unwrap().product, "second");
    }

    #[tokio::test]
    async fn events_go_only_to_their_session() {
        let (mut puppet, connection) = FakeBrowser::new();
        let (_, mut events) = connection.session(SessionId::new("s"));
        for (session, timestamp) in [("other", 1.0), ("s", 2.0)] {
            let params = json!({"timestamp": timestamp});
            puppet.reply(&json!({"method": "Page.loadEventFired", "sessionId": session, "params": params})).await;
        }
        let event = events.next().await.unwrap().decode::<EventLoadEventFired>().unwrap();
        assert_eq!(*event.timestamp.inner(), 2.0);
    }

    #[tokio::test]
    async fn events_of_another_name_or_shape_are_ignored() {
        let (mut puppet, connection) = FakeBrowser::new();
        let (_, mut events) = connection.session(SessionId::new("s"));
        for (method, params) in [
            ("Page.brandNew", json!({"timestamp": 1})),
            ("Page.loadEventFired", json!({"timestamp": "later"})),
            ("Page.loadEventFired", json!({})),
        ] {
            puppet.reply(&json!({"method": method, "sessionId": "s", "params": params})).await;
            assert_eq!(events.next().await.unwrap().decode::<EventLoadEventFired>(), None, "{method} {params}");
        }
    }

    #[tokio::test]
    async fn pending_commands_fail_when_the_browser_is_gone_or_refuses() {
        let (mut puppet, connection) = FakeBrowser::new();
        let (_, mut events) = connection.session(SessionId::new("s"));
        let refused = ask(&connection);
        let id = puppet.receive().await["id"].clone();
        puppet.reply(&json!({"id": id, "error": {"code": -1, "message": "no"}})).await;
        let refused = refused.await.unwrap();
        assert!(matches!(refused, Err(CdpError::Refused { cause, .. }) if cause.message == "no"));

        let strange = ask(&connection);
        let id = puppet.receive().await["id"].clone();
        puppet.reply(&json!({"id": id, "result": {"product": 1}})).await;
        assert!(
            matches!(strange.await.unwrap(), Err(CdpError::UnexpectedResponse { method, .. }) if method == VERSION)
        );

        let soon = Duration::from_millis(1);
        let late = connection.call(None, page::EnableParams::default(), soon).await;
        assert!(matches!(late, Err(CdpError::Timeout(method)) if method == "Page.enable"));
        puppet.receive().await;

        let waiting = ask(&connection);
        puppet.receive().await;
        drop(puppet);
        assert!(matches!(waiting.await.unwrap(), Err(CdpError::BrowserGone)));
        assert!(events.next().await.is_none());
        assert!(matches!(ask(&connection).await.unwrap(), Err(CdpError::BrowserGone)));
        assert!(connection.pending_commands().senders.is_empty());
    }

    #[tokio::test]
    async fn malformed_messages_are_skipped() {
        let (mut puppet, connection) = FakeBrowser::new();
        puppet.write(b"nonsense\0{}\0[1]\0").await;
        puppet.reply(&json!({"id": 999, "result": {}})).await;
        let asked = ask(&connection);
        let id = puppet.receive().await["id"].clone();
        puppet.reply(&json!({"id": id, "result": version("browser")})).await;
        asked.await.unwrap().unwrap();
    }
}
