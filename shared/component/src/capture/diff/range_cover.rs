//! Computes the fewest declarations that give a property its required value at every width.
//!
//! Before → after: with the values `a a b b` in four intervals of widths → `a` at every width, then `b` from the third
//! interval on.

use std::ops::Range;

/// A declaration that holds in a range of intervals.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RangeDeclaration<V> {
    pub(crate) intervals: Range<usize>,
    pub(crate) value: V,
}

/// Returns declarations in order, the later one winning, that give each interval its required value. `None` requires
/// the value without declarations; `reset` returns that value for intervals where a declaration has to be undone.
pub(crate) fn cover_base<V: Clone + Eq>(wanted: &[Option<V>], reset: &dyn Fn(usize) -> V) -> Vec<RangeDeclaration<V>> {
    let count = wanted.len();
    let rising = cover_monotonic(wanted, reset, (0..count).collect(), &|at| at..count);
    let falling = cover_monotonic(wanted, reset, (0..count).rev().collect(), &|at| 0..at + 1);
    let candidates = [rising, falling, cover_runs(wanted)];
    let best = candidates.into_iter().min_by_key(|placed| cost(placed, count));
    best.unwrap_or_default()
}

/// Returns the cost of declarations: ten for each, and one for each of their bounds.
fn cost<V>(placed: &[RangeDeclaration<V>], count: usize) -> usize {
    placed.iter().map(|p| 10 + usize::from(p.intervals.start > 0) + usize::from(p.intervals.end < count)).sum()
}

/// Covers the intervals from one end, with declarations that hold from their interval to the other end.
fn cover_monotonic<V: Clone + Eq>(
    wanted: &[Option<V>],
    reset: &dyn Fn(usize) -> V,
    order: Vec<usize>,
    range: &dyn Fn(usize) -> Range<usize>,
) -> Vec<RangeDeclaration<V>> {
    let mut placed: Vec<RangeDeclaration<V>> = Vec::new();
    for at in order {
        let value = match (&wanted[at], placed.last()) {
            (None, None) => continue,
            (None, Some(_)) => reset(at),
            (Some(value), _) => value.clone(),
        };
        if placed.last().is_none_or(|last| last.value != value) {
            placed.push(RangeDeclaration { intervals: range(at), value });
        }
    }
    placed
}

/// Covers each run of equal values on its own.
fn cover_runs<V: Clone + Eq>(wanted: &[Option<V>]) -> Vec<RangeDeclaration<V>> {
    let mut placed: Vec<RangeDeclaration<V>> = Vec::new();
    for (at, value) in wanted.iter().enumerate() {
        let Some(value) = value else { continue };
        match placed.last_mut() {
            Some(last) if last.intervals.end == at && last.value == *value => last.intervals.end = at + 1,
            _ => placed.push(RangeDeclaration { intervals: at..at + 1, value: value.clone() }),
        }
    }
    placed
}

/// Returns the fewest declarations that turn the values `current` into the required ones. `wanted` is `None` where the
/// current value is right. An interval whose current value equals the required one of its neighbours is merged with
/// them, to save bounds.
pub(crate) fn cover_differences<V: Clone + Eq>(wanted: &[Option<V>], current: &[V]) -> Vec<RangeDeclaration<V>> {
    let mut placed: Vec<RangeDeclaration<V>> = Vec::new();
    let mut at = 0;
    while at < wanted.len() {
        let Some(value) = &wanted[at] else {
            at += 1;
            continue;
        };
        let fits = |other: usize| match &wanted[other] {
            Some(theirs) => theirs == value,
            None => current[other] == *value,
        };
        let floor = placed.last().map_or(0, |last| last.intervals.end);
        let start = (floor..at).rev().take_while(|other| fits(*other)).last().unwrap_or(at);
        let end = (at..wanted.len()).take_while(|other| fits(*other)).last().map_or(at + 1, |last| last + 1);
        placed.push(RangeDeclaration { intervals: start..end, value: value.clone() });
        at = end;
    }
    placed
}

#[cfg(test)]
mod tests;
