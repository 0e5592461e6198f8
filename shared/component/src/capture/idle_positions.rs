//! Finds relative positions without effect: of boxes in their place, to which nothing refers and which nothing overlaps, and
//! of boxes that are stacking contexts and containing blocks without them.
//!
//! Before → after: `<div style="position:relative">` around a text → `<div>`; `<a style="position:relative;z-index:1">` in a flex
//! container → `<a style="z-index:1">`.

use super::context::SectionContext;
use super::environments::EnvMap;
use super::measured_boxes::{Layer, MeasuredBoxes};
use super::overlap::{INSETS, MOVES, is_identity, is_pulled, overlaps};
use limner_component_model::model::{Declaration, ElementId, PseudoElement, Rule};
use limner_style::ComputedStyle;
use limner_style::computed::{Overflow, Position};
use limner_style::property::Longhand as L;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Positions without effect.
#[derive(Debug, Default)]
pub(super) struct IdlePositions {
    /// Relatively positioned or transformed elements that could as well be static.
    still: BTreeSet<ElementId>,
    /// Those that need all of it but the position.
    unpositioned: BTreeSet<ElementId>,
}

impl IdlePositions {
    /// Determines what has no effect. `is_seen` tells the pseudo-elements that are written, `has_no_level` the elements whose
    /// `z-index` orders nothing.
    pub(super) fn from_rules(
        context: &SectionContext<'_>,
        rules: &[Vec<Rule>],
        is_seen: &dyn Fn(ElementId, PseudoElement) -> bool,
        has_no_level: &dyn Fn(ElementId) -> bool,
    ) -> Self {
        let finder = Finder { context, rules, is_seen, has_no_level };
        let holding = finder.containing_blocks();
        let still = finder.still_elements(&holding);
        let unpositioned = (1..rules.len()).filter(|at| finder.needs_no_position(*at, holding[*at]));
        Self { unpositioned: unpositioned.map(ElementId).collect(), still }
    }

    /// Returns true if a property of an element has no effect.
    pub(super) fn contains_name(&self, element: ElementId, name: &str) -> bool {
        match name {
            "position" => self.still.contains(&element) || self.unpositioned.contains(&element),
            "top" | "right" | "bottom" | "left" | "transform" | "translate" | "scale" | "rotate" => {
                self.still.contains(&element)
            }
            _ => false,
        }
    }
}

struct Finder<'f, 'r> {
    context: &'f SectionContext<'r>,
    rules: &'f [Vec<Rule>],
    is_seen: &'f dyn Fn(ElementId, PseudoElement) -> bool,
    has_no_level: &'f dyn Fn(ElementId) -> bool,
}

/// An element whose descendants are being visited.
struct Scope {
    element: ElementId,
    /// It may be painted over what comes after it.
    overlaps: bool,
    /// Something that is painted before the next descendant may overlap it.
    is_covered: bool,
    /// Nothing in it is painted outside of it.
    is_clipped: bool,
}

