//! Finds boxes that have a size only under a state: their `box-sizing` is declared at rest.

use crate::capture::diff::ineffective::{has_edges, has_size};
use crate::capture::diff::rule_resolver::RuleResolver;
use crate::capture::property_key::BoxId;
use limner_component_model::model::{ElementId, PseudoElement, Rule};
use limner_style::ComputedStyle;
use limner_style::selector::PseudoElement as Pseudo;
use std::collections::{BTreeMap, BTreeSet};

const SIZES: [&str; 8] =
    ["aspect-ratio", "flex-basis", "height", "max-height", "max-width", "min-height", "min-width", "width"];

impl RuleResolver<'_> {
    /// Returns the boxes for which `box-sizing` matters once a state gives them a size, or a padding or border.
    pub(crate) fn sized_by_states(&self, rules: &[Vec<Rule>]) -> BTreeSet<BoxId> {
        let mut given: BTreeMap<BoxId, (bool, bool)> = BTreeMap::new();
        for (at, rule) in rules.iter().enumerate().flat_map(|(at, own)| own.iter().map(move |rule| (at, rule))) {
            let pseudo = match rule.pseudo {
                None => None,
                Some(PseudoElement::Before) => Some(Pseudo::Before),
                Some(PseudoElement::After) => Some(Pseudo::After),
                Some(_) => continue,
            };
            let says = |is: &dyn Fn(&str) -> bool| rule.declarations.iter().any(|own| is(&own.name));
            if rule.state.is_some() {
                let own = given.entry(BoxId { element: ElementId(at), pseudo }).or_default();
                own.0 |= says(&|name| SIZES.contains(&name));
                own.1 |= says(&is_edge);
            }
        }
        // Styles of generated boxes at rest are not inspected: these boxes may have both.
        let at_rest = |BoxId { element, pseudo }: &BoxId, has: fn(&ComputedStyle) -> bool| {
            pseudo.is_some() || self.section.computed[element.0].iter().any(|style| has(style))
        };
        let matters = |own: &BoxId, said: (bool, bool)| match said {
            (false, false) => false,
            (true, false) => at_rest(own, has_edges),
            (false, true) => at_rest(own, has_size),
            (true, true) => true,
        };
        given.into_iter().filter(|(own, said)| matters(own, *said)).map(|(own, _)| own).collect()
    }
}

fn is_edge(name: &str) -> bool {
    name.starts_with("padding-") || (name.starts_with("border-") && name.ends_with("-width"))
}
