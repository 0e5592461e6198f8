//! Whose states an element's rules are about: on which elements a visitor has to act for them to apply.

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

/// Most elements that are tried beside an element, beside all around it, and for one `:has()`: those nearest to it.
const MAX_TRIED: usize = 40;
const MAX_TRIED_IN_ALL: usize = 80;
/// The same while something is done to the element itself.
const MAX_TRIED_MEANWHILE: usize = 8;

/// Steps from element to element beyond which a try of a selector is a long one: `:has()` and `~` may look at the whole
/// section each time.
const LONG: u64 = 64;

/// Steps that long tries may take in all. Selectors that need more are no longer followed.
const MAX_STEPS: u64 = 20_000_000;

/// Which acts come first: by their number, and what is done to two elements by a second one.
pub(super) type Stage = (usize, usize);

/// Something a visitor does to an element that changes the one at hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Trigger {
    pub(super) act: usize,
    pub(super) of: StateOf,
    /// One of the elements that do.
    pub(super) at: NodeId,
    /// How many blocks it is about: what one element changes more than others comes after what all of them do.
    pub(super) weight: usize,
    /// What is done to the element at hand meanwhile, where another is acted on, and that element.
    pub(super) meanwhile: Option<(usize, NodeId)>,
}

impl Trigger {
    /// Where its rules stand.
    pub(super) fn place(&self) -> (Stage, bool, usize, StateOf) {
        (self.stage(), self.of == StateOf::Itself, self.weight, self.of)
    }

    /// What is done to two elements comes after what is done to either, and before pressing.
    pub(super) fn stage(&self) -> Stage {
        match self.meanwhile {
            None => (self.act, 0),
            Some((own, _)) => (acts::pressing().saturating_sub(1), 1 + own * ACTS.len() + self.act),
        }
    }

    /// Whether it is the same that is done to the same elements.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        (self.act, self.of, self.meanwhile) == (other.act, other.of, other.meanwhile)
    }
}

/// Whose rules blocks are among: those of the theme that a component is made in, or of the dark one that rides along.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Theme {
    Base,
    Dark,
}

impl Theme {
    pub(super) const ALL: [Self; 2] = [Self::Base, Self::Dark];
}

/// An element of which it is asked whose states its blocks are about.
struct Asked<'a> {
    theme: Theme,
    element: ElementId,
    node: NodeId,
    act: usize,
    /// What is done to the element itself meanwhile.
    meanwhile: Option<usize>,
    /// Whether the block that was asked about last applies meanwhile, by node, block and what is done.
    resting: Option<((NodeId, usize, Option<usize>), bool)>,
    blocks: Vec<&'a StateBlock>,
    probe: StateProbe<'a, 'a>,
    /// Selectors of which a try was long, and the steps of all such tries.
    long: BTreeSet<(Theme, u32)>,
    steps: u64,
}

/// What a visitor who acts on an element changes: blocks by number, and whether they apply then.
type Effect = Vec<(usize, bool)>;

/// Elements on which a visitor was made to act, and whether a block applies then, where that makes a difference.
pub(super) struct Tries {
    all: Vec<(ElementId, Option<bool>)>,
    /// Whether there are more.
    is_cut: bool,
}

/// Elements on which acting has the same effect at least.
struct Alike {
    effect: Effect,
    members: BTreeSet<ElementId>,
    /// One on which it has no other.
    at: NodeId,
}

impl Asked<'_> {
    fn meanwhile(&self) -> Option<(usize, NodeId)> {
        self.meanwhile.map(|own| (own, self.node))
    }

    /// Whether a block applies while the visitor acts on an element, and whether that makes a difference.
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

    /// Whether a block applies while something is done to the element itself alone: the same for all that are tried.
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

    /// Whether a block applies while the visitor acts on an element, where that makes a difference.
    fn effect_on(&mut self, block: &StateBlock, at: NodeId) -> Option<bool> {
        let (applies, counts) = self.tried_on(block, at);
        counts.then_some(applies)
    }
}

impl<'r> Resolver<'r> {
    /// The rules of a theme: the component's own where no other rides along.
    pub(super) fn index_in(&self, theme: Theme) -> &'r StyleIndex<'r> {
        self.order.dark.filter(|_| theme == Theme::Dark).unwrap_or(self.order.index)
    }

