//! Configuration of the bus: servers, streams and timeouts.

use std::path::PathBuf;
use std::time::Duration;

/// The place of a stream's messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StreamStorage {
    /// The disks of the servers.
    File,
    /// The memory of the servers: jobs, and the streams themselves, survive in the other servers of a cluster only.
    Memory,
}

/// Configuration of a [`crate::Bus`].
#[derive(Clone)]
pub struct BusConfig {
    /// `nats://host:4222`; several servers are separated by commas. `user:password@` is supported.
    pub url: String,
    /// Contents of a `.creds` file, or the seed of an nkey; instead of credentials in the URL.
    pub credentials: Option<String>,
    /// A PEM file with CA certificates to trust besides the public ones.
    pub extra_ca: Option<PathBuf>,
    /// Name of this connection in the server's monitoring.
    pub name: String,
    /// First token of every subject, and prefix of the names of streams and consumers.
    pub prefix: String,
    /// Time after which a silent worker's job is redelivered. Takes effect with [`crate::Bus::declare`].
    pub ack_wait: Duration,
    /// Maximum number of deliveries of a job, after which it is answered with a failure.
    pub max_deliveries: u32,
    /// Maximum number of redeliveries of a job whose worker fell silent: it may have died over the job.
    pub max_losses: u32,
    /// Age at which an unclaimed job is dropped from its stream; longer than any call's deadline.
    pub max_job_age: Duration,
    /// Number of jobs of paying accounts that a worker takes for each job of a free one while both wait.
    pub paid_weight: usize,
    /// Number of replicas of each stream in a cluster.
    pub replicas: usize,
    /// Storage of the streams on the servers. Streams that exist keep theirs.
    pub storage: StreamStorage,
    /// Maximum number of unfinished jobs of each stream. Further ones are refused at once: an error is better than a queue
    /// whose jobs would time out. Takes effect with [`crate::Bus::declare`].
    pub max_waiting_jobs: usize,
    /// Maximum number of jobs of each queue that all workers together have in progress. Takes effect with
    /// [`crate::Bus::declare`].
    pub max_jobs_in_hand: usize,
    /// Maximum size of each stream, beyond which jobs are refused; `None`: none. Some accounts require one.
    pub max_stream_bytes: Option<u64>,
    /// Minimum `max_payload` of the server.
    pub required_payload: usize,
    /// Time for which [`crate::Bus::connect`] waits for a server.
    pub connect_timeout: Duration,
}

// URL and credentials are secret, so they are never printed.
impl std::fmt::Debug for BusConfig {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BusConfig").field("name", &self.name).field("prefix", &self.prefix).finish_non_exhaustive()
    }
}

impl Default for BusConfig {
    fn default() -> Self {
        Self {
            url: "nats://127.0.0.1:4222".to_owned(),
            credentials: None,
            extra_ca: None,
            name: "limner".to_owned(),
            prefix: "limner".to_owned(),
            ack_wait: Duration::from_secs(9),
            max_deliveries: 4,
            max_losses: 1,
            max_job_age: Duration::from_secs(300),
            paid_weight: 3,
            replicas: 1,
            storage: StreamStorage::File,
            max_waiting_jobs: 100_000,
            max_jobs_in_hand: 20_000,
            max_stream_bytes: None,
            required_payload: 8 * 1024 * 1024,
            connect_timeout: Duration::from_secs(20),
        }
    }
}
