//! Jobs, replies and announcements between the services: the only user of NATS.
//!
//! Jobs are sent through JetStream work queues: one stream per [`Stage`], with a subject and a durable pull consumer for
//! each [`JobQueue`]. Replies and announcements use core NATS. All of it works with nats-server 2.9 and survives a restart of
//! the server without a restart of the process: the client reconnects and subscribes again, workers pull again, and a
//! reply is repeated until its receiver has confirmed it.
//!
//! This crate does not interpret results and jobs.
//!
//! ```
//! use limner_bus::{JobQueue, Stage};
//!
//! assert_eq!(Stage::Fetch.stream("limner"), "LIMNER_FETCH");
//! assert_eq!(Stage::Fetch.subject("limner", JobQueue::Paid), "limner.jobs.fetch");
//! ```

mod account_events;
mod cancellations;
mod config;
mod error;
mod grants;
mod publish;
mod renderer_presence;
mod reply;
mod topology;
mod trace;
mod worker;

pub use crate::account_events::AccountChange;
pub use crate::grants::nats_users;
pub use crate::renderer_presence::RendererPresence;
pub use cancellations::Cancellation;
pub use config::{BusConfig, StreamStorage};
pub use error::{BusError, ReplyError};
pub use reply::{PendingReply, ReplyInbox};
pub use topology::{JobQueue, Stage};
pub use worker::{JobContext, JobOutcome, WorkerOptions};

use async_nats::connection::State;
use async_nats::{Client, ConnectErrorKind, ConnectOptions, Event, ServerAddr, jetstream};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;

/// A connection to NATS. Cheap to clone.
#[derive(Clone)]
pub struct Bus {
    client: Client,
    jetstream: jetstream::Context,
    config: Arc<BusConfig>,
    /// Number of connections so far: a change means that messages in transit may be lost.
    connections: watch::Receiver<u64>,
    is_up: watch::Receiver<bool>,
}

/// Events of the connection.
#[derive(Clone)]
struct ConnectionEvents {
    connections: Arc<watch::Sender<u64>>,
    is_up: Arc<watch::Sender<bool>>,
}

/// Prefix of the seed of a user's nkey.
const NKEY_SEED: &str = "SU";
/// Time limit of a request to JetStream itself.
const API_TIMEOUT: Duration = Duration::from_secs(5);

impl Bus {
    /// Connects, and checks that the server accepts messages as large as ours. Waits up to
    /// [`BusConfig::connect_timeout`] for a server that is still starting.
    ///
    /// # Errors
    /// No server answers in time, the credentials are rejected, or `max_payload` is too small.
    pub async fn connect(config: BusConfig) -> Result<Self, BusError> {
        Self::open(config, false).await
    }

    /// Like [`Bus::connect`], but returns after [`BusConfig::connect_timeout`] even if no server answers, and connects in
    /// the background: for a process that has work without NATS.
    ///
    /// # Errors
    /// The credentials are rejected or invalid, or `max_payload` is too small.
    pub async fn connect_or_retry(config: BusConfig) -> Result<Self, BusError> {
        Self::open(config, true).await
    }

