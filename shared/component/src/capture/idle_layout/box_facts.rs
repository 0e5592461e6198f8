//! Determines how boxes are placed and how high they are, from computed styles alone: what is true for any content, at any
//! width of an environment.

use crate::capture::context::SectionContext;
use crate::capture::environments::EnvId;
use crate::capture::float_layout::FloatLayout;
use limner_component_model::model::{Child, ElementId, Namespace, PseudoElement, Rule};
use limner_page::dom::QuirksMode;
use limner_style::ComputedStyle;
use limner_style::computed::{Display, FlexWrap, Position};
use limner_style::property::Longhand as L;
use std::collections::BTreeSet;

/// Values of a height that follow from the contents.
const OF_CONTENTS: [&str; 4] = ["auto", "fit-content", "max-content", "min-content"];
/// Properties whose changes move boxes.
#[rustfmt::skip]
const LAYOUT: &[&str] = &[
    "align-", "aspect-ratio", "border-", "bottom", "box-sizing", "column-", "display", "flex-", "float", "grid-", "height",
    "justify-", "left", "margin-", "max-", "min-", "order", "overflow-", "padding-", "position", "right", "row-", "top", "width",
    "writing-mode",
];
/// Maximum number of items that is counted: none, one, or several.
const SEVERAL: u8 = 2;

/// The way in which a box is placed by the box around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Placement {
    /// A block-level box in flow, in a block container.
    Flow,
    /// An item of a flex container with rows.
    Row,
    /// An item of a flex container with columns.
    Column,
    /// An item of a grid.
    Grid,
    /// Absolutely positioned.
    Absolute,
    /// Anything else: in a line, floating, a part of a table.
    Other,
}

/// Facts about a box in one environment.
#[derive(Debug, Clone, Copy)]
pub(super) struct BoxFacts {
    /// The element and all around it have a box.
    pub(super) is_shown: bool,
    pub(super) placement: Placement,
    /// Percentages of its height are no lengths (<https://drafts.csswg.org/css-sizing-3/#percentage-sizing>).
    pub(super) is_indefinite: bool,
    /// It is never less high than its contents.
    pub(super) holds_contents: bool,
    /// It is exactly as high as its contents.
    pub(super) fits_contents: bool,
    /// Its container gives it a height if it has none.
    pub(super) may_stretch: bool,
    /// The number of items in flow, up to [`SEVERAL`].
    pub(super) items: u8,
    /// Its items have an order that is also that of the document.
    pub(super) is_in_order: bool,
    /// The greatest width of its contents in pixels.
    pub(super) widest: f64,
}

impl BoxFacts {
    const HIDDEN: Self = Self {
        is_shown: false,
        placement: Placement::Other,
        is_indefinite: false,
        holds_contents: false,
        fits_contents: false,
        may_stretch: true,
        items: SEVERAL,
        is_in_order: false,
        widest: f64::INFINITY,
    };
}

/// The styles and rules from which facts follow.
pub(super) struct LayoutFacts<'c, 'p> {
    pub(super) context: &'c SectionContext<'p>,
    pub(super) rules: &'c [Vec<Rule>],
    /// By element: true if a state or an animation moves boxes, or if another layout stands for its floats.
    is_fixed: Vec<bool>,
    /// By element: true if the height of something in it is a share of another one.
    has_shares: Vec<bool>,
    /// By element: the number of boxes in flow that it generates.
    generated: Vec<u8>,
    /// True if percentages of heights are those of a standards-mode page.
    is_standard: bool,
    /// True if something floats.
    pub(super) has_floats: bool,
}

impl<'c, 'p> LayoutFacts<'c, 'p> {
    pub(super) fn new(
        context: &'c SectionContext<'p>,
        rules: &'c [Vec<Rule>],
        (floats, placed): (&FloatLayout, &BTreeSet<ElementId>),
        is_seen: impl Fn(ElementId, PseudoElement) -> bool,
    ) -> Self {
        let moves = |rule: &Rule| {
            let declared = || rule.declarations.iter().map(|own| &*own.name);
            let is_of_layout = |name: &str| LAYOUT.iter().any(|start| name.starts_with(start));
            rule.pseudo.is_none()
                && ((rule.state.is_some() && declared().any(is_of_layout))
                    || rule.declarations.iter().any(|own| own.name == "animation-name" && own.value != "none"))
        };
        let is_fixed = rules.iter().enumerate().map(|(at, own)| {
            let id = ElementId(at);
            let is_replaced = [L::Display, L::Float, L::Width].iter().any(|longhand| floats.concerns(id, *longhand))
                || (at > 0 && placed.contains(&id));
            context.tree.elements[at].namespace != Namespace::Html || is_replaced || own.iter().any(moves)
        });
        let mut has_shares = vec![false; rules.len()];
        for (at, origin) in context.tree.origins.iter().enumerate().rev() {
            let depends = |style: &ComputedStyle| {
                [L::Height, L::MinHeight, L::MaxHeight].iter().any(|longhand| style.get(*longhand).contains('%'))
            };
            let is_share = has_shares[at] || context.computed[at].iter().any(|style| depends(style));
            if let Some(parent) = origin.parent {
                has_shares[parent.0] |= is_share;
            }
        }
        let generated = rules.iter().enumerate().map(|(at, own)| {
            let sides = [PseudoElement::Before, PseudoElement::After].into_iter();
            let count = sides.filter(|side| is_seen(ElementId(at), *side) && generates_in_flow(own, *side)).count();
            u8::try_from(count).unwrap_or(SEVERAL)
        });
        Self {
            context,
            rules,
            is_fixed: is_fixed.collect(),
            has_shares,
            generated: generated.collect(),
            is_standard: context.view.document.quirks_mode() != QuirksMode::Quirks,
            has_floats: context.computed.iter().flatten().any(|style| style.is_floating()),
        }
    }

