//! The work budget that all readers of one page share.
//!
//! Pages are read by rules that multiply: each selector with each element, under each combination of states. Work that
//! stays slow in every implementation is counted, in steps and bytes and never in time, so that one page always has the
//! same result.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Maximum number of steps for reading a page: each is worth some ten nanoseconds of one processor.
pub const MAX_STEPS: u64 = 600_000_000;
/// Maximum number of bytes kept of the values that result from substituting custom properties.
pub const MAX_RETAINED_BYTES: u64 = 256 * 1024 * 1024;
/// Maximum number of steps outside of extraction: for classifying a document, and for finding its files. Both are linear,
/// so that the largest document takes a fraction of it.
pub const MAX_READING_STEPS: u64 = 200_000_000;

/// The budget of one page, shared by its clones. Readers stop early, with partial results, once it is spent; the caller
/// that started them checks [`WorkBudget::is_exhausted`] at the end.
#[derive(Debug, Clone)]
pub struct WorkBudget(Arc<RemainingWork>);

#[derive(Debug)]
struct RemainingWork {
    steps: AtomicU64,
    bytes: AtomicU64,
    is_cancelled: AtomicBool,
}

impl Default for WorkBudget {
    fn default() -> Self {
        Self::with_steps(MAX_STEPS)
    }
}

impl WorkBudget {
    /// Creates a budget of some steps, and the usual bytes.
    pub fn with_steps(steps: u64) -> Self {
        Self(Arc::new(RemainingWork {
            steps: AtomicU64::new(steps),
            bytes: AtomicU64::new(MAX_RETAINED_BYTES),
            is_cancelled: AtomicBool::new(false),
        }))
    }

    /// Makes readers stop as if the budget were spent. Any thread may call it: nobody waits for the result any more.
    pub fn cancel(&self) {
        self.0.is_cancelled.store(true, Ordering::Relaxed);
    }

    /// Charges steps to the budget; returns false if it is spent.
    #[inline]
    pub fn spend(&self, steps: u64) -> bool {
        subtract(&self.0.steps, steps);
        !self.is_exhausted()
    }

    /// Charges bytes that are kept until the page has been read; returns false if the budget is spent.
    pub fn reserve_bytes(&self, bytes: usize) -> bool {
        subtract(&self.0.bytes, bytes as u64);
        !self.is_exhausted()
    }

    /// Returns true if steps or bytes are used up, or the work was cancelled.
    #[inline]
    pub fn is_exhausted(&self) -> bool {
        self.steps() == 0 || self.0.bytes.load(Ordering::Relaxed) == 0 || self.0.is_cancelled.load(Ordering::Relaxed)
    }

    /// Returns the steps that are left.
    #[inline]
    pub fn steps(&self) -> u64 {
        self.0.steps.load(Ordering::Relaxed)
    }
}

#[inline]
fn subtract(left: &AtomicU64, count: u64) {
    // One page is read by one thread at a time, so no update is lost between load and store.
    left.store(left.load(Ordering::Relaxed).saturating_sub(count), Ordering::Relaxed);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budget_shared_by_clones_is_spent_once() {
        let budget = WorkBudget::with_steps(10);
        assert!(budget.clone().spend(9) && !budget.is_exhausted());
        assert!(!budget.spend(5) && !budget.spend(0) && budget.clone().is_exhausted());
        let budget = WorkBudget::default();
        assert!(budget.reserve_bytes(1) && budget.spend(1));
        assert!(!budget.reserve_bytes(usize::MAX) && !budget.spend(1));
        assert!(!WorkBudget::default().is_exhausted());
        let budget = WorkBudget::default();
        budget.clone().cancel();
        assert!(budget.is_exhausted() && !budget.spend(1) && budget.steps() > 0);
    }
}
