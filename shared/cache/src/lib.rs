//! State shared by all processes: results, calls in progress, rate windows, account states, keys and page snapshots.
//! The only user of Redis.
//!
//! All of it can be lost at any moment without harm: metering is the authority on accounts and keys, and a result can
//! be extracted again. Therefore every call fails at once with [`CacheError::Unavailable`] while Redis is unavailable,
//! and never waits for it.
//!
//! A single primary is assumed (with replicas and fail-over as the operator likes), not Redis Cluster: the scripts use
//! keys of different slots.
//!
//! ```
//! use limner_cache::CachedResult;
//!
//! let body = br#"{"images":[]}"#;
//! let result = CachedResult::compress(body, "application/json", false, 0).unwrap();
//! assert_eq!(result.decompress(1_000).unwrap(), body);
//! assert!(result.decompress(5).is_err(), "a result never unpacks to more than the limit");
//! ```

mod account;
mod api_keys;
mod cached_failure;
mod config;
mod connection;
mod error;
mod flight;
mod grants;
mod lookup;
mod place;
mod result;
mod snapshot;

pub use crate::api_keys::KeyRecord;
pub use crate::grants::redis_users;
pub use config::CacheConfig;
pub use error::CacheError;
pub use flight::{FlightOutcome, FlightRole};
pub use lookup::{AccountHit, Lookup, LookupReply, ResultHit, Window};
pub use place::PlaceTerms;
pub use result::{BodyPlace, CachedResult, ResultVersion};

use connection::Connection;
use std::sync::Arc;

/// A handle on the shared state. Cheap to clone.
#[derive(Clone)]
pub struct Cache {
    connection: Connection,
    config: Arc<CacheConfig>,
    lookups: Arc<lookup::LookupBatcher>,
}

impl Cache {
    /// Starts to connect, and returns when the connection is established or [`CacheConfig::first_connection`] is over.
    /// An unavailable Redis is not an error.
    ///
    /// # Errors
    /// [`CacheError::Configuration`] for an invalid URL.
    pub async fn connect(config: CacheConfig) -> Result<Self, CacheError> {
        let connection = Connection::open(&config).await?;
        let lookups = lookup::LookupBatcher::new(config.connections);
        Ok(Self { connection, config: Arc::new(config), lookups: Arc::new(lookups) })
    }

    /// Returns true if a connection is established now.
    pub fn is_connected(&self) -> bool {
        self.connection.is_connected()
    }

    fn redis_key(&self, kind: &str, rest: &str) -> String {
        self.config.redis_key(kind, rest)
    }
}
