//! Aligns the children of elements of the same shape, so that corresponding children share a
//! position.

use super::fixed_text::fixed;
use limner_component_model::ir::{Node, OutputElement, Value};

/// The rendered children of an instance.
pub(super) struct ChildSequence<'t> {
    /// The row of the instance in the table.
    pub(super) row: usize,
    /// In document order, without insignificant white space.
    pub(super) nodes: Vec<&'t Node>,
}

impl<'t> ChildSequence<'t> {
    pub(super) fn from_children(row: usize, tag: &'t OutputElement) -> Self {
        let shows = |node: &&Node| match node {
            Node::Text(Value::Fixed(text)) => !tag.whitespace_insignificant || !text.trim_ascii().is_empty(),
            _ => true,
        };
        Self { row, nodes: tag.children.iter().filter(shows).collect() }
    }

    /// Returns the tag name of each child, or `#text`. Aligned children have equal keys.
    pub(super) fn keys(&self) -> Vec<&'t str> {
        self.nodes.iter().map(|node| node.tag().map_or("#text", |tag| tag.name.as_str())).collect()
    }

    /// Returns the keys with more detail, to distinguish elements of one tag.
    fn described(&self, describe: fn(&OutputElement) -> String) -> Vec<String> {
        self.nodes.iter().map(|node| node.tag().map_or_else(|| "#text".to_owned(), describe)).collect()
    }

    /// Returns the children if all are elements of this tag, optionally separated by a space each
    /// if they are inline-level.
    pub(super) fn items(&self, name: &str) -> Option<ItemList<'t>> {
        let has_space = self.nodes.get(1).is_some_and(|node| node.is_space());
        let step = if has_space { 2 } else { 1 };
        let tags: Option<Vec<&OutputElement>> = self.nodes.iter().step_by(step).map(|node| node.tag()).collect();
        let tags = tags.filter(|tags| tags.iter().all(|tag| tag.name == name && !(has_space && tag.is_block_level)))?;
        let mut between = self.nodes.iter().skip(1).step_by(2);
        if has_space && (self.nodes.len().is_multiple_of(2) || !between.all(|node| node.is_space())) {
            return None;
        }
        Some(ItemList { row: self.row, is_space_separated: (tags.len() > 1).then_some(has_space), tags })
    }
}

/// The children of an instance, if they form a list.
pub(super) struct ItemList<'t> {
    /// The row of the instance in the table.
    pub(super) row: usize,
    pub(super) tags: Vec<&'t OutputElement>,
    /// True if a space separates each two; `None` for fewer than two.
    pub(super) is_space_separated: Option<bool>,
}

/// Returns true if a space separates the items of all lists with more than one, and `None` if the
/// lists disagree.
pub(super) fn is_space_separated(items: &[ItemList<'_>]) -> Option<bool> {
    let mut known = items.iter().filter_map(|own| own.is_space_separated);
    let is_space_separated = known.next().unwrap_or(false);
    known.all(|own| own == is_space_separated).then_some(is_space_separated)
}

/// Maximum length of child lists to align; longer ones must be equal.
const MAX_ALIGNED: usize = 40;

/// Returns the shortest common supersequence.
fn supersequence<'k>(a: &[&'k str], b: &[&'k str]) -> Option<Vec<&'k str>> {
    if a.len() > MAX_ALIGNED || b.len() > MAX_ALIGNED {
        return None;
    }
    let mut common = vec![vec![0_usize; b.len() + 1]; a.len() + 1];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            common[i][j] = if a[i] == b[j] { common[i + 1][j + 1] + 1 } else { common[i + 1][j].max(common[i][j + 1]) };
        }
    }
    let (mut i, mut j, mut out) = (0, 0, Vec::new());
    while i < a.len() && j < b.len() {
        if a[i] == b[j] {
            out.push(a[i]);
            (i, j) = (i + 1, j + 1);
        } else if common[i + 1][j] >= common[i][j + 1] {
            out.push(a[i]);
            i += 1;
        } else {
            out.push(b[j]);
            j += 1;
        }
    }
    out.extend(&a[i..]);
    out.extend(&b[j..]);
    Some(out)
}

/// The aligned children at one position, each with its row; instances may lack one.
pub(super) type AlignedPosition<'t> = Vec<(usize, &'t Node)>;

