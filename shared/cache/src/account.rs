//! Cached account states, used for rate limits, headers and `usage`. Metering is the authority.

use crate::connection::{TimeoutClass, millis};
use crate::{Cache, CacheError};
use bytes::Bytes;
use fred::interfaces::HashesInterface;
use fred::types::scripts::Script;
use limner_types::AccountState;
use std::sync::LazyLock;

pub(crate) const KIND: &str = "account";

static PUT_IF_NEWER: LazyLock<Script> = LazyLock::new(|| Script::from_lua(include_str!("account.lua")));

impl Cache {
    /// Writes an account's state, unless a newer version is already stored.
    ///
    /// # Errors
    /// [`CacheError::Unavailable`].
    pub async fn put_account(&self, account: &AccountState) -> Result<(), CacheError> {
        let state = serde_json::to_string(account).map_err(std::io::Error::from)?;
        let input = || {
            let arguments = vec![
                account.version.to_string().into(),
                account.requests_per_minute.to_string().into(),
                state.as_str().into(),
                millis(self.config.account_ttl).to_string().into(),
            ];
            (vec![self.redis_key(KIND, &account.account_id)], arguments)
        };
        self.connection.script("put_account", TimeoutClass::Small, &PUT_IF_NEWER, input).await?;
        Ok(())
    }

    /// Returns an account's state as last written. Its counts may belong to an earlier month: see
    /// [`AccountState::advanced_to_period`].
    ///
    /// # Errors
    /// [`CacheError::Unavailable`].
    pub async fn get_account(&self, account_id: &str) -> Result<Option<AccountState>, CacheError> {
        let key = self.redis_key(KIND, account_id);
        let state: Option<Bytes> = self
            .connection
            .execute("get_account", TimeoutClass::Small, |client| async move { client.hget(key, "state").await })
            .await?;
        Ok(state.and_then(|state| decode(&state)))
    }
}

/// Decodes a state. One written by another release may be unreadable, and is treated as missing.
pub(crate) fn decode(state: &[u8]) -> Option<AccountState> {
    serde_json::from_slice(state)
        .inspect_err(|cause| tracing::warn!(error = %cause, "cannot decode a cached account state"))
        .ok()
}
