//! Sets of positions in a value, for matching it with a grammar.

use smallvec::SmallVec;

/// A set of positions in a value.
pub(super) trait PositionSet: Default + PartialEq {
    fn insert(&mut self, at: usize);
    fn union_with(&mut self, others: &Self);
    fn contains(&self, at: usize) -> bool;
    fn is_none(&self) -> bool;
    /// Visits the positions in order.
    fn for_each(&self, visit: &mut impl FnMut(usize));

    fn single(at: usize) -> Self {
        let mut places = Self::default();
        places.insert(at);
        places
    }
}

/// A bit set for values of fewer than 64 components, as nearly all are.
impl PositionSet for u64 {
    fn insert(&mut self, at: usize) {
        *self |= 1 << at;
    }

    fn union_with(&mut self, others: &Self) {
        *self |= others;
    }

    fn contains(&self, at: usize) -> bool {
        self & (1 << at) != 0
    }

    fn is_none(&self) -> bool {
        *self == 0
    }

    fn for_each(&self, visit: &mut impl FnMut(usize)) {
        let mut left = *self;
        while left != 0 {
            visit(left.trailing_zeros() as usize);
            left &= left - 1;
        }
    }
}

/// Few positions in a long value.
pub(super) type SortedPositions = SmallVec<[usize; 8]>;

impl PositionSet for SortedPositions {
    fn insert(&mut self, at: usize) {
        if let Err(index) = self.binary_search(&at) {
            SmallVec::insert(self, index, at);
        }
    }

    fn union_with(&mut self, others: &Self) {
        match others.as_slice() {
            [] => {}
            [only] => PositionSet::insert(self, *only),
            [first, ..] => {
                let is_behind = self.last().is_none_or(|last| last < first);
                self.extend_from_slice(others);
                if !is_behind {
                    self.sort_unstable();
                    self.dedup();
                }
            }
        }
    }

    fn contains(&self, at: usize) -> bool {
        self.binary_search(&at).is_ok()
    }

    fn is_none(&self) -> bool {
        self.is_empty()
    }

    fn for_each(&self, visit: &mut impl FnMut(usize)) {
        self.iter().for_each(|at| visit(*at));
    }
}
