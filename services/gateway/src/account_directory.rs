//! Authenticates keys and reads account states: from this process's cache, then Redis, then metering. Cached values are
//! dropped when a change is announced.

use crate::billing_month::BillingMonth;
use crate::error::CallError;
use crate::metering::Metering;
use futures::stream::{BoxStream, StreamExt};
use http::HeaderMap;
use http::header::AUTHORIZATION;
use limner_cache::{AccountHit, Cache, KeyRecord};
use limner_types::{AccountState, ApiKey};
use sha2::{Digest, Sha256};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

pub(crate) type Sha256Sum = [u8; 32];

/// An authenticated caller.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Caller {
    pub(crate) account_id: String,
    pub(crate) key_id: String,
    /// True if the key may cancel its calls.
    pub(crate) cancels: bool,
}

impl From<KeyRecord> for Caller {
    fn from(KeyRecord { account_id, key_id, cancels }: KeyRecord) -> Self {
        Self { account_id, key_id, cancels }
    }
}

pub(crate) struct AccountDirectory {
    cache: Cache,
    metering: Arc<dyn Metering>,
    callers: moka::future::Cache<Sha256Sum, Arc<Caller>>,
    /// Keys unknown to metering, cached for a moment: a client's retry loop must not load metering.
    unknown_keys: moka::future::Cache<Sha256Sum, ()>,
    accounts: moka::future::Cache<String, CachedAccount>,
    /// The last known callers, for while neither Redis nor metering answers: then only cache hits are served.
    last_callers: moka::future::Cache<Sha256Sum, Arc<Caller>>,
    last_accounts: moka::future::Cache<String, Arc<AccountState>>,
    calendar: Arc<BillingMonth>,
    /// Number of invalidations: a response that was in progress during one is not cached.
    invalidations: AtomicU64,
}

#[derive(Clone)]
pub(crate) struct CachedAccount {
    pub(crate) state: Arc<AccountState>,
    /// True if a change was announced since. The value is still used if nothing newer can be read.
    stale: bool,
}

/// A cached value that may be outdated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Invalidation {
    /// An account, and one of its keys if it is named.
    Account {
        /// The account.
        account_id: String,
        /// The key.
        key_sha256: Option<[u8; 32]>,
    },
    /// Everything: announcements may have been missed.
    Everything,
}

const UNKNOWN_KEY_CACHE_TTL: Duration = Duration::from_secs(5);
const ACCOUNT_CACHE_TTL: Duration = Duration::from_secs(120);
/// Lifetime of most cached results: after that there are no hits to serve.
const STALE_ACCOUNT_TTL: Duration = Duration::from_secs(24 * 60 * 60);
const MAX_CACHED_ACCOUNTS: u64 = 100_000;

impl AccountDirectory {
    pub(crate) fn new(
        cache: Cache,
        metering: Arc<dyn Metering>,
        key_cache_ttl: Duration,
        calendar: Arc<BillingMonth>,
    ) -> Self {
        fn remember<K, V>(life: Duration) -> moka::future::Cache<K, V>
        where
            K: Eq + std::hash::Hash + Send + Sync + 'static,
            V: Clone + Send + Sync + 'static,
        {
            moka::future::Cache::builder().max_capacity(MAX_CACHED_ACCOUNTS).time_to_live(life).build()
        }
        Self {
            cache,
            metering,
            callers: remember(key_cache_ttl),
            unknown_keys: remember(UNKNOWN_KEY_CACHE_TTL),
            accounts: remember(ACCOUNT_CACHE_TTL),
            last_callers: remember(STALE_ACCOUNT_TTL),
            last_accounts: remember(STALE_ACCOUNT_TTL),
            calendar,
            invalidations: AtomicU64::new(0),
        }
    }

    /// Applies announcements until the stream ends.
    pub(crate) async fn follow(self: Arc<Self>, mut news: BoxStream<'static, Invalidation>) {
        while let Some(invalidation) = news.next().await {
            self.invalidate(invalidation).await;
        }
    }

    async fn invalidate(&self, invalidation: Invalidation) {
        self.invalidations.fetch_add(1, Ordering::SeqCst);
        match invalidation {
            Invalidation::Account { account_id, key_sha256 } => {
                if let Some(key) = key_sha256 {
                    self.callers.invalidate(&key).await;
                    self.last_callers.invalidate(&key).await;
                    self.unknown_keys.invalidate(&key).await;
                }
                if let Some(cached) = self.accounts.get(&account_id).await {
                    self.accounts.insert(account_id, CachedAccount { stale: true, ..cached }).await;
                }
            }
            Invalidation::Everything => {
                self.callers.invalidate_all();
                self.last_callers.invalidate_all();
                self.last_accounts.invalidate_all();
                self.unknown_keys.invalidate_all();
                self.accounts.invalidate_all();
            }
        }
    }

