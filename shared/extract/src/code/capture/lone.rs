//! Pictures that are alone in their line. On pages in quirks or limited-quirks mode a line without text is as high as the
//! picture in it (Quirks Mode, "the line height calculation quirk"). A component is pasted into pages that leave room below
//! it, as below letters: on the lower edge of its line it takes no more room there than on its page.

use super::flow;
use super::resolve::{Resolver, index_of};
use crate::code::model::{Child, Element, ElementId};
use limner_page::dom::QuirksMode;
use limner_style::ComputedStyle;
use limner_style::property::Longhand as L;
use limner_style::selector::PseudoElement as Pseudo;
use std::collections::BTreeSet;

/// By cell.
pub(super) fn of(resolver: &Resolver<'_>) -> Vec<BTreeSet<ElementId>> {
    if resolver.view.document.quirks_mode() == QuirksMode::NoQuirks {
        return Vec::new();
    }
    (0..resolver.grid.len()).map(|cell| in_cell(resolver, cell)).collect()
}

fn in_cell(resolver: &Resolver<'_>, cell: usize) -> BTreeSet<ElementId> {
    let elements = &resolver.skeleton.elements;
    let style = |element: ElementId| &*resolver.computed[element.0][cell];
    let parent = |element: ElementId| resolver.skeleton.bones[element.0].parent;
    let mut line = Line { elements, style: &style, is_alone: vec![false; elements.len()] };
    for at in 0..elements.len() {
        line.note(ElementId(at));
    }
    let mut styles = resolver.grid.styles(index_of(resolver.order, resolver.grid, cell), cell);
    let mut is_lone = |picture: &ElementId| {
        if !is_picture(&elements[picture.0]) || !stands_in_line(style(*picture)) {
            return false;
        }
        let (mut inside, mut around) = (*picture, parent(*picture));
        while let Some(own) = around.filter(|_| line.is_alone[inside.0]) {
            let mut generates = |pseudo| flow::generates(resolver, (own, pseudo), cell, &mut styles);
            if generates(Pseudo::Before) || generates(Pseudo::After) {
                return false;
            }
            if style(own).get(L::Display) != "inline" {
                return is_block(style(own));
            }
            if !is_empty_inline(style(own)) {
                return false;
            }
            (inside, around) = (own, parent(own));
        }
        false
    };
    (0..elements.len()).map(ElementId).filter(&mut is_lone).collect()
}

/// What stands in lines.
struct Line<'l, 's> {
    elements: &'l [Element],
    style: &'l dyn Fn(ElementId) -> &'s ComputedStyle,
    /// By element: nothing is next to it in its line.
    is_alone: Vec<bool>,
}

impl Line<'_, '_> {
    /// Notes the children of an element that are alone in their line.
    fn note(&mut self, around: ElementId) {
        let preserves_space = (self.style)(around).get(L::WhiteSpaceCollapse) != "collapse";
        // The last that stands in a line since the last block, and whether it is alone so far.
        let mut last: Option<(Option<ElementId>, bool)> = None;
        for child in &self.elements[around.0].children {
            let in_line = match child {
                Child::Text(text) if text.trim_ascii().is_empty() && !preserves_space => continue,
                Child::Text(_) => None,
                Child::Element(element) if self.makes_no_box(*element) => continue,
                // At the end of a line it is nothing, alone in one it is text.
                Child::Element(element) if last.is_some() && self.elements[element.0].tag == "br" => {
                    self.end(last.take());
                    continue;
                }
                Child::Element(element) if !(self.style)(*element).get(L::Display).starts_with("inline") => {
                    self.end(last.take());
                    continue;
                }
                Child::Element(element) => Some(*element),
            };
            last = Some((in_line, last.is_none()));
        }
        self.end(last);
    }

    fn end(&mut self, last: Option<(Option<ElementId>, bool)>) {
        if let Some((Some(element), true)) = last {
            self.is_alone[element.0] = true;
        }
    }

    fn makes_no_box(&self, element: ElementId) -> bool {
        makes_no_box(&self.elements[element.0], (self.style)(element))
    }
}

/// Out of the lines, or nothing to see in them.
pub(super) fn makes_no_box(own: &Element, style: &ComputedStyle) -> bool {
    let is_anchor = own.tag == "a" && own.attribute("href").is_none() && own.children.is_empty();
    is_anchor || matches!(own.tag.as_str(), "source" | "track" | "param" | "map" | "area") || !is_in_flow(style)
}

pub(super) fn is_picture(element: &Element) -> bool {
    matches!(element.tag.as_str(), "img" | "svg" | "video" | "canvas" | "iframe" | "object" | "embed")
}

fn stands_in_line(style: &ComputedStyle) -> bool {
    matches!(style.get(L::Display), "inline" | "inline-block")
        && style.get(L::VerticalAlign) == "baseline"
        && is_in_flow(style)
}

pub(super) fn is_in_flow(style: &ComputedStyle) -> bool {
    style.get(L::Display) != "none"
        && style.get(L::Float) == "none"
        && !matches!(style.get(L::Position), "absolute" | "fixed")
}

/// An inline box that makes its line no higher as long as there is no text in it.
pub(super) fn is_empty_inline(style: &ComputedStyle) -> bool {
    let edges = [L::PaddingLeft, L::PaddingRight, L::BorderLeftWidth, L::BorderRightWidth];
    edges.into_iter().all(|edge| style.get(edge) == "0px")
}

/// A block whose own place does not follow from its last line. Markers of lists are text.
pub(super) fn is_block(style: &ComputedStyle) -> bool {
    let has_marker = || style.get(L::ListStyleType) != "none" || style.get(L::ListStyleImage) != "none";
    match style.get(L::Display) {
        "block" | "flow-root" | "table-cell" | "table-caption" => true,
        "list-item" => !has_marker(),
        _ => false,
    }
}
