//! Margins and floats that would leave the root of a component. As a float, an item or an out-of-flow box a section
//! contains its floats and the margins of its first and last contents (CSS 2.2 §9.4.1), as an ordinary block it would
//! not: then the root establishes a block formatting context itself. Also finds negative margins that leave the section
//! on its page, but must not do so in a component.

use crate::capture::context::SectionContext;
use crate::capture::environments::{EnvId, EnvMap};
use limner_component_model::model::{Child, ElementId};
use limner_style::ComputedStyle;
use limner_style::computed::Display;
use limner_style::property::Longhand as L;
use std::collections::BTreeSet;

/// Returns, for each environment, true if the root has to establish a block formatting context itself.
pub(crate) fn needs_formatting_context(context: &SectionContext<'_>) -> EnvMap<bool> {
    context.environments.map(|env| encloses(context, env))
}

/// Returns true if the root has to establish a block formatting context itself, in one environment.
fn encloses(context: &SectionContext<'_>, env: EnvId) -> bool {
    let root = &context.computed[0][env];
    let inside = DescendantView { context, env };
    root.display() == Display::Block
        && is_flow(root)
        && (root.is_out_of_flow() || is_item(context, env))
        && (inside.leaks_floats()
            || inside.leaks_margin(ElementId(0), Edge::Top)
            || inside.leaks_margin(ElementId(0), Edge::Bottom))
}

/// Returns by environment the descendants whose negative upper margins collapse with the root's and would pull it up by
/// as much, out of sight where nothing is above it. On the page these descendants begin where the root begins in any
/// case.
pub(crate) fn margins_escaping_upward(context: &SectionContext<'_>) -> EnvMap<BTreeSet<ElementId>> {
    let escaping = |env: EnvId| {
        let root = &context.computed[0][env];
        let shares = is_flow(root) && root.is_in_flow() && !is_item(context, env);
        let edges =
            if shares { DescendantView { context, env }.edge_descendants(ElementId(0), Edge::Top) } else { Vec::new() };
        let pulls = |element: &ElementId| context.computed[element.0][env].get(L::MarginTop).starts_with('-');
        edges.into_iter().filter(pulls).collect()
    };
    context.environments.map(escaping)
}

/// Returns true for a block whose floats and margins affect its surroundings.
fn is_flow(style: &ComputedStyle) -> bool {
    matches!(style.display(), Display::Block | Display::ListItem) && !style.is_scroll_container()
}

fn is_item(context: &SectionContext<'_>, env: EnvId) -> bool {
    let parent = context.view.document.parent(context.tree.origins[0].node);
    parent.and_then(|parent| context.computed_style(parent, env)).is_some_and(|parent| parent.has_flex_or_grid_items())
}

/// Returns true if a margin of the contents of a block collapses with its own at an edge, in one environment.
pub(crate) fn leaks_margin(context: &SectionContext<'_>, block: ElementId, env: EnvId, edge: Edge) -> bool {
    DescendantView { context, env }.leaks_margin(block, edge)
}

/// The upper or the lower edge of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Edge {
    Top,
    Bottom,
}

impl Edge {
    pub(crate) fn margin(self) -> L {
        if self == Self::Top { L::MarginTop } else { L::MarginBottom }
    }

    /// Returns true if margins of a block's contents collapse with its own margin at that edge.
    pub(crate) fn is_edge_open(self, block: &ComputedStyle) -> bool {
        let (padding, border) = match self {
            Self::Top => (L::PaddingTop, L::BorderTopWidth),
            Self::Bottom => (L::PaddingBottom, L::BorderBottomWidth),
        };
        is_flow(block) && block.get(padding) == "0px" && block.get(border) == "0px"
    }
}

/// The contents of a section in one environment.
struct DescendantView<'i> {
    context: &'i SectionContext<'i>,
    env: EnvId,
}

