//! Names for what would otherwise be numbered: `text2` → `subtitle`, `href2` → `secondHref`, `items2` → `productItems`.

use super::Cell;
use super::field_table::{Field, FieldTable};
use super::naming::{camel, with_ordinal};
use super::text_names::{PLAIN_TEXT, is_plain_text};
use super::usable_words::is_generic;
use limner_component_model::ir::{Node, OutputElement, Value};

/// Usual names for the texts of an item that have no name of their own, in their order.
const TEXTS_AFTER_A_TITLE: &[&str] = &["note", "caption", "detail", "remark", "aside", "footnote"];

/// Names of fields that head an item.
const HEADINGS: &[&str] = &["title", "name", "label", "question", "headline", "value", "price", "quote"];

/// Mean length from which on a text is a description rather than a subtitle.
const DESCRIPTION_LENGTH: usize = 48;

impl FieldTable {
    /// Renames numbered fields after their place in the item.
    pub(super) fn name_numbered(&mut self, template: &mut OutputElement, item: &str, class: &str) {
        if self.is_scalar() {
            return;
        }
        self.renumber_classes(template, item, class);
        self.name_texts(template, item);
        let numbered: Vec<String> =
            self.columns.iter().filter(|own| self.is_numbered(own)).map(|own| own.name.clone()).collect();
        for from in numbered {
            let Some((base, number)) = split_number(&from) else { continue };
            let is_class = self.columns.iter().any(|own| own.name == from && own.is_class);
            let role = is_class.then(|| owner_of(template, &format!("{item}.{from}"))).flatten();
            let of_owner = role.map(|role| camel(&format!("{role}-{class}")));
            let is_free = |name: &String| self.columns.iter().all(|column| column.name != *name);
            let better = match base.strip_prefix("is") {
                Some(state) if state.starts_with(char::is_uppercase) => Some(format!("isAlso{state}")),
                _ => with_ordinal(base, number),
            };
            let subtitle = (base == "title").then(|| "subtitle".to_owned());
            if let Some(to) = [of_owner, subtitle, better].into_iter().flatten().find(is_free) {
                self.rename(template, item, &from, &to);
            }
        }
    }

    /// Removes the number of the only field of classes: those of another one have become a condition.
    fn renumber_classes(&mut self, template: &mut OutputElement, item: &str, class: &str) {
        let mut classes = self.columns.iter().filter(|own| own.is_class).map(|own| own.name.clone());
        if let (Some(only), None) = (classes.next(), classes.next())
            && only != class
        {
            self.rename(template, item, &only, class);
        }
    }

    /// Names two or more texts of an item after their order.
    fn name_texts(&mut self, template: &mut OutputElement, item: &str) {
        let is_text = |own: &&Field| is_plain_text(&own.name);
        let texts: Vec<(String, usize)> =
            self.columns.iter().filter(is_text).map(|own| (own.name.clone(), mean_length(own))).collect();
        if texts.len() < 2 {
            return;
        }
        let is_headed = self.columns.iter().any(|own| HEADINGS.contains(&own.name.as_str()));
        let mut parts: Vec<&str> = Vec::new();
        if is_headed {
            parts.push(PLAIN_TEXT);
        } else if texts[0].1 >= DESCRIPTION_LENGTH && texts[0].1 > texts[1].1 {
            // A sentence heads nothing.
            parts.extend([PLAIN_TEXT, "caption"]);
        } else {
            parts.extend(["title", if texts[1].1 >= DESCRIPTION_LENGTH { "description" } else { "subtitle" }]);
        }
        parts.extend(TEXTS_AFTER_A_TITLE);
        for (from, _) in texts {
            let is_free = |part: &&&str| **part == from || self.columns.iter().all(|column| column.name != ***part);
            let Some(at) = parts.iter().position(|part| is_free(&part)) else { break };
            let to = parts.remove(at);
            if to != from {
                self.rename(template, item, &from, to);
            }
        }
    }

