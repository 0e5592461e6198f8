//! Hot state that all processes share: results, calls in flight, rate windows, account state, keys and page
//! snapshots. The only user of Redis.
//!
//! Everything here can be lost at any moment without harm: the truth about money and keys is metering's, and a result
//! can be extracted again. That is why every call fails at once with [`CacheError::Unavailable`] while Redis is away,
//! and why nothing here ever waits for it to come back.
//!
//! One primary is assumed (with replicas and fail-over as the operator likes), not Redis Cluster: the scripts touch
//! keys of different slots.

mod account;
mod config;
mod connection;
mod error;
mod flight;
mod key;
mod lookup;
mod result;
mod snapshot;
mod verdict;

pub use config::CacheConfig;
pub use error::CacheError;
pub use flight::{Flight, FlightEnd};
pub use key::KeyRecord;
pub use lookup::{FoundAccount, FoundResult, Lookup, LookupReply, Window};
pub use result::{CachedResult, ResultVersion};

use connection::Connection;
use std::sync::Arc;

/// A handle on the shared state. Cheap to clone.
#[derive(Clone)]
pub struct Cache {
    connection: Connection,
    config: Arc<CacheConfig>,
    lookups: Arc<lookup::Together>,
}

impl Cache {
    /// Starts to connect, and returns as soon as the connection stands or [`CacheConfig::first_connection`] is over,
    /// whichever comes first: a Redis that is away is no error.
    ///
    /// # Errors
    /// [`CacheError::Configuration`] for an address that can't be parsed.
    pub async fn connect(config: CacheConfig) -> Result<Self, CacheError> {
        let connection = Connection::open(&config).await?;
        let lookups = lookup::Together::new(config.connections);
        Ok(Self { connection, config: Arc::new(config), lookups: Arc::new(lookups) })
    }

    /// Whether a connection stands right now.
    pub fn is_connected(&self) -> bool {
        self.connection.is_connected()
    }

    fn redis_key(&self, kind: &str, rest: &str) -> String {
        self.config.redis_key(kind, rest)
    }
}
