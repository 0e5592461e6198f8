//! Caches of the `selectors` crate between matches, with bounds.

use super::StateSet;
use foldhash::HashMap;
use selectors::context::SelectorCaches;

/// Lookups of elements for `:has()` after which its caches are dropped. Each lookup may leave a result, and every sixth
/// a filter of 4 KiB: together some 45 MB.
const MAX_LOOKUPS_INSIDE: u64 = 65_536;
/// Lookups of elements after which all caches are dropped. Each may leave the index of a child, of some 24 bytes.
const MAX_LOOKUPS: u64 = 8_000_000;

/// Caches for each set of assumed states, since a result under one set is invalid under another. They only save time.
#[derive(Default)]
pub(crate) struct Caches {
    by_states: HashMap<StateSet, SelectorCaches>,
    lookups: u64,
    has_lookups: u64,
}

impl Caches {
    /// Returns the caches for a match under some states.
    pub(crate) fn for_states(&mut self, states: StateSet) -> &mut SelectorCaches {
        self.by_states.entry(states).or_default()
    }

    /// Counts the lookups of a match, which bound what it left in the caches, and drops caches above their bounds.
    /// `looks_inside`: the selector has a `:has()`.
    pub(crate) fn count_lookups(&mut self, lookups: u64, looks_inside: bool) {
        self.lookups += lookups;
        self.has_lookups += if looks_inside { lookups } else { 0 };
        if self.lookups > MAX_LOOKUPS {
            self.clear();
        } else if self.has_lookups > MAX_LOOKUPS_INSIDE {
            self.has_lookups = 0;
            for caches in self.by_states.values_mut() {
                caches.relative_selector = Default::default();
                caches.relative_selector_filter_map = Default::default();
            }
        }
    }

    /// Drops all caches.
    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }
}
