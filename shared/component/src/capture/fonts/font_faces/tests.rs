//! Tests `font_faces`.

use super::*;

#[test]
fn faces_are_chosen_by_weight() {
    let siblings: Vec<RangeInclusive<u32>> = vec![300..=300, 400..=400, 600..=600, 800..=800];
    for (wanted, chosen) in [(400, 400), (700, 800), (900, 800), (100, 300), (500, 400)] {
        let nearest = nearest_distances(&siblings, &BTreeSet::from([wanted]));
        let is_chosen = |own: &&RangeInclusive<u32>| distance(own, wanted) == nearest[0];
        let found: Vec<u32> = siblings.iter().filter(is_chosen).map(|own| *own.start()).collect();
        assert_eq!(found, [chosen], "{wanted}");
    }
}

#[test]
fn sheets_of_font_services_are_recognized() {
    assert!(is_font_service("https://fonts.googleapis.com/css2?family=Inter"));
    assert!(!is_font_service("https://a.test/fonts.googleapis.com/fonts.css"));
}

#[test]
fn unicode_range_covers_its_code_points() {
    let letters = BTreeSet::from([0x41, 0x416]);
    for (ranges, expected) in [("U+0-7F", true), ("u+4??", true), ("U+100-3FF, U+416", true), ("U+500-5ff", false)] {
        assert_eq!(covers(ranges, &letters), expected, "{ranges}");
    }
}

#[test]
fn ranges_cover_all_code_points() {
    for (ranges, expected) in
        [("U+0-7F", false), ("U+400-4FF,U+20-7E", true), ("U+0-FFFF, U+0-1", true), ("U+0-4FF, all", false)]
    {
        assert_eq!(covers_all(ranges, [0x41, 0x416].into_iter()), expected, "{ranges}");
    }
}

#[test]
fn comments_of_values_are_removed() {
    for (value, expected) in [
        ("url(a.woff2)/*tpa=b.woff2*/ format(\"woff2\")", "url(a.woff2) format(\"woff2\")"),
        ("url(a/*b*/c.woff2)", "url(a/*b*/c.woff2)"),
        ("\"a/*b*/\" /* c", "\"a/*b*/\""),
        ("swap", "swap"),
    ] {
        assert_eq!(without_comments(value), expected);
    }
}