    async fn open(config: BusConfig, in_background: bool) -> Result<Self, BusError> {
        let (counted, connections) = watch::channel(0_u64);
        let (up, is_up) = watch::channel(true);
        let events = ConnectionEvents { connections: Arc::new(counted), is_up: Arc::new(up) };
        let deadline = tokio::time::Instant::now() + config.connect_timeout;
        let servers = servers(&config.url)?;
        let client = loop {
            match options(&config, &servers, events.clone())?.connect(&servers).await {
                Ok(client) => break client,
                Err(cause) if is_final(cause.kind()) => return Err(BusError::connect(cause)),
                Err(cause) if tokio::time::Instant::now() < deadline => {
                    tracing::warn!(error = %cause, "NATS is not reachable yet");
                    tokio::time::sleep(Duration::from_millis(250)).await;
                }
                Err(cause) if in_background => {
                    tracing::warn!(error = %cause, "NATS is not reachable; continuing without it");
                    events.is_up.send_replace(false);
                    let options = options(&config, &servers, events.clone())?.retry_on_initial_connect();
                    break options.connect(&servers).await.map_err(BusError::connect)?;
                }
                Err(cause) => return Err(BusError::connect(cause)),
            }
        };
        let mut jetstream = jetstream::new(client.clone());
        jetstream.set_timeout(API_TIMEOUT);
        let bus = Self { client, jetstream, config: Arc::new(config), connections, is_up };
        if bus.is_connected() {
            bus.check_payload()?;
        } else {
            tokio::spawn(bus.clone().check_payload_later());
        }
        Ok(bus)
    }

    /// Checks that the server accepts messages as large as ours.
    fn check_payload(&self) -> Result<(), BusError> {
        let (have, need) = (self.client.max_payload(), self.config.required_payload);
        if have < need { Err(BusError::MaxPayload { have, need }) } else { Ok(()) }
    }

    async fn check_payload_later(mut self) {
        if self.is_up.wait_for(|up| *up).await.is_ok()
            && let Err(cause) = self.check_payload()
        {
            tracing::error!(error = %cause, "NATS cannot be used");
        }
    }

    /// Returns whether the connection is established.
    pub fn connection_state(&self) -> watch::Receiver<bool> {
        self.is_up.clone()
    }

    /// Waits until the server has what was sent so far, such as a subscription. While the connection is down it returns
    /// at once: the client subscribes again with each connection.
    pub(crate) async fn sync_subscription(&self, subject: &str) -> Result<(), BusError> {
        if !self.is_connected() {
            return Ok(());
        }
        self.client.flush().await.map_err(|cause| BusError::subscribe(subject, cause))
    }

    /// Returns true if the connection is established now.
    pub fn is_connected(&self) -> bool {
        self.client.connection_state() == State::Connected
    }

    /// Waits until the connection is established, at most for `timeout`.
    ///
    /// # Errors
    /// [`BusError::Away`] if it is not.
    pub(crate) async fn connected(&self, patience: Duration) -> Result<(), BusError> {
        let mut is_up = self.is_up.clone();
        let up = tokio::time::timeout(patience, is_up.wait_for(|up| *up)).await;
        if matches!(up, Ok(Ok(_))) { Ok(()) } else { Err(BusError::Away) }
    }

    /// Waits until the connection is lost.
    pub(crate) async fn disconnected(&self) {
        let mut is_up = self.is_up.clone();
        if is_up.wait_for(|up| !*up).await.is_err() {
            // The client has been dropped; there will be no event.
            std::future::pending::<()>().await;
        }
    }

    /// Returns the number of connections made so far; it changes with every reconnection, when announcements may have
    /// been missed.
    pub fn connections(&self) -> watch::Receiver<u64> {
        self.connections.clone()
    }

    /// Flushes buffered messages, at most for `timeout`.
    pub async fn flush(&self, timeout: Duration) {
        if tokio::time::timeout(timeout, self.client.flush()).await.is_err() {
            tracing::warn!("NATS did not accept the last messages in time");
        }
    }

    fn subject(&self, rest: &str) -> String {
        format!("{}.{rest}", self.config.prefix)
    }
}

/// Parses the servers of a cluster: one URL, or several separated by commas.
fn servers(list: &str) -> Result<Vec<ServerAddr>, BusError> {
    let addresses = list.split(',').map(str::trim).filter(|address| !address.is_empty());
    let servers: Vec<ServerAddr> = addresses.map(str::parse).collect::<Result<_, _>>().map_err(BusError::connect)?;
    match servers.is_empty() {
        true => Err(BusError::connect("no address of a NATS server")),
        false => Ok(servers),
    }
}

