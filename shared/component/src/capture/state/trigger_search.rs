//! Finds the state triggers of an element's rules: the elements that must be in a state (hovered, focused, …) for the
//! rules to apply.
//!
//! Each interaction state is probed on candidates: the element, its ancestors, their siblings, and possible targets of
//! `:has()`. A candidate is a trigger if its state changes whether a rule block matches.

use super::compound_states;
use super::interaction_states;
use super::interaction_states::INTERACTION_STATES;
use super::state_sources::SiblingClass;
use super::state_trigger::{ProbeResults, RuleSet, StateTrigger};
use crate::capture::diff::rule_resolver::RuleResolver;
use limner_component_model::model::{ElementId, InteractionState, SiblingSide, StateSourceListId, StateTarget};
use limner_page::NodeId;
use limner_style::selector::{State as Action, StateSet};
use limner_style::{HasScope, StateDependentBlock, StateProbe, StyleIndex};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Maximum number of candidates, the nearest first, among the siblings of an element or of one of its ancestors, or for
/// one `:has()`.
const MAX_CANDIDATES: usize = 40;
/// Maximum number of candidates among the siblings of an element and of all its ancestors.
const MAX_CANDIDATES_IN_ALL: usize = 80;
/// Maximum number of candidates while the element itself is in a state.
const MAX_CANDIDATES_IN_STATE: usize = 8;

/// Number of steps from element to element above which a probe counts as long: `:has()` and `~` may visit the whole
/// section each time.
const LONG: u64 = 64;

/// Maximum number of steps of all long probes. Selectors that need more are given up.
const MAX_STEPS: u64 = 20_000_000;

/// A probe of the element whose triggers are searched.
struct TriggerProbe<'a> {
    theme: RuleSet,
    element: ElementId,
    node: NodeId,
    state: usize,
    /// The state of the element itself while another element is probed.
    own_state: Option<usize>,
    /// Caches whether the last block matches in that state alone, by node, block and state.
    resting: Option<((NodeId, usize, Option<usize>), bool)>,
    blocks: Vec<&'a StateDependentBlock>,
    probe: StateProbe<'a, 'a>,
    /// Selectors with a long probe, and the steps of all long probes.
    long: BTreeSet<(RuleSet, u32)>,
    steps: u64,
}

/// The effect of an element's state: the blocks that it changes, by index, and true for those that then match.
type BlockChanges = Vec<(usize, bool)>;

/// Elements whose state has at least the same effect.
struct EquivalentTargets {
    effect: BlockChanges,
    members: BTreeSet<ElementId>,
    /// An element whose state has exactly this effect.
    representative: NodeId,
}

impl TriggerProbe<'_> {
    /// The state of the element at hand, and its node.
    fn own_state(&self) -> Option<(usize, NodeId)> {
        self.own_state.map(|own| (own, self.node))
    }

    /// Returns whether a block matches while an element is in the state, and whether that is a change.
    fn probe(&mut self, block: &StateDependentBlock, at: NodeId) -> (bool, bool) {
        let state = &INTERACTION_STATES[self.state];
        let own_state = self.own_state.map_or(StateSet::NONE, |own| INTERACTION_STATES[own].states());
        let before = self.probe.steps();
        let rest = match own_state.is_empty() {
            true => block.matches_under_states(StateSet::NONE),
            false => self.matches_at_rest(block, own_state),
        };
        let applies = self.probe.matches_under(self.node, block, (state.states(), at), own_state);
        let mut may_end = state.implied_states().filter(|states| !block.states.intersection(*states).is_empty());
        let mut ends = |states| self.probe.matches_under(self.node, block, (states, at), own_state) != rest;
        let counts = applies != rest || may_end.any(&mut ends);
        let steps = self.probe.steps() - before;
        if steps > LONG {
            self.long.insert((self.theme, block.selector));
            self.steps += steps;
        }
        (applies, counts)
    }

    /// Returns true if a block matches while the element at hand alone is in its state: the same for all candidates.
    fn matches_at_rest(&mut self, block: &StateDependentBlock, own_state: StateSet) -> bool {
        let key = (self.node, block.number, self.own_state);
        match self.resting.filter(|(known, _)| *known == key) {
            Some((_, rests)) => rests,
            None => {
                let rests = self.probe.matches(self.node, block, own_state, self.node);
                self.resting = Some((key, rests));
                rests
            }
        }
    }

    /// Returns whether a block matches while an element is in the state; `None` if that is no change.
    fn effect_of(&mut self, block: &StateDependentBlock, at: NodeId) -> Option<bool> {
        let (applies, counts) = self.probe(block, at);
        counts.then_some(applies)
    }
}

