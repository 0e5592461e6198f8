//! Determines the declarations that win the cascade on an element, and the environments in which they win.

use limner_page::NodeId;
use limner_style::property::{CssWide, Longhand, Value};
use limner_style::selector::PseudoElement;
use limner_style::{Candidate, ConditionId, Origin, StyleIndex};
use std::collections::HashMap;

/// Number of words for the maximum number of environments: sixteen intervals of widths in nine variants.
const WORDS: usize = 3;

/// A set of environments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(super) struct Cells([u64; WORDS]);

impl Cells {
    pub(super) fn insert(&mut self, cell: usize) {
        if let Some(word) = self.0.get_mut(cell / 64) {
            *word |= 1 << (cell % 64);
        }
    }

    pub(super) fn is_empty(self) -> bool {
        self == Self::default()
    }

    pub(super) fn and(self, other: Self) -> Self {
        Self(std::array::from_fn(|at| self.0[at] & other.0[at]))
    }

    pub(super) fn or(self, other: Self) -> Self {
        Self(std::array::from_fn(|at| self.0[at] | other.0[at]))
    }

    pub(super) fn without(self, other: Self) -> Self {
        Self(std::array::from_fn(|at| self.0[at] & !other.0[at]))
    }

    pub(super) fn iter(self) -> impl Iterator<Item = usize> {
        (0..WORDS * 64).filter(move |cell| self.0[cell / 64] & (1 << (cell % 64)) != 0)
    }
}

impl FromIterator<usize> for Cells {
    fn from_iter<T: IntoIterator<Item = usize>>(cells: T) -> Self {
        let mut all = Self::default();
        cells.into_iter().for_each(|cell| all.insert(cell));
        all
    }
}

/// A declaration of the page, with the longhands for which it wins (named as in left-to-right text) and the
/// environments in which it does.
pub(super) struct Winner<'r> {
    pub(super) candidate: Candidate<'r>,
    pub(super) longhands: Vec<(Longhand, Cells)>,
}

/// The result of the cascade for an element or pseudo-element.
#[derive(Default)]
pub(super) struct Winners<'r> {
    pub(super) all: Vec<Winner<'r>>,
    /// The environments in which a longhand is not inherited.
    pub(super) own: HashMap<Longhand, Cells>,
    /// Custom properties that the page's rules set under a condition.
    pub(super) conditional: Vec<(&'r str, ConditionId)>,
}

/// Returns the environments in which a stack of conditions may hold, and those in which it holds for certain.
pub(super) type Holding<'h> = &'h mut dyn FnMut(ConditionId) -> (Cells, Cells);

impl<'r> Winners<'r> {
    /// Evaluates the cascade. Declarations under states are added to those that win at rest, and do not replace them.
    pub(super) fn of(
        index: &'r StyleIndex<'r>,
        (node, pseudo): (NodeId, Option<PseudoElement>),
        is_rtl: bool,
        holding: Holding<'_>,
    ) -> Self {
        let mut winners = Self::default();
        let mut decided: HashMap<Longhand, Cells> = HashMap::new();
        for candidate in index.candidates(node, pseudo).into_iter().rev() {
            let (may, must) = holding(candidate.condition);
            if may.is_empty() {
                continue;
            }
            let Some(longhands) = candidate.declaration.longhands() else {
                if candidate.condition != ConditionId::default() {
                    winners.conditional.push((candidate.declaration.name, candidate.condition));
                }
                continue;
            };
            let mut won = Vec::new();
            for declared in longhands.iter() {
                let longhand = if is_rtl { declared.rtl } else { declared.longhand };
                let known = decided.entry(longhand).or_default();
                let left = may.without(*known);
                if left.is_empty() || declared.value == Value::Wide(CssWide::RevertLayer) {
                    continue;
                }
                won.push((declared.longhand, left));
                if candidate.is_at_rest() {
                    if !is_inherited(longhand, &declared.value) {
                        let own = winners.own.entry(longhand).or_default();
                        *own = own.or(must.without(*known));
                    }
                    *known = known.or(must);
                }
            }
            if candidate.origin == Origin::Author && !won.is_empty() {
                winners.all.push(Winner { candidate, longhands: won });
            }
        }
        winners
    }
}

/// Returns true if a value is that of the parent.
fn is_inherited(longhand: Longhand, value: &Value) -> bool {
    match value {
        Value::Wide(CssWide::Inherit) => true,
        Value::Wide(CssWide::Unset) => longhand.is_inherited(),
        _ => false,
    }
}
