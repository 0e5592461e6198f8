//! Unique selectors of elements.

use super::{Document, NodeId};
use markup5ever::LocalName;
use std::collections::HashMap;

/// The counts that unique selectors are built from, taken once for the whole document.
#[derive(Debug, Clone, Default)]
pub(super) struct SelectorIndex {
    /// Number of elements with each id that is not generated.
    ids: HashMap<LocalName, u32>,
    /// For each node, its index among siblings of the same name from 1, and their count.
    of_type: Vec<(u32, u32)>,
}

impl SelectorIndex {
    fn new(document: &Document) -> Self {
        let mut ids: HashMap<LocalName, u32> = HashMap::new();
        for id in document.elements().filter_map(|(_, element)| element.id()).filter(|id| !is_generated(id)) {
            *ids.entry(id.clone()).or_default() += 1;
        }
        let mut of_type = vec![(0, 0); document.len()];
        let parents = (0..document.len()).map(|index| NodeId(u32::try_from(index).unwrap_or(u32::MAX)));
        let mut totals = HashMap::new();
        for parent in parents.filter(|node| document.first_child(*node).is_some()) {
            number_children(document, parent, &mut totals, &mut of_type);
        }
        Self { ids, of_type }
    }
}

/// Minimum number of digits in a row in an id that is a random number or a time.
const RANDOM_DIGITS: usize = 12;

/// Returns true for an id that differs from visit to visit: random numbers, and the ids of React's `useId` (`:r1:`,
/// `«r1»`, `_r_1_`).
fn is_generated(id: &str) -> bool {
    let is_counted = |(open, close): (&str, &str)| {
        let after = id.split_once(open).filter(|(before, _)| before.is_empty() || before.ends_with('-'));
        let after = after.map(|(_, after)| after);
        let count = after.and_then(|after| after.split_once(close)).map(|(count, _)| count);
        count.is_some_and(|count| !count.is_empty() && count.bytes().all(|byte| byte.is_ascii_alphanumeric()))
    };
    let longest = id.split(|letter: char| !letter.is_ascii_digit()).map(str::len).max().unwrap_or(0);
    longest >= RANDOM_DIGITS || [(":r", ":"), (":R", ":"), ("«r", "»"), ("_r_", "_")].into_iter().any(is_counted)
}

/// Numbers the children of one node. `totals` is a reusable buffer.
fn number_children<'a>(
    document: &'a Document,
    parent: NodeId,
    totals: &mut HashMap<&'a LocalName, u32>,
    of_type: &mut [(u32, u32)],
) {
    totals.clear();
    for (child, element) in document.child_elements(parent) {
        let total = totals.entry(element.local_name()).or_default();
        *total += 1;
        of_type[child.index()].0 = *total;
    }
    for (child, element) in document.child_elements(parent) {
        of_type[child.index()].1 = totals[element.local_name()];
    }
}

impl Document {
    /// Returns a short selector that matches only `node` in its tree: by id if that is unique and the
    /// same in every visit, else a path of child combinators from the nearest ancestor with a unique id (or from the root).
    ///
    /// The first call counts the ids and siblings of the whole document; after that a call costs the depth of the node.
    pub fn unique_selector(&self, node: NodeId) -> String {
        let index = self.selector_index.get_or_init(|| SelectorIndex::new(self));
        let mut steps = Vec::new();
        let chain = std::iter::once(node).chain(self.ancestors(node));
        for current in chain {
            let Some(element) = self.element(current) else { break };
            if let Some(id) = element.id().filter(|id| index.ids.get(*id) == Some(&1)) {
                steps.push(format!("#{}", escape_identifier(id)));
                break;
            }
            let name = escape_identifier(element.name());
            steps.push(match index.of_type[current.index()] {
                (position, total) if total > 1 => format!("{name}:nth-of-type({position})"),
                _ => name,
            });
            if matches!(element.name(), "body" | "html") {
                break;
            }
        }
        steps.reverse();
        steps.join(" > ")
    }
}

/// Serializes a string as a CSS identifier (CSSOM, "serialize an identifier").
pub fn escape_identifier(text: &str) -> String {
    let mut escaped = String::new();
    // Writing to a String cannot fail.
    let _ = cssparser::serialize_identifier(text, &mut escaped);
    escaped
}
