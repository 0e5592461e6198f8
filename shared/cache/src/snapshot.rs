//! Cached page snapshots, so that nine operations on one page need one read. The fetcher defines their encoding.
//!
//! The caller chooses the page and thereby the size of its snapshot, and a failing call is free. Therefore all
//! snapshots together have a fixed share of Redis: they evict each other, but never a result that was paid for.

use crate::connection::{TimeoutClass, millis};
use crate::{Cache, CacheError};
use bytes::Bytes;
use fred::interfaces::KeysInterface;
use fred::types::scripts::Script;
use std::sync::LazyLock;
use std::time::Duration;

static PUT_SNAPSHOT: LazyLock<Script> = LazyLock::new(|| Script::from_lua(include_str!("snapshot.lua")));
static CONFIRM: LazyLock<Script> = LazyLock::new(|| Script::from_lua(include_str!("snapshot_confirm.lua")));

/// Lifetime of a snapshot from which no call has made a result; such snapshots are evicted first.
const UNCONFIRMED_TTL: Duration = Duration::from_secs(60);

impl Cache {
    /// Caches a snapshot for a minute, replacing an earlier one; once confirmed, for
    /// [`crate::CacheConfig::snapshot_ttl`].
    ///
    /// # Errors
    /// [`CacheError::TooLarge`] and [`CacheError::Unavailable`].
    pub async fn put_snapshot(&self, url_key: &str, snapshot: Bytes) -> Result<(), CacheError> {
        let config = &self.config;
        let max = config.max_snapshot_bytes.min(config.max_snapshots_bytes);
        if snapshot.len() > max {
            return Err(CacheError::TooLarge { bytes: snapshot.len(), max });
        }
        let life = UNCONFIRMED_TTL.min(config.snapshot_ttl);
        let input = || {
            let numbers = [millis(life), config.max_snapshots_bytes as u64, millis(config.snapshot_ttl)];
            let numbers = numbers.iter().map(|number| number.to_string().into());
            (self.snapshot_keys(url_key), std::iter::once(snapshot.clone().into()).chain(numbers).collect())
        };
        let reply = self.connection.script("put_snapshot", TimeoutClass::Blob, &PUT_SNAPSHOT, input).await?;
        let displaced = reply.as_u64().unwrap_or_default();
        metrics::counter!("limner_cache_snapshots_displaced_total").increment(displaced);
        Ok(())
    }

    /// Extends the lifetime of a snapshot from which a call has made a result.
    ///
    /// # Errors
    /// [`CacheError::Unavailable`].
    pub async fn confirm_snapshot(&self, url_key: &str) -> Result<(), CacheError> {
        let life = millis(self.config.snapshot_ttl).to_string();
        let input = || (self.snapshot_keys(url_key), vec![life.as_str().into()]);
        self.connection.script("confirm_snapshot", TimeoutClass::Small, &CONFIRM, input).await?;
        Ok(())
    }

    /// Returns a snapshot that has not expired.
    ///
    /// # Errors
    /// [`CacheError::Unavailable`].
    pub async fn get_snapshot(&self, url_key: &str) -> Result<Option<Bytes>, CacheError> {
        let key = self.redis_key("snapshot", url_key);
        self.connection.execute("get_snapshot", TimeoutClass::Blob, |client| async move { client.get(key).await }).await
    }

    fn snapshot_keys(&self, url_key: &str) -> Vec<String> {
        vec![self.redis_key("snapshot", url_key), self.redis_key("snapshots", "index")]
    }
}
