//! The size of a result.

use serde::Serialize;
use std::io::Write;

/// Largest list in a result, in bytes of JSON: the limit of one result less room for its other fields.
pub(crate) const MOST_RESULT_BYTES: usize = 8 * 1024 * 1024 - 64 * 1024;

/// Keeps the first items whose JSON fits into `bytes`. The second value says whether any were left out.
pub(crate) fn within<T: Serialize>(items: Vec<T>, bytes: usize) -> (Vec<T>, bool) {
    let given = items.len();
    let mut left = bytes;
    let fits = |item: &T| {
        let size = size(item);
        let fits = size <= left;
        left = left.saturating_sub(size);
        fits
    };
    let kept: Vec<T> = items.into_iter().take_while(fits).collect();
    let cut = kept.len() < given;
    (kept, cut)
}

/// Bytes of the value as JSON, with the comma after it.
fn size(item: &impl Serialize) -> usize {
    let mut counter = Counter(1);
    // Counting cannot fail; a value that cannot be serialised is reported when the result is written.
    let _ = serde_json::to_writer(&mut counter, item);
    counter.0
}

struct Counter(usize);

impl Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_that_fit_are_kept() {
        for (bytes, kept, cut) in [(0, 0, true), (11, 1, true), (12, 2, true), (17, 2, true), (18, 3, false)] {
            let items = vec!["aaa", "bbb", "ccc"];
            let (list, was_cut) = within(items, bytes);
            assert_eq!((list.len(), was_cut), (kept, cut), "{bytes}");
        }
        assert_eq!(within(Vec::<u8>::new(), 0), (Vec::new(), false));
    }
}
