//! Tests `range_cover`.

use super::*;

fn pairs(placed: Vec<RangeDeclaration<char>>) -> Vec<(Range<usize>, char)> {
    placed.into_iter().map(|p| (p.intervals, p.value)).collect()
}

fn cells(text: &str) -> Vec<Option<char>> {
    text.chars().map(|c| (c != '.').then_some(c)).collect()
}

#[test]
fn base_uses_the_fewest_declarations() {
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
        let placed = cover_base(&cells(wanted), &|_| 'r');
        assert_eq!(pairs(placed.clone()), expected, "{wanted}");
        for (at, value) in cells(wanted).into_iter().enumerate() {
            let holding = placed.iter().rev().find(|p| p.intervals.contains(&at)).map(|p| p.value);
            assert_eq!(holding, value, "{wanted} at {at}");
        }
    }
}

#[test]
fn overlay_extends_over_intervals_with_equal_current_value() {
    for (wanted, current, expected) in [
        ("d..d", "xddx", vec![(0..4, 'd')]),
        ("d..d", "xyyx", vec![(0..1, 'd'), (3..4, 'd')]),
        ("..d.", "xdxd", vec![(1..4, 'd')]),
        ("....", "xxxx", vec![]),
        ("de..", "xxee", vec![(0..1, 'd'), (1..4, 'e')]),
    ] {
        let current: Vec<char> = current.chars().collect();
        assert_eq!(pairs(cover_differences(&cells(wanted), &current)), expected, "{wanted}");
    }
}
