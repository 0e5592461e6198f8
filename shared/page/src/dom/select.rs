//! Selectors that find an element again.

use super::{Document, NodeId};

impl Document {
    /// A short selector that matches `node` alone in its tree: by id where that is unique, else a path of child
    /// combinators from the nearest ancestor with a unique id (or from the root).
    pub fn unique_selector(&self, node: NodeId) -> String {
        let mut steps = Vec::new();
        let chain = std::iter::once(node).chain(self.ancestors(node));
        for current in chain {
            let Some(element) = self.element(current) else { break };
            if let Some(id) = element.id().filter(|id| self.count_id(id) == 1) {
                steps.push(format!("#{}", escape_identifier(id)));
                break;
            }
            steps.push(self.step(current));
            if matches!(element.name(), "body" | "html") {
                break;
            }
        }
        steps.reverse();
        steps.join(" > ")
    }

    fn count_id(&self, id: &str) -> usize {
        self.elements().filter(|(_, element)| element.id().is_some_and(|own| &**own == id)).take(2).count()
    }

    fn step(&self, node: NodeId) -> String {
        let name = self.element(node).map_or("*", |element| element.name());
        let same_name = |sibling: &NodeId| self.element(*sibling).is_some_and(|element| element.name() == name);
        let Some(parent) = self.parent(node) else { return escape_identifier(name) };
        let (mut position, mut total) = (0, 0);
        for sibling in self.children(parent).filter(same_name) {
            total += 1;
            if sibling == node {
                position = total;
            }
        }
        let name = escape_identifier(name);
        if total > 1 { format!("{name}:nth-of-type({position})") } else { name }
    }
}

/// Serialises a string as a CSS identifier (CSSOM, "serialize an identifier").
pub fn escape_identifier(text: &str) -> String {
    let mut escaped = String::new();
    // Writing to a String cannot fail.
    let _ = cssparser::serialize_identifier(text, &mut escaped);
    escaped
}
