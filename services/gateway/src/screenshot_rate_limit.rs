//! The rate limit of screenshots, which are public: counted by address, in this process.

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// Number of screenshot requests within a minute, by address.
pub(crate) struct ScreenshotRateLimiter {
    counts: moka::future::Cache<IpAddr, Arc<AtomicU32>>,
    limit: u32,
}

const MINUTE: Duration = Duration::from_secs(60);
/// Maximum number of addresses that are tracked.
const MAX_ADDRESSES: u64 = 100_000;

impl ScreenshotRateLimiter {
    /// Allows each address `limit` requests per minute.
    pub(crate) fn new(limit: u32) -> Self {
        let counts = moka::future::Cache::builder().max_capacity(MAX_ADDRESSES).time_to_live(MINUTE).build();
        Self { counts, limit }
    }

    /// Counts a request. Returns false if the address has exceeded the limit.
    pub(crate) async fn may_ask(&self, address: IpAddr) -> bool {
        let count = self.counts.get_with(address, async { Arc::default() }).await;
        count.fetch_add(1, Ordering::Relaxed) < self.limit
    }
}
