//! Builds rules from declarations, in the order of the normal form.

use super::triggers::Stage;
use crate::code::model::{Condition, ConditionRank, Declaration, PseudoElement, Rule, State};
use limner_style::property::Longhand;
use limner_style::selector::PseudoElement as Pseudo;
use std::collections::BTreeMap;

/// Collects declarations by rule.
#[derive(Default)]
pub(super) struct Collector {
    rules: BTreeMap<Standing, Vec<Declaration>>,
}

/// Sort key of a state: its stage, true for the element's own state, and the number of blocks that the trigger affects.
pub(super) type StateOrder = (Stage, bool, usize);

/// Sort key of a rule in the normal form.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Standing {
    /// Rules with a state come after all rules without one.
    state: Option<(StateOrder, State)>,
    rank: ConditionRank,
    pseudo: Option<PseudoElement>,
    condition: Condition,
}

impl Collector {
    /// Adds a declaration to the rule for a condition, a state and a pseudo-element.
    pub(super) fn add(
        &mut self,
        condition: Condition,
        state: Option<(StateOrder, State)>,
        pseudo: Option<Pseudo>,
        declaration: Declaration,
    ) {
        let pseudo = pseudo.map(model_pseudo);
        let rank = condition.rank();
        self.rules.entry(Standing { state, rank, pseudo, condition }).or_default().push(declaration);
    }

    /// Returns true if a rule without a state declares a property.
    pub(super) fn declares(&self, pseudo: Option<Pseudo>, longhand: Longhand) -> bool {
        let pseudo = pseudo.map(model_pseudo);
        let mut at_rest = self.rules.iter().filter(|(place, _)| place.state.is_none() && place.pseudo == pseudo);
        at_rest.any(|(_, declarations)| declarations.iter().any(|own| own.name == longhand.name()))
    }

    /// Returns true if a rule with a state generates a pseudo-element.
    pub(super) fn generates(&self, pseudo: Pseudo) -> bool {
        let own = model_pseudo(pseudo);
        let mut in_states = self.rules.iter().filter(|(place, _)| place.state.is_some() && place.pseudo == Some(own));
        in_states.any(|(_, declarations)| declarations.iter().any(|own| own.name == Longhand::Content.name()))
    }

    /// Declares `content: none` for a pseudo-element at rest, because every Tailwind class for it would generate it.
    pub(super) fn add_nothing(&mut self, pseudo: Pseudo) {
        let none = || "none".to_owned();
        let declaration = Declaration { name: Longhand::Content.name().into(), value: none(), computed: none() };
        self.add(Condition::default(), None, Some(pseudo), declaration);
    }

    pub(super) fn rules(self) -> Vec<Rule> {
        let rules = self.rules.into_iter().map(|(place, mut declarations)| {
            declarations.sort_by(|a, b| a.name.cmp(&b.name));
            let state = place.state.map(|(_, state)| state);
            Rule { condition: place.condition, state, pseudo: place.pseudo, declarations }
        });
        rules.collect()
    }
}

/// Converts a pseudo-element of the style engine to the model's.
pub(super) fn model_pseudo(pseudo: Pseudo) -> PseudoElement {
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
