//! What hovering, focusing, pressing and switching change, and on which element the visitor does it.

use super::alike::{is_text_color, starts_as_text};
use super::collector::{Collector, model_pseudo};
use super::encode;
use super::resolve::{Place, Resolver};
use crate::code::model::{Declaration, ElementId, PseudoElement, Rule, State, StateOf, UserAction};
use limner_page::NodeId;
use limner_style::property::Longhand;
use limner_style::selector::{PseudoElement as Pseudo, State as Action, StateSet};
use limner_style::{Origin, Specification, StateBlock};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// Actions in the order in which their rules stand, each with what else holds while a visitor does it. Those that markup
/// tells stand for their opposites too.
const ACTIONS: [(UserAction, &[Action]); 10] = [
    (UserAction::Open, &[Action::Open]),
    (UserAction::Checked, &[Action::Checked]),
    (UserAction::PlaceholderShown, &[Action::PlaceholderShown]),
    // What becomes valid, or invalid, has been filled in.
    (UserAction::Valid, &[Action::Valid, Action::PlaceholderShown]),
    (UserAction::FocusWithin, &[Action::FocusWithin]),
    (UserAction::Hover, &[Action::Hover]),
    (UserAction::Focus, &[Action::Focus, Action::FocusWithin]),
    (UserAction::FocusVisible, &[Action::FocusVisible, Action::Focus, Action::FocusWithin]),
    (UserAction::Active, &[Action::Active, Action::Hover]),
    (UserAction::Disabled, &[Action::Disabled]),
];

/// Most earlier siblings and inner elements that are tried.
const MAX_TRIED: usize = 40;

/// Most earlier siblings that one rule follows: what comes after all of a list would have a rule for each of it.
const MAX_FOLLOWED: usize = 8;

/// Something a visitor does to an element that changes the one at hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Trigger {
    action: usize,
    of: StateOf,
    at: NodeId,
}

