//! PostgreSQL: the connection pool and the schema. The only user of the database driver.
//!
//! The schema is numbered SQL files in `migrations/`, applied forward only; the SQL functions for accounts and credits are
//! in `functions/`, replaced whenever they change. Both are embedded into the binary. This crate connects to the database
//! and migrates it; the tables belong to other crates (accounts and credits: metering).
//!
//! ```
//! use limner_store::{Store, StoreConfig};
//!
//! # tokio::runtime::Runtime::new().unwrap().block_on(async {
//! let config = |url: &str| StoreConfig { url: url.to_owned(), ..StoreConfig::default() };
//! // Connects with the first query: a service may start before its database.
//! let store = Store::lazy(config("postgres://limner@db.internal/limner?sslmode=verify-full")).unwrap();
//! assert!(Store::lazy(config("mysql://db.internal/limner")).is_err());
//! # drop(store);
//! # });
//! ```

mod error;
mod functions;
mod lease;
mod migrate;
mod pool;
mod tls;

/// Users of the database by role, as SQL for the owner of its schemas.
pub const GRANTS: &str = include_str!("grants.sql");

pub use deadpool_postgres::Client;
pub use error::StoreError;
pub use migrate::MigrationReport;
pub use pool::{Store, StoreConfig};
pub use tokio_postgres::types::{FromSql, Json, ToSql};
pub use tokio_postgres::{Error as SqlError, Row};

/// SQLSTATE codes, for callers that distinguish errors.
pub use tokio_postgres::error::SqlState;
