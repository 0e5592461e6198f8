//! Finds the footer of a page without a footer landmark.

use limner_page::dom::Element;
use limner_page::{Document, NodeId};
use limner_style::layout::Boxes;

/// Maximum height of a last block that counts as a footer, in CSS pixels.
const MAX_FOOTER_HEIGHT: f32 = 640.0;
/// Maximum number of elements that are read.
const MAX_ELEMENTS_SCANNED: usize = 4_000;

/// Returns the last block of a page, if it contains the copyright notice.
pub(super) fn find_implicit_footer(document: &Document, boxes: &Boxes) -> Option<NodeId> {
    let mut block = document.body()?;
    for _ in 0..8 {
        block = last_block(document, boxes, block)?;
        let is_low =
            boxes.get(block).is_some_and(|area| area.height <= MAX_FOOTER_HEIGHT && area.y > MAX_FOOTER_HEIGHT);
        if is_low {
            return contains_legal_notice(document, block).then_some(block);
        }
    }
    None
}

/// Returns the last child that takes up space.
fn last_block(document: &Document, boxes: &Boxes, parent: NodeId) -> Option<NodeId> {
    let takes_room = |node: &NodeId| {
        let has_size = boxes.get(*node).is_some_and(|area| area.width > 300.0 && area.height > 8.0);
        has_size && document.element(*node).is_some_and(is_block)
    };
    document.children(parent).filter(takes_room).last()
}

fn is_block(element: &Element) -> bool {
    element.in_html() && !matches!(element.name(), "script" | "style" | "noscript" | "template" | "dialog" | "iframe")
}

fn contains_legal_notice(document: &Document, block: NodeId) -> bool {
    let mut texts = document.descendants(block).take(MAX_ELEMENTS_SCANNED).filter_map(|node| document.text(node));
    texts.any(|text| text.contains('©') || text.contains("Copyright"))
}
