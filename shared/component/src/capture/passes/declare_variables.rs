//! Declares the custom properties of the page to which declarations refer, on the root.
//!
//! Before → after: `color: var(--ink)` on some elements → the same, and `--ink: #112` on the root, with `--ink: #eef` in the
//! dark theme.
//!
//! Reads and changes the rules. It stands after `flex-to-block`, which removes declarations as the passes before it do, so
//! that it declares what is left to refer to, and before `prune-wrappers`, which keeps elements with rules.

use crate::capture::passes::{Draft, PassContext};
use limner_component_model::css::references::referenced_names;
use limner_component_model::model::{Element, Rule};
use std::collections::BTreeSet;

/// Declares the custom properties that the rules refer to.
pub(crate) fn declare_variables(context: &PassContext<'_, '_>, draft: &mut Draft) {
    let elements = &mut draft.component.elements;
    let rules = elements.iter().flat_map(|element| &element.rules);
    let values = rules.flat_map(|rule| &rule.declarations).map(|declaration| declaration.value.as_str());
    let known = &context.resolved.variables;
    let named: BTreeSet<&str> = values
        .flat_map(referenced_names)
        .filter_map(|name| known.get_key_value(name))
        .map(|(name, _)| name.as_str())
        .collect();
    let Some(root) = elements.first_mut() else { return };
    for rule in named.into_iter().flat_map(|name| &known[name]) {
        add(root, rule);
    }
}

/// Adds a rule at rest to an element, in the order of the normal form.
fn add(element: &mut Element, rule: &Rule) {
    let is_same = |own: &&mut Rule| own.condition == rule.condition && own.state.is_none() && own.pseudo.is_none();
    if let Some(own) = element.rules.iter_mut().find(is_same) {
        own.declarations.extend(rule.declarations.iter().cloned());
        own.declarations.sort_by(|a, b| a.name.cmp(&b.name));
        return;
    }
    let is_later = |own: &Rule| {
        own.state.is_some()
            || (own.condition.rank(), own.pseudo, &own.condition) > (rule.condition.rank(), None, &rule.condition)
    };
    let at = element.rules.iter().position(is_later).unwrap_or(element.rules.len());
    element.rules.insert(at, rule.clone());
}
