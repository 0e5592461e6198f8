//! Checks the table of `SECURITY.md` against the tests that it names.

use super::sources::{read_sources, root};

#[test]
fn security_table_names_only_tests_that_exist() {
    let page = std::fs::read_to_string(root().join("SECURITY.md")).unwrap();
    let (_, table) = page.split_once("| Attack | Limit | Test |").unwrap();
    let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
    let last_cells: Vec<&str> = rows.map(|row| row.trim_end_matches([' ', '|']).rsplit('|').next().unwrap()).collect();
    assert!(last_cells.len() > 20, "the table has {} rows", last_cells.len());
    let folders = ["shared", "services", "tests"];
    let sources: String =
        folders.iter().flat_map(|folder| read_sources(&root().join(folder))).map(|(_, text)| text).collect();
    for cell in last_cells {
        let names: Vec<&str> = cell.split('`').skip(1).step_by(2).collect();
        assert!(!names.is_empty(), "a row without a test: {cell}");
        for name in names {
            assert!(sources.contains(&format!("fn {name}(")), "no test is called {name}");
        }
    }
}
