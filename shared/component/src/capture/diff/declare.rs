//! Declares the required values of a property, with as few declarations as possible.

use super::range_cover;
use super::rule_builder::RuleBuilder;
use super::rule_resolver::RuleResolver;
use super::style_pair::StylePair;
use crate::capture::color_scheme::resolve_light_dark;
use crate::capture::environments::{EnvId, EnvMap, EnvironmentVariant};
use limner_component_model::css::shorten_values::tidied_variable;
use limner_component_model::model::{Declaration, Rule};
use limner_style::selector::PseudoElement as Pseudo;
use limner_style::value::{parse_components, serialize_authored};
use std::borrow::Cow;
use std::collections::HashMap;

impl RuleResolver<'_> {
    /// Adds as few declarations of a property as give it the required value in every environment. `undone` returns the
    /// value that resets the property where no value is required, `computed` the value that a declaration computes to.
    pub(crate) fn declare(
        &self,
        name: Cow<'static, str>,
        pseudo: Option<Pseudo>,
        wanted: &EnvMap<Option<String>>,
        undone: &dyn Fn(EnvId) -> String,
        computed: &dyn Fn(EnvId) -> Option<String>,
        collector: &mut RuleBuilder,
    ) {
        let intervals = self.section.environments.intervals();
        let mut holding: Vec<String> = Vec::new();
        let in_base = wanted.of_base(self.section.environments);
        for (variant, envs) in self.section.environments.variants() {
            let effective = |at: usize| {
                let env = envs.env(at);
                wanted[env].clone().unwrap_or_else(|| undone(env))
            };
            let placed = match variant {
                EnvironmentVariant::Base => {
                    let placed = range_cover::cover_base(wanted.of_variant(&envs), &effective);
                    holding = (0..intervals).map(effective).collect();
                    placed
                }
                EnvironmentVariant::Dark | EnvironmentVariant::ReducedMotion | EnvironmentVariant::Container(_) => {
                    let needed: Vec<Option<String>> = (0..intervals)
                        .map(|at| {
                            Some(effective(at)).filter(|value| {
                                !(are_equal_values(&name, value, &holding[at])
                                    || (wanted[envs.env(at)].is_none() && in_base[at].is_none()))
                            })
                        })
                        .collect();
                    range_cover::cover_differences(&needed, &holding)
                }
            };
            for placed in placed {
                let condition = self.section.environments.condition(variant, &placed.intervals);
                let desktop = self.section.environments.desktop_interval();
                let sample = if placed.intervals.contains(&desktop) { desktop } else { placed.intervals.start };
                let computed = computed(envs.env(sample)).unwrap_or_else(|| placed.value.clone());
                let declaration = Declaration { name: name.clone(), computed, value: placed.value };
                collector.add(condition, None, pseudo, declaration);
            }
        }
    }

    /// Adds the declarations that set registered custom properties on an element or pseudo-element.
    pub(crate) fn collect_registered(
        &self,
        pseudo: Option<Pseudo>,
        seen: &EnvMap<StylePair>,
        collector: &mut RuleBuilder,
    ) {
        for property in &self.registered {
            let name = property.name.as_str();
            let without = |seen: &StylePair| {
                let inherited = seen.baseline.custom_property(name).filter(|_| property.inherits);
                inherited.unwrap_or(&property.initial).to_owned()
            };
            let own = |seen: &StylePair| seen.specification.style.custom_property(name).map(str::to_owned);
            let wanted: EnvMap<Option<String>> =
                seen.iter().map(|seen| own(seen).filter(|value| *value != without(seen))).collect();
            let computed = |env: EnvId| own(&seen[env]);
            let undone = |env: EnvId| without(&seen[env]);
            self.declare(Cow::Owned(name.to_owned()), pseudo, &wanted, &undone, &computed, collector);
        }
    }

    /// Returns the rules of the root that declare each custom property, by its name.
    pub(crate) fn variable_rules(&self) -> HashMap<String, Vec<Rule>> {
        let environments = self.section.environments;
        let roots = &self.section.computed[0];
        let first = self.variables.of_env(EnvId::default());
        let rules = first.iter().map(|variable| {
            let name = variable.name.as_str();
            let value = |env: EnvId| {
                let root = &roots[env];
                let own = root.custom_property(name).unwrap_or_default().trim();
                let resolved = resolve_light_dark(&root.rem_in_pixels(own), root.scheme());
                let spaced = parse_components(&resolved).map_or(resolved, |components| serialize_authored(&components));
                Some(tidied_variable(&spaced).into_owned())
            };
            let mut collector = RuleBuilder::default();
            let undone = |env: EnvId| value(env).unwrap_or_default();
            self.declare(Cow::Owned(name.to_owned()), None, &environments.map(value), &undone, &value, &mut collector);
            (name.to_owned(), collector.rules())
        });
        rules.collect()
    }
}

/// Returns true if two values are equal, except for the quotes of font families.
fn are_equal_values(name: &str, one: &str, other: &str) -> bool {
    one == other || (name == "font-family" && one.replace(['"', '\''], "") == other.replace(['"', '\''], ""))
}