    /// Returns true for a field that is numbered because another one has its name. Nested lists have names of their own.
    fn is_numbered(&self, column: &Field) -> bool {
        let is_list = column.cells.iter().flatten().any(|cell| matches!(cell, Cell::Rows(_)));
        let Some((base, number)) = split_number(&column.name).filter(|_| !is_list) else { return false };
        // `x2` of a line is an attribute of its own.
        let before = if number == 2 { base.to_owned() } else { format!("{base}{}", number - 1) };
        base.len() > 1 && (self.columns.iter().any(|own| own.name == before) || number > 2)
    }
}

/// Splits a name into words and the number at its end, from 2 on.
fn split_number(name: &str) -> Option<(&str, usize)> {
    let base = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let number = name[base.len()..].parse().ok().filter(|number| *number >= 2)?;
    (!base.is_empty()).then_some((base, number))
}

/// Returns the mean length of a field's texts.
fn mean_length(column: &Field) -> usize {
    let lengths = column.cells.iter().flatten().map(|cell| match cell {
        Cell::Text(text) => text.trim().chars().count(),
        _ => 0,
    });
    let (count, total) = lengths.fold((0, 0), |(count, total), length| (count + 1, total + length));
    total / count.max(1)
}

/// Returns a word for the element whose classes a field holds: the author's, or one for the tag.
fn owner_of(tag: &OutputElement, field: &str) -> Option<String> {
    let is_own = tag.attributes.iter().any(|attribute| match &attribute.value {
        Value::Field(own) | Value::FixedAndField(_, own) => own == field,
        Value::Fixed(_) | Value::Conditional(_) => false,
    });
    if is_own {
        // Libraries call drawings after what they show.
        let word = if tag.name == "svg" { "svg" } else { tag.semantic_name.rsplit('-').next().unwrap_or_default() };
        let of_tag = match tag.name.as_str() {
            "a" => "link",
            "img" | "picture" => "image",
            "svg" => "icon",
            "p" => "text",
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => "title",
            "button" => "button",
            "ul" | "ol" => "list",
            "span" => "label",
            _ => "content",
        };
        return Some(if is_generic(word) { of_tag.to_owned() } else { word.to_owned() });
    }
    tag.children.iter().find_map(|child| match child {
        Node::Tag(child) => owner_of(child, field),
        Node::Text(_) | Node::Slot(_) => None,
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn sentence_before_a_short_text_is_no_title() {
        let sentence = "Everything was done in time, and they left the place as tidy as it had been before.";
        let item = |at: usize| {
            let parts = [format!("{at}: {sentence}"), format!("Owner {at}")];
            tag("div", &[("class", "p-4")], parts.iter().map(|own| tag("p", &[], vec![text(own)])).collect())
        };
        let mut tree = root((1..=3).map(item).collect());
        let lists = collapse(&mut tree, DIALECT, &[]).lists;
        let names: Vec<&str> = fields(&lists[0], 0).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["text", "caption"]);
    }

    use crate::loops::tests::{DIALECT, fields, root, tag, text};
    use crate::loops::{LoopSyntax, collapse};

    #[test]
    fn only_field_of_classes_has_no_number() {
        let colors = ["bg-red-100", "bg-sky-100", "bg-lime-100"];
        let row = |at: usize| {
            let border = if at == 0 { "text-sm" } else { "text-sm border-t border-gray-200" };
            let status = tag("td", &[], vec![tag("span", &[("class", colors[at % 3])], vec![text(&format!("S{at}"))])]);
            let cells = vec![tag("td", &[], vec![text(&format!("Name {at}"))]), status];
            tag("tr", &[("class", border)], cells)
        };
        let mut tree = root(vec![tag("tbody", &[], (0..6).map(row).collect())]);
        let lists = collapse(&mut tree, LoopSyntax { for_scripts: true, ..DIALECT }, &[]).lists;
        assert_eq!(lists.iter().map(|list| list.rows.len()).collect::<Vec<_>>(), [6], "{tree:?}");
        let names: Vec<&str> = fields(&lists[0], 0).into_iter().map(|(name, _)| name).collect();
        assert!(names.contains(&"colors"), "{names:?}");
    }
}
