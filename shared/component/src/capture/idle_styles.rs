//! Finds what has no effect in the section as a whole, although it would have one in another: `clear` where nothing floats,
//! `position: relative` and transforms without effect to which nothing refers and which change no order of painting,
//! containers that no rule asks, clearfixes and other pseudo-elements that show nothing.
//!
//! Before → after: `.row { position: relative } .row::after { content: ""; display: table; clear: both }` around two flex
//! items → nothing.

use super::context::SectionContext;
use super::environments::EnvMap;
use super::property_key::PropertyKey;
use super::root::formatting_context::{Edge, leaks_margin};
use super::unread_inheritance::UnreadInheritance;
use crate::effective_background::is_transparent;
use limner_component_model::calc_simplify::changes_nothing;
use limner_component_model::model::{Child, Declaration, ElementId, PseudoElement, Rule};
use limner_style::ComputedStyle;
use limner_style::computed::{Overflow, Position};
use limner_style::property::Longhand as L;
use limner_style::selector::PseudoElement as Pseudo;
use limner_style::value::parse_components;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Properties that pseudo-elements may declare without showing anything, in flow or not.
const INVISIBLE: &[&str] = &[
    "box-sizing",
    "clear",
    "content",
    "display",
    "font-size",
    "line-height",
    "overflow-x",
    "overflow-y",
    "pointer-events",
    "visibility",
];
/// Properties that they may declare besides if they are out of flow.
const OUT_OF_FLOW: &[&str] = &["bottom", "height", "left", "position", "right", "top", "width", "z-index"];
/// Properties that move a box, or what is painted of it.
const MOVES: [L; 4] = [L::Transform, L::Translate, L::Rotate, L::Scale];
const INSETS: [L; 4] = [L::Top, L::Right, L::Bottom, L::Left];

/// Styles without effect in a section.
#[derive(Debug, Default)]
pub(super) struct IdleStyles {
    /// Relatively positioned elements that could as well be static.
    still: BTreeSet<ElementId>,
    /// Boxes with a minimum height of a pixel that have text in them.
    filled: BTreeSet<ElementId>,
    /// True once it is known that nothing floats.
    has_no_floats: bool,
    /// True once it is known that no rule depends on the size of a container.
    has_no_queries: bool,
    /// Pseudo-elements that show nothing.
    unseen: BTreeSet<(ElementId, PseudoElement)>,
    /// Inherited properties that no content reads.
    unread: UnreadInheritance,
}

impl IdleStyles {
    /// Determines what has no effect, from the styles of all elements and their rules.
    pub(super) fn from_rules(context: &SectionContext<'_>, rules: &[Vec<Rule>]) -> Self {
        let floats = |(at, own): (usize, &Vec<Rule>)| {
            context.computed[at].iter().any(|style| style.is_floating())
                || declares(own, "float", |value| value != "none")
        };
        let has_no_floats = !rules.iter().enumerate().any(floats);
        let asks = |rule: &Rule| {
            rule.condition.at_rules.iter().any(|at_rule| at_rule.starts_with("@container"))
                || rule.declarations.iter().any(|own| own.value.contains("cq"))
        };
        let has_no_queries = !rules.iter().flatten().any(asks);
        let mut idle = Self { has_no_floats, has_no_queries, ..Self::default() };
        for (at, own) in rules.iter().enumerate() {
            for pseudo in [PseudoElement::Before, PseudoElement::After] {
                if idle.is_unseen(context, ElementId(at), own, pseudo) {
                    idle.unseen.insert((ElementId(at), pseudo));
                }
            }
        }
        idle.unread = UnreadInheritance::from_rules(context, rules);
        idle.still = idle.still_elements(context, rules);
        if has_no_floats {
            idle.filled = filled_elements(context);
        }
        idle
    }

    /// Returns true if a property has no effect on an element.
    pub(super) fn contains(&self, PropertyKey { element, pseudo, longhand }: PropertyKey) -> bool {
        match longhand {
            L::Clear => self.has_no_floats,
            L::MinHeight => pseudo.is_none() && self.filled.contains(&element),
            L::ContainerName => self.has_no_queries,
            L::Transform
            | L::Translate
            | L::Scale
            | L::Rotate
            | L::Position
            | L::Top
            | L::Right
            | L::Bottom
            | L::Left => pseudo.is_none() && self.still.contains(&element),
            _ => {
                let is_of_the_box = matches!(pseudo, None | Some(Pseudo::Before | Pseudo::After));
                is_of_the_box && self.unread.contains(element, longhand)
            }
        }
    }

