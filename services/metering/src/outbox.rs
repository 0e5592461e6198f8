//! Transactional outbox for account changes.
//!
//! A change and its outbox row commit together, so a revocation is published even if Redis or NATS is down or the
//! process crashes after the commit.

use crate::{Ledger, LedgerError};
use limner_bus::AccountChange;
use limner_store::{Row, StoreError};
use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Maximum number of changes delivered in one step.
const BATCH: i64 = 100;
/// Time limit for announcing one change: a NATS client that reconnects holds its messages back.
const ANNOUNCE_TIMEOUT: Duration = Duration::from_secs(2);
/// Time limit for writing one change to Redis: a revocation is announced soon, whatever Redis says.
const CACHE_TIMEOUT: Duration = Duration::from_millis(300);
/// Maximum number of remembered changes that only Redis lacks. Others are announced once more.
const MAX_ANNOUNCED: usize = 10_000;

/// An outbox row.
struct OutboxEntry {
    id: i64,
    account_id: String,
    key_sha256: Option<[u8; 32]>,
}

/// Ids of outbox rows that were announced and are not in Redis yet.
#[derive(Default)]
pub(crate) struct AnnouncedEntries(Mutex<BTreeSet<i64>>);

impl AnnouncedEntries {
    fn ids(&self) -> Vec<i64> {
        self.lock().iter().copied().collect()
    }

    fn insert(&self, id: i64) {
        let mut ids = self.lock();
        if ids.len() < MAX_ANNOUNCED {
            ids.insert(id);
        }
    }

    /// Keeps the ids that are still in the outbox.
    fn replace(&self, before: &[i64], present: impl Iterator<Item = i64>) {
        let mut ids = self.lock();
        for id in before {
            ids.remove(id);
        }
        ids.extend(present);
    }

    fn lock(&self) -> MutexGuard<'_, BTreeSet<i64>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Ledger {
    /// Delivers pending changes right after one was made. The service's jobs deliver those that fail here.
    pub(crate) async fn flush_outbox(&self) {
        if self.cache.is_none() || self.bus.is_none() {
            return;
        }
        if let Err(cause) = self.deliver_new_entries(&self.announced.ids()).await {
            tracing::warn!(error = %cause, "change not announced yet");
        }
    }

    /// Writes pending changes to the cache, announces them on the bus, and deletes the delivered ones from the outbox.
    /// Without the cache they are announced all the same, and delivered again once it is back: until then it may contain
    /// what was before. Returns the number delivered.
    ///
    /// # Errors
    /// The database fails.
    pub async fn deliver_outbox(&self) -> Result<usize, LedgerError> {
        let announced = self.announced.ids();
        Ok(self.deliver_new_entries(&announced).await? + self.deliver_announced_entries(&announced).await?)
    }

    /// Delivers changes that were not announced yet.
    async fn deliver_new_entries(&self, announced: &[i64]) -> Result<usize, LedgerError> {
        const SQL: &str =
            "SELECT id, account_id, key_sha256 FROM metering.outbox WHERE id <> ALL ($1) ORDER BY id LIMIT $2";
        let mut delivered = Vec::new();
        let mut is_cache_up = true;
        for row in &self.store.query(SQL, &[&announced, &BATCH]).await? {
            let entry = pending(row)?;
            let cached = if is_cache_up { self.write_entry(&entry).await } else { false };
            is_cache_up = cached;
            let announced = self.announce_entry(&entry).await;
            match (announced, cached && self.log_entry(&entry).await) {
                (true, true) => delivered.push(entry.id),
                (true, false) => self.announced.insert(entry.id),
                (false, _) => {}
            }
        }
        self.delete_entries(&delivered).await
    }

