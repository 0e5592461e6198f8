//! Writes the TypeScript types of lists.

use super::js_literals::{property, quoted};
use crate::loops::{Cell, LoopList, Row};
use limner_component_model::ir::{OutputElement, Value};
use limner_component_model::model::Namespace;
use std::collections::{BTreeSet, HashMap};

/// Attributes whose values are sets of words in the types of React and Vue.
#[rustfmt::skip]
const ENUMERATED: &[&str] = &[
    "alignment-baseline", "aria-autocomplete", "aria-checked", "aria-current", "aria-haspopup", "aria-invalid", "aria-live",
    "aria-orientation", "aria-pressed", "aria-relevant", "aria-sort", "autocapitalize", "clip-rule", "color-interpolation-filters",
    "contenteditable", "crossorigin", "decoding", "dominant-baseline", "draggable", "enterkeyhint", "fetchpriority", "fill-rule",
    "focusable", "inputmode", "loading", "popover", "popovertargetaction", "preload", "referrerpolicy", "spellcheck",
    "stroke-linecap", "stroke-linejoin", "translate", "type", "wrap",
];

/// The types of a component's lists.
pub(crate) struct ListTypes {
    /// The item type of each list by its variable; lists of numbers have none.
    by_list: HashMap<String, String>,
    /// The declarations of item types, each followed by an empty line.
    pub(crate) declarations: String,
    /// Fields contain markup.
    pub(crate) has_markup: bool,
}

impl ListTypes {
    /// Derives the types of the lists that `root` loops over. `markup` is the type of fields of markup; names avoid
    /// `reserved`.
    pub(crate) fn from_lists(
        lists: &[LoopList],
        root: &OutputElement,
        markup: &'static str,
        reserved: &[&str],
    ) -> Self {
        let mut uses = ExpressionUses::default();
        uses.add(root);
        let mut writer = TypeWriter { uses, markup, has_markup: false };
        let mut taken: BTreeSet<String> = reserved.iter().map(|name| (*name).to_owned()).collect();
        taken.insert(markup.to_owned());
        let (mut by_list, mut declarations) = (HashMap::new(), String::new());
        for list in lists {
            match writer.item(&list.rows, &list.name) {
                ItemType::Number => {}
                ItemType::Text => drop(by_list.insert(list.name.clone(), "string".to_owned())),
                ItemType::Fields(fields) => {
                    let name = writer.type_name(&list.name, &mut taken);
                    let lines: String = fields.iter().map(|field| format!("  {field};\n")).collect();
                    declarations.push_str(&format!("interface {name} {{\n{lines}}}\n\n"));
                    by_list.insert(list.name.clone(), name);
                }
            }
        }
        Self { by_list, declarations, has_markup: writer.has_markup }
    }

    /// Returns the annotation of a list's variable: `: Plan[]`.
    pub(crate) fn annotation(&self, list: &str) -> String {
        self.by_list.get(list).map(|item| format!(": {item}[]")).unwrap_or_default()
    }
}

/// Returns the names of elements in a tree that React has no types for, sorted: custom elements and MathML.
pub(crate) fn untyped_elements(root: &OutputElement) -> BTreeSet<String> {
    let is_untyped = match root.namespace {
        Namespace::Html => root.name.contains('-'),
        Namespace::Svg => false,
        Namespace::MathMl => true,
    };
    root.tags().flat_map(untyped_elements).chain(is_untyped.then(|| root.name.clone())).collect()
}

/// The attributes and loops that read each expression.
#[derive(Default)]
struct ExpressionUses {
    /// Expressions that are the value of an enumerated attribute.
    enumerated: BTreeSet<String>,
    /// The variable of an item by the expression of its list.
    items: HashMap<String, String>,
}

impl ExpressionUses {
    fn add(&mut self, tag: &OutputElement) {
        if let Some(each) = &tag.repeat {
            self.items.insert(each.list.clone(), each.item.clone());
        }
        for attribute in &tag.attributes {
            if let Value::Field(field) = &attribute.value
                && ENUMERATED.contains(&attribute.name.to_ascii_lowercase().as_str())
            {
                self.enumerated.insert(field.clone());
            }
        }
        tag.tags().for_each(|child| self.add(child));
    }
}

