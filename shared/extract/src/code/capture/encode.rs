//! From the value a property has at every width to the fewest declarations that say so.

use std::ops::Range;

/// A declaration that holds in a range of intervals.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Placed<V> {
    pub(super) intervals: Range<usize>,
    pub(super) value: V,
}

/// Declarations in order, a later one winning, that give each interval its wanted value. `None` wants what holds
/// without declarations; `reset` is that value, for where a declaration must be undone.
pub(super) fn base<V: Clone + Eq>(wanted: &[Option<V>], reset: &dyn Fn(usize) -> V) -> Vec<Placed<V>> {
    let count = wanted.len();
    let rising = one_way(wanted, reset, (0..count).collect(), &|at| at..count);
    let falling = one_way(wanted, reset, (0..count).rev().collect(), &|at| 0..at + 1);
    let candidates = [rising, falling, runs(wanted)];
    let best = candidates.into_iter().min_by_key(|placed| cost(placed, count));
    best.unwrap_or_default()
}

/// Every declaration costs, each of its bounds a little.
fn cost<V>(placed: &[Placed<V>], count: usize) -> usize {
    placed.iter().map(|p| 10 + usize::from(p.intervals.start > 0) + usize::from(p.intervals.end < count)).sum()
}

/// From one end of the scale, each declaration holding from its interval to the other end.
fn one_way<V: Clone + Eq>(
    wanted: &[Option<V>],
    reset: &dyn Fn(usize) -> V,
    order: Vec<usize>,
    range: &dyn Fn(usize) -> Range<usize>,
) -> Vec<Placed<V>> {
    let mut placed: Vec<Placed<V>> = Vec::new();
    for at in order {
        let value = match (&wanted[at], placed.last()) {
            (None, None) => continue,
            (None, Some(_)) => reset(at),
            (Some(value), _) => value.clone(),
        };
        if placed.last().is_none_or(|last| last.value != value) {
            placed.push(Placed { intervals: range(at), value });
        }
    }
    placed
}

/// Each run of equal values on its own.
fn runs<V: Clone + Eq>(wanted: &[Option<V>]) -> Vec<Placed<V>> {
    let mut placed: Vec<Placed<V>> = Vec::new();
    for (at, value) in wanted.iter().enumerate() {
        let Some(value) = value else { continue };
        match placed.last_mut() {
            Some(last) if last.intervals.end == at && last.value == *value => last.intervals.end = at + 1,
            _ => placed.push(Placed { intervals: at..at + 1, value: value.clone() }),
        }
    }
    placed
}

/// Declarations over others: `wanted` is the value where `current` is not right. Intervals that have the value anyway
/// are taken along, so that fewer bounds are needed.
pub(super) fn overlay<V: Clone + Eq>(wanted: &[Option<V>], current: &[V]) -> Vec<Placed<V>> {
    let mut placed: Vec<Placed<V>> = Vec::new();
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
        placed.push(Placed { intervals: start..end, value: value.clone() });
        at = end;
    }
    placed
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(placed: Vec<Placed<char>>) -> Vec<(Range<usize>, char)> {
        placed.into_iter().map(|p| (p.intervals, p.value)).collect()
    }

    fn cells(text: &str) -> Vec<Option<char>> {
        text.chars().map(|c| (c != '.').then_some(c)).collect()
    }

    #[test]
    fn the_fewest_declarations() {
        for (wanted, expected) in [
            ("aaaa", vec![(0..4, 'a')]),
            ("....", vec![]),
            ("aabb", vec![(0..4, 'a'), (2..4, 'b')]),
            ("..bb", vec![(2..4, 'b')]),
            ("aa..", vec![(0..2, 'a')]),
            (".aa.", vec![(1..3, 'a')]),
            ("abcc", vec![(0..4, 'a'), (1..4, 'b'), (2..4, 'c')]),
            ("ab..", vec![(0..2, 'b'), (0..1, 'a')]),
            ("a..b", vec![(0..1, 'a'), (3..4, 'b')]),
        ] {
            let placed = base(&cells(wanted), &|_| 'r');
            assert_eq!(written(placed.clone()), expected, "{wanted}");
            for (at, value) in cells(wanted).into_iter().enumerate() {
                let holding = placed.iter().rev().find(|p| p.intervals.contains(&at)).map(|p| p.value);
                assert_eq!(holding, value, "{wanted} at {at}");
            }
        }
    }

    #[test]
    fn overlays_take_along_what_is_the_same_anyway() {
        for (wanted, current, expected) in [
            ("d..d", "xddx", vec![(0..4, 'd')]),
            ("d..d", "xyyx", vec![(0..1, 'd'), (3..4, 'd')]),
            ("..d.", "xdxd", vec![(1..4, 'd')]),
            ("....", "xxxx", vec![]),
            ("de..", "xxee", vec![(0..1, 'd'), (1..4, 'e')]),
        ] {
            let current: Vec<char> = current.chars().collect();
            assert_eq!(written(overlay(&cells(wanted), &current)), expected, "{wanted}");
        }
    }
}