    /// Delivers changes that were announced while the cache was away.
    async fn deliver_announced_entries(&self, announced: &[i64]) -> Result<usize, LedgerError> {
        const SQL: &str = "SELECT id, account_id, key_sha256 FROM metering.outbox WHERE id = ANY ($1) ORDER BY id";
        if announced.is_empty() {
            return Ok(0);
        }
        let rows = self.store.query(SQL, &[&announced]).await?;
        let entries: Vec<OutboxEntry> = rows.iter().map(pending).collect::<Result<_, _>>()?;
        let mut left: BTreeSet<i64> = entries.iter().map(|entry| entry.id).collect();
        let mut delivered = Vec::new();
        for entry in &entries {
            if !self.write_entry(entry).await {
                break;
            }
            if self.announce_entry(entry).await && self.log_entry(entry).await {
                left.remove(&entry.id);
                delivered.push(entry.id);
            }
        }
        self.announced.replace(announced, left.into_iter());
        self.delete_entries(&delivered).await
    }

    async fn delete_entries(&self, delivered: &[i64]) -> Result<usize, LedgerError> {
        if !delivered.is_empty() {
            self.store.query("DELETE FROM metering.outbox WHERE id = ANY ($1)", &[&delivered]).await?;
        }
        Ok(delivered.len())
    }

    /// Writes the account of a change to the cache, and drops its key. Returns false if the cache is away.
    async fn write_entry(&self, entry: &OutboxEntry) -> bool {
        match tokio::time::timeout(CACHE_TIMEOUT, self.try_write_entry(entry)).await {
            Ok(Ok(())) => return true,
            Ok(Err(cause)) => {
                tracing::warn!(account.id = %entry.account_id, error = %cause, "change not written to the cache yet");
            }
            Err(_) => tracing::warn!(account.id = %entry.account_id, "change not written to the cache in time"),
        }
        false
    }

    async fn try_write_entry(&self, entry: &OutboxEntry) -> Result<(), DeliveryError> {
        let Some(cache) = &self.cache else { return Ok(()) };
        if let Some(key) = entry.key_sha256 {
            cache.drop_key(key).await?;
        }
        // Read at delivery, not when the change was made: the newest state is published.
        if let Some(state) = self.read_state(&entry.account_id).await? {
            cache.put_account(&state).await?;
        }
        Ok(())
    }

    /// Logs a key as revoked, if the change is about one. Returns false if the log is away, which takes longer to say so
    /// than the cache does.
    async fn log_entry(&self, entry: &OutboxEntry) -> bool {
        let Some(key) = entry.key_sha256 else { return true };
        let logged = self.log_revocation(&entry.account_id, key).await;
        if let Err(cause) = &logged {
            tracing::warn!(account.id = %entry.account_id, error = %cause, "revocation not logged yet");
        }
        logged.is_ok()
    }

    /// Announces a change. Returns false if the bus is away.
    async fn announce_entry(&self, entry: &OutboxEntry) -> bool {
        let Some(bus) = &self.bus else { return true };
        if !bus.is_connected() {
            return false;
        }
        let change = AccountChange { account_id: entry.account_id.clone(), key_sha256: entry.key_sha256 };
        match tokio::time::timeout(ANNOUNCE_TIMEOUT, bus.announce_account_change(change)).await {
            Ok(Ok(())) => return true,
            Ok(Err(cause)) => {
                tracing::warn!(account.id = %entry.account_id, error = %cause, "change not announced yet")
            }
            Err(_) => tracing::warn!(account.id = %entry.account_id, "change not announced in time"),
        }
        false
    }
}

/// A failed write of a change to the cache.
#[derive(Debug, thiserror::Error)]
enum DeliveryError {
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    #[error(transparent)]
    Cache(#[from] limner_cache::CacheError),
}

fn pending(row: &Row) -> Result<OutboxEntry, StoreError> {
    let key: Option<&[u8]> = row.try_get("key_sha256")?;
    let hash =
        |key: &[u8]| key.try_into().map_err(|_| StoreError::Unexpected("a key hash of another length".to_owned()));
    Ok(OutboxEntry {
        id: row.try_get("id")?,
        account_id: row.try_get("account_id")?,
        key_sha256: key.map(hash).transpose()?,
    })
}
