//! Lists without duplicates, in document order.

use std::collections::HashMap;

/// Where in the page something stands: a node, and a counter within it.
pub(crate) type Position = (usize, usize);

/// An item that several places of a page may name.
pub(crate) trait Merge: Sized {
    /// What makes two findings the same item.
    fn key(&self) -> &str;

    /// Takes from `other`, which stands later, what this one lacks.
    fn merge(&mut self, other: Self);
}

/// Findings, in any order.
#[derive(Debug)]
pub(crate) struct Findings<T> {
    found: Vec<(Position, T)>,
    most: usize,
}

impl<T: Merge> Findings<T> {
    /// At most `most` findings are kept; later ones are dropped.
    pub(crate) fn new(most: usize) -> Self {
        Self { found: Vec::new(), most }
    }

    /// Adds one.
    pub(crate) fn push(&mut self, node: usize, item: T) {
        if self.found.len() < self.most {
            let within = self.found.len();
            self.found.push(((node, within), item));
        }
    }

    /// Whether something was dropped, or would be.
    pub(crate) fn is_full(&self) -> bool {
        self.found.len() >= self.most
    }

    /// One item per key, in document order.
    pub(crate) fn merged(mut self) -> Vec<T> {
        self.found.sort_by_key(|(position, _)| *position);
        let mut at: HashMap<String, usize> = HashMap::with_capacity(self.found.len());
        let mut items: Vec<T> = Vec::with_capacity(self.found.len());
        for (_, item) in self.found {
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

/// The first of all sources in order of precedence, and all of them when there are more than one.
pub(crate) fn settle_sources<S: Ord + Copy>(source: &mut S, sources: &mut Vec<S>) {
    sources.push(*source);
    sources.sort();
    sources.dedup();
    *source = sources[0];
    if sources.len() == 1 {
        sources.clear();
    }
}
