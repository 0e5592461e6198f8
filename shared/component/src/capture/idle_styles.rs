//! Finds what has no effect in the section as a whole, although it would have one in another: `clear` where nothing floats,
//! `position: relative` and transforms without effect to which nothing refers and which change no order of painting,
//! containers that no rule asks, clearfixes and other pseudo-elements that show nothing.
//!
//! Before → after: `.row { position: relative } .row::after { content: ""; display: table; clear: both }` around two flex
//! items → nothing.

use super::context::SectionContext;
use super::environments::{EnvId, EnvMap};
use super::float_layout::FloatLayout;
use super::hidden_rules::HiddenRules;
use super::idle_layout::IdleLayout;
use super::idle_positions::{IdlePositions, declares, is_sticky, positions_absolutely};
use super::overlap::{MOVES, is_identity, is_placed_in_grid, is_point, overlaps};
use super::property_key::PropertyKey;
use super::root::formatting_context::{Edge, leaks_margin};
use super::stacking_levels::idle_levels;
use super::unpainted_corners::unpainted_corners;
use super::unread_inheritance::UnreadInheritance;
use limner_component_model::model::{Baseline, Child, Declaration, Element, ElementId, PseudoElement, Rule};
use limner_style::ComputedStyle;
use limner_style::color::Scheme;
use limner_style::color::is_transparent;
use limner_style::computed::{Overflow, Position};
use limner_style::property::Longhand as L;
use limner_style::selector::PseudoElement as Pseudo;
use std::borrow::Cow;
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
const OUT_OF_FLOW: &[&str] = &["bottom", "height", "left", "opacity", "position", "right", "top", "width", "z-index"];

/// Styles without effect in a section.
#[derive(Debug, Default)]
pub(super) struct IdleStyles {
    /// The environments in which elements are hidden.
    hidden: HiddenRules,
    /// Relative positions without effect.
    positions: IdlePositions,
    /// Elements whose `z-index` orders nothing.
    unordered: BTreeSet<ElementId>,
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
    /// Boxes to which nothing scrolls.
    unaimed: BTreeSet<ElementId>,
    /// Boxes that show nothing and take no room.
    empty: BTreeSet<ElementId>,
    /// Declarations of layout that change no box.
    layout: IdleLayout,
    /// Boxes whose round corners nobody sees.
    cornerless: BTreeSet<ElementId>,
    /// True once it is known that nothing shows a counter.
    has_no_counters: bool,
    /// True once it is known that browsers draw nothing in colours of a scheme.
    has_no_scheme: bool,
    /// True once it is known that no box is painted over another, whatever the order of painting.
    is_flat: bool,
}

impl IdleStyles {
    /// Determines what has no effect, from the styles of all elements and their rules. `placed` are the elements that have other
    /// values than on the page because of their containing block.
    pub(super) fn from_rules(
        context: &SectionContext<'_>,
        rules: &[Vec<Rule>],
        layout: &FloatLayout,
        placed: &BTreeSet<ElementId>,
    ) -> Self {
        let floats = |(at, own): (usize, &Vec<Rule>)| {
            !layout.is_column(ElementId(at))
                && !is_item(context, at)
                && (context.computed[at].iter().any(|style| style.is_floating())
                    || declares(own, "float", |value| value != "none"))
        };
        let has_no_floats = !rules.iter().enumerate().any(floats);
        let asks = |rule: &Rule| {
            rule.condition.at_rules.iter().any(|at_rule| at_rule.starts_with("@container"))
                || rule.declarations.iter().any(|own| own.value.contains("cq"))
        };
        let has_no_queries = !rules.iter().flatten().any(asks);
        // A dark component is dark in any document.
        let has_no_scheme = context.request.scheme == Scheme::Light && !draws_scheme(context, rules);
        let counts = |own: &Declaration| {
            (own.name == "content" && own.value.contains("counter"))
                || (own.name.starts_with("counter-") && own.value.contains("list-item"))
        };
        let has_no_counters = !rules.iter().flatten().flat_map(|rule| &rule.declarations).any(counts);
        let mut idle = Self { has_no_floats, has_no_queries, has_no_counters, has_no_scheme, ..Self::default() };
        let is_used = used_elements(context);
        for (at, own) in rules.iter().enumerate() {
            for pseudo in [PseudoElement::Before, PseudoElement::After] {
                let is_freed = layout.is_freed(ElementId(at)) && is_empty_part(own, pseudo);
                if is_freed || idle.is_unseen(context, (ElementId(at), is_used[at]), own, pseudo) {
                    idle.unseen.insert((ElementId(at), pseudo));
                }
            }
        }
        idle.unread = UnreadInheritance::from_rules(context, &idle.seen_rules(rules));
        idle.is_flat = idle.has_one_layer(context, rules);
        let is_seen = |element, pseudo| !idle.unseen.contains(&(element, pseudo));
        idle.unordered = idle_levels(context, rules, is_seen);
        idle.layout = IdleLayout::from_rules(context, rules, (layout, placed), is_seen);
        idle.cornerless = unpainted_corners(context, rules);
        idle.positions = IdlePositions::from_rules(context, rules, &is_seen, &|element| idle.has_no_level(element));
        idle.unaimed = (1..rules.len()).map(ElementId).filter(|id| is_unaimed(context, *id)).collect();
        idle.empty = (0..rules.len()).map(ElementId).filter(|id| layout.is_clearer(*id)).collect();
        idle.filled = filled_elements(context);
        idle.hidden = HiddenRules::from_rules(context, rules);
        idle
    }

