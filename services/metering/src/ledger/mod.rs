//! The ledger: every operation on accounts, keys and credits.

pub(crate) mod account_owner;
pub(crate) mod accounts;
pub(crate) mod adjustments;
pub(crate) mod audit;
pub(crate) mod grants;
pub(crate) mod history;
pub(crate) mod holds;
pub(crate) mod job_runs;
pub(crate) mod keys;
pub(crate) mod periods;
pub(crate) mod personal_data;
pub(crate) mod plans;
pub(crate) mod row_mapping;
pub(crate) mod usage;

use crate::LedgerError;
use crate::outbox::AnnouncedEntries;
use limner_bus::Bus;
use limner_cache::Cache;
use limner_screenshot_store::RecordLog;
use limner_store::Store;
use limner_types::AccountState;
use std::sync::Arc;

/// Accounts, keys and credits over one database. Cheap to clone; any number of ledgers may run concurrently.
#[derive(Clone)]
pub struct Ledger {
    pub(crate) store: Store,
    pub(crate) cache: Option<Cache>,
    pub(crate) bus: Option<Bus>,
    pub(crate) announced: Arc<AnnouncedEntries>,
    pub(crate) erasure_log: Option<RecordLog>,
    pub(crate) counts_hits_only: bool,
}

impl std::fmt::Debug for Ledger {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Ledger").field("store", &self.store).finish_non_exhaustive()
    }
}

impl Ledger {
    /// Returns a ledger over the database. Account states are written through to `cache` and changes announced on
    /// `bus`, if given; without them (or while they are down) changes wait in the database's outbox for a ledger that
    /// has them.
    pub fn new(store: Store, cache: Option<Cache>, bus: Option<Bus>) -> Self {
        Self { store, cache, bus, announced: Arc::default(), erasure_log: None, counts_hits_only: false }
    }

    /// Returns the ledger with cache hits in the sums per day alone, and not in the history.
    #[must_use]
    pub fn with_hits_counted_only(self, counts_hits_only: bool) -> Self {
        Self { counts_hits_only, ..self }
    }

    /// Checks that calls can be metered: the database answers and has the schema of this build.
    ///
    /// # Errors
    /// The database does not answer, or its schema is of another build.
    pub async fn ready(&self) -> Result<(), LedgerError> {
        Ok(self.store.check_schema().await?)
    }

    /// Writes the newest state to the cache. The cache is only a copy: if it is down, the ledger still works.
    pub(crate) async fn cache_state(&self, state: &AccountState) {
        let Some(cache) = &self.cache else { return };
        if let Err(cause) = cache.put_account(state).await {
            metrics::counter!("limner_metering_write_through_failures_total").increment(1);
            tracing::warn!(account.id = %state.account_id, error = %cause, "cannot write an account state to the cache");
        }
    }
}