impl Resolver<'_> {
    /// Adds the rules that an element and its pseudo-elements have under states.
    pub(super) fn collect_states(&mut self, element: ElementId, collector: &mut Collector) {
        let bone = self.skeleton.bones[element.0];
        if bone.source != 0 || bone.is_copy {
            return;
        }
        let blocks = self.order.index.state_blocks(bone.node);
        if blocks.is_empty() {
            return;
        }
        let triggers = self.triggers(element, bone.node, &blocks);
        let mut pseudos: BTreeSet<Option<Pseudo>> = blocks.iter().map(|block| block.pseudo).collect();
        if blocks.iter().any(|block| block.sets_custom_properties) {
            pseudos.extend(self.order.index.styled_pseudo_elements(bone.node).into_iter().map(Some));
        }
        for pseudo in pseudos {
            let is_there = match pseudo {
                None | Some(Pseudo::Before | Pseudo::After | Pseudo::Placeholder | Pseudo::Marker) => true,
                Some(Pseudo::FileSelectorButton) => self.chooses_files(element),
                Some(Pseudo::Part(name)) => self.has_part(element, name),
                _ => false,
            };
            if is_there {
                self.collect_triggered(element, bone.node, pseudo, &blocks, &triggers, collector);
            }
        }
    }

    /// Who must be hovered, focused or pressed for the blocks to apply.
    fn triggers(&self, element: ElementId, node: NodeId, blocks: &[StateBlock]) -> Vec<Trigger> {
        let mut probe = self.order.index.state_probe();
        let mut found = BTreeSet::new();
        let candidates = self.candidates(element, node);
        for (action, (_, held)) in ACTIONS.iter().enumerate() {
            let states: StateSet = held.iter().copied().collect();
            for block in blocks.iter().filter(|block| block.states.contains(held[0])) {
                let rest = block.matches_in(StateSet::NONE);
                // `:hover:not(:active)` ends what hovering began, though it looks as at rest then.
                let without: StateSet = held[1..].iter().copied().collect();
                let may_end = !block.states.intersection(without).is_empty();
                let takes_part = |at: NodeId| self.can_be(held[0], at);
                let mut tried = candidates.iter().filter(|(_, at)| takes_part(*at)).map(|(of, at)| {
                    let applies = probe.matches(node, block, states, *at);
                    let counts = applies != rest || (may_end && probe.matches(node, block, without, *at) != rest);
                    (*of, *at, applies, counts)
                });
                let Some((of, at, applies, _)) = tried.find(|(.., counts)| *counts) else { continue };
                found.insert(Trigger { action, of, at });
                if matches!(of, StateOf::Sibling(_)) {
                    // Any of them will do: `input:checked ~ label`.
                    let others =
                        tried.take_while(|(of, ..)| matches!(of, StateOf::Sibling(_))).filter(|(.., counts)| *counts);
                    found.extend(others.take(MAX_FOLLOWED - 1).map(|(of, at, ..)| Trigger { action, of, at }));
                    continue;
                }
                if !matches!(of, StateOf::Ancestor(_)) {
                    continue;
                }
                // Further in it may be the other way round: `ul:hover li:not(:hover)`.
                let mut last = applies;
                for (of, at, applies, _) in
                    tried.take_while(|(of, ..)| matches!(of, StateOf::Ancestor(_) | StateOf::Itself))
                {
                    if applies != last {
                        found.insert(Trigger { action, of, at });
                        last = applies;
                    }
                }
            }
        }
        // What is done to something around comes before what is done to the element itself.
        let mut triggers: Vec<Trigger> = found.into_iter().collect();
        triggers.sort_by_key(|trigger| (trigger.action, trigger.of == StateOf::Itself, trigger.of));
        triggers
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
            Action::PlaceholderShown | Action::Valid => self.order.index.state_probe().rests_in(node, state).is_some(),
            _ => true,
        }
    }

    /// What a visitor does to an element, which is the opposite where markup says that it is so already.
    fn action(&self, trigger: &Trigger) -> UserAction {
        let has =
            |name: &str| self.view.document.element(trigger.at).is_some_and(|element| element.attr(name).is_some());
        let rests = |state| self.order.index.state_probe().rests_in(trigger.at, state) == Some(true);
        match ACTIONS[trigger.action].0 {
            UserAction::Open if has("open") => UserAction::Closed,
            UserAction::Checked if has("checked") => UserAction::Unchecked,
            UserAction::Disabled if has("disabled") => UserAction::Enabled,
            UserAction::PlaceholderShown if rests(Action::PlaceholderShown) => UserAction::Filled,
            UserAction::Valid if rests(Action::Valid) => UserAction::Invalid,
            action => action,
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

    /// Elements whose states could matter, those from the outside in first: hovering goes for everything around.
    fn candidates(&self, element: ElementId, node: NodeId) -> Vec<(StateOf, NodeId)> {
        let mut around = Vec::new();
        let mut at = self.skeleton.bones[element.0].parent;
        while let Some(parent) = at {
            around.push(parent);
            at = self.skeleton.bones[parent.0].parent;
        }
        let in_place = |id: ElementId| self.skeleton.node(id);
        let mut siblings = Vec::new();
        for inner in std::iter::once(element).chain(around.iter().copied()) {
            let Some(parent) = self.skeleton.bones[inner.0].parent else { continue };
            let before = self.skeleton.elements[parent.0].children.iter().filter_map(|child| match child {
                crate::code::model::Child::Element(id) if *id < inner => Some(*id),
                _ => None,
            });
            siblings.extend(before.take(MAX_TRIED));
            if siblings.len() >= MAX_TRIED {
                break;
            }
        }
        let end = self.view.document.subtree_end(node);
        let inside = (element.0 + 1..self.skeleton.bones.len())
            .map(ElementId)
            .take_while(|id| in_place(*id).is_some_and(|inner| inner.index() < end))
            .take(MAX_TRIED);
        let ancestors = around.iter().rev().filter_map(|id| Some((StateOf::Ancestor(*id), in_place(*id)?)));
        let own = std::iter::once((StateOf::Itself, node));
        let siblings = siblings.iter().filter_map(|id| Some((StateOf::Sibling(*id), in_place(*id)?)));
        let inside = inside.filter_map(|id| Some((StateOf::Descendant(id), in_place(id)?)));
        ancestors.chain(own).chain(siblings).chain(inside).collect()
    }

    fn collect_triggered(
        &mut self,
        element: ElementId,
        node: NodeId,
        pseudo: Option<Pseudo>,
        blocks: &[StateBlock],
        triggers: &[Trigger],
        collector: &mut Collector,
    ) {
        let base = &self.view.base;
        let cells = self.grid.len();
        let resting: Vec<Option<Specification>> =
            (0..cells).map(|cell| self.styles[cell].specified(node, pseudo, base, &|_| None)).collect();
        let mut emitted: Vec<(Trigger, Longhand, Vec<String>)> = Vec::new();
        for trigger in triggers {
            let (_, held) = ACTIONS[trigger.action];
            let states: StateSet = held.iter().copied().collect();
            let mut probe = self.order.index.state_probe();
            let applies: BTreeMap<usize, bool> =
                blocks.iter().map(|block| (block.number, probe.matches(node, block, states, trigger.at))).collect();
            drop(probe);
            let acted: Vec<Option<Specification>> = (0..cells)
                .map(|cell| self.styles[cell].specified(node, pseudo, base, &|number| applies.get(&number).copied()))
                .collect();
            let mut longhands = BTreeSet::new();
            for (acted, resting) in acted.iter().zip(&resting).filter_map(|(a, r)| Some((a.as_ref()?, r.as_ref()?))) {
                longhands.extend(acted.style.differences(&resting.style));
                longhands.extend(changed(acted, resting));
            }
            let given = emitted.iter().filter(|(other, ..)| self.implies(trigger, other));
            longhands.extend(given.map(|(_, longhand, _)| *longhand));
            let companions: BTreeSet<Longhand> =
                longhands.iter().flat_map(|longhand| companions(*longhand)).copied().collect();
            let declared = |longhand: &Longhand| {
                let own = acted.iter().flatten().filter_map(|own| own.get(*longhand));
                own.into_iter().any(|own| own.origin != Origin::UserAgent)
            };
            let mut woken: BTreeSet<Longhand> =
                companions.into_iter().filter(|l| !longhands.contains(l) && declared(l)).collect();
            let begins_so = self.skeleton.elements[element.0].tag != "abbr";
            woken.retain(|l| !(begins_so && begins_as_line(*l, &acted)) || collector.declares(pseudo, *l));
            // The browser's own ring is there in the component until it is said that there is none.
            let takes_ring = ACTIONS[trigger.action].1.contains(&Action::Focus) && trigger.of == StateOf::Itself;
            if takes_ring && pseudo.is_none() && longhands.contains(&Longhand::OutlineStyle) {
                let ring = companions_of_ring().filter(|longhand| longhands.contains(longhand));
                woken.extend(ring);
            }
            for longhand in longhands.union(&woken).copied() {
                let shows = |(cell, own): (usize, &Option<Specification>)| {
                    own.as_ref().is_some_and(|own| self.is_visible((element, pseudo, longhand), cell, &own.style))
                };
                if longhand != Longhand::Content && !acted.iter().enumerate().any(shows) {
                    continue;
                }
                if self.goes_with_color(longhand, &acted, &resting) && !collector.declares(pseudo, longhand) {
                    continue;
                }
                let value = |specification: &Option<Specification>| {
                    specification.as_ref().map_or_else(String::new, |own| self.written(element, own, longhand))
                };
                let in_steps = |all: &[Option<Specification>]| -> Vec<String> {
                    let values = all.iter().map(|own| Some(value(own))).collect();
                    let styles = all.iter().map(|own| own.as_ref().map(|own| &*own.style));
                    let values = self.in_steps((element, pseudo, longhand), values, styles);
                    values.into_iter().map(Option::unwrap_or_default).collect()
                };
                let target = in_steps(&acted);
                if target.iter().any(String::is_empty) || is_noise(longhand, pseudo) {
                    continue;
                }
                let earlier =
                    emitted.iter().rev().find(|(other, known, _)| *known == longhand && self.implies(trigger, other));
                let current = earlier.map_or_else(|| in_steps(&resting), |(_, _, values)| values.clone());
                let is_known = earlier.is_some() || !woken.contains(&longhand) || collector.declares(pseudo, longhand);
                if target == current && is_known {
                    continue;
                }
                // What showed nothing at rest was not declared there.
                let current = if woken.contains(&longhand) { vec![String::new(); cells] } else { current };
                self.place(element, pseudo, longhand, trigger, &target, &current, &acted, collector);
                emitted.push((*trigger, longhand, target));
            }
        }
    }

    /// Whether a colour is the text's before and after, and no author says otherwise.
    fn goes_with_color(
        &self,
        longhand: Longhand,
        acted: &[Option<Specification>],
        resting: &[Option<Specification>],
    ) -> bool {
        let mut all = acted.iter().chain(resting).flatten();
        starts_as_text(longhand) && all.all(|own| is_text_color(own, longhand))
    }

    /// Whether everything that `other` asks for holds while the visitor does what `trigger` says.
    fn implies(&self, trigger: &Trigger, other: &Trigger) -> bool {
        let (_, held) = ACTIONS[trigger.action];
        let (action, _) = ACTIONS[other.action];
        let is_held = held.iter().any(|state| state.name() == action.name());
        let spreads = matches!(action, UserAction::Hover | UserAction::FocusWithin | UserAction::Active);
        let at = trigger.at == other.at || (spreads && self.view.document.is_inside(trigger.at, other.at));
        is_held && at
    }

    #[expect(clippy::too_many_arguments, reason = "everything a rule is made of")]
    fn place(
        &self,
        _element: ElementId,
        pseudo: Option<Pseudo>,
        longhand: Longhand,
        trigger: &Trigger,
        target: &[String],
        current: &[String],
        acted: &[Option<Specification>],
        collector: &mut Collector,
    ) {
        let mut holding: Vec<Option<String>> = vec![None; self.grid.intervals()];
        for (number, mode) in self.grid.modes.iter().enumerate() {
            let cells = self.grid.cells(number);
            let current: Vec<String> = (0..self.grid.intervals())
                .map(|at| holding[at].clone().unwrap_or_else(|| current[cells.start + at].clone()))
                .collect();
            let wanted: Vec<Option<String>> = (0..self.grid.intervals())
                .map(|at| Some(target[cells.start + at].clone()).filter(|value| *value != current[at]))
                .collect();
            for placed in encode::overlay(&wanted, &current) {
                let condition = self.grid.condition(*mode, &placed.intervals);
                let sample = cells.start + placed.intervals.start;
                let computed = acted[sample].as_ref().and_then(|own| own.style.value(longhand.name()));
                let state = State { of: trigger.of, all: vec![self.action(trigger)] };
                let order = u32::try_from(trigger.action).unwrap_or(0) * 2 + u32::from(trigger.of == StateOf::Itself);
                let declaration = Declaration {
                    name: Cow::Borrowed(longhand.name()),
                    computed: computed.unwrap_or_else(|| placed.value.clone()),
                    value: placed.value.clone(),
                };
                collector.add(condition, Some((order, state)), pseudo, declaration);
                if number == 0 {
                    for at in placed.intervals {
                        holding[at] = Some(placed.value.clone());
                    }
                }
            }
        }
    }
}

impl Resolver<'_> {
    /// What elements have of their own that they would also inherit, while something around them changes it under a
    /// state: undeclared, it would change along.
    pub(super) fn sheltered(&mut self, rules: &[Vec<Rule>]) -> BTreeSet<Place> {
        let mut places = BTreeSet::new();
        let mut changing: Vec<BTreeSet<Longhand>> = Vec::with_capacity(rules.len());
        for (at, own) in rules.iter().enumerate() {
            let element = ElementId(at);
            let around = self.skeleton.bones[at].parent.map(|parent| changing[parent.0].clone()).unwrap_or_default();
            let mut inside = self.kept(element, None, &around, own, &mut places);
            inside.extend(own.iter().filter(|rule| rule.state.is_some() && rule.pseudo.is_none()).flat_map(inherited));
            for (pseudo, model) in [(Pseudo::Before, PseudoElement::Before), (Pseudo::After, PseudoElement::After)] {
                if own.iter().any(|rule| rule.pseudo == Some(model)) {
                    self.kept(element, Some(pseudo), &inside, own, &mut places);
                }
            }
            changing.push(inside);
        }
        places
    }

    /// Of properties that change around, those that an element or a pseudo-element inherits; what it has of its own but
    /// does not declare goes to `places`.
    fn kept(
        &mut self,
        element: ElementId,
        pseudo: Option<Pseudo>,
        around: &BTreeSet<Longhand>,
        rules: &[Rule],
        places: &mut BTreeSet<Place>,
    ) -> BTreeSet<Longhand> {
        if around.is_empty() {
            return BTreeSet::new();
        }
        let seen = self.see(element, pseudo, self.grid.desktop());
        let is_own = |longhand: &Longhand| {
            let own = seen.specification.get(*longhand).filter(|own| own.origin != Origin::UserAgent);
            own.is_some_and(|own| {
                !["inherit", "unset", "currentcolor"].iter().any(|word| own.value.eq_ignore_ascii_case(word))
            })
        };
        let model = pseudo.map(model_pseudo);
        let at_rest = |rule: &&Rule| rule.state.is_none() && rule.pseudo == model;
        let declared: BTreeSet<&str> =
            rules.iter().filter(at_rest).flat_map(|rule| rule.declarations.iter().map(|own| &*own.name)).collect();
        let (own, inherited): (Vec<Longhand>, Vec<Longhand>) = around.iter().partition(|longhand| is_own(longhand));
        places.extend(own.into_iter().filter(|l| !declared.contains(l.name())).map(|l| (element, pseudo, l)));
        inherited.into_iter().filter(|longhand| !declared.contains(longhand.name())).collect()
    }
}