    /// Returns true if a property has no effect on an element.
    pub(super) fn contains(&self, PropertyKey { element, pseudo, longhand }: PropertyKey) -> bool {
        if self.empty.contains(&element) {
            return true;
        }
        match longhand {
            L::Clear => self.has_no_floats,
            L::MinHeight => {
                pseudo.is_none() && (self.filled.contains(&element) || self.layout.contains(element, longhand))
            }
            L::ContainerName => self.has_no_queries,
            L::CounterReset | L::CounterIncrement | L::CounterSet => self.has_no_counters,
            L::ColorScheme => self.has_no_scheme,
            L::ZIndex => pseudo.is_none() && self.has_no_level(element),
            L::ScrollMarginTop | L::ScrollMarginRight | L::ScrollMarginBottom | L::ScrollMarginLeft => {
                pseudo.is_none() && self.unaimed.contains(&element)
            }
            _ => {
                let is_of_the_box = matches!(pseudo, None | Some(Pseudo::Before | Pseudo::After));
                (pseudo.is_none() && self.layout.contains(element, longhand))
                    || (pseudo.is_none() && self.positions.contains_name(element, longhand.name()))
                    || (pseudo.is_none() && is_corner(longhand.name()) && self.cornerless.contains(&element))
                    || is_of_the_box && self.unread.contains(element, longhand)
            }
        }
    }

    /// Returns true if nobody sees the value of a property in an environment, because its element is hidden there.
    pub(super) fn is_hidden(&self, key: PropertyKey, env: EnvId) -> bool {
        self.hidden.hides(key.element, key.longhand, env)
    }

    /// Removes what has no effect from the rules of an element.
    pub(super) fn strip(&self, context: &SectionContext<'_>, element: ElementId, rules: &mut Vec<Rule>) {
        if self.empty.contains(&element) {
            return rules.clear();
        }
        self.hidden.strip(context, element, rules);
        let is_filled = self.filled.contains(&element);
        rules.retain_mut(|rule| {
            if rule.pseudo.is_some_and(|pseudo| self.unseen.contains(&(element, pseudo))) {
                return false;
            }
            rule.declarations.retain(|own| match &*own.name {
                "clear" => !self.has_no_floats,
                "min-height" if is_filled && rule.pseudo.is_none() && rule.state.is_none() => false,
                "container-name" => !self.has_no_queries,
                "counter-reset" | "counter-increment" | "counter-set" => !self.has_no_counters,
                "color-scheme" => !self.has_no_scheme,
                name if name.starts_with("scroll-margin-") => {
                    !(rule.pseudo.is_none() && self.unaimed.contains(&element))
                }
                "z-index" => !(rule.pseudo.is_none() && self.has_no_level(element)),
                name if rule.pseudo.is_none() && self.positions.contains_name(element, name) => false,
                name if rule.pseudo.is_none() && self.layout.contains_name(element, name) => false,
                name if rule.pseudo.is_none() && is_corner(name) => !self.cornerless.contains(&element),
                name => !is_of_the_box(rule.pseudo) || !self.unread.contains_name(element, name),
            });
            !rule.declarations.is_empty()
        });
    }

