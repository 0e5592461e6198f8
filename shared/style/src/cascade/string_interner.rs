//! The texts produced by substitution and computation, interned and charged to the page's budget.

use super::substitution::{References, ValueTemplate};
use foldhash::HashSet;
use limner_page::WorkBudget;
use std::cell::RefCell;
use std::sync::Arc;

/// Minimum length of a computed value that is interned: shorter ones cost less than the lookup.
const LONG: usize = 128;

/// Fixed cost of substituting a value, besides its bytes.
const WORK_PER_VALUE: usize = 32;

/// Texts made for the styles of one environment.
#[derive(Debug)]
pub(super) struct StringInterner {
    budget: WorkBudget,
    interned: RefCell<HashSet<Arc<str>>>,
}

impl StringInterner {
    pub(super) fn new(budget: &WorkBudget) -> Self {
        Self { budget: budget.clone(), interned: RefCell::default() }
    }

    /// Returns a value with its references replaced, see [`ValueTemplate::fill`]; `None` also if the page's budget is spent.
    pub(super) fn fill(&self, value: &str, references: &mut dyn References) -> Option<Arc<str>> {
        if !self.budget.spend((value.len() + WORK_PER_VALUE) as u64) {
            return None;
        }
        let template = ValueTemplate::new(value);
        let filled = template.fill_for(references)?;
        if template.is_reference() {
            return Some(filled);
        }
        self.budget.spend(filled.len() as u64);
        Some(self.share(filled))
    }

    /// Returns a computed value, interned if it is long.
    pub(super) fn computed(&self, value: Arc<str>) -> Arc<str> {
        if value.len() < LONG { value } else { self.share(value) }
    }

    fn share(&self, text: Arc<str>) -> Arc<str> {
        let mut known = self.interned.borrow_mut();
        if let Some(same) = known.get(&text) {
            return same.clone();
        }
        self.budget.reserve_bytes(text.len());
        known.insert(text.clone());
        text
    }
}
