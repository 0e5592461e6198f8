//! Finds the `z-index` values that order nothing: without them, boxes are painted in the order of the document, and that is
//! the order in which the page paints them.
//!
//! Before → after: `<img class="absolute z-0"> <div class="relative z-10">` → `absolute` and `relative`.
//!
//! Within a stacking context, boxes are painted by level and then in the order of the document
//! (<https://drafts.csswg.org/css2/#elaborate-stacking-contexts>). Those that come first by level can all have the level 0
//! as long as they also come first in the document; boxes in their places in the flow have no order among each other. A
//! box that loses its level stays a stacking context for other reasons, or must contain no box with a level.

use super::context::SectionContext;
use super::environments::EnvId;
use super::overlap::{is_placed_in_grid, is_pulled, overlaps};
use limner_component_model::model::{Declaration, ElementId, PseudoElement, Rule};
use limner_style::ComputedStyle;
use limner_style::computed::{Overflow, Position};
use limner_style::property::Longhand as L;
use std::collections::BTreeSet;

/// Properties that make a box a stacking context while a state or an animation sets them.
#[rustfmt::skip]
const LIFTING: &[&str] = &[
    "animation-name", "backdrop-filter", "clip-path", "filter", "isolation", "mask-image", "opacity", "perspective", "rotate",
    "scale", "transform", "translate", "will-change",
];

/// Maximum number of times that the environments are compared, each with the result of the others.
const MAX_ROUNDS: usize = 4;

/// Returns the elements whose `z-index` orders nothing in any environment. `is_seen` tells the pseudo-elements that are
/// written.
pub(super) fn idle_levels(
    context: &SectionContext<'_>,
    rules: &[Vec<Rule>],
    is_seen: impl Fn(ElementId, PseudoElement) -> bool,
) -> BTreeSet<ElementId> {
    let Some(mut levels) = Levels::new(context, rules, is_seen) else { return BTreeSet::new() };
    for _ in 0..MAX_ROUNDS {
        let before = levels.idle.clone();
        for env in context.environments.envs() {
            levels.keep_those_of(env);
        }
        if levels.idle == before {
            let found = levels.idle.iter().enumerate().filter(|(_, is_idle)| **is_idle);
            return found.map(|(at, _)| ElementId(at)).collect();
        }
    }
    BTreeSet::new()
}

/// The levels of a section's boxes while it is determined which of them order nothing. Vectors are by element.
struct Levels<'c, 'p> {
    context: &'c SectionContext<'p>,
    /// True for an element whose `z-index` is not known to order anything.
    idle: Vec<bool>,
    /// True for an element that a state or an animation may make a stacking context.
    is_lifted: Vec<bool>,
    /// Levels of the boxes before and after the contents, if these are layers.
    generated: Vec<[Option<i64>; 2]>,
    /// True if negative margins may pull any box over another.
    has_pulls: bool,
}

/// A box that a stacking context orders.
struct Layer {
    level: i64,
    /// Position in the document.
    order: usize,
    /// Absent for a pseudo-element, whose level stays.
    element: Option<usize>,
    /// True if it, or a layer in it, may overlap others.
    is_moved: bool,
}

/// An element whose contents are being visited.
struct Open {
    element: usize,
    /// True if its layers are apart from those around it.
    is_context: bool,
    /// True if it is a stacking context without a level.
    isolates: bool,
    /// True if nothing in it is painted outside of it.
    clips: bool,
    /// Its index among the layers around it.
    layer: Option<usize>,
}

impl<'c, 'p> Levels<'c, 'p> {
    /// Collects the candidates; returns nothing for a header, and if a state changes the order or boxes blend with what is
    /// below them.
    fn new(
        context: &'c SectionContext<'p>,
        rules: &[Vec<Rule>],
        is_seen: impl Fn(ElementId, PseudoElement) -> bool,
    ) -> Option<Self> {
        let reorders = |rule: &Rule| {
            rule.state.is_some() && rule.declarations.iter().any(|own| matches!(&*own.name, "position" | "z-index"))
        };
        let blends = |style: &ComputedStyle| style.get(L::MixBlendMode) != "normal";
        // What leaves a header is painted over the next section.
        let is_excluded = matches!(context.tree.elements[0].tag.as_str(), "header" | "nav")
            || rules.iter().flatten().any(reorders)
            || context.computed.iter().flatten().any(|style| blends(style));
        if is_excluded {
            return None;
        }
        let is_candidate = |style: &ComputedStyle| {
            style.get(L::ZIndex) == "auto" || matches!(style.position(), Position::Relative | Position::Absolute)
        };
        let is_hidden = hidden_elements(context);
        let idle = context.computed.iter().zip(is_hidden).enumerate().map(|(at, (styles, is_hidden))| {
            at > 0
                && !is_hidden
                && styles.iter().all(|style| is_candidate(style))
                && styles.iter().any(|style| style.get(L::ZIndex) != "auto")
        });
        let lifts = |rule: &&Rule| rule.pseudo.is_none() && rule.state.is_some();
        let is_lifted = rules.iter().map(|own| {
            own.iter().filter(lifts).flat_map(|rule| &rule.declarations).any(is_lifting)
                || own.iter().flat_map(|rule| &rule.declarations).any(|own| own.name == "animation-name")
        });
        let mut generated = Vec::with_capacity(rules.len());
        for (at, own) in rules.iter().enumerate() {
            let mut levels = [None; 2];
            for (level, pseudo) in levels.iter_mut().zip([PseudoElement::Before, PseudoElement::After]) {
                if is_seen(ElementId(at), pseudo) {
                    *level = generated_level(own, pseudo)?;
                }
            }
            generated.push(levels);
        }
        let (idle, is_lifted) = (idle.collect(), is_lifted.collect());
        let has_pulls = context.computed.iter().skip(1).flatten().any(|style| is_pulled(style));
        Some(Self { context, idle, is_lifted, generated, has_pulls })
    }

