//! Pictures that are alone in their line. On pages in quirks or limited-quirks mode a line without text is as high as the
//! picture in it (Quirks Mode, "the line height calculation quirk"). A component is pasted into pages that leave room below
//! it, as below letters: on the lower edge of its line it takes no more room there than on its page.

use super::resolve::Resolver;
use crate::code::model::{Child, Element, ElementId};
use limner_page::dom::QuirksMode;
use limner_style::ComputedStyle;
use limner_style::property::Longhand as L;
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
    let is_lone = |picture: &ElementId| {
        if !is_picture(&elements[picture.0]) || !stands_in_line(style(*picture)) {
            return false;
        }
        let (mut inside, mut around) = (*picture, parent(*picture));
        while let Some(own) = around {
            if !is_alone_in_line(inside, &elements[own.0].children, &style) {
                return false;
            }
            if style(own).get(L::Display) != "inline" {
                return is_block(style(own));
            }
            (inside, around) = (own, parent(own));
        }
        false
    };
    (0..elements.len()).map(ElementId).filter(is_lone).collect()
}

/// Whether lines of its parent end before and after an element.
fn is_alone_in_line<'s>(
    element: ElementId,
    siblings: &[Child],
    style: &impl Fn(ElementId) -> &'s ComputedStyle,
) -> bool {
    let Some(at) = siblings.iter().position(|child| matches!(child, Child::Element(own) if *own == element)) else {
        return false;
    };
    // What stands next to it in a line: nothing, if a block comes first.
    let stands_next = |child: &Child| match child {
        Child::Text(text) => (!text.trim_ascii().is_empty()).then_some(true),
        Child::Element(child) => {
            let style = style(*child);
            is_in_flow(style).then(|| style.get(L::Display).starts_with("inline"))
        }
    };
    let (mut before, mut after) = (siblings[..at].iter().rev(), siblings[at + 1..].iter());
    before.find_map(stands_next) != Some(true) && after.find_map(stands_next) != Some(true)
}

fn is_picture(element: &Element) -> bool {
    matches!(element.tag.as_str(), "img" | "svg" | "video" | "canvas" | "iframe" | "object" | "embed")
}

fn stands_in_line(style: &ComputedStyle) -> bool {
    matches!(style.get(L::Display), "inline" | "inline-block")
        && style.get(L::VerticalAlign) == "baseline"
        && is_in_flow(style)
}

fn is_in_flow(style: &ComputedStyle) -> bool {
    style.get(L::Display) != "none"
        && style.get(L::Float) == "none"
        && !matches!(style.get(L::Position), "absolute" | "fixed")
}

fn is_block(style: &ComputedStyle) -> bool {
    matches!(
        style.get(L::Display),
        "block" | "list-item" | "flow-root" | "inline-block" | "table-cell" | "table-caption"
    )
}
