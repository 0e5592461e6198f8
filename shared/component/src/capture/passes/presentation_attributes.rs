//! SVG presentation attributes that refer to custom properties of the page (`fill="var(--icon)"`). Contents of a `use`
//! inherit the custom properties from the ancestors of the `use`: their resolved values are declared.

use crate::capture::diff::rule_resolver::PropertyKey;
use crate::capture::tree::SectionTree;
use limner_component_model::model::{Attribute, Condition, Element, ElementId, Namespace};
use limner_style::property::Longhand;

/// Returns the properties to declare on contents of a `use`, although these have them as attributes.
pub(crate) fn referring(skeleton: &SectionTree) -> impl Iterator<Item = PropertyKey> {
    let shown = skeleton.elements.iter().zip(&skeleton.origins).enumerate();
    let shown = shown.filter(|(_, (own, bone))| own.namespace == Namespace::Svg && (bone.source != 0 || bone.is_copy));
    shown.flat_map(|(at, (own, _))| {
        let longhands =
            own.attributes.iter().filter(|own| refers(own)).filter_map(|own| Longhand::from_name(&own.name));
        longhands.map(move |longhand| (ElementId(at), None, longhand))
    })
}

/// Removes the attributes that are now declared.
pub(crate) fn drop_declared_attributes(elements: &mut [Element]) {
    for element in elements.iter_mut().filter(|element| element.namespace == Namespace::Svg) {
        let rules = &element.rules;
        let is_declared = |name: &str| {
            let mut plain = rules
                .iter()
                .filter(|rule| rule.pseudo.is_none() && rule.state.is_none() && rule.condition == Condition::default());
            plain.any(|rule| rule.declarations.iter().any(|own| own.name == name))
        };
        element.attributes.retain(|own| !(refers(own) && is_declared(&own.name)));
    }
}

fn refers(attribute: &Attribute) -> bool {
    attribute.value.contains("var(")
}
