//! Adds class names without their number while repetition is detected. Stylesheets number the
//! classes of elements with one name and different styles (`card`, `card-2`); with the common name,
//! slightly different items become one list.

use super::fields::join_classes;
use crate::loops::{Cell, Row};
use limner_component_model::ir::{Node, OutputElement, Value};

/// Marks a class that was added. It does not occur on pages.
const STEM_MARKER: char = '\0';

/// Adds the names without number.
pub(super) fn add(tag: &mut OutputElement) {
    for attribute in tag.attributes.iter_mut().filter(|own| own.name == "class") {
        let Value::Fixed(classes) = &mut attribute.value else { continue };
        let mut stems: Vec<String> = Vec::new();
        for class in classes.split(' ').filter(|class| !class.is_empty()) {
            let number = class.rsplit_once('-').filter(|(_, number)| number.chars().all(|c| c.is_ascii_digit()));
            let stem = format!("{STEM_MARKER}{}", number.map_or(class, |(stem, _)| stem));
            if !stems.contains(&stem) {
                stems.push(stem);
            }
        }
        *classes = join_classes(&stems.join(" "), classes);
    }
    tag.tags_mut().for_each(add);
}

/// Removes the added names from an element.
pub(super) fn remove_stems(tag: &mut OutputElement) {
    for attribute in tag.attributes.iter_mut().filter(|own| own.name == "class") {
        match &mut attribute.value {
            Value::Fixed(classes) | Value::FixedAndField(classes, _) => remove_marked(classes),
            Value::Conditional(switch) => {
                [&mut switch.fixed, &mut switch.if_true, &mut switch.if_false].into_iter().for_each(remove_marked)
            }
            Value::Field(_) => {}
        }
    }
    tag.attributes.retain(|own| own.name != "class" || own.value != Value::Fixed(String::new()));
    for child in &mut tag.children {
        if let Node::Tag(child) = child {
            remove_stems(child);
        }
    }
}

/// Removes the added names from the items of a list.
pub(super) fn remove_stems_from_row(row: &mut Row) {
    let Row::Fields(fields) = row else {
        if let Row::Text(text) = row {
            remove_marked(text);
        }
        return;
    };
    for (_, cell) in fields {
        match cell {
            Cell::Text(text) => remove_marked(text),
            Cell::Markup(tag) => remove_stems(tag),
            Cell::Rows(rows) => rows.iter_mut().for_each(remove_stems_from_row),
            Cell::Flag | Cell::Literal(_) => {}
        }
    }
}

fn remove_marked(classes: &mut String) {
    if classes.contains(STEM_MARKER) {
        *classes = classes.split(' ').filter(|class| !class.starts_with(STEM_MARKER)).collect::<Vec<_>>().join(" ");
    }
}

#[cfg(test)]
mod tests {
    use super::remove_marked;

    #[test]
    fn added_names_are_removed() {
        let mut classes = "\0card card-2 \0wide wide".to_owned();
        remove_marked(&mut classes);
        assert_eq!(classes, "card-2 wide");
    }
}
