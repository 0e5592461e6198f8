//! Resolves the expressions of a list's template to the values of its items. Nested lists are
//! unrolled, since a block has settings but no lists.

use crate::loops::{Cell, Row};
use limner_component_model::ir::{
    ConditionalClasses, ItemCondition, Loop, Node, OutputAttribute, OutputElement, Value,
};
use limner_component_model::model::Namespace;
use std::collections::{BTreeMap, HashMap};

/// Maximum number of items of a nested list, and of shapes in an icon, to become settings.
const MAX_INNER: usize = 12;
const MAX_SHAPES: usize = 200;

/// Separates the name of a nested item from its number.
const NUMBER: char = '#';

/// The rows of lists by name.
pub(super) type ListRows<'l> = HashMap<&'l str, &'l [Row]>;

/// The values of expressions in each row.
pub(super) struct FieldValues {
    pub(super) rows: usize,
    /// The loop variable of an item.
    item: String,
    columns: BTreeMap<String, Vec<Option<Cell>>>,
    /// Number of unrolled nested items.
    written_out: usize,
}

impl FieldValues {
    pub(super) fn from_rows(item: &str, rows: &[Row]) -> Self {
        let mut fields = Self { rows: rows.len(), item: item.to_owned(), columns: BTreeMap::new(), written_out: 0 };
        for (at, row) in rows.iter().enumerate() {
            fields.add(item, at, row);
        }
        fields
    }

    fn add(&mut self, item: &str, at: usize, row: &Row) {
        match row {
            Row::Number(_) => {}
            Row::Text(text) => self.set(item.to_owned(), at, Cell::Text(text.clone())),
            Row::Fields(cells) => {
                cells.iter().for_each(|(name, cell)| self.set(format!("{item}.{name}"), at, cell.clone()));
            }
        }
    }

    fn set(&mut self, expression: String, at: usize, cell: Cell) {
        let rows = self.rows;
        self.columns.entry(expression).or_insert_with(|| vec![None; rows])[at] = Some(cell);
    }

    /// Returns the values of an expression, one per row.
    pub(super) fn get(&self, expression: &str) -> Option<&[Option<Cell>]> {
        self.columns.get(expression).map(Vec::as_slice)
    }

    /// Returns the value of an expression in one row.
    pub(super) fn cell(&self, expression: &str, row: usize) -> Option<&Cell> {
        self.columns.get(expression)?[row].as_ref()
    }

    /// Returns the name of an expression's setting; `otherwise` if the item itself is the text.
    pub(super) fn name(&self, expression: &str, otherwise: &str) -> String {
        let (item, field) = expression.split_once('.').unwrap_or((expression, ""));
        let item = item.split(NUMBER).next().unwrap_or_default();
        let around = if item == self.item { String::new() } else { snake(item) };
        match (around.as_str(), snake(field).as_str()) {
            ("", "") => otherwise.to_owned(),
            ("" | "item", name) | (name, "") if !name.is_empty() => name.to_owned(),
            (around, name) => format!("{around}_{name}"),
        }
    }

    /// Unrolls nested lists; each nested item gets its own expressions.
    pub(super) fn flatten(&mut self, template: &mut OutputElement, lists: &ListRows<'_>) -> Option<()> {
        for child in std::mem::take(&mut template.children) {
            match child {
                Node::Tag(mut child) => match child.repeat.take() {
                    Some(each) => self.write_out(&child, &each, lists, &mut template.children)?,
                    None => {
                        self.flatten(&mut child, lists)?;
                        template.children.push(Node::Tag(child));
                    }
                },
                other => template.children.push(other),
            }
        }
        Some(())
    }

