//! Places that bound what the whole fleet does at once: calls of an account, and reads of a site.

use crate::connection::{TimeoutClass, millis};
use crate::{Cache, CacheError};
use fred::types::scripts::Script;
use std::sync::LazyLock;
use std::time::Duration;

static TAKE: LazyLock<Script> = LazyLock::new(|| Script::from_lua(include_str!("place.lua")));
static RETURN: LazyLock<Script> =
    LazyLock::new(|| Script::from_lua("return redis.call('ZREM', KEYS[1], ARGV[1])".to_owned()));
static THROTTLE: LazyLock<Script> =
    LazyLock::new(|| Script::from_lua("return redis.call('SET', KEYS[1], '', 'PX', ARGV[1])".to_owned()));

/// Longest lease: no call takes as long.
const MAX_LEASE: Duration = Duration::from_secs(10 * 60);

impl Cache {
    /// Takes one of `places` places named `name` for a call. A place that is not returned is free again after `lease`.
    /// Returns false if all are taken.
    ///
    /// # Errors
    /// [`CacheError::Unavailable`].
    pub async fn take_place(&self, name: &str, call: &str, places: usize, lease: Duration) -> Result<bool, CacheError> {
        self.take(vec![self.redis_key("places", name)], call, places, lease).await
    }

    /// Returns the place of a call.
    ///
    /// # Errors
    /// [`CacheError::Unavailable`]: the place is free again when its lease ends.
    pub async fn return_place(&self, name: &str, call: &str) -> Result<(), CacheError> {
        self.give_back(self.redis_key("places", name), call).await
    }

    /// Takes one of `places` places for a read of a site, of half as many while the site is throttled. A place that is
    /// not returned is free again after `lease`. Returns false if all are taken.
    ///
    /// # Errors
    /// [`CacheError::Unavailable`].
    pub async fn take_site_place(
        &self,
        site: &str,
        read: &str,
        places: usize,
        lease: Duration,
    ) -> Result<bool, CacheError> {
        self.take(["site", "throttled"].map(|kind| self.redis_key(kind, site)).into(), read, places, lease).await
    }

    /// Returns the place of a read.
    ///
    /// # Errors
    /// [`CacheError::Unavailable`]: the place is free again when its lease ends.
    pub async fn return_site_place(&self, site: &str, read: &str) -> Result<(), CacheError> {
        self.give_back(self.redis_key("site", site), read).await
    }

    /// Halves the places of a site for `time`.
    ///
    /// # Errors
    /// [`CacheError::Unavailable`].
    pub async fn throttle_site(&self, site: &str, time: Duration) -> Result<(), CacheError> {
        let input = || (vec![self.redis_key("throttled", site)], vec![millis(time).to_string().into()]);
        self.connection.script("throttle_site", TimeoutClass::Small, &THROTTLE, input).await?;
        Ok(())
    }

    async fn take(&self, keys: Vec<String>, call: &str, places: usize, lease: Duration) -> Result<bool, CacheError> {
        let input = || {
            let [lease, longest] = [lease.min(MAX_LEASE), MAX_LEASE].map(|time| millis(time).to_string());
            let arguments = vec![call.into(), lease.into(), places.to_string().into(), longest.into()];
            (keys.clone(), arguments)
        };
        let taken = self.connection.script("take_place", TimeoutClass::Small, &TAKE, input).await?;
        Ok(taken.as_u64() == Some(1))
    }

    async fn give_back(&self, key: String, call: &str) -> Result<(), CacheError> {
        let input = || (vec![key.clone()], vec![call.into()]);
        self.connection.script("return_place", TimeoutClass::Small, &RETURN, input).await?;
        Ok(())
    }
}
