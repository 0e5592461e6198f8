//! Decides which containers lay out their items as blocks would be.

use super::{OF_CONTAINERS, OF_ITEMS, child_element, declared, has_boxes_only};
use crate::capture::environments::{EnvId, EnvMap};
use crate::capture::passes::PassContext;
use crate::capture::root::formatting_context::{Edge, leaks_margin};
use limner_component_model::css::split_list::split_spaces;
use limner_component_model::model::{Component, Element, ElementId, Namespace, PseudoElement};
use limner_style::ComputedStyle;
use limner_style::computed::{BoxSizing, Display, FlexDirection, FlexWrap, Overflow, Position};
use limner_style::property::Longhand as L;

/// Elements that are blocks without a declaration.
pub(super) const BLOCKS: &[&str] =
    &["article", "aside", "div", "figure", "footer", "form", "header", "main", "nav", "section"];
/// Items that are blocks without a declaration.
const ITEMS: &[&str] = &["blockquote", "dl", "h1", "h2", "h3", "h4", "h5", "h6", "hgroup", "ol", "p", "ul"];
/// Properties of which a rule of a state may change the layout.
const SIZES: &[&str] = &["display", "float", "height", "max-width", "min-height", "min-width", "position", "width"];

/// A component, and which of its containers are already known to be blocks.
pub(super) struct Flattening<'c, 'r> {
    context: &'c PassContext<'c, 'r>,
    component: &'c Component,
    /// By element: true if it becomes a block.
    is_flat: Vec<bool>,
    /// By element and environment: true if the box may be higher than its contents.
    is_taller: Vec<EnvMap<bool>>,
    /// By element and environment: the number of its children that have a box.
    shown: Vec<EnvMap<usize>>,
}

impl<'c, 'r> Flattening<'c, 'r> {
    pub(super) fn from_draft(context: &'c PassContext<'c, 'r>, component: &'c Component) -> Self {
        let count = component.elements.len();
        let none = context.section.environments.map(|_| 0);
        let mut shown = vec![none; count];
        let section = context.section;
        for (origin, styles) in section.tree.origins.iter().zip(&section.computed) {
            let Some(parent) = origin.parent else { continue };
            for (env, _) in styles.entries().filter(|(_, style)| style.display() != Display::None) {
                shown[parent.0][env] += 1;
            }
        }
        let is_taller = vec![EnvMap::default(); count];
        Self { context, component, is_flat: vec![false; count], is_taller, shown }
    }

    /// Returns the containers that can be blocks.
    pub(super) fn containers(mut self) -> Vec<ElementId> {
        let envs: Vec<EnvId> = self.context.section.environments.envs().collect();
        let mut found = Vec::new();
        // Parents come before their children.
        for at in 0..self.component.elements.len() {
            let id = ElementId(at);
            self.is_taller[at] = self.context.section.environments.map(|env| self.may_be_taller(id, env));
            self.is_flat[at] = self.can_be_block(id, &envs);
            if self.is_flat[at] {
                found.push(id);
            }
        }
        found
    }

    fn style(&self, id: ElementId, env: EnvId) -> &ComputedStyle {
        &self.context.section.computed[id.0][env]
    }

    fn parent(&self, id: ElementId) -> Option<ElementId> {
        self.context.section.tree.origins[id.0].parent
    }

