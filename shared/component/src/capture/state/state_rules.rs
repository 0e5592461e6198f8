//! Collects rules under interaction states (`:hover`, `:focus`, `:active`, `:checked`, …): the declarations that
//! change, and the element whose state changes them.

use super::inherited_state_styles;
use super::inherited_state_styles::InheritedStateStyle;
use super::interaction_states::{INTERACTION_STATES, InteractionStateSet};
use super::state_trigger::{RuleSet, StateTrigger};
use crate::capture::diff::range_cover;
use crate::capture::diff::rule_builder::RuleBuilder;
use crate::capture::diff::rule_resolver::RuleResolver;
use crate::capture::diff::value_equivalence::{defaults_to_current_color, is_empty_border, is_text_color};
use crate::capture::environments::{EnvId, EnvMap, EnvironmentVariant};
use crate::capture::property_key::PropertyKey;
use limner_component_model::model::{
    Baseline, Child, Declaration, ElementId, InteractionState, StateCondition, StateTarget,
};
use limner_page::NodeId;
use limner_style::property::Longhand;
use limner_style::selector::{PseudoElement as Pseudo, State as Action, StateSet};
use limner_style::{Origin, SpecifiedStyle, StateDependentBlock};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// Longhands that browsers change on disabled controls.
const DISABLED_LONGHANDS: [Longhand; 7] = [
    Longhand::BackgroundColor,
    Longhand::BorderTopColor,
    Longhand::BorderRightColor,
    Longhand::BorderBottomColor,
    Longhand::BorderLeftColor,
    Longhand::Color,
    Longhand::Opacity,
];

/// An element's styles by environment under a state.
struct StateStyles {
    specifications: EnvMap<Option<SpecifiedStyle>>,
    /// True if the state may change custom properties to which descendants refer.
    carries: bool,
}

/// An element or pseudo-element under a trigger.
struct TriggeredBox<'t> {
    element: ElementId,
    pseudo: Option<Pseudo>,
    trigger: &'t StateTrigger,
    /// Its styles while the trigger holds.
    acted: &'t EnvMap<Option<SpecifiedStyle>>,
    /// Its styles at rest.
    resting: &'t EnvMap<Option<SpecifiedStyle>>,
}

impl TriggeredBox<'_> {
    fn property(&self, longhand: Longhand) -> PropertyKey {
        PropertyKey::new(self.element, self.pseudo, longhand)
    }

    /// Returns true if the author declares a longhand while the trigger holds.
    fn is_declared(&self, longhand: Longhand) -> bool {
        let mut declared = self.acted.iter().flatten().filter_map(|own| own.get(longhand));
        declared.any(|own| own.origin != Origin::UserAgent)
    }
}

/// The values that were declared for a trigger.
struct EmittedValues {
    trigger: StateTrigger,
    longhand: Longhand,
    values: EnvMap<String>,
}

/// The values of a longhand under a state.
struct StateValues {
    target: EnvMap<String>,
    /// The values without a rule for the state; empty for the browser's own.
    current: EnvMap<String>,
    /// True if they come from rules of other states, which have the same specificity.
    is_in_state: bool,
}

