//! Pins inherited values. An element that declares the value which it would inherit anyway must keep that declaration
//! if a state changes the ancestor's value.
//!
//! Before → after: in `a { color: red } a:hover { color: blue } a span { color: red }` the `span` needs no colour at
//! rest, but gets one so that it stays red.

use crate::capture::diff::rule_builder::model_pseudo;
use crate::capture::diff::rule_resolver::RuleResolver;
use crate::capture::diff::value_equivalence::defaults_to_current_color;
use crate::capture::property_key::PropertyKey;
use limner_component_model::model::{Baseline, ElementId, Rule};
use limner_style::property::Longhand;
use limner_style::selector::PseudoElement as Pseudo;
use limner_style::{Origin, SpecifiedValue};
use std::collections::BTreeSet;

type Longhands = BTreeSet<Longhand>;

impl RuleResolver<'_> {
    /// Returns the properties to pin: those for which an element declares the value that it would also inherit, or a
    /// colour that equals its text colour, while a state changes the inherited value or the text colour. Without a
    /// declaration they would change as well.
    pub(crate) fn pins_against_state_changes(&mut self, rules: &[Vec<Rule>]) -> BTreeSet<PropertyKey> {
        let mut places = BTreeSet::new();
        let mut changing: Vec<Longhands> = Vec::with_capacity(rules.len());
        for (at, own) in rules.iter().enumerate() {
            let element = ElementId(at);
            let from_parent =
                self.section.tree.origins[at].parent.map(|parent| changing[parent.0].clone()).unwrap_or_default();
            let inside = self.collect_pins(element, None, &from_parent, own, &mut places);
            for pseudo in [Pseudo::Before, Pseudo::After] {
                if own.iter().any(|rule| rule.pseudo == Some(model_pseudo(pseudo))) {
                    self.collect_pins(element, Some(pseudo), &inside, own, &mut places);
                }
            }
            changing.push(inside);
        }
        places
    }

    /// Returns the inherited properties that change under a state in an element or pseudo-element. `from_parent` are
    /// those that change in its parent. Adds to `places` the properties that the element specifies on its page but does
    /// not declare in the component.
    fn collect_pins(
        &mut self,
        element: ElementId,
        pseudo: Option<Pseudo>,
        from_parent: &Longhands,
        rules: &[Rule],
        places: &mut BTreeSet<PropertyKey>,
    ) -> Longhands {
        let model = pseudo.map(model_pseudo);
        let (acted, resting): (Vec<&Rule>, Vec<&Rule>) =
            rules.iter().filter(|rule| rule.pseudo == model).partition(|rule| rule.state.is_some());
        let mut changing: Longhands = acted.into_iter().flat_map(inherited).collect();
        if from_parent.is_empty() && !changing.contains(&Longhand::Color) {
            return changing;
        }
        let seen = self.inspect(element, pseudo, self.section.environments.desktop());
        // Preflight lets links, headings and controls inherit the values that browsers set on them.
        let tag = self.section.tree.elements[element.0].tag.as_str();
        let is_plain = pseudo.is_none() && self.section.request.baseline == Baseline::Preflight && PLAIN.contains(&tag);
        let is_own = |longhand: &Longhand| {
            let own = seen.specification.get(*longhand);
            own.is_some_and(|own| !is_inherited_value(own) && (is_plain || own.origin != Origin::UserAgent))
        };
        let declared: BTreeSet<&str> =
            resting.iter().flat_map(|rule| rule.declarations.iter().map(|own| &*own.name)).collect();
        let (own, inherited_changes): (Vec<Longhand>, Vec<Longhand>) =
            from_parent.iter().partition(|longhand| is_own(longhand));
        changing.extend(inherited_changes.into_iter().filter(|longhand| !declared.contains(longhand.name())));
        let of_text = changing.contains(&Longhand::Color).then_some(Longhand::ALL.iter().copied());
        let is_initial =
            |longhand: &Longhand| seen.specification.get(*longhand).is_some_and(|own| own.value == "initial");
        let of_text =
            of_text.into_iter().flatten().filter(|longhand| defaults_to_current_color(*longhand) && is_own(longhand));
        let of_text = of_text.filter(|longhand| !is_initial(longhand));
        let alone = own.into_iter().chain(of_text).filter(|longhand| !declared.contains(longhand.name()));
        places.extend(alone.map(|longhand| PropertyKey::new(element, pseudo, longhand)));
        changing
    }
}

/// Elements on which preflight replaces the browser's values by inherited ones.
const PLAIN: [&str; 12] =
    ["a", "button", "h1", "h2", "h3", "h4", "h5", "h6", "input", "optgroup", "select", "textarea"];

/// Returns true if a value is taken from the parent or from the text colour.
fn is_inherited_value(own: &SpecifiedValue) -> bool {
    ["inherit", "unset", "currentcolor"].iter().any(|word| own.value.eq_ignore_ascii_case(word))
}

/// Returns the inherited properties that a rule declares.
fn inherited(rule: &Rule) -> impl Iterator<Item = Longhand> + '_ {
    rule.declarations.iter().filter_map(|own| Longhand::from_name(&own.name)).filter(|longhand| longhand.is_inherited())
}
