//! Boxes that have a size of their own only while a visitor acts: how they are measured is said at rest.

use super::inert::has_edges;
use super::resolve::Resolver;
use crate::code::model::{ElementId, PseudoElement, Rule};
use limner_style::selector::PseudoElement as Pseudo;
use std::collections::BTreeSet;

/// An element or a box that it generates.
pub(super) type Boxed = (ElementId, Option<Pseudo>);

const SIZES: [&str; 8] =
    ["aspect-ratio", "flex-basis", "height", "max-height", "max-width", "min-height", "min-width", "width"];

impl Resolver<'_> {
    /// The boxes with paddings or borders to which a state gives a size.
    pub(super) fn sized_by_states(&self, rules: &[Vec<Rule>]) -> BTreeSet<Boxed> {
        let all = rules.iter().enumerate().flat_map(|(at, own)| own.iter().map(move |rule| (ElementId(at), rule)));
        let sized = all.filter_map(|(element, rule)| {
            let pseudo = match rule.pseudo {
                None => None,
                Some(PseudoElement::Before) => Some(Pseudo::Before),
                Some(PseudoElement::After) => Some(Pseudo::After),
                Some(_) => return None,
            };
            let sets_size = rule.declarations.iter().any(|own| SIZES.contains(&&*own.name));
            (rule.state.is_some() && sets_size).then_some((element, pseudo))
        });
        // Whether a generated box has edges is known where it is looked at.
        let may_matter = |(element, pseudo): &Boxed| {
            pseudo.is_some() || self.computed[element.0].iter().any(|style| has_edges(style))
        };
        sized.filter(may_matter).collect()
    }
}
