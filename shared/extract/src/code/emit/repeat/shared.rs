//! Merges equal lists.

use super::{List, Row};
use crate::code::emit::tree::{Tag, Test, Value};
use std::collections::HashMap;

/// Keeps the first of equal lists and redirects loops over the others to it.
pub(super) fn merge(lists: &mut Vec<List>, root: &mut Tag) {
    let mut renamed: HashMap<String, String> = HashMap::new();
    let mut kept: Vec<List> = Vec::with_capacity(lists.len());
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

fn rename(tag: &mut Tag, renamed: &HashMap<String, String>) {
    if let Some(each) = &mut tag.each
        && let Some(name) = renamed.get(&each.list)
    {
        each.list.clone_from(name);
    }
    for attribute in &mut tag.attributes {
        if let Value::Switch(switch) = &mut attribute.value
            && let Test::Last(list) = &mut switch.test
            && let Some(name) = renamed.get(list)
        {
            list.clone_from(name);
        }
    }
    tag.tags_mut().for_each(|child| rename(child, renamed));
}
