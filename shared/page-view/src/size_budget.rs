//! Limits the size of a result.

use serde::Serialize;
use std::io::{self, Write};

/// Default maximum size of a result, in bytes of JSON.
pub const MAX_RESULT_BYTES: usize = 8_000_000;
/// Number of bytes reserved for the parts of a result other than lists.
const ENVELOPE_BYTES: usize = 16 * 1024;

/// The remaining size budget for the lists of a result.
#[derive(Debug)]
pub struct SizeBudget {
    remaining_bytes: usize,
    cut: bool,
}

impl SizeBudget {
    /// Creates the budget for a result of at most `most` bytes.
    pub fn with_limit(most: usize) -> Self {
        Self { remaining_bytes: most - ENVELOPE_BYTES.min(most / 4), cut: false }
    }

    /// Retains the items that fit, in order. An item larger than the remaining budget is skipped,
    /// so that one huge item does not hide those after it.
    pub fn retain_fitting<T: Serialize>(&mut self, items: Vec<T>) -> Vec<T> {
        self.retain_fitting_with(items, |_| 0)
    }

    /// Like [`Self::retain_fitting`], for items that also add bytes elsewhere in the result: `more` returns
    /// their number.
    pub fn retain_fitting_with<T: Serialize>(&mut self, items: Vec<T>, mut more: impl FnMut(&T) -> usize) -> Vec<T> {
        let total = items.len();
        let fits = |item: &T| {
            let size = json_bytes(item).saturating_add(1).saturating_add(more(item));
            let fits = size <= self.remaining_bytes;
            if fits {
                self.remaining_bytes -= size;
            }
            fits
        };
        let kept: Vec<T> = items.into_iter().filter(fits).collect();
        self.cut |= kept.len() < total;
        kept
    }

    /// Returns true if an item did not fit.
    pub fn is_truncated(&self) -> bool {
        self.cut
    }
}

/// Returns the size of an item as JSON, in bytes.
pub fn json_bytes(item: &impl Serialize) -> usize {
    let mut counter = ByteCounter(0);
    match serde_json::to_writer(&mut counter, item) {
        Ok(()) => counter.0,
        Err(_) => usize::MAX - 1,
    }
}

struct ByteCounter(usize);

impl Write for ByteCounter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn oversized_items_are_skipped_and_the_order_is_kept() {
        let giant = "x".repeat(MAX_RESULT_BYTES);
        let half = "\"".repeat(MAX_RESULT_BYTES / 4);
        let items = vec!["a".to_owned(), giant, half.clone(), half, "b".to_owned()];
        let mut room = SizeBudget::with_limit(MAX_RESULT_BYTES);
        let lengths: Vec<usize> = room.retain_fitting(items).iter().map(String::len).collect();
        assert_eq!((lengths, room.is_truncated()), (vec![1, MAX_RESULT_BYTES / 4, 1], true));
    }

    #[test]
    fn lists_share_the_budget_including_additional_bytes() {
        let mut room = SizeBudget::with_limit(16);
        assert_eq!(room.retain_fitting(vec![1, 2]), [1, 2]);
        assert!(!room.is_truncated());
        assert_eq!(room.retain_fitting_with(vec![10, 2, 3], |item| *item), [2]);
        assert!(room.is_truncated());
    }
}
