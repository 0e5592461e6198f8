//! Jobs, replies and announcements between the services: the only user of NATS.
//!
//! Jobs travel on JetStream work queues, one stream, one subject and one durable pull consumer per [`Stage`]. Replies
//! and announcements are core NATS. Everything keeps to the feature set of nats-server 2.9 and survives a restart of
//! the server without a restart of the process: the client reconnects and subscribes again, workers pull again, and a
//! reply is repeated until its receiver has confirmed it.
//!
//! This crate never looks into a result and never decides what a job means.

mod accounts;
mod cancellations;
mod config;
mod error;
mod publish;
mod renderers;
mod reply;
mod topology;
mod trace;
mod worker;

pub use accounts::AccountChange;
pub use cancellations::Cancellation;
pub use config::BusConfig;
pub use error::{BusError, ReplyError};
pub use renderers::Renderers;
pub use reply::{PendingReply, ReplyInbox};
pub use topology::Stage;
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
    /// Counts connections: a change means that whatever was under way on the old one may be lost.
    connections: watch::Receiver<u64>,
    is_up: watch::Receiver<bool>,
}

/// What is heard of the connection.
#[derive(Clone)]
struct Line {
    connections: Arc<watch::Sender<u64>>,
    is_up: Arc<watch::Sender<bool>>,
}

/// How long a request to JetStream itself may take.
const API_TIMEOUT: Duration = Duration::from_secs(5);

impl Bus {
    /// Connects and checks that the server takes messages as large as ours. Waits up to
    /// [`BusConfig::connect_timeout`] for a server that is still starting.
    ///
    /// # Errors
    /// No server in that time, refused credentials, or a `max_payload` that is too small.
    pub async fn connect(config: BusConfig) -> Result<Self, BusError> {
        let (counted, connections) = watch::channel(0_u64);
        let (up, is_up) = watch::channel(true);
        let line = Line { connections: Arc::new(counted), is_up: Arc::new(up) };
        let deadline = tokio::time::Instant::now() + config.connect_timeout;
        let servers = servers(&config.url)?;
        let client = loop {
            match options(&config, &servers, line.clone()).connect(&servers).await {
                Ok(client) => break client,
                Err(cause) if is_final(cause.kind()) || tokio::time::Instant::now() >= deadline => {
                    return Err(BusError::connect(cause));
                }
                Err(cause) => {
                    tracing::warn!(error = %cause, "NATS does not answer yet");
                    tokio::time::sleep(Duration::from_millis(250)).await;
                }
            }
        };
        let have = client.max_payload();
        if have < config.required_payload {
            return Err(BusError::MaxPayload { have, need: config.required_payload });
        }
        let mut jetstream = jetstream::new(client.clone());
        jetstream.set_timeout(API_TIMEOUT);
        Ok(Self { client, jetstream, config: Arc::new(config), connections, is_up })
    }

    /// Whether the connection stands right now.
    pub fn is_connected(&self) -> bool {
        self.client.connection_state() == State::Connected
    }

    /// Waits until the connection stands, at most for `patience`.
    ///
    /// # Errors
    /// [`BusError::Away`] when it does not.
    pub(crate) async fn connected(&self, patience: Duration) -> Result<(), BusError> {
        let mut is_up = self.is_up.clone();
        let up = tokio::time::timeout(patience, is_up.wait_for(|up| *up)).await;
        if matches!(up, Ok(Ok(_))) { Ok(()) } else { Err(BusError::Away) }
    }

    /// Waits until the connection is lost.
    pub(crate) async fn lost(&self) {
        let mut is_up = self.is_up.clone();
        if is_up.wait_for(|up| !*up).await.is_err() {
            // The client is gone; nobody will say so again.
            std::future::pending::<()>().await;
        }
    }

    /// Counts the connections made so far; it changes with every reconnection, when announcements may have been
    /// missed.
    pub fn connections(&self) -> watch::Receiver<u64> {
        self.connections.clone()
    }

    /// Writes out whatever is still buffered, at most for `patience`.
    pub async fn flush(&self, patience: Duration) {
        if tokio::time::timeout(patience, self.client.flush()).await.is_err() {
            tracing::warn!("NATS did not take the last messages in time");
        }
    }

    fn subject(&self, rest: &str) -> String {
        format!("{}.{rest}", self.config.prefix)
    }
}

/// The servers of a cluster: one address, or several with commas in between.
fn servers(list: &str) -> Result<Vec<ServerAddr>, BusError> {
    let addresses = list.split(',').map(str::trim).filter(|address| !address.is_empty());
    let servers: Vec<ServerAddr> = addresses.map(str::parse).collect::<Result<_, _>>().map_err(BusError::connect)?;
    match servers.is_empty() {
        true => Err(BusError::connect("no address of a NATS server")),
        false => Ok(servers),
    }
}

/// Whether asking again is pointless.
fn is_final(kind: ConnectErrorKind) -> bool {
    use ConnectErrorKind::{Authentication, AuthorizationViolation, ServerParse};
    matches!(kind, Authentication | AuthorizationViolation | ServerParse)
}

fn options(config: &BusConfig, servers: &[ServerAddr], line: Line) -> ConnectOptions {
    with_credentials(ConnectOptions::new(), servers)
        .name(&config.name)
        .request_timeout(Some(API_TIMEOUT))
        .connection_timeout(Duration::from_secs(5))
        // Half-open connections are noticed within two intervals, well inside a call's deadline.
        .ping_interval(Duration::from_secs(5))
        .reconnect_delay_callback(|attempt| Duration::from_millis((50 << attempt.min(5)).min(1_000) as u64))
        .event_callback(move |event| {
            let line = line.clone();
            async move { note(&event, &line) }
        })
}

/// The client ignores credentials in addresses; `user:password@` is what operators write, `token@` what NATS knows too.
fn with_credentials(options: ConnectOptions, servers: &[ServerAddr]) -> ConnectOptions {
    let plain = |text: &str| percent_encoding::percent_decode_str(text).decode_utf8_lossy().into_owned();
    let Some(server) = servers.iter().find(|server| server.has_user_pass()) else { return options };
    match (server.username(), server.password()) {
        (Some(user), Some(password)) => options.user_and_password(plain(user), plain(password)),
        (Some(token), None) => options.token(plain(token)),
        (None, _) => options,
    }
}

fn note(event: &Event, line: &Line) {
    match event {
        Event::Connected => {
            line.is_up.send_replace(true);
            line.connections.send_modify(|count| *count += 1);
            metrics::gauge!("limner_bus_connected_state").set(1.0);
            tracing::info!("NATS connected");
        }
        Event::Disconnected | Event::Closed => {
            line.is_up.send_replace(false);
            metrics::gauge!("limner_bus_connected_state").set(0.0);
            tracing::warn!(event = %event, "NATS connection lost");
        }
        Event::SlowConsumer(_) | Event::ServerError(_) | Event::ClientError(_) => {
            tracing::warn!(event = %event, "NATS reports a fault");
        }
        Event::LameDuckMode | Event::Draining => tracing::info!(event = %event, "NATS"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cluster_is_a_list_of_addresses() {
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
