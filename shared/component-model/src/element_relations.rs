//! Indexes the parents and ancestors of a component's elements, and the parents of state source
//! lists.

use crate::model::{Child, Component, ElementId, StateSourceListId};

/// The relations of all elements.
#[derive(Debug)]
pub struct ElementRelations {
    parents: Vec<Option<ElementId>>,
    /// By state source list: the parent of its first member.
    list_parents: Vec<Option<ElementId>>,
}

impl ElementRelations {
    /// Indexes a component.
    pub fn from_component(component: &Component) -> Self {
        let mut family = Self { parents: vec![None; component.elements.len()], list_parents: Vec::new() };
        for (at, element) in component.elements.iter().enumerate() {
            for child in &element.children {
                let Child::Element(child) = child else { continue };
                family.parents[child.0] = Some(ElementId(at));
            }
        }
        let places = component.state_sources.iter().map(|list| list.first().and_then(|id| family.parent(*id)));
        family.list_parents = places.collect();
        family
    }

    /// Returns the parent of an element.
    pub fn parent(&self, id: ElementId) -> Option<ElementId> {
        self.parents[id.0]
    }

    /// Returns the ancestors of an element, from its parent to the root.
    pub fn ancestors(&self, id: ElementId) -> impl Iterator<Item = ElementId> {
        std::iter::successors(self.parent(id), |id| self.parent(*id))
    }

    /// Returns the parent of the siblings in a list.
    pub fn list_parent(&self, list: StateSourceListId) -> Option<ElementId> {
        self.list_parents[list.0]
    }

    /// Returns the ancestor of `inner` that is a sibling of the elements in a list; `None` if
    /// `inner` itself is their sibling.
    pub fn preceding_siblings(&self, list: StateSourceListId, inner: ElementId) -> Option<ElementId> {
        let place = self.list_parents[list.0];
        if self.parent(inner) == place {
            return None;
        }
        self.ancestors(inner).find(|id| self.parent(*id) == place)
    }
}
