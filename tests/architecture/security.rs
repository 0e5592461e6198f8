//! Checks the table of `SECURITY.md` against the tests that it names.

use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// Appends the text of every Rust file below `folder`.
fn read_sources(folder: &Path, text: &mut String) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            if !path.ends_with("node_modules") {
                read_sources(&path, text);
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            text.push_str(&std::fs::read_to_string(&path).unwrap());
        }
    }
}

#[test]
fn security_table_names_only_tests_that_exist() {
    let page = std::fs::read_to_string(root().join("SECURITY.md")).unwrap();
    let (_, table) = page.split_once("| Attack | Limit | Test |").unwrap();
    let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
    let last_cells: Vec<&str> = rows.map(|row| row.trim_end_matches([' ', '|']).rsplit('|').next().unwrap()).collect();
    assert!(last_cells.len() > 20, "the table has {} rows", last_cells.len());
    let mut sources = String::new();
    for folder in ["shared", "services", "tests"] {
        read_sources(&root().join(folder), &mut sources);
    }
    for cell in last_cells {
        let names: Vec<&str> = cell.split('`').skip(1).step_by(2).collect();
        assert!(!names.is_empty(), "a row without a test: {cell}");
        for name in names {
            assert!(sources.contains(&format!("fn {name}(")), "no test is called {name}");
        }
    }
}
