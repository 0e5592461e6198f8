//! Finds images that are alone in their line. On pages in quirks or limited-quirks mode a line without text is as high
//! as the image in it (Quirks Mode, "the line height calculation quirk"). A component is pasted into standards-mode
//! pages, which leave room for descenders below the image. With `vertical-align: bottom` the line is as high as on the
//! page.

use crate::capture::context::SectionContext;
use crate::capture::environments::{EnvId, EnvMap};
use crate::capture::flow;
use limner_component_model::model::{Child, Element, ElementId};
use limner_page::dom::QuirksMode;
use limner_style::ComputedStyle;
use limner_style::computed::{Display, WhiteSpaceCollapse};
use limner_style::property::Longhand as L;
use limner_style::selector::PseudoElement as Pseudo;
use std::collections::BTreeSet;

/// Returns these images by environment.
pub(crate) fn find_image_only_lines(context: &SectionContext<'_>) -> EnvMap<BTreeSet<ElementId>> {
    if context.view.document.quirks_mode() == QuirksMode::NoQuirks {
        return EnvMap::default();
    }
    context.environments.map(|env| lone_images_in(context, env))
}

/// Returns the images that are alone in their line in one environment.
fn lone_images_in(context: &SectionContext<'_>, env: EnvId) -> BTreeSet<ElementId> {
    let elements = &context.tree.elements;
    let style = |element: ElementId| &*context.computed[element.0][env];
    let parent = |element: ElementId| context.tree.origins[element.0].parent;
    let mut line = LineScan { elements, style: &style, is_alone: vec![false; elements.len()] };
    for at in 0..elements.len() {
        line.scan_children(ElementId(at));
    }
    let mut styles = context.environments.page_styles(context.request, env);
    let mut is_lone = |picture: &ElementId| {
        if !elements[picture.0].is_replaced() || !is_on_baseline(style(*picture)) {
            return false;
        }
        let (mut inside, mut ancestor) = (*picture, parent(*picture));
        while let Some(own) = ancestor.filter(|_| line.is_alone[inside.0]) {
            let mut generates = |pseudo| flow::generates(context, (own, pseudo), env, &mut styles);
            if generates(Pseudo::Before) || generates(Pseudo::After) {
                return false;
            }
            if style(own).display() != Display::Inline {
                return is_block(style(own));
            }
            if !is_empty_inline(style(own)) {
                return false;
            }
            (inside, ancestor) = (own, parent(own));
        }
        false
    };
    (0..elements.len()).map(ElementId).filter(&mut is_lone).collect()
}

/// Finds the children that are alone in their line.
struct LineScan<'l, 's> {
    elements: &'l [Element],
    style: &'l dyn Fn(ElementId) -> &'s ComputedStyle,
    /// By element: true if it has no neighbours in its line.
    is_alone: Vec<bool>,
}

impl LineScan<'_, '_> {
    /// Records the children of an element that are alone in their line.
    fn scan_children(&mut self, parent: ElementId) {
        let preserves_whitespace = (self.style)(parent).white_space_collapse() != WhiteSpaceCollapse::Collapse;
        // The last inline-level child since the last block (`None` for text), and true if it has no neighbour so far.
        let mut last: Option<(Option<ElementId>, bool)> = None;
        for child in &self.elements[parent.0].children {
            let in_line = match child {
                Child::Text(text) if text.trim_ascii().is_empty() && !preserves_whitespace => continue,
                Child::Text(_) => None,
                Child::Element(element) if self.makes_no_box(*element) => continue,
                // A line break at the end of a line has no effect, one alone in its line is as high as text.
                Child::Element(element) if last.is_some() && self.elements[element.0].tag == "br" => {
                    self.end(last.take());
                    continue;
                }
                Child::Element(element) if !(self.style)(*element).display().is_inline_level() => {
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

/// Returns true for an element that is out of flow or renders nothing.
pub(crate) fn makes_no_box(own: &Element, style: &ComputedStyle) -> bool {
    let is_anchor = own.tag == "a" && own.attribute("href").is_none() && own.children.is_empty();
    is_anchor || matches!(own.tag.as_str(), "source" | "track" | "param" | "map" | "area") || !style.is_in_flow()
}

/// Returns true for an in-flow inline-level box on the baseline.
fn is_on_baseline(style: &ComputedStyle) -> bool {
    matches!(style.display(), Display::Inline | Display::InlineBlock)
        && style.get(L::VerticalAlign) == "baseline"
        && style.is_in_flow()
}

/// Returns true for an inline box without inline padding or border: in quirks mode it does not affect the height of a
/// line without text.
pub(crate) fn is_empty_inline(style: &ComputedStyle) -> bool {
    let edges = [L::PaddingLeft, L::PaddingRight, L::BorderLeftWidth, L::BorderRightWidth];
    edges.into_iter().all(|edge| style.get(edge) == "0px")
}

/// Returns true for a block whose position does not depend on its last line. Markers of list items count as text.
pub(crate) fn is_block(style: &ComputedStyle) -> bool {
    let has_marker = || style.get(L::ListStyleType) != "none" || style.get(L::ListStyleImage) != "none";
    let display = style.display();
    display.is_block_container() && !display.is_inline_level() && !(display.is_list_item() && has_marker())
}
