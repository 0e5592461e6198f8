//! Failures of the last minutes that a repetition of the same call would meet again, so that repetitions are cheap. The
//! workers define their encoding. Also the number of extractors that broke under a job, while that job may be retried.

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

    /// Sets the number of extractors that broke under this job, for `life`. One worker at a time has a job.
    ///
    /// # Errors
    /// [`CacheError::Unavailable`].
    pub async fn put_broken_extractions(&self, job_id: &str, number: u32, life: Duration) -> Result<(), CacheError> {
        self.put_verdict(&broken_key(job_id), number.to_string().into(), life).await
    }

    /// Returns the number of extractors that broke under this job.
    ///
    /// # Errors
    /// [`CacheError::Unavailable`].
    pub async fn broken_extractions(&self, job_id: &str) -> Result<u32, CacheError> {
        let kept = self.get_verdict(&broken_key(job_id)).await?;
        Ok(kept.and_then(|digits| str::from_utf8(&digits).ok()?.parse().ok()).unwrap_or(0))
    }
}

/// Returns the key of a job among those of failures, which workers may use. Result keys are hashes.
fn broken_key(job_id: &str) -> String {
    format!("job:{job_id}")
}