    /// Removes what has no effect from the rules of an element.
    pub(super) fn strip(&self, element: ElementId, rules: &mut Vec<Rule>) {
        let (is_still, is_filled) = (self.still.contains(&element), self.filled.contains(&element));
        rules.retain_mut(|rule| {
            if rule.pseudo.is_some_and(|pseudo| self.unseen.contains(&(element, pseudo))) {
                return false;
            }
            let is_still = is_still && rule.pseudo.is_none();
            rule.declarations.retain(|own| match &*own.name {
                "clear" => !self.has_no_floats,
                "min-height" => !(is_filled && rule.pseudo.is_none() && rule.state.is_none()),
                "container-name" => !self.has_no_queries,
                "position" | "top" | "right" | "bottom" | "left" | "transform" | "translate" | "scale" | "rotate" => {
                    !is_still
                }
                name => !is_of_the_box(rule.pseudo) || !self.unread.contains_name(element, name),
            });
            !rule.declarations.is_empty()
        });
    }

    /// Returns true if a pseudo-element of an element shows nothing and takes no room.
    fn is_unseen(
        &self,
        context: &SectionContext<'_>,
        element: ElementId,
        rules: &[Rule],
        pseudo: PseudoElement,
    ) -> bool {
        let own = || rules.iter().filter(|rule| rule.pseudo == Some(pseudo));
        let declared = || own().flat_map(|rule| &rule.declarations);
        let says = |name: &str| declared().find(|own| own.name == name);
        if says("content").is_none() || own().any(|rule| rule.state.is_some()) {
            return false;
        }
        let is_always = |name: &str, value: &str| {
            let says_it = |own: &Declaration| own.name == name && own.value == value;
            own().any(|rule| rule.condition.is_empty() && rule.declarations.iter().any(says_it))
                && declared().all(|own| own.name != name || own.value == value)
        };
        if is_always("display", "none") {
            return true;
        }
        let is_out_of_flow = own()
            .any(|rule| rule.condition.is_empty() && rule.declarations.iter().any(is_out_of_flow))
            && declared().all(|own| own.name != "position" || is_out_of_flow(own));
        if is_out_of_flow {
            let is_animated = declared().any(|own| own.name.starts_with("animation"));
            if is_always("opacity", "0") && !is_animated {
                return true;
            }
            let is_untouchable = says("pointer-events").is_some_and(|own| own.value == "none");
            return is_untouchable && declared().all(|own| is_invisible(own) || OUT_OF_FLOW.contains(&&*own.name));
        }
        let is_block = says("display").is_some()
            && declared().all(|own| own.name != "display" || matches!(own.value.as_str(), "block" | "table"));
        let is_table = declared().any(|own| own.name == "display" && own.value == "table");
        let edge = if pseudo == PseudoElement::Before { Edge::Top } else { Edge::Bottom };
        is_block
            && self.has_no_floats
            && declared()
                .all(|own| is_invisible(own) || (own.name == "height" && matches!(own.value.as_str(), "0" | "0px")))
            && context.computed[element.0].iter().all(|style| style.display().is_block_container())
            && !(is_table && context.environments.envs().any(|env| leaks_margin(context, element, env, edge)))
    }

