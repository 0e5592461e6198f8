//! How the bus is reached and how patient it is.

use std::time::Duration;

/// Configuration of a [`crate::Bus`].
#[derive(Debug, Clone)]
pub struct BusConfig {
    /// `nats://host:4222`; several servers are separated by commas. `user:password@` is honoured.
    pub url: String,
    /// What the server's monitoring calls this connection.
    pub name: String,
    /// First part of every subject, and of the names of streams and consumers.
    pub prefix: String,
    /// How long a worker may be silent before its job goes to another. Takes effect with [`crate::Bus::declare`].
    pub ack_wait: Duration,
    /// How often a job is tried before it is answered with a failure.
    pub max_deliveries: u32,
    /// Age at which an unclaimed job is dropped from its stream; longer than any call's deadline.
    pub max_job_age: Duration,
    /// Copies of each stream in a cluster.
    pub replicas: usize,
    /// The smallest `max_payload` of the server that will do.
    pub required_payload: usize,
    /// How long [`crate::Bus::connect`] waits for a server.
    pub connect_timeout: Duration,
}

impl Default for BusConfig {
    fn default() -> Self {
        Self {
            url: "nats://127.0.0.1:4222".to_owned(),
            name: "limner".to_owned(),
            prefix: "limner".to_owned(),
            ack_wait: Duration::from_secs(9),
            max_deliveries: 4,
            max_job_age: Duration::from_secs(300),
            replicas: 1,
            required_payload: 8 * 1024 * 1024,
            connect_timeout: Duration::from_secs(20),
        }
    }
}
