//! Collects rules under interaction states (`:hover`, `:focus`, `:active`, `:checked`, …): the declarations that
//! change, and the element whose state changes them.

use super::acts::{ACTS, Act};
use super::alike::{is_text_color, starts_as_text};
use super::carried::{self, Carried};
use super::collector::Collector;
use super::encode;
use super::grid::Mode;
use super::resolve::Resolver;
use super::triggers::{Theme, Trigger};
use crate::code::model::{Baseline, Child, Declaration, ElementId, State, StateOf, UserAction};
use limner_page::NodeId;
use limner_style::property::Longhand;
use limner_style::selector::{PseudoElement as Pseudo, State as Action, StateSet};
use limner_style::{Origin, Specification, StateBlock};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// Longhands that browsers change on disabled controls.
const OF_DISABLED: [Longhand; 7] = [
    Longhand::BackgroundColor,
    Longhand::BorderTopColor,
    Longhand::BorderRightColor,
    Longhand::BorderBottomColor,
    Longhand::BorderLeftColor,
    Longhand::Color,
    Longhand::Opacity,
];

/// An element's styles by environment under a state.
struct Acted {
    own: Vec<Option<Specification>>,
    /// True if the state may change custom properties to which descendants refer.
    carries: bool,
}

impl Resolver<'_> {
    /// Adds the rules of an element and its pseudo-elements under states.
    pub(super) fn collect_states(&mut self, element: ElementId, collector: &mut Collector) {
        let bone = self.skeleton.bones[element.0];
        if bone.source != 0 || bone.is_copy {
            return;
        }
        let own = self.order.index.state_blocks(bone.node);
        let blocks = [own, self.order.dark.map(|dark| dark.state_blocks(bone.node)).unwrap_or_default()];
        let inherited = self.carried.given_to(bone.parent);
        if blocks.iter().all(Vec::is_empty) && inherited.is_empty() {
            return;
        }
        let triggers = carried::with_carried(self.triggers(element, bone.node, &blocks), &inherited);
        let mut pseudos: BTreeSet<Option<Pseudo>> = blocks.iter().flatten().map(|block| block.pseudo).collect();
        pseudos.extend((!inherited.is_empty()).then_some(None));
        for (theme, blocks) in Theme::ALL.into_iter().zip(&blocks) {
            if !inherited.is_empty() || blocks.iter().any(|block| block.sets_custom_properties) {
                pseudos.extend(self.index_in(theme).styled_pseudo_elements(bone.node).into_iter().map(Some));
            }
        }
        for pseudo in pseudos {
            let is_there = match pseudo {
                None | Some(Pseudo::Before | Pseudo::After | Pseudo::Placeholder | Pseudo::Marker) => true,
                Some(Pseudo::FileSelectorButton) => self.chooses_files(element),
                Some(Pseudo::Part(name)) => self.has_part(element, name),
                _ => false,
            };
            if is_there {
                self.collect_triggered((element, pseudo), &blocks, &inherited, &triggers, collector);
            }
        }
    }

    /// Adds the rules of an element or pseudo-element under each trigger: declarations of the longhands that the state
    /// changes, or that take effect with these, wherever the value would otherwise differ.
    fn collect_triggered(
        &mut self,
        (element, pseudo): (ElementId, Option<Pseudo>),
        blocks: &[Vec<StateBlock>; 2],
        inherited: &[Carried],
        triggers: &[Trigger],
        collector: &mut Collector,
    ) {
        let node = self.skeleton.bones[element.0].node;
        let base = &self.view.base;
        let cells = self.grid.len();
        let resting: Vec<Option<Specification>> =
            (0..cells).map(|cell| self.styles[cell].specified(node, pseudo, base, &|_| None)).collect();
        let mut emitted: Vec<(Trigger, Longhand, Vec<String>)> = Vec::new();
        for trigger in triggers {
            let Acted { own: acted, carries } = self.acted((node, pseudo), blocks, inherited, trigger);
            if is_out_of_reach(trigger, &acted) {
                continue;
            }
            let has_children =
                self.skeleton.elements[element.0].children.iter().any(|c| matches!(c, Child::Element(_)));
            if carries && pseudo.is_none() && has_children && trigger.meanwhile.is_none() {
                self.carried.hand_on(element, *trigger, &acted);
            }
            let mut longhands = BTreeSet::new();
            for (acted, resting) in acted.iter().zip(&resting).filter_map(|(a, r)| Some((a.as_ref()?, r.as_ref()?))) {
                longhands.extend(acted.style.differences(&resting.style));
                longhands.extend(changed(acted, resting));
            }
            if carries {
                // A newly inherited value needs no declaration.
                longhands.retain(|longhand| !longhand.is_inherited() || is_said(*longhand, &acted, &resting));
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
            let is_disabling = pseudo.is_none() && self.is_disabling(trigger);
            if is_disabling {
                let said = OF_DISABLED.iter().filter(|l| declared(l) && !collector.declares(pseudo, **l));
                woken.extend(said);
            }
            // The component shows the browser's focus ring unless a rule removes it.
            let is_about_ring = pseudo.is_none() && longhands.contains(&Longhand::OutlineStyle);
            let rings = is_about_ring.then(|| self.decides_on_ring(node, blocks, inherited, trigger)).flatten();
            if rings.is_some() {
                let ring = companions_of_ring().filter(|longhand| longhands.contains(longhand));
                woken.extend(ring);
            }
            for longhand in longhands.union(&woken).copied() {
                let shows = |(cell, own): (usize, &Option<Specification>)| {
                    own.as_ref().is_some_and(|own| self.is_visible((element, pseudo, longhand), cell, &own.style))
                };
                let is_judged = longhand != Longhand::Content && !self.has_own_look(pseudo);
                if is_judged && !acted.iter().enumerate().any(shows) {
                    continue;
                }
                if self.goes_with_color(longhand, &acted, &resting) && !collector.declares(pseudo, longhand) {
                    continue;
                }
                // The browser makes the same change in the component.
                if is_disabling && !declared(&longhand) && !collector.declares(pseudo, longhand) {
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
                let mut target = in_steps(&acted);
                if target.iter().any(String::is_empty) || is_noise(longhand, pseudo) {
                    continue;
                }
                let implied: Vec<&[String]> = emitted
                    .iter()
                    .filter(|(other, known, _)| *known == longhand && self.implies(trigger, other))
                    .map(|(_, _, values)| values.as_slice())
                    .collect();
                let current = if implied.is_empty() { in_steps(&resting) } else { self.strongest(&implied) };
                let is_known =
                    !implied.is_empty() || !woken.contains(&longhand) || collector.declares(pseudo, longhand);
                if target == current && is_known {
                    continue;
                }
                // A property without effect at rest was not declared there.
                let current = if woken.contains(&longhand) { vec![String::new(); cells] } else { current };
                // The ring stays in environments (such as one theme) whose rules do not declare it.
                if let Some(rings) = rings.as_ref().filter(|_| companions_of_ring().any(|own| own == longhand)) {
                    let stays = rings.iter().enumerate().filter(|(_, decides)| !**decides);
                    stays.for_each(|(cell, _)| target[cell].clone_from(&current[cell]));
                }
                let is_in_state = !implied.is_empty();
                self.place((pseudo, longhand), trigger, &target, (&current, is_in_state), &acted, collector);
                emitted.push((*trigger, longhand, target));
            }
        }
    }

    /// Returns true if the trigger disables or enables a control, and the baseline has the browser's styles for that.
    fn is_disabling(&self, trigger: &Trigger) -> bool {
        self.order.baseline == Baseline::Browser
            && trigger.of == StateOf::Itself
            && ACTS[trigger.act].actions.contains(&UserAction::Disabled)
    }

    /// Returns by environment whether the page's rules under a state decide on the browser's focus ring; `None` if they
    /// do so nowhere. Browsers draw the ring under `:focus-visible`: a rule about any other focus
    /// (`:focus:not(:focus-visible)`) does not remove it.
    fn decides_on_ring(
        &mut self,
        node: NodeId,
        blocks: &[Vec<StateBlock>; 2],
        inherited: &[Carried],
        trigger: &Trigger,
    ) -> Option<Vec<bool>> {
        let Act { actions, held } = &ACTS[trigger.act];
        if trigger.of != StateOf::Itself || !held.contains(&Action::Focus) {
            return None;
        }
        let is_seen = |own: &UserAction| if *own == UserAction::Focus { UserAction::FocusVisible } else { *own };
        let while_seen = |act: &Act| act.actions.iter().copied().eq(actions.iter().map(is_seen));
        let seen = ACTS.iter().position(while_seen).unwrap_or(trigger.act);
        let acted = self.acted((node, None), blocks, inherited, &Trigger { act: seen, ..*trigger });
        let outline = |own: &Option<Specification>| own.as_ref()?.get(Longhand::OutlineStyle).map(|own| own.origin);
        let decides = acted.own.iter().map(|own| outline(own).is_some_and(|origin| origin != Origin::UserAgent));
        Some(decides.collect::<Vec<_>>()).filter(|decides| decides.contains(&true))
    }

    /// Returns the styles of an element or pseudo-element while a trigger holds.
    fn acted(
        &mut self,
        (node, pseudo): (NodeId, Option<Pseudo>),
        blocks: &[Vec<StateBlock>; 2],
        inherited: &[Carried],
        trigger: &Trigger,
    ) -> Acted {
        let states = ACTS[trigger.act].states();
        let meanwhile = trigger.meanwhile.map_or(StateSet::NONE, |(own, _)| ACTS[own].states());
        let mut sets_custom_properties = false;
        let [base_applies, dark_applies]: [BTreeMap<usize, bool>; 2] = Theme::ALL.map(|theme| {
            let mut probe = self.index_in(theme).state_probe();
            let followed = blocks[theme as usize].iter().filter(|block| !self.is_given_up(theme, block));
            let applies = followed.map(|block| {
                let applies = probe.matches_while(node, block, (states, trigger.at), meanwhile);
                let is_own = block.sets_custom_properties && block.pseudo.is_none();
                sets_custom_properties |= is_own && applies != block.matches_in(StateSet::NONE);
                (block.number, applies)
            });
            applies.collect()
        });
        let over = inherited.iter().find(|carried| carried.is_of(trigger));
        let carries = over.is_some() || sets_custom_properties;
        let base = &self.view.base;
        let mut own = Vec::with_capacity(self.grid.len());
        for cell in 0..self.grid.len() {
            let is_dark = self.order.dark.is_some() && self.grid.mode_of(cell) == Mode::Dark;
            let applies = if is_dark { &dark_applies } else { &base_applies };
            let holds = |number: usize| applies.get(&number).copied();
            let styles = &mut self.styles[cell];
            let of_element = match over {
                Some(over) => {
                    styles.get(node).map(|_| styles.specified_under(node, None, Some(over.style(cell)), base, &holds))
                }
                None if pseudo.is_none() || carries => styles.specified(node, None, base, &holds),
                None => None,
            };
            own.push(match (pseudo, of_element) {
                (None, of_element) => of_element,
                (Some(_), Some(under)) => Some(styles.specified_under(node, pseudo, Some(&under.style), base, &holds)),
                (Some(_), None) => styles.specified(node, pseudo, base, &holds),
            });
        }
        Acted { own, carries }
    }

    /// Returns true if a colour equals the text colour both at rest and under the state, and the author declares no
    /// other.
    fn goes_with_color(
        &self,
        longhand: Longhand,
        acted: &[Option<Specification>],
        resting: &[Option<Specification>],
    ) -> bool {
        let mut all = acted.iter().chain(resting).flatten();
        starts_as_text(longhand) && all.all(|own| is_text_color(own, longhand))
    }

    /// Combines state rules that hold at once to one value per environment: the later rule wins, but a rule under a
    /// condition wins over all rules without one.
    fn strongest(&self, rules: &[&[String]]) -> Vec<String> {
        let mut strongest = Vec::with_capacity(self.grid.len());
        for number in 0..self.grid.modes.len() {
            let cells = self.grid.cells(number);
            let has_condition = |values: &&&[String]| {
                let own = &values[cells.clone()];
                own.iter().any(|value| *value != own[0]) || *own != values[..own.len()]
            };
            let rule = rules.iter().rev().find(has_condition).or(rules.last());
            strongest.extend(rule.into_iter().flat_map(|values| values[cells.clone()].iter().cloned()));
        }
        strongest
    }

    /// Declares a property for a state in every environment where its value would otherwise differ. `otherwise`: the
    /// value without this rule, by environment, and true if it comes from the rule of another state, which has the same
    /// specificity. An empty target is the browser's own value.
    fn place(
        &self,
        (pseudo, longhand): (Option<Pseudo>, Longhand),
        trigger: &Trigger,
        target: &[String],
        (otherwise, is_in_state): (&[String], bool),
        acted: &[Option<Specification>],
        collector: &mut Collector,
    ) {
        let intervals = self.grid.intervals();
        let mut holding: Vec<Option<String>> = vec![None; intervals];
        for (number, mode) in self.grid.modes.iter().enumerate() {
            let cells = self.grid.cells(number);
            let own = &otherwise[cells.clone()];
            let current: Vec<String> = (0..intervals)
                .map(|at| {
                    // Rules with a condition come after those without.
                    let has_own = is_in_state && own[at] != otherwise[at];
                    holding[at].as_ref().filter(|_| !has_own).unwrap_or(&own[at]).clone()
                })
                .collect();
            let wanted = (0..intervals).map(|at| {
                let value = Some(&target[cells.start + at]).filter(|value| **value != current[at])?;
                Some(if value.is_empty() { "revert".to_owned() } else { value.clone() })
            });
            let wanted: Vec<Option<String>> = wanted.collect();
            // A rule that overrides one under a condition needs the same condition.
            let ends = (1..=intervals).filter(|at| *at == intervals || is_in_state && own[*at] != own[at - 1]);
            let starts = std::iter::once(0).chain(ends.clone());
            let parts = starts.zip(ends).flat_map(|(start, end)| {
                let placed = encode::overlay(&wanted[start..end], &current[start..end]).into_iter();
                placed.map(move |own| encode::Placed {
                    intervals: start + own.intervals.start..start + own.intervals.end,
                    value: own.value,
                })
            });
            for placed in parts.collect::<Vec<_>>() {
                let condition = self.grid.condition(*mode, &placed.intervals);
                let sample = cells.start + placed.intervals.start;
                let computed = acted[sample].as_ref().and_then(|own| own.style.value(longhand.name()));
                let meanwhile = trigger.meanwhile.map(|(act, at)| self.actions(act, at)).unwrap_or_default();
                let state = State { of: trigger.of, all: self.actions(trigger.act, trigger.at), meanwhile };
                let order = (trigger.stage(), trigger.of == StateOf::Itself, trigger.weight);
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

/// Returns true for the `:hover` of a disabled element that no pointer can reach.
fn is_out_of_reach(trigger: &Trigger, acted: &[Option<Specification>]) -> bool {
    let ignores = |own: &Specification| own.style.get(Longhand::PointerEvents) == "none";
    trigger.of == StateOf::Itself
        && ACTS[trigger.act].actions == [UserAction::Hover, UserAction::Disabled]
        && acted.iter().flatten().all(ignores)
}

/// Returns true if the page declares a property of the element itself, at rest or under the state.
fn is_said(longhand: Longhand, acted: &[Option<Specification>], resting: &[Option<Specification>]) -> bool {
    let own = acted.iter().chain(resting).flatten().filter_map(|own| own.get(longhand));
    own.into_iter().any(|own| own.origin != Origin::UserAgent && !own.value.eq_ignore_ascii_case("inherit"))
}

/// Returns the longhands that the page's rules specify differently under the state.
fn changed(acted: &Specification, resting: &Specification) -> Vec<Longhand> {
    let own = acted.values.iter().filter(|value| value.origin != Origin::UserAgent);
    own.filter(|value| resting.get(value.longhand) != Some(*value)).map(|value| value.longhand).collect()
}

/// Returns true for the style or thickness of a text decoration with its initial value: solid, and as thick as the font
/// defines.
fn begins_as_line(longhand: Longhand, acted: &[Option<Specification>]) -> bool {
    matches!(longhand, Longhand::TextDecorationStyle | Longhand::TextDecorationThickness)
        && acted.iter().flatten().all(|own| own.style.get(longhand) == longhand.initial())
}

/// Returns the longhands that take effect when this one changes.
fn companions(longhand: Longhand) -> &'static [Longhand] {
    use Longhand as L;
    match longhand {
        L::BorderTopWidth | L::BorderTopStyle => &[L::BorderTopWidth, L::BorderTopStyle, L::BorderTopColor],
        L::BorderRightWidth | L::BorderRightStyle => &[L::BorderRightWidth, L::BorderRightStyle, L::BorderRightColor],
        L::BorderBottomWidth | L::BorderBottomStyle => {
            &[L::BorderBottomWidth, L::BorderBottomStyle, L::BorderBottomColor]
        }
        L::BorderLeftWidth | L::BorderLeftStyle => &[L::BorderLeftWidth, L::BorderLeftStyle, L::BorderLeftColor],
        L::BorderTopLeftRadius => &[L::CornerTopLeftShape],
        L::BorderTopRightRadius => &[L::CornerTopRightShape],
        L::BorderBottomRightRadius => &[L::CornerBottomRightShape],
        L::BorderBottomLeftRadius => &[L::CornerBottomLeftShape],
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

/// Returns the longhands with which browsers draw the focus ring.
fn companions_of_ring() -> impl Iterator<Item = Longhand> {
    std::iter::once(Longhand::OutlineStyle).chain(companions(Longhand::OutlineStyle).iter().copied())
}

/// Returns true for longhands that never have a visible effect in a state.
fn is_noise(longhand: Longhand, pseudo: Option<Pseudo>) -> bool {
    matches!(
        longhand,
        Longhand::WebkitTapHighlightColor
            | Longhand::TextSizeAdjust
            | Longhand::WebkitLocale
            | Longhand::PrintColorAdjust
    ) || (longhand == Longhand::Content && pseudo.is_none())
}
