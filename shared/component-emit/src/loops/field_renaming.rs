//! Renames fields that an attribute and a text share, such as an image's `alt` and the card's
//! title, after the text.

use super::field_table::{FieldTable, unique_field_name};
use super::text_names::{PLAIN_TEXT, is_plain_text};
use super::visit_values::for_each_value;
use limner_component_model::ir::{ItemCondition, Node, OutputElement, Value};
use std::collections::BTreeMap;

/// Names of attribute fields that usually repeat a text.
const REPEATING: [&str; 3] = ["alt", "ariaLabel", "placeholder"];

/// Returns true if a field was named after an attribute and should take the name of a text with the
/// same values.
pub(super) fn is_repeating(name: &str) -> bool {
    REPEATING.contains(&name.trim_end_matches(|c: char| c.is_ascii_digit()))
}

impl FieldTable {
    /// Renames a field in the table and in the template, if the name is free.
    pub(super) fn rename(&mut self, template: &mut OutputElement, item: &str, from: &str, to: &str) {
        let Some(name) = unique_field_name(to, &self.columns) else { return };
        let Some(column) = self.columns.iter_mut().find(|column| column.name == from) else { return };
        column.name.clone_from(&name);
        replace(template, &format!("{item}.{from}"), &format!("{item}.{name}"));
    }

    /// Renames a field if no other one has the name.
    pub(super) fn rename_if_free(&mut self, template: &mut OutputElement, item: &str, from: &str, to: &str) {
        if self.columns.iter().all(|own| own.name != to) {
            self.rename(template, item, from, to);
        }
    }

    /// Gives texts with the same generic name (`text`, `text2`) their semantic names, and renumbers
    /// the remaining ones.
    pub(super) fn name_by_semantics(
        &mut self,
        template: &mut OutputElement,
        item: &str,
        words: &BTreeMap<String, String>,
    ) {
        let plain = |table: &Self| -> Vec<String> {
            let names = table.columns.iter().map(|column| column.name.clone());
            names.filter(|name| is_plain_text(name)).collect()
        };
        let texts = plain(self);
        if texts.len() < 2 {
            return;
        }
        for from in &texts {
            let Some(to) = words.get(from) else { continue };
            let is_only = words.values().filter(|word| *word == to).count() == 1;
            if is_only && self.columns.iter().all(|column| column.name != *to) {
                self.rename(template, item, from, to);
            }
        }
        self.renumber_texts(template, item);
    }

    /// Numbers the texts with a generic name again, of which some have got another name.
    pub(super) fn renumber_texts(&mut self, template: &mut OutputElement, item: &str) {
        let names = self.columns.iter().map(|column| column.name.clone());
        let texts: Vec<String> = names.filter(|name| is_plain_text(name)).collect();
        for from in texts {
            let free = unique_field_name(PLAIN_TEXT, &self.columns);
            if let Some(to) = free.filter(|to| to.len() < from.len() || (to.len() == from.len() && *to < from)) {
                self.rename(template, item, &from, &to);
            }
        }
    }
}

/// Replaces an expression by another.
pub(super) fn replace(tag: &mut OutputElement, from: &str, to: &str) {
    for_each_value(tag, &mut |value| match value {
        Value::Field(field) | Value::FixedAndField(_, field) if field == from => *field = to.to_owned(),
        // A space that is rendered only if the field is present.
        Value::Field(field) => {
            if let Some(rest) = field.strip_prefix(from).filter(|rest| rest.starts_with(" &&")) {
                *field = format!("{to}{rest}");
            }
        }
        Value::Conditional(switch) => match &mut switch.condition {
            ItemCondition::Flag(field) if field == from => *field = to.to_owned(),
            _ => {}
        },
        _ => {}
    });
    conditions(tag, from, to);
}

fn conditions(tag: &mut OutputElement, from: &str, to: &str) {
    if let Some(when) = tag.condition.as_mut().filter(|when| *when == from) {
        *when = to.to_owned();
    }
    for child in &mut tag.children {
        match child {
            Node::Tag(child) => conditions(child, from, to),
            Node::Slot(slot) if slot == from => *slot = to.to_owned(),
            Node::Slot(_) | Node::Text(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::loops::collapse;
    use crate::loops::tests::{DIALECT, fields, root, tag, text};

    #[test]
    fn image_fields_are_named_after_the_text_they_repeat() {
        let post = |title: &str, address: &str| {
            let picture = tag("img", &[("src", address), ("alt", title)], Vec::new());
            let title = tag("h3", &[], vec![tag("a", &[("href", address)], vec![text(title)])]);
            tag("article", &[("class", "post")], vec![picture, title])
        };
        let mut tree = root(vec![post("One", "/1"), post("Two", "/2"), post("Three", "/3")]);
        let lists = collapse(&mut tree, DIALECT, &[]).lists;
        let names: Vec<&str> = fields(&lists[0], 0).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["image", "title"], "one field for the title and the alternative text");
        let written = format!("{tree:?}");
        assert!(written.contains(".title\"") && !written.contains(".alt\""), "{written}");
    }
}
