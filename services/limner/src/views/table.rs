//! Columns of text.

use super::terminal::{dim, ellipsize};

/// Maximum length of a cell in any column but the last, in characters.
const MAX_CELL_LEN: usize = 34;
/// Maximum length of a cell in the last column.
const MAX_LAST_CELL_LEN: usize = 110;

/// A table without borders: every column as wide as its widest cell, empty columns are omitted.
pub(super) struct Table {
    rows: Vec<TableRow>,
}

struct TableRow {
    cells: Vec<String>,
    is_faint: bool,
}

impl Table {
    pub(super) fn new() -> Self {
        Self { rows: Vec::new() }
    }

    pub(super) fn row<const N: usize>(&mut self, cells: [String; N]) {
        self.rows.push(TableRow { cells: cells.into(), is_faint: false });
    }

    /// Adds a line below a row, across all columns.
    pub(super) fn add_note(&mut self, text: &str) {
        self.rows.push(TableRow { cells: vec![text.to_owned()], is_faint: true });
    }

    /// Formats the table, with two spaces before every row and between columns.
    pub(super) fn print(&self) -> String {
        let columns = self.rows.iter().map(|row| row.cells.len()).max().unwrap_or(0);
        let full_rows = || self.rows.iter().filter(|row| !row.is_faint);
        let width_of = |column: usize| {
            let widths = full_rows().filter_map(|row| row.cells.get(column)).map(|cell| ellipsize(cell, MAX_CELL_LEN));
            widths.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..columns).map(width_of).collect();
        let mut text = String::new();
        for row in &self.rows {
            let line = if row.is_faint { note_line(&row.cells) } else { line(&row.cells, &widths) };
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }
}

fn note_line(cells: &[String]) -> String {
    dim(&format!("      {}", ellipsize(&cells.concat(), MAX_LAST_CELL_LEN)))
}

fn line(cells: &[String], widths: &[usize]) -> String {
    let last = cells.len().saturating_sub(1);
    let mut text = String::new();
    for (column, (cell, width)) in cells.iter().zip(widths).enumerate().filter(|(_, (_, width))| **width > 0) {
        text.push_str("  ");
        if column == last {
            text.push_str(&ellipsize(cell, MAX_LAST_CELL_LEN));
        } else {
            let cell = ellipsize(cell, MAX_CELL_LEN);
            text.push_str(&format!("{cell:<width$}"));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up_and_empty_ones_vanish() {
        let mut table = Table::new();
        table.row(["a".to_owned(), String::new(), "long".to_owned(), "x".to_owned()]);
        table.row(["äöü".to_owned(), String::new(), "b".to_owned(), "y".to_owned()]);
        table.add_note("why");
        assert_eq!(table.print(), "  a    long  x\n  äöü  b     y\n      why\n");
        assert_eq!(Table::new().print(), "");
    }
}
