//! Real servers and fake origin sites, started by us: private PostgreSQL, Redis and NATS processes on free loopback
//! ports with their data in a folder, and sites that answer exactly what a test tells them to.
//!
//! `limner up` starts its private servers with the same code. Nothing here listens on anything but loopback, and no
//! server outlives the process that started it, even when that process is killed outright.

mod error;
pub mod http2;
mod leftovers;
mod nats;
mod postgres;
mod probe;
mod process;
mod programs;
mod redis;
mod s3;
pub mod shared;
pub mod site;
mod user;

pub use error::ServerError;
pub use nats::{Nats, NatsCluster};
pub use postgres::{Postgres, PostgresAddress};
pub use process::free_port;
pub use programs::chromium_path;
pub use redis::Redis;
pub use s3::S3;
pub use site::{FakeSite, RawSite, Reply, SeenRequest};

/// Whether what a server stores must survive a crash of the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Durability {
    /// Synced to disk: for data that is kept.
    Durable,
    /// Never synced: for tests. Survives a restart of the server, not of the machine.
    Throwaway,
}
