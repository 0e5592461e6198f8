//! Writes the template of a list as Liquid: differences between items are read from the settings of
//! a block.

use super::fields::{FieldValues, SPACE, is_set};
use crate::loops::Cell;
use crate::shopify::settings::{LONG_TEXT, Settings, TEXT};
use limner_component_model::ir::{ConditionalClasses, ItemCondition, Node, OutputAttribute, OutputElement, Value};
use limner_component_model::model::Namespace;
use serde_json::{Map, Value as Json, json};
use std::collections::BTreeMap;

/// The schema of a list.
pub(super) struct BlockTemplate {
    /// The settings of its blocks.
    pub(super) settings: Vec<Json>,
    /// The values of the settings for each item.
    pub(super) presets: Vec<Map<String, Json>>,
}

impl BlockTemplate {
    /// Writes Liquid into a template. `None` if settings cannot express a difference between items.
    /// Names that must be unique in the section begin with `prefix`.
    pub(super) fn write(one: &mut OutputElement, fields: &FieldValues, prefix: &str) -> Option<Self> {
        let mut writer = TemplateWriter {
            fields,
            prefix,
            settings: Settings::for_block(),
            values: BTreeMap::new(),
            settings_by_expression: BTreeMap::new(),
            presences: BTreeMap::new(),
            cycles: 0,
        };
        writer.tag(one, &vec![true; fields.rows])?;
        writer.conditions(one)?;
        if writer.settings.refused || writer.settings.list.is_empty() {
            return None;
        }
        let name = "{{ block.shopify_attributes }}".to_owned();
        one.attributes.push(OutputAttribute { name, value: Value::Field(String::new()) });
        let presets = (0..fields.rows).map(|row| writer.preset(row)).collect();
        Some(Self { settings: writer.settings.list, presets })
    }
}

/// The setting type that an expression is used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum SettingUse {
    Text,
    Rich,
    Url,
    Image,
}

pub(super) struct TemplateWriter<'f> {
    pub(super) fields: &'f FieldValues,
    pub(super) prefix: &'f str,
    pub(super) settings: Settings,
    /// By index of a setting: its value in each item. Settings that have only their default are left out.
    values: BTreeMap<usize, Vec<Option<Json>>>,
    /// The settings of expressions.
    settings_by_expression: BTreeMap<(String, SettingUse), String>,
    /// The conditions under which expressions are set.
    presences: BTreeMap<String, String>,
    pub(super) cycles: usize,
}

