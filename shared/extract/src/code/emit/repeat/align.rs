//! The children of elements of the same shape, each beside those that stand for it in the others.

use crate::code::emit::tree::{Node, Tag, Value};

/// The children of an instance that show something.
pub(super) struct Sequence<'t> {
    /// The row of the instance in the table.
    pub(super) row: usize,
    /// In order, without white space that is free.
    pub(super) nodes: Vec<&'t Node>,
}

impl<'t> Sequence<'t> {
    pub(super) fn of(row: usize, tag: &'t Tag) -> Self {
        let shows = |node: &&Node| match node {
            Node::Text(Value::Fixed(text)) => !tag.free_space || !text.trim_ascii().is_empty(),
            _ => true,
        };
        Self { row, nodes: tag.children.iter().filter(shows).collect() }
    }

    /// The names of elements, and `#text`: what stands at one place has one.
    pub(super) fn keys(&self) -> Vec<&'t str> {
        self.nodes.iter().map(|node| node.tag().map_or("#text", |tag| tag.name.as_str())).collect()
    }

    /// Elements of that name and nothing else, but for a space between each two that stand in lines.
    pub(super) fn items(&self, name: &str) -> Option<Items<'t>> {
        let has_space = self.nodes.get(1).is_some_and(|node| node.is_space());
        let step = if has_space { 2 } else { 1 };
        let tags: Option<Vec<&Tag>> = self.nodes.iter().step_by(step).map(|node| node.tag()).collect();
        let tags = tags.filter(|tags| tags.iter().all(|tag| tag.name == name && !(has_space && tag.breaks_lines)))?;
        let mut between = self.nodes.iter().skip(1).step_by(2);
        if has_space && (self.nodes.len().is_multiple_of(2) || !between.all(|node| node.is_space())) {
            return None;
        }
        Some(Items { row: self.row, is_spaced: (tags.len() > 1).then_some(has_space), tags })
    }
}

/// The children of an instance, where they are a list.
pub(super) struct Items<'t> {
    /// The row of the instance in the table.
    pub(super) row: usize,
    pub(super) tags: Vec<&'t Tag>,
    /// Whether a space stands between each two; `None` when there are no two.
    pub(super) is_spaced: Option<bool>,
}

/// Whether a space stands between the items of all that have more than one; `None` when only some have it.
pub(super) fn is_spaced(items: &[Items<'_>]) -> Option<bool> {
    let mut known = items.iter().filter_map(|own| own.is_spaced);
    let is_spaced = known.next().unwrap_or(false);
    known.all(|own| own == is_spaced).then_some(is_spaced)
}

/// Longest child lists that are aligned; longer ones are taken as they are or not at all.
const MAX_ALIGNED: usize = 40;

/// The shortest sequence that both are part of.
pub(super) fn supersequence<'k>(a: &[&'k str], b: &[&'k str]) -> Option<Vec<&'k str>> {
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

/// For each place of the merged sequence, the nodes that stand there.
pub(super) fn align<'t>(sequences: &[Sequence<'t>], merged: &[&str]) -> Option<Vec<Vec<(usize, &'t Node)>>> {
    let mut places: Vec<Vec<(usize, &Node)>> = vec![Vec::new(); merged.len()];
    for sequence in sequences {
        let mut place = 0;
        for (node, key) in sequence.nodes.iter().zip(sequence.keys()) {
            // The earliest place leaves the most for the rest.
            while merged.get(place)? != &key {
                place += 1;
            }
            places[place].push((sequence.row, node));
            place += 1;
        }
    }
    Some(places)
}
