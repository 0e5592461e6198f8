//! A layout that costs next to nothing: each element is below its previous one, in its parent. What is measured with it is
//! the code that reads boxes, without the layout engine that makes them.

use limner_page::{Document, NodeId, PageSnapshot};
use limner_style::Environment;
use limner_style::layout::{Boxes, Layout, Rect};

/// Height of an element without content.
const LINE: f32 = 24.0;
/// Width of an element without elements in it, as of a word or a button.
const LEAF_WIDTH: f32 = 120.0;

/// The boxes of one page. Elements with elements in them are as wide as the viewport.
#[derive(Debug, Clone)]
pub struct StackedBoxes {
    by_node: Vec<Option<Rect>>,
}

impl StackedBoxes {
    /// Lays a page out.
    pub fn new(page: &PageSnapshot) -> Self {
        let document = Document::parse(&page.html);
        let mut by_node = vec![None; document.len()];
        for (node, _) in document.elements() {
            by_node[node.index()] = Some(rect(&document, node));
        }
        Self { by_node }
    }
}

fn rect(document: &Document, node: NodeId) -> Rect {
    let nodes = document.subtree_end(node) - node.index();
    let is_leaf = document.child_elements(node).next().is_none();
    let width = if is_leaf { LEAF_WIDTH } else { f32::INFINITY };
    Rect { x: 0.0, y: node.index() as f32 * LINE, width, height: nodes as f32 * LINE }
}

impl Layout for StackedBoxes {
    fn boxes(&self, _: &PageSnapshot, environment: &Environment) -> Option<Boxes> {
        let viewport = environment.width as f32;
        let fit = |rect: &Rect| Rect { width: rect.width.min(viewport), ..*rect };
        Some(Boxes::new(self.by_node.iter().map(|rect| rect.as_ref().map(fit)).collect()))
    }
}
