//! Each page's use of its budget.

use limner_netguard::{DenialReport, EgressToken, FetchError, PageReport};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// Maximum number of failures kept for a page's report.
const MAX_FAILURES: usize = 64;

/// The accounts of active pages. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct PageBudgets {
    accounts: Arc<Mutex<HashMap<String, Arc<PageAccount>>>>,
    most: usize,
}

/// One page's account.
#[derive(Debug)]
pub(crate) struct PageAccount {
    pass: EgressToken,
    bytes: AtomicU64,
    requests: AtomicU32,
    connections: AtomicUsize,
    exhausted: AtomicBool,
    failures: Mutex<HashMap<String, DenialReport>>,
    /// Cancelled when the page has ended.
    ended: CancellationToken,
}

/// An open connection of a page.
#[derive(Debug)]
pub(crate) struct OpenConnection(Arc<PageAccount>);

impl PageBudgets {
    pub(crate) fn new(most: usize) -> Self {
        Self { accounts: Arc::default(), most }
    }

    /// Returns the account of a token's page, created on first use. Returns `None` if there are too many active pages.
    pub(crate) fn account(&self, pass: EgressToken) -> Option<Arc<PageAccount>> {
        let mut accounts = self.accounts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(page) = accounts.get(&pass.page) {
            return Some(Arc::clone(page));
        }
        if accounts.len() >= self.most {
            return None;
        }
        let page = Arc::new(PageAccount {
            bytes: AtomicU64::new(0),
            requests: AtomicU32::new(0),
            connections: AtomicUsize::new(0),
            exhausted: AtomicBool::new(false),
            failures: Mutex::default(),
            ended: CancellationToken::new(),
            pass,
        });
        accounts.insert(page.pass.page.clone(), Arc::clone(&page));
        metrics::gauge!("limner_egress_pages").set(accounts.len() as f64);
        drop(accounts);
        // A closed account stays until its token expires: the same token must not open a new one.
        let (pages, kept) = (self.clone(), Arc::clone(&page));
        tokio::spawn(async move {
            tokio::time::sleep_until(kept.end()).await;
            kept.ended.cancel();
            pages.forget(&kept.pass.page);
        });
        Some(page)
    }

    fn forget(&self, name: &str) {
        let mut accounts = self.accounts.lock().unwrap_or_else(PoisonError::into_inner);
        accounts.remove(name);
        metrics::gauge!("limner_egress_pages").set(accounts.len() as f64);
    }
}

impl PageAccount {
    /// Returns the expiry of its token.
    fn end(&self) -> Instant {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Instant::now() + Duration::from_secs(self.pass.ends_unix).saturating_sub(now)
    }

    /// Resolves when the page has ended: its token expired, its budget was exhausted, or it was closed.
    pub(crate) async fn wait_until_ended(&self) {
        self.ended.cancelled().await;
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.ended.is_cancelled()
    }

    /// Counts a request; returns false if the budget has none left.
    pub(crate) fn count_request(&self) -> bool {
        let before = self.requests.fetch_add(1, Ordering::Relaxed);
        self.check_budget(before < self.pass.allowance.requests)
    }

    /// Counts bytes; returns false if they exceed the budget.
    pub(crate) fn count_bytes(&self, bytes: usize) -> bool {
        let bytes = bytes as u64;
        metrics::counter!("limner_egress_bytes_total").increment(bytes);
        let before = self.bytes.fetch_add(bytes, Ordering::Relaxed);
        self.check_budget(before.saturating_add(bytes) <= self.pass.allowance.bytes)
    }

    /// Ends a page that exceeds its budget, on all of its connections.
    fn check_budget(&self, within: bool) -> bool {
        if !within {
            if !self.exhausted.swap(true, Ordering::Relaxed) {
                metrics::counter!("limner_egress_exhausted_pages_total").increment(1);
                tracing::info!(page.id = self.pass.page, "page exhausted its budget");
            }
            self.ended.cancel();
        }
        within && !self.is_closed()
    }

    /// Counts a connection until the result is dropped; returns `None` if the page has too many.
    pub(crate) fn open(self: &Arc<Self>, most: usize) -> Option<OpenConnection> {
        if self.connections.fetch_add(1, Ordering::Relaxed) >= most {
            self.connections.fetch_sub(1, Ordering::Relaxed);
            return None;
        }
        Some(OpenConnection(Arc::clone(self)))
    }

    /// Records the reason why `authority` could not be reached.
    pub(crate) fn record_failure(&self, authority: &str, fault: &FetchError) {
        let mut failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        if failures.len() < MAX_FAILURES || failures.contains_key(authority) {
            failures.insert(authority.to_owned(), DenialReport { code: fault.code(), message: fault.message() });
        }
    }

    /// Withdraws the failure of `authority`: a later request to it has worked.
    pub(crate) fn forget_failure(&self, authority: &str) {
        self.failures.lock().unwrap_or_else(PoisonError::into_inner).remove(authority);
    }

    /// Ends the page: closes its connections and rejects new ones.
    pub(crate) fn close(&self) {
        self.ended.cancel();
    }

    pub(crate) fn report(&self) -> PageReport {
        let failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        PageReport {
            bytes: self.bytes.load(Ordering::Relaxed),
            requests: self.requests.load(Ordering::Relaxed),
            exhausted: self.exhausted.load(Ordering::Relaxed),
            failures: failures.iter().map(|(authority, refusal)| (authority.clone(), refusal.clone())).collect(),
        }
    }
}

impl Drop for OpenConnection {
    fn drop(&mut self) {
        self.0.connections.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use limner_netguard::EgressBudget;

    fn pass(page: &str, life: Duration) -> EgressToken {
        EgressToken::lasting(page, EgressBudget { bytes: 100, requests: 2 }, life)
    }

    #[tokio::test]
    async fn page_is_limited_to_its_own_budget() {
        let pages = PageBudgets::new(2);
        let page = pages.account(pass("a", Duration::from_secs(60))).unwrap();
        assert!(page.count_bytes(100) && page.count_request() && page.count_request());
        let other = pages.account(pass("b", Duration::from_secs(60))).unwrap();
        assert!(!page.count_bytes(1), "used up");
        assert!(page.is_closed() && page.report().exhausted);
        assert!(!page.count_request(), "and over");
        assert!(other.count_bytes(1) && other.count_request() && !other.is_closed());
        assert!(other.count_request() && !other.count_request(), "requests are counted too");
        assert!(pages.account(pass("c", Duration::from_secs(60))).is_none(), "too many pages");
    }

    #[tokio::test]
    async fn closed_page_stays_closed() {
        let pages = PageBudgets::new(2);
        let life = Duration::from_secs(60);
        pages.account(pass("a", life)).unwrap().close();
        assert!(!pages.account(pass("a", life)).unwrap().count_bytes(1));
    }

    #[tokio::test(start_paused = true)]
    async fn account_ends_with_its_pass() {
        let pages = PageBudgets::new(2);
        let page = pages.account(pass("a", Duration::from_secs(1))).unwrap();
        page.wait_until_ended().await;
        assert!(!page.count_request());
        while !pages.accounts.lock().unwrap().is_empty() {
            tokio::task::yield_now().await;
        }
    }

    #[tokio::test]
    async fn connections_are_counted_while_they_are_open() {
        let page = PageBudgets::new(1).account(pass("a", Duration::from_secs(60))).unwrap();
        let first = page.open(1).unwrap();
        assert!(page.open(1).is_none());
        drop(first);
        assert!(page.open(1).is_some());
    }
}
