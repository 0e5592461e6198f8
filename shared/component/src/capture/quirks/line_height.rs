//! Quirks mode, "line height calculation quirk": on pages in quirks or limited-quirks mode a line without text of the
//! block itself has no strut, and is only as high as its inline boxes. A component is pasted into standards-mode pages,
//! where every line is at least as high as the block's `line-height`. Such blocks therefore get a line height of 0, and
//! the boxes in their lines declare their own.

use super::image_only_lines;
use super::image_only_lines::{is_block, is_empty_inline};
use crate::capture::context::SectionContext;
use crate::capture::diff::value_reader;
use crate::capture::environments::{EnvId, EnvMap};
use crate::capture::flow;
use crate::capture::property_key::PropertyKey;
use limner_component_model::model::{Child, Element, ElementId};
use limner_page::dom::QuirksMode;
use limner_style::ComputedStyle;
use limner_style::computed::{Display, WhiteSpaceCollapse};
use limner_style::property::Longhand as L;
use limner_style::selector::PseudoElement as Pseudo;
use std::collections::BTreeSet;

/// Returns by environment these blocks, and the inline boxes in their lines that have no text of their own. `lone` are
/// images alone in their line, which are handled separately.
pub(crate) fn find_strutless_blocks(
    context: &SectionContext<'_>,
    lone: &EnvMap<BTreeSet<ElementId>>,
) -> EnvMap<BTreeSet<ElementId>> {
    if context.view.document.quirks_mode() == QuirksMode::NoQuirks {
        return EnvMap::default();
    }
    context.environments.map(|env| strutless_in(context, env, &lone[env]))
}

/// Returns the boxes that have to declare the height of their lines, since their parent sets it to 0.
pub(crate) fn boxes_declaring_line_height(
    context: &SectionContext<'_>,
    strutless: &EnvMap<BTreeSet<ElementId>>,
) -> BTreeSet<PropertyKey> {
    let elements = &context.tree.elements;
    let mut found = BTreeSet::new();
    for element in strutless.iter().flatten() {
        let parts = [None, Some(Pseudo::Before), Some(Pseudo::After)];
        found.extend(parts.map(|pseudo| PropertyKey::new(*element, pseudo, L::LineHeight)));
        let children = elements[element.0].children.iter().filter_map(|child| match child {
            Child::Element(child) if !has_no_lines(&elements[child.0]) => Some(*child),
            _ => None,
        });
        found.extend(children.map(|child| PropertyKey::new(child, None, L::LineHeight)));
    }
    found
}

/// Returns true for line breaks, images and other elements that never contain text.
fn has_no_lines(element: &Element) -> bool {
    element.is_replaced() || matches!(element.tag.as_str(), "br" | "wbr" | "hr" | "source" | "track" | "area" | "map")
}

/// Returns the blocks and inline boxes without a strut in one environment.
fn strutless_in(context: &SectionContext<'_>, env: EnvId, lone: &BTreeSet<ElementId>) -> BTreeSet<ElementId> {
    let elements = &context.tree.elements;
    let mut styles = context.environments.page_styles(context.request, env);
    let mut generates = |element: ElementId| {
        let mut shows = |pseudo| flow::generates(context, (element, pseudo), env, &mut styles);
        // The quotes of a `q` come from the browser's stylesheet.
        elements[element.0].tag == "q" || shows(Pseudo::Before) || shows(Pseudo::After)
    };
    let style = |element: ElementId| &*context.computed[element.0][env];
    let mut found = BTreeSet::new();
    for block in (0..elements.len()).map(ElementId) {
        let own = style(block);
        let has_lines = is_block(own) || own.display() == Display::InlineBlock;
        if has_lines && own.white_space_collapse() == WhiteSpaceCollapse::Collapse && !has_no_lines(&elements[block.0])
        {
            let page = StrutScan { elements, style: &style, lone_images: lone };
            found.extend(page.strutless_boxes(block, &mut generates).into_iter().flatten());
        }
    }
    found
}

/// The elements and their styles in one environment.
struct StrutScan<'l, 's> {
    elements: &'l [Element],
    style: &'l dyn Fn(ElementId) -> &'s ComputedStyle,
    lone_images: &'l BTreeSet<ElementId>,
}

/// The lines of a block, as far as they have been scanned.
#[derive(Default)]
struct LineBuffer {
    /// The inline boxes in the lines.
    inline: Vec<ElementId>,
    with_text: BTreeSet<ElementId>,
    /// True if the present line has contents.
    is_begun: bool,
    /// The element of a white space that is rendered if the line continues.
    space: Option<ElementId>,
    /// True if a line may be lower than the block's own text would be.
    is_lower: bool,
}

