//! What the selector crate remembers between matches, kept within bounds.

use super::StateSet;
use foldhash::HashMap;
use selectors::context::SelectorCaches;

/// Lookups of elements for `:has()` after which what is known of it is dropped. Each may leave an answer, and every sixth a
/// filter of 4 KiB: together some 45 MB.
const MAX_LOOKUPS_INSIDE: u64 = 65_536;
/// Lookups of elements after which everything is dropped. Each may leave the index of a child, of some 24 bytes.
const MAX_LOOKUPS: u64 = 8_000_000;

/// Caches for each set of assumed states: an answer under one set says nothing about another. They only save time.
#[derive(Default)]
pub(crate) struct Caches {
    by_states: HashMap<StateSet, SelectorCaches>,
    lookups: u64,
    lookups_inside: u64,
}

impl Caches {
    /// Returns the caches for a match under some states.
    pub(crate) fn under(&mut self, states: StateSet) -> &mut SelectorCaches {
        self.by_states.entry(states).or_default()
    }

    /// Notes how often elements were looked up for a match, which bounds what it left, and drops what has become too much.
    /// `looks_inside` tells that its selector has a `:has()`.
    pub(crate) fn note(&mut self, lookups: u64, looks_inside: bool) {
        self.lookups += lookups;
        self.lookups_inside += if looks_inside { lookups } else { 0 };
        if self.lookups > MAX_LOOKUPS {
            self.clear();
        } else if self.lookups_inside > MAX_LOOKUPS_INSIDE {
            self.lookups_inside = 0;
            for caches in self.by_states.values_mut() {
                caches.relative_selector = Default::default();
                caches.relative_selector_filter_map = Default::default();
            }
        }
    }

    /// Drops everything.
    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }
}
