//! Finds declarations of layout that change no box, whatever is written in it: widths that boxes have without them,
//! alignments where nothing is left to distribute, shares of heights that are no lengths.
//!
//! Before → after: `<div style="display:flex;flex-direction:column;align-items:center"><p style="width:100%;flex-shrink:0">` →
//! `<div style="display:flex;flex-direction:column"><p>`.
//!
//! A declaration is left out only if it has no effect in any environment, nor on those elements that the page styles in the
//! same way at the same place in similar elements: the items of a list stay alike. What a state or an animation changes
//! stays complete.

mod alignment;
mod box_facts;
mod sizes;

use super::context::SectionContext;
use super::environments::{EnvId, EnvMap};
use super::float_layout::FloatLayout;
use alignment::is_idle_alignment;
use box_facts::{BoxFacts, LayoutFacts};
use limner_component_model::model::{ElementId, PseudoElement, Rule};
use limner_style::property::Longhand as L;
use sizes::is_idle_size;
use std::collections::{BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};

/// Properties of containers, and of how their items are aligned.
const ALIGNMENTS: [L; 7] =
    [L::AlignItems, L::AlignSelf, L::JustifyContent, L::FlexWrap, L::RowGap, L::ColumnGap, L::Order];
/// Properties of the sizes of boxes.
const SIZES: [L; 9] = [
    L::FlexGrow,
    L::FlexShrink,
    L::Height,
    L::MarginLeft,
    L::MarginRight,
    L::MaxHeight,
    L::MaxWidth,
    L::MinHeight,
    L::Width,
];

/// The longhands of each element that change no box.
#[derive(Debug, Default)]
pub(super) struct IdleLayout {
    idle: BTreeSet<(ElementId, L)>,
}

impl IdleLayout {
    /// Determines what changes no box, from the styles of all elements and their rules. `replaced` tells the elements that
    /// have other values than on the page.
    pub(super) fn from_rules(
        context: &SectionContext<'_>,
        rules: &[Vec<Rule>],
        replaced: (&FloatLayout, &BTreeSet<ElementId>),
        is_seen: impl Fn(ElementId, PseudoElement) -> bool,
    ) -> Self {
        let facts = LayoutFacts::new(context, rules, replaced, is_seen);
        let boxes = context.environments.map(|env| facts.of_env(env));
        let groups = similar_elements(context, rules);
        let mut found = Self::default();
        // The sizes of items follow from the alignments that are left.
        for (longhands, test) in [(&ALIGNMENTS[..], is_idle_alignment as Test), (&SIZES[..], is_idle_size as Test)] {
            let idle = found.idle_among(&facts, &boxes, (longhands, test));
            found.idle.extend(in_whole_groups(idle, &facts, &groups));
        }
        found
    }

    /// Returns true if a property changes no box.
    pub(super) fn contains(&self, element: ElementId, longhand: L) -> bool {
        self.idle.contains(&(element, longhand))
    }

    /// Same for the name of a longhand.
    pub(super) fn contains_name(&self, element: ElementId, name: &str) -> bool {
        let is_known = ALIGNMENTS.iter().chain(&SIZES).find(|longhand| longhand.name() == name);
        is_known.is_some_and(|longhand| self.contains(element, *longhand))
    }

