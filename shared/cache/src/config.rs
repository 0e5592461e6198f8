//! Configuration of the Redis connection, and lifetimes of each kind of state.

use std::time::Duration;

/// Configuration of a [`crate::Cache`].
#[derive(Debug, Clone)]
pub struct CacheConfig {
    /// `redis://[user:password@]host:port[/database]`, or `rediss://` for TLS.
    pub url: String,
    /// Prefix of every key.
    pub prefix: String,
    /// Number of connections of this process; commands are pipelined on each.
    pub connections: usize,
    /// Time for which [`crate::Cache::connect`] waits for the first connection before it returns without one.
    pub first_connection: Duration,
    /// Time limit of a command.
    pub command_timeout: Duration,
    /// Time limit of a command that carries a result or a snapshot.
    pub blob_timeout: Duration,
    /// Time after a timeout during which other commands fail at once instead of waiting too.
    pub backoff_after_timeout: Duration,
    /// Lifetime of a result.
    pub result_ttl: Duration,
    /// Lifetime of a result that lacks what did not arrive in time, at most [`Self::result_ttl`]: identical calls in
    /// progress get it, those of the next hour do not.
    pub incomplete_result_ttl: Duration,
    /// Maximum size of a result in Redis, compressed, in bytes.
    pub max_result_bytes: usize,
    /// Lifetime of an account state that is not refreshed: the maximum time for which a change that Redis missed is
    /// unseen.
    pub account_ttl: Duration,
    /// Lifetime of a key's record: the maximum time for which a revocation that Redis missed is unseen.
    pub key_ttl: Duration,
    /// Lifetime of a page snapshot that a result was made from.
    pub snapshot_ttl: Duration,
    /// Maximum size of a cached snapshot, in bytes.
    pub max_snapshot_bytes: usize,
    /// Maximum size of all snapshots of the fleet together, in bytes.
    pub max_snapshots_bytes: usize,
    /// Length of a rate window.
    pub rate_window: Duration,
}

impl Default for CacheConfig {
    fn default() -> Self {
        Self {
            url: "redis://127.0.0.1:6379".to_owned(),
            prefix: "limner".to_owned(),
            connections: 4,
            first_connection: Duration::from_secs(2),
            command_timeout: Duration::from_secs(1),
            blob_timeout: Duration::from_secs(3),
            backoff_after_timeout: Duration::from_secs(1),
            result_ttl: Duration::from_secs(24 * 60 * 60),
            incomplete_result_ttl: Duration::from_secs(5 * 60),
            max_result_bytes: 8 * 1024 * 1024,
            account_ttl: Duration::from_secs(10 * 60),
            key_ttl: Duration::from_secs(5 * 60),
            snapshot_ttl: Duration::from_secs(3 * 60),
            max_snapshot_bytes: 4_000_000,
            max_snapshots_bytes: 64_000_000,
            rate_window: Duration::from_secs(60),
        }
    }
}

impl CacheConfig {
    pub(crate) fn redis_key(&self, kind: &str, rest: &str) -> String {
        [&self.prefix, ":", kind, ":", rest].concat()
    }
}
