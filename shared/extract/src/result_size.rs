//! Limits the size of a result.

use serde::Serialize;
use std::io::{self, Write};

/// Default maximum size of a result, in bytes of JSON.
pub(crate) const MAX_RESULT_BYTES: usize = 8_000_000;
/// Number of bytes reserved for the parts of a result other than lists.
const ENVELOPE_BYTES: usize = 16 * 1024;

/// The remaining size budget for the lists of a result.
#[derive(Debug)]
pub(crate) struct Room {
    left: usize,
    cut: bool,
}

impl Room {
    /// Creates the budget for a result of at most `most` bytes.
    pub(crate) fn in_result_of(most: usize) -> Self {
        Self { left: most - ENVELOPE_BYTES.min(most / 4), cut: false }
    }

    /// Retains the items that fit, in order. An item larger than the remaining budget is skipped,
    /// so that one huge item does not hide those after it.
    pub(crate) fn keep<T: Serialize>(&mut self, items: Vec<T>) -> Vec<T> {
        self.keep_with(items, |_| 0)
    }

    /// Like [`Self::keep`], for items that also add bytes elsewhere in the result: `more` returns
    /// their number.
    pub(crate) fn keep_with<T: Serialize>(&mut self, items: Vec<T>, mut more: impl FnMut(&T) -> usize) -> Vec<T> {
        let total = items.len();
        let fits = |item: &T| {
            let size = json_bytes(item).saturating_add(1).saturating_add(more(item));
            let fits = size <= self.left;
            if fits {
                self.left -= size;
            }
            fits
        };
        let kept: Vec<T> = items.into_iter().filter(fits).collect();
        self.cut |= kept.len() < total;
        kept
    }

    /// Returns true if an item did not fit.
    pub(crate) fn is_cut(&self) -> bool {
        self.cut
    }
}

/// Returns the size of an item as JSON, in bytes.
pub(crate) fn json_bytes(item: &impl Serialize) -> usize {
    let mut counter = Counter(0);
    match serde_json::to_writer(&mut counter, item) {
        Ok(()) => counter.0,
        Err(_) => usize::MAX - 1,
    }
}

struct Counter(usize);

impl Write for Counter {
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
        let mut room = Room::in_result_of(MAX_RESULT_BYTES);
        let lengths: Vec<usize> = room.keep(items).iter().map(String::len).collect();
        assert_eq!((lengths, room.is_cut()), (vec![1, MAX_RESULT_BYTES / 4, 1], true));
    }

    #[test]
    fn lists_share_the_budget_including_additional_bytes() {
        let mut room = Room::in_result_of(16);
        assert_eq!(room.keep(vec![1, 2]), [1, 2]);
        assert!(!room.is_cut());
        assert_eq!(room.keep_with(vec![10, 2, 3], |item| *item), [2]);
        assert!(room.is_cut());
    }
}
