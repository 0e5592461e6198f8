//! A cache of unpacked results: a hit in it only needs Redis to confirm that the result is still the current one.

use crate::unpacked_result::UnpackedResult;
use limner_cache::ResultVersion;
use std::time::Duration;

/// A result and its identification.
#[derive(Clone)]
pub(crate) struct ResultEntry {
    pub(crate) version: ResultVersion,
    pub(crate) result: UnpackedResult,
}

pub(crate) struct ResultCache {
    results: moka::future::Cache<String, ResultEntry>,
    largest: u64,
}

/// Time after which an unused result is dropped.
const IDLE: Duration = Duration::from_secs(600);
/// Memory used by a result besides its body.
const OVERHEAD_BYTES: usize = 512;

impl ResultCache {
    /// Returns a cache whose bodies have a total capacity of `bytes`.
    pub(crate) fn new(bytes: u64) -> Self {
        let weight = |_: &String, kept: &ResultEntry| u32::try_from(weight_of(&kept.result)).unwrap_or(u32::MAX);
        let results = moka::future::Cache::builder().weigher(weight).max_capacity(bytes).time_to_idle(IDLE).build();
        Self { results, largest: bytes }
    }

    pub(crate) async fn get(&self, cache_key: &str) -> Option<ResultEntry> {
        self.results.get(cache_key).await
    }

    pub(crate) async fn insert(&self, cache_key: &str, version: ResultVersion, result: UnpackedResult) {
        // The cache frees evicted entries with a delay, and until then they use budgeted memory.
        if weight_of(&result) > self.largest {
            return;
        }
        self.results.insert(cache_key.to_owned(), ResultEntry { version, result }).await;
        self.results.run_pending_tasks().await;
    }
}

fn weight_of(result: &UnpackedResult) -> u64 {
    (result.body.len() + OVERHEAD_BYTES) as u64
}