    /// Returns true if the layout of an element is not known from its style.
    pub(super) fn is_fixed(&self, at: usize) -> bool {
        self.is_fixed[at]
    }

    /// Returns true if the height of something in an element is a share of another one.
    pub(super) fn has_shares(&self, at: usize) -> bool {
        self.has_shares[at]
    }

    /// Returns true for an element that is not rendered on a desktop either. What is hidden on phones alone may be a menu
    /// that a script opens.
    pub(super) fn is_gone(&self, at: usize, env: EnvId) -> bool {
        let styles = &self.context.computed[at];
        let desktop = self.context.environments.desktop();
        styles[env].display() == Display::None && styles[desktop].display() == Display::None && !self.is_fixed[at]
    }

    /// Returns the number of boxes in flow that an element generates.
    pub(super) fn generated(&self, at: usize) -> u8 {
        self.generated[at]
    }

    /// Iterates over the values declared for a property of an element itself.
    pub(super) fn declared<'n>(&self, at: usize, name: &'n str) -> impl Iterator<Item = &'c str> + use<'c, 'n, 'p> {
        let own = self.rules[at].iter().filter(|rule| rule.pseudo.is_none()).flat_map(|rule| &rule.declarations);
        own.filter(move |own| own.name == name).map(|own| own.value.as_str())
    }

    /// Returns the facts about all elements in one environment.
    pub(super) fn of_env(&self, env: EnvId) -> Vec<BoxFacts> {
        let mut boxes: Vec<BoxFacts> = Vec::with_capacity(self.rules.len());
        for at in 0..self.rules.len() {
            let style = &*self.context.computed[at][env];
            let own = match self.context.tree.origins[at].parent {
                // What a state shows is like any other box, of unknown layout.
                _ if self.is_gone(at, env) => BoxFacts::HIDDEN,
                Some(parent) if !boxes[parent.0].is_shown => BoxFacts::HIDDEN,
                Some(parent) => {
                    let around = Around { style: &self.context.computed[parent.0][env], facts: boxes[parent.0] };
                    self.inner_box(at, style, around, env)
                }
                None => self.outermost_box(style, env),
            };
            boxes.push(own);
        }
        boxes
    }

    /// Returns the facts about the root, whose ancestors are unknown.
    fn outermost_box(&self, style: &ComputedStyle, env: EnvId) -> BoxFacts {
        let lacks = |name: &str| self.declared(0, name).all(|value| OF_CONTENTS.contains(&value));
        let is_placed =
            self.declared(0, "position").any(|value| Position::parse(value).is_some_and(Position::is_absolute));
        let is_flow = |value: &str| Display::parse(value).is_some_and(is_flow_display);
        let is_in_flow = !is_placed
            && !self.is_fixed[0]
            && self.declared(0, "display").all(is_flow)
            && self.declared(0, "float").all(|value| value == "none")
            && style.display().is_block_level();
        let is_indefinite = is_in_flow && self.is_standard && lacks("height") && lacks("aspect-ratio");
        let holds_contents = is_indefinite && lacks("max-height");
        let width = self.context.environments.upper_bound(env).map_or(f64::INFINITY, f64::from);
        BoxFacts {
            is_shown: true,
            placement: if is_in_flow { Placement::Flow } else { Placement::Other },
            is_indefinite,
            holds_contents,
            fits_contents: holds_contents && lacks("min-height"),
            may_stretch: false,
            items: self.items(0, env),
            is_in_order: self.is_in_order(0, env),
            widest: self.cap(0, style, if is_in_flow { width } else { f64::INFINITY }),
        }
    }

    fn inner_box(&self, at: usize, style: &ComputedStyle, around: Around<'_>, env: EnvId) -> BoxFacts {
        let is = |longhand: L, values: &[&str]| values.contains(&style.get(longhand));
        let placement = if self.is_fixed[at] { Placement::Other } else { around.placement(style) };
        let is_free = |value: &str| OF_CONTENTS.contains(&value) || (is_share(value) && around.facts.is_indefinite);
        let display = style.display();
        let is_box = display.is_block_container() || style.is_flex_or_grid_container();
        let is_auto = is_box
            && display != Display::TableCell
            && !self.is_fixed[at]
            && is_free(style.get(L::Height))
            && is(L::AspectRatio, &["auto"])
            && is(L::WritingMode, &["horizontal-tb"]);
        let is_stretched = around.stretches(style) && is(L::Height, &["auto"]);
        let is_unbound = matches!(style.get(L::MaxHeight), "none")
            || (is_share(style.get(L::MaxHeight)) && around.facts.is_indefinite);
        let is_low = is_free(style.get(L::MinHeight)) || is(L::MinHeight, &["0px"]);
        let is_apart = is(L::Top, &["auto"]) || is(L::Bottom, &["auto"]);
        // The height of an item of a column begins with its basis.
        let has_own_basis =
            is(L::FlexBasis, &["auto", "content"]) || (is_share(style.get(L::FlexBasis)) && around.facts.is_indefinite);
        let has_auto_rows = || around.has_auto_rows();
        let facts = around.facts;
        let (is_indefinite, holds, fits) = match placement {
            Placement::Flow => (true, true, true),
            Placement::Row => {
                (!is_stretched, !is_stretched || facts.holds_contents, !is_stretched || facts.fits_alone())
            }
            Placement::Column => {
                let is_kept = is(L::FlexGrow, &["0"]) && facts.holds_contents;
                (
                    has_own_basis && facts.is_indefinite,
                    has_own_basis && facts.holds_contents,
                    has_own_basis && (facts.fits_contents || is_kept),
                )
            }
            Placement::Grid => (
                !is_stretched,
                !is_stretched || (facts.holds_contents && has_auto_rows()),
                !is_stretched || (facts.fits_alone() && has_auto_rows()),
            ),
            Placement::Absolute => (is_apart, is_apart, is_apart),
            Placement::Other => {
                let is_apart = style.is_floating() || display.is_atomic_inline();
                (is_apart, is_apart, is_apart)
            }
        };
        let is_clear = [L::MarginLeft, L::MarginRight].iter().all(|margin| !style.get(*margin).starts_with('-'));
        let width = style.get(L::Width);
        let follows = match placement {
            Placement::Flow => is_clear && (width == "auto" || is_part(width)),
            Placement::Column => is_clear && (is_part(width) || (width == "auto" && around.stretches(style))),
            _ => false,
        };
        BoxFacts {
            is_shown: true,
            placement,
            is_indefinite: is_auto && is_indefinite && self.is_standard,
            holds_contents: is_auto && is_unbound && holds,
            fits_contents: is_auto && is_unbound && is_low && fits,
            may_stretch: matches!(placement, Placement::Row | Placement::Grid) && around.stretches(style),
            items: self.items(at, env),
            is_in_order: style.is_flex_or_grid_container() && self.is_in_order(at, env),
            widest: self.cap(at, style, if follows { facts.widest } else { f64::INFINITY }),
        }
    }

    /// Returns the number of boxes in flow in a box, up to [`SEVERAL`].
    fn items(&self, at: usize, env: EnvId) -> u8 {
        let count = |child: &Child| match child {
            Child::Text(text) => u8::from(!text.trim().is_empty()),
            Child::Element(child) => {
                let style = &self.context.computed[child.0][env];
                match style.display() {
                    _ if self.is_fixed[child.0] || style.display() == Display::Contents => SEVERAL,
                    Display::None => u8::from(!self.is_gone(child.0, env)),
                    _ => u8::from(!style.is_absolutely_positioned()),
                }
            }
        };
        let children = self.context.tree.elements[at].children.iter();
        children.map(count).fold(self.generated[at], u8::saturating_add).min(SEVERAL)
    }

    /// Returns true if `order` leaves the items of a container where they are in the document.
    fn is_in_order(&self, at: usize, env: EnvId) -> bool {
        let mut last = i64::MIN;
        self.generated[at] == 0
            && self.context.tree.elements[at].children.iter().all(|child| {
                let child = match child {
                    Child::Element(child) => child,
                    Child::Text(text) => {
                        let is_text = !text.trim().is_empty();
                        let is_next = !is_text || last <= 0;
                        last = if is_text { last.max(0) } else { last };
                        return is_next;
                    }
                };
                let style = &self.context.computed[child.0][env];
                let order: i64 = style.get(L::Order).parse().unwrap_or_default();
                let is_known = !self.is_fixed[child.0] && style.display() != Display::Contents;
                let is_next = style.display() == Display::None || order >= last;
                last = order.max(last);
                is_known && is_next
            })
    }

    /// Returns the greatest width of the contents of a box that is at most this wide without its own sizes.
    fn cap(&self, at: usize, style: &ComputedStyle, width: f64) -> f64 {
        let is_constant = |name: &str| self.declared(at, name).all(is_constant);
        let length = |longhand: L| px(style.get(longhand)).filter(|_| is_constant(longhand.name()));
        let cap = length(L::MaxWidth).filter(|_| self.declared(at, "max-width").next().is_some());
        let least = match style.get(L::MinWidth) {
            "auto" | "0px" => 0.0,
            _ => length(L::MinWidth).unwrap_or(f64::INFINITY),
        };
        width.min(cap.unwrap_or(f64::INFINITY)).max(least)
    }
}

