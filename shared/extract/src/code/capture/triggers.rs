//! Finds the state triggers of an element's rules: the elements that must be in a state (hovered, focused, …) for the
//! rules to apply.
//!
//! Each interaction state is probed on candidates: the element, its ancestors, their siblings, and possible targets of
//! `:has()`. A candidate is a trigger if its state changes whether a rule block matches.

use super::acts::{self, ACTS};
use super::at_once;
use super::followed::Kinds;
use super::resolve::Resolver;
use crate::code::model::{ElementId, FollowedId, Side, StateOf, UserAction};
use limner_page::NodeId;
use limner_style::selector::{State as Action, StateSet};
use limner_style::{Looks, StateBlock, StateProbe, StyleIndex};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Maximum number of candidates, the nearest first, among the siblings of an element or of one of its ancestors, or for
/// one `:has()`.
const MAX_TRIED: usize = 40;
/// Maximum number of candidates among the siblings of an element and of all its ancestors.
const MAX_TRIED_IN_ALL: usize = 80;
/// Maximum number of candidates while the element itself is in a state.
const MAX_TRIED_MEANWHILE: usize = 8;

/// Number of steps from element to element above which a probe counts as long: `:has()` and `~` may visit the whole
/// section each time.
const LONG: u64 = 64;

/// Maximum number of steps of all long probes. Selectors that need more are given up.
const MAX_STEPS: u64 = 20_000_000;

/// Sort key of interaction states: the index of one, then a second index for states of two elements.
pub(super) type Stage = (usize, usize);

/// An interaction state of an element that changes the styles of the element at hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Trigger {
    /// The interaction state, as an index in [`ACTS`].
    pub(super) act: usize,
    /// The elements that have to be in the state, relative to the element at hand.
    pub(super) of: StateOf,
    /// One of the target elements.
    pub(super) at: NodeId,
    /// Number of blocks that it affects. Rules about an element that affects more blocks than others come after those
    /// about all.
    pub(super) weight: usize,
    /// The state in which the element at hand is while the target is another element, and the node at hand.
    pub(super) meanwhile: Option<(usize, NodeId)>,
}

impl Trigger {
    /// Returns the sort key of its rules.
    pub(super) fn place(&self) -> (Stage, bool, usize, StateOf) {
        (self.stage(), self.of == StateOf::Itself, self.weight, self.of)
    }

    /// Returns the sort key of its state. Rules about the states of two elements come after those about either, and
    /// before those about `:active`.
    pub(super) fn stage(&self) -> Stage {
        match self.meanwhile {
            None => (self.act, 0),
            Some((own, _)) => (acts::pressing().saturating_sub(1), 1 + own * ACTS.len() + self.act),
        }
    }

    /// Returns true if the states and the elements are the same.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        (self.act, self.of, self.meanwhile) == (other.act, other.of, other.meanwhile)
    }
}

/// The rules that blocks belong to: those of the theme in which a component is made, or those of the dark theme that it
/// has as well.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Theme {
    Base,
    Dark,
}

impl Theme {
    pub(super) const ALL: [Self; 2] = [Self::Base, Self::Dark];
}

/// A probe of the element whose triggers are searched.
struct Asked<'a> {
    theme: Theme,
    element: ElementId,
    node: NodeId,
    act: usize,
    /// The state of the element itself while another element is probed.
    meanwhile: Option<usize>,
    /// Caches whether the last block matches in that state alone, by node, block and state.
    resting: Option<((NodeId, usize, Option<usize>), bool)>,
    blocks: Vec<&'a StateBlock>,
    probe: StateProbe<'a, 'a>,
    /// Selectors with a long probe, and the steps of all long probes.
    long: BTreeSet<(Theme, u32)>,
    steps: u64,
}

/// The effect of an element's state: the blocks that it changes, by index, and true for those that then match.
type Effect = Vec<(usize, bool)>;

/// Probe results: for each candidate, whether a block then matches; `None` if that is no change.
pub(super) struct Tries {
    all: Vec<(ElementId, Option<bool>)>,
    /// True if there are more candidates.
    is_cut: bool,
}

