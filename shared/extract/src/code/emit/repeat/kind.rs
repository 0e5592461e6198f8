//! Whether elements could be items of one list, by their names and classes and by what they have in common.

use super::align::Sequence;
use super::elements;
use crate::code::emit::tree::{Node, Tag, Value};
use std::collections::BTreeSet;

/// Elements that stand in a list by what they are.
const ITEMS: &[&str] = &["li", "tr", "td", "th", "dt", "dd", "option"];
/// Classes of the first or the last of a row that the others need not have: a margin, round corners.
const OF_PLACE: usize = 2;
/// Classes of elements that are told to be alike by what is in them.
const FEW_CLASSES: usize = 4;
/// Elements from which on what is in two of them says more than their classes do.
const STRUCTURE: usize = 5;

/// Whether what is in an element is text whose spaces count, however much of it is marked up alike.
pub(super) fn is_listing(tag: &Tag) -> bool {
    let is_in_line = |node: &Node| node.tag().is_none_or(|tag| !tag.breaks_lines);
    tag.preserves_space && tag.children.iter().any(is_in_line)
}

/// A paragraph from this length on is one of a text.
const PROSE: usize = 120;

/// Whether an element is a paragraph of a text: with others it is no list, however alike they are.
pub(super) fn is_prose(tag: &Tag) -> bool {
    tag.name == "p" && length(tag) >= PROSE
}

/// Whether an element holds what somebody wrote: paragraphs, lists and the like, and nothing that arranges them.
pub(super) fn is_written(tag: &Tag) -> bool {
    const PARTS: &[&str] = &["blockquote", "dl", "ol", "p", "pre", "table", "ul"];
    let is_part = |tag: &Tag| PARTS.contains(&tag.name.as_str()) && tag.each.is_none() && tag.when.is_none();
    let is_container = matches!(tag.name.as_str(), "article" | "dd" | "div" | "li" | "section" | "td");
    is_container
        && !tag.children.is_empty()
        && tag.children.iter().all(|child| match child {
            Node::Tag(child) => is_part(child),
            Node::Text(text) => fixed(text).is_some_and(|text| text.trim_ascii().is_empty()),
            Node::Slot(_) => false,
        })
}

/// What items are called by.
pub(super) const TITLES: &[&str] = &["blockquote", "dt", "h1", "h2", "h3", "h4", "h5", "h6", "summary"];

/// Whether an element is of one of these names, or holds one that is.
pub(super) fn has_any(tag: &Tag, names: &[&str]) -> bool {
    names.contains(&tag.name.as_str()) || tag.tags().any(|child| has_any(child, names))
}

/// How many bytes of text are in an element.
fn length(tag: &Tag) -> usize {
    let own = tag.children.iter().map(|child| match child {
        Node::Tag(child) => length(child),
        Node::Text(text) => fixed(text).map_or(0, str::len),
        Node::Slot(_) => 0,
    });
    own.sum()
}

/// Whether elements that stand in lines are items of one list: a row of links or badges, not the parts of what is written
/// there. Words of a text may be marked up without looking like anything of their own.
pub(super) fn is_of_one_look(a: &Tag, b: &Tag) -> bool {
    let is_marked_up = |tag: &Tag| tag.attributes.is_empty() && tag.tags().next().is_none();
    let (a_classes, b_classes) = (classes(a), classes(b));
    let shared = a_classes.intersection(&b_classes).count();
    2 * shared >= a_classes.len().max(b_classes.len()) && !(is_marked_up(a) && is_marked_up(b))
}

fn classes(tag: &Tag) -> BTreeSet<&str> {
    tag.attribute("class").and_then(fixed).unwrap_or_default().split_ascii_whitespace().collect()
}

/// Whether elements look alike: without a class in common, a price, the price before and a badge are three things; so are
/// fields of different types.
pub(super) fn is_of_one_kind(a: &Tag, b: &Tag) -> bool {
    if a.attribute("type") != b.attribute("type") || is_heading_among_rows(a, b) {
        return false;
    }
    let (a_classes, b_classes) = (classes(a), classes(b));
    let is_bare = a_classes.is_empty() || b_classes.is_empty();
    let is_structure = || elements(a).min(elements(b)) >= STRUCTURE;
    let is_of_place = || is_bare && (a_classes.len().max(b_classes.len()) <= OF_PLACE || is_structure());
    let is_filled_alike = || Sequence::of(0, a).keys() == Sequence::of(0, b).keys();
    ITEMS.contains(&a.name.as_str())
        || a_classes == b_classes
        || !a_classes.is_disjoint(&b_classes)
        || (is_of_place() && is_filled_alike())
        || (a_classes.len().max(b_classes.len()) <= FEW_CLASSES && are_of_one_make(a, b))
}

/// Whether elements hold the same elements in the same classes: the last of a list may lack a border and be round.
fn are_of_one_make(a: &Tag, b: &Tag) -> bool {
    let count = a.tags().count();
    let is_alike = |(one, other): (&Tag, &Tag)| one.name == other.name && classes(one) == classes(other);
    count > 1
        && count == b.tags().count()
        && a.tags().any(|tag| !classes(tag).is_empty())
        && a.tags().zip(b.tags()).all(is_alike)
}

/// Whether one of two rows of a table is a cell that goes across what the other has several for.
fn is_heading_among_rows(a: &Tag, b: &Tag) -> bool {
    let goes_across = |tag: &Tag| tag.tags().any(|cell| cell.attribute("colspan").is_some());
    a.name == "tr" && a.tags().count() != b.tags().count() && (goes_across(a) || goes_across(b))
}

/// Whether what only some items have is no more than a number of times what all have: otherwise they are different things.
pub(super) fn is_one_shape(template: &Tag, times: usize) -> bool {
    fn count(tag: &Tag, is_optional: bool, counts: &mut [usize; 2]) {
        let is_optional = is_optional || tag.when.is_some();
        counts[usize::from(is_optional)] += 1;
        tag.tags().for_each(|child| count(child, is_optional, counts));
    }
    let mut counts = [0, 0];
    count(template, false, &mut counts);
    // Elements that have nothing but themselves in common may differ by one part.
    counts[1] <= if counts[0] > 1 { times * counts[0] } else { 1 }
}

/// What is the same for all items.
pub(super) fn fixed(value: &Value) -> Option<&str> {
    match value {
        Value::Fixed(text) => Some(text),
        Value::Field(_) | Value::FixedAndField(..) | Value::Switch(_) => None,
    }
}
