//! `@property` (Properties and Values 1, section 3).

use super::declaration::descriptors;
use crate::value::component::{Component, parse_components, serialize};
use crate::value::syntax::Grammar;
use std::sync::Arc;

/// The registration of a custom property by a rule.
#[derive(Debug, Clone)]
pub(crate) struct Registration {
    /// `None` for the universal syntax (`*`).
    syntax: Option<Grammar>,
    pub(crate) inherits: bool,
    pub(crate) initial: Option<Arc<str>>,
}

impl Registration {
    /// Reads the descriptors of a rule; returns `None` if they are incomplete or inconsistent.
    pub(super) fn parse(body: &str) -> Option<Self> {
        let descriptors = descriptors(body);
        let find = |wanted: &str| {
            descriptors.iter().rev().find(|(n, _)| n.eq_ignore_ascii_case(wanted)).map(|(_, v)| v.trim())
        };
        let syntax = find("syntax")?.trim_matches(['"', '\'']).trim();
        let inherits = match find("inherits")?.to_ascii_lowercase().as_str() {
            "true" => true,
            "false" => false,
            _ => return None,
        };
        let initial = find("initial-value");
        if syntax == "*" {
            return Some(Self { syntax: None, inherits, initial: initial.map(Arc::from) });
        }
        let mut own = Self { syntax: Some(Grammar::parse(syntax)?), inherits, initial: None };
        let mut components = own.fitting(initial?)?;
        if own.zero_is_length() {
            let zeros =
                components.iter_mut().filter(|own| matches!(own, Component::Number { value, .. } if *value == 0.0));
            zeros.for_each(|zero| *zero = Component::px(0.0));
        }
        own.initial = Some(serialize(&components).into());
        Some(own)
    }

    /// Returns true for the universal syntax, whose values stay as written.
    pub(crate) fn is_universal(&self) -> bool {
        self.syntax.is_none()
    }

    /// Returns the components of a value; `None` if it does not fit the syntax.
    pub(crate) fn fitting(&self, value: &str) -> Option<Vec<Component>> {
        parse_components(value).filter(|components| self.syntax.as_ref().is_none_or(|own| own.matches(components)))
    }

    /// Returns true if a zero without unit is a length: the syntax takes lengths and no numbers.
    pub(crate) fn zero_is_length(&self) -> bool {
        let takes = |one: Component| self.syntax.as_ref().is_some_and(|own| own.matches(&[one]));
        takes(Component::px(1.0)) && !takes(Component::number(1.0))
    }
}
