//! What the page's rules say about an element beyond one environment: which states matter, and what conditions ask.

use crate::ConditionId;
use crate::condition::questions::Questions;
use crate::index::{Match, StyleIndex};
use crate::matcher::ElementMatcher;
use crate::selector::{PseudoElement, State, StateSet};
use crate::sheet::{Effect, Origin};
use limner_page::NodeId;

/// A block of declarations whose selector mentions states.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StateBlock {
    /// The match's number among those of the element: what [`crate::Styles::specified`] asks about.
    pub number: usize,
    /// The pseudo-element it is about.
    pub pseudo: Option<PseudoElement>,
    /// The states that its selector mentions.
    pub states: StateSet,
    /// Whether it sets custom properties, which descendants may use.
    pub sets_custom_properties: bool,
    found: Match,
}

impl StateBlock {
    /// Whether its selector matches when these states hold for every element.
    pub fn matches_in(&self, states: StateSet) -> bool {
        self.found.holds(self.states, states)
    }
}

impl<'d> StyleIndex<'d> {
    /// The page's blocks that can apply to an element or its pseudo-elements and mention states.
    pub fn state_blocks(&self, node: NodeId) -> Vec<StateBlock> {
        let list = self.list_of.get(node.index()).map_or(0, |list| *list as usize);
        let blocks = self.lists[list].iter().enumerate().filter_map(|(number, found)| {
            let entry = &self.entries[found.entry as usize];
            let rule = &self.sheets.rules[entry.rule as usize];
            if entry.ignored || entry.mentioned().is_empty() || rule.origin != Origin::Author {
                return None;
            }
            let sets_custom_properties =
                self.rule_declarations(rule).iter().any(|declaration| matches!(declaration.effect, Effect::Custom(_)));
            let (pseudo, states) = (entry.pseudo, entry.mentioned());
            Some(StateBlock { number, pseudo, states, sets_custom_properties, found: *found })
        });
        blocks.collect()
    }

    /// The pseudo-elements that the page's rules say anything about for this element, each once.
    pub fn styled_pseudo_elements(&self, node: NodeId) -> Vec<PseudoElement> {
        let list = self.list_of.get(node.index()).map_or(0, |list| *list as usize);
        let entries = self.lists[list].iter().map(|found| &self.entries[found.entry as usize]);
        let of_page = entries.filter(|entry| self.sheets.rules[entry.rule as usize].origin == Origin::Author);
        let mut all: Vec<PseudoElement> = of_page.filter_map(|entry| entry.pseudo).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Adds what the conditions around the rules that can apply to an element ask about.
    pub fn questions_about(&self, node: NodeId, questions: &mut Questions) {
        let list = self.list_of.get(node.index()).map_or(0, |list| *list as usize);
        let mut last = ConditionId::default();
        for found in self.lists[list].iter() {
            let entry = &self.entries[found.entry as usize];
            let condition = self.sheets.rules[entry.rule as usize].condition;
            if condition != last {
                self.sheets.conditions.questions(condition, questions);
                last = condition;
            }
        }
    }

    /// The number that elements share whose rules are the same, `style` and other attributes aside.
    pub fn rule_list(&self, node: NodeId) -> u32 {
        self.list_of.get(node.index()).copied().unwrap_or(0)
    }

    /// Whether an element has declarations in attributes.
    pub fn has_own_declarations(&self, node: NodeId) -> bool {
        self.inline.contains_key(&node) || self.hints.contains_key(&node)
    }

    /// Tells whose states blocks are about.
    pub fn state_probe(&self) -> StateProbe<'_, 'd> {
        StateProbe { matcher: ElementMatcher::probing(self) }
    }
}

/// Tries selectors with a visitor who acts on one element alone.
pub struct StateProbe<'i, 'd> {
    matcher: ElementMatcher<'i, 'd>,
}

impl StateProbe<'_, '_> {
    /// Whether an element is in a state as its markup has it; `None` where it can never be, or markup does not tell.
    pub fn rests_in(&self, node: NodeId, state: State) -> Option<bool> {
        self.matcher.rests_in(node, state)
    }

    /// Whether a block of `node` applies when the visitor does this to `at` and to no other element. Hovering, activating
    /// and focusing within `at` go for the elements around it too.
    pub fn matches(&mut self, node: NodeId, block: &StateBlock, states: StateSet, at: NodeId) -> bool {
        self.matcher.matches_at(node, block.found, states, at)
    }
}

/// Names and values of the declarations or descriptors in a block, as they are written.
pub fn declarations_in(block: &str) -> Vec<(String, String)> {
    crate::sheet::descriptors(block)
}