impl<'r> RuleResolver<'r> {
    /// Returns the rules of a theme: the component's own if it has no dark theme.
    pub(crate) fn index_for(&self, theme: RuleSet) -> &'r StyleIndex<'r> {
        self.section.request.dark.filter(|_| theme == RuleSet::Dark).unwrap_or(self.section.request.index)
    }

    /// Returns the triggers of the blocks of both themes, in order.
    pub(crate) fn triggers(
        &mut self,
        element: ElementId,
        node: NodeId,
        blocks: &[Vec<StateDependentBlock>; 2],
    ) -> Vec<StateTrigger> {
        let mut triggers: Vec<StateTrigger> = Vec::new();
        for (theme, blocks) in RuleSet::ALL.into_iter().zip(blocks) {
            for trigger in self.theme_triggers(theme, element, node, blocks) {
                if !triggers.iter().any(|own| own.has_same_condition(&trigger)) {
                    triggers.push(trigger);
                }
            }
        }
        let at_once = compound_states::combined_triggers(&triggers);
        triggers.extend(at_once);
        // States of other elements come before those of the element itself.
        triggers.sort_by_key(StateTrigger::sort_key);
        triggers
    }

    /// Returns the triggers of the blocks of one theme.
    fn theme_triggers(
        &mut self,
        theme: RuleSet,
        element: ElementId,
        node: NodeId,
        blocks: &[StateDependentBlock],
    ) -> BTreeSet<StateTrigger> {
        let mut found = BTreeSet::new();
        if blocks.is_empty() {
            return found;
        }
        let index = self.index_for(theme);
        let (long, steps) = (std::mem::take(&mut self.state_sources.long), self.state_sources.steps);
        let probe = index.state_probe();
        let mut asked = TriggerProbe {
            theme,
            element,
            node,
            state: 0,
            own_state: None,
            resting: None,
            blocks: Vec::new(),
            probe,
            long,
            steps,
        };
        for at in 0..INTERACTION_STATES.len() {
            asked.state = at;
            found.extend(self.state_triggers(&mut asked, blocks, None));
        }
        for (own, at) in interaction_states::lasting_state_pairs() {
            asked.state = at;
            found.extend(self.state_triggers(&mut asked, blocks, Some(own)));
        }
        (self.state_sources.long, self.state_sources.steps) = (asked.long, asked.steps);
        found
    }

