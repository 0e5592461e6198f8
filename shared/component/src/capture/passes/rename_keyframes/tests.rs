//! Tests `rename_keyframes`.

use super::*;

#[test]
fn generated_parts_of_names_are_dropped() {
    for (name, expected) in [
        ("fade-LEFT-4700aee9-3d6c-4a1b-9f0e-0123456789ab", Some("fade-left")),
        ("fadeInLeft", None),
        ("spin-2", None),
        ("facade00", None),
        ("fade-facade", None),
        ("n-0123456789ab", None),
    ] {
        assert_eq!(without_generated_parts(name).as_deref(), expected, "{name}");
    }
}

#[test]
fn equal_keyframes_with_generated_names_are_one() {
    let keyframes = |name: &str, value: &str| Keyframes {
        name: name.to_owned(),
        frames: vec![("to".to_owned(), vec![("opacity".to_owned(), value.to_owned())])],
    };
    let mut all = vec![
        keyframes("rise-4700aee9-3d6c", "1"),
        keyframes("rise-8b1a9632-55ff", "1"),
        keyframes("rise-deb0e39e", "0"),
    ];
    let mut names: BTreeSet<String> = all.iter().map(|own| own.name.clone()).collect();
    let mut renamed = BTreeMap::new();
    merge_generated(&mut all, &mut names, &mut renamed);
    assert_eq!(all.len(), 2, "{all:?}");
    assert_eq!(renamed["rise-8b1a9632-55ff"], renamed["rise-4700aee9-3d6c"], "{renamed:?}");
}
