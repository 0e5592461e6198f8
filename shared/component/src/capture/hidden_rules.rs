//! Finds rules that apply only where their element is not rendered.
//!
//! Before → after: `<div class="md:hidden"><p class="md:w-1/3">` → `<div class="md:hidden"><p>`.

use super::context::SectionContext;
use super::environments::{EnvId, EnvSet};
use limner_component_model::model::{ElementId, Rule};
use limner_style::computed::Display;
use limner_style::property::Longhand;

/// The environments in which elements are not rendered.
#[derive(Debug, Default)]
pub(super) struct HiddenRules {
    /// By element: where an element around it has no box, in no state; empty for elements that are never rendered.
    around: Vec<EnvSet>,
    /// By element: where it has none itself.
    own: Vec<EnvSet>,
}

impl HiddenRules {
    /// Determines where elements are hidden, from the styles of all elements and their rules.
    pub(super) fn from_rules(context: &SectionContext<'_>, rules: &[Vec<Rule>]) -> Self {
        let shows = |rule: &Rule| {
            let is_shown = || rule.declarations.iter().any(|own| own.name == "display" || own.name == "animation-name");
            rule.pseudo.is_none() && rule.state.is_some() && is_shown()
        };
        let desktop = context.environments.desktop();
        let all: EnvSet = context.environments.envs().collect();
        let mut hidden = Self { around: Vec::with_capacity(rules.len()), own: Vec::with_capacity(rules.len()) };
        for (at, own) in rules.iter().enumerate() {
            let around = context.tree.origins[at].parent;
            let around = around.map_or(EnvSet::default(), |parent| hidden.around[parent.0].union(hidden.own[parent.0]));
            let entries = context.computed[at].entries().filter(|(_, style)| style.display() == Display::None);
            // What is hidden on phones alone may be a menu that a script opens.
            let is_gone = context.computed[at][desktop].display() == Display::None && !own.iter().any(shows);
            let is_hidden: EnvSet = entries.filter(|_| is_gone).map(|(env, _)| env).collect();
            hidden.around.push(around);
            hidden.own.push(is_hidden);
        }
        for (around, own) in hidden.around.iter_mut().zip(&mut hidden.own) {
            // What only a script shows keeps its styles.
            if all.difference(around.union(*own)).is_empty() {
                (*around, *own) = (EnvSet::default(), EnvSet::default());
            }
        }
        hidden
    }

    /// Returns true if nobody sees the value of a property in an environment.
    pub(super) fn hides(&self, element: ElementId, longhand: Longhand, env: EnvId) -> bool {
        let is_in = |hidden: &[EnvSet]| hidden.get(element.0).is_some_and(|envs| envs.contains(env));
        is_in(&self.around) || (longhand != Longhand::Display && is_in(&self.own))
    }

    /// Removes the rules that apply only where an element is hidden. What hides it stays.
    pub(super) fn strip(&self, context: &SectionContext<'_>, element: ElementId, rules: &mut Vec<Rule>) {
        let Some((around, own)) = self.around.get(element.0).copied().zip(self.own.get(element.0).copied()) else {
            return;
        };
        if around.union(own).is_empty() {
            return;
        }
        rules.retain_mut(|rule| {
            let Some(envs) = context.environments.envs_of(&rule.condition) else { return true };
            if rule.condition.is_empty() || envs.is_empty() {
                return true;
            }
            if envs.difference(around).is_empty() {
                return false;
            }
            if rule.state.is_none() && rule.pseudo.is_none() && envs.difference(around.union(own)).is_empty() {
                rule.declarations.retain(|own| own.name == "display");
            }
            !rule.declarations.is_empty()
        });
    }
}