    /// Authenticates a caller by the hash of the key.
    pub(crate) async fn authenticate(&self, sha256: Sha256Sum) -> Result<Arc<Caller>, CallError> {
        let caller = match self.callers.get(&sha256).await {
            Some(caller) => caller,
            None if self.unknown_keys.contains_key(&sha256) => return Err(unknown_key()),
            // Boxed, as below: a future is as large as its largest branch, which is not the usual one.
            None => Box::pin(self.load_caller(sha256)).await?,
        };
        // The line of the call tells who it was.
        tracing::Span::current().record("account.id", caller.account_id.as_str());
        Ok(caller)
    }

    /// Loads a caller; identical concurrent look-ups are merged.
    async fn load_caller(&self, sha256: Sha256Sum) -> Result<Arc<Caller>, CallError> {
        let before = self.invalidations.load(Ordering::SeqCst);
        let found = self.callers.try_get_with(sha256, self.look_up(sha256)).await;
        if self.invalidations.load(Ordering::SeqCst) != before {
            self.callers.invalidate(&sha256).await;
            self.last_callers.invalidate(&sha256).await;
        }
        found.map_err(|fault| CallError::clone(&fault))
    }

    async fn look_up(&self, sha256: Sha256Sum) -> Result<Arc<Caller>, CallError> {
        if let Ok(Some(record)) = self.cache.get_key(sha256).await {
            return Ok(self.cache_caller(sha256, record).await);
        }
        let owner = match self.metering.authenticate(sha256).await {
            Ok(owner) => owner,
            Err(cause) => {
                let last = self.last_callers.get(&sha256).await;
                tracing::error!(error = %cause, key.known = last.is_some(), "cannot authenticate a key");
                return last.ok_or_else(CallError::internal);
            }
        };
        let Some(owner) = owner else {
            self.unknown_keys.insert(sha256, ()).await;
            self.last_callers.invalidate(&sha256).await;
            return Err(unknown_key());
        };
        let record = KeyRecord { account_id: owner.account_id, key_id: owner.key_id, cancels: owner.cancels };
        // If Redis fails, only this process caches the key.
        let _ = self.cache.put_key(sha256, &record).await;
        let _ = self.cache.put_account(&owner.account).await;
        self.store_if_newer(Arc::new(owner.account)).await;
        Ok(self.cache_caller(sha256, record).await)
    }

    async fn cache_caller(&self, sha256: Sha256Sum, record: KeyRecord) -> Arc<Caller> {
        let caller = Arc::new(Caller::from(record));
        self.last_callers.insert(sha256, Arc::clone(&caller)).await;
        caller
    }

    /// Returns an account's state from this process's cache; Redis may have a newer one.
    pub(crate) async fn cached_account(&self, account_id: &str) -> Result<CachedAccount, CallError> {
        if let Some(cached) = self.accounts.get(account_id).await {
            return Ok(cached);
        }
        let ask = async {
            let state = match self.cache.get_account(account_id).await.ok().flatten() {
                Some(hot) => self.store_if_newer(Arc::new(hot)).await,
                None => self.fetch_account(account_id, None).await?,
            };
            Ok(CachedAccount { state, stale: false })
        };
        Box::pin(ask).await
    }

    /// Returns the newest known state of an account; `found` is the state in Redis.
    pub(crate) async fn resolve_account(
        &self,
        cached: CachedAccount,
        found: Option<AccountHit>,
    ) -> Result<Arc<AccountState>, CallError> {
        match found {
            Some(AccountHit::Unchanged) => Ok(cached.state),
            Some(AccountHit::Sent(hot)) if cached.state.version >= hot.version => Ok(cached.state),
            Some(AccountHit::Sent(hot)) => Ok(Box::pin(self.store_if_newer(Arc::new(hot))).await),
            None if !cached.stale => Ok(cached.state),
            None => Box::pin(self.fetch_account(&cached.state.account_id, Some(&cached))).await,
        }
    }

    async fn fetch_account(
        &self,
        account_id: &str,
        cached: Option<&CachedAccount>,
    ) -> Result<Arc<AccountState>, CallError> {
        match self.metering.account(account_id).await {
            Ok(Some(account)) => {
                let _ = self.cache.put_account(&account).await;
                Ok(self.store_if_newer(Arc::new(account)).await)
            }
            Ok(None) => Err(unknown_key()),
            Err(cause) => {
                let last = match cached {
                    Some(cached) => Some(Arc::clone(&cached.state)),
                    None => self.last_accounts.get(account_id).await,
                };
                last.ok_or_else(|| {
                    tracing::error!(error = %cause, account.id = account_id, "cannot read an account");
                    CallError::internal()
                })
            }
        }
    }

