//! The winning declarations of an element.

use crate::property::Longhand;

/// The strongest declaration of each longhand, sorted by longhand: the index of the declaration, and of the longhand
/// among those that it sets.
#[derive(Debug)]
pub(super) struct Winners(Vec<(Longhand, (usize, usize))>);

/// The declarations so far. Most longhands are set several times, and few are set at all: a table leads to those that
/// are, and only they are sorted.
pub(super) struct WinnerTable {
    strongest: Vec<(Longhand, (usize, usize))>,
    /// For each longhand the length of the list with it; 0 if it is not set.
    entry_of: [u16; Longhand::ALL.len()],
}

impl WinnerTable {
    pub(super) fn new() -> Self {
        Self { strongest: Vec::new(), entry_of: [0; Longhand::ALL.len()] }
    }

    /// Sets the place of a declaration that is stronger than those before.
    pub(super) fn set(&mut self, longhand: Longhand, place: (usize, usize)) {
        let entry = &mut self.entry_of[longhand as usize];
        if let Some(at) = usize::from(*entry).checked_sub(1) {
            self.strongest[at].1 = place;
        } else {
            self.strongest.push((longhand, place));
            // There are as many entries as longhands at most.
            *entry = u16::try_from(self.strongest.len()).unwrap_or_default();
        }
    }

    pub(super) fn winners(self) -> Winners {
        let mut winners = self.strongest;
        winners.sort_unstable_by_key(|(longhand, _)| *longhand);
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
