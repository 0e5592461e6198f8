//! Decides by tags, classes and content if elements could be items of one list.

use super::align::ChildSequence;
use super::elements;
use super::fixed_text::fixed;
use limner_component_model::ir::{Node, OutputElement};
use std::collections::BTreeSet;

/// Elements that are list items by their definition.
const ITEMS: &[&str] = &["li", "tr", "td", "th", "dt", "dd", "option"];
/// Maximum number of classes that only the first or last item has: a margin, rounded corners.
const MAX_POSITION_CLASSES: usize = 2;
/// Maximum number of classes of elements that are considered similar because of their content.
const MAX_DISSIMILAR_CLASSES: usize = 4;
/// Minimum number of elements in each of two for their content to count more than their classes.
const STRUCTURE: usize = 5;

/// Returns true if an element contains preformatted text, in which white space counts even if the
/// markup repeats.
pub(super) fn is_listing(tag: &OutputElement) -> bool {
    let is_in_line = |node: &Node| node.tag().is_none_or(|tag| !tag.is_block_level);
    tag.preserves_whitespace && tag.children.iter().any(is_in_line)
}

/// Minimum bytes of text of a paragraph that is prose.
const PROSE: usize = 120;

/// Returns true for a paragraph of prose: such paragraphs are no list, however similar they are.
pub(super) fn is_prose(tag: &OutputElement) -> bool {
    tag.name == "p" && length(tag) >= PROSE
}

/// Returns true if an element contains written content: only paragraphs, lists and the like,
/// without layout elements.
pub(super) fn contains_prose(tag: &OutputElement) -> bool {
    const PARTS: &[&str] = &["blockquote", "dl", "ol", "p", "pre", "table", "ul"];
    let is_part =
        |tag: &OutputElement| PARTS.contains(&tag.name.as_str()) && tag.repeat.is_none() && tag.condition.is_none();
    let is_container = matches!(tag.name.as_str(), "article" | "dd" | "div" | "li" | "section" | "td");
    is_container
        && !tag.children.is_empty()
        && tag.children.iter().all(|child| match child {
            Node::Tag(child) => is_part(child),
            Node::Text(text) => fixed(text).is_some_and(|text| text.trim_ascii().is_empty()),
            Node::Slot(_) => false,
        })
}

/// Elements that title an item.
pub(super) const TITLES: &[&str] = &["blockquote", "dt", "h1", "h2", "h3", "h4", "h5", "h6", "summary"];

/// Returns true if an element or a descendant has one of these tags.
pub(super) fn has_any(tag: &OutputElement, names: &[&str]) -> bool {
    names.contains(&tag.name.as_str()) || tag.tags().any(|child| has_any(child, names))
}

/// Returns the link or button that an element is or begins with, if it contains no list.
pub(super) fn only_label(tag: &OutputElement) -> Option<&OutputElement> {
    if matches!(tag.name.as_str(), "a" | "button") {
        return tag.repeat.is_none().then_some(tag);
    }
    if has_any(tag, &["ul", "ol", "nav"]) || tag.repeat.is_some() {
        return None;
    }
    tag.tags().next().and_then(only_label)
}

/// Returns true if a text has letters of another script than `other`: two such texts say the same in two languages.
pub(super) fn are_of_other_scripts(text: &str, other: &str) -> bool {
    let [one, other] = [text, other].map(script);
    one.is_some() && other.is_some() && one != other
}

/// Returns a number for the script of a text's first letter: that of the alphabet's block.
fn script(text: &str) -> Option<u8> {
    let first = text.chars().find(|c| c.is_alphabetic())?;
    Some(match u32::from(first) {
        0..0x370 => 0,
        0x370..0x400 => 1,
        0x400..0x530 => 2,
        0x590..0x600 => 3,
        0x600..0x780 => 4,
        0x900..0x0e00 => 5,
        0x3040..0xa000 => 6,
        0xac00..0xd7b0 => 7,
        _ => 8,
    })
}

