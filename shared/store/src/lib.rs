//! PostgreSQL: the connection pool and the schema. The only user of the database driver.
//!
//! The schema and the functions that guard money are numbered SQL files under `migrations/`, embedded into the binary
//! and applied forward only. This crate knows how to reach the database and how to bring it up to date; what the
//! tables mean is the business of whoever owns them (accounts and credits: metering).

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

/// Codes of SQL errors that callers tell apart.
pub use tokio_postgres::error::SqlState;