    /// Returns the rules of each element without those of pseudo-elements that show nothing.
    fn seen_rules<'r>(&self, rules: &'r [Vec<Rule>]) -> Vec<Cow<'r, [Rule]>> {
        let is_seen = |element: ElementId, rule: &&Rule| {
            rule.pseudo.is_none_or(|pseudo| !self.unseen.contains(&(element, pseudo)))
        };
        let own =
            rules.iter().enumerate().map(|(at, own)| match own.iter().all(|rule| is_seen(ElementId(at), &rule)) {
                true => Cow::Borrowed(&own[..]),
                false => own.iter().filter(|rule| is_seen(ElementId(at), rule)).cloned().collect(),
            });
        own.collect()
    }

    /// Returns true if a pseudo-element of an element shows nothing and takes no room.
    fn is_unseen(
        &self,
        context: &SectionContext<'_>,
        (element, is_used): (ElementId, bool),
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
        let is_absolute = own()
            .any(|rule| rule.condition.is_empty() && rule.declarations.iter().any(positions_absolutely))
            && declared().all(|own| own.name != "position" || positions_absolutely(own));
        if is_absolute {
            let is_animated = declared().any(|own| own.name.starts_with("animation"));
            if is_always("opacity", "0") && !is_animated {
                return true;
            }
            // Links and buttons are often as large as such a box.
            let is_untouchable = !is_used || says("pointer-events").is_some_and(|own| own.value == "none");
            let is_of_place = |own: &Declaration| {
                OUT_OF_FLOW.contains(&&*own.name)
                    || own.name.ends_with("-radius")
                    || own.name.starts_with("transition-")
            };
            return is_untouchable && declared().all(|own| is_invisible(own) || is_of_place(own));
        }
        let parts =
            declared().any(|own| (own.name == "display" && own.value == "table") || own.name.starts_with("overflow-"));
        let edge = if pseudo == PseudoElement::Before { Edge::Top } else { Edge::Bottom };
        self.has_no_floats
            && is_empty_part(rules, pseudo)
            && context.computed[element.0].iter().all(|style| style.display().is_block_container())
            && !(parts && context.environments.envs().any(|env| leaks_margin(context, element, env, edge)))
    }

    /// Returns true if the `z-index` of an element orders nothing.
    fn has_no_level(&self, element: ElementId) -> bool {
        (self.is_flat && element != ElementId(0)) || self.unordered.contains(&element)
    }

    /// Returns true if no box leaves its place in the flow, at rest or in a state: then none is over another.
    fn has_one_layer(&self, context: &SectionContext<'_>, rules: &[Vec<Rule>]) -> bool {
        const MARGINS: [L; 4] = [L::MarginTop, L::MarginRight, L::MarginBottom, L::MarginLeft];
        let is_pixels = |height: &str| height.ends_with("px") && height != "0px";
        let leaves = |(at, styles): (usize, &EnvMap<Arc<ComputedStyle>>)| {
            let element = &context.tree.elements[at];
            let parent = context.tree.origins[at].parent;
            let is_in_grid = parent.is_some_and(|parent| {
                context.computed[parent.0].iter().any(|style| style.display().is_grid_container())
            });
            let has_boxes = element.children.iter().any(|child| matches!(child, Child::Element(_)));
            let is_short = |style: &ComputedStyle| {
                has_boxes
                    && element.tag != "svg"
                    && style.overflow_y() == Overflow::Visible
                    && [L::Height, L::MaxHeight].iter().any(|longhand| is_pixels(style.get(*longhand)))
            };
            styles.iter().any(|style| {
                let is_placed = style.is_absolutely_positioned() && !is_point(style);
                let is_pulled = MARGINS.iter().any(|margin| style.get(*margin).starts_with('-'));
                is_placed
                    || style.position() == Position::Sticky
                    || (style.position() == Position::Relative && overlaps(style))
                    || !MOVES.iter().all(|longhand| is_identity(style.get(*longhand)))
                    || style.get(L::ZIndex).starts_with('-')
                    || style.get(L::MixBlendMode) != "normal"
                    || (is_in_grid && is_placed_in_grid(style))
                    || (at > 0 && (is_pulled || is_short(style)))
            })
        };
        let changes = |rule: &Rule| {
            let declared = || rule.declarations.iter();
            let moves = |own: &Declaration| {
                positions_absolutely(own)
                    || is_sticky(own)
                    || own.name == "z-index"
                    || (own.name.starts_with("margin-") && own.value.starts_with('-'))
                    || (MOVES.iter().any(|longhand| longhand.name() == own.name) && !is_identity(&own.value))
            };
            (rule.pseudo.is_some() || rule.state.is_some()) && declared().any(moves)
        };
        let is_changed = |(at, own): (usize, &Vec<Rule>)| {
            let mut seen = own
                .iter()
                .filter(|rule| rule.pseudo.is_none_or(|pseudo| !self.unseen.contains(&(ElementId(at), pseudo))));
            seen.any(changes) || declares(own, "animation-name", |value| value != "none")
        };
        !context.computed.iter().enumerate().any(leaves) && !rules.iter().enumerate().any(is_changed)
    }
}

