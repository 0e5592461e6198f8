//! Telling running processes what changed.
//!
//! A change and the note that it has to be told are one transaction, so a revocation reaches every process even when
//! Redis or NATS is down, or we die, right after it was made.

use crate::{Ledger, LedgerError};
use limner_bus::AccountChange;
use limner_store::{Row, StoreError};
use std::time::Duration;

/// Changes told in one step.
const BATCH: i64 = 100;
/// How long telling one change may take: a client that reconnects keeps its messages back.
const PATIENCE: Duration = Duration::from_secs(2);

/// A change that has to be told.
struct Pending {
    id: i64,
    account_id: String,
    key_sha256: Option<[u8; 32]>,
}

impl Ledger {
    /// Tells pending changes right after one was made. What can't be told now, the jobs of the service tell later.
    pub(crate) async fn announce_now(&self) {
        if self.cache.is_none() || self.bus.is_none() {
            return;
        }
        if let Err(cause) = self.deliver_changes().await {
            tracing::warn!(error = %cause, "a change is not announced yet");
        }
    }

    /// Writes pending changes to the cache, announces them on the bus, and strikes off what arrived; says how many.
    ///
    /// # Errors
    /// The database fails.
    pub async fn deliver_changes(&self) -> Result<usize, LedgerError> {
        const SQL: &str = "SELECT id, account_id, key_sha256 FROM metering.pending_change ORDER BY id LIMIT $1";
        let mut delivered = Vec::new();
        for row in &self.store.query(SQL, &[&BATCH]).await? {
            let change = pending(row)?;
            match tokio::time::timeout(PATIENCE, self.deliver(&change)).await {
                Ok(Ok(())) => delivered.push(change.id),
                Ok(Err(cause)) => {
                    tracing::warn!(account.id = %change.account_id, error = %cause, "change not told yet")
                }
                Err(_) => tracing::warn!(account.id = %change.account_id, "change not told in time"),
            }
        }
        if !delivered.is_empty() {
            self.store.query("DELETE FROM metering.pending_change WHERE id = ANY ($1)", &[&delivered]).await?;
        }
        Ok(delivered.len())
    }

    async fn deliver(&self, change: &Pending) -> Result<(), Untold> {
        if let Some(cache) = &self.cache {
            if let Some(key) = change.key_sha256 {
                cache.drop_key(key).await?;
            }
            // Read now, not when the change was made: the newest state is the one to show.
            let state = self.peek(&change.account_id).await?;
            if let Some(state) = state {
                cache.put_account(&state).await?;
            }
        }
        if let Some(bus) = &self.bus {
            let account_id = change.account_id.clone();
            bus.announce_account_change(AccountChange { account_id, key_sha256: change.key_sha256 }).await?;
        }
        Ok(())
    }
}

/// Why a change could not be told.
#[derive(Debug, thiserror::Error)]
enum Untold {
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    #[error(transparent)]
    Cache(#[from] limner_cache::CacheError),
    #[error(transparent)]
    Bus(#[from] limner_bus::BusError),
}

fn pending(row: &Row) -> Result<Pending, StoreError> {
    let key: Option<&[u8]> = row.try_get("key_sha256")?;
    let hash =
        |key: &[u8]| key.try_into().map_err(|_| StoreError::Unexpected("a key hash of another length".to_owned()));
    Ok(Pending {
        id: row.try_get("id")?,
        account_id: row.try_get("account_id")?,
        key_sha256: key.map(hash).transpose()?,
    })
}