    /// Returns the declared properties that have no effect in any environment.
    fn idle_among(
        &self,
        facts: &LayoutFacts<'_, '_>,
        boxes: &EnvMap<Vec<BoxFacts>>,
        (longhands, test): (&[L], Test),
    ) -> BTreeSet<(ElementId, L)> {
        let mut idle: Vec<(usize, L)> = Vec::new();
        for at in (0..facts.rules.len()).filter(|at| !facts.is_fixed(*at)) {
            let declared = |longhand: &&L| facts.declared(at, longhand.name()).next().is_some();
            let is_known = |longhand: &&L| declared(longhand) && sizes::is_sized_as_plain_box(facts, at, **longhand);
            idle.extend(longhands.iter().filter(is_known).map(|longhand| (at, *longhand)));
        }
        let mut is_shown = vec![false; facts.rules.len()];
        for (env, boxes) in boxes.entries() {
            boxes.iter().zip(&mut is_shown).for_each(|(own, is_shown)| *is_shown |= own.is_shown);
            let view = View { facts, boxes, env, idle: self };
            idle.retain(|(at, longhand)| {
                !boxes[*at].is_shown || view.is_initial(*at, *longhand) || test(&view, *at, *longhand)
            });
        }
        let idle = idle.into_iter().filter(|(at, _)| is_shown[*at]);
        idle.map(|(at, longhand)| (ElementId(at), longhand)).collect()
    }
}

/// Decides whether a property of an element changes no box in one environment.
type Test = fn(&View<'_, '_, '_>, usize, L) -> bool;

/// The boxes of a section in one environment.
struct View<'v, 'c, 'p> {
    facts: &'v LayoutFacts<'c, 'p>,
    boxes: &'v [BoxFacts],
    env: EnvId,
    /// Properties that are known to be left out.
    idle: &'v IdleLayout,
}

impl View<'_, '_, '_> {
    fn style(&self, at: usize) -> &limner_style::ComputedStyle {
        &self.facts.context.computed[at][self.env]
    }

    fn parent(&self, at: usize) -> Option<usize> {
        self.facts.context.tree.origins[at].parent.map(|parent| parent.0)
    }

    /// Returns true for the value that plain boxes have without a declaration. The root may declare other sizes than on the
    /// page.
    fn is_initial(&self, at: usize, longhand: L) -> bool {
        if at == 0 && SIZES.contains(&longhand) {
            return false;
        }
        let value = self.style(at).get(longhand);
        value == longhand.initial() || (longhand == L::AlignItems && value == "stretch" && !self.is_grid(at))
    }

    fn is_grid(&self, at: usize) -> bool {
        self.style(at).display().is_grid_container()
    }

    /// Returns true if a value is one of some keywords.
    fn is(&self, at: usize, longhand: L, values: &[&str]) -> bool {
        values.contains(&self.style(at).get(longhand))
    }
}

/// Keeps the properties that are idle on all similar elements that declare them.
fn in_whole_groups(
    idle: BTreeSet<(ElementId, L)>,
    facts: &LayoutFacts<'_, '_>,
    groups: &[usize],
) -> impl Iterator<Item = (ElementId, L)> {
    let mut sizes = vec![0_usize; facts.rules.len()];
    groups.iter().for_each(|group| sizes[*group] += 1);
    let mut counts: HashMap<(usize, L), usize> = HashMap::new();
    for (element, longhand) in &idle {
        *counts.entry((groups[element.0], *longhand)).or_default() += 1;
    }
    let kept: Vec<(ElementId, L)> = idle
        .into_iter()
        .filter(|(element, longhand)| {
            let group = groups[element.0];
            counts.get(&(group, *longhand)) == Some(&sizes[group])
        })
        .collect();
    kept.into_iter()
}

/// Returns a group for each element: that of elements with the same rules and tag in elements of one group.
fn similar_elements(context: &SectionContext<'_>, rules: &[Vec<Rule>]) -> Vec<usize> {
    let mut groups: Vec<usize> = Vec::with_capacity(rules.len());
    let mut known: HashMap<(Option<usize>, u64), usize> = HashMap::new();
    for (at, own) in rules.iter().enumerate() {
        let around = context.tree.origins[at].parent.map(|parent| groups[parent.0]);
        let mut hasher = DefaultHasher::new();
        context.tree.elements[at].tag.hash(&mut hasher);
        for rule in own {
            (&rule.condition, &rule.state, rule.pseudo, &rule.declarations).hash(&mut hasher);
        }
        groups.push(*known.entry((around, hasher.finish())).or_insert(at));
    }
    groups
}
