//! The interface to a layout engine, which gives the boxes that rules alone cannot tell. The engines live in other
//! crates, because they may fail in ways that this crate must not.

use crate::{Environment, ZeroAdvances};
use limner_page::{NodeId, PageSnapshot};
use std::fmt::Debug;
use std::sync::Arc;

/// A border box in CSS pixels, measured from the top left corner of the page.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rect {
    /// Distance from the page's left edge.
    pub x: f32,
    /// Distance from the page's top edge.
    pub y: f32,
    /// Width with padding and border.
    pub width: f32,
    /// Height with padding and border.
    pub height: f32,
}

impl Rect {
    /// Returns the area in square CSS pixels.
    pub fn area(self) -> f32 {
        self.width.max(0.0) * self.height.max(0.0)
    }
}

/// The boxes of a document in one environment. Clones share them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Boxes {
    by_node: Arc<[Option<Rect>]>,
}

impl Boxes {
    /// Creates the boxes from one box for each node, in the order of node ids.
    pub fn new(by_node: Vec<Option<Rect>>) -> Self {
        Self { by_node: by_node.into() }
    }

    /// Returns the box of an element; `None` if it has none (`display: none`, `contents`, not an element).
    pub fn get(&self, node: NodeId) -> Option<Rect> {
        self.by_node.get(node.index()).copied().flatten()
    }

    /// Returns a box for each node, in the order of node ids.
    pub fn by_node(&self) -> &[Option<Rect>] {
        &self.by_node
    }
}

/// Lays pages out.
pub trait Layout: Debug {
    /// Returns the boxes of `page`, whose document is [`limner_page::Document::parse`] of its HTML. `None` if the page
    /// could not be laid out; callers then go on without boxes.
    fn boxes(&self, page: &PageSnapshot, environment: &Environment) -> Option<Boxes>;

    /// Returns false if there is no engine: then it is no fault of a page that it has no boxes.
    fn has_engine(&self) -> bool {
        true
    }

    /// Returns the advance widths of `0` in the fonts that boxes are measured with.
    fn digit_widths(&self) -> ZeroAdvances {
        ZeroAdvances::default()
    }
}

/// A [`Layout`] that returns no boxes.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoLayout;

impl Layout for NoLayout {
    fn boxes(&self, _: &PageSnapshot, _: &Environment) -> Option<Boxes> {
        None
    }

    fn has_engine(&self) -> bool {
        false
    }
}
