//! Which elements of a component are around others, and beside them.

use crate::code::model::{Child, Component, ElementId, FollowedId};

/// The relations of all elements.
#[derive(Debug)]
pub(super) struct Family {
    parents: Vec<Option<ElementId>>,
    /// By list of followed elements: the parent of the first of them.
    places: Vec<Option<ElementId>>,
}

impl Family {
    pub(super) fn of(component: &Component) -> Self {
        let mut family = Self { parents: vec![None; component.elements.len()], places: Vec::new() };
        for (at, element) in component.elements.iter().enumerate() {
            for child in &element.children {
                let Child::Element(child) = child else { continue };
                family.parents[child.0] = Some(ElementId(at));
            }
        }
        let places = component.followed.iter().map(|list| list.first().and_then(|id| family.parent(*id)));
        family.places = places.collect();
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

    /// The element around all of a list of siblings.
    pub(super) fn place(&self, list: FollowedId) -> Option<ElementId> {
        self.places[list.0]
    }

    /// What is beside the siblings in a list and around an element; nothing when they are its own.
    pub(super) fn beside(&self, list: FollowedId, inner: ElementId) -> Option<ElementId> {
        let place = self.places[list.0];
        if self.parent(inner) == place {
            return None;
        }
        self.ancestors(inner).find(|id| self.parent(*id) == place)
    }
}
