//! State-dependent blocks of an element, probes of the elements whose states they depend on, and the features that the
//! conditions of its rules query.

use crate::ConditionId;
use crate::condition::queried_features::QueriedFeatures;
use crate::index::{Match, StyleIndex};
use crate::matcher::ElementMatcher;
use crate::property::Longhand;
use crate::selector::{HasScopeSelector, PseudoElement, State, StateSet, has_argument_compounds};
use crate::sheet::{Declaration, DeclarationMeaning, Inline, Origin};
use limner_page::NodeId;
use std::sync::Arc;

/// The anchor of a `:has()` that depends on an interaction state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HasScope {
    /// The selector has no `:has()` that depends on states.
    Nowhere,
    /// Anchored at the subject itself: the `:has()` searches its descendants and its later siblings.
    Subject,
    /// Anchored at this ancestor or at ancestors of it, so the result is the same for every descendant of this one.
    Ancestor(NodeId),
    /// Anchored at siblings of the subject or of its ancestors too.
    Anywhere,
}

/// A declaration block whose selector depends on interaction states.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StateDependentBlock {
    /// Index among the matches of the element, as `LoadedStylesheets` takes it.
    pub number: usize,
    /// The pseudo-element that the block styles; `None` for the element itself.
    pub pseudo: Option<PseudoElement>,
    /// The states that the selector mentions.
    pub states: StateSet,
    /// True if the block sets custom properties, which descendants may use.
    pub sets_custom_properties: bool,
    /// The anchor of the state-dependent `:has()` in the selector.
    pub scope: HasScope,
    /// Index of the selector among all selectors of the page.
    pub selector: u32,
    matched: Match,
}

impl StateDependentBlock {
    /// Returns true if the selector matches when these states hold for every element.
    pub fn matches_under_states(&self, states: StateSet) -> bool {
        self.matched.matches_under(self.states, states)
    }
}

impl<'d> StyleIndex<'d> {
    /// Returns the page's blocks that can apply to an element or its pseudo-elements and depend on states. If any of
    /// them mentions `:disabled` (or `:enabled`), the user agent's blocks about disabled controls are included.
    pub fn state_blocks(&self, node: NodeId) -> Vec<StateDependentBlock> {
        let mut is_disabled = false;
        for found in self.matches_for(node).iter() {
            let entry = &self.entries[found.entry as usize];
            let is_of_page = self.sheets.rules[entry.rule as usize].origin == Origin::Author;
            is_disabled |= is_of_page && !entry.ignored && entry.mentioned().contains(State::Disabled);
        }
        let blocks = self.matches_for(node).iter().enumerate().filter_map(|(number, found)| {
            let entry = &self.entries[found.entry as usize];
            let rule = &self.sheets.rules[entry.rule as usize];
            let is_meant = match rule.origin {
                Origin::Author => !entry.mentioned().is_empty(),
                _ => is_disabled && entry.mentioned() == StateSet::from_iter([State::Disabled]),
            };
            if entry.ignored || !is_meant {
                return None;
            }
            let sets_custom_properties = self
                .rule_declarations(rule)
                .iter()
                .any(|declaration| matches!(declaration.effect, DeclarationMeaning::Custom(_)));
            let (pseudo, states) = (entry.pseudo, entry.mentioned());
            let looks = match &entry.has_scope {
                HasScopeSelector::Nowhere => HasScope::Nowhere,
                HasScopeSelector::Itself => HasScope::Subject,
                HasScopeSelector::Anywhere => HasScope::Anywhere,
                HasScopeSelector::Ancestor(compounds) => {
                    let mut around =
                        self.document.ancestors(node).filter_map(|id| Some((id, self.document.element(id)?)));
                    let first = around.find(|(_, element)| compounds.iter().any(|own| own.may_match(element)));
                    first.map_or(HasScope::Nowhere, |(around, _)| HasScope::Ancestor(around))
                }
            };
            let (selector, found) = (found.entry, *found);
            Some(StateDependentBlock {
                number,
                pseudo,
                states,
                sets_custom_properties,
                scope: looks,
                selector,
                matched: found,
            })
        });
        blocks.collect()
    }

