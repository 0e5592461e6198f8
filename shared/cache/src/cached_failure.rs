//! Failures of the last minutes that a repetition of the same call would meet again, so that repetitions are cheap. The
//! workers define their encoding.

use crate::connection::{TimeoutClass, millis};
use crate::{Cache, CacheError};
use bytes::Bytes;
use fred::interfaces::KeysInterface;
use fred::types::Expiration;
use std::time::Duration;

impl Cache {
    /// Caches the failure of the call with this result key for `life`.
    ///
    /// # Errors
    /// [`CacheError::Unavailable`].
    pub async fn put_verdict(&self, key: &str, failure: Bytes, life: Duration) -> Result<(), CacheError> {
        let key = self.redis_key("verdict", key);
        let life = Expiration::PX(i64::try_from(millis(life)).unwrap_or(i64::MAX));
        self.connection
            .execute("put_verdict", TimeoutClass::Small, |client| async move {
                client.set(key, failure, Some(life), None, false).await
            })
            .await
    }

    /// Returns the cached failure of the call with this result key.
    ///
    /// # Errors
    /// [`CacheError::Unavailable`].
    pub async fn get_verdict(&self, key: &str) -> Result<Option<Bytes>, CacheError> {
        let key = self.redis_key("verdict", key);
        self.connection.execute("get_verdict", TimeoutClass::Small, |client| async move { client.get(key).await }).await
    }
}