    /// Caches a state unless a newer one is cached; returns the newer one.
    pub(crate) async fn store_if_newer(&self, state: Arc<AccountState>) -> Arc<AccountState> {
        self.calendar.observe(state.period_start_unix);
        match self.accounts.get(&state.account_id).await {
            Some(known) if known.state.version > state.version => known.state,
            _ => {
                let cached = CachedAccount { state: Arc::clone(&state), stale: false };
                self.accounts.insert(state.account_id.clone(), cached).await;
                self.last_accounts.insert(state.account_id.clone(), Arc::clone(&state)).await;
                state
            }
        }
    }
}

fn unknown_key() -> CallError {
    CallError::invalid_key("The API key is unknown or was revoked. Create a key in the console.")
}

/// Returns the SHA-256 of the key in the `Authorization` header.
pub(crate) fn key_hash(headers: &HeaderMap) -> Result<Sha256Sum, CallError> {
    bearer_key(headers).map(|key| Sha256::digest(key.expose().as_bytes()).into())
}

/// Parses the key in the `Authorization` header (RFC 6750 §2.1): one header, the scheme in any case, one token.
fn bearer_key(headers: &HeaderMap) -> Result<ApiKey, CallError> {
    let missing = "The API key is missing. Send it as `Authorization: Bearer <API_KEY>`.";
    let malformed = "The Authorization header is malformed. Send one, as `Authorization: Bearer <API_KEY>`.";
    let mut values = headers.get_all(AUTHORIZATION).iter();
    let Some(value) = values.next() else { return Err(CallError::invalid_key(missing)) };
    if values.next().is_some() {
        return Err(CallError::invalid_key(malformed));
    }
    let text = value.to_str().map_err(|_| CallError::invalid_key(malformed))?;
    let mut words = text.split([' ', '\t']).filter(|word| !word.is_empty());
    let (scheme, token) = (words.next().unwrap_or_default(), words.next());
    if scheme.is_empty() {
        return Err(CallError::invalid_key(missing));
    }
    let (true, Some(token), None) = (scheme.eq_ignore_ascii_case("bearer"), token, words.next()) else {
        return Err(CallError::invalid_key(malformed));
    };
    ApiKey::parse(token).map_err(|fault| {
        CallError::invalid_key(&format!("The API key is not valid: {fault}. Create a key in the console."))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::HeaderValue;

    fn authorization_headers(values: &[&[u8]]) -> HeaderMap {
        let value = |bytes: &[u8]| (AUTHORIZATION, HeaderValue::from_bytes(bytes).unwrap());
        values.iter().copied().map(value).collect()
    }

    #[test]
    fn single_bearer_token_is_read_as_key() {
        let key = ApiKey::from_secret([3; 32]);
        for scheme in ["Bearer ", "bearer ", "BEARER  ", "bEaReR\t", " Bearer "] {
            let header = format!("{scheme}{}", key.expose());
            assert_eq!(bearer_key(&authorization_headers(&[header.as_bytes()])).unwrap(), key, "{header:?}");
        }
    }

    #[test]
    fn authorization_headers_without_a_single_bearer_token_are_refused() {
        let key = ApiKey::from_secret([3; 32]);
        let key = key.expose();
        let bearer = format!("Bearer {key}");
        let table: &[(&[&str], &str)] = &[
            (&[], "missing"),
            (&[""], "missing"),
            (&["Bearer"], "malformed"),
            (&[key], "malformed"),
            (&[&format!("Basic {key}")], "malformed"),
            (&[&format!("Bearer{key}")], "malformed"),
            (&[&format!("Bearer {key} {key}")], "malformed"),
            (&[&format!("Bearer {key},")], "not valid"),
            (&[&bearer, &bearer], "malformed"),
            (&["Bearer lm_live_short"], "not valid"),
            (&[&format!("Bearer {}", key.to_lowercase())], "not valid"),
            (&["Bearer lm_test_x"], "not valid"),
        ];
        for (values, says) in table {
            let values: Vec<&[u8]> = values.iter().map(|value| value.as_bytes()).collect();
            let fault = bearer_key(&authorization_headers(&values)).unwrap_err();
            assert_eq!(fault.status, 401);
            assert!(fault.message.contains(says), "{values:?}: {}", fault.message);
            assert!(!fault.message.contains(&key[8..]), "a message never contains a key");
        }
        assert!(bearer_key(&authorization_headers(&[b"Bearer \xff\xfe"])).unwrap_err().message.contains("malformed"));
    }
}