    /// Returns the pseudo-elements of this element that the page's rules style, each once.
    pub fn styled_pseudo_elements(&self, node: NodeId) -> Vec<PseudoElement> {
        let entries = self.matches_for(node).iter().map(|found| &self.entries[found.entry as usize]);
        let of_page = entries.filter(|entry| self.sheets.rules[entry.rule as usize].origin == Origin::Author);
        let mut all: Vec<PseudoElement> = of_page.filter_map(|entry| entry.pseudo).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Returns false if an element has no rule that can give its `::before` or `::after` content, under any condition
    /// and state.
    pub fn may_generate_content(&self, node: NodeId, pseudo: PseudoElement) -> bool {
        let sets_content = |declaration: &Declaration| match &declaration.effect {
            // Keyframes may contain it.
            DeclarationMeaning::Longhands(list) => {
                list.iter().any(|own| matches!(own.longhand, Longhand::Content | Longhand::AnimationName))
            }
            DeclarationMeaning::Custom(_) | DeclarationMeaning::Invalid => false,
        };
        let entries = self.matches_for(node).iter().map(|found| &self.entries[found.entry as usize]);
        let mut rules = entries.filter(|entry| entry.pseudo == Some(pseudo));
        rules.any(|entry| self.rule_declarations(&self.sheets.rules[entry.rule as usize]).iter().any(sets_content))
    }

    /// Returns the values that the page's rules and attributes may give an element or its pseudo-elements, as written.
    pub fn possible_values(&self, node: NodeId) -> impl Iterator<Item = &str> {
        let rules = self
            .matches_for(node)
            .iter()
            .map(|found| &self.sheets.rules[self.entries[found.entry as usize].rule as usize]);
        let of_page = rules.filter(|rule| rule.origin == Origin::Author).flat_map(|rule| self.rule_declarations(rule));
        let own = self.inline.get(&node).into_iter().flat_map(|declarations| declarations.iter());
        of_page.chain(own).map(|declaration| &*declaration.value)
    }

    /// Adds the features that the conditions of the rules which can apply to an element query.
    pub fn add_queried_features(&self, node: NodeId, questions: &mut QueriedFeatures) {
        let mut last = ConditionId::default();
        for found in self.matches_for(node).iter() {
            let entry = &self.entries[found.entry as usize];
            let condition = self.sheets.rules[entry.rule as usize].condition;
            if condition != last {
                self.sheets.conditions.questions(condition, questions);
                last = condition;
            }
        }
        if self.value_features.conditional {
            self.possible_values(node).for_each(|value| questions.add_features_in_value(value));
            self.functions.add_queried_features(questions);
        }
    }

    /// Returns an id that is equal for elements whose matched rules are the same, leaving out `style` and other
    /// attributes.
    pub fn rule_list_id(&self, node: NodeId) -> u32 {
        self.list_of.get(node.index()).copied().unwrap_or(0)
    }

    /// Returns an id that is equal for elements with equal declarations in their `style` attributes and presentational
    /// hints.
    pub fn attribute_list_id(&self, node: NodeId) -> (usize, usize) {
        let address = |of: Option<&Arc<Inline>>| of.map_or(0, |list| Arc::as_ptr(list) as usize);
        (address(self.inline.get(&node)), address(self.hints.get(&node)))
    }

    /// Returns true if an element has declarations in its `style` attribute or as presentational hints.
    pub fn has_attribute_declarations(&self, node: NodeId) -> bool {
        self.inline.contains_key(&node) || self.hints.contains_key(&node)
    }

    /// Returns the elements among these whose states a `:has()` in the block's selector may depend on.
    pub fn has_targets<'n>(&self, block: &StateDependentBlock, among: &'n [NodeId]) -> impl Iterator<Item = NodeId> + 'n
    where
        'd: 'n,
    {
        let entry = &self.entries[block.matched.entry as usize];
        let rule = &self.sheets.rules[entry.rule as usize];
        let compounds = has_argument_compounds(&rule.selectors.slice()[entry.selector as usize]);
        let document = self.document;
        among.iter().copied().filter(move |node| {
            document.element(*node).is_some_and(|element| compounds.iter().any(|own| own.may_match(element)))
        })
    }

    /// Creates a probe that finds out whose states blocks depend on.
    pub fn state_probe(&self) -> StateProbe<'_, 'd> {
        StateProbe { matcher: ElementMatcher::probing(self) }
    }
}

/// Matches selectors under the assumption that the visitor acts on one element alone.
pub struct StateProbe<'i, 'd> {
    matcher: ElementMatcher<'i, 'd>,
}

impl StateProbe<'_, '_> {
    /// Lets the checked radio button of a group be unchecked while another one is checked. Without it each button is
    /// probed on its own, so that an effect is found for the button that a selector names.
    #[must_use]
    pub fn keeping_radio_groups(self) -> Self {
        Self { matcher: self.matcher.keeping_radio_groups() }
    }

    /// Returns true if an element is in `state` at rest, as its markup has it; `None` if the element can never be in
    /// that state, or markup does not decide it.
    pub fn is_in_state_at_rest(&self, node: NodeId, state: State) -> Option<bool> {
        self.matcher.is_in_state_at_rest(node, state)
    }

    /// Returns the number of steps from element to element taken so far.
    pub fn steps(&self) -> u64 {
        self.matcher.steps()
    }

    /// Returns true if a block of `node` applies when `states` hold for `at` and for no other element. Hovering,
    /// activating and focusing within `at` apply to its ancestors too.
    pub fn matches(&mut self, node: NodeId, block: &StateDependentBlock, states: StateSet, at: NodeId) -> bool {
        self.matches_under(node, block, (states, at), StateSet::NONE)
    }

    /// Like [`Self::matches`], with the states `own_states` holding for `node` as well.
    pub fn matches_under(
        &mut self,
        node: NodeId,
        block: &StateDependentBlock,
        acted: (StateSet, NodeId),
        own_states: StateSet,
    ) -> bool {
        self.matcher.matches_at(node, block.matched, acted, own_states)
    }
}

/// Returns names and values of the declarations or descriptors in a block, as written.
pub fn declarations_in(block: &str) -> Vec<(String, String)> {
    crate::sheet::descriptors(block)
}
