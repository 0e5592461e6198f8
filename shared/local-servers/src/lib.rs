//! Private servers: PostgreSQL, Redis, NATS and S3 processes on free loopback ports with their data in a directory.
//!
//! `limner up` and the tests start theirs with this. All servers listen on loopback only, and no server outlives the
//! process that started it, even if that process is killed.
//!
//! ```
//! let [one, other] = [(); 2].map(|()| limner_local_servers::free_port().unwrap());
//! assert_ne!(one, other);
//! ```

mod clock_and_disk;
mod error;
mod executables;
mod nats;
mod pgbouncer;
mod postgres;
mod postgres_backup;
mod probe;
mod process;
mod redis;
mod s3;
pub mod shared_servers;
mod stale_processes;
mod unprivileged_user;

pub use crate::executables::{ServerKind, check_installed, chromium_path};
pub use error::ServerError;
pub use nats::{Nats, NatsCluster};
pub use pgbouncer::PgBouncer;
pub use postgres::{Postgres, PostgresEndpoint};
pub use postgres_backup::{BaseBackup, WalArchive};
pub use process::free_port;
pub use redis::Redis;
pub use s3::S3;

/// Durability of a server's data after a crash of the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Durability {
    /// Synced to disk: for permanent data.
    Durable,
    /// Never synced: for tests. Survives a restart of the server, but not of the machine.
    Throwaway,
}
