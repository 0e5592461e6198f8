//! Keeping a result within the limit on its size.

use serde::Serialize;
use std::io::{self, Write};

/// Largest result in bytes of JSON, unless the operator says otherwise.
pub(crate) const MAX_RESULT_BYTES: usize = 8_000_000;
/// What is left for everything around the lists.
const ENVELOPE_BYTES: usize = 16 * 1024;

/// The room there is for the lists of a result.
#[derive(Debug)]
pub(crate) struct Room {
    left: usize,
    cut: bool,
}

impl Room {
    /// The room in a result of at most `most` bytes.
    pub(crate) fn in_result_of(most: usize) -> Self {
        Self { left: most - ENVELOPE_BYTES.min(most / 4), cut: false }
    }

    /// Keeps the items that fit, in order. An item too large for the rest is passed over, so that one giant does not
    /// hide all that follows it.
    pub(crate) fn keep<T: Serialize>(&mut self, items: Vec<T>) -> Vec<T> {
        self.keep_with(items, |_| 0)
    }

    /// The same for items that take more room than their own: `more` says how many bytes elsewhere in the result.
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

    /// Whether something did not fit.
    pub(crate) fn is_cut(&self) -> bool {
        self.cut
    }
}

/// The bytes of an item as JSON.
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
    fn giants_are_passed_over_and_the_order_stays() {
        let giant = "x".repeat(MAX_RESULT_BYTES);
        let half = "\"".repeat(MAX_RESULT_BYTES / 4);
        let items = vec!["a".to_owned(), giant, half.clone(), half, "b".to_owned()];
        let mut room = Room::in_result_of(MAX_RESULT_BYTES);
        let lengths: Vec<usize> = room.keep(items).iter().map(String::len).collect();
        assert_eq!((lengths, room.is_cut()), (vec![1, MAX_RESULT_BYTES / 4, 1], true));
    }

    #[test]
    fn lists_share_the_room_and_items_may_take_more_than_their_own() {
        let mut room = Room::in_result_of(16);
        assert_eq!(room.keep(vec![1, 2]), [1, 2]);
        assert!(!room.is_cut());
        assert_eq!(room.keep_with(vec![10, 2, 3], |item| *item), [2]);
        assert!(room.is_cut());
    }
}
