//! Sets of positions in a value, for matching it with a grammar.

use smallvec::SmallVec;

/// A set of positions in a value.
pub(super) trait Places: Default + PartialEq {
    fn insert(&mut self, at: usize);
    fn absorb(&mut self, others: &Self);
    fn has(&self, at: usize) -> bool;
    fn is_none(&self) -> bool;
    /// Visits the positions in order.
    fn each(&self, visit: &mut impl FnMut(usize));

    fn only(at: usize) -> Self {
        let mut places = Self::default();
        places.insert(at);
        places
    }
}

/// A bit set for values of fewer than 64 components, as nearly all are.
impl Places for u64 {
    fn insert(&mut self, at: usize) {
        *self |= 1 << at;
    }

    fn absorb(&mut self, others: &Self) {
        *self |= others;
    }

    fn has(&self, at: usize) -> bool {
        self & (1 << at) != 0
    }

    fn is_none(&self) -> bool {
        *self == 0
    }

    fn each(&self, visit: &mut impl FnMut(usize)) {
        let mut left = *self;
        while left != 0 {
            visit(left.trailing_zeros() as usize);
            left &= left - 1;
        }
    }
}

/// Few positions in a long value.
pub(super) type Sorted = SmallVec<[usize; 8]>;

impl Places for Sorted {
    fn insert(&mut self, at: usize) {
        if let Err(index) = self.binary_search(&at) {
            SmallVec::insert(self, index, at);
        }
    }

    fn absorb(&mut self, others: &Self) {
        match others.as_slice() {
            [] => {}
            [only] => Places::insert(self, *only),
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

    fn has(&self, at: usize) -> bool {
        self.binary_search(&at).is_ok()
    }

    fn is_none(&self) -> bool {
        self.is_empty()
    }

    fn each(&self, visit: &mut impl FnMut(usize)) {
        self.iter().for_each(|at| visit(*at));
    }
}