impl TemplateWriter<'_> {
    fn preset(&self, row: usize) -> Map<String, Json> {
        let id = |at: &usize| self.settings.list[*at]["id"].as_str().unwrap_or_default().to_owned();
        self.values.iter().filter_map(|(at, values)| Some((id(at), values[row].clone()?))).collect()
    }

    /// Adds a setting with these values. A value that all items share becomes the default, so that
    /// new blocks have content.
    pub(super) fn add(&mut self, kind: &str, name: &str, values: Vec<Option<Json>>) -> Option<String> {
        let has_default = kind != "url" && values.iter().all(Option::is_some);
        let default = values.first().and_then(Option::as_ref).and_then(Json::as_str).filter(|_| has_default);
        let setting = self.settings.add(kind, name, default)?;
        if !(default.is_some() && values.iter().all(|value| *value == values[0])) {
            self.values.insert(self.settings.list.len() - 1, values);
        }
        Some(setting)
    }

    /// Returns the setting of an expression for a use, or creates it.
    pub(super) fn setting_for(
        &mut self,
        expression: &str,
        own: SettingUse,
        make: impl FnOnce(&mut Self) -> Option<String>,
    ) -> Option<String> {
        let key = (expression.to_owned(), own);
        if let Some(setting) = self.settings_by_expression.get(&key) {
            return Some(setting.clone());
        }
        let setting = make(self)?;
        self.settings_by_expression.insert(key, setting.clone());
        Some(setting)
    }

    pub(super) fn record_presence(&mut self, expression: &str, condition: String) {
        self.presences.entry(expression.to_owned()).or_insert(condition);
    }

    /// Returns the texts of an expression. `None` if one has outer white space, which the editor
    /// would remove; Shopify treats blank texts as missing.
    pub(super) fn texts(&self, expression: &str) -> Option<Vec<Option<Json>>> {
        let text = |cell: &Option<Cell>| match cell {
            Some(Cell::Text(text)) if text.trim().len() == text.len() => {
                Some(Some(json!(text)).filter(|_| !text.is_empty()))
            }
            None => Some(None),
            Some(_) => None,
        };
        self.fields.get(expression)?.iter().map(text).collect()
    }

    /// Returns true if all rows in `alive` have a value.
    pub(super) fn is_in_all_rows(&self, expression: &str, alive: &[bool]) -> bool {
        (0..alive.len()).all(|row| !alive[row] || self.fields.cell(expression, row).is_some())
    }

    /// Returns the setting of a text; `otherwise` is its name if nothing else names it.
    pub(super) fn textual(&mut self, expression: &str, otherwise: &str) -> Option<String> {
        self.setting_for(expression, SettingUse::Text, |own| {
            let values = own.texts(expression)?;
            let name = own.fields.name(expression, otherwise);
            let is_long = values.iter().flatten().any(|text| Settings::is_long(text.as_str().unwrap_or_default()));
            let setting = own.add(if is_long { LONG_TEXT } else { TEXT }, &name, values)?;
            own.record_presence(expression, format!("{setting} != blank"));
            Some(setting)
        })
    }

    /// Returns which rows have an element.
    fn rows_with_element(&self, tag: &OutputElement, around: &[bool]) -> Vec<bool> {
        let has = |row: usize| tag.condition.as_ref().is_none_or(|when| self.fields.cell(when, row).is_some());
        (0..around.len()).map(|row| around[row] && has(row)).collect()
    }

    fn tag(&mut self, tag: &mut OutputElement, around: &[bool]) -> Option<()> {
        let alive = self.rows_with_element(tag, around);
        match tag.name.as_str() {
            "a" => self.address(tag, &alive)?,
            "img" => self.picture(&mut [&mut *tag], &alive)?,
            "picture" => self.pictures(tag, &alive)?,
            _ => {}
        }
        self.attributes(tag, &alive)?;
        if tag.namespace == Namespace::Html && self.contents(tag, &alive)? {
            return Some(());
        }
        for child in std::mem::take(&mut tag.children) {
            match child {
                Node::Tag(child) if child.namespace != Namespace::Html => {
                    tag.children.extend(self.icon(child, &alive)?.into_iter().map(Node::Tag));
                }
                Node::Tag(mut child) => {
                    self.tag(&mut child, &alive)?;
                    tag.children.push(Node::Tag(child));
                }
                Node::Text(Value::Field(expression)) if !expression.ends_with(SPACE) => {
                    if is_source(&tag.name) || tag.preserves_whitespace || !self.is_in_all_rows(&expression, &alive) {
                        return None;
                    }
                    let setting = self.textual(&expression, "text")?;
                    tag.children.push(Node::Text(Value::Field(format!("{{{{ {setting} | escape }}}}"))));
                }
                Node::Slot(_) => return None,
                other => tag.children.push(other),
            }
        }
        Some(())
    }

    /// Makes one setting of the contents of an element, if that is possible.
    fn contents(&mut self, tag: &mut OutputElement, alive: &[bool]) -> Option<bool> {
        if tag.preserves_whitespace || is_source(&tag.name) {
            return Some(false);
        }
        if let [Node::Slot(expression)] = tag.children.as_slice() {
            let setting = self.rich(&expression.clone(), tag, alive)?;
            tag.children = vec![Node::Text(Value::Field(format!("{{{{ {setting} }}}}")))];
            return Some(true);
        }
        if let [Node::Text(Value::Field(expression))] = tag.children.as_slice()
            && !expression.ends_with(SPACE)
        {
            self.is_in_all_rows(expression, alive).then_some(())?;
            let setting = self.textual(&expression.clone(), Settings::setting_name(&tag.name).unwrap_or("text"))?;
            tag.children = vec![Node::Text(Value::Field(format!("{{{{ {setting} | escape }}}}")))];
            return Some(true);
        }
        let before = self.settings.list.len();
        self.settings.text(tag);
        Some(self.settings.list.len() > before)
    }

    /// Keeps an icon that is the same in all items; others are chosen by a setting of the block.
    fn icon(&mut self, tag: OutputElement, around: &[bool]) -> Option<Vec<OutputElement>> {
        if !has_fields(&tag) {
            return Some(vec![tag]);
        }
        let alive = self.rows_with_element(&tag, around);
        let mut icons: Vec<OutputElement> = Vec::new();
        let mut values = Vec::new();
        for (row, is_there) in alive.iter().enumerate() {
            let Some(icon) = self.fields.instance(&tag, row).filter(|_| *is_there) else {
                values.push(NONE.to_owned());
                continue;
            };
            let known = icons.iter().position(|own| *own == icon);
            values.push(icon_name(known.unwrap_or(icons.len())));
            icons.extend(known.is_none().then_some(icon));
        }
        let is_optional = values.iter().any(|value| value == NONE);
        let setting = self.choice(&values, icons.len(), is_optional)?;
        if is_optional {
            let mut expressions = Vec::new();
            collect_expressions(&tag, &mut expressions);
            expressions.into_iter().for_each(|own| self.record_presence(&own, format!("{setting} != '{NONE}'")));
        }
        let shown = |(at, icon): (usize, OutputElement)| OutputElement {
            condition: Some(format!("{setting} == '{}'", icon_name(at))),
            ..icon
        };
        Some(icons.into_iter().enumerate().map(shown).collect())
    }

    /// Adds a setting that selects one of several icons, or none.
    fn choice(&mut self, values: &[String], count: usize, is_optional: bool) -> Option<String> {
        let setting = self.settings.add("select", "icon", Some(if is_optional { NONE } else { &values[0] }))?;
        let none = is_optional.then(|| json!({ "value": NONE, "label": "None" }));
        let icons = (0..count).map(|at| json!({ "value": icon_name(at), "label": format!("Icon {}", at + 1) }));
        let at = self.settings.list.len() - 1;
        self.settings.list[at]["options"] = none.into_iter().chain(icons).collect();
        self.values.insert(at, values.iter().map(|value| Some(json!(value))).collect());
        Some(setting)
    }

    /// Returns the condition under which an expression is set.
    pub(super) fn condition(&mut self, expression: &str) -> Option<String> {
        if let Some(condition) = self.presences.get(expression) {
            return Some(condition.clone());
        }
        let cells = self.fields.get(expression)?;
        if cells.iter().flatten().any(|cell| matches!(cell, Cell::Text(_) | Cell::Markup(_) | Cell::Rows(_))) {
            return row_condition(cells);
        }
        let values = cells.iter().map(|cell| cell.as_ref().is_some_and(is_set).then_some(Json::Bool(true))).collect();
        let name = self.fields.name(expression, "shown");
        self.flag(expression, &name, values)
    }

    /// Adds a checkbox setting for a condition.
    pub(super) fn flag(&mut self, expression: &str, name: &str, values: Vec<Option<Json>>) -> Option<String> {
        let setting = self.add("checkbox", name, values)?;
        self.record_presence(expression, setting.clone());
        Some(setting)
    }

    /// Writes conditions, which depend on settings that must be known before.
    fn conditions(&mut self, tag: &mut OutputElement) -> Option<()> {
        if let Some(when) = tag.condition.take() {
            let is_written = when.starts_with("block.settings.");
            tag.condition = Some(if is_written { when } else { self.condition(&when)? });
        }
        for attribute in &mut tag.attributes {
            if let Value::Conditional(switch) = &attribute.value {
                let ConditionalClasses {
                    fixed,
                    condition: ItemCondition::Flag(expression),
                    if_true: then,
                    if_false: otherwise,
                    ..
                } = switch.as_ref()
                else {
                    return None;
                };
                let condition = self.condition(expression)?;
                *attribute = super::attributes::conditional_classes(&condition, fixed, then, otherwise);
            }
        }
        for child in &mut tag.children {
            match child {
                Node::Tag(child) => self.conditions(child)?,
                Node::Text(Value::Field(field)) => {
                    if let Some(expression) = field.strip_suffix(SPACE) {
                        *field = format!("{{% if {} %}} {{% endif %}}", self.condition(expression)?);
                    }
                }
                Node::Text(_) | Node::Slot(_) => {}
            }
        }
        Some(())
    }
}

