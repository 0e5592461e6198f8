//! Makes `richtext` settings of running text that differs between items, with the markup that the
//! editor preserves.

use super::template::{SettingUse, TemplateWriter};
use crate::loops::Cell;
use crate::shopify::settings::inline_markup;
use limner_component_model::ir::{Node, OutputElement, Value};
use serde_json::json;

/// Top-level elements that a `richtext` setting accepts, and its lists.
const PARAGRAPHS: [&str; 7] = ["h1", "h2", "h3", "h4", "h5", "h6", "p"];
const LISTS: [&str; 2] = ["ol", "ul"];

impl TemplateWriter<'_> {
    /// Returns the setting of the contents of an element.
    pub(super) fn rich(&mut self, expression: &str, tag: &OutputElement, alive: &[bool]) -> Option<String> {
        // Links cannot be nested in links or buttons.
        if matches!(tag.name.as_str(), "a" | "button") || !self.is_in_all_rows(expression, alive) {
            return None;
        }
        self.setting_for(expression, SettingUse::Rich, |own| {
            let cells = own.fields.get(expression)?;
            let all = |write: fn(&OutputElement) -> Option<String>| -> Option<Vec<_>> {
                let value = |cell: &Option<Cell>| match cell {
                    Some(Cell::Markup(tag)) => {
                        write(tag).filter(|text| !text.trim().is_empty()).map(|text| Some(json!(text)))
                    }
                    None => Some(None),
                    Some(_) => None,
                };
                cells.iter().map(value).collect()
            };
            let (kind, values) = match all(inline_rich_text) {
                Some(values) => ("inline_richtext", values),
                None => ("richtext", all(in_paragraphs)?),
            };
            let setting = own.add(kind, &own.fields.name(expression, "text"), values)?;
            own.record_presence(expression, format!("{setting} != blank"));
            Some(setting)
        })
    }
}

fn inline_rich_text(tag: &OutputElement) -> Option<String> {
    let (text, _) = inline_markup(tag)?;
    let trimmed = text.trim_ascii();
    (tag.edge_whitespace_insignificant || tag.whitespace_insignificant || trimmed.len() == text.len())
        .then(|| trimmed.to_owned())
}

fn in_paragraphs(tag: &OutputElement) -> Option<String> {
    let mut out = String::new();
    for child in &tag.children {
        match child {
            Node::Text(Value::Fixed(text)) if text.trim_ascii().is_empty() => {}
            Node::Tag(part) if part.attributes.is_empty() && PARAGRAPHS.contains(&part.name.as_str()) => {
                out.push_str(&element(part, &inline_rich_text(part)?));
            }
            Node::Tag(list) if list.attributes.is_empty() && LISTS.contains(&list.name.as_str()) => {
                let item = |item: &OutputElement| {
                    let is_item = item.name == "li" && item.attributes.is_empty();
                    is_item.then(|| inline_rich_text(item)).flatten().map(|text| element(item, &text))
                };
                let items: Option<String> = list.tags().map(item).collect();
                out.push_str(&element(list, &items?));
            }
            _ => return None,
        }
    }
    Some(out)
}

fn element(tag: &OutputElement, inside: &str) -> String {
    format!("<{0}>{inside}</{0}>", tag.name)
}
