//! Deduplicates findings in document order.

use std::collections::HashMap;

/// Maximum number of findings of a page, duplicates included.
const MAX_FINDINGS: usize = 20_000;

/// A position in the page: the node index, and a counter within the node.
pub(crate) type DocumentPosition = (usize, usize);

/// An item that may occur several times on a page.
pub(crate) trait Merge: Sized {
    /// Returns the key; findings with equal keys are the same item.
    fn key(&self) -> &str;

    /// Takes the values that this item lacks from `other`, a later occurrence.
    fn merge(&mut self, other: Self);
}

/// Findings in any order.
#[derive(Debug)]
pub(crate) struct Deduplicated<T> {
    items: Vec<(DocumentPosition, T)>,
}

impl<T: Merge> Deduplicated<T> {
    /// Creates an empty list.
    pub(crate) fn new() -> Self {
        Self { items: Vec::new() }
    }

    /// Adds a finding; beyond the limit it is dropped.
    pub(crate) fn push(&mut self, node: usize, item: T) {
        if self.items.len() < MAX_FINDINGS {
            let within = self.items.len();
            self.items.push(((node, within), item));
        }
    }

    /// Returns true if the limit is reached, so that findings may have been dropped.
    pub(crate) fn is_full(&self) -> bool {
        self.items.len() >= MAX_FINDINGS
    }

    /// Returns one item per key, in document order.
    pub(crate) fn merged(mut self) -> Vec<T> {
        self.items.sort_by_key(|(position, _)| *position);
        let mut at: HashMap<String, usize> = HashMap::with_capacity(self.items.len());
        let mut items: Vec<T> = Vec::with_capacity(self.items.len());
        for (_, item) in self.items {
            match at.get(item.key()) {
                Some(&index) => items[index].merge(item),
                None => {
                    at.insert(item.key().to_owned(), items.len());
                    items.push(item);
                }
            }
        }
        items
    }
}

/// Sets the source with the highest precedence, and all sources if there are several.
pub(crate) fn order_sources<S: Ord + Copy>(source: &mut S, sources: &mut Vec<S>) {
    sources.push(*source);
    sources.sort();
    sources.dedup();
    *source = sources[0];
    if sources.len() == 1 {
        sources.clear();
    }
}
