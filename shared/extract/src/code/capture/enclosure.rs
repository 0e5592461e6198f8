//! What a section keeps inside because of how it stands on its page: a float, an item of a grid, whatever is taken out of
//! the flow encloses its floats, and the margins of its first and last contents (CSS 2.2 §9.4.1). As an ordinary block it
//! would let them out. And what it lets out on its page too, but must not as a component.

use super::resolve::Resolver;
use crate::code::model::{Child, ElementId};
use limner_style::ComputedStyle;
use limner_style::property::Longhand as L;
use std::collections::BTreeSet;

/// By cell: whether the root has to enclose its contents by itself.
pub(super) fn of(resolver: &Resolver<'_>) -> Vec<bool> {
    (0..resolver.grid.len()).map(|cell| encloses(resolver, cell)).collect()
}

fn encloses(resolver: &Resolver<'_>, cell: usize) -> bool {
    let root = &resolver.computed[0][cell];
    let inside = Inside { resolver, cell };
    root.get(L::Display) == "block"
        && is_flow(root)
        && (is_out_of_flow(root) || root.get(L::Float) != "none" || is_item(resolver, cell))
        && (inside.lets_float_out() || inside.lets_margin_out(Edge::Top) || inside.lets_margin_out(Edge::Bottom))
}

/// By cell: contents whose upper margins get out of the root and would pull it up by as much, out of sight where nothing
/// stands above it. On their page these begin where the root does all the same.
pub(super) fn pulling_up(resolver: &Resolver<'_>) -> Vec<BTreeSet<ElementId>> {
    let of_cell = |cell: usize| {
        let root = &resolver.computed[0][cell];
        let shares = is_flow(root) && !is_out_of_flow(root) && root.get(L::Float) == "none" && !is_item(resolver, cell);
        let edges = if shares { Inside { resolver, cell }.at_edge(Edge::Top) } else { Vec::new() };
        let pulls = |element: &ElementId| resolver.computed[element.0][cell].get(L::MarginTop).starts_with('-');
        edges.into_iter().filter(pulls).collect()
    };
    (0..resolver.grid.len()).map(of_cell).collect()
}

/// A block that shares floats and margins with what is around it.
fn is_flow(style: &ComputedStyle) -> bool {
    matches!(style.get(L::Display), "block" | "list-item") && matches!(style.get(L::OverflowX), "visible" | "clip")
}

fn is_out_of_flow(style: &ComputedStyle) -> bool {
    matches!(style.get(L::Position), "absolute" | "fixed")
}

fn is_item(resolver: &Resolver<'_>, cell: usize) -> bool {
    let parent = resolver.view.document.parent(resolver.skeleton.bones[0].node);
    parent.and_then(|parent| resolver.style_of(parent, cell)).is_some_and(|parent| parent.lays_out_items())
}

/// Where a block begins or ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Edge {
    Top,
    Bottom,
}

impl Edge {
    pub(super) fn margin(self) -> L {
        if self == Self::Top { L::MarginTop } else { L::MarginBottom }
    }

    /// Whether margins of what is in a block get out of it there.
    pub(super) fn is_open(self, block: &ComputedStyle) -> bool {
        let (padding, border) = match self {
            Self::Top => (L::PaddingTop, L::BorderTopWidth),
            Self::Bottom => (L::PaddingBottom, L::BorderBottomWidth),
        };
        is_flow(block) && block.get(padding) == "0px" && block.get(border) == "0px"
    }
}

struct Inside<'i> {
    resolver: &'i Resolver<'i>,
    cell: usize,
}

impl Inside<'_> {
    fn style(&self, element: ElementId) -> &ComputedStyle {
        &self.resolver.computed[element.0][self.cell]
    }

    fn children(&self, element: ElementId) -> &[Child] {
        &self.resolver.skeleton.elements[element.0].children
    }

    fn lets_float_out(&self) -> bool {
        let mut open = vec![ElementId(0)];
        while let Some(around) = open.pop() {
            for child in self.children(around) {
                let Child::Element(child) = child else { continue };
                let style = self.style(*child);
                if style.get(L::Display) == "none" || is_out_of_flow(style) {
                    continue;
                }
                if style.get(L::Float) != "none" {
                    return true;
                }
                if is_flow(style) {
                    open.push(*child);
                }
            }
        }
        false
    }

    /// Whether a margin of the contents at that edge becomes one of the root.
    fn lets_margin_out(&self, edge: Edge) -> bool {
        // `auto` is none at these edges (CSS 2.2 §10.6.3).
        let is_one = |element: ElementId| !matches!(self.style(element).get(edge.margin()), "0px" | "auto");
        self.at_edge(edge).into_iter().any(is_one)
    }

    /// The contents whose margins at that edge are one with the root's, from the outermost.
    fn at_edge(&self, edge: Edge) -> Vec<ElementId> {
        let mut found = Vec::new();
        let mut around = ElementId(0);
        loop {
            let is_open = edge.is_open(self.style(around));
            let Some(outermost) = self.outermost(around, edge).filter(|_| is_open) else { return found };
            found.push(outermost);
            around = outermost;
        }
    }

    /// The first or last block of an element, unless something in a line stands before it.
    fn outermost(&self, around: ElementId, edge: Edge) -> Option<ElementId> {
        let in_flow = |child: &&Child| match child {
            Child::Text(text) => !text.trim().is_empty(),
            Child::Element(child) => {
                let style = self.style(*child);
                style.get(L::Display) != "none" && style.get(L::Float) == "none" && !is_out_of_flow(style)
            }
        };
        let mut children = self.children(around).iter().filter(in_flow);
        let outermost = match edge {
            Edge::Top => children.next(),
            Edge::Bottom => children.next_back(),
        };
        let Child::Element(child) = outermost? else { return None };
        let display = self.style(*child).get(L::Display);
        matches!(display, "block" | "list-item" | "flow-root" | "flex" | "grid" | "table").then_some(*child)
    }
}
