//! Merges equal lists.

use super::{LoopList, Row};
use limner_component_model::ir::{ItemCondition, Node, OutputElement, Value};
use std::collections::HashMap;

/// Keeps the first of equal lists and redirects loops over the others to it.
pub(super) fn merge(lists: &mut Vec<LoopList>, root: &mut OutputElement) {
    let mut renamed: HashMap<String, String> = HashMap::new();
    let mut kept: Vec<LoopList> = Vec::with_capacity(lists.len());
    for list in std::mem::take(lists) {
        // Lists of numbers are equal only by coincidence.
        let says_something = !list.rows.iter().all(|row| matches!(row, Row::Number(_)));
        match kept.iter().find(|own| says_something && own.rows == list.rows) {
            Some(own) => drop(renamed.insert(list.name, own.name.clone())),
            None => kept.push(list),
        }
    }
    *lists = kept;
    if !renamed.is_empty() {
        rename(root, &renamed);
        name_items(root, &mut HashMap::new(), &mut Vec::new());
    }
}

/// Gives the items of loops over one list the name that the first of them has, unless a loop around has it.
fn name_items(tag: &mut OutputElement, known: &mut HashMap<String, String>, around: &mut Vec<String>) {
    let depth = around.len();
    if let Some(each) = &tag.repeat {
        let (list, own) = (each.list.clone(), each.item.clone());
        let item = known.entry(list).or_insert_with(|| own.clone()).clone();
        if item != own && !around.contains(&item) && !declares_item(tag, &item) {
            rename_item(tag, &own, &item);
        }
        around.extend(tag.repeat.as_ref().map(|each| each.item.clone()));
    }
    tag.tags_mut().for_each(|child| name_items(child, known, around));
    around.truncate(depth);
}

/// Returns true if a loop inside of an element has items of this name.
fn declares_item(tag: &OutputElement, item: &str) -> bool {
    tag.tags().any(|child| child.repeat.as_ref().is_some_and(|each| each.item == item) || declares_item(child, item))
}

/// Renames the items of a loop in all expressions.
fn rename_item(tag: &mut OutputElement, from: &str, to: &str) {
    let renamed = |expression: &mut String| {
        let rest = expression.strip_prefix(from).filter(|rest| rest.is_empty() || rest.starts_with(['.', ' ']));
        if let Some(rest) = rest {
            *expression = format!("{to}{rest}");
        }
    };
    if let Some(each) = &mut tag.repeat {
        [&mut each.item, &mut each.list, &mut each.key].into_iter().for_each(renamed);
    }
    if let Some(condition) = &mut tag.condition {
        renamed(condition);
    }
    let in_value = |value: &mut Value| match value {
        Value::Field(field) | Value::FixedAndField(_, field) => renamed(field),
        Value::Conditional(switch) => match &mut switch.condition {
            ItemCondition::Flag(field) | ItemCondition::Last(field) => renamed(field),
            ItemCondition::First | ItemCondition::Odd => {}
        },
        Value::Fixed(_) => {}
    };
    tag.attributes.iter_mut().for_each(|attribute| in_value(&mut attribute.value));
    for child in &mut tag.children {
        match child {
            Node::Tag(child) => rename_item(child, from, to),
            Node::Text(text) => in_value(text),
            Node::Slot(slot) => renamed(slot),
        }
    }
}

fn rename(tag: &mut OutputElement, renamed: &HashMap<String, String>) {
    if let Some(each) = &mut tag.repeat
        && let Some(name) = renamed.get(&each.list)
    {
        each.list.clone_from(name);
    }
    for attribute in &mut tag.attributes {
        if let Value::Conditional(switch) = &mut attribute.value
            && let ItemCondition::Last(list) = &mut switch.condition
            && let Some(name) = renamed.get(list)
        {
            list.clone_from(name);
        }
    }
    tag.tags_mut().for_each(|child| rename(child, renamed));
}

#[cfg(test)]
mod tests {
    use crate::loops::collapse;
    use crate::loops::tests::{DIALECT, root, tag, text};
    use limner_component_model::ir::Node;

    #[test]
    fn items_of_one_list_have_one_name() {
        let menu = |name: &'static str| {
            let link = |at: usize| {
                let link = tag(
                    "a",
                    &[("class", "p-4 text-sm"), ("href", &*format!("/{at}"))],
                    vec![text(&format!("Page {at}"))],
                );
                tag("li", &[("class", name)], vec![link])
            };
            tag("ul", &[("class", name)], (1..5).map(link).collect::<Vec<Node>>())
        };
        let mut tree = root(vec![tag("nav", &[], vec![menu("one")]), tag("footer", &[], vec![menu("other")])]);
        let lists = collapse(&mut tree, DIALECT, &[]).lists;
        assert_eq!(lists.len(), 1, "{lists:?}");
        let written = format!("{tree:?}");
        assert!(written.matches("item: \"link\"").count() == 2 && !written.contains("second"), "{written}");
    }
}
