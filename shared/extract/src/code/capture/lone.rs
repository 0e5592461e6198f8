//! Pictures that are alone in their block. On pages in quirks or limited-quirks mode a line without text is as high as the
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
    let is_lone = |picture: &ElementId| {
        is_picture(&elements[picture.0]) && stands_in_line(style(*picture)) && {
            let mut around = resolver.skeleton.bones[picture.0].parent;
            let mut inside = *picture;
            loop {
                let Some(parent) = around else { break false };
                let others = elements[parent.0].children.iter().filter(|child| match child {
                    Child::Text(text) => !text.trim_ascii().is_empty(),
                    Child::Element(child) => *child != inside && is_in_flow(style(*child)),
                });
                if others.count() > 0 {
                    break false;
                }
                if style(parent).get(L::Display) != "inline" {
                    break is_block(style(parent));
                }
                (inside, around) = (parent, resolver.skeleton.bones[parent.0].parent);
            }
        }
    };
    (0..elements.len()).map(ElementId).filter(is_lone).collect()
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