impl Finder<'_, '_> {
    /// Returns the relatively positioned elements that could as well be static: none of them moves, is a containing block or
    /// has a place of its own in the order of painting, and nothing that is painted before them overlaps them.
    fn still_elements(&self, holding: &[bool]) -> BTreeSet<ElementId> {
        let Self { context, rules, .. } = self;
        let pulls =
            |(at, styles): &(usize, &EnvMap<Arc<ComputedStyle>>)| *at > 0 && styles.iter().any(|own| is_pulled(own));
        let pulled: Vec<usize> = context.computed.iter().enumerate().filter(pulls).map(|(at, _)| at).collect();
        if !pulled.is_empty()
            && !MeasuredBoxes::new(context).is_some_and(|boxes| boxes.are_apart_from_siblings(&pulled))
        {
            return BTreeSet::new();
        }
        // What is transformed holds the layers below it.
        let is_below = |style: &Arc<ComputedStyle>| style.get(L::ZIndex).starts_with('-');
        let has_below = context.computed.iter().flatten().any(is_below);
        let origins = &context.tree.origins;
        let mut found = BTreeSet::new();
        let mut covered: Vec<usize> = Vec::new();
        let mut layers: Vec<Layer> = Vec::new();
        // Of each open element: the index after its last descendant is not known, but its parent is.
        let mut open: Vec<Scope> = Vec::new();
        for (at, origin) in origins.iter().enumerate() {
            while open.last().is_some_and(|scope| Some(scope.element) != origin.parent) {
                let Some(closed) = open.pop() else { break };
                if let Some(around) = open.last_mut() {
                    around.is_covered |= closed.overlaps || (closed.is_covered && !closed.is_clipped);
                }
            }
            let styles = &context.computed[at];
            let is_covered = open.last().is_some_and(|scope| scope.is_covered);
            // What an element generates may be painted over its contents.
            let has_layer = self.generates_overlap(at);
            let overlaps = has_layer || styles.iter().any(|style| overlaps(style));
            if overlaps {
                layers.push(Layer { element: at, generates: has_layer, is_bound: !has_layer || self.is_bound(at) });
            }
            let is_set = styles.iter().any(|style| style.position() == Position::Relative || is_transformed(style));
            let may_be_still = is_set
                && !holding[at]
                && styles.iter().all(|style| {
                    ((self.has_no_level)(ElementId(at)) || style.get(L::ZIndex) == "auto")
                        && may_be_static(style)
                        && !(has_below && is_transformed(style))
                })
                && !changes_place(&rules[at]);
            let is_still = may_be_still && !is_covered;
            if is_still {
                found.insert(ElementId(at));
            } else if may_be_still {
                covered.push(at);
            }
            // What is in a positioned box is painted with it, above what the box is above.
            let is_layer = !is_still && styles.iter().all(|style| style.is_positioned());
            let is_clipped =
                styles.iter().all(|style| style.overflow_x() != Overflow::Visible && style.is_positioned());
            open.push(Scope {
                element: ElementId(at),
                overlaps,
                is_covered: has_layer || (is_covered && !is_layer),
                is_clipped: is_clipped && !is_still,
            });
        }
        // What no box overlaps where it was measured needs no place in the order of painting either.
        if let Some(boxes) = (!covered.is_empty()).then(|| MeasuredBoxes::new(context)).flatten() {
            found.extend(boxes.apart_from(&covered, &layers).map(ElementId));
        }
        found
    }

    /// Returns true for an element that is a stacking context, and a containing block if it is used as one, without being
    /// positioned.
    fn needs_no_position(&self, at: usize, is_holding: bool) -> bool {
        let parent = self.context.tree.origins[at].parent;
        let styles = &self.context.computed[at];
        let mut around = parent.map(|parent| self.context.computed[parent.0].iter()).into_iter().flatten();
        let is_kept = |style: &Arc<ComputedStyle>| {
            let is_item = around.next().is_some_and(|around| around.has_flex_or_grid_items());
            // A level that orders nothing beside the position is left out, and orders nothing without it.
            let is_level = style.get(L::ZIndex) != "auto" && !(self.has_no_level)(ElementId(at));
            let is_context = if is_level { is_item } else { style.isolates() };
            let is_in_place = INSETS.iter().all(|side| matches!(style.get(*side), "auto" | "0px" | "0%"));
            style.position() == Position::Relative
                && is_in_place
                && is_context
                && (!is_holding || style.is_containing_block_for_fixed())
        };
        let places = |own: &Declaration| {
            matches!(
                &*own.name,
                "position"
                    | "top"
                    | "right"
                    | "bottom"
                    | "left"
                    | "z-index"
                    | "opacity"
                    | "filter"
                    | "transform"
                    | "will-change"
            )
        };
        let changes = |rule: &Rule| {
            rule.pseudo.is_none()
                && (rule.state.is_some() || !rule.condition.at_rules.is_empty())
                && rule.declarations.iter().any(places)
        };
        styles.iter().all(is_kept)
            && !self.rules[at].iter().any(changes)
            && !declares(&self.rules[at], "animation-name", |value| value != "none")
    }

    /// Returns, by element, true if it may be the containing block of an absolutely positioned box.
    fn containing_blocks(&self) -> Vec<bool> {
        let Self { context, rules, .. } = self;
        let mut holding = vec![false; rules.len()];
        for (at, own) in rules.iter().enumerate().rev() {
            let unseen = |rule: &&Rule| rule.pseudo.is_none_or(|pseudo| (self.is_seen)(ElementId(at), pseudo));
            let declared = || own.iter().filter(unseen).filter(|rule| rule.pseudo.is_some() || rule.state.is_some());
            let places = |rule: &Rule| rule.declarations.iter().any(positions_absolutely);
            holding[at] |= declared().any(|rule| rule.pseudo.is_some() && places(rule));
            let styles = &context.computed[at];
            let is_placed = styles.iter().any(|style| style.is_absolutely_positioned()) || declared().any(places);
            let passes_on = holding[at] && !styles.iter().all(|style| style.is_containing_block_for_absolute());
            if let Some(parent) = context.tree.origins[at].parent {
                holding[parent.0] |= is_placed || passes_on;
            }
        }
        holding
    }

