//! Places that bound what the whole fleet does at once: calls of an account, and reads of a site.

use crate::connection::{TimeoutClass, millis};
use crate::{Cache, CacheError};
use fred::interfaces::KeysInterface;
use fred::types::Expiration;
use fred::types::scripts::Script;
use std::sync::LazyLock;
use std::time::Duration;

static TAKE: LazyLock<Script> = LazyLock::new(|| Script::from_lua(include_str!("place.lua")));
static RETURN: LazyLock<Script> = LazyLock::new(|| Script::from_lua(include_str!("place_return.lua")));

/// Longest lease: no call takes as long.
const MAX_LEASE: Duration = Duration::from_secs(10 * 60);

/// Time for which the time of failed calls counts.
const FAILURE_WINDOW: Duration = Duration::from_secs(60);

/// The terms on which places are given.
#[derive(Debug, Clone, Copy)]
pub struct PlaceTerms {
    /// Number of places.
    pub places: usize,
    /// Time after which a place that was not returned is free again.
    pub lease: Duration,
    /// Time of failed calls in a minute beyond which there are half as many places.
    pub failure_budget: Duration,
}

/// The keys of one kind of places with a name.
type PlaceKeys = Vec<String>;

impl Cache {
    /// Takes a place named `name` for a call. Returns false if all are taken.
    ///
    /// # Errors
    /// [`CacheError::Unavailable`].
    pub async fn take_place(&self, name: &str, call: &str, terms: PlaceTerms) -> Result<bool, CacheError> {
        self.take(self.account_keys(name), call, terms).await
    }

    /// Returns the place of a call. `failed`: for how long it had its place if it failed, else zero.
    ///
    /// # Errors
    /// [`CacheError::Unavailable`]: the place is free again when its lease ends.
    pub async fn return_place(&self, name: &str, call: &str, failed: Duration) -> Result<(), CacheError> {
        self.give_back(self.account_keys(name), call, failed).await
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
        self.take(self.site_keys(site), read, PlaceTerms { places, lease, failure_budget: Duration::ZERO }).await
    }

    /// Returns the place of a read.
    ///
    /// # Errors
    /// [`CacheError::Unavailable`]: the place is free again when its lease ends.
    pub async fn return_site_place(&self, site: &str, read: &str) -> Result<(), CacheError> {
        self.give_back(self.site_keys(site), read, Duration::ZERO).await
    }

    /// Halves the places of a site for `time`.
    ///
    /// # Errors
    /// [`CacheError::Unavailable`].
    pub async fn throttle_site(&self, site: &str, time: Duration) -> Result<(), CacheError> {
        let key = self.redis_key("throttled", site);
        let life = Expiration::PX(i64::try_from(millis(time)).unwrap_or(i64::MAX));
        self.connection
            .execute("throttle_site", TimeoutClass::Small, |client| async move {
                client.set(key, 1, Some(life), None, false).await
            })
            .await
    }

    fn account_keys(&self, name: &str) -> PlaceKeys {
        ["places", "failed"].map(|kind| self.redis_key(kind, name)).into()
    }

    fn site_keys(&self, site: &str) -> PlaceKeys {
        ["site", "throttled"].map(|kind| self.redis_key(kind, site)).into()
    }

    async fn take(&self, keys: PlaceKeys, call: &str, terms: PlaceTerms) -> Result<bool, CacheError> {
        let PlaceTerms { places, lease, failure_budget } = terms;
        let input = || {
            let times = [lease.min(MAX_LEASE), MAX_LEASE, failure_budget];
            let [lease, longest, budget] = times.map(|time| millis(time).to_string().into());
            (keys.clone(), vec![call.into(), lease, places.to_string().into(), longest, budget])
        };
        let taken = self.connection.script("take_place", TimeoutClass::Small, &TAKE, input).await?;
        Ok(taken.as_u64() == Some(1))
    }

    async fn give_back(&self, keys: PlaceKeys, call: &str, failed: Duration) -> Result<(), CacheError> {
        let input = || {
            let times = [failed, FAILURE_WINDOW].map(|time| millis(time).to_string().into());
            (keys.clone(), [call.into()].into_iter().chain(times).collect())
        };
        self.connection.script("return_place", TimeoutClass::Small, &RETURN, input).await?;
        Ok(())
    }
}