impl BoxFacts {
    /// Returns true for a box that is as high as its only item.
    fn fits_alone(self) -> bool {
        self.fits_contents && self.items == 1
    }
}

/// The box around a box.
#[derive(Clone, Copy)]
struct Around<'s> {
    style: &'s ComputedStyle,
    facts: BoxFacts,
}

impl Around<'_> {
    fn placement(self, style: &ComputedStyle) -> Placement {
        let display = self.style.display();
        let is_horizontal = self.style.get(L::WritingMode) == "horizontal-tb";
        if style.is_absolutely_positioned() {
            return Placement::Absolute;
        }
        if display.is_flex_container() && is_horizontal && self.style.flex_wrap() != FlexWrap::WrapReverse {
            return if self.style.flex_direction().is_row() { Placement::Row } else { Placement::Column };
        }
        if display.is_grid_container() && is_horizontal {
            return Placement::Grid;
        }
        let is_in_flow = display.is_block_container()
            && is_horizontal
            && !self.style.is_multi_column_container()
            && !style.is_floating()
            && style.display().is_block_level();
        if is_in_flow { Placement::Flow } else { Placement::Other }
    }

    /// Returns true if an item gets the size of its line or area across the main axis of the container.
    fn stretches(self, style: &ComputedStyle) -> bool {
        let margins = match self.placement(style) {
            Placement::Column => [L::MarginLeft, L::MarginRight],
            _ => [L::MarginTop, L::MarginBottom],
        };
        let own = style.get(L::AlignSelf);
        let align = if own == "auto" { self.style.get(L::AlignItems) } else { own };
        matches!(align, "normal" | "stretch") && margins.iter().all(|margin| style.get(*margin) != "auto")
    }

    fn has_auto_rows(self) -> bool {
        self.style.get(L::GridTemplateRows) == "none" && self.style.get(L::GridAutoRows) == "auto"
    }
}