/// Returns true if a retry cannot succeed.
fn is_final(kind: ConnectErrorKind) -> bool {
    use ConnectErrorKind::{Authentication, AuthorizationViolation, ServerParse};
    matches!(kind, Authentication | AuthorizationViolation | ServerParse)
}

fn options(
    config: &BusConfig,
    servers: &[ServerAddr],
    connection: ConnectionEvents,
) -> Result<ConnectOptions, BusError> {
    let options = match config.credentials.as_deref().map(str::trim) {
        Some(seed) if seed.starts_with(NKEY_SEED) => ConnectOptions::new().nkey(seed.to_owned()),
        // The client wants the line's end, which secrets lose.
        Some(credentials) => {
            ConnectOptions::new().credentials(&format!("{credentials}\n")).map_err(BusError::connect)?
        }
        None => with_url_credentials(ConnectOptions::new(), servers),
    };
    let options = match &config.extra_ca {
        Some(path) => options.add_root_certificates(path.clone()),
        None => options,
    };
    let options = options
        .name(&config.name)
        // Not the usual inboxes, which are everybody's: a user may be limited to those of its role.
        .custom_inbox_prefix(grants::inbox_prefix(&config.name))
        .request_timeout(Some(API_TIMEOUT))
        .connection_timeout(Duration::from_secs(5))
        // Half-open connections are detected within two intervals, well inside a call's deadline.
        .ping_interval(Duration::from_secs(5))
        .reconnect_delay_callback(|attempt| Duration::from_millis((50 << attempt.min(5)).min(1_000) as u64))
        .event_callback(move |event| {
            let connection = connection.clone();
            async move { record(&event, &connection) }
        });
    Ok(options)
}

/// Applies credentials in URLs, which the client ignores: `user:password@`, the operators' usual form, and `token@`,
/// which NATS also supports.
fn with_url_credentials(options: ConnectOptions, servers: &[ServerAddr]) -> ConnectOptions {
    let plain = |text: &str| percent_encoding::percent_decode_str(text).decode_utf8_lossy().into_owned();
    let Some(server) = servers.iter().find(|server| server.has_user_pass()) else { return options };
    match (server.username(), server.password()) {
        (Some(user), Some(password)) => options.user_and_password(plain(user), plain(password)),
        (Some(token), None) => options.token(plain(token)),
        (None, _) => options,
    }
}

fn record(event: &Event, connection: &ConnectionEvents) {
    match event {
        Event::Connected => {
            connection.is_up.send_replace(true);
            connection.connections.send_modify(|count| *count += 1);
            metrics::gauge!("limner_bus_connected_state").set(1.0);
            tracing::info!("NATS connected");
        }
        Event::Disconnected | Event::Closed => {
            connection.is_up.send_replace(false);
            metrics::gauge!("limner_bus_connected_state").set(0.0);
            tracing::warn!(bus.event = %event, "NATS connection lost");
        }
        Event::SlowConsumer(_) | Event::ServerError(_) | Event::ClientError(_) => {
            tracing::warn!(bus.event = %event, "NATS reported an error");
        }
        Event::LameDuckMode | Event::Draining => tracing::info!(bus.event = %event, "NATS connection is ending"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cluster_is_a_list_of_urls() {
        let hosts = |list: &str| -> Vec<(String, u16)> {
            servers(list).unwrap().iter().map(|server| (server.host().to_owned(), server.port())).collect()
        };
        assert_eq!(hosts("nats://a:4222"), [("a".to_owned(), 4222)]);
        assert_eq!(
            hosts("nats://user:word@a:1, nats://b:2,nats://[::1]:3,"),
            [("a".to_owned(), 1), ("b".to_owned(), 2), ("::1".to_owned(), 3)]
        );
        for faulty in ["", " , ", "nats://a:4222,http://b"] {
            assert!(servers(faulty).is_err(), "{faulty:?}");
        }
    }
}
