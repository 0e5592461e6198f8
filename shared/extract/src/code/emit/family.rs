//! Which elements of a component are around others, and beside them.

use crate::code::model::{Child, Component, ElementId};

/// The relations of all elements.
#[derive(Debug)]
pub(super) struct Family {
    parents: Vec<Option<ElementId>>,
    /// The element that follows in the same parent.
    next: Vec<Option<ElementId>>,
}

impl Family {
    pub(super) fn of(component: &Component) -> Self {
        let count = component.elements.len();
        let mut family = Self { parents: vec![None; count], next: vec![None; count] };
        for (at, element) in component.elements.iter().enumerate() {
            let mut before: Option<ElementId> = None;
            for child in &element.children {
                let Child::Element(child) = child else { continue };
                family.parents[child.0] = Some(ElementId(at));
                if let Some(before) = before.replace(*child) {
                    family.next[before.0] = Some(*child);
                }
            }
        }
        family
    }

    /// The element that has this one as a child.
    pub(super) fn parent(&self, id: ElementId) -> Option<ElementId> {
        self.parents[id.0]
    }

    /// What is around an element, from its parent up to the root.
    pub(super) fn ancestors(&self, id: ElementId) -> impl Iterator<Item = ElementId> {
        std::iter::successors(self.parent(id), |id| self.parent(*id))
    }

    /// The element beside another that is a third one, or is around it.
    fn beside(&self, sibling: ElementId, inner: ElementId) -> Option<ElementId> {
        let mut around = std::iter::once(inner).chain(self.ancestors(inner));
        around.find(|id| self.parent(*id) == self.parent(sibling))
    }

    /// Whether an element, or what is around it, comes directly after another.
    pub(super) fn is_next(&self, sibling: ElementId, inner: ElementId) -> bool {
        let next = self.next[sibling.0];
        next.is_some() && next == self.beside(sibling, inner)
    }

    /// What stands in a selector between an earlier sibling and an element, or the sibling of what is around it.
    pub(super) fn between(&self, sibling: ElementId, inner: ElementId) -> &'static str {
        let is_sibling = self.parent(sibling) == self.parent(inner);
        match (self.is_next(sibling, inner), is_sibling) {
            (true, true) => " + ",
            (true, false) => " + * ",
            (false, true) => " ~ ",
            (false, false) => " ~ * ",
        }
    }
}