/// Returns true for a block-level box that is as wide as its containing block by itself.
pub(super) fn is_flow_display(display: Display) -> bool {
    use Display as D;
    matches!(display, D::Block | D::FlowRoot | D::ListItem | D::Flex | D::Grid)
}

/// Returns true for a percentage.
pub(super) fn is_share(value: &str) -> bool {
    value.strip_suffix('%').is_some_and(|number| number.parse::<f64>().is_ok())
}

/// Returns true for a percentage from 0 to 100.
pub(super) fn is_part(value: &str) -> bool {
    let number = value.strip_suffix('%').and_then(|number| number.parse::<f64>().ok());
    number.is_some_and(|number| (0.0..=100.0).contains(&number))
}

pub(super) fn px(value: &str) -> Option<f64> {
    value.strip_suffix("px")?.parse().ok()
}

/// Returns true for a length that is the same in every viewport.
pub(super) fn is_constant(value: &str) -> bool {
    let units = ["px", "rem"];
    units.iter().any(|unit| value.strip_suffix(unit).is_some_and(|number| number.parse::<f64>().is_ok()))
}

/// Returns true if an element may generate a box in flow before or after its contents.
fn generates_in_flow(rules: &[Rule], pseudo: PseudoElement) -> bool {
    let own = || rules.iter().filter(|rule| rule.pseudo == Some(pseudo));
    let is_placed = |rule: &Rule| {
        let mut declared = rule.declarations.iter().filter(|own| own.name == "position");
        declared.any(|own| Position::parse(&own.value).is_some_and(Position::is_absolute))
    };
    let is_always_placed = own().any(|rule| rule.condition.is_empty() && rule.state.is_none() && is_placed(rule))
        && own().all(|rule| rule.declarations.iter().all(|own| own.name != "position") || is_placed(rule));
    own().next().is_some() && !is_always_placed
}