/// The inherited properties that a rule declares.
fn inherited(rule: &Rule) -> impl Iterator<Item = Longhand> + '_ {
    rule.declarations.iter().filter_map(|own| Longhand::from_name(&own.name)).filter(|longhand| longhand.is_inherited())
}

/// Longhands that the page's rules specify otherwise.
fn changed(acted: &Specification, resting: &Specification) -> Vec<Longhand> {
    let own = acted.values.iter().filter(|value| value.origin != Origin::UserAgent);
    own.filter(|value| resting.get(value.longhand) != Some(*value)).map(|value| value.longhand).collect()
}

/// Whether a line is solid and as thick as the font says, as every line is at first.
fn begins_as_line(longhand: Longhand, acted: &[Option<Specification>]) -> bool {
    matches!(longhand, Longhand::TextDecorationStyle | Longhand::TextDecorationThickness)
        && acted.iter().flatten().all(|own| own.style.get(longhand) == longhand.initial())
}

/// Longhands that begin to show when this one changes.
fn companions(longhand: Longhand) -> &'static [Longhand] {
    use Longhand as L;
    match longhand {
        L::BorderTopWidth | L::BorderTopStyle => &[L::BorderTopWidth, L::BorderTopStyle, L::BorderTopColor],
        L::BorderRightWidth | L::BorderRightStyle => &[L::BorderRightWidth, L::BorderRightStyle, L::BorderRightColor],
        L::BorderBottomWidth | L::BorderBottomStyle => {
            &[L::BorderBottomWidth, L::BorderBottomStyle, L::BorderBottomColor]
        }
        L::BorderLeftWidth | L::BorderLeftStyle => &[L::BorderLeftWidth, L::BorderLeftStyle, L::BorderLeftColor],
        L::OutlineStyle => &[L::OutlineWidth, L::OutlineColor, L::OutlineOffset],
        L::TextDecorationLine => &[L::TextDecorationColor, L::TextDecorationStyle, L::TextDecorationThickness],
        L::BackgroundImage => &[L::BackgroundSize, L::BackgroundRepeat, L::BackgroundPositionX, L::BackgroundPositionY],
        L::AnimationName => {
            &[L::AnimationDuration, L::AnimationTimingFunction, L::AnimationIterationCount, L::AnimationFillMode]
        }
        L::TransitionDuration => &[L::TransitionProperty, L::TransitionTimingFunction, L::TransitionDelay],
        L::Display => &[
            L::FlexDirection,
            L::FlexWrap,
            L::AlignItems,
            L::JustifyContent,
            L::RowGap,
            L::ColumnGap,
            L::GridTemplateColumns,
        ],
        _ => &[],
    }
}

/// What browsers draw the ring of the focus with.
fn companions_of_ring() -> impl Iterator<Item = Longhand> {
    std::iter::once(Longhand::OutlineStyle).chain(companions(Longhand::OutlineStyle).iter().copied())
}

/// Longhands that never show in a state.
fn is_noise(longhand: Longhand, pseudo: Option<Pseudo>) -> bool {
    matches!(
        longhand,
        Longhand::WebkitTapHighlightColor
            | Longhand::TextSizeAdjust
            | Longhand::WebkitLocale
            | Longhand::PrintColorAdjust
    ) || (longhand == Longhand::Content && pseudo.is_none())
}
