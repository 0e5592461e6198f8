//! Merges equal lists.

use super::{LoopList, Row};
use limner_component_model::ir::{ItemCondition, OutputElement, Value};
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
