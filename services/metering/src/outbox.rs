//! Transactional outbox for account changes.
//!
//! A change and its outbox row commit together, so a revocation is published even if Redis or NATS is down or the
//! process crashes after the commit.

use crate::{Ledger, LedgerError};
use limner_bus::AccountChange;
use limner_store::{Row, StoreError};
use std::time::Duration;

/// Maximum number of changes delivered in one step.
const BATCH: i64 = 100;
/// Time limit for delivering one change: a NATS client that reconnects holds its messages back.
const DELIVERY_TIMEOUT: Duration = Duration::from_secs(2);

/// An outbox row.
struct OutboxEntry {
    id: i64,
    account_id: String,
    key_sha256: Option<[u8; 32]>,
}

impl Ledger {
    /// Delivers pending changes right after one was made. The service's jobs deliver those that fail here.
    pub(crate) async fn flush_outbox(&self) {
        if self.cache.is_none() || self.bus.is_none() {
            return;
        }
        if let Err(cause) = self.deliver_outbox().await {
            tracing::warn!(error = %cause, "change not announced yet");
        }
    }

    /// Writes pending changes to the cache, announces them on the bus, and deletes the delivered ones from the outbox.
    /// Returns the number delivered.
    ///
    /// # Errors
    /// The database fails.
    pub async fn deliver_outbox(&self) -> Result<usize, LedgerError> {
        const SQL: &str = "SELECT id, account_id, key_sha256 FROM metering.outbox ORDER BY id LIMIT $1";
        let mut delivered = Vec::new();
        for row in &self.store.query(SQL, &[&BATCH]).await? {
            let change = pending(row)?;
            match tokio::time::timeout(DELIVERY_TIMEOUT, self.deliver_entry(&change)).await {
                Ok(Ok(())) => delivered.push(change.id),
                Ok(Err(cause)) => {
                    tracing::warn!(account.id = %change.account_id, error = %cause, "change not delivered yet")
                }
                Err(_) => tracing::warn!(account.id = %change.account_id, "change not delivered in time"),
            }
        }
        if !delivered.is_empty() {
            self.store.query("DELETE FROM metering.outbox WHERE id = ANY ($1)", &[&delivered]).await?;
        }
        Ok(delivered.len())
    }

    async fn deliver_entry(&self, change: &OutboxEntry) -> Result<(), DeliveryError> {
        if let Some(cache) = &self.cache {
            if let Some(key) = change.key_sha256 {
                cache.drop_key(key).await?;
            }
            // Read at delivery, not when the change was made: the newest state is published.
            let state = self.read_state(&change.account_id).await?;
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

/// A failed delivery of a change.
#[derive(Debug, thiserror::Error)]
enum DeliveryError {
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    #[error(transparent)]
    Cache(#[from] limner_cache::CacheError),
    #[error(transparent)]
    Bus(#[from] limner_bus::BusError),
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