/// Returns the aligned positions of the children of all instances. Ambiguities between equal tags
/// are resolved by content and class.
pub(super) fn align_positions<'t>(sequences: &[ChildSequence<'t>]) -> Option<Vec<AlignedPosition<'t>>> {
    let keys: Vec<Vec<&str>> = sequences.iter().map(ChildSequence::keys).collect();
    let merged = merged(&keys)?;
    if merged.len() > keys.iter().map(Vec::len).min().unwrap_or(0) {
        let descriptions: [fn(&OutputElement) -> String; 3] =
            [|tag| shape(tag) + "." + class(tag), shape, |tag| tag.name.clone() + "." + class(tag)];
        for describe in descriptions {
            let described: Vec<Vec<String>> = sequences.iter().map(|own| own.described(describe)).collect();
            let keys: Vec<Vec<&str>> = described.iter().map(|own| own.iter().map(String::as_str).collect()).collect();
            if let Some(more) = self::merged(&keys).filter(|own| own.len() == merged.len()) {
                return align(sequences, &keys, &more);
            }
        }
    }
    align(sequences, &keys, &merged)
}

/// Returns the tags of an element and its children, which distinguishes a badge from the card it is
/// on.
fn shape(tag: &OutputElement) -> String {
    tag.tags().fold(tag.name.clone(), |shape, child| shape + " " + &child.name)
}

/// Returns the class, which distinguishes a price from its currency.
fn class(tag: &OutputElement) -> &str {
    tag.attribute("class").and_then(fixed).unwrap_or_default()
}

/// Returns a short common supersequence of all; it is the shortest for two.
fn merged<'k>(all: &[Vec<&'k str>]) -> Option<Vec<&'k str>> {
    let mut merged = all.first()?.clone();
    for other in &all[1..] {
        if *other != merged {
            merged = supersequence(&merged, other)?;
        }
    }
    Some(merged)
}

/// Returns the nodes at each position of the merged sequence.
fn align<'t>(sequences: &[ChildSequence<'t>], keys: &[Vec<&str>], merged: &[&str]) -> Option<Vec<AlignedPosition<'t>>> {
    let mut places: Vec<AlignedPosition<'t>> = vec![Vec::new(); merged.len()];
    for (sequence, keys) in sequences.iter().zip(keys) {
        let mut place = 0;
        for (node, key) in sequence.nodes.iter().zip(keys) {
            // The earliest position leaves the most positions for the remaining nodes.
            while merged.get(place)? != key {
                place += 1;
            }
            places[place].push((sequence.row, node));
            place += 1;
        }
    }
    Some(places)
}

#[cfg(test)]
mod tests {
    use crate::loops::collapse;
    use crate::loops::tests::{DIALECT, fields, root, tag, text};
    use limner_component_model::ir::Node;

    fn names(children: Vec<Node>) -> Vec<Vec<String>> {
        let lists = collapse(&mut root(children), DIALECT, &[]).lists;
        let [list] = lists.as_slice() else { panic!("one list of {lists:?}") };
        let names = |row| fields(list, row).into_iter().map(|(name, _)| name.to_owned()).collect();
        (0..list.rows.len()).map(names).collect()
    }

    #[test]
    fn badge_on_one_card_becomes_an_optional_part() {
        let plan = |name: &str, price: &str, badge: Option<&str>| {
            let badge = badge.map(|words| tag("div", &[("class", "tag")], vec![tag("p", &[], vec![text(words)])]));
            let top = tag("div", &[], vec![tag("h3", &[], vec![text(name)]), tag("b", &[], vec![text(price)])]);
            let rest = tag("div", &[], vec![tag("button", &[], vec![text("Start")])]);
            tag("div", &[("class", "card")], badge.into_iter().chain([top, rest]).collect())
        };
        let plans = vec![plan("A", "$1", None), plan("B", "$2", Some("Popular")), plan("C", "$3", None)];
        assert_eq!(names(plans), [vec!["title", "price"], vec!["text", "title", "price"], vec!["title", "price"]]);
    }

    #[test]
    fn last_of_a_list_may_have_no_class() {
        let question = |words: &str, class: &str| {
            let button = tag("button", &[], vec![text(words), tag("svg", &[], vec![tag("path", &[], Vec::new())])]);
            let class: &[(&str, &str)] = if class.is_empty() { &[] } else { &[("class", class)] };
            tag("div", class, vec![tag("h3", &[], vec![button]), tag("div", &[("role", "region")], Vec::new())])
        };
        let questions = vec![question("A?", "a b c d"), question("B?", "a b c d"), question("C?", "")];
        assert_eq!(names(questions).len(), 3);
    }

    #[test]
    fn cells_have_a_mark_or_a_text() {
        let row = |name: &str, marks: [bool; 3]| {
            let mark = |has: bool| {
                let icon = || tag("svg", &[], vec![tag("path", &[("d", "M0 0")], Vec::new())]);
                tag("td", &[], vec![if has { icon() } else { text("–") }])
            };
            tag("tr", &[], [tag("th", &[], vec![text(name)])].into_iter().chain(marks.map(mark)).collect())
        };
        let rows = vec![
            row("A", [true; 3]),
            row("B", [false, true, true]),
            row("C", [false, false, true]),
            row("D", [false; 3]),
        ];
        assert_eq!(names(rows).len(), 4);
    }
}