    /// Excludes the levels that order something in an environment.
    fn keep_those_of(&mut self, env: EnvId) {
        let mut open: Vec<Open> = Vec::new();
        let mut contexts: Vec<Vec<Layer>> = Vec::new();
        let mut order = 0;
        for at in 0..self.context.tree.origins.len() {
            let parent = self.context.tree.origins[at].parent;
            while open.last().is_some_and(|last| Some(ElementId(last.element)) != parent) {
                let Some(closed) = open.pop() else { break };
                self.close(&closed, &mut contexts, &mut order);
            }
            let Some(style) = self.context.computed[at].get(env) else { continue };
            let around = parent.and_then(|parent| self.context.computed[parent.0].get(env));
            let takes_level = style.is_positioned() || around.is_some_and(|style| style.has_flex_or_grid_items());
            let level = style.get(L::ZIndex).parse::<i64>().ok().filter(|_| takes_level);
            let isolates = style.isolates();
            order += 1;
            let is_layer = level.is_some() || isolates || style.is_positioned() || self.is_lifted[at];
            let is_moved = self.has_pulls
                || self.is_lifted[at]
                || overlaps(style)
                || around.is_some_and(|around| around.display().is_grid_container() && is_placed_in_grid(style));
            let mut layer = None;
            if let Some(layers) = contexts.last_mut().filter(|_| is_layer) {
                layer = Some(layers.len());
                layers.push(Layer { level: level.unwrap_or(0), order, element: Some(at), is_moved });
            }
            let is_context = at == 0 || isolates || level.is_some();
            let clips = style.overflow_x() != Overflow::Visible && style.is_positioned();
            if is_context {
                contexts.push(Vec::new());
            }
            self.add_generated(at, 0, &mut contexts, &mut order);
            open.push(Open { element: at, is_context, isolates, clips, layer });
        }
        while let Some(closed) = open.pop() {
            self.close(&closed, &mut contexts, &mut order);
        }
    }

    fn add_generated(&self, at: usize, side: usize, contexts: &mut [Vec<Layer>], order: &mut usize) {
        if let Some((level, layers)) = self.generated[at][side].zip(contexts.last_mut()) {
            *order += 1;
            layers.push(Layer { level, order: *order, element: None, is_moved: true });
        }
    }

    /// Ends the visit of an element. If it was a stacking context, the order of its layers is known.
    fn close(&mut self, closed: &Open, contexts: &mut Vec<Vec<Layer>>, order: &mut usize) {
        self.add_generated(closed.element, 1, contexts, order);
        if !closed.is_context {
            return;
        }
        let Some(layers) = contexts.pop() else { return };
        let is_moved = !closed.clips && layers.iter().any(|layer| layer.is_moved);
        if self.keep_levels_of(layers) && !closed.isolates {
            self.idle[closed.element] = false;
        }
        if let Some((around, index)) = contexts.last_mut().zip(closed.layer) {
            around[index].is_moved |= is_moved;
        }
    }

    /// Excludes the levels that order the layers of a stacking context; returns true if there are any.
    fn keep_levels_of(&mut self, mut layers: Vec<Layer>) -> bool {
        layers.sort_by_key(|layer| (layer.level, layer.order));
        let mut has_levels = false;
        let (mut kept, mut kept_moved) = (false, false);
        let (mut last, mut last_moved) = (0, 0);
        for Layer { level, order, element, is_moved } in layers {
            let can_be_idle = level == 0 || (level > 0 && element.is_some_and(|at| self.idle[at]));
            let is_after = if is_moved { !kept && order > last } else { !kept_moved && order > last_moved };
            if can_be_idle && is_after {
                last = order.max(last);
                last_moved = if is_moved { order } else { last_moved };
                continue;
            }
            // Layers below the contents stay below whatever has the level 0.
            if level >= 0 {
                kept = true;
                kept_moved |= is_moved;
            }
            has_levels |= level != 0;
            if let Some(at) = element {
                self.idle[at] = false;
            }
        }
        has_levels
    }
}

/// Returns, by element, true if it or a box around it is out of the flow and not shown at rest in some environment: menus
/// that open are painted outside of their section, over what comes after it.
fn hidden_elements(context: &SectionContext<'_>) -> Vec<bool> {
    let hides = |style: &ComputedStyle| {
        style.is_absolutely_positioned()
            && (!style.display().generates_box() || !style.is_visible() || style.get(L::Opacity) == "0")
    };
    let mut hidden: Vec<bool> = Vec::with_capacity(context.computed.len());
    for (styles, origin) in context.computed.iter().zip(&context.tree.origins) {
        let is_within = origin.parent.is_some_and(|parent| hidden[parent.0]);
        hidden.push(is_within || styles.iter().any(|style| hides(style)));
    }
    hidden
}

fn is_lifting(own: &Declaration) -> bool {
    LIFTING.contains(&&*own.name)
}

/// Returns the level of a pseudo-element that is a layer, `None` inside if it is none, and nothing if it has several.
fn generated_level(rules: &[Rule], pseudo: PseudoElement) -> Option<Option<i64>> {
    let own = || rules.iter().filter(|rule| rule.pseudo == Some(pseudo)).flat_map(|rule| &rule.declarations);
    let mut levels = own().filter(|own| own.name == "z-index").map(|own| own.value.parse::<i64>().ok());
    let is_layer = own().any(|own| own.name == "position" || is_lifting(own));
    match (levels.next(), levels.next()) {
        (None, _) => Some(is_layer.then_some(0)),
        (Some(level), None) => level.map(Some),
        _ => None,
    }
}
