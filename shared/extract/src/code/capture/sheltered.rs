//! What elements have of their own although they would have it anyway, as long as nothing changes what they have it from.

use super::alike::starts_as_text;
use super::collector::model_pseudo;
use super::resolve::{Place, Resolver};
use crate::code::model::{Baseline, ElementId, Rule};
use limner_style::property::Longhand;
use limner_style::selector::PseudoElement as Pseudo;
use limner_style::{Origin, SpecifiedValue};
use std::collections::BTreeSet;

type Longhands = BTreeSet<Longhand>;

impl Resolver<'_> {
    /// What elements have of their own that they would also inherit, or that is the colour of their text, while a state
    /// changes that: undeclared, it would change along.
    pub(super) fn sheltered(&mut self, rules: &[Vec<Rule>]) -> BTreeSet<Place> {
        let mut places = BTreeSet::new();
        let mut changing: Vec<Longhands> = Vec::with_capacity(rules.len());
        for (at, own) in rules.iter().enumerate() {
            let element = ElementId(at);
            let around = self.skeleton.bones[at].parent.map(|parent| changing[parent.0].clone()).unwrap_or_default();
            let inside = self.kept(element, None, &around, own, &mut places);
            for pseudo in [Pseudo::Before, Pseudo::After] {
                if own.iter().any(|rule| rule.pseudo == Some(model_pseudo(pseudo))) {
                    self.kept(element, Some(pseudo), &inside, own, &mut places);
                }
            }
            changing.push(inside);
        }
        places
    }

    /// The inherited properties that change in an element or a pseudo-element, of which some change around it. What it
    /// has of its own but does not declare goes to `places`.
    fn kept(
        &mut self,
        element: ElementId,
        pseudo: Option<Pseudo>,
        around: &Longhands,
        rules: &[Rule],
        places: &mut BTreeSet<Place>,
    ) -> Longhands {
        let model = pseudo.map(model_pseudo);
        let (acted, resting): (Vec<&Rule>, Vec<&Rule>) =
            rules.iter().filter(|rule| rule.pseudo == model).partition(|rule| rule.state.is_some());
        let mut changing: Longhands = acted.into_iter().flat_map(inherited).collect();
        if around.is_empty() && !changing.contains(&Longhand::Color) {
            return changing;
        }
        let seen = self.see(element, pseudo, self.grid.desktop());
        // What browsers give links, headings and controls, preflight lets them inherit.
        let tag = self.skeleton.elements[element.0].tag.as_str();
        let is_plain = pseudo.is_none() && self.order.baseline == Baseline::Preflight && PLAIN.contains(&tag);
        let is_own = |longhand: &Longhand| {
            let own = seen.specification.get(*longhand);
            own.is_some_and(|own| !comes_along(own) && (is_plain || own.origin != Origin::UserAgent))
        };
        let declared: BTreeSet<&str> =
            resting.iter().flat_map(|rule| rule.declarations.iter().map(|own| &*own.name)).collect();
        let (own, from_around): (Vec<Longhand>, Vec<Longhand>) = around.iter().partition(|longhand| is_own(longhand));
        changing.extend(from_around.into_iter().filter(|longhand| !declared.contains(longhand.name())));
        let of_text = changing.contains(&Longhand::Color).then_some(Longhand::ALL.iter().copied());
        let is_initial =
            |longhand: &Longhand| seen.specification.get(*longhand).is_some_and(|own| own.value == "initial");
        let of_text = of_text.into_iter().flatten().filter(|longhand| starts_as_text(*longhand) && is_own(longhand));
        let of_text = of_text.filter(|longhand| !is_initial(longhand));
        let alone = own.into_iter().chain(of_text).filter(|longhand| !declared.contains(longhand.name()));
        places.extend(alone.map(|longhand| (element, pseudo, longhand)));
        changing
    }
}

/// Elements of which preflight says that what they have from browsers is inherited.
const PLAIN: [&str; 12] =
    ["a", "button", "h1", "h2", "h3", "h4", "h5", "h6", "input", "optgroup", "select", "textarea"];

/// Whether a value comes from elsewhere.
fn comes_along(own: &SpecifiedValue) -> bool {
    ["inherit", "unset", "currentcolor"].iter().any(|word| own.value.eq_ignore_ascii_case(word))
}

/// The inherited properties that a rule declares.
fn inherited(rule: &Rule) -> impl Iterator<Item = Longhand> + '_ {
    rule.declarations.iter().filter_map(|own| Longhand::from_name(&own.name)).filter(|longhand| longhand.is_inherited())
}