impl RuleResolver<'_> {
    /// Adds the rules of an element and its pseudo-elements under states.
    pub(crate) fn collect_states(&mut self, element: ElementId, collector: &mut RuleBuilder) {
        let origin = self.section.tree.origins[element.0];
        if origin.source != 0 || origin.is_copy {
            return;
        }
        let own = self.section.request.index.state_blocks(origin.node);
        let blocks = [own, self.section.request.dark.map(|dark| dark.state_blocks(origin.node)).unwrap_or_default()];
        let inherited = self.carried.inherited_by(origin.parent);
        if blocks.iter().all(Vec::is_empty) && inherited.is_empty() {
            return;
        }
        let triggers =
            inherited_state_styles::merge_inherited(self.triggers(element, origin.node, &blocks), &inherited);
        let mut pseudos: BTreeSet<Option<Pseudo>> = blocks.iter().flatten().map(|block| block.pseudo).collect();
        pseudos.extend((!inherited.is_empty()).then_some(None));
        for (theme, blocks) in RuleSet::ALL.into_iter().zip(&blocks) {
            if !inherited.is_empty() || blocks.iter().any(|block| block.sets_custom_properties) {
                pseudos.extend(self.index_for(theme).styled_pseudo_elements(origin.node).into_iter().map(Some));
            }
        }
        for pseudo in pseudos {
            let is_there = match pseudo {
                None | Some(Pseudo::Before | Pseudo::After | Pseudo::Placeholder | Pseudo::Marker) => true,
                Some(Pseudo::FileSelectorButton) => self.section.chooses_files(element),
                Some(Pseudo::Part(name)) => self.section.has_part(element, name),
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
        blocks: &[Vec<StateDependentBlock>; 2],
        inherited: &[InheritedStateStyle],
        triggers: &[StateTrigger],
        collector: &mut RuleBuilder,
    ) {
        let node = self.section.tree.origins[element.0].node;
        let base = &self.section.view.base;
        let resting = self.section.environments.map(|env| self.styles[env].specified(node, pseudo, base, &|_| None));
        let mut emitted: Vec<EmittedValues> = Vec::new();
        for trigger in triggers {
            let StateStyles { specifications: acted, carries } =
                self.styles_under((node, pseudo), blocks, inherited, trigger);
            if is_unreachable(trigger, &acted) {
                continue;
            }
            if carries && pseudo.is_none() && trigger.own_state.is_none() && self.has_child_elements(element) {
                self.carried.propagate(element, *trigger, &acted);
            }
            let own = TriggeredBox { element, pseudo, trigger, acted: &acted, resting: &resting };
            let longhands = self.changed_longhands(&own, carries, &emitted);
            let mut woken = self.woken_longhands(&own, &longhands, collector);
            // The component shows the browser's focus ring unless a rule removes it.
            let is_about_ring = pseudo.is_none() && longhands.contains(&Longhand::OutlineStyle);
            let rings = is_about_ring.then(|| self.sets_focus_ring(node, blocks, inherited, trigger)).flatten();
            if rings.is_some() {
                woken.extend(focus_ring_longhands().filter(|longhand| longhands.contains(longhand)));
            }
            for longhand in longhands.union(&woken).copied() {
                if !self.may_be_declared(&own, longhand, collector) {
                    continue;
                }
                let is_woken = woken.contains(&longhand);
                let Some(mut values) = self.state_values(&own, longhand, is_woken, &emitted, collector) else {
                    continue;
                };
                // The ring stays in environments (such as one theme) whose rules do not declare it.
                if let Some(rings) = rings.as_ref().filter(|_| focus_ring_longhands().any(|own| own == longhand)) {
                    let stays = rings.entries().filter(|(_, decides)| !**decides);
                    stays.for_each(|(env, _)| values.target[env].clone_from(&values.current[env]));
                }
                self.emit_state_declarations(&own, longhand, &values, collector);
                emitted.push(EmittedValues { trigger: *trigger, longhand, values: values.target });
            }
        }
    }

    fn has_child_elements(&self, element: ElementId) -> bool {
        self.section.tree.elements[element.0].children.iter().any(|child| matches!(child, Child::Element(_)))
    }

    /// Returns the longhands that the state changes, and those that rules declare under states that hold along with it.
    fn changed_longhands(
        &self,
        own: &TriggeredBox<'_>,
        carries: bool,
        emitted: &[EmittedValues],
    ) -> BTreeSet<Longhand> {
        let mut longhands = BTreeSet::new();
        let pairs = own.acted.iter().zip(own.resting);
        for (acted, resting) in pairs.filter_map(|(acted, resting)| Some((acted.as_ref()?, resting.as_ref()?))) {
            longhands.extend(acted.style.differences(&resting.style));
            longhands.extend(changed(acted, resting));
        }
        let pairs =
            || own.acted.iter().zip(own.resting).filter_map(|(acted, resting)| acted.as_ref().zip(resting.as_ref()));
        longhands.retain(|longhand| {
            !pairs().all(|(acted, resting)| is_empty_border(*longhand, &acted.style, &resting.style))
        });
        if carries {
            // A newly inherited value needs no declaration.
            longhands
                .retain(|longhand| !longhand.is_inherited() || is_author_declared(*longhand, own.acted, own.resting));
        }
        let given = emitted.iter().filter(|other| self.implies(own.trigger, &other.trigger));
        longhands.extend(given.map(|other| other.longhand));
        longhands
    }

    /// Returns the longhands that take effect when others change, and were not declared at rest because they had none.
    fn woken_longhands(
        &self,
        own: &TriggeredBox<'_>,
        longhands: &BTreeSet<Longhand>,
        collector: &RuleBuilder,
    ) -> BTreeSet<Longhand> {
        let dependent = longhands.iter().flat_map(|longhand| dependent_longhands(*longhand)).copied();
        let mut woken: BTreeSet<Longhand> =
            dependent.filter(|longhand| !longhands.contains(longhand) && own.is_declared(*longhand)).collect();
        let is_declared_at_rest = |longhand: Longhand| collector.declares(own.pseudo, longhand);
        let begins_so = self.section.tree.elements[own.element.0].tag != "abbr";
        woken.retain(|longhand| {
            !(begins_so && is_default_line_style(*longhand, own.acted)) || is_declared_at_rest(*longhand)
        });
        if self.is_disabling(own) {
            let missing = DISABLED_LONGHANDS.into_iter();
            woken.extend(missing.filter(|longhand| own.is_declared(*longhand) && !is_declared_at_rest(*longhand)));
        }
        woken
    }

    /// Returns false for a longhand that has no effect under the state, or that changes in the component by itself.
    fn may_be_declared(&self, own: &TriggeredBox<'_>, longhand: Longhand, collector: &RuleBuilder) -> bool {
        if never_affects_rendering(longhand, own.pseudo) {
            return false;
        }
        let shows = |(env, style): (EnvId, &Option<SpecifiedStyle>)| {
            style.as_ref().is_some_and(|style| self.is_visible(own.property(longhand), env, &style.style))
        };
        let is_judged = longhand != Longhand::Content && !self.section.has_unknown_default_style(own.pseudo);
        if is_judged && !own.acted.entries().any(shows) {
            return false;
        }
        let is_automatic = || {
            self.tracks_current_color(longhand, own.acted, own.resting)
                // The browser makes the same change in the component.
                || (self.is_disabling(own) && !own.is_declared(longhand))
        };
        collector.declares(own.pseudo, longhand) || !is_automatic()
    }

    /// Returns the values of a longhand under the state and without its rule; `None` if they are the same. `is_woken`:
    /// the longhand had no effect at rest.
    fn state_values(
        &self,
        own: &TriggeredBox<'_>,
        longhand: Longhand,
        is_woken: bool,
        emitted: &[EmittedValues],
        collector: &RuleBuilder,
    ) -> Option<StateValues> {
        let texts = |all: &EnvMap<Option<SpecifiedStyle>>| -> EnvMap<String> {
            let text = |style: &SpecifiedStyle| self.declaration_text(own.element, style, longhand);
            let values = all.iter().map(|style| Some(style.as_ref().map_or_else(String::new, text))).collect();
            let styles = all.iter().map(|style| style.as_ref().map(|style| &*style.style));
            let values = self.normalize_to_font_size(own.property(longhand), values, styles);
            values.into_iter().map(Option::unwrap_or_default).collect()
        };
        let target = texts(own.acted);
        if target.iter().any(String::is_empty) {
            return None;
        }
        let implied: Vec<&EnvMap<String>> = emitted
            .iter()
            .filter(|other| other.longhand == longhand && self.implies(own.trigger, &other.trigger))
            .map(|other| &other.values)
            .collect();
        let is_in_state = !implied.is_empty();
        let current = if is_in_state { self.strongest_values(&implied) } else { texts(own.resting) };
        let is_known = is_in_state || !is_woken || collector.declares(own.pseudo, longhand);
        if target == current && is_known {
            return None;
        }
        // A property without effect at rest was not declared there.
        let current = if is_woken { target.filled(String::new()) } else { current };
        Some(StateValues { target, current, is_in_state })
    }

    /// Returns true if the trigger disables or enables a control, and the baseline has the browser's styles for that.
    fn is_disabling(&self, own: &TriggeredBox<'_>) -> bool {
        own.pseudo.is_none()
            && self.section.request.baseline == Baseline::Browser
            && own.trigger.target == StateTarget::SelfElement
            && INTERACTION_STATES[own.trigger.state].model_states.contains(&InteractionState::Disabled)
    }

    /// Returns by environment whether the page's rules under a state decide on the browser's focus ring; `None` if they
    /// do so nowhere. Browsers draw the ring under `:focus-visible`: a rule about any other focus
    /// (`:focus:not(:focus-visible)`) does not remove it.
    fn sets_focus_ring(
        &mut self,
        node: NodeId,
        blocks: &[Vec<StateDependentBlock>; 2],
        inherited: &[InheritedStateStyle],
        trigger: &StateTrigger,
    ) -> Option<EnvMap<bool>> {
        let InteractionStateSet { model_states: actions, css_states: held } = &INTERACTION_STATES[trigger.state];
        if trigger.target != StateTarget::SelfElement || !held.contains(&Action::Focus) {
            return None;
        }
        let is_seen = |own: &InteractionState| {
            if *own == InteractionState::Focus { InteractionState::FocusVisible } else { *own }
        };
        let while_seen =
            |state: &InteractionStateSet| state.model_states.iter().copied().eq(actions.iter().map(is_seen));
        let seen = INTERACTION_STATES.iter().position(while_seen).unwrap_or(trigger.state);
        let acted = self.styles_under((node, None), blocks, inherited, &StateTrigger { state: seen, ..*trigger });
        let outline = |own: &Option<SpecifiedStyle>| own.as_ref()?.get(Longhand::OutlineStyle).map(|own| own.origin);
        let decides =
            acted.specifications.iter().map(|own| outline(own).is_some_and(|origin| origin != Origin::UserAgent));
        Some(decides.collect::<EnvMap<_>>()).filter(|decides| decides.contains(&true))
    }

    /// Returns the styles of an element or pseudo-element while a trigger holds.
    fn styles_under(
        &mut self,
        (node, pseudo): (NodeId, Option<Pseudo>),
        blocks: &[Vec<StateDependentBlock>; 2],
        inherited: &[InheritedStateStyle],
        trigger: &StateTrigger,
    ) -> StateStyles {
        let states = INTERACTION_STATES[trigger.state].states();
        let own_state = trigger.own_state.map_or(StateSet::NONE, |(own, _)| INTERACTION_STATES[own].states());
        let mut sets_custom_properties = false;
        let [base_applies, dark_applies]: [BTreeMap<usize, bool>; 2] = RuleSet::ALL.map(|theme| {
            let mut probe = self.index_for(theme).state_probe().keeping_radio_groups();
            let followed = blocks[theme as usize].iter().filter(|block| !self.exceeds_budget(theme, block));
            let applies = followed.map(|block| {
                let applies = probe.matches_under(node, block, (states, trigger.representative), own_state);
                let is_own = block.sets_custom_properties && block.pseudo.is_none();
                sets_custom_properties |= is_own && applies != block.matches_under_states(StateSet::NONE);
                (block.number, applies)
            });
            applies.collect()
        });
        let over = inherited.iter().find(|carried| carried.is_under(trigger));
        let carries = over.is_some() || sets_custom_properties;
        let base = &self.section.view.base;
        let specifications = self.section.environments.map(|env| {
            let is_dark = self.section.request.dark.is_some()
                && self.section.environments.variant(env) == EnvironmentVariant::Dark;
            let applies = if is_dark { &dark_applies } else { &base_applies };
            let holds = |number: usize| applies.get(&number).copied();
            let styles = &mut self.styles[env];
            let of_element = match over {
                Some(over) => styles
                    .get(node)
                    .map(|_| styles.specified_with_parent(node, None, Some(over.style(env)), base, &holds)),
                None if pseudo.is_none() || carries => styles.specified(node, None, base, &holds),
                None => None,
            };
            match (pseudo, of_element) {
                (None, of_element) => of_element,
                (Some(_), Some(under)) => {
                    Some(styles.specified_with_parent(node, pseudo, Some(&under.style), base, &holds))
                }
                (Some(_), None) => styles.specified(node, pseudo, base, &holds),
            }
        });
        StateStyles { specifications, carries }
    }

    /// Returns true if a colour equals the text colour both at rest and under the state, and the author declares no
    /// other.
    fn tracks_current_color(
        &self,
        longhand: Longhand,
        acted: &EnvMap<Option<SpecifiedStyle>>,
        resting: &EnvMap<Option<SpecifiedStyle>>,
    ) -> bool {
        let mut all = acted.iter().chain(resting).flatten();
        defaults_to_current_color(longhand) && all.all(|own| is_text_color(own, longhand))
    }

    /// Combines state rules that hold at once to one value per environment: the later rule wins, but a rule under a
    /// condition wins over all rules without one.
    fn strongest_values(&self, rules: &[&EnvMap<String>]) -> EnvMap<String> {
        let mut strongest = Vec::new();
        for (_, envs) in self.section.environments.variants() {
            let has_condition = |values: &&&EnvMap<String>| {
                let own = values.of_variant(&envs);
                own.iter().any(|value| *value != own[0]) || own != values.of_base(self.section.environments)
            };
            let rule = rules.iter().rev().find(has_condition).or(rules.last());
            strongest.extend(rule.into_iter().flat_map(|values| values.of_variant(&envs)).cloned());
        }
        strongest.into_iter().collect()
    }

    /// Declares a property for a state in every environment where its value would otherwise differ.
    fn emit_state_declarations(
        &self,
        TriggeredBox { pseudo, trigger, acted, .. }: &TriggeredBox<'_>,
        longhand: Longhand,
        StateValues { target, current: otherwise, is_in_state }: &StateValues,
        collector: &mut RuleBuilder,
    ) {
        let (is_in_state, pseudo) = (*is_in_state, *pseudo);
        let intervals = self.section.environments.intervals();
        let mut holding: Vec<Option<String>> = vec![None; intervals];
        for (variant, envs) in self.section.environments.variants() {
            let own = otherwise.of_variant(&envs);
            let base = otherwise.of_base(self.section.environments);
            let current: Vec<String> = (0..intervals)
                .map(|at| {
                    // Rules with a condition come after those without.
                    let has_own = is_in_state && own[at] != base[at];
                    holding[at].as_ref().filter(|_| !has_own).unwrap_or(&own[at]).clone()
                })
                .collect();
            let wanted = (0..intervals).map(|at| {
                let value = Some(&target[envs.env(at)]).filter(|value| **value != current[at])?;
                Some(if value.is_empty() { "revert".to_owned() } else { value.clone() })
            });
            let wanted: Vec<Option<String>> = wanted.collect();
            // A rule that overrides one under a condition needs the same condition.
            let ends = (1..=intervals).filter(|at| *at == intervals || is_in_state && own[*at] != own[at - 1]);
            let starts = std::iter::once(0).chain(ends.clone());
            let parts = starts.zip(ends).flat_map(|(start, end)| {
                let placed = range_cover::cover_differences(&wanted[start..end], &current[start..end]).into_iter();
                placed.map(move |own| range_cover::RangeDeclaration {
                    intervals: start + own.intervals.start..start + own.intervals.end,
                    value: own.value,
                })
            });
            for placed in parts.collect::<Vec<_>>() {
                let condition = self.section.environments.condition(variant, &placed.intervals);
                let sample = envs.env(placed.intervals.start);
                let computed = acted[sample].as_ref().and_then(|own| own.style.value(longhand.name()));
                let own_state = trigger.own_state.map(|(state, at)| self.actions(state, at)).unwrap_or_default();
                let state = StateCondition {
                    target: trigger.target,
                    all_of: self.actions(trigger.state, trigger.representative),
                    own: own_state,
                };
                let order = (trigger.stage(), trigger.target == StateTarget::SelfElement, trigger.match_count);
                let declaration = Declaration {
                    name: Cow::Borrowed(longhand.name()),
                    computed: computed.unwrap_or_else(|| placed.value.clone()),
                    value: placed.value.clone(),
                };
                collector.add(condition, Some((order, state)), pseudo, declaration);
                if variant == EnvironmentVariant::Base {
                    for at in placed.intervals {
                        holding[at] = Some(placed.value.clone());
                    }
                }
            }
        }
    }
}

/// Returns true for the `:hover` of a disabled element that no pointer can reach.
fn is_unreachable(trigger: &StateTrigger, acted: &EnvMap<Option<SpecifiedStyle>>) -> bool {
    let ignores = |own: &SpecifiedStyle| own.style.get(Longhand::PointerEvents) == "none";
    trigger.target == StateTarget::SelfElement
        && INTERACTION_STATES[trigger.state].model_states == [InteractionState::Hover, InteractionState::Disabled]
        && acted.iter().flatten().all(ignores)
}

/// Returns true if the page declares a property of the element itself, at rest or under the state.
fn is_author_declared(
    longhand: Longhand,
    acted: &EnvMap<Option<SpecifiedStyle>>,
    resting: &EnvMap<Option<SpecifiedStyle>>,
) -> bool {
    let own = acted.iter().chain(resting).flatten().filter_map(|own| own.get(longhand));
    own.into_iter().any(|own| own.origin != Origin::UserAgent && !own.value.eq_ignore_ascii_case("inherit"))
}

/// Returns the longhands that the page's rules specify differently under the state.
fn changed(acted: &SpecifiedStyle, resting: &SpecifiedStyle) -> Vec<Longhand> {
    let own = acted.values.iter().filter(|value| value.origin != Origin::UserAgent);
    own.filter(|value| resting.get(value.longhand) != Some(*value)).map(|value| value.longhand).collect()
}

/// Returns true for the style or thickness of a text decoration with its initial value: solid, and as thick as the font
/// defines.
fn is_default_line_style(longhand: Longhand, acted: &EnvMap<Option<SpecifiedStyle>>) -> bool {
    matches!(longhand, Longhand::TextDecorationStyle | Longhand::TextDecorationThickness)
        && acted.iter().flatten().all(|own| own.style.get(longhand) == longhand.initial())
}

/// Returns the longhands that take effect when this one changes.
fn dependent_longhands(longhand: Longhand) -> &'static [Longhand] {
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
fn focus_ring_longhands() -> impl Iterator<Item = Longhand> {
    std::iter::once(Longhand::OutlineStyle).chain(dependent_longhands(Longhand::OutlineStyle).iter().copied())
}

/// Returns true for longhands that never have a visible effect in a state.
fn never_affects_rendering(longhand: Longhand, pseudo: Option<Pseudo>) -> bool {
    matches!(
        longhand,
        Longhand::WebkitTapHighlightColor
            | Longhand::TextSizeAdjust
            | Longhand::WebkitLocale
            | Longhand::PrintColorAdjust
    ) || (longhand == Longhand::Content && pseudo.is_none())
}
