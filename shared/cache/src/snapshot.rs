//! Pages read a moment ago, so that nine operations on one page are one read. What the bytes mean is the fetcher's
//! business.

use crate::connection::{Weight, millis};
use crate::{Cache, CacheError};
use bytes::Bytes;
use fred::interfaces::KeysInterface;
use fred::types::Expiration;

impl Cache {
    /// Keeps a snapshot for [`crate::CacheConfig::snapshot_ttl`], in place of an earlier one.
    ///
    /// # Errors
    /// [`CacheError::TooLarge`] and [`CacheError::Unavailable`].
    pub async fn put_snapshot(&self, url_key: &str, snapshot: Bytes) -> Result<(), CacheError> {
        let max = self.config.max_snapshot_bytes;
        if snapshot.len() > max {
            return Err(CacheError::TooLarge { bytes: snapshot.len(), max });
        }
        let key = self.redis_key("snapshot", url_key);
        let life = Expiration::PX(i64::try_from(millis(self.config.snapshot_ttl)).unwrap_or(i64::MAX));
        self.connection
            .run("put_snapshot", Weight::Blob, |client| async move {
                client.set(key, snapshot, Some(life), None, false).await
            })
            .await
    }

    /// A snapshot that is still fresh.
    ///
    /// # Errors
    /// [`CacheError::Unavailable`].
    pub async fn get_snapshot(&self, url_key: &str) -> Result<Option<Bytes>, CacheError> {
        let key = self.redis_key("snapshot", url_key);
        self.connection.run("get_snapshot", Weight::Blob, |client| async move { client.get(key).await }).await
    }
}