    fn shown_children(&self, id: ElementId, env: EnvId) -> impl Iterator<Item = ElementId> + '_ {
        let children = self.component.elements[id.0].children.iter().filter_map(child_element);
        children.filter(move |child| self.style(*child, env).display() != Display::None)
    }

    /// Returns true if a box has a height of its own, or is stretched beside others.
    fn may_be_taller(&self, id: ElementId, env: EnvId) -> bool {
        let style = self.style(id, env);
        let is_unset = |longhand: L| matches!(style.get(longhand), "auto" | "0px" | "none");
        if !([L::Height, L::MinHeight].into_iter().all(is_unset) && style.get(L::AspectRatio) == "auto") {
            return true;
        }
        let Some(parent) = self.parent(id) else { return false };
        let around = self.style(parent, env);
        if self.is_flat[parent.0] || !around.is_flex_or_grid_container() {
            return false;
        }
        let is_column = around.display().is_flex_container() && !around.flex_direction().is_row();
        if is_column {
            return self.is_tall(parent, env) && style.get(L::FlexGrow) != "0";
        }
        let own = style.get(L::AlignSelf);
        let align = if own == "auto" { around.get(L::AlignItems) } else { own };
        let is_stretched = matches!(align, "normal" | "stretch");
        is_stretched && (self.is_tall(parent, env) || self.shown[parent.0][env] > 1)
    }

    fn is_tall(&self, id: ElementId, env: EnvId) -> bool {
        self.is_taller[id.0].get(env).is_none_or(|is_taller| *is_taller)
    }

    /// Returns true if the items of a container are where they would be in a block, in every environment and state.
    fn can_be_block(&self, id: ElementId, envs: &[EnvId]) -> bool {
        let element = &self.component.elements[id.0];
        let is_generated = |rule: &limner_component_model::model::Rule| {
            matches!(rule.pseudo, Some(PseudoElement::Before | PseudoElement::After))
        };
        let is_candidate = element.namespace == Namespace::Html
            && BLOCKS.contains(&element.tag.as_str())
            && !element.children.is_empty()
            && !element.rules.iter().any(is_generated)
            && !changes_layout(element)
            && has_boxes_only(self.component, id)
            && envs.iter().any(|env| self.style(id, *env).is_flex_or_grid_container())
            && declared(element, "display").all(|value| matches!(value, "flex" | "grid" | "block" | "none"));
        is_candidate && envs.iter().all(|env| self.stacks(id, *env))
    }

    /// Same in one environment.
    fn stacks(&self, id: ElementId, env: EnvId) -> bool {
        let style = self.style(id, env);
        let children: Vec<ElementId> = self.shown_children(id, env).collect();
        let is_row = match style.display() {
            Display::None => return true,
            Display::Block => {
                return children.iter().all(|child| self.is_full(*child, env));
            }
            Display::Flex => style.flex_direction().is_row(),
            Display::Grid => false,
            _ => return false,
        };
        let is_grid = style.display() == Display::Grid;
        let is_one = children.len() <= 1;
        let wraps = style.flex_wrap() == FlexWrap::Wrap && style.flex_direction() == FlexDirection::Row;
        let tracks = style.get(L::GridTemplateColumns);
        let has_one_track = !is_grid
            || (split_spaces(tracks).len() == 1
                && matches!(tracks, "none" | "1fr" | "auto" | "100%" | "minmax(0px, 1fr)" | "minmax(0, 1fr)")
                && matches!(style.get(L::GridTemplateRows), "none" | "auto"));
        let no_gap = matches!(style.get(L::RowGap), "normal" | "0px");
        let is_known =
            has_one_track && style.get(L::WritingMode) == "horizontal-tb" && style.flex_wrap() != FlexWrap::WrapReverse;
        if !is_known || !(is_one || (is_row && wraps && no_gap)) {
            return false;
        }
        let starts = |value: &str| matches!(value, "flex-start" | "start");
        let is_tall = self.is_tall(id, env);
        let is_packed = !is_tall
            || (is_one && is_row && children.iter().all(|child| self.hides_height(*child, env)))
            || if is_row && style.flex_wrap() == FlexWrap::Wrap {
                starts(style.get(L::AlignContent))
            } else if is_row || is_grid {
                starts(style.get(L::AlignItems))
            } else {
                matches!(style.get(L::JustifyContent), "normal" | "flex-start" | "start")
                    && children.iter().all(|child| self.style(*child, env).get(L::FlexGrow) == "0")
            };
        is_packed
            && children.iter().all(|child| self.fills(*child, style, is_row, env))
            && self.keeps_margins(id, &children, env)
    }

    /// Returns true if nobody sees how high a box is: it shows nothing, and its contents begin at its top.
    fn hides_height(&self, id: ElementId, env: EnvId) -> bool {
        const WIDTHS: [L; 4] = [L::BorderTopWidth, L::BorderRightWidth, L::BorderBottomWidth, L::BorderLeftWidth];
        let style = self.style(id, env);
        let starts = |longhand: L, more: &[&str]| {
            let value = style.get(longhand);
            matches!(value, "flex-start" | "start") || more.contains(&value)
        };
        let is_at_top = match style.display() {
            Display::Block => true,
            Display::Flex if style.flex_direction() == FlexDirection::Column => {
                starts(L::JustifyContent, &["normal"])
                    && self.shown_children(id, env).all(|child| self.style(child, env).get(L::FlexGrow) == "0")
            }
            Display::Flex if style.flex_wrap() == FlexWrap::Wrap => starts(L::AlignContent, &[]),
            Display::Flex => starts(L::AlignItems, &[]),
            _ => false,
        };
        let element = &self.component.elements[id.0];
        let is_share = |child: ElementId| {
            [L::Height, L::MinHeight, L::MaxHeight]
                .iter()
                .any(|longhand| self.style(child, env).get(*longhand).contains('%'))
        };
        let is_unpainted = style.get(L::BackgroundImage) == "none"
            && limner_style::color::is_transparent(style.get(L::BackgroundColor))
            && style.get(L::BoxShadow) == "none"
            && style.get(L::OutlineStyle) == "none"
            && style.overflow_y() == Overflow::Visible
            && style.get(L::ClipPath) == "none"
            && WIDTHS.into_iter().all(|width| style.get(width) == "0px");
        let align = style.get(L::AlignSelf);
        is_at_top
            && is_unpainted
            && matches!(align, "auto" | "stretch" | "normal" | "flex-start" | "start")
            && self.aligns_at_top(id, env)
            && declared(element, "position").next().is_none()
            && element.rules.iter().all(|rule| rule.pseudo.is_none() && rule.state.is_none())
            && !self.shown_children(id, env).any(is_share)
    }

    /// Returns true if the container of an item places it at the top, or stretches it.
    fn aligns_at_top(&self, id: ElementId, env: EnvId) -> bool {
        let align = self.parent(id).map(|parent| self.style(parent, env).get(L::AlignItems));
        align.is_some_and(|align| matches!(align, "normal" | "stretch" | "flex-start" | "start"))
    }

    /// Returns true for an item that is as wide as its container, and not higher than its contents.
    fn fills(&self, id: ElementId, around: &ComputedStyle, is_row: bool, env: EnvId) -> bool {
        let style = self.style(id, env);
        let element = &self.component.elements[id.0];
        let is = |longhand: L, values: &[&str]| values.contains(&style.get(longhand));
        let own = style.get(L::AlignSelf);
        let across = if own == "auto" { around.get(L::AlignItems) } else { own };
        let is_grid = around.display() == Display::Grid;
        let justify = style.get(L::JustifySelf);
        let justify = if justify == "auto" { around.get(L::JustifyItems) } else { justify };
        let is_stretched = |align: &str| matches!(align, "normal" | "stretch" | "legacy");
        let grows = style.get(L::FlexGrow).parse::<f64>().is_ok_and(|grow| grow >= 1.0);
        let is_wide = is(L::Width, &["100%"])
            || match (is_grid, is_row) {
                (true, _) => is(L::Width, &["auto"]) && is_stretched(justify),
                (false, true) => {
                    is(L::Width, &["auto"])
                        && (is(L::FlexBasis, &["100%"]) || (grows && self.shown_children_are_one(id, env)))
                }
                (false, false) => is(L::Width, &["auto"]) && is_stretched(across),
            };
        let is_bare = || {
            const EDGES: [L; 4] = [L::PaddingLeft, L::PaddingRight, L::BorderLeftWidth, L::BorderRightWidth];
            EDGES.iter().all(|edge| is(*edge, &["0px"]))
        };
        let has_basis = is_row && is(L::FlexBasis, &["0px", "0%"]);
        is_wide
            && (!has_basis || (grows && self.shown_children_are_one(id, env)))
            && self.is_full(id, env)
            && (is(L::Width, &["auto"]) || style.box_sizing() == BoxSizing::BorderBox || is_bare())
            && is(L::FlexBasis, &["auto", "100%", "0px", "0%"])
            && is(L::AspectRatio, &["auto"])
            && is(L::GridColumnStart, &["auto", "1"])
            && is(L::GridColumnEnd, &["auto", "-1"])
            && !changes_layout(element)
    }

    fn shown_children_are_one(&self, id: ElementId, env: EnvId) -> bool {
        self.parent(id).is_some_and(|parent| self.shown[parent.0][env] <= 1)
    }

    /// Returns true for a block of the flow that would be as wide without a width.
    fn is_full(&self, id: ElementId, env: EnvId) -> bool {
        let style = self.style(id, env);
        let element = &self.component.elements[id.0];
        let is = |longhand: L, values: &[&str]| values.contains(&style.get(longhand));
        let tag = element.tag.as_str();
        let has_no_margins = [L::MarginLeft, L::MarginRight].into_iter().all(|margin| is(margin, &["0px"]));
        element.namespace == Namespace::Html
            && (BLOCKS.contains(&tag) || ITEMS.contains(&tag))
            && matches!(style.display(), Display::Block | Display::Flex | Display::Grid)
            && matches!(style.position(), Position::Static | Position::Relative)
            && has_no_margins
            && is(L::Order, &["0"])
            && is(L::MaxWidth, &["none", "100%"])
            && is(L::MinWidth, &["auto", "0px", "100%"])
            && (declared(element, "z-index").next().is_none()
                || declared(element, "position").any(|value| Position::parse(value) == Some(Position::Relative)))
    }

    /// Returns true if no margin of the items collapses in a block: neither with each other, nor through its edges.
    fn keeps_margins(&self, id: ElementId, children: &[ElementId], env: EnvId) -> bool {
        let margin = |child: ElementId, edge: Edge| -> Option<bool> {
            let own = self.style(child, env).get(edge.margin());
            let leaks = leaks_margin(self.context.section, child, env, edge);
            let length = own.strip_suffix("px").and_then(|length| length.parse::<f64>().ok())?;
            // Two margins in one place would collapse.
            (length >= 0.0 && !(leaks && length > 0.0)).then_some(leaks || length > 0.0)
        };
        let mut margins = Vec::with_capacity(children.len());
        for child in children {
            let (Some(top), Some(bottom)) = (margin(*child, Edge::Top), margin(*child, Edge::Bottom)) else {
                return false;
            };
            margins.push((top, bottom));
        }
        let meet = margins.windows(2).any(|two| two[0].1 && two[1].0);
        let leaves =
            |edge: Edge, has_margin: Option<bool>| has_margin == Some(true) && !self.holds_margins(id, edge, env);
        !meet
            && !leaves(Edge::Top, margins.first().map(|own| own.0))
            && !leaves(Edge::Bottom, margins.last().map(|own| own.1))
    }

    /// Returns true if the margins of a block's contents stay inside of its edge.
    fn holds_margins(&self, id: ElementId, edge: Edge, env: EnvId) -> bool {
        let style = self.style(id, env);
        let sides = match edge {
            Edge::Top => [L::PaddingTop, L::BorderTopWidth],
            Edge::Bottom => [L::PaddingBottom, L::BorderBottomWidth],
        };
        let has_edge = sides.into_iter().any(|side| style.get(side) != "0px");
        let is_item = self
            .parent(id)
            .is_some_and(|parent| !self.is_flat[parent.0] && self.style(parent, env).is_flex_or_grid_container());
        has_edge || is_item || style.is_absolutely_positioned() || style.overflow_x() == Overflow::Hidden
    }
}

