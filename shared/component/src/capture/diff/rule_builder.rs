//! Builds rules from declarations, in the order of the normal form.

use crate::capture::state::state_trigger::TriggerOrder;
use limner_component_model::model::{Condition, ConditionRank, Declaration, PseudoElement, Rule, StateCondition};
use limner_style::property::Longhand;
use limner_style::selector::PseudoElement as Pseudo;
use std::collections::BTreeMap;

/// Collects declarations by rule.
#[derive(Default)]
pub(crate) struct RuleBuilder {
    rules: BTreeMap<RuleSortKey, Vec<Declaration>>,
}

/// Sort key of a state: its stage, true for the element's own state, and the number of blocks that the trigger affects.
pub(crate) type StateSortKey = (TriggerOrder, bool, usize);

/// Sort key of a rule in the normal form.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct RuleSortKey {
    /// Rules with a state come after all rules without one.
    state: Option<(StateSortKey, StateCondition)>,
    rank: ConditionRank,
    pseudo: Option<PseudoElement>,
    condition: Condition,
}

impl RuleBuilder {
    /// Adds a declaration to the rule for a condition, a state and a pseudo-element.
    pub(crate) fn add(
        &mut self,
        condition: Condition,
        state: Option<(StateSortKey, StateCondition)>,
        pseudo: Option<Pseudo>,
        declaration: Declaration,
    ) {
        let pseudo = pseudo.map(model_pseudo);
        let rank = condition.rank();
        self.rules.entry(RuleSortKey { state, rank, pseudo, condition }).or_default().push(declaration);
    }

    /// Returns true if a rule without a state declares a property.
    pub(crate) fn declares(&self, pseudo: Option<Pseudo>, longhand: Longhand) -> bool {
        let pseudo = pseudo.map(model_pseudo);
        let mut at_rest = self.rules.iter().filter(|(place, _)| place.state.is_none() && place.pseudo == pseudo);
        at_rest.any(|(_, declarations)| declarations.iter().any(|own| own.name == longhand.name()))
    }

    /// Returns true if a rule with a state generates a pseudo-element.
    pub(crate) fn generates(&self, pseudo: Pseudo) -> bool {
        let own = model_pseudo(pseudo);
        let mut in_states = self.rules.iter().filter(|(place, _)| place.state.is_some() && place.pseudo == Some(own));
        let generates = |own: &Declaration| {
            own.name == Longhand::Content.name() && !matches!(own.value.as_str(), "none" | "normal")
        };
        in_states.any(|(_, declarations)| declarations.iter().any(generates))
    }

    /// Removes the rules of a pseudo-element that is never generated. Every Tailwind class for it would generate it.
    pub(crate) fn remove(&mut self, pseudo: Pseudo) {
        let own = model_pseudo(pseudo);
        self.rules.retain(|place, _| place.pseudo != Some(own));
    }

    /// Declares `content: none` for a pseudo-element at rest, because every Tailwind class for it would generate it.
    pub(crate) fn add_nothing(&mut self, pseudo: Pseudo) {
        let none = || "none".to_owned();
        let declaration = Declaration { name: Longhand::Content.name().into(), value: none(), computed: none() };
        self.add(Condition::default(), None, Some(pseudo), declaration);
    }

    pub(crate) fn rules(self) -> Vec<Rule> {
        let rules = self.rules.into_iter().map(|(place, mut declarations)| {
            declarations.sort_by(|a, b| a.name.cmp(&b.name));
            let state = place.state.map(|(_, state)| state);
            Rule { condition: place.condition, state, pseudo: place.pseudo, declarations }
        });
        rules.collect()
    }
}

/// Converts a pseudo-element of the style engine to the model's.
pub(crate) fn model_pseudo(pseudo: Pseudo) -> PseudoElement {
    match pseudo {
        Pseudo::Before => PseudoElement::Before,
        Pseudo::After => PseudoElement::After,
        Pseudo::Marker => PseudoElement::Marker,
        Pseudo::Placeholder => PseudoElement::Placeholder,
        Pseudo::Selection => PseudoElement::Selection,
        Pseudo::FirstLine => PseudoElement::FirstLine,
        Pseudo::FirstLetter => PseudoElement::FirstLetter,
        Pseudo::FileSelectorButton => PseudoElement::FileSelectorButton,
        Pseudo::Backdrop => PseudoElement::Backdrop,
        Pseudo::Part(name) => PseudoElement::Part(name),
    }
}
