//! Simplifies a table: hoists columns that are constant within each list, and replaces rows of a
//! single text by that text.

use super::Cell;
use super::field_renaming::replace;
use super::field_table::{Field, FieldTable};
use limner_component_model::ir::OutputElement;

impl FieldTable {
    /// Replaces each item by its text if that is its only field.
    pub(super) fn simplify(&mut self, template: &mut OutputElement, item: &str) {
        let is_text = |cell: &Option<Cell>| matches!(cell, Some(Cell::Text(_)));
        if let [only] = self.columns.as_slice()
            && only.cells.iter().all(is_text)
            && !self.scalar
        {
            replace(template, &format!("{item}.{}", only.name), item);
            self.scalar = true;
        }
    }

    /// Removes the columns of flags and classes that are constant within each list, and returns
    /// them with one cell per list. `lengths` are the lengths of the lists. At least one column
    /// remains.
    pub(super) fn extract_constant_columns(&mut self, lengths: &[usize]) -> Vec<Field> {
        let is_constant = |column: &Field| {
            let mut rest = column.cells.as_slice();
            lengths.iter().all(|length| {
                let (own, after) = rest.split_at(*length);
                rest = after;
                own.iter().all(|cell| *cell == own[0])
            })
        };
        let is_flag = |column: &Field| column.cells.iter().all(|cell| matches!(cell, Some(Cell::Flag) | None));
        let mut taken = Vec::new();
        for at in (0..self.columns.len()).rev() {
            let column = &self.columns[at];
            let is_aside = is_flag(column) || column.is_class;
            if self.columns.len() > 1 && is_aside && lengths.iter().any(|length| *length > 1) && is_constant(column) {
                let Field { name, is_class, cells } = self.columns.remove(at);
                let starts = lengths.iter().scan(0, |start, length| Some(std::mem::replace(start, *start + length)));
                let cells = starts.map(|start| cells.get(start).cloned().flatten()).collect();
                taken.push(Field { name, is_class, cells });
            }
        }
        taken
    }
}
