//! Accounts of API keys, by the key's SHA-256. Keys themselves are never stored here.

use crate::connection::{TimeoutClass, millis};
use crate::{Cache, CacheError};
use bytes::Bytes;
use data_encoding::HEXLOWER;
use fred::interfaces::KeysInterface;
use fred::types::{Expiration, SetOptions};
use serde::{Deserialize, Serialize};

/// The cached record of a valid key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyRecord {
    /// The account it belongs to.
    pub account_id: String,
    /// The key's own id.
    pub key_id: String,
    /// True if the key may cancel calls. Records of an earlier release lack this member.
    #[serde(default)]
    pub cancels: bool,
}

/// Tombstone of a dropped key: a process that read the key before its revocation and writes it afterwards must not
/// restore it.
const DROPPED: &[u8] = b"-";

impl Cache {
    /// Stores a valid key. A key that was dropped a moment ago stays dropped.
    ///
    /// # Errors
    /// [`CacheError::Unavailable`].
    pub async fn put_key(&self, key_sha256: [u8; 32], record: &KeyRecord) -> Result<(), CacheError> {
        let value = serde_json::to_string(record).map_err(std::io::Error::from)?;
        self.set_key(key_sha256, Bytes::from(value), Some(SetOptions::NX)).await
    }

    /// Drops a key that was revoked.
    ///
    /// # Errors
    /// [`CacheError::Unavailable`].
    pub async fn drop_key(&self, key_sha256: [u8; 32]) -> Result<(), CacheError> {
        self.set_key(key_sha256, Bytes::from_static(DROPPED), None).await
    }

    /// Returns the record of a key; `None` if there is none, or if the key was dropped.
    ///
    /// # Errors
    /// [`CacheError::Unavailable`].
    pub async fn get_key(&self, key_sha256: [u8; 32]) -> Result<Option<KeyRecord>, CacheError> {
        let key = self.redis_key_for(key_sha256);
        let value: Option<Bytes> = self
            .connection
            .execute("get_key", TimeoutClass::Small, |client| async move { client.get(key).await })
            .await?;
        Ok(value.and_then(|value| serde_json::from_slice(&value).ok()))
    }

    async fn set_key(&self, sha256: [u8; 32], value: Bytes, options: Option<SetOptions>) -> Result<(), CacheError> {
        let key = self.redis_key_for(sha256);
        let life = Expiration::PX(i64::try_from(millis(self.config.key_ttl)).unwrap_or(i64::MAX));
        self.connection
            .execute("set_key", TimeoutClass::Small, |client| async move {
                client.set::<Option<String>, _, _>(key, value, Some(life), options, false).await
            })
            .await?;
        Ok(())
    }

    fn redis_key_for(&self, sha256: [u8; 32]) -> String {
        self.redis_key("key", &HEXLOWER.encode(&sha256))
    }
}
