//! Keeping a result within the limit on its size.

use serde::Serialize;
use std::io::{self, Write};

/// Largest result in bytes of JSON.
pub(crate) const MAX_RESULT_BYTES: usize = 8 * 1024 * 1024;
/// What is left for everything around the list.
const ENVELOPE_BYTES: usize = 16 * 1024;

/// Keeps the items that fit into the limit, in order; says whether some did not. An item too large for the rest is
/// passed over, so that one giant does not hide all that follows it.
pub(crate) fn within_limit<T: Serialize>(items: Vec<T>) -> (Vec<T>, bool) {
    let mut left = MAX_RESULT_BYTES - ENVELOPE_BYTES;
    let total = items.len();
    let fits = |item: &T| {
        let size = json_bytes(item) + 1;
        let fits = size <= left;
        if fits {
            left -= size;
        }
        fits
    };
    let kept: Vec<T> = items.into_iter().filter(fits).collect();
    let cut = kept.len() < total;
    (kept, cut)
}

fn json_bytes(item: &impl Serialize) -> usize {
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
        let (kept, cut) = within_limit(items);
        let lengths: Vec<usize> = kept.iter().map(String::len).collect();
        assert_eq!((lengths, cut), (vec![1, MAX_RESULT_BYTES / 4, 1], true));
        assert_eq!(within_limit(vec![1, 2]), (vec![1, 2], false));
    }
}
