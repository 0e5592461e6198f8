//! Names boxes of the section and their properties.

use limner_component_model::model::ElementId;
use limner_style::property::Longhand;
use limner_style::selector::PseudoElement as Pseudo;

/// An element or a box that it generates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct BoxId {
    pub(super) element: ElementId,
    pub(super) pseudo: Option<Pseudo>,
}

/// A property of an element or of one of its pseudo-elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct PropertyKey {
    pub(super) element: ElementId,
    pub(super) pseudo: Option<Pseudo>,
    pub(super) longhand: Longhand,
}

impl PropertyKey {
    pub(super) fn new(element: ElementId, pseudo: Option<Pseudo>, longhand: Longhand) -> Self {
        Self { element, pseudo, longhand }
    }
}