    fn write_out(&mut self, one: &OutputElement, each: &Loop, lists: &ListRows<'_>, out: &mut Vec<Node>) -> Option<()> {
        let inner = self.inner(&each.list, lists)?;
        let most = inner.iter().map(Vec::len).max().unwrap_or(0);
        if most > if one.namespace == Namespace::Html { MAX_INNER } else { MAX_SHAPES } {
            return None;
        }
        let is_of_one_length = inner.iter().all(|rows| rows.len() == most);
        for at in 0..most {
            self.written_out += 1;
            let name = format!("{}{NUMBER}{}", each.item, self.written_out);
            let mut copy = one.clone();
            rename(&mut copy, &each.item, &name);
            resolve_conditions(&mut copy, at, is_of_one_length.then_some(most))?;
            for (row, rows) in inner.iter().enumerate() {
                rows.get(at).into_iter().for_each(|own| self.add(&name, row, own));
            }
            let has: Vec<bool> = inner.iter().map(|rows| rows.len() > at).collect();
            if has.contains(&false) {
                // An optional element would need two conditions.
                copy.condition.is_none().then_some(())?;
                copy.condition = Some(self.presence(&name, &has));
            }
            if each.is_space_separated && at > 0 {
                let space = copy.condition.as_ref().map(|when| Value::Field(format!("{when}{SPACE}")));
                out.push(Node::Text(space.unwrap_or_else(|| Value::Fixed(" ".to_owned()))));
            }
            self.flatten(&mut copy, lists)?;
            out.push(Node::Tag(copy));
        }
        Some(())
    }

    /// Returns the rows of a nested list for each row.
    fn inner(&self, list: &str, lists: &ListRows<'_>) -> Option<Vec<Vec<Row>>> {
        if let Some(rows) = lists.get(list) {
            return Some(vec![rows.to_vec(); self.rows]);
        }
        if let Some(numbers) = list.strip_prefix('[') {
            return Some(vec![(1..=numbers.split(',').count()).map(Row::Number).collect(); self.rows]);
        }
        let rows = |cell: &Option<Cell>| match cell {
            Some(Cell::Rows(rows)) => Some(rows.clone()),
            None => Some(Vec::new()),
            Some(_) => None,
        };
        self.get(list)?.iter().map(rows).collect()
    }

    /// Returns the expression that is set if a nested item is present: one of its texts, or a new
    /// flag.
    fn presence(&mut self, name: &str, has: &[bool]) -> String {
        let start = format!("{name}.");
        let shows = |cells: &Vec<Option<Cell>>| {
            let mut rows = cells.iter().zip(has).filter(|(_, has)| **has);
            rows.all(|(cell, _)| matches!(cell, Some(Cell::Text(text)) if !text.trim().is_empty()))
        };
        let mut own =
            self.columns.iter().filter(|(expression, _)| *expression == name || expression.starts_with(&start));
        if let Some((expression, _)) = own.find(|(_, cells)| shows(cells)) {
            return expression.clone();
        }
        let expression = format!("{name}.shown");
        let cells = has.iter().map(|has| has.then_some(Cell::Flag)).collect();
        self.columns.insert(expression.clone(), cells);
        expression
    }

    /// Returns an element with the values of one row; `None` if it is absent there.
    pub(super) fn instance(&self, tag: &OutputElement, row: usize) -> Option<OutputElement> {
        if tag.condition.as_ref().is_some_and(|when| self.cell(when, row).is_none()) {
            return None;
        }
        let mut own = OutputElement { children: Vec::new(), attributes: Vec::new(), condition: None, ..tag.clone() };
        for attribute in &tag.attributes {
            // An empty class attribute is omitted.
            let is_there = |value: &String| attribute.name != "class" || !value.is_empty();
            let value = self.value(&attribute.value, row).filter(is_there);
            own.attributes.extend(
                value.map(|value| OutputAttribute { name: attribute.name.clone(), value: Value::Fixed(value) }),
            );
        }
        for child in &tag.children {
            match child {
                Node::Tag(child) => own.children.extend(self.instance(child, row).map(Node::Tag)),
                Node::Text(text) => {
                    own.children.extend(self.value(text, row).map(|text| Node::Text(Value::Fixed(text))))
                }
                Node::Slot(slot) => {
                    if let Some(Cell::Markup(markup)) = self.cell(slot, row) {
                        own.children.extend(markup.children.iter().cloned());
                    }
                }
            }
        }
        Some(own)
    }

