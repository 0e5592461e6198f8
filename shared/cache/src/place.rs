//! Places of an account's calls: how many of them do work at once in the whole fleet.

use crate::connection::{TimeoutClass, millis};
use crate::{Cache, CacheError};
use fred::types::scripts::Script;
use std::sync::LazyLock;
use std::time::Duration;

static TAKE: LazyLock<Script> = LazyLock::new(|| Script::from_lua(include_str!("place.lua")));
static RETURN: LazyLock<Script> =
    LazyLock::new(|| Script::from_lua("return redis.call('ZREM', KEYS[1], ARGV[1])".to_owned()));

/// Longest lease: no call takes as long.
const MAX_LEASE: Duration = Duration::from_secs(10 * 60);

impl Cache {
    /// Takes one of `places` places named `name` for a call. A place that is not returned is free again after `lease`.
    /// Returns false if all are taken.
    ///
    /// # Errors
    /// [`CacheError::Unavailable`].
    pub async fn take_place(&self, name: &str, call: &str, places: usize, lease: Duration) -> Result<bool, CacheError> {
        let input = || {
            let times = [lease.min(MAX_LEASE), MAX_LEASE].map(|time| millis(time).to_string());
            let [lease, longest] = times;
            let arguments = vec![call.into(), lease.into(), places.to_string().into(), longest.into()];
            (vec![self.redis_key("places", name)], arguments)
        };
        let taken = self.connection.script("take_place", TimeoutClass::Small, &TAKE, input).await?;
        Ok(taken.as_u64() == Some(1))
    }

    /// Returns the place of a call.
    ///
    /// # Errors
    /// [`CacheError::Unavailable`]: the place is free again when its lease ends.
    pub async fn return_place(&self, name: &str, call: &str) -> Result<(), CacheError> {
        let input = || (vec![self.redis_key("places", name)], vec![call.into()]);
        self.connection.script("return_place", TimeoutClass::Small, &RETURN, input).await?;
        Ok(())
    }
}