/// Returns the number of bytes of text in an element.
fn length(tag: &OutputElement) -> usize {
    let own = tag.children.iter().map(|child| match child {
        Node::Tag(child) => length(child),
        Node::Text(text) => fixed(text).map_or(0, str::len),
        Node::Slot(_) => 0,
    });
    own.sum()
}

/// Returns true if inline-level elements are items of one list: a row of links or badges, as
/// opposed to parts of a sentence. Marked-up words of a text may lack any styling.
pub(super) fn is_similar_inline(a: &OutputElement, b: &OutputElement) -> bool {
    let is_marked_up = |tag: &OutputElement| tag.attributes.is_empty() && tag.tags().next().is_none();
    let (a_classes, b_classes) = (classes(a), classes(b));
    let shared = a_classes.intersection(&b_classes).count();
    2 * shared >= a_classes.len().max(b_classes.len()) && !(is_marked_up(a) && is_marked_up(b))
}

fn classes(tag: &OutputElement) -> BTreeSet<&str> {
    tag.attribute("class").and_then(fixed).unwrap_or_default().split_ascii_whitespace().collect()
}

/// Returns true if elements are of a similar kind. Without a common class, a price, the previous
/// price and a badge are three things; so are form fields of different types.
pub(super) fn are_similar(a: &OutputElement, b: &OutputElement) -> bool {
    if a.attribute("type") != b.attribute("type") || is_heading_among_rows(a, b) {
        return false;
    }
    let (a_classes, b_classes) = (classes(a), classes(b));
    let is_bare = a_classes.is_empty() || b_classes.is_empty();
    let is_structure = || elements(a).min(elements(b)) >= STRUCTURE;
    let is_of_place = || is_bare && (a_classes.len().max(b_classes.len()) <= MAX_POSITION_CLASSES || is_structure());
    let is_filled_alike = || ChildSequence::from_children(0, a).keys() == ChildSequence::from_children(0, b).keys();
    ITEMS.contains(&a.name.as_str())
        || a_classes == b_classes
        || !a_classes.is_disjoint(&b_classes)
        || (is_of_place() && is_filled_alike())
        || (a_classes.len().max(b_classes.len()) <= MAX_DISSIMILAR_CLASSES && are_structurally_equal(a, b))
}

/// Returns true if elements have the same children with the same classes: the last item of a list
/// may lack a border and have rounded corners.
fn are_structurally_equal(a: &OutputElement, b: &OutputElement) -> bool {
    let count = a.tags().count();
    let is_alike =
        |(one, other): (&OutputElement, &OutputElement)| one.name == other.name && classes(one) == classes(other);
    count > 1
        && count == b.tags().count()
        && a.tags().any(|tag| !classes(tag).is_empty())
        && a.tags().zip(b.tags()).all(is_alike)
}

/// Returns true if one of two table rows has a spanning cell and the rows differ in their number of
/// cells.
fn is_heading_among_rows(a: &OutputElement, b: &OutputElement) -> bool {
    let goes_across = |tag: &OutputElement| tag.tags().any(|cell| cell.attribute("colspan").is_some());
    a.name == "tr" && a.tags().count() != b.tags().count() && (goes_across(a) || goes_across(b))
}

/// Returns true if the template has at most `times` as many optional elements as common ones.
/// Otherwise its instances are different things.
pub(super) fn is_uniform_template(template: &OutputElement, times: usize) -> bool {
    fn count(tag: &OutputElement, is_optional: bool, counts: &mut [usize; 2]) {
        let is_optional = is_optional || tag.condition.is_some();
        counts[usize::from(is_optional)] += 1;
        tag.tags().for_each(|child| count(child, is_optional, counts));
    }
    let mut counts = [0, 0];
    count(template, false, &mut counts);
    // Elements that have only themselves in common may differ by one part.
    counts[1] <= if counts[0] > 1 { times * counts[0] } else { 1 }
}