/// Elements whose state has at least the same effect.
struct Alike {
    effect: Effect,
    members: BTreeSet<ElementId>,
    /// An element whose state has exactly this effect.
    at: NodeId,
}

impl Asked<'_> {
    /// The state of the element at hand, and its node.
    fn meanwhile(&self) -> Option<(usize, NodeId)> {
        self.meanwhile.map(|own| (own, self.node))
    }

    /// Returns whether a block matches while an element is in the state, and whether that is a change.
    fn tried_on(&mut self, block: &StateBlock, at: NodeId) -> (bool, bool) {
        let act = &ACTS[self.act];
        let meanwhile = self.meanwhile.map_or(StateSet::NONE, |own| ACTS[own].states());
        let before = self.probe.steps();
        let rest = match meanwhile.is_empty() {
            true => block.matches_in(StateSet::NONE),
            false => self.rests(block, meanwhile),
        };
        let applies = self.probe.matches_while(self.node, block, (act.states(), at), meanwhile);
        let mut may_end = act.lesser().filter(|states| !block.states.intersection(*states).is_empty());
        let mut ends = |states| self.probe.matches_while(self.node, block, (states, at), meanwhile) != rest;
        let counts = applies != rest || may_end.any(&mut ends);
        let steps = self.probe.steps() - before;
        if steps > LONG {
            self.long.insert((self.theme, block.selector));
            self.steps += steps;
        }
        (applies, counts)
    }

    /// Returns true if a block matches while the element at hand alone is in its state: the same for all candidates.
    fn rests(&mut self, block: &StateBlock, meanwhile: StateSet) -> bool {
        let key = (self.node, block.number, self.meanwhile);
        match self.resting.filter(|(known, _)| *known == key) {
            Some((_, rests)) => rests,
            None => {
                let rests = self.probe.matches(self.node, block, meanwhile, self.node);
                self.resting = Some((key, rests));
                rests
            }
        }
    }

    /// Returns whether a block matches while an element is in the state; `None` if that is no change.
    fn effect_on(&mut self, block: &StateBlock, at: NodeId) -> Option<bool> {
        let (applies, counts) = self.tried_on(block, at);
        counts.then_some(applies)
    }
}

impl<'r> Resolver<'r> {
    /// Returns the rules of a theme: the component's own if it has no dark theme.
    pub(super) fn index_in(&self, theme: Theme) -> &'r StyleIndex<'r> {
        self.order.dark.filter(|_| theme == Theme::Dark).unwrap_or(self.order.index)
    }

    /// Returns the triggers of the blocks of both themes, in order.
    pub(super) fn triggers(&mut self, element: ElementId, node: NodeId, blocks: &[Vec<StateBlock>; 2]) -> Vec<Trigger> {
        let mut triggers: Vec<Trigger> = Vec::new();
        for (theme, blocks) in Theme::ALL.into_iter().zip(blocks) {
            for trigger in self.triggers_in(theme, element, node, blocks) {
                if !triggers.iter().any(|own| own.is_like(&trigger)) {
                    triggers.push(trigger);
                }
            }
        }
        let at_once = at_once::of(&triggers);
        triggers.extend(at_once);
        // States of other elements come before those of the element itself.
        triggers.sort_by_key(Trigger::place);
        triggers
    }

    /// Returns the triggers of the blocks of one theme.
    fn triggers_in(
        &mut self,
        theme: Theme,
        element: ElementId,
        node: NodeId,
        blocks: &[StateBlock],
    ) -> BTreeSet<Trigger> {
        let mut found = BTreeSet::new();
        if blocks.is_empty() {
            return found;
        }
        let index = self.index_in(theme);
        let (long, steps) = (std::mem::take(&mut self.followed.long), self.followed.steps);
        let probe = index.state_probe();
        let mut asked = Asked {
            theme,
            element,
            node,
            act: 0,
            meanwhile: None,
            resting: None,
            blocks: Vec::new(),
            probe,
            long,
            steps,
        };
        for at in 0..ACTS.len() {
            asked.act = at;
            found.extend(self.triggers_of(&mut asked, blocks, None));
        }
        for (own, at) in acts::while_acting() {
            asked.act = at;
            found.extend(self.triggers_of(&mut asked, blocks, Some(own)));
        }
        (self.followed.long, self.followed.steps) = (asked.long, asked.steps);
        found
    }