    /// Returns a value in one row.
    fn value(&self, value: &Value, row: usize) -> Option<String> {
        let field = |expression: &str| match self.cell(expression, row)? {
            Cell::Flag => Some(String::new()),
            cell => text(cell).map(str::to_owned),
        };
        match value {
            Value::Fixed(text) => Some(text.clone()),
            Value::Field(expression) => match expression.strip_suffix(SPACE) {
                Some(condition) => self.cell(condition, row).map(|_| " ".to_owned()),
                None => field(expression),
            },
            Value::FixedAndField(fixed, expression) => {
                Some(join_classes(fixed, &field(expression).unwrap_or_default()))
            }
            Value::Conditional(switch) => {
                let holds = match &switch.condition {
                    ItemCondition::First => row == 0,
                    ItemCondition::Last(_) => row + 1 == self.rows,
                    ItemCondition::Odd => row.is_multiple_of(2),
                    ItemCondition::Flag(expression) => self.cell(expression, row).is_some_and(is_set),
                };
                let classes = join_classes(&switch.fixed, if holds { &switch.if_true } else { &switch.if_false });
                Some(classes).filter(|classes| !classes.is_empty())
            }
        }
    }
}

/// Returns the text of a value, if it is one.
pub(super) fn text(cell: &Cell) -> Option<&str> {
    match cell {
        Cell::Text(text) | Cell::Literal(text) => Some(text),
        Cell::Flag | Cell::Markup(_) | Cell::Rows(_) => None,
    }
}

/// Returns true if the value satisfies a condition.
pub(super) fn is_set(cell: &Cell) -> bool {
    !matches!(cell, Cell::Literal(literal) if literal != "true")
}

/// Suffix of the condition of an optional space.
pub(super) const SPACE: &str = " && ' '";

/// Joins common classes and an item's own.
pub(super) fn join_classes(fixed: &str, own: &str) -> String {
    let space = if fixed.is_empty() || own.is_empty() { "" } else { " " };
    format!("{fixed}{space}{own}")
}

/// Resolves conditions on the position of a nested item; `None` for a condition on the last one if
/// the lengths of the lists vary.
fn resolve_conditions(tag: &mut OutputElement, at: usize, length: Option<usize>) -> Option<()> {
    for attribute in &mut tag.attributes {
        let Value::Conditional(switch) = &attribute.value else { continue };
        let ConditionalClasses { fixed, condition: test, if_true: then, if_false: otherwise, .. } = switch.as_ref();
        let holds = match test {
            ItemCondition::First => at == 0,
            ItemCondition::Last(_) => at + 1 == length?,
            ItemCondition::Odd => at.is_multiple_of(2),
            ItemCondition::Flag(_) => continue,
        };
        attribute.value = Value::Fixed(join_classes(fixed, if holds { then } else { otherwise }));
    }
    tag.attributes.retain(|own| own.name != "class" || own.value != Value::Fixed(String::new()));
    tag.tags_mut().filter(|child| child.repeat.is_none()).try_for_each(|child| resolve_conditions(child, at, length))
}

/// Renames an item in all expressions.
fn rename(tag: &mut OutputElement, from: &str, to: &str) {
    let change = |expression: &mut String| {
        let rest = expression.strip_prefix(from).filter(|rest| rest.is_empty() || rest.starts_with(['.', ' ']));
        if let Some(rest) = rest {
            *expression = format!("{to}{rest}");
        }
    };
    let in_value = |value: &mut Value| match value {
        Value::Fixed(_) => {}
        Value::Field(expression) | Value::FixedAndField(_, expression) => change(expression),
        Value::Conditional(switch) => {
            if let ItemCondition::Flag(expression) = &mut switch.condition {
                change(expression);
            }
        }
    };
    tag.condition.as_mut().into_iter().for_each(change);
    tag.repeat.as_mut().into_iter().for_each(|each| change(&mut each.list));
    tag.attributes.iter_mut().for_each(|attribute| in_value(&mut attribute.value));
    for child in &mut tag.children {
        match child {
            Node::Tag(child) => rename(child, from, to),
            Node::Text(text) => in_value(text),
            Node::Slot(expression) => change(expression),
        }
    }
}

/// Converts to snake case without the number: `cardTitle2` → `card_title`. Settings are numbered on
/// their own.
pub(super) fn snake(name: &str) -> String {
    let mut out = String::new();
    for c in name.trim_end_matches(|c: char| c.is_ascii_digit()).chars().filter(char::is_ascii_alphanumeric) {
        if c.is_ascii_uppercase() && !out.is_empty() {
            out.push('_');
        }
        out.push(c.to_ascii_lowercase());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::snake;

    #[test]
    fn field_names_become_snake_case() {
        for (name, expected) in
            [("title", "title"), ("ariaLabel2", "aria_label"), ("isFeatured", "is_featured"), ("", "")]
        {
            assert_eq!(snake(name), expected);
        }
    }
}
