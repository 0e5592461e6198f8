//! Real servers and fake origin sites for tests: private PostgreSQL, Redis and NATS processes on free loopback ports
//! with their data in a directory, and sites whose responses a test defines.
//!
//! `limner up` starts its private servers with the same code. All servers listen on loopback only, and no server
//! outlives the process that started it, even if that process is killed.
//!
//! ```
//! use limner_testkit::{CannedResponse, OriginServer};
//! use tokio::io::{AsyncReadExt, AsyncWriteExt};
//!
//! # tokio::runtime::Runtime::new().unwrap().block_on(async {
//! let site = OriginServer::start().await;
//! site.on("/", CannedResponse::html("<h1>Lamps</h1>"));
//!
//! let mut connection = tokio::net::TcpStream::connect(site.address()).await.unwrap();
//! connection.write_all(b"GET / HTTP/1.1\r\nhost: lamps.test\r\nconnection: close\r\n\r\n").await.unwrap();
//! let mut response = String::new();
//! connection.read_to_string(&mut response).await.unwrap();
//! assert!(response.ends_with("<h1>Lamps</h1>"), "{response}");
//! assert_eq!(site.count("/"), 1);
//! # });
//! ```

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
