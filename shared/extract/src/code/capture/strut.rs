//! Blocks without text of their own in their lines. On pages in quirks or limited-quirks mode such lines are as high as
//! what is in them (Quirks Mode, "the line height calculation quirk"). A component is pasted into pages where every line is
//! at least as high as the block says: it says so of nothing, and what is in its lines says how high that is.

use super::flow;
use super::lone::{self, is_block, is_empty_inline, is_in_flow};
use super::resolve::{Resolver, index_of};
use crate::code::model::{Child, Element, ElementId};
use limner_page::dom::QuirksMode;
use limner_style::ComputedStyle;
use limner_style::property::Longhand as L;
use limner_style::selector::PseudoElement as Pseudo;
use std::collections::BTreeSet;

/// What has no text of its own in lines that are no higher than what is in them.
#[derive(Debug, Default)]
pub(super) struct Strutless {
    pub(super) blocks: BTreeSet<ElementId>,
    /// What stands in their lines and has what they have.
    pub(super) inside: BTreeSet<ElementId>,
}

/// By cell. `lone` are pictures that have been seen to.
pub(super) fn of(resolver: &Resolver<'_>, lone: &[BTreeSet<ElementId>]) -> Vec<Strutless> {
    if resolver.view.document.quirks_mode() == QuirksMode::NoQuirks {
        return Vec::new();
    }
    (0..resolver.grid.len()).map(|cell| in_cell(resolver, cell, &lone[cell])).collect()
}

fn in_cell(resolver: &Resolver<'_>, cell: usize, lone: &BTreeSet<ElementId>) -> Strutless {
    let elements = &resolver.skeleton.elements;
    let mut styles = resolver.grid.styles(index_of(resolver.order, resolver.grid, cell), cell);
    let mut generates = |element, pseudo| flow::generates(resolver, (element, pseudo), cell, &mut styles);
    let mut has_own_text = |element: ElementId| {
        let has_words = |child: &Child| matches!(child, Child::Text(text) if !text.trim_ascii().is_empty());
        elements[element.0].children.iter().any(has_words)
            || generates(element, Pseudo::Before)
            || generates(element, Pseudo::After)
    };
    let style = |element: ElementId| &*resolver.computed[element.0][cell];
    let lines = Lines::new(resolver, &style, lone);
    let mut found = Strutless::default();
    // Whatever is inside of an element comes after it.
    for element in (0..elements.len()).map(ElementId) {
        let is_found = |parent| found.blocks.contains(&parent) || found.inside.contains(&parent);
        let own = style(element);
        if is_in_lines(&elements[element.0], own) {
            let is_within = is_empty_inline(own) && resolver.skeleton.bones[element.0].parent.is_some_and(is_found);
            if is_within && !has_own_text(element) {
                found.inside.insert(element);
            }
        } else if lines.are_lower(element) && !has_own_text(element) {
            found.blocks.insert(element);
        }
    }
    found
}

struct Lines<'l, 's> {
    elements: &'l [Element],
    style: &'l dyn Fn(ElementId) -> &'s ComputedStyle,
    /// By element: in the lines around it, it may be less high than the text there would be.
    is_lower: Vec<bool>,
}

impl<'l, 's> Lines<'l, 's> {
    fn new(
        resolver: &'l Resolver<'_>,
        style: &'l dyn Fn(ElementId) -> &'s ComputedStyle,
        lone: &BTreeSet<ElementId>,
    ) -> Self {
        let elements = &*resolver.skeleton.elements;
        let (mut is_lower, mut has_text) = (vec![false; elements.len()], vec![false; elements.len()]);
        for (at, element) in elements.iter().enumerate().rev() {
            let any = |known: &[bool]| {
                let is_known = |child: &Child| matches!(child, Child::Element(element) if known[element.0]);
                element.children.iter().any(is_known)
            };
            let has_words = |child: &Child| matches!(child, Child::Text(text) if !text.trim_ascii().is_empty());
            has_text[at] = element.children.iter().any(has_words) || any(&has_text);
            let own = style(ElementId(at));
            if !is_in_flow(own) {
                continue;
            }
            let around = resolver.skeleton.bones[at].parent.map(style);
            let differs = |longhand: L| around.is_some_and(|around| around.get(longhand) != own.get(longhand));
            let differs = [L::FontSize, L::LineHeight, L::FontFamily, L::VerticalAlign].into_iter().any(differs);
            is_lower[at] = if is_in_lines(element, own) {
                (differs && has_text[at]) || any(&is_lower)
            } else {
                own.get(L::Display).starts_with("inline")
                    && !lone.contains(&ElementId(at))
                    && (differs || !has_text[at])
            };
        }
        Self { elements, style, is_lower }
    }

    /// Whether something in a block's lines may be less high than the block's own text would be. No line is empty but for
    /// a break: it is as high as text.
    fn are_lower(&self, around: ElementId) -> bool {
        let own = (self.style)(around);
        if !(is_block(own) || own.get(L::Display) == "inline-block") || own.get(L::WhiteSpaceCollapse) != "collapse" {
            return false;
        }
        let (mut is_empty_line, mut is_lower) = (true, false);
        for child in &self.elements[around.0].children {
            let Child::Element(element) = child else { continue };
            let (inside, style) = (&self.elements[element.0], (self.style)(*element));
            let display = style.get(L::Display);
            if lone::makes_no_box(inside, style) {
                continue;
            }
            if display == "contents" || (inside.tag == "br" && is_empty_line) {
                return false;
            }
            is_empty_line = inside.tag == "br" || !display.starts_with("inline");
            is_lower |= self.is_lower[element.0];
        }
        is_lower
    }
}

/// Whether an element has no box but those of what is in it, line by line.
fn is_in_lines(element: &Element, style: &ComputedStyle) -> bool {
    style.get(L::Display) == "inline" && element.tag != "br" && !is_replaced(element)
}

fn is_replaced(element: &Element) -> bool {
    lone::is_picture(element) || matches!(element.tag.as_str(), "input" | "textarea" | "select" | "audio" | "object")
}