    /// Returns the triggers, for one interaction state, of the blocks that name it. `own_state` is the state of the
    /// element itself.
    fn state_triggers<'a>(
        &mut self,
        asked: &mut TriggerProbe<'a>,
        blocks: &'a [StateDependentBlock],
        own_state: Option<usize>,
    ) -> Vec<StateTrigger> {
        asked.own_state = own_state;
        let named = |state: usize| INTERACTION_STATES[state].selector_states().iter();
        let wanted: StateSet = named(asked.state).chain(own_state.into_iter().flat_map(named)).copied().collect();
        let names = |block: &&StateDependentBlock| block.states.intersection(wanted) == wanted;
        let (mut found, mut open) = (Vec::new(), Vec::new());
        for block in blocks.iter().filter(names) {
            if asked.steps > MAX_STEPS && asked.long.contains(&(asked.theme, block.selector)) {
                continue;
            }
            let triggers = self.triggers_in_ancestors(asked, block);
            if triggers.is_empty() {
                open.push(block);
            }
            found.extend(triggers);
        }
        if !open.is_empty() {
            asked.blocks = open;
            found.extend(self.other_candidates(asked));
        }
        found
    }

    /// Returns the triggers among the element and its ancestors. An element is hovered whenever a descendant is, so they
    /// are tried from the outside in, and the first that changes whether the block applies is the trigger.
    fn triggers_in_ancestors(&self, asked: &mut TriggerProbe<'_>, block: &StateDependentBlock) -> Vec<StateTrigger> {
        let state = asked.state;
        let mut line = self.ancestor_line(asked.element);
        line.reverse();
        let mut found = Vec::new();
        // Further inside the effect may be the opposite: `ul:hover li:not(:hover)`.
        let mut last = None;
        for id in line {
            let Some(at) = self.section.tree.node(id).filter(|at| self.can_do(state, *at)) else { continue };
            let of = if id == asked.element { StateTarget::SelfElement } else { StateTarget::Ancestor(id) };
            if of == StateTarget::SelfElement && asked.own_state.is_some() {
                continue;
            }
            let (applies, counts) = asked.probe(block, at);
            if last.map_or(counts, |last| applies != last) {
                found.push(StateTrigger {
                    state,
                    target: of,
                    representative: at,
                    match_count: 0,
                    own_state: asked.own_state(),
                });
                last = Some(applies);
            }
        }
        found
    }

    /// Returns an element and its ancestors, from the inside out.
    fn ancestor_line(&self, element: ElementId) -> Vec<ElementId> {
        std::iter::successors(Some(element), |id| self.section.tree.origins[id.0].parent).collect()
    }

    /// Returns the triggers among the siblings of an element and of its ancestors, its descendants, and all other
    /// targets of `:has()`.
    fn other_candidates(&mut self, asked: &mut TriggerProbe<'_>) -> Vec<StateTrigger> {
        let siblings = self.nearest_preceding_siblings(asked);
        let mut tried: BTreeMap<ElementId, BlockChanges> =
            siblings.iter().map(|id| (*id, BlockChanges::new())).collect();
        let mut is_cut = false;
        for (number, block) in asked.blocks.clone().into_iter().enumerate() {
            let found = self.probe_candidates(asked, block, &siblings);
            is_cut |= found.is_cut;
            for (id, effect) in
                found.candidates.iter().filter(|(id, _)| !self.is_inclusive_descendant(asked.element, *id))
            {
                tried.entry(*id).or_default().extend(effect.map(|applies| (number, applies)));
            }
        }
        let mut found = Vec::new();
        for (effect, first) in self.distinct_effects(&tried) {
            let has_all = |own: &BlockChanges| effect.iter().all(|part| own.contains(part));
            let members = tried.iter().filter(|(_, own)| has_all(own)).map(|(id, _)| *id).collect();
            self.state_targets(
                asked,
                &EquivalentTargets { effect, members, representative: first },
                &tried,
                is_cut,
                &mut found,
            );
        }
        found
    }

    /// Probes the candidates of a block. Results for a `:has()` anchored at an ancestor are cached, because they are
    /// the same for all descendants of the anchor.
    fn probe_candidates(
        &mut self,
        asked: &mut TriggerProbe<'_>,
        block: &StateDependentBlock,
        siblings: &[ElementId],
    ) -> Arc<ProbeResults> {
        let key = match block.scope {
            HasScope::Ancestor(anchor) if asked.own_state.is_none() => {
                Some((anchor, asked.theme, block.selector, asked.state))
            }
            _ => None,
        };
        if let Some(known) = key.and_then(|key| self.state_sources.probe_results.get(&key)) {
            return known.clone();
        }
        let (candidates, is_cut) = match block.scope {
            HasScope::Nowhere => (siblings.to_vec(), false),
            _ => self.nearest_has_targets(asked, block),
        };
        let has_meanwhile = asked.own_state.is_some();
        let effect = |id: ElementId| (id, self.section.tree.node(id).and_then(|at| asked.effect_of(block, at)));
        let most = if has_meanwhile { MAX_CANDIDATES_IN_STATE } else { candidates.len() };
        let is_cut = is_cut || most < candidates.len();
        let tries =
            Arc::new(ProbeResults { candidates: candidates.into_iter().take(most).map(effect).collect(), is_cut });
        self.state_sources.probe_results.extend(key.map(|key| (key, tries.clone())));
        tries
    }

    /// Returns the distinct effects, each with the first element that has it.
    fn distinct_effects(&self, tried: &BTreeMap<ElementId, BlockChanges>) -> BTreeMap<BlockChanges, NodeId> {
        let mut effects = BTreeMap::new();
        for (id, effect) in tried.iter().filter(|(_, effect)| !effect.is_empty()) {
            if let Some(at) = self.section.tree.node(*id) {
                effects.entry(effect.clone()).or_insert(at);
            }
        }
        effects
    }

    /// Returns the nearest earlier siblings of an element and of its ancestors that can get into the state.
    fn nearest_preceding_siblings(&mut self, asked: &TriggerProbe<'_>) -> Vec<ElementId> {
        let mut all = Vec::new();
        for pair in self.ancestor_line(asked.element).windows(2) {
            let siblings = self.siblings(pair[1], asked.state);
            let (before, _) = siblings.state_capable_siblings(pair[0]);
            all.extend(before.iter().rev().take(MAX_CANDIDATES.min(MAX_CANDIDATES_IN_ALL - all.len())));
        }
        all
    }

    /// Returns the nearest possible targets of a `:has()`, and true if there are more.
    fn nearest_has_targets(&mut self, asked: &TriggerProbe<'_>, block: &StateDependentBlock) -> (Vec<ElementId>, bool) {
        let all = self.has_selector_targets(asked.theme, block, asked.state);
        let element = asked.element;
        let (before, after) = all.split_at(all.partition_point(|id| *id <= element));
        // A `:has()` anchored at the element itself only finds later elements inside of the same parent.
        let is_own = block.scope == HasScope::Subject;
        let parent = self.section.tree.origins[element.0].parent.unwrap_or(element);
        let is_around = |id: &ElementId| *id == element || self.is_inclusive_descendant(element, *id);
        let mut before = before.iter().rev().copied().filter(|id| !is_own && !is_around(id)).peekable();
        let mut after =
            after.iter().copied().take_while(|id| !is_own || self.is_inclusive_descendant(*id, parent)).peekable();
        let mut found = Vec::new();
        while found.len() < MAX_CANDIDATES {
            let next = match (before.peek(), after.peek()) {
                (Some(earlier), Some(later)) if element.0 - earlier.0 <= later.0 - element.0 => before.next(),
                (Some(_), None) => before.next(),
                _ => after.next(),
            };
            let Some(next) = next else { return (found, false) };
            found.push(next);
        }
        (found, before.next().is_some() || after.next().is_some())
    }

    /// Adds triggers for elements whose states have the same effect, by their relation to the element at hand.
    fn state_targets(
        &mut self,
        asked: &mut TriggerProbe<'_>,
        group: &EquivalentTargets,
        tried: &BTreeMap<ElementId, BlockChanges>,
        is_cut: bool,
        found: &mut Vec<StateTrigger>,
    ) {
        let (element, state) = (asked.element, asked.state);
        let own_state = asked.own_state();
        // Rules about a radio button come after those about the button that it unchecks.
        let is_checked = INTERACTION_STATES[state].selector_states().contains(&Action::Checked);
        let unchecks = is_checked && self.section.request.index.unchecks_another(group.representative);
        let mut follow = |of| {
            found.push(StateTrigger {
                state,
                target: of,
                representative: group.representative,
                match_count: group.effect.len() + usize::from(unchecks),
                own_state,
            })
        };
        if group.members.iter().all(|id| self.is_inclusive_descendant(*id, element)) {
            // Hovering a descendant hovers the element, too: that is found as states of two elements.
            if matches!(INTERACTION_STATES[state].model_states, [InteractionState::Hover, _]) {
                return;
            }
            let list = self.source_list_for(asked, group, tried, is_cut.then_some(element));
            return follow(StateTarget::Descendant(list));
        }
        if let Some(sides) = self.group_by_sibling_side(element, &group.members) {
            for (place, members) in sides {
                let (side, list) = self.sibling_relation(asked, group, tried, place, &members);
                follow(StateTarget::Sibling(side, list));
            }
            return;
        }
        let line = self.ancestor_line(element);
        let ancestor = line
            .into_iter()
            .skip(1)
            .find(|ancestor| group.members.iter().all(|id| self.is_inclusive_descendant(*id, *ancestor)));
        if let Some(ancestor) = ancestor {
            let list = self.source_list_for(asked, group, tried, is_cut.then_some(ancestor));
            follow(StateTarget::Within(ancestor, list));
        }
    }

    /// Returns the list of elements with the same effect. If not all candidates inside of `ancestor` were probed, and
    /// all that were have this effect, it is the list of all candidates there.
    fn source_list_for(
        &mut self,
        asked: &TriggerProbe<'_>,
        group: &EquivalentTargets,
        tried: &BTreeMap<ElementId, BlockChanges>,
        ancestor: Option<ElementId>,
    ) -> StateSourceListId {
        let blocks = || group.effect.iter().map(|(number, _)| asked.blocks[*number]);
        let is_rest_alike = || {
            let mut counting = tried.iter().filter(|(_, own)| !own.is_empty());
            blocks().all(|block| block.scope != HasScope::Nowhere) && counting.all(|(id, _)| group.members.contains(id))
        };
        let all = ancestor.filter(|_| is_rest_alike()).and_then(|ancestor| {
            let selectors = blocks().map(|block| block.selector).collect();
            self.descendant_sources(ancestor, asked.theme, asked.state, selectors)
        });
        all.unwrap_or_else(|| self.state_sources.number(group.members.iter().copied().collect()))
    }

    /// Groups elements by the ancestor (or element) whose siblings they are. Returns `None` unless all of them are such
    /// siblings, and all are earlier ones or all belong to one group.
    fn group_by_sibling_side(
        &self,
        element: ElementId,
        members: &BTreeSet<ElementId>,
    ) -> Option<BTreeMap<LinePosition, Vec<ElementId>>> {
        let line = self.ancestor_line(element);
        let mut sides: BTreeMap<LinePosition, Vec<ElementId>> = BTreeMap::new();
        for id in members {
            let parent = self.section.tree.origins[id.0].parent?;
            let own = line.windows(2).find(|pair| pair[1] == parent).map(|pair| pair[0]).filter(|own| own != id)?;
            sides.entry((own, parent, *id < own)).or_default().push(*id);
        }
        let is_one_way = sides.len() == 1 || sides.keys().all(|(.., is_earlier)| *is_earlier);
        is_one_way.then_some(sides)
    }

    /// Returns whether all siblings on a side count or only the next one, and the list of siblings. The list is
    /// generalized to sibling classes where possible, so that items of which each depends on those before it share a
    /// list.
    fn sibling_relation(
        &mut self,
        asked: &mut TriggerProbe<'_>,
        group: &EquivalentTargets,
        tried: &BTreeMap<ElementId, BlockChanges>,
        (own, parent, is_earlier): LinePosition,
        members: &[ElementId],
    ) -> (SiblingSide, StateSourceListId) {
        let state = asked.state;
        let siblings = self.siblings(parent, state);
        let (before, after) = siblings.state_capable_siblings(own);
        let side = if is_earlier { before } else { after };
        let (far, near) = if is_earlier {
            (SiblingSide::Before, SiblingSide::JustBefore)
        } else {
            (SiblingSide::After, SiblingSide::JustAfter)
        };
        let reach = side.first().zip(side.last());
        let others = reach.into_iter().flat_map(|(first, last)| tried.range(*first..=*last)).map(|(id, _)| *id);
        let is_other = |id: &ElementId| self.section.tree.origins[id.0].parent == Some(parent) && !members.contains(id);
        let others: Vec<ElementId> = others.filter(is_other).collect();
        let of = |ids: &[ElementId], kind: fn(SiblingClass) -> usize| -> BTreeSet<usize> {
            ids.iter().filter_map(|id| siblings.classes(*id)).map(kind).collect()
        };
        let rough = of(members, |classes| classes.by_tag);
        let are_all = |kind| of(members, kind).is_disjoint(&of(&others, kind));
        let is_all = are_all(|classes| classes.by_tag);
        let nearest = if is_earlier { members.last() } else { members.first() };
        let is_next = members.len() == 1 && siblings.next_to(own, far) == nearest.copied();
        let goes_on = is_all
            && nearest.is_some_and(|at| self.generalizes_to_next(asked, group, own, *at, far).unwrap_or(!is_next));
        let (side, classes) = if is_next && !siblings.has_same_class_sibling(own) {
            (near, None)
        } else if is_next && !goes_on {
            (near, Some(rough))
        } else if goes_on {
            (far, Some(rough))
        } else {
            let fine =
                (!is_all && are_all(|classes| classes.by_class)).then(|| of(members, |classes| classes.by_class));
            (far, fine)
        };
        let all = classes.and_then(|classes| self.sources_of_classes(parent, state, classes.into_iter().collect()));
        (side, all.unwrap_or_else(|| self.state_sources.number(members.to_vec())))
    }

    /// Returns true if a sibling's state has the same effect on the next element of the same class; `None` if there is
    /// no such element.
    fn generalizes_to_next(
        &mut self,
        asked: &mut TriggerProbe<'_>,
        group: &EquivalentTargets,
        own: ElementId,
        at: ElementId,
        side: SiblingSide,
    ) -> Option<bool> {
        let parent = self.section.tree.origins[own.0].parent?;
        let alike = self.siblings(parent, asked.state).nearest_equal_sibling(own, side)?;
        // The counterpart of a descendant has the same offset inside of the next element.
        let inner = ElementId(alike.0 + asked.element.0 - own.0);
        let tag = |id: ElementId| self.section.tree.elements.get(id.0).map(|element| &element.tag);
        if tag(inner) != tag(asked.element) || !self.is_inclusive_descendant(inner, alike) {
            return None;
        }
        let (node, at) = (self.section.tree.node(inner)?, self.section.tree.node(at)?);
        let here = std::mem::replace(&mut asked.node, node);
        let goes_on = group.effect.iter().all(|(number, applies)| {
            let block = asked.blocks[*number];
            asked.effect_of(block, at) == Some(*applies)
        });
        asked.node = here;
        Some(goes_on)
    }

    /// Returns true if a selector is given up, because probing it took too many steps.
    pub(crate) fn exceeds_budget(&self, theme: RuleSet, block: &StateDependentBlock) -> bool {
        self.state_sources.steps > MAX_STEPS && self.state_sources.long.contains(&(theme, block.selector))
    }

    /// Returns the model's interaction states for a trigger on an element: the opposite of a state in which the element
    /// starts.
    pub(crate) fn actions(&self, state: usize, at: NodeId) -> Vec<InteractionState> {
        let has =
            |name: &str| self.section.view.document.element(at).is_some_and(|element| element.attr(name).is_some());
        let rests = |state| self.section.request.index.state_probe().is_in_state_at_rest(at, state) == Some(true);
        let actions = INTERACTION_STATES[state].model_states.iter().map(|action| match action {
            InteractionState::Open if has("open") => InteractionState::Closed,
            InteractionState::Checked if has("checked") => InteractionState::Unchecked,
            InteractionState::Disabled if has("disabled") => InteractionState::Enabled,
            InteractionState::PlaceholderShown if rests(Action::PlaceholderShown) => InteractionState::Filled,
            InteractionState::Valid if rests(Action::Valid) => InteractionState::Invalid,
            action => *action,
        });
        actions.collect()
    }

    /// Returns true if an element can get into an interaction state.
    pub(crate) fn can_do(&self, state: usize, node: NodeId) -> bool {
        INTERACTION_STATES[state].selector_states().iter().all(|state| self.can_be(*state, node))
    }

    /// Returns true if an element can get into a CSS state.
    fn can_be(&self, state: Action, node: NodeId) -> bool {
        let Some(element) = self.section.view.document.element(node) else { return false };
        let kind = || element.attr("type").unwrap_or_default().to_ascii_lowercase();
        match state {
            Action::Focus | Action::FocusVisible => self.is_focusable(node),
            Action::Checked => element.is_html("input") && matches!(kind().as_str(), "checkbox" | "radio"),
            Action::Disabled => matches!(element.name(), "button" | "input" | "select" | "textarea" | "fieldset"),
            Action::Open => matches!(element.name(), "details" | "dialog"),
            Action::PopoverOpen => element.attr("popover").is_some(),
            Action::UserValid | Action::UserInvalid => matches!(element.name(), "input" | "select" | "textarea"),
            Action::PlaceholderShown | Action::Valid => {
                self.section.request.index.state_probe().is_in_state_at_rest(node, state).is_some()
            }
            _ => true,
        }
    }

    /// Returns true if a visitor can focus an element (HTML, "focusable area").
    pub(crate) fn is_focusable(&self, node: NodeId) -> bool {
        self.section.view.document.element(node).is_some_and(|element| {
            let has = |name: &str| element.attr(name).is_some();
            let by_kind = match element.name() {
                "a" | "area" => has("href"),
                "audio" | "video" => has("controls"),
                "button" | "input" | "select" | "textarea" | "summary" | "iframe" => true,
                _ => false,
            };
            by_kind || has("tabindex") || has("contenteditable")
        })
    }
}

/// An element of an ancestor line, its parent, and true if earlier siblings are meant.
type LinePosition = (ElementId, ElementId, bool);
