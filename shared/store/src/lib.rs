//! PostgreSQL: the connection pool and the schema. The only user of the database driver.
//!
//! The schema and the SQL functions for accounts and credits are numbered SQL files in `migrations/`, embedded into the
//! binary and applied forward only. This crate connects to the database and migrates it; the tables belong to other
//! crates (accounts and credits: metering).

mod error;
mod migrate;
mod pool;
mod tls;

pub use deadpool_postgres::Client;
pub use error::StoreError;
pub use migrate::Migrated;
pub use pool::{Store, StoreConfig};
pub use tokio_postgres::types::{FromSql, Json, ToSql};
pub use tokio_postgres::{Error as SqlError, Row};

/// SQLSTATE codes, for callers that distinguish errors.
pub use tokio_postgres::error::SqlState;
