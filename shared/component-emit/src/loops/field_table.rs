//! The fields of a list: what differs between its items, by row.

use super::{Cell, Row};
use limner_component_model::ir::Loop;
use std::collections::BTreeSet;

/// The fields of a list: one column for each difference between items.
pub(super) struct FieldTable {
    pub(super) columns: Vec<Field>,
    pub(super) rows: usize,
    /// The only field is a text that every item has; the text itself is the item.
    pub(super) scalar: bool,
}

pub(super) struct Field {
    pub(super) name: String,
    /// The cells are classes.
    pub(super) is_class: bool,
    pub(super) cells: Vec<Option<Cell>>,
}

/// Maximum length of the texts of a key, and of one that nothing shorter replaces.
const SHORT_KEY: usize = 200;
const LONG_KEY: usize = 2000;

/// Returns a free field name: this one, or with a number.
pub(super) fn unique_field_name(name: &str, columns: &[Field]) -> Option<String> {
    let numbered = (2..).map(|number| format!("{name}{number}"));
    let is_taken = |name: &String| columns.iter().any(|column| column.name == *name);
    std::iter::once(name.to_owned()).chain(numbered).find(|name| !is_taken(name))
}

impl FieldTable {
    /// Returns true if each item is a text.
    pub(super) fn is_scalar(&self) -> bool {
        self.scalar
    }

    /// Returns true if the items do not differ.
    pub(super) fn is_empty(&self) -> bool {
        self.columns.is_empty()
    }

    /// Returns the expression of a unique key for each item.
    pub(super) fn key(&self, item: &str) -> String {
        if self.is_empty() {
            return item.to_owned();
        }
        let tells_apart_within = |column: &Field, limit: usize| {
            let texts: BTreeSet<&str> = column
                .cells
                .iter()
                .filter_map(|cell| match cell {
                    Some(Cell::Text(text)) if !text.is_empty() && text.len() < limit => Some(text.as_str()),
                    _ => None,
                })
                .collect();
            texts.len() == self.rows && !column.is_class
        };
        let tells_apart = |column: &&Field| tells_apart_within(column, SHORT_KEY);
        let tells_apart_at_length = |column: &&Field| tells_apart_within(column, LONG_KEY);
        // Prefers texts that are visible, and short ones.
        let is_aside = |column: &&Field| column.name.starts_with("aria");
        let is_short = |column: &&Field| is_aside(column) || column.name == "initials";
        let shown = || self.columns.iter().filter(|column| !is_short(column));
        let short = || self.columns.iter().filter(is_short).find(tells_apart);
        match shown().find(tells_apart).or_else(short).or_else(|| shown().find(tells_apart_at_length)) {
            Some(_) if self.scalar => item.to_owned(),
            Some(column) => format!("{item}.{}", column.name),
            None => Loop::INDEX.to_owned(),
        }
    }

    /// Returns the items; numbers if they do not differ.
    pub(super) fn rows(&self) -> Vec<Row> {
        if self.is_empty() {
            return numbers(self.rows);
        }
        (0..self.rows).map(|row| self.row(row)).collect()
    }

    fn row(&self, row: usize) -> Row {
        if self.scalar
            && let Some(Some(Cell::Text(text))) = self.columns.first().and_then(|column| column.cells.get(row))
        {
            return Row::Text(text.clone());
        }
        let fields = self.columns.iter().filter_map(|column| Some((column.name.clone(), column.cells[row].clone()?)));
        Row::Fields(fields.collect())
    }
}

/// Returns the rows 1, 2, 3, …
pub(super) fn numbers(count: usize) -> Vec<Row> {
    (1..=count).map(Row::Number).collect()
}