enum ItemType {
    Number,
    Text,
    /// `name: type` or `name?: type` of each field.
    Fields(Vec<String>),
}

struct TypeWriter {
    uses: ExpressionUses,
    markup: &'static str,
    has_markup: bool,
}

impl TypeWriter {
    /// Returns the type of the items of the list that `list` evaluates to.
    fn item(&mut self, rows: &[Row], list: &str) -> ItemType {
        let mut names: Vec<&str> = Vec::new();
        for row in rows {
            match row {
                Row::Number(_) => return ItemType::Number,
                Row::Text(_) => return ItemType::Text,
                Row::Fields(fields) => {
                    for (name, _) in fields {
                        if !names.contains(&name.as_str()) {
                            names.push(name);
                        }
                    }
                }
            }
        }
        let item = self.uses.items.get(list).cloned().unwrap_or_default();
        let fields = names.into_iter().map(|name| {
            let cells = || {
                rows.iter().filter_map(|row| match row {
                    Row::Fields(fields) => fields.iter().find(|(own, _)| own == name).map(|(_, cell)| cell),
                    Row::Number(_) | Row::Text(_) => None,
                })
            };
            let mark = if cells().count() < rows.len() { "?" } else { "" };
            let expression = format!("{item}.{name}");
            let cells: Vec<&Cell> = cells().collect();
            format!("{}{mark}: {}", property(name), self.field(&cells, &expression))
        });
        ItemType::Fields(fields.collect())
    }

    /// Returns the type of a field that `expression` reads.
    fn field(&mut self, cells: &[&Cell], expression: &str) -> String {
        let mut types: BTreeSet<String> = BTreeSet::new();
        let mut nested: Vec<Row> = Vec::new();
        for cell in cells {
            match cell {
                Cell::Text(text) if self.uses.enumerated.contains(expression) => drop(types.insert(quoted(text))),
                Cell::Text(_) => drop(types.insert("string".to_owned())),
                Cell::Flag => drop(types.insert("boolean".to_owned())),
                Cell::Literal(literal) if matches!(literal.as_str(), "true" | "false") => {
                    types.insert("boolean".to_owned());
                }
                Cell::Literal(_) => drop(types.insert("number".to_owned())),
                Cell::Markup(_) => {
                    self.has_markup = true;
                    types.insert(self.markup.to_owned());
                }
                Cell::Rows(rows) => nested.extend(rows.iter().cloned()),
            }
        }
        if cells.iter().any(|cell| matches!(cell, Cell::Rows(_))) {
            types.insert(match self.item(&nested, expression) {
                ItemType::Number => "number[]".to_owned(),
                ItemType::Text => "string[]".to_owned(),
                ItemType::Fields(fields) => format!("{{ {} }}[]", fields.join("; ")),
            });
        }
        types.into_iter().collect::<Vec<_>>().join(" | ")
    }

    /// Returns a free name for the items of a list, after their variable: `Plan`.
    fn type_name(&self, list: &str, taken: &mut BTreeSet<String>) -> String {
        let item = self.uses.items.get(list).map_or(list, String::as_str);
        let mut letters = item.chars();
        let pascal: String =
            letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect();
        let others = (2..).map(|number| format!("{pascal}{number}"));
        let candidates = [pascal.clone(), format!("{pascal}Item")].into_iter().chain(others);
        let mut free = candidates.filter(|name| !taken.contains(name) && !GLOBAL_TYPES.contains(&name.as_str()));
        let name = free.next().unwrap_or(pascal);
        taken.insert(name.clone());
        name
    }
}

/// Global types with which an interface of that name would merge, and types that cannot be redeclared.
#[rustfmt::skip]
const GLOBAL_TYPES: &[&str] = &[
    "Animation", "Array", "Audio", "Blob", "Boolean", "Cache", "Comment", "Date", "Document", "Element", "Error", "Event", "File",
    "FormData", "Function", "Headers", "History", "Image", "Location", "Lock", "Map", "Navigator", "Node", "Notification", "Number",
    "Object", "Option", "Plugin", "Promise", "Range", "Record", "Report", "Request", "Response", "Screen", "Selection", "Set",
    "Storage", "String", "Symbol", "Text", "Touch", "Window", "Worker",
];