    /// Returns the triggers, for one interaction state, of the blocks that name it. `meanwhile` is the state of the
    /// element itself.
    fn triggers_of<'a>(
        &mut self,
        asked: &mut Asked<'a>,
        blocks: &'a [StateBlock],
        meanwhile: Option<usize>,
    ) -> Vec<Trigger> {
        asked.meanwhile = meanwhile;
        let named = |act: usize| ACTS[act].named().iter();
        let wanted: StateSet = named(asked.act).chain(meanwhile.into_iter().flat_map(named)).copied().collect();
        let names = |block: &&StateBlock| block.states.intersection(wanted) == wanted;
        let (mut found, mut open) = (Vec::new(), Vec::new());
        for block in blocks.iter().filter(names) {
            if asked.steps > MAX_STEPS && asked.long.contains(&(asked.theme, block.selector)) {
                continue;
            }
            let triggers = self.around(asked, block);
            if triggers.is_empty() {
                open.push(block);
            }
            found.extend(triggers);
        }
        if !open.is_empty() {
            asked.blocks = open;
            found.extend(self.elsewhere(asked));
        }
        found
    }

    /// Returns the triggers among the element and its ancestors. An element is hovered whenever a descendant is, so the
    /// outermost one counts.
    fn around(&self, asked: &mut Asked<'_>, block: &StateBlock) -> Vec<Trigger> {
        let act = asked.act;
        let mut line = self.line(asked.element);
        line.reverse();
        let mut found = Vec::new();
        // Further inside the effect may be the opposite: `ul:hover li:not(:hover)`.
        let mut last = None;
        for id in line {
            let Some(at) = self.skeleton.node(id).filter(|at| self.can_do(act, *at)) else { continue };
            let of = if id == asked.element { StateOf::Itself } else { StateOf::Ancestor(id) };
            if of == StateOf::Itself && asked.meanwhile.is_some() {
                continue;
            }
            let (applies, counts) = asked.tried_on(block, at);
            if last.map_or(counts, |last| applies != last) {
                found.push(Trigger { act, of, at, weight: 0, meanwhile: asked.meanwhile() });
                last = Some(applies);
            }
        }
        found
    }

    /// Returns an element and its ancestors, from the inside out.
    fn line(&self, element: ElementId) -> Vec<ElementId> {
        std::iter::successors(Some(element), |id| self.skeleton.bones[id.0].parent).collect()
    }

    /// Returns the triggers among the siblings of an element and of its ancestors, its descendants, and all other
    /// targets of `:has()`.
    fn elsewhere(&mut self, asked: &mut Asked<'_>) -> Vec<Trigger> {
        let siblings = self.beside(asked);
        let mut tried: BTreeMap<ElementId, Effect> = siblings.iter().map(|id| (*id, Effect::new())).collect();
        let mut is_cut = false;
        for (number, block) in asked.blocks.clone().into_iter().enumerate() {
            let found = self.tries(asked, block, &siblings);
            is_cut |= found.is_cut;
            for (id, effect) in found.all.iter().filter(|(id, _)| !self.is_within(asked.element, *id)) {
                tried.entry(*id).or_default().extend(effect.map(|applies| (number, applies)));
            }
        }
        let mut found = Vec::new();
        for (effect, first) in self.effects(&tried) {
            let has_all = |own: &Effect| effect.iter().all(|part| own.contains(part));
            let members = tried.iter().filter(|(_, own)| has_all(own)).map(|(id, _)| *id).collect();
            self.followed_by(asked, &Alike { effect, members, at: first }, &tried, is_cut, &mut found);
        }
        found
    }

    /// Probes the candidates of a block. Results for a `:has()` anchored at an ancestor are cached, because they are
    /// the same for all descendants of the anchor.
    fn tries(&mut self, asked: &mut Asked<'_>, block: &StateBlock, siblings: &[ElementId]) -> Arc<Tries> {
        let key = match block.looks {
            Looks::From(anchor) if asked.meanwhile.is_none() => Some((anchor, asked.theme, block.selector, asked.act)),
            _ => None,
        };
        if let Some(known) = key.and_then(|key| self.followed.tries.get(&key)) {
            return known.clone();
        }
        let (candidates, is_cut) = match block.looks {
            Looks::Nowhere => (siblings.to_vec(), false),
            _ => self.nearest(asked, block),
        };
        let has_meanwhile = asked.meanwhile.is_some();
        let effect = |id: ElementId| (id, self.skeleton.node(id).and_then(|at| asked.effect_on(block, at)));
        let most = if has_meanwhile { MAX_TRIED_MEANWHILE } else { candidates.len() };
        let is_cut = is_cut || most < candidates.len();
        let tries = Arc::new(Tries { all: candidates.into_iter().take(most).map(effect).collect(), is_cut });
        self.followed.tries.extend(key.map(|key| (key, tries.clone())));
        tries
    }

    /// Returns the distinct effects, each with the first element that has it.
    fn effects(&self, tried: &BTreeMap<ElementId, Effect>) -> BTreeMap<Effect, NodeId> {
        let mut effects = BTreeMap::new();
        for (id, effect) in tried.iter().filter(|(_, effect)| !effect.is_empty()) {
            if let Some(at) = self.skeleton.node(*id) {
                effects.entry(effect.clone()).or_insert(at);
            }
        }
        effects
    }

    /// Returns the nearest earlier siblings of an element and of its ancestors that can get into the state.
    fn beside(&mut self, asked: &Asked<'_>) -> Vec<ElementId> {
        let mut all = Vec::new();
        for pair in self.line(asked.element).windows(2) {
            let siblings = self.siblings(pair[1], asked.act);
            let (before, _) = siblings.able_beside(pair[0]);
            all.extend(before.iter().rev().take(MAX_TRIED.min(MAX_TRIED_IN_ALL - all.len())));
        }
        all
    }

    /// Returns the nearest possible targets of a `:has()`, and true if there are more.
    fn nearest(&mut self, asked: &Asked<'_>, block: &StateBlock) -> (Vec<ElementId>, bool) {
        let all = self.looked_at(asked.theme, block, asked.act);
        let element = asked.element;
        let (before, after) = all.split_at(all.partition_point(|id| *id <= element));
        // A `:has()` anchored at the element itself only finds later elements inside of the same parent.
        let is_own = block.looks == Looks::FromItself;
        let parent = self.skeleton.bones[element.0].parent.unwrap_or(element);
        let is_around = |id: &ElementId| *id == element || self.is_within(element, *id);
        let mut before = before.iter().rev().copied().filter(|id| !is_own && !is_around(id)).peekable();
        let mut after = after.iter().copied().take_while(|id| !is_own || self.is_within(*id, parent)).peekable();
        let mut found = Vec::new();
        while found.len() < MAX_TRIED {
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
    fn followed_by(
        &mut self,
        asked: &mut Asked<'_>,
        group: &Alike,
        tried: &BTreeMap<ElementId, Effect>,
        is_cut: bool,
        found: &mut Vec<Trigger>,
    ) {
        let (element, act) = (asked.element, asked.act);
        let meanwhile = asked.meanwhile();
        let mut follow = |of| found.push(Trigger { act, of, at: group.at, weight: group.effect.len(), meanwhile });
        if group.members.iter().all(|id| self.is_within(*id, element)) {
            // Hovering a descendant hovers the element, too: that is found as states of two elements.
            if matches!(ACTS[act].actions, [UserAction::Hover, _]) {
                return;
            }
            let list = self.listed(asked, group, tried, is_cut.then_some(element));
            return follow(StateOf::Descendant(list));
        }
        if let Some(sides) = self.sides(element, &group.members) {
            for (place, members) in sides {
                let (side, list) = self.beside_each_other(asked, group, tried, place, &members);
                follow(StateOf::Sibling(side, list));
            }
            return;
        }
        let line = self.line(element);
        let ancestor =
            line.into_iter().skip(1).find(|ancestor| group.members.iter().all(|id| self.is_within(*id, *ancestor)));
        if let Some(ancestor) = ancestor {
            let list = self.listed(asked, group, tried, is_cut.then_some(ancestor));
            follow(StateOf::Within(ancestor, list));
        }
    }

    /// Returns the list of elements with the same effect. If not all candidates inside of `ancestor` were probed, and
    /// all that were have this effect, it is the list of all candidates there.
    fn listed(
        &mut self,
        asked: &Asked<'_>,
        group: &Alike,
        tried: &BTreeMap<ElementId, Effect>,
        ancestor: Option<ElementId>,
    ) -> FollowedId {
        let blocks = || group.effect.iter().map(|(number, _)| asked.blocks[*number]);
        let is_rest_alike = || {
            let mut counting = tried.iter().filter(|(_, own)| !own.is_empty());
            blocks().all(|block| block.looks != Looks::Nowhere) && counting.all(|(id, _)| group.members.contains(id))
        };
        let all = ancestor.filter(|_| is_rest_alike()).and_then(|ancestor| {
            let selectors = blocks().map(|block| block.selector).collect();
            self.all_inside(ancestor, asked.theme, asked.act, selectors)
        });
        all.unwrap_or_else(|| self.followed.number(group.members.iter().copied().collect()))
    }

    /// Groups elements by the ancestor (or element) whose siblings they are. Returns `None` unless all of them are such
    /// siblings, and all are earlier ones or all belong to one group.
    fn sides(&self, element: ElementId, members: &BTreeSet<ElementId>) -> Option<BTreeMap<Place, Vec<ElementId>>> {
        let line = self.line(element);
        let mut sides: BTreeMap<Place, Vec<ElementId>> = BTreeMap::new();
        for id in members {
            let parent = self.skeleton.bones[id.0].parent?;
            let own = line.windows(2).find(|pair| pair[1] == parent).map(|pair| pair[0]).filter(|own| own != id)?;
            sides.entry((own, parent, *id < own)).or_default().push(*id);
        }
        let is_one_way = sides.len() == 1 || sides.keys().all(|(.., is_earlier)| *is_earlier);
        is_one_way.then_some(sides)
    }

    /// Returns whether all siblings on a side count or only the next one, and the list of siblings. The list is
    /// generalized to sibling classes where possible, so that items of which each depends on those before it share a
    /// list.
    fn beside_each_other(
        &mut self,
        asked: &mut Asked<'_>,
        group: &Alike,
        tried: &BTreeMap<ElementId, Effect>,
        (own, parent, is_earlier): Place,
        members: &[ElementId],
    ) -> (Side, FollowedId) {
        let act = asked.act;
        let siblings = self.siblings(parent, act);
        let (before, after) = siblings.able_beside(own);
        let side = if is_earlier { before } else { after };
        let (far, near) = if is_earlier { (Side::Before, Side::JustBefore) } else { (Side::After, Side::JustAfter) };
        let reach = side.first().zip(side.last());
        let others = reach.into_iter().flat_map(|(first, last)| tried.range(*first..=*last)).map(|(id, _)| *id);
        let is_other = |id: &ElementId| self.skeleton.bones[id.0].parent == Some(parent) && !members.contains(id);
        let others: Vec<ElementId> = others.filter(is_other).collect();
        let of = |ids: &[ElementId], kind: fn(Kinds) -> usize| -> BTreeSet<usize> {
            ids.iter().filter_map(|id| siblings.kinds(*id)).map(kind).collect()
        };
        let rough = of(members, |kinds| kinds.rough);
        let are_all = |kind| of(members, kind).is_disjoint(&of(&others, kind));
        let is_all = are_all(|kinds| kinds.rough);
        let nearest = if is_earlier { members.last() } else { members.first() };
        let is_next = members.len() == 1 && siblings.next_to(own, far) == nearest.copied();
        let goes_on = is_all && nearest.is_some_and(|at| self.goes_on(asked, group, own, *at, far).unwrap_or(!is_next));
        let (side, kinds) = if is_next && !siblings.is_one_of_several(own) {
            (near, None)
        } else if is_next && !goes_on {
            (near, Some(rough))
        } else if goes_on {
            (far, Some(rough))
        } else {
            let fine = (!is_all && are_all(|kinds| kinds.fine)).then(|| of(members, |kinds| kinds.fine));
            (far, fine)
        };
        let all = kinds.and_then(|kinds| self.of_kinds(parent, act, kinds.into_iter().collect()));
        (side, all.unwrap_or_else(|| self.followed.number(members.to_vec())))
    }

    /// Returns true if a sibling's state has the same effect on the next element of the same class; `None` if there is
    /// no such element.
    fn goes_on(
        &mut self,
        asked: &mut Asked<'_>,
        group: &Alike,
        own: ElementId,
        at: ElementId,
        side: Side,
    ) -> Option<bool> {
        let parent = self.skeleton.bones[own.0].parent?;
        let alike = self.siblings(parent, asked.act).alike_across(own, side)?;
        // The counterpart of a descendant has the same offset inside of the next element.
        let inner = ElementId(alike.0 + asked.element.0 - own.0);
        let tag = |id: ElementId| self.skeleton.elements.get(id.0).map(|element| &element.tag);
        if tag(inner) != tag(asked.element) || !self.is_within(inner, alike) {
            return None;
        }
        let (node, at) = (self.skeleton.node(inner)?, self.skeleton.node(at)?);
        let here = std::mem::replace(&mut asked.node, node);
        let goes_on = group.effect.iter().all(|(number, applies)| {
            let block = asked.blocks[*number];
            asked.effect_on(block, at) == Some(*applies)
        });
        asked.node = here;
        Some(goes_on)
    }

    /// Returns true if a selector is given up, because probing it took too many steps.
    pub(super) fn is_given_up(&self, theme: Theme, block: &StateBlock) -> bool {
        self.followed.steps > MAX_STEPS && self.followed.long.contains(&(theme, block.selector))
    }

    /// Returns the model's interaction states for a trigger on an element: the opposite of a state in which the element
    /// starts.
    pub(super) fn actions(&self, act: usize, at: NodeId) -> Vec<UserAction> {
        let has = |name: &str| self.view.document.element(at).is_some_and(|element| element.attr(name).is_some());
        let rests = |state| self.order.index.state_probe().rests_in(at, state) == Some(true);
        let actions = ACTS[act].actions.iter().map(|action| match action {
            UserAction::Open if has("open") => UserAction::Closed,
            UserAction::Checked if has("checked") => UserAction::Unchecked,
            UserAction::Disabled if has("disabled") => UserAction::Enabled,
            UserAction::PlaceholderShown if rests(Action::PlaceholderShown) => UserAction::Filled,
            UserAction::Valid if rests(Action::Valid) => UserAction::Invalid,
            action => *action,
        });
        actions.collect()
    }

    /// Returns true if an element can get into an interaction state.
    pub(super) fn can_do(&self, act: usize, node: NodeId) -> bool {
        ACTS[act].named().iter().all(|state| self.can_be(*state, node))
    }

    /// Returns true if an element can get into a CSS state.
    fn can_be(&self, state: Action, node: NodeId) -> bool {
        let Some(element) = self.view.document.element(node) else { return false };
        let kind = || element.attr("type").unwrap_or_default().to_ascii_lowercase();
        match state {
            Action::Focus | Action::FocusVisible => self.is_focusable(node),
            Action::Checked => element.is_html("input") && matches!(kind().as_str(), "checkbox" | "radio"),
            Action::Disabled => matches!(element.name(), "button" | "input" | "select" | "textarea" | "fieldset"),
            Action::Open => matches!(element.name(), "details" | "dialog"),
            Action::PopoverOpen => element.attr("popover").is_some(),
            Action::UserValid | Action::UserInvalid => matches!(element.name(), "input" | "select" | "textarea"),
            Action::PlaceholderShown | Action::Valid => self.order.index.state_probe().rests_in(node, state).is_some(),
            _ => true,
        }
    }

    /// Returns true if a visitor can focus an element (HTML, "focusable area").
    pub(super) fn is_focusable(&self, node: NodeId) -> bool {
        self.view.document.element(node).is_some_and(|element| {
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
type Place = (ElementId, ElementId, bool);
