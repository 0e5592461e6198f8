//! SVG presentation attributes that refer to custom properties of the page (`fill="var(--icon)"`).

use super::SectionTree;
use crate::capture::property_key::PropertyKey;
use limner_component_model::model::{Attribute, ElementId, Namespace};
use limner_style::property::Longhand;

/// Returns the properties to declare on contents of a `use`, although these have them as attributes.
pub(crate) fn properties_to_pin(tree: &SectionTree) -> impl Iterator<Item = PropertyKey> {
    let shown = tree.elements.iter().zip(&tree.origins).enumerate();
    let shown =
        shown.filter(|(_, (own, origin))| own.namespace == Namespace::Svg && (origin.source != 0 || origin.is_copy));
    shown.flat_map(|(at, (own, _))| {
        let longhands = own
            .attributes
            .iter()
            .filter(|own| refers_to_variable(own))
            .filter_map(|own| Longhand::from_name(&own.name));
        longhands.map(move |longhand| PropertyKey::new(ElementId(at), None, longhand))
    })
}

/// Returns true for an attribute that refers to a custom property.
pub(crate) fn refers_to_variable(attribute: &Attribute) -> bool {
    attribute.value.contains("var(")
}
