//! Computed keywords are compared as typed values, not as text.

use super::sources::{read_sources, root};

/// The definition of the typed values.
const DEFINITION: &str = "shared/style/src/computed/mod.rs";

/// Returns the longhands of a `typed!` table, whose rows are a method, a type and a longhand.
fn typed_longhands(definition: &str) -> Vec<&str> {
    let table = definition.split_once("\ntyped! {\n").and_then(|(_, rest)| rest.split_once("\n}")).unwrap().0;
    table.lines().map(|row| row.trim_end_matches(';').split_ascii_whitespace().nth(2).unwrap()).collect()
}

/// Returns the longhands whose computed text a source file reads.
fn read_as_text<'l>(source: &str, longhands: &[&'l str]) -> Vec<&'l str> {
    let source = source.split_whitespace().collect::<String>().replace(",)", ")");
    let is_read = |longhand: &&&str| {
        ["Longhand", "L"].iter().any(|name| {
            source.contains(&format!("get({name}::{longhand})")) || source.contains(&format!("is({name}::{longhand},"))
        })
    };
    longhands.iter().filter(is_read).copied().collect()
}

#[test]
fn reading_typed_values_as_text_is_found() {
    let longhands = typed_longhands("x\ntyped! {\n    display Display Display;\n    float Float Float;\n}\n");
    assert_eq!(longhands, ["Display", "Float"]);
    for (source, expected) in [
        ("style.get(Longhand::Display) == \"block\"", vec!["Display"]),
        ("style\n    .get(\n        L::Float,\n    )", vec!["Float"]),
        ("matches!(style.get( L::Float ), \"left\")", vec!["Float"]),
        ("is(L::Display, &[\"block\"])", vec!["Display"]),
        ("style.display() == Display::Block", vec![]),
        ("values.entry(L::Display)", vec![]),
        ("style.get(L::FloatOffset)", vec![]),
    ] {
        assert_eq!(read_as_text(source, &longhands), expected, "{source}");
    }
}

#[test]
fn typed_values_are_not_compared_as_text() {
    let definition = std::fs::read_to_string(root().join(DEFINITION)).unwrap();
    let longhands = typed_longhands(&definition);
    assert!(longhands.contains(&"Display"), "the table of typed values has moved: {longhands:?}");
    let sources = ["shared", "services"].map(|folder| read_sources(&root().join(folder))).concat();
    assert!(sources.len() > 100, "{} files were read", sources.len());
    for (path, source) in sources.iter().filter(|(path, _)| !path.starts_with(root().join("shared/style"))) {
        let found = read_as_text(source, &longhands);
        assert!(found.is_empty(), "{} compares {found:?} as text; see limner_style::computed", path.display());
    }
}