    /// Returns true if an element has a pseudo-element that may be painted over others.
    fn generates_overlap(&self, at: usize) -> bool {
        let rules = &self.rules[at];
        let seen = |rule: &&Rule| rule.pseudo.is_some_and(|pseudo| (self.is_seen)(ElementId(at), pseudo));
        let moves = |own: &Declaration| {
            positions_absolutely(own) || is_sticky(own) || MOVES.iter().any(|longhand| longhand.name() == own.name)
        };
        rules.iter().filter(seen).flat_map(|rule| &rule.declarations).any(moves)
            || rules.iter().filter(|rule| rule.state.is_some()).flat_map(|rule| &rule.declarations).any(moves)
    }

    /// Returns true if everything that an element generates is within its box, in all states.
    fn is_bound(&self, at: usize) -> bool {
        let moves = |name: &str| MOVES.iter().any(|longhand| longhand.name() == name);
        let is_positive = |own: &Declaration| match &*own.name {
            name if moves(name) => is_identity(&own.value),
            "width" | "height" => !own.value.contains('(') && share(&own.value).is_none_or(|share| share <= 100.0),
            "top" | "right" | "bottom" | "left" => !own.value.contains('-') && !own.value.contains('('),
            name => !name.starts_with("margin-") || !own.value.contains('-'),
        };
        let is_animated = declares(&self.rules[at], "animation-name", |value| value != "none");
        let holds = self.context.computed[at].iter().all(|style| style.is_containing_block_for_absolute());
        let mut rules = self.rules[at].iter().filter(|rule| rule.pseudo.is_some() || rule.state.is_some());
        holds && !is_animated && rules.all(|rule| rule.declarations.iter().all(is_positive))
    }
}

fn share(value: &str) -> Option<f64> {
    value.strip_suffix('%')?.parse().ok()
}

pub(super) fn declares(rules: &[Rule], name: &str, test: impl Fn(&str) -> bool) -> bool {
    rules.iter().flat_map(|rule| &rule.declarations).any(|own| own.name == name && test(&own.value))
}

/// Returns true for a declaration that makes its element absolutely positioned
/// (<https://drafts.csswg.org/css-position-3/#absolute-positioning-containing-block>).
pub(super) fn positions_absolutely(own: &Declaration) -> bool {
    own.name == "position" && Position::parse(&own.value).is_some_and(Position::is_absolute)
}

pub(super) fn is_sticky(own: &Declaration) -> bool {
    own.name == "position" && Position::parse(&own.value) == Some(Position::Sticky)
}

/// Returns true if a transform is declared, with or without effect.
fn is_transformed(style: &ComputedStyle) -> bool {
    MOVES.iter().any(|longhand| style.get(*longhand) != "none")
}

/// Returns true if a box is in its place, and in that order of painting which its place in the document gives it.
fn may_be_static(style: &ComputedStyle) -> bool {
    matches!(style.position(), Position::Static | Position::Relative)
        && MOVES.iter().all(|longhand| is_identity(style.get(*longhand)))
        && style.get(L::TransformStyle) == "flat"
        && INSETS.iter().all(|side| matches!(style.get(*side), "auto" | "0px" | "0%"))
}

/// Returns true if a rule gives an element another place, under a state or by an animation.
fn changes_place(rules: &[Rule]) -> bool {
    let mut declared =
        rules.iter().filter(|rule| rule.pseudo.is_none() && rule.state.is_some()).flat_map(|rule| &rule.declarations);
    let moves = |own: &Declaration| MOVES.iter().any(|longhand| longhand.name() == own.name);
    declared.any(|own| moves(own) || matches!(&*own.name, "position" | "top" | "right" | "bottom" | "left" | "z-index"))
        || declares(rules, "animation-name", |value| value != "none")
}
