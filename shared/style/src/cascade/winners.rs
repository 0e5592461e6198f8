//! The winning declarations of an element.

use crate::property::Longhand;

/// The strongest declaration of each longhand, sorted by longhand: the index of the declaration, and of the longhand
/// among those that it sets.
#[derive(Debug)]
pub(super) struct Winners(Vec<(Longhand, (usize, usize))>);

/// The declarations so far, by longhand. Most longhands are set several times, so that a table is quicker than sorting.
pub(super) struct WinnerTable {
    strongest: [Option<(usize, usize)>; Longhand::ALL.len()],
    count: usize,
}

impl WinnerTable {
    pub(super) fn new() -> Self {
        Self { strongest: [None; Longhand::ALL.len()], count: 0 }
    }

    /// Sets the place of a declaration that is stronger than those before.
    pub(super) fn set(&mut self, longhand: Longhand, place: (usize, usize)) {
        let before = self.strongest[longhand as usize].replace(place);
        self.count += usize::from(before.is_none());
    }

    pub(super) fn winners(self) -> Winners {
        let mut winners = Vec::with_capacity(self.count);
        let places = Longhand::ALL.iter().copied().zip(self.strongest);
        winners.extend(places.filter_map(|(longhand, place)| Some((longhand, place?))));
        Winners(winners)
    }
}

impl Winners {
    /// Returns the winner of a longhand.
    pub(super) fn get(&self, longhand: Longhand) -> Option<(usize, usize)> {
        let at = self.0.binary_search_by_key(&longhand, |(own, _)| *own).ok()?;
        Some(self.0[at].1)
    }

    /// Returns all winners in the order of their longhands.
    pub(super) fn iter(&self) -> impl ExactSizeIterator<Item = (Longhand, (usize, usize))> {
        self.0.iter().copied()
    }
}
