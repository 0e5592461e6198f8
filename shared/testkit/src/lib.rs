//! Real servers and fake origin sites for tests: private PostgreSQL, Redis and NATS processes on free loopback ports
//! with their data in a directory, and sites whose responses a test defines.
//!
//! `limner up` starts its private servers with the same code. All servers listen on loopback only, and no server
//! outlives the process that started it, even if that process is killed.

mod error;
mod executables;
pub mod http2;
mod nats;
mod postgres;
mod probe;
mod process;
mod redis;
mod s3;
pub mod shared_servers;
pub mod site;
mod stale_processes;
mod unprivileged_user;

pub use crate::executables::chromium_path;
pub use error::ServerError;
pub use nats::{Nats, NatsCluster};
pub use postgres::{Postgres, PostgresEndpoint};
pub use process::free_port;
pub use redis::Redis;
pub use s3::S3;
pub use site::{CannedResponse, OriginServer, RawServer, RecordedRequest};

/// Durability of a server's data after a crash of the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Durability {
    /// Synced to disk: for permanent data.
    Durable,
    /// Never synced: for tests. Survives a restart of the server, but not of the machine.
    Throwaway,
}
