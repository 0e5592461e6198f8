//! Counts of work that are the same on every machine, however busy it is: steps of the page's budget and peak memory.

use crate::growth::MAX_GROWTH;
use std::fmt;

/// Fewer steps are too few to judge by: about a millisecond.
const MIN_STEPS: u64 = 100_000;
/// Less memory is too little to judge by.
const MIN_BYTES: u64 = 1 << 20;

/// Counts of one reading of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counts {
    /// Steps of the page's budget of work.
    pub steps: u64,
    /// Most bytes allocated at once, beyond the page itself.
    pub peak: u64,
}

/// A count that more than doubles when the page doubles.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Excess {
    /// Steps, with the factor.
    Steps(f64),
    /// Memory, with the factor.
    Memory(f64),
}

impl fmt::Display for Excess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Steps(factor) => write!(f, "{factor:.1} times the steps"),
            Self::Memory(factor) => write!(f, "{factor:.1} times the memory"),
        }
    }
}

/// Returns what grows too fast between two pages, the second twice as long as the first. `base` are the counts of the
/// smallest page: steps add to its steps, while peaks of different parts do not add up.
pub fn excesses(base: Counts, smaller: Counts, larger: Counts) -> Vec<Excess> {
    let beyond = |counts: Counts| counts.steps.saturating_sub(base.steps);
    let steps = beyond(larger) as f64 / beyond(smaller).max(MIN_STEPS / 100) as f64;
    let memory = larger.peak as f64 / smaller.peak.max(1) as f64;
    let steps = (beyond(larger) >= MIN_STEPS && steps > MAX_GROWTH).then_some(Excess::Steps(steps));
    let memory = (larger.peak >= MIN_BYTES && memory > MAX_GROWTH).then_some(Excess::Memory(memory));
    steps.into_iter().chain(memory).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_growing_faster_than_the_page_are_found() {
        type Count = fn(u64) -> u64;
        let found = |steps: Count, peak: Count| {
            let [base, smaller, larger] = [1, 200, 400].map(|size| Counts { steps: steps(size), peak: peak(size) });
            excesses(base, smaller, larger)
        };
        let (linear, quadratic): (Count, Count) = (|n| 5_000 + n * 10_000, |n| 5_000 + n * n * 100);
        assert_eq!(found(|_| 0, |_| 0), []);
        assert_eq!(found(linear, linear), []);
        assert!(matches!(found(quadratic, linear)[..], [Excess::Steps(factor)] if (3.9..4.1).contains(&factor)));
        assert!(matches!(found(linear, quadratic)[..], [Excess::Memory(factor)] if (3.9..4.1).contains(&factor)));
        assert_eq!(found(|n| n * n / 10, |n| n * n), [], "too little to judge by");
        assert_eq!(found(linear, |n| (n * 5_000).max(1_500_000)), [], "what one part needs hides behind another's");
    }
}