/// Returns true if browsers may draw a part of a section in colours of its scheme: controls, scroll bars, links without a
/// colour, system colours.
fn draws_scheme(context: &SectionContext<'_>, rules: &[Vec<Rule>]) -> bool {
    #[rustfmt::skip]
    const DRAWN: &[&str] = &[
        "audio", "button", "details", "dialog", "fieldset", "iframe", "input", "mark", "meter", "object", "progress", "select",
        "textarea", "video",
    ];
    const SYSTEM: &[&str] = &["canvas", "linktext", "buttonface", "field", "highlight", "graytext", "light-dark("];
    let is_reset = context.request.baseline == Baseline::Preflight;
    let is_drawn = |element: &Element| {
        DRAWN.contains(&element.tag.as_str()) || (!is_reset && matches!(element.tag.as_str(), "a" | "hr"))
    };
    let scrolls = |style: &Arc<ComputedStyle>| style.is_scroll_container();
    let is_system = |own: &Declaration| {
        own.name.ends_with("color") && SYSTEM.iter().any(|color| own.value.to_ascii_lowercase().contains(color))
    };
    context.tree.elements.iter().any(is_drawn)
        || context.computed.iter().flatten().any(scrolls)
        || rules.iter().flatten().flat_map(|rule| &rule.declarations).any(is_system)
}

/// Returns true for an element that is neither the target of a fragment nor of snapping.
fn is_unaimed(context: &SectionContext<'_>, id: ElementId) -> bool {
    context.tree.elements[id.0].attribute("id").is_none()
        && context.computed[id.0].iter().all(|style| style.get(L::ScrollSnapAlign) == "none")
}

/// Returns true for a flex or grid item, which never floats.
fn is_item(context: &SectionContext<'_>, at: usize) -> bool {
    let parent = context.tree.origins[at].parent;
    parent.is_some_and(|parent| context.computed[parent.0].iter().all(|style| style.is_flex_or_grid_container()))
}

/// Returns, by element, true if a visitor uses it, or what it is in.
fn used_elements(context: &SectionContext<'_>) -> Vec<bool> {
    const USED: &[&str] = &["a", "button", "details", "input", "label", "option", "select", "summary", "textarea"];
    let mut is_used: Vec<bool> = Vec::with_capacity(context.computed.len());
    for (element, origin) in context.tree.elements.iter().zip(&context.tree.origins) {
        let own = USED.contains(&element.tag.as_str())
            || element.attributes.iter().any(|own| matches!(own.name.as_str(), "role" | "tabindex"));
        is_used.push(own || origin.parent.is_some_and(|parent| is_used[parent.0]));
    }
    is_used
}

/// Returns the boxes to which page builders give a minimum height of one pixel, and which are higher because of their text.
fn filled_elements(context: &SectionContext<'_>) -> BTreeSet<ElementId> {
    let mut has_text = vec![false; context.computed.len()];
    let mut found = BTreeSet::new();
    for (at, styles) in context.computed.iter().enumerate().rev() {
        let is_word = |child: &Child| matches!(child, Child::Text(text) if !text.trim().is_empty());
        let element = &context.tree.elements[at];
        has_text[at] |= element.children.iter().any(is_word);
        // Controls and replaced elements that are common in text blocks have a size of their own.
        has_text[at] |= matches!(element.tag.as_str(), "button" | "iframe" | "img" | "input" | "svg" | "video");
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

/// Returns true if an element generates a block in flow that shows nothing and takes no room, as clearfixes are.
pub(super) fn is_empty_part(rules: &[Rule], pseudo: PseudoElement) -> bool {
    let own = || rules.iter().filter(|rule| rule.pseudo == Some(pseudo));
    let mut declared = own().flat_map(|rule| &rule.declarations);
    let says = |name: &str| own().flat_map(|rule| &rule.declarations).any(|own| own.name == name);
    let is_none =
        |own: &Declaration| matches!(&*own.name, "height" | "width") && matches!(own.value.as_str(), "0" | "0px");
    let always = |name: &str, values: &[&str]| {
        let mut own = own().flat_map(|rule| &rule.declarations).filter(|own| own.name == name).peekable();
        own.peek().is_some() && own.all(|own| values.contains(&own.value.as_str()))
    };
    let is_hidden = always("visibility", &["hidden"]) && always("height", &["0", "0px"]);
    let is_known = |own: &Declaration| match &*own.name {
        "display" => matches!(own.value.as_str(), "block" | "table"),
        "content" => is_invisible(own) || is_hidden,
        name => is_invisible(own) || is_none(own) || name.starts_with("grid-column-") || name.starts_with("grid-row-"),
    };
    says("content") && says("display") && own().all(|rule| rule.state.is_none()) && declared.all(is_known)
}

fn is_corner(name: &str) -> bool {
    name.starts_with("border-") && name.ends_with("-radius")
}

/// Returns true for an element, and for what it generates, which inherits from it.
fn is_of_the_box(pseudo: Option<PseudoElement>) -> bool {
    matches!(pseudo, None | Some(PseudoElement::Before | PseudoElement::After))
}

/// Returns true if a declaration of a pseudo-element neither paints anything nor gives it a size.
fn is_invisible(own: &Declaration) -> bool {
    match &*own.name {
        "content" => own.value.trim_matches(['"', '\'']).trim().is_empty(),
        "background-color" => is_transparent(&own.value),
        name => INVISIBLE.contains(&name),
    }
}
