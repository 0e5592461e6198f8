//! Registers the custom properties that keyframes animate, if values refer to them.
//!
//! Before → after: `rotate: var(--angle)` → the same, and `@property --angle { … }`.
//!
//! Reads the rules and keyframes; adds the registrations, and removes declarations of properties to which nothing
//! refers. It stands after `collect-keyframes`, whose frames may declare them, and before `prune-transitions`, which keeps
//! transitions of registered properties.

use crate::capture::diff::registered_properties::RegisteredProperty;
use crate::capture::passes::{Draft, PassContext};
use limner_component_model::model::{Component, Declaration};

/// Registers the custom properties that values refer to. Declarations and keyframes of all others are removed.
pub(crate) fn register_properties(context: &PassContext<'_, '_>, draft: &mut Draft) {
    let Component { elements, keyframes, registrations, .. } = &mut draft.component;
    let is_named = |property: &&RegisteredProperty| {
        let reference = format!("var({})", property.name);
        let declarations = elements.iter().flat_map(|element| &element.rules).flat_map(|rule| &rule.declarations);
        declarations.into_iter().any(|declaration| declaration.value.contains(&reference))
    };
    let kept: Vec<&RegisteredProperty> = context.registered.iter().filter(is_named).collect();
    if kept.len() < context.registered.len() {
        let stays = |name: &str| !name.starts_with("--") || kept.iter().any(|property| property.name == name);
        for element in elements.iter_mut() {
            for rule in &mut element.rules {
                rule.declarations.retain(|Declaration { name, .. }| stays(name));
            }
            element.rules.retain(|rule| !rule.declarations.is_empty());
        }
        for (_, declarations) in keyframes.iter_mut().flat_map(|keyframes| &mut keyframes.frames) {
            declarations.retain(|(name, _)| stays(name));
        }
    }
    registrations.extend(kept.into_iter().map(RegisteredProperty::at_rule));
}