    /// Returns the relatively positioned elements that could as well be static: none of them moves, is a containing block or
    /// has a place of its own in the order of painting, and nothing that is painted before them overlaps them.
    fn still_elements(&self, context: &SectionContext<'_>, rules: &[Vec<Rule>]) -> BTreeSet<ElementId> {
        let pulls =
            |(at, styles): (usize, &EnvMap<Arc<ComputedStyle>>)| at > 0 && styles.iter().any(|own| is_pulled(own));
        // What is transformed holds the layers below it.
        let is_below = |style: &Arc<ComputedStyle>| style.get(L::ZIndex).starts_with('-');
        let has_below = context.computed.iter().flatten().any(is_below);
        if context.computed.iter().enumerate().any(pulls) {
            return BTreeSet::new();
        }
        let origins = &context.tree.origins;
        let holding = self.containing_blocks(context, rules);
        let mut found = BTreeSet::new();
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
            let has_layer = self.generates_overlap(at, &rules[at]);
            let overlaps = has_layer || styles.iter().any(|style| overlaps(style));
            let is_set = styles.iter().any(|style| style.position() == Position::Relative || is_transformed(style));
            let is_still = is_set
                && !is_covered
                && !holding[at]
                && styles.iter().all(|style| may_be_static(style) && !(has_below && is_transformed(style)))
                && !changes_place(&rules[at]);
            if is_still {
                found.insert(ElementId(at));
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
        found
    }

    /// Returns, by element, true if it may be the containing block of an absolutely positioned box.
    fn containing_blocks(&self, context: &SectionContext<'_>, rules: &[Vec<Rule>]) -> Vec<bool> {
        let mut holding = vec![false; rules.len()];
        for (at, own) in rules.iter().enumerate().rev() {
            let unseen =
                |rule: &&Rule| rule.pseudo.is_none_or(|pseudo| !self.unseen.contains(&(ElementId(at), pseudo)));
            let declared = || own.iter().filter(unseen).filter(|rule| rule.pseudo.is_some() || rule.state.is_some());
            let places = |rule: &Rule| rule.declarations.iter().any(is_out_of_flow);
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
    fn generates_overlap(&self, at: usize, rules: &[Rule]) -> bool {
        let seen = |rule: &&Rule| rule.pseudo.is_some_and(|pseudo| !self.unseen.contains(&(ElementId(at), pseudo)));
        let moves = |own: &Declaration| {
            is_out_of_flow(own) || is_sticky(own) || MOVES.iter().any(|longhand| longhand.name() == own.name)
        };
        rules.iter().filter(seen).flat_map(|rule| &rule.declarations).any(moves)
            || rules.iter().filter(|rule| rule.state.is_some()).flat_map(|rule| &rule.declarations).any(moves)
    }
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

/// Returns the boxes to which page builders give a minimum height of one pixel, and which are higher because of their text.
fn filled_elements(context: &SectionContext<'_>) -> BTreeSet<ElementId> {
    let mut has_text = vec![false; context.computed.len()];
    let mut found = BTreeSet::new();
    for (at, styles) in context.computed.iter().enumerate().rev() {
        let is_word = |child: &Child| matches!(child, Child::Text(text) if !text.trim().is_empty());
        has_text[at] |= context.tree.elements[at].children.iter().any(is_word);
        let parent = context.tree.origins[at].parent;
        let is_in_flow = styles.iter().all(|style| style.is_in_flow());
        if let Some(parent) = parent.filter(|_| has_text[at] && is_in_flow) {
            has_text[parent.0] = true;
        }
        // Items have a minimum of their own along the main axis, and in grids.
        let is_measured =
            |style: &Arc<ComputedStyle>| style.display().is_grid_container() || !style.flex_direction().is_row();
        let is_plain = parent.is_none_or(|parent| !context.computed[parent.0].iter().any(is_measured));
        let heights = || styles.iter().map(|style| style.get(L::MinHeight));
        let is_least =
            heights().all(|height| matches!(height, "auto" | "0px" | "1px")) && heights().any(|own| own == "1px");
        if is_least && is_plain && has_text[at] && styles.iter().all(|style| style.get(L::Height) == "auto") {
            found.insert(ElementId(at));
        }
    }
    found
}

/// Returns true for an element, and for what it generates, which inherits from it.
fn is_of_the_box(pseudo: Option<PseudoElement>) -> bool {
    matches!(pseudo, None | Some(PseudoElement::Before | PseudoElement::After))
}

fn declares(rules: &[Rule], name: &str, test: impl Fn(&str) -> bool) -> bool {
    rules.iter().flat_map(|rule| &rule.declarations).any(|own| own.name == name && test(&own.value))
}

fn is_out_of_flow(own: &Declaration) -> bool {
    own.name == "position" && matches!(own.value.as_str(), "absolute" | "fixed")
}

fn is_sticky(own: &Declaration) -> bool {
    own.name == "position" && own.value == "sticky"
}

/// Returns true if a declaration of a pseudo-element neither paints anything nor gives it a size.
fn is_invisible(own: &Declaration) -> bool {
    match &*own.name {
        "content" => own.value.trim_matches(['"', '\'']).trim().is_empty(),
        "background-color" => is_transparent(&own.value),
        name => INVISIBLE.contains(&name),
    }
}

/// Returns true if a negative margin may pull a box over another.
fn is_pulled(style: &ComputedStyle) -> bool {
    let is_negative = |longhand: L| style.get(longhand).starts_with('-');
    [L::MarginTop, L::MarginBottom].into_iter().any(is_negative)
        || (style.display().is_inline_level() && [L::MarginLeft, L::MarginRight].into_iter().any(is_negative))
}

/// Returns true if a box may be painted over one that comes after it.
fn overlaps(style: &ComputedStyle) -> bool {
    let is_moved = !MOVES.iter().all(|longhand| is_identity(style.get(*longhand)));
    let is_placed = match style.position() {
        Position::Static => false,
        Position::Relative => INSETS.iter().any(|side| !matches!(style.get(*side), "auto" | "0px" | "0%")),
        _ => !is_point(style),
    };
    is_moved || is_placed || style.is_floating()
}

/// Returns true if a transform is declared, with or without effect.
fn is_transformed(style: &ComputedStyle) -> bool {
    MOVES.iter().any(|longhand| style.get(*longhand) != "none")
}

/// Returns true for a transform, translation, scale or rotation without effect.
fn is_identity(value: &str) -> bool {
    value == "none"
        || value.split(' ').all(|length| matches!(length, "0px" | "0%"))
        || parse_components(value).is_some_and(|functions| functions.iter().all(changes_nothing))
}

/// Returns true for the box of a text that only screen readers get.
fn is_point(style: &ComputedStyle) -> bool {
    style.get(L::Width) == "1px" && style.get(L::Height) == "1px"
}

/// Returns true if a box is in its place, and in that order of painting which its place in the document gives it.
fn may_be_static(style: &ComputedStyle) -> bool {
    matches!(style.position(), Position::Static | Position::Relative)
        && style.get(L::ZIndex) == "auto"
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
