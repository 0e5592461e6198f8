//! The ids and classes of an element's ancestors, as far as selectors are filed by them.

use crate::selector_map::{SelectorKey, element_keys};
use foldhash::HashSet;
use limner_page::dom::Element;

/// A stack of ancestors. A name that several have is listed once, for the outermost.
#[derive(Debug, Default)]
pub(crate) struct AncestorNames {
    /// The names that count.
    filed: HashSet<SelectorKey>,
    held: HashSet<SelectorKey>,
    listed: Vec<SelectorKey>,
    /// By ancestor, the number of names that were listed before.
    starts: Vec<usize>,
}

impl AncestorNames {
    /// Creates an empty stack, which keeps names that are in `filed` only.
    pub(crate) fn new(filed: HashSet<SelectorKey>) -> Self {
        Self { filed, ..Self::default() }
    }

    /// Adds the next ancestor; `None` for one that is no element.
    pub(crate) fn push(&mut self, ancestor: Option<&Element>, fold_case: bool) {
        if self.filed.is_empty() {
            return;
        }
        self.starts.push(self.listed.len());
        for key in ancestor.into_iter().flat_map(|element| element_keys(element, fold_case)) {
            if self.filed.contains(&key) && self.held.insert(key.clone()) {
                self.listed.push(key);
            }
        }
    }

    /// Removes the ancestor that was added last.
    pub(crate) fn pop(&mut self) {
        let Some(start) = self.starts.pop() else { return };
        for key in self.listed.drain(start..) {
            self.held.remove(&key);
        }
    }

    /// Returns true if an ancestor has the name.
    pub(crate) fn contains(&self, key: &SelectorKey) -> bool {
        self.held.contains(key)
    }

    /// Returns the names, each once.
    pub(crate) fn listed(&self) -> &[SelectorKey] {
        &self.listed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use limner_page::Document;
    use markup5ever::LocalName;

    #[test]
    fn names_last_as_long_as_an_ancestor_has_them() {
        let document = Document::parse("<div id=d class='a b A'><p class='a c'><i class=x>");
        let elements: Vec<&Element> = document.elements().map(|(_, element)| element).collect();
        let class = |name: &str| SelectorKey::Class(LocalName::from(name));
        let mut names = AncestorNames::new([class("a"), class("c"), class("x")].into_iter().collect());
        let div = elements.len() - 3;
        names.push(None, false);
        names.push(Some(elements[div]), false);
        names.push(Some(elements[div + 1]), false);
        assert_eq!(names.listed(), [class("a"), class("c")]);
        names.pop();
        assert_eq!((names.listed(), names.contains(&class("c"))), (&[class("a")][..], false));
        names.pop();
        assert!(names.listed().is_empty() && !names.contains(&class("a")));
        names.push(Some(elements[div]), true);
        assert_eq!(names.listed(), [class("a")], "names in another case, in quirks mode");
    }
}
