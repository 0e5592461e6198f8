//! Removes SVG presentation attributes that refer to custom properties of the page, where a rule now declares the
//! property: contents of a `use` inherit the custom properties from the ancestors of the `use`, so that their resolved
//! values are declared.
//!
//! Before → after: `<path fill="var(--icon)">` with `fill: #06c` → `<path>` with `fill: #06c`.
//!
//! Reads the rules and changes attributes. It stands after `drop-identity-transforms`, the last pass that removes
//! declarations of drawings: an attribute must not go without a declaration that replaces it. (`flex-to-block` and
//! `prune-wrappers` change boxes.)

use crate::capture::passes::{Draft, PassContext};
use crate::capture::tree::presentation_attributes::refers_to_variable;
use limner_component_model::model::{Condition, Namespace};

/// Removes the attributes that are now declared.
pub(crate) fn drop_presentation_attributes(_: &PassContext<'_, '_>, draft: &mut Draft) {
    let elements = &mut draft.component.elements;
    for element in elements.iter_mut().filter(|element| element.namespace == Namespace::Svg) {
        let rules = &element.rules;
        let is_declared = |name: &str| {
            let mut plain = rules
                .iter()
                .filter(|rule| rule.pseudo.is_none() && rule.state.is_none() && rule.condition == Condition::default());
            plain.any(|rule| rule.declarations.iter().any(|own| own.name == name))
        };
        element.attributes.retain(|own| !(refers_to_variable(own) && is_declared(&own.name)));
    }
}
