//! Places of elements among their siblings, for `sibling-index()` and `sibling-count()` (Values 5, section 9).

use foldhash::{HashMap, HashMapExt};
use limner_page::{Document, NodeId};

/// The index of each element among its parent's child elements, from 1, and their number.
#[derive(Debug, Default)]
pub(crate) struct SiblingCounts(HashMap<NodeId, (u64, u64)>);

impl SiblingCounts {
    /// Counts all elements of a document, at the cost of one step for each.
    pub(crate) fn new(document: &Document) -> Self {
        let mut places: HashMap<NodeId, (u64, u64)> = HashMap::new();
        let mut counts: HashMap<NodeId, u64> = HashMap::new();
        let mut steps = 0;
        for (node, _) in document.elements() {
            steps += 1;
            let Some(parent) = document.parent(node) else { continue };
            let count = counts.entry(parent).or_default();
            *count += 1;
            places.insert(node, (*count, 0));
        }
        document.work_budget().spend(steps);
        for (node, (_, count)) in &mut places {
            *count = document.parent(*node).and_then(|parent| counts.get(&parent)).copied().unwrap_or(1);
        }
        Self(places)
    }

    /// Returns the place of an element and the number of its siblings, itself included.
    pub(crate) fn place(&self, node: NodeId) -> (u64, u64) {
        self.0.get(&node).copied().unwrap_or((1, 1))
    }
}
