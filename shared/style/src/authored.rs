//! What the page's rules say about an element beyond one environment: which states matter, and what conditions ask.

use crate::ConditionId;
use crate::condition::questions::Questions;
use crate::index::{Match, StyleIndex};
use crate::matcher::ElementMatcher;
use crate::selector::{Lookout, PseudoElement, State, StateSet, looked_at_inside};
use crate::sheet::{Effect, Origin};
use limner_page::NodeId;

/// From where a selector looks for elements in states, with `:has()`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Looks {
    /// It does not.
    Nowhere,
    /// From the element that it is about: into it, and to what comes after it.
    FromItself,
    /// From this element around it, or from those around that: for everything inside of this one it finds the same.
    From(NodeId),
    /// From elements beside those too.
    FromAnywhere,
}

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
    /// From where the `:has()` of its selector look that are about states.
    pub looks: Looks,
    /// The number of its selector among all of the page.
    pub selector: u32,
    found: Match,
}

impl StateBlock {
    /// Whether its selector matches when these states hold for every element.
    pub fn matches_in(&self, states: StateSet) -> bool {
        self.found.holds(self.states, states)
    }
}

impl<'d> StyleIndex<'d> {
    /// The page's blocks that can apply to an element or its pseudo-elements and mention states. Where any are about controls
    /// that are disabled, with what the browser says of these.
    pub fn state_blocks(&self, node: NodeId) -> Vec<StateBlock> {
        let mut is_disabled = false;
        for found in self.matches_of(node).iter() {
            let entry = &self.entries[found.entry as usize];
            let is_of_page = self.sheets.rules[entry.rule as usize].origin == Origin::Author;
            is_disabled |= is_of_page && !entry.ignored && entry.mentioned().contains(State::Disabled);
        }
        let blocks = self.matches_of(node).iter().enumerate().filter_map(|(number, found)| {
            let entry = &self.entries[found.entry as usize];
            let rule = &self.sheets.rules[entry.rule as usize];
            let is_meant = match rule.origin {
                Origin::Author => !entry.mentioned().is_empty(),
                _ => is_disabled && entry.mentioned() == StateSet::from_iter([State::Disabled]),
            };
            if entry.ignored || !is_meant {
                return None;
            }
            let sets_custom_properties =
                self.rule_declarations(rule).iter().any(|declaration| matches!(declaration.effect, Effect::Custom(_)));
            let (pseudo, states) = (entry.pseudo, entry.mentioned());
            let looks = match &entry.lookout {
                Lookout::Nowhere => Looks::Nowhere,
                Lookout::Itself => Looks::FromItself,
                Lookout::Anywhere => Looks::FromAnywhere,
                Lookout::Around(compounds) => {
                    let mut around =
                        self.document.ancestors(node).filter_map(|id| Some((id, self.document.element(id)?)));
                    let first = around.find(|(_, element)| compounds.iter().any(|own| own.may_match(element)));
                    first.map_or(Looks::Nowhere, |(around, _)| Looks::From(around))
                }
            };
            let (selector, found) = (found.entry, *found);
            Some(StateBlock { number, pseudo, states, sets_custom_properties, looks, selector, found })
        });
        blocks.collect()
    }

    /// The pseudo-elements that the page's rules say anything about for this element, each once.
    pub fn styled_pseudo_elements(&self, node: NodeId) -> Vec<PseudoElement> {
        let entries = self.matches_of(node).iter().map(|found| &self.entries[found.entry as usize]);
        let of_page = entries.filter(|entry| self.sheets.rules[entry.rule as usize].origin == Origin::Author);
        let mut all: Vec<PseudoElement> = of_page.filter_map(|entry| entry.pseudo).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The values that the page's rules and attributes may give an element or its pseudo-elements, as they are written.
    pub fn possible_values(&self, node: NodeId) -> impl Iterator<Item = &str> {
        let rules = self
            .matches_of(node)
            .iter()
            .map(|found| &self.sheets.rules[self.entries[found.entry as usize].rule as usize]);
        let of_page = rules.filter(|rule| rule.origin == Origin::Author).flat_map(|rule| self.rule_declarations(rule));
        let own = self.inline.get(&node).into_iter().flat_map(|declarations| declarations.iter());
        of_page.chain(own).map(|declaration| &*declaration.value)
    }

    /// Adds what the conditions around the rules that can apply to an element ask about.
    pub fn questions_about(&self, node: NodeId, questions: &mut Questions) {
        let mut last = ConditionId::default();
        for found in self.matches_of(node).iter() {
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

    /// Elements among these whose states a `:has()` in the selector of a block may be about.
    pub fn looked_at<'n>(&self, block: &StateBlock, among: &'n [NodeId]) -> impl Iterator<Item = NodeId> + 'n
    where
        'd: 'n,
    {
        let entry = &self.entries[block.found.entry as usize];
        let rule = &self.sheets.rules[entry.rule as usize];
        let compounds = looked_at_inside(&rule.selectors.slice()[entry.selector as usize]);
        let document = self.document;
        among.iter().copied().filter(move |node| {
            document.element(*node).is_some_and(|element| compounds.iter().any(|own| own.may_match(element)))
        })
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

    /// How many steps from element to element it has taken in all.
    pub fn steps(&self) -> u64 {
        self.matcher.steps()
    }

    /// Whether a block of `node` applies when the visitor does this to `at` and to no other element. Hovering, activating
    /// and focusing within `at` go for the elements around it too.
    pub fn matches(&mut self, node: NodeId, block: &StateBlock, states: StateSet, at: NodeId) -> bool {
        self.matches_while(node, block, (states, at), StateSet::NONE)
    }

    /// The same while the visitor does something to `node` itself, too.
    pub fn matches_while(
        &mut self,
        node: NodeId,
        block: &StateBlock,
        acted: (StateSet, NodeId),
        meanwhile: StateSet,
    ) -> bool {
        self.matcher.matches_at(node, block.found, acted, meanwhile)
    }
}

/// Names and values of the declarations or descriptors in a block, as they are written.
pub fn declarations_in(block: &str) -> Vec<(String, String)> {
    crate::sheet::descriptors(block)
}
