//! Pages read a moment ago, so that nine operations on one page are one read. What the bytes mean is the fetcher's
//! business.
//!
//! Whoever asks for a page decides how large its snapshot is, and a call that fails costs nothing. So all snapshots
//! together have a share of Redis that they never leave: they displace one another, and never a result that was paid for.

use crate::connection::{Weight, millis};
use crate::{Cache, CacheError};
use bytes::Bytes;
use fred::interfaces::KeysInterface;
use fred::types::scripts::Script;
use std::sync::LazyLock;
use std::time::Duration;

static PUT: LazyLock<Script> = LazyLock::new(|| Script::from_lua(include_str!("snapshot.lua")));
static CONFIRM: LazyLock<Script> = LazyLock::new(|| Script::from_lua(include_str!("snapshot_confirm.lua")));

/// Lifetime of a snapshot that no call has made a result of: of those that go first.
const UNCONFIRMED_LIFE: Duration = Duration::from_secs(60);

impl Cache {
    /// Keeps a snapshot for a minute, in place of an earlier one, and for [`crate::CacheConfig::snapshot_ttl`] once it is
    /// confirmed.
    ///
    /// # Errors
    /// [`CacheError::TooLarge`] and [`CacheError::Unavailable`].
    pub async fn put_snapshot(&self, url_key: &str, snapshot: Bytes) -> Result<(), CacheError> {
        let config = &self.config;
        let max = config.max_snapshot_bytes.min(config.max_snapshots_bytes);
        if snapshot.len() > max {
            return Err(CacheError::TooLarge { bytes: snapshot.len(), max });
        }
        let life = UNCONFIRMED_LIFE.min(config.snapshot_ttl);
        let input = || {
            let numbers = [millis(life), config.max_snapshots_bytes as u64, millis(config.snapshot_ttl)];
            let numbers = numbers.iter().map(|number| number.to_string().into());
            (self.snapshot_keys(url_key), std::iter::once(snapshot.clone().into()).chain(numbers).collect())
        };
        let reply = self.connection.script("put_snapshot", Weight::Blob, &PUT, input).await?;
        let displaced = reply.as_u64().unwrap_or_default();
        metrics::counter!("limner_cache_snapshots_displaced_total").increment(displaced);
        Ok(())
    }

    /// Keeps a snapshot longer: a call has made a result of it.
    ///
    /// # Errors
    /// [`CacheError::Unavailable`].
    pub async fn confirm_snapshot(&self, url_key: &str) -> Result<(), CacheError> {
        let life = millis(self.config.snapshot_ttl).to_string();
        let input = || (self.snapshot_keys(url_key), vec![life.as_str().into()]);
        self.connection.script("confirm_snapshot", Weight::Small, &CONFIRM, input).await?;
        Ok(())
    }

    /// A snapshot that is still fresh.
    ///
    /// # Errors
    /// [`CacheError::Unavailable`].
    pub async fn get_snapshot(&self, url_key: &str) -> Result<Option<Bytes>, CacheError> {
        let key = self.redis_key("snapshot", url_key);
        self.connection.run("get_snapshot", Weight::Blob, |client| async move { client.get(key).await }).await
    }

    fn snapshot_keys(&self, url_key: &str) -> Vec<String> {
        vec![self.redis_key("snapshot", url_key), self.redis_key("snapshots", "index")]
    }
}