/// Returns the condition on the indices of a few rows that have a value.
fn row_condition(cells: &[Option<Cell>]) -> Option<String> {
    let rows = cells.iter().enumerate().filter(|(_, cell)| cell.is_some());
    let places: Vec<String> = rows.map(|(row, _)| format!("forloop.index0 == {row}")).collect();
    (places.len() <= MAX_EXCEPTION_ROWS).then(|| places.join(" or "))
}

/// Maximum number of rows that are exceptions.
const MAX_EXCEPTION_ROWS: usize = 3;

/// The value of the setting for no icon.
const NONE: &str = "none";

fn icon_name(at: usize) -> String {
    format!("icon_{}", at + 1)
}

/// Returns true for elements whose text is not parsed as markup.
fn is_source(name: &str) -> bool {
    matches!(name, "script" | "style" | "title")
}

/// Returns true if anything in an element differs between items.
fn has_fields(tag: &OutputElement) -> bool {
    let mut found = Vec::new();
    collect_expressions(tag, &mut found);
    let is_switch = |tag: &OutputElement| tag.attributes.iter().any(|own| matches!(own.value, Value::Conditional(_)));
    fn any_tag(tag: &OutputElement, is_so: &dyn Fn(&OutputElement) -> bool) -> bool {
        is_so(tag) || tag.tags().any(|child| any_tag(child, is_so))
    }
    !found.is_empty() || any_tag(tag, &is_switch)
}

/// Collects the expressions in an element.
fn collect_expressions(tag: &OutputElement, found: &mut Vec<String>) {
    let of = |value: &Value| match value {
        Value::Field(own) | Value::FixedAndField(_, own) => Some(own.trim_end_matches(SPACE).to_owned()),
        Value::Fixed(_) | Value::Conditional(_) => None,
    };
    found.extend(tag.condition.iter().cloned());
    found.extend(tag.attributes.iter().filter_map(|own| of(&own.value)));
    for child in &tag.children {
        match child {
            Node::Tag(child) => collect_expressions(child, found),
            Node::Text(text) => found.extend(of(text)),
            Node::Slot(own) => found.push(own.clone()),
        }
    }
}
