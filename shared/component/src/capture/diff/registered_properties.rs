//! Registered custom properties
//! ([`@property`](https://drafts.css-houdini.org/css-properties-values-api/#at-property-rule)) that keyframes animate.
//!
//! Other custom properties are substituted, or declared on the root (`variables`), when a section is captured. Animated
//! ones are declared where they have their values, and values keep referring to them with `var()`.

use crate::capture::at_rules::frames;
use limner_component_model::model::DescriptorAtRule;
use limner_style::{StyleIndex, declarations_in};
use std::collections::BTreeSet;

/// Maximum number of registered custom properties that are considered.
const MAX_REGISTERED: usize = 16;

/// A registered custom property.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RegisteredProperty {
    pub(crate) name: String,
    pub(crate) inherits: bool,
    pub(crate) initial: String,
    descriptors: Vec<(String, String)>,
}

impl RegisteredProperty {
    /// Returns its `@property` rule.
    pub(crate) fn at_rule(&self) -> DescriptorAtRule {
        DescriptorAtRule { prelude: self.name.clone(), descriptors: self.descriptors.clone() }
    }
}

/// Returns the registered custom properties that keyframes of the page animate, sorted by name.
pub(crate) fn animated(index: &StyleIndex<'_>) -> Vec<RegisteredProperty> {
    let rules = |kind: &'static str| index.at_rules().iter().filter(move |rule| &*rule.name == kind);
    if rules("property").next().is_none() {
        return Vec::new();
    }
    let bodies = rules("keyframes").chain(rules("-webkit-keyframes")).map(|rule| &*rule.body);
    let changed: BTreeSet<String> = bodies
        .flat_map(frames)
        .flat_map(|(_, block)| declarations_in(block))
        .filter_map(|(name, _)| name.starts_with("--").then_some(name))
        .collect();
    let mut found: Vec<RegisteredProperty> = Vec::new();
    for rule in rules("property") {
        let name = rule.prelude.trim();
        if changed.contains(name) && is_plain(name) {
            found.retain(|known| known.name != name);
            found.extend(registered(name, &rule.body));
        }
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    found.truncate(MAX_REGISTERED);
    found
}

/// Returns true for names that need no escaping anywhere.
fn is_plain(name: &str) -> bool {
    name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
}

/// Parses a `@property` rule; `None` without `inherits` or `initial-value`.
fn registered(name: &str, body: &str) -> Option<RegisteredProperty> {
    let descriptors: Vec<(String, String)> =
        declarations_in(body).into_iter().map(|(name, value)| (name.to_ascii_lowercase(), value)).collect();
    let get = |wanted: &str| descriptors.iter().rev().find(|(name, _)| name == wanted).map(|(_, value)| value.trim());
    let inherits = get("inherits")?.eq_ignore_ascii_case("true");
    let initial = get("initial-value")?.to_owned();
    Some(RegisteredProperty { name: name.to_owned(), inherits, initial, descriptors })
}
