//! Adds class names without their number while repetition is detected. Stylesheets number the
//! classes of elements with one name and different styles (`card`, `card-2`); with the common name,
//! slightly different items become one list.

use super::fields::joined;
use crate::code::emit::repeat::{Cell, Row};
use crate::code::emit::tree::{Node, Tag, Value};

/// Marks a class that was added. It does not occur on pages.
const MARK: char = '\0';

/// Adds the names without number.
pub(super) fn add(tag: &mut Tag) {
    for attribute in tag.attributes.iter_mut().filter(|own| own.name == "class") {
        let Value::Fixed(classes) = &mut attribute.value else { continue };
        let mut stems: Vec<String> = Vec::new();
        for class in classes.split(' ').filter(|class| !class.is_empty()) {
            let number = class.rsplit_once('-').filter(|(_, number)| number.chars().all(|c| c.is_ascii_digit()));
            let stem = format!("{MARK}{}", number.map_or(class, |(stem, _)| stem));
            if !stems.contains(&stem) {
                stems.push(stem);
            }
        }
        *classes = joined(&stems.join(" "), classes);
    }
    tag.tags_mut().for_each(add);
}

/// Removes the added names from an element.
pub(super) fn take(tag: &mut Tag) {
    for attribute in tag.attributes.iter_mut().filter(|own| own.name == "class") {
        match &mut attribute.value {
            Value::Fixed(classes) | Value::FixedAndField(classes, _) => without(classes),
            Value::Switch(switch) => {
                [&mut switch.fixed, &mut switch.then, &mut switch.otherwise].into_iter().for_each(without)
            }
            Value::Field(_) => {}
        }
    }
    tag.attributes.retain(|own| own.name != "class" || own.value != Value::Fixed(String::new()));
    for child in &mut tag.children {
        if let Node::Tag(child) = child {
            take(child);
        }
    }
}

/// Removes the added names from the items of a list.
pub(super) fn take_of(row: &mut Row) {
    let Row::Fields(fields) = row else {
        if let Row::Text(text) = row {
            without(text);
        }
        return;
    };
    for (_, cell) in fields {
        match cell {
            Cell::Text(text) => without(text),
            Cell::Markup(tag) => take(tag),
            Cell::Rows(rows) => rows.iter_mut().for_each(take_of),
            Cell::Flag | Cell::Literal(_) => {}
        }
    }
}

fn without(classes: &mut String) {
    if classes.contains(MARK) {
        *classes = classes.split(' ').filter(|class| !class.starts_with(MARK)).collect::<Vec<_>>().join(" ");
    }
}

#[cfg(test)]
mod tests {
    use super::without;

    #[test]
    fn added_names_are_removed() {
        let mut classes = "\0card card-2 \0wide wide".to_owned();
        without(&mut classes);
        assert_eq!(classes, "card-2 wide");
    }
}
