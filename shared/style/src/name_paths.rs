//! Paths of names: the name, id and classes of an element and of each of its ancestors. Elements with equal paths match
//! the same selectors, of those that ask for nothing else, and most selectors do not.

use crate::index::Match;
use crate::selector::{PseudoClass, State, StyleSelectorImpl};
use foldhash::HashMap;
use limner_page::dom::NodeKind;
use limner_page::{Document, NodeId};
use markup5ever::{LocalName, Namespace};
use selectors::parser::{Combinator, Component, Selector};
use std::sync::Arc;

/// Maximum number of paths; elements with further ones have none.
const MAX_PATHS: usize = 16_384;

/// Index of a path.
pub(crate) type PathId = u32;

/// The last step of a path.
#[derive(PartialEq, Eq, Hash)]
struct Step<'d> {
    parent: Option<PathId>,
    name: &'d LocalName,
    namespace: &'d Namespace,
    id: Option<&'d LocalName>,
    classes: &'d [LocalName],
    is_link: bool,
}

/// The paths of a document's elements, and the matches of each.
#[derive(Default)]
pub(crate) struct NamePaths<'d> {
    of_element: HashMap<NodeId, PathId>,
    ids: HashMap<Step<'d>, PathId>,
    matches: Vec<Option<Arc<[Match]>>>,
}

impl<'d> NamePaths<'d> {
    /// Returns the path of an element whose ancestors have theirs; `None` in shadow trees.
    pub(crate) fn path(&mut self, document: &'d Document, node: NodeId) -> Option<PathId> {
        if let Some(known) = self.of_element.get(&node) {
            return Some(*known);
        }
        let (parent, element) = (document.parent(node)?, document.element(node)?);
        let parent = match document.kind(parent) {
            NodeKind::Document => None,
            NodeKind::Element(_) => Some(*self.of_element.get(&parent)?),
            _ => return None,
        };
        let step = Step {
            parent,
            name: element.local_name(),
            namespace: element.namespace(),
            id: element.id(),
            classes: element.classes(),
            is_link: element.href().is_some(),
        };
        let next = PathId::try_from(self.matches.len()).ok()?;
        let path = match self.ids.get(&step) {
            Some(known) => *known,
            None if self.matches.len() >= MAX_PATHS => return None,
            None => {
                self.ids.insert(step, next);
                self.matches.push(None);
                next
            }
        };
        self.of_element.insert(node, path);
        Some(path)
    }

    /// Returns the matches of the elements with a path, once they are known.
    pub(crate) fn matches(&self, path: PathId) -> Option<Arc<[Match]>> {
        self.matches.get(path as usize)?.clone()
    }

    /// Records the matches of the elements with a path.
    pub(crate) fn set_matches(&mut self, path: PathId, matches: Arc<[Match]>) {
        if let Some(place) = self.matches.get_mut(path as usize) {
            *place = Some(matches);
        }
    }
}

/// Returns true if elements with equal paths match a selector under the same states. Parsing caps the nesting, so the
/// recursion is bounded.
pub(crate) fn asks_for_names_only(selector: &Selector<StyleSelectorImpl>) -> bool {
    selector.iter_raw_match_order().all(|component| match component {
        Component::LocalName(_) | Component::ID(_) | Component::Class(_) | Component::ExplicitUniversalType => true,
        Component::DefaultNamespace(_)
        | Component::Namespace(..)
        | Component::ExplicitAnyNamespace
        | Component::ExplicitNoNamespace => true,
        // The only element without a parent.
        Component::Root => true,
        Component::Combinator(combinator) => {
            matches!(combinator, Combinator::Child | Combinator::Descendant | Combinator::PseudoElement)
        }
        Component::PseudoElement(_) => true,
        Component::NonTSPseudoClass(class) => match class {
            PseudoClass::Link(_) | PseudoClass::Never(_) => true,
            PseudoClass::State(state) => {
                matches!(state, State::Hover | State::Focus | State::FocusVisible | State::FocusWithin | State::Active)
            }
            _ => false,
        },
        Component::Is(list) | Component::Where(list) | Component::Negation(list) => {
            list.slice().iter().all(asks_for_names_only)
        }
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use crate::{Origin, StyleIndex};
    use limner_page::{Document, PageSnapshot, Stylesheet};

    fn selectors(index: &StyleIndex<'_>, node: limner_page::NodeId) -> Vec<String> {
        let blocks = index.declarations(node, None).into_iter();
        blocks.filter(|block| block.origin == Origin::Author).filter_map(|block| block.selector).collect()
    }

    #[test]
    fn elements_with_equal_paths_differ_by_what_else_selectors_ask_for() {
        let css = "a{top:0}:root>body>ol .b{top:0}.b:fullscreen{top:0}.b{top:0}\
                   ul .b{top:0}ul>.b:hover{top:0}.b[title]{top:0}.b:last-child{top:0}.c+.b{top:0}\
                   :not(ul)>.b{top:0}.b:link{top:0}.b:enabled{top:0}";
        let html = "<!doctype html><ul><li class=b>1<li class=c>2<li class=b title=x>3<li class=b>4</ul>\
                    <ol><li class=b>5</ol><p><a class=b>6</a><a class=b href=/>7</a><i></i>";
        let document = Document::parse(html);
        let sheet = Stylesheet { text: Some(css.to_owned()), ..Stylesheet::default() };
        let page = PageSnapshot { sheets: vec![sheet], ..PageSnapshot::default() };
        let index = StyleIndex::new(&page, &document);
        let with_class = document.elements().filter(|(_, element)| element.attr("class") == Some("b"));
        let found: Vec<Vec<String>> = with_class.map(|(node, _)| selectors(&index, node)).collect();
        let found: Vec<String> = found.into_iter().map(|list| list.join(" ; ")).collect();
        assert_eq!(
            found,
            [
                ".b ; ul .b ; ul > .b:hover",
                ".b ; ul .b ; .b[title] ; .c + .b ; ul > .b:hover",
                ".b ; ul .b ; .b:last-child ; ul > .b:hover",
                ".b ; :not(ul) > .b ; .b:last-child ; :root > body > ol .b",
                "a ; .b ; :not(ul) > .b",
                "a ; .b ; :not(ul) > .b ; .b:link",
            ]
        );
    }
}