impl DescendantView<'_> {
    fn style(&self, element: ElementId) -> &ComputedStyle {
        &self.context.computed[element.0][self.env]
    }

    fn children(&self, element: ElementId) -> &[Child] {
        &self.context.tree.elements[element.0].children
    }

    /// Returns true if the root does not contain all of its floats.
    fn leaks_floats(&self) -> bool {
        let mut open = vec![ElementId(0)];
        while let Some(parent) = open.pop() {
            for child in self.children(parent) {
                let Child::Element(child) = child else { continue };
                let style = self.style(*child);
                if style.display() == Display::None || style.is_absolutely_positioned() {
                    continue;
                }
                if style.is_floating() {
                    return true;
                }
                if is_flow(style) {
                    open.push(*child);
                }
            }
        }
        false
    }

    /// Returns true if a margin of the contents of a block collapses with its own at that edge.
    fn leaks_margin(&self, block: ElementId, edge: Edge) -> bool {
        // Vertical margins of `auto` are 0 (CSS 2.2 §10.6.3).
        let is_one = |element: ElementId, edge: Edge| !matches!(self.style(element).get(edge.margin()), "0px" | "auto");
        let mut around = block;
        loop {
            if !edge.is_edge_open(self.style(around)) {
                return false;
            }
            let mut inside = None;
            for found in self.blocks_from(around, edge) {
                let Some(child) = found else { return false };
                // Margins of a block without contents collapse with each other and with those of the next one.
                let is_hollow = self.is_hollow(child);
                if is_one(child, edge) || (is_hollow && (is_one(child, Edge::Top) || is_one(child, Edge::Bottom))) {
                    return true;
                }
                if !is_hollow {
                    inside = Some(child);
                    break;
                }
            }
            let Some(inside) = inside else { return false };
            around = inside;
        }
    }

    /// Iterates over the blocks in flow of an element from an edge; `None` is a text or an inline-level element.
    fn blocks_from(&self, parent: ElementId, edge: Edge) -> impl Iterator<Item = Option<ElementId>> + '_ {
        let children = self.children(parent);
        let count = children.len();
        let nth = move |at: usize| if edge == Edge::Top { at } else { count - 1 - at };
        (0..count).filter_map(move |at| match &children[nth(at)] {
            Child::Text(text) => (!text.trim().is_empty()).then_some(None),
            Child::Element(child) if !self.style(*child).is_in_flow() => None,
            Child::Element(child) => Some(self.style(*child).display().is_block_level().then_some(*child)),
        })
    }

    /// Returns true for a block without a height and without contents that have one.
    fn is_hollow(&self, block: ElementId) -> bool {
        /// Maximum number of elements in such a block.
        const MAX_ELEMENTS: usize = 16;
        let is_none = |element: ElementId| {
            let style = self.style(element);
            [L::Height, L::MinHeight].iter().all(|longhand| matches!(style.get(*longhand), "auto" | "0px"))
                && [Edge::Top, Edge::Bottom].iter().all(|edge| edge.is_edge_open(style))
        };
        let mut open = vec![block];
        let mut seen = 0;
        while let Some(element) = open.pop() {
            seen += 1;
            if seen > MAX_ELEMENTS || !is_none(element) {
                return false;
            }
            for child in self.children(element) {
                match child {
                    Child::Text(text) if text.trim().is_empty() => {}
                    Child::Text(_) => return false,
                    Child::Element(child) if self.style(*child).is_in_flow() => open.push(*child),
                    Child::Element(_) => {}
                }
            }
        }
        true
    }

    /// Returns the descendants whose margins at that edge collapse with a block's, from the outermost.
    fn edge_descendants(&self, block: ElementId, edge: Edge) -> Vec<ElementId> {
        let mut found = Vec::new();
        let mut parent = block;
        loop {
            let is_open = edge.is_edge_open(self.style(parent));
            let Some(outermost) = self.edge_block(parent, edge).filter(|_| is_open) else { return found };
            found.push(outermost);
            parent = outermost;
        }
    }

    /// Returns the first or last block of an element, unless text or an inline-level element is closer to the edge.
    fn edge_block(&self, parent: ElementId, edge: Edge) -> Option<ElementId> {
        let in_flow = |child: &&Child| match child {
            Child::Text(text) => !text.trim().is_empty(),
            Child::Element(child) => self.style(*child).is_in_flow(),
        };
        let mut children = self.children(parent).iter().filter(in_flow);
        let outermost = match edge {
            Edge::Top => children.next(),
            Edge::Bottom => children.next_back(),
        };
        let Child::Element(child) = outermost? else { return None };
        self.style(*child).display().is_block_level().then_some(*child)
    }
}
