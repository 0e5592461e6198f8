//! Names the fields of table rows after the column headings.

use super::field_table::FieldTable;
use super::fixed_text::fixed;
use super::naming::camel;
use super::usable_words::is_field;
use limner_component_model::ir::{Node, OutputElement, Value};

/// Maximum length of a name; longer headings are sentences.
const MAX_NAME: usize = 24;

/// Returns the column headings as field names, empty where a heading gives none. Returns no names
/// if a heading spans columns.
pub(super) fn heading_field_names(table: &OutputElement) -> Vec<String> {
    let rows = || {
        table.tags().filter(|part| part.name == "thead").flat_map(OutputElement::tags).filter(|row| row.name == "tr")
    };
    let Some(row) = rows().next().filter(|_| rows().count() == 1) else { return Vec::new() };
    let is_column = |cell: &OutputElement| cell.attribute("colspan").is_none();
    if !row.tags().all(is_column) {
        return Vec::new();
    }
    row.tags().map(|cell| name(&text(cell))).collect()
}

/// Returns the fixed text of an element.
pub(super) fn text(tag: &OutputElement) -> String {
    let parts = tag.children.iter().map(|child| match child {
        Node::Tag(child) => text(child),
        Node::Text(text) => fixed(text).unwrap_or_default().to_owned(),
        Node::Slot(_) => String::new(),
    });
    parts.collect()
}

fn name(text: &str) -> String {
    let is_plain = text.chars().all(|c| c.is_ascii_alphanumeric() || c.is_ascii_whitespace() || "-_/.".contains(c));
    let name = camel(&text.trim().to_ascii_lowercase());
    let is_name = name.len() > 1 && name.len() <= MAX_NAME && name.starts_with(|c: char| c.is_ascii_lowercase());
    if is_plain && is_name && is_field(&name) { name } else { String::new() }
}

impl FieldTable {
    /// Names the only field of each cell after its column.
    pub(super) fn name_by_headings(&mut self, template: &mut OutputElement, item: &str, heads: &[String]) {
        let cells: Vec<&OutputElement> = template.tags().collect();
        let is_row = template.name == "tr" && cells.len() == heads.len();
        if !is_row || cells.iter().any(|cell| cell.repeat.is_some() || cell.condition.is_some()) {
            return;
        }
        let of_cell = |cell: &OutputElement| {
            let mut fields = Vec::new();
            texts(cell, &mut fields);
            match fields.as_slice() {
                [field] => field.strip_prefix(item)?.strip_prefix('.').map(str::to_owned),
                _ => None,
            }
        };
        let fields: Vec<Option<String>> = cells.into_iter().map(of_cell).collect();
        for (field, head) in fields.iter().zip(heads) {
            let Some(field) = field.as_ref().filter(|field| !head.is_empty() && *field != head) else { continue };
            if fields.iter().filter(|other| other.as_ref() == Some(field)).count() == 1 {
                self.rename(template, item, field, head);
            }
        }
    }
}

/// Collects the expressions of texts in an element.
fn texts(tag: &OutputElement, found: &mut Vec<String>) {
    for child in &tag.children {
        match child {
            Node::Tag(child) => texts(child, found),
            Node::Text(Value::Field(field)) => found.push(field.clone()),
            Node::Text(_) | Node::Slot(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::loops::collapse;
    use crate::loops::tests::{DIALECT, fields, root, tag, text};
    use limner_component_model::ir::Node;

    fn names(heads: &[&str]) -> Vec<String> {
        let cell = |name: &str, child: Node| tag(name, &[], vec![child]);
        let head = tag("tr", &[], heads.iter().map(|own| cell("th", text(own))).collect());
        let badge = |words: &str| tag("span", &[("class", "badge")], vec![text(words)]);
        let row = |number: &str, status: &str| {
            let cells = [text(number), badge(status), text("Card")].into_iter().map(|child| cell("td", child));
            tag("tr", &[], cells.chain([tag("td", &[("class", "r")], vec![text("$1")])]).collect())
        };
        let rows = vec![row("A1", "Paid"), row("A2", "Open"), row("A3", "Late")];
        let table = tag("table", &[], vec![tag("thead", &[], vec![head]), tag("tbody", &[], rows)]);
        let lists = collapse(&mut root(vec![table]), DIALECT, &[]).lists;
        let list = lists.iter().find(|list| list.name == "rows").expect("a list of rows");
        fields(list, 0).into_iter().map(|(name, _)| name.to_owned()).collect()
    }

    #[test]
    fn fields_are_named_after_their_columns() {
        assert_eq!(names(&["Invoice", "Payment status", "Method", "Amount"]), ["invoice", "paymentStatus"]);
        assert_eq!(names(&["Invoice", "", "Method", "Amount"])[0], "invoice");
        // A heading spans columns, or no heading is a name.
        assert_eq!(names(&["Invoice", "Method"]), names(&["料金", "Ⓐ", "½", "constructor"]));
    }
}