impl LineBuffer {
    /// Records that the line has contents.
    fn record_content(&mut self) {
        self.is_begun = true;
        self.with_text.extend(self.space.take());
    }

    fn end(&mut self) {
        (self.is_begun, self.space) = (false, None);
    }

    /// Scans a text of the element `of`.
    fn text(&mut self, text: &str, of: ElementId, collapses: bool) {
        if has_text(text) || !(collapses || text.is_empty()) {
            self.record_content();
            self.with_text.insert(of);
        }
        if self.is_begun && self.space.is_none() && collapses && text.ends_with(|c: char| c.is_ascii_whitespace()) {
            self.space = Some(of);
        }
    }
}

impl StrutScan<'_, '_> {
    /// Returns a block and the inline boxes in its lines, as far as they have no text of their own; `None` if the block
    /// has text, or lines that are as high as its text.
    fn strutless_boxes(
        &self,
        block: ElementId,
        generates: &mut dyn FnMut(ElementId) -> bool,
    ) -> Option<Vec<ElementId>> {
        let mut lines = LineBuffer::default();
        // Iterative, because pages nest deeply.
        let mut open: Vec<(ElementId, std::slice::Iter<'_, Child>)> = vec![(block, self.children(block))];
        while let Some((parent, children)) = open.last_mut() {
            let parent = *parent;
            let Some(child) = children.next() else {
                open.pop();
                continue;
            };
            match child {
                Child::Text(text) => {
                    let collapses = (self.style)(parent).white_space_collapse() == WhiteSpaceCollapse::Collapse;
                    lines.text(text, parent, collapses);
                    if lines.with_text.contains(&block) {
                        return None;
                    }
                }
                Child::Element(element) => {
                    if self.scan_inline(*element, parent, &mut lines)? {
                        if generates(*element) {
                            lines.record_content();
                            lines.with_text.insert(*element);
                        }
                        open.push((*element, self.children(*element)));
                    }
                }
            }
        }
        let is_found = lines.is_lower && !lines.with_text.contains(&block) && !generates(block);
        let strutless =
            |element: &ElementId| !lines.with_text.contains(element) && is_empty_inline((self.style)(*element));
        is_found.then(|| std::iter::once(block).chain(lines.inline.iter().copied().filter(strutless)).collect())
    }

    fn children(&self, element: ElementId) -> std::slice::Iter<'_, Child> {
        self.elements[element.0].children.iter()
    }

    /// Scans an element in the lines. Returns true if its contents belong to the lines as well; `None` if a line is as
    /// high as the block's text, or if a box is not aligned with the others.
    fn scan_inline(&self, element: ElementId, parent: ElementId, lines: &mut LineBuffer) -> Option<bool> {
        let (own, style) = (&self.elements[element.0], (self.style)(element));
        let display = style.display();
        if display == Display::Contents {
            return None;
        }
        if own.tag == "br" {
            // Alone in its line, it is as high as text.
            return std::mem::take(&mut lines.is_begun).then(|| {
                lines.end();
                false
            });
        }
        if image_only_lines::makes_no_box(own, style) {
            return Some(false);
        }
        if !display.is_inline_level() {
            lines.end();
            return Some(false);
        }
        if style.get(L::VerticalAlign).ends_with(['x', '%', ')']) {
            return None;
        }
        let parent = (self.style)(parent);
        let differs = [L::FontSize, L::LineHeight, L::FontFamily, L::VerticalAlign]
            .into_iter()
            .any(|longhand| style.get(longhand) != parent.get(longhand));
        if display == Display::Inline && !flow::has_own_size(own) {
            lines.is_lower |= differs;
            lines.inline.push(element);
            return Some(true);
        }
        lines.record_content();
        lines.is_lower |= if self.lone_images.contains(&element) {
            is_shorter_than_text_line(style, parent)
        } else {
            differs || own.children.is_empty() || !self.has_text(element)
        };
        Some(false)
    }

    /// Returns true if an element has text as a child.
    fn has_text(&self, element: ElementId) -> bool {
        self.children(element).any(|child| matches!(child, Child::Text(text) if has_text(text)))
    }
}

/// Returns true if an image on the lower edge of its line may be lower than text in that line would be.
fn is_shorter_than_text_line(picture: &ComputedStyle, parent: &ComputedStyle) -> bool {
    /// Maximum `line-height: normal` of most fonts, as a multiple of the font size.
    const NORMAL: f64 = 1.5;
    let text =
        value_reader::px(parent, L::LineHeight).or_else(|| Some(NORMAL * value_reader::px(parent, L::FontSize)?));
    matches!((value_reader::px(picture, L::Height), text), (Some(picture), Some(text)) if picture < text)
}

fn has_text(text: &str) -> bool {
    !text.trim_ascii().is_empty()
}