    /// Who must be hovered, focused or pressed for the blocks of either theme to apply.
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
        // What is done to something around comes before what is done to the element itself.
        triggers.sort_by_key(Trigger::place);
        triggers
    }

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

    /// On what the act has to be done for blocks that name it to apply, and what is done to the element itself `meanwhile`.
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
            let around = self.around(asked, block);
            if around.is_empty() {
                open.push(block);
            }
            found.extend(around);
        }
        if !open.is_empty() {
            asked.blocks = open;
            found.extend(self.elsewhere(asked));
        }
        found
    }

    /// What is around an element, and itself: hovering goes for everything around, so the outermost counts.
    fn around(&self, asked: &mut Asked<'_>, block: &StateBlock) -> Vec<Trigger> {
        let act = asked.act;
        let mut line = self.line(asked.element);
        line.reverse();
        let mut found = Vec::new();
        // Further in it may be the other way round: `ul:hover li:not(:hover)`.
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

    /// An element, then what is around it from the inside out.
    fn line(&self, element: ElementId) -> Vec<ElementId> {
        std::iter::successors(Some(element), |id| self.skeleton.bones[id.0].parent).collect()
    }

    /// What is beside an element or one around it, inside it, and anywhere else where a `:has()` looks.
    fn elsewhere(&mut self, asked: &mut Asked<'_>) -> Vec<Trigger> {
        let beside = self.beside(asked);
        let mut tried: BTreeMap<ElementId, Effect> = beside.iter().map(|id| (*id, Effect::new())).collect();
        let mut is_cut = false;
        for (number, block) in asked.blocks.clone().into_iter().enumerate() {
            let found = self.tries(asked, block, &beside);
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

    /// What acting on the elements that a block may be about changes. What looks from around finds the same for everything
    /// inside of that.
    fn tries(&mut self, asked: &mut Asked<'_>, block: &StateBlock, beside: &[ElementId]) -> Arc<Tries> {
        let key = match block.looks {
            Looks::From(around) if asked.meanwhile.is_none() => Some((around, asked.theme, block.selector, asked.act)),
            _ => None,
        };
        if let Some(known) = key.and_then(|key| self.followed.tries.get(&key)) {
            return known.clone();
        }
        let (candidates, is_cut) = match block.looks {
            Looks::Nowhere => (beside.to_vec(), false),
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

    /// The distinct effects, each with the first element on which acting has it.
    fn effects(&self, tried: &BTreeMap<ElementId, Effect>) -> BTreeMap<Effect, NodeId> {
        let mut effects = BTreeMap::new();
        for (id, effect) in tried.iter().filter(|(_, effect)| !effect.is_empty()) {
            if let Some(at) = self.skeleton.node(*id) {
                effects.entry(effect.clone()).or_insert(at);
            }
        }
        effects
    }

    /// The nearest earlier siblings of an element and of those around it that can get into the state.
    fn beside(&mut self, asked: &Asked<'_>) -> Vec<ElementId> {
        let mut all = Vec::new();
        for pair in self.line(asked.element).windows(2) {
            let siblings = self.siblings(pair[1], asked.act);
            let (before, _) = siblings.able_beside(pair[0]);
            all.extend(before.iter().rev().take(MAX_TRIED.min(MAX_TRIED_IN_ALL - all.len())));
        }
        all
    }

    /// The nearest elements that a `:has()` may be about, and whether there are more.
    fn nearest(&mut self, asked: &Asked<'_>, block: &StateBlock) -> (Vec<ElementId>, bool) {
        let all = self.looked_at(asked.theme, block, asked.act);
        let element = asked.element;
        let (before, after) = all.split_at(all.partition_point(|id| *id <= element));
        // From an element itself only what comes after it is seen, as far as its parent goes.
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

    /// How elements on which acting has the same effect stand to the one at hand.
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
            // Who hovers something inside hovers the element: that is found as what is done to two.
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
        let around =
            line.into_iter().skip(1).find(|around| group.members.iter().all(|id| self.is_within(*id, *around)));
        if let Some(around) = around {
            let list = self.listed(asked, group, tried, is_cut.then_some(around));
            follow(StateOf::Within(around, list));
        }
    }

    /// The list of elements with the same effect; of all that there are inside of an element where not all were tried,
    /// and those that were are alike.
    fn listed(
        &mut self,
        asked: &Asked<'_>,
        group: &Alike,
        tried: &BTreeMap<ElementId, Effect>,
        around: Option<ElementId>,
    ) -> FollowedId {
        let blocks = || group.effect.iter().map(|(number, _)| asked.blocks[*number]);
        let is_rest_alike = || {
            let mut counting = tried.iter().filter(|(_, own)| !own.is_empty());
            blocks().all(|block| block.looks != Looks::Nowhere) && counting.all(|(id, _)| group.members.contains(id))
        };
        let all = around.filter(|_| is_rest_alike()).and_then(|around| {
            let selectors = blocks().map(|block| block.selector).collect();
            self.all_inside(around, asked.theme, asked.act, selectors)
        });
        all.unwrap_or_else(|| self.followed.number(group.members.iter().copied().collect()))
    }

    /// Elements by whom of the line they are beside, when all of them are: all earlier ones, or later ones of one.
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

    /// Whether all siblings on a side count, or the next one only, with all that may be meant: where each item of a list
    /// follows those before it, all of them follow the same list.
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

    /// Whether what acting on a sibling changes for an element, it changes for the next of its kind too, if there is one.
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
        // What is inside has its like at the same place inside of that.
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

    /// Whether a selector is no longer followed, because finding out about it took too long.
    pub(super) fn is_given_up(&self, theme: Theme, block: &StateBlock) -> bool {
        self.followed.steps > MAX_STEPS && self.followed.long.contains(&(theme, block.selector))
    }

    /// What a visitor does to an element, which is the opposite where markup says that it is so already.
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

    /// Whether a visitor can do that to an element.
    pub(super) fn can_do(&self, act: usize, node: NodeId) -> bool {
        ACTS[act].named().iter().all(|state| self.can_be(*state, node))
    }

    /// Whether an element can get into a state.
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

    /// Whether a visitor can give an element the focus (HTML, "focusable area").
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

/// An element of a line, its parent, and whether it is about earlier siblings.
type Place = (ElementId, ElementId, bool);