/// Returns true for a block that is as wide as its parent, with a width of 100% or without one.
pub(super) fn fills_block(element: &Element, style: &ComputedStyle) -> bool {
    const EDGES: [L; 4] = [L::PaddingLeft, L::PaddingRight, L::BorderLeftWidth, L::BorderRightWidth];
    let tag = element.tag.as_str();
    let is_bare = EDGES.iter().all(|edge| style.get(*edge) == "0px");
    let has_margins =
        [L::MarginLeft, L::MarginRight].into_iter().any(|margin| !matches!(style.get(margin), "0px" | "auto"));
    element.namespace == Namespace::Html
        && (BLOCKS.contains(&tag) || ITEMS.contains(&tag) || tag == "li")
        && (style.display() == Display::None
            || (matches!(
                style.display(),
                Display::Block | Display::Flex | Display::Grid | Display::FlowRoot | Display::ListItem
            ) && matches!(style.position(), Position::Static | Position::Relative)
                && (style.box_sizing() == BoxSizing::BorderBox || is_bare)
                && style.get(L::AspectRatio) == "auto"
                && !has_margins))
}

/// Returns true if a rule of a state or of other circumstances than widths changes where boxes are.
fn changes_layout(element: &Element) -> bool {
    let is_of_layout = |name: &str| SIZES.contains(&name) || OF_CONTAINERS.contains(&name) || OF_ITEMS.contains(&name);
    let special = element
        .rules
        .iter()
        .filter(|rule| rule.pseudo.is_none() && (rule.state.is_some() || !rule.condition.at_rules.is_empty()));
    special.flat_map(|rule| &rule.declarations).any(|own| is_of_layout(&own.name))
}
