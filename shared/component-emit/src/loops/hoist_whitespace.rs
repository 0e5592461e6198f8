//! Hoists white space: a space that all items have before or after a text moves to the template.

use super::Cell;
use super::field_table::{Field, FieldTable};
use limner_component_model::ir::{Node, OutputElement, Value};

impl FieldTable {
    /// Moves the spaces that start or end a text in all items out of the fields.
    pub(super) fn hoist_spaces(&mut self, template: &mut OutputElement, item: &str) {
        for column in &mut self.columns {
            let [starts, ends] = edge_spaces(column);
            let field = format!("{item}.{}", column.name);
            if !(starts || ends) || !is_text_only_field(template, &field) {
                continue;
            }
            for cell in &mut column.cells {
                if let Some(Cell::Text(text)) = cell {
                    let own = if starts { &text[1..] } else { text.as_str() };
                    let own = if ends { &own[..own.len() - 1] } else { own };
                    *text = own.to_owned();
                }
            }
            surround(template, &field, [starts, ends]);
        }
    }
}

/// Returns whether every item has a text here that starts with a space, and that ends with one.
fn edge_spaces(column: &Field) -> [bool; 2] {
    let each = |is_so: &dyn Fn(&str) -> bool| {
        column.cells.iter().all(|cell| match cell {
            Some(Cell::Text(text)) => !text.trim_matches(' ').is_empty() && is_so(text),
            _ => false,
        })
    };
    [each(&|text| text.starts_with(' ')), each(&|text| text.ends_with(' '))]
}

/// Returns true if all uses of a field are texts in which white space collapses.
fn is_text_only_field(tag: &OutputElement, field: &str) -> bool {
    let is_it = |value: &Value| matches!(value, Value::Field(own) if own == field);
    !tag.attributes.iter().any(|attribute| is_it(&attribute.value))
        && tag.children.iter().all(|child| match child {
            Node::Tag(child) => is_text_only_field(child, field),
            Node::Text(text) => !(tag.preserves_whitespace && is_it(text)),
            Node::Slot(_) => true,
        })
}

fn surround(tag: &mut OutputElement, field: &str, [starts, ends]: [bool; 2]) {
    let space = || Node::Text(Value::Fixed(" ".to_owned()));
    for child in std::mem::take(&mut tag.children) {
        let is_it = matches!(&child, Node::Text(Value::Field(own)) if own == field);
        tag.children.extend((is_it && starts).then(space));
        tag.children.push(child);
        tag.children.extend((is_it && ends).then(space));
    }
    tag.tags_mut().for_each(|child| surround(child, field, [starts, ends]));
}
