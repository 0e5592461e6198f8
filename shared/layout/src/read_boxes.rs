//! Reads boxes from the engine's tree.

use crate::baselines::{self, BaselineShift};
use crate::engine_tree::NodeMapping;
use crate::multicol::ColumnFlow;
use crate::multicol_tree::ColumnRun;
use blitz_dom::{BaseDocument, Node, local_name};
use blitz_traits::node_id::NodeId as EngineNode;
use limner_page::NodeId;
use limner_style::layout::{Boxes, Rect};
use parley::PositionedLayoutItem;
use std::collections::HashMap;

/// The results of a layout pass.
pub(crate) struct MeasuredBoxes {
    pub(crate) boxes: Boxes,
    /// For each node, the horizontal paddings and borders.
    sides: Vec<f32>,
    /// The contents of multi-column containers, to be broken into columns.
    pub(crate) flows: Vec<ColumnFlow>,
    /// Boxes whose position on their line needs a correction.
    pub(crate) misplaced: Vec<(NodeId, BaselineShift)>,
    /// Boxes that are wider than their line, and by how much, after which the engine begins another line.
    pub(crate) overflowing: Vec<(NodeId, f32)>,
}

impl MeasuredBoxes {
    pub(crate) fn width(&self, node: NodeId) -> Option<f32> {
        Some(self.boxes.get(node)?.width)
    }

    /// Returns the horizontal paddings and borders; for a table without its captions.
    pub(crate) fn horizontal_edges(&self, node: NodeId) -> f32 {
        self.sides.get(node.index()).copied().unwrap_or(0.0)
    }

    /// Returns the width inside of paddings and borders, whatever unit they have.
    pub(crate) fn inner_width(&self, node: NodeId) -> Option<f32> {
        Some(self.width(node)? - self.horizontal_edges(node))
    }
}

/// Reads the boxes of all elements of a laid-out document of `nodes` nodes.
pub(crate) fn collect_boxes(engine: &BaseDocument, mapping: &NodeMapping, nodes: usize) -> MeasuredBoxes {
    let mut places = BoxPositions { engine, cache: HashMap::new() };
    let mut inline = inline_boxes(engine, &mut places);
    let rows = row_boxes(engine, mapping, &mut places);
    let mut by_node = vec![None; nodes];
    let mut sides = vec![0.0; nodes];
    for (node, built) in &mapping.elements {
        let Some(laid_out) = engine.get_node(*built) else { continue };
        let own = if laid_out.is_non_atomic_inline() {
            inline.remove(built)
        } else {
            rows.get(built).copied().or_else(|| places.box_rect(laid_out))
        };
        let own = own.map(|rect| to_column_position(engine, mapping, &mut places, *built, rect));
        by_node[node.index()] = own.filter(is_finite);
    }
    for (node, built) in mapping.elements.iter().chain(&mapping.captioned) {
        let Some(layout) = engine.get_node(*built).map(Node::unrounded_layout) else { continue };
        sides[node.index()] = layout.padding.left + layout.padding.right + layout.border.left + layout.border.right;
    }
    let flows = mapping.in_columns.iter().map(|(id, wrapper)| flow(engine, mapping, *id, wrapper)).collect();
    let on_lines = baselines::misplaced_boxes(engine, mapping);
    let overflowing = baselines::overflowing(engine, mapping);
    MeasuredBoxes { boxes: Boxes::new(by_node), sides, flows, misplaced: on_lines, overflowing }
}

/// Moves a box into the columns that contain it, from the innermost container.
fn to_column_position(
    engine: &BaseDocument,
    mapping: &NodeMapping,
    places: &mut BoxPositions<'_>,
    id: EngineNode,
    rect: Rect,
) -> Rect {
    if mapping.in_columns.is_empty() {
        return rect;
    }
    let mut rect = rect;
    let mut at = engine.get_node(id).and_then(|node| node.parent);
    while let Some(node) = at.and_then(|id| engine.get_node(id)) {
        if let Some(fragments) = mapping.in_columns.get(&node.id).and_then(|wrapper| wrapper.fragments.as_ref())
            && let Some(origin) = places.box_rect(node)
        {
            rect = fragments.bounding_rect(rect, (origin.x, origin.y));
        }
        at = node.parent;
    }
    rect
}

/// Collects the contents of columns, laid out as one column.
fn flow(engine: &BaseDocument, mapping: &NodeMapping, id: EngineNode, wrapper: &ColumnRun) -> ColumnFlow {
    let mut flow = ColumnFlow::new(wrapper.container, wrapper.index);
    if let Some(node) = engine.get_node(id) {
        flow.height = node.unrounded_layout().size.height;
        fill(engine, mapping, node, 0.0, None, &mut flow);
    }
    flow
}

/// Adds the contents of a box whose upper edge is at `top`. `before` is the start of the padding before the first
/// content, which must stay with it.
fn fill(
    engine: &BaseDocument,
    mapping: &NodeMapping,
    node: &Node,
    top: f32,
    before: Option<f32>,
    flow: &mut ColumnFlow,
) {
    let layout = node.unrounded_layout();
    let text = node.element_data().and_then(|element| element.inline_layout_data.as_ref());
    let inner = top + layout.padding.top + layout.border.top;
    let mut before = before;
    if let Some(text) = text.filter(|_| node.flags.is_inline_root()) {
        for line in text.layout.lines() {
            let metrics = line.metrics();
            let start = inner + text.block_offset + metrics.block_min_coord;
            let end = inner + text.block_offset + metrics.block_max_coord;
            let from = before.take().filter(|from| *from < start).unwrap_or(start);
            flow.unbreakable.push((from, end));
            flow.solid.push((start, end));
        }
        return;
    }
    let children = node.layout_children.borrow();
    for child in children.iter().flatten().filter_map(|id| engine.get_node(*id)) {
        let Some(style) = child.primary_styles() else { continue };
        if style.clone_position().is_absolutely_positioned() {
            continue;
        }
        let layout = child.unrounded_layout();
        let start = top + layout.location.y;
        let end = start + layout.size.height;
        let is_first = before.take().filter(|_| start <= inner + 0.1);
        let from = is_first.unwrap_or(start);
        let is_empty = child.layout_children.borrow().as_ref().is_none_or(|children| children.is_empty());
        if mapping.unbreakable.contains(&child.id) {
            flow.unbreakable.push((from, end));
            flow.solid.push((start, end));
        } else if is_empty && !child.flags.is_inline_root() {
            flow.solid.push((start, end));
        } else {
            let edge = layout.padding.top + layout.border.top;
            let below = layout.padding.bottom + layout.border.bottom;
            flow.solid.push((start, start + edge));
            flow.solid.push((end - below, end));
            fill(engine, mapping, child, start, Some(from), flow);
        }
    }
}

fn is_finite(rect: &Rect) -> bool {
    [rect.x, rect.y, rect.width, rect.height].into_iter().all(f32::is_finite)
}

fn union(a: Rect, b: Rect) -> Rect {
    let (x, y) = (a.x.min(b.x), a.y.min(b.y));
    let right = (a.x + a.width).max(b.x + b.width);
    let bottom = (a.y + a.height).max(b.y + b.height);
    Rect { x, y, width: right - x, height: bottom - y }
}

/// An affine map from coordinates of one box to those of the page: `x' = a x + c y + e`, `y' = b x + d y + f`.
#[derive(Debug, Clone, Copy)]
struct AffineTransform {
    a: f64,
    b: f64,
    c: f64,
    d: f64,
    e: f64,
    f: f64,
}

impl AffineTransform {
    const PAGE: Self = Self { a: 1.0, b: 0.0, c: 0.0, d: 1.0, e: 0.0, f: 0.0 };

    fn translate(self, x: f64, y: f64) -> Self {
        Self { e: self.a * x + self.c * y + self.e, f: self.b * x + self.d * y + self.f, ..self }
    }

    fn compose(self, [a, b, c, d, e, f]: [f64; 6]) -> Self {
        let moved = self.translate(e, f);
        Self {
            a: self.a * a + self.c * b,
            b: self.b * a + self.d * b,
            c: self.a * c + self.c * d,
            d: self.b * c + self.d * d,
            e: moved.e,
            f: moved.f,
        }
    }

    /// Returns the bounding box of a box in these coordinates.
    #[allow(clippy::cast_possible_truncation, reason = "CSS pixels of a page fit")]
    fn bounding_rect(self, x: f64, y: f64, width: f64, height: f64) -> Rect {
        let corners = [(x, y), (x + width, y), (x, y + height), (x + width, y + height)];
        let at = corners.map(|(x, y)| self.translate(x, y)).map(|corner| (corner.e, corner.f));
        let low = at.iter().fold((f64::MAX, f64::MAX), |low, (x, y)| (low.0.min(*x), low.1.min(*y)));
        let high = at.iter().fold((f64::MIN, f64::MIN), |high, (x, y)| (high.0.max(*x), high.1.max(*y)));
        let snap = |length: f64| ((length * 64.0).round() / 64.0) as f32;
        Rect { x: snap(low.0), y: snap(low.1), width: snap(high.0 - low.0), height: snap(high.1 - low.1) }
    }
}

/// Positions of boxes, each computed once.
struct BoxPositions<'e> {
    engine: &'e BaseDocument,
    cache: HashMap<EngineNode, AffineTransform>,
}

impl BoxPositions<'_> {
    /// Returns the coordinates whose origin is the corner of the node's border box.
    fn transform_of(&mut self, node: EngineNode) -> AffineTransform {
        let mut chain = Vec::new();
        let mut at = Some(node);
        let mut place = AffineTransform::PAGE;
        while let Some(id) = at {
            if let Some(known) = self.cache.get(&id) {
                place = *known;
                break;
            }
            let Some(node) = self.engine.get_node(id) else { break };
            chain.push(node);
            at = node.containing_block();
        }
        for node in chain.into_iter().rev() {
            let location = node.unrounded_layout().location;
            place = place.translate(location.x.into(), location.y.into());
            if let Some(transform) = node.transform() {
                place = place.compose(transform.as_coeffs());
            }
            self.cache.insert(node.id, place);
        }
        place
    }

    fn box_rect(&mut self, node: &Node) -> Option<Rect> {
        let displayed = node.primary_styles()?.clone_display();
        if displayed.is_none() || displayed.is_contents() {
            return None;
        }
        let size = node.unrounded_layout().size;
        Some(self.transform_of(node.id).bounding_rect(0.0, 0.0, size.width.into(), size.height.into()))
    }
}

/// Returns the boxes of inline elements: the bounds of their text and of other content on their lines.
fn inline_boxes(engine: &BaseDocument, places: &mut BoxPositions<'_>) -> HashMap<EngineNode, Rect> {
    let mut boxes = HashMap::new();
    for (id, root) in engine.tree().iter() {
        let text = root.element_data().and_then(|element| element.inline_layout_data.as_ref());
        let Some(text) = text.filter(|_| root.flags.is_inline_root()) else { continue };
        let layout = root.unrounded_layout();
        let (left, top) = (layout.padding.left + layout.border.left, layout.padding.top + layout.border.top);
        let place = places.transform_of(id);
        for line in text.layout.lines() {
            for item in line.items() {
                let (owner, [x, y, width, height]) = match &item {
                    PositionedLayoutItem::GlyphRun(run) => {
                        let metrics = run.run().font_metrics();
                        let top = run.baseline() - metrics.ascent;
                        let size = [run.offset(), top, run.advance(), metrics.ascent + metrics.descent];
                        (Some(run.style().brush.id), size)
                    }
                    PositionedLayoutItem::InlineBox(inner) => {
                        let owner = engine.get_node(EngineNode::from_u64(inner.id)).and_then(|node| node.parent);
                        (owner, [inner.x, inner.y, inner.width, inner.height])
                    }
                };
                let (x, y) = (left + x, top + text.block_offset + y);
                let rect = place.bounding_rect(x.into(), y.into(), width.into(), height.into());
                add_to_owners(engine, owner, rect, &mut boxes);
            }
        }
    }
    boxes
}

/// Adds a fragment to the inline elements that contain it.
fn add_to_owners(engine: &BaseDocument, owner: Option<EngineNode>, rect: Rect, boxes: &mut HashMap<EngineNode, Rect>) {
    let mut at = owner;
    while let Some(node) = at.and_then(|id| engine.get_node(id)) {
        if !node.is_non_atomic_inline() {
            return;
        }
        boxes.entry(node.id).and_modify(|known| *known = union(*known, rect)).or_insert(rect);
        at = node.parent;
    }
}

/// Returns the boxes of rows and row groups: the bounds of their cells. Cells that span further rows don't increase the
/// height of their first row, and rows of one group are equally wide.
fn row_boxes(engine: &BaseDocument, mapping: &NodeMapping, places: &mut BoxPositions<'_>) -> HashMap<EngineNode, Rect> {
    let mut boxes: HashMap<EngineNode, Rect> = HashMap::new();
    // Rows come before the groups that contain them.
    for id in &mapping.rows {
        let Some(row) = engine.get_node(*id) else { continue };
        let mut around: Option<Rect> = None;
        let mut beyond: Option<Rect> = None;
        for child in &row.children {
            let cell = engine.get_node(*child).filter(|node| node.is_element());
            let spans = cell.is_some_and(|cell| cell.attr(local_name!("rowspan")).is_some());
            let rect = boxes.get(child).copied().or_else(|| places.box_rect(cell?));
            let kind = if spans { &mut beyond } else { &mut around };
            *kind = kind.map_or(rect, |known| Some(rect.map_or(known, |rect| union(known, rect))));
        }
        let rect = match (around, beyond) {
            (Some(around), Some(beyond)) => {
                let wide = union(around, beyond);
                Some(Rect { x: wide.x, width: wide.width, ..around })
            }
            (around, beyond) => around.or(beyond),
        };
        let Some(rect) = rect else { continue };
        for child in &row.children {
            boxes.entry(*child).and_modify(|inner| (inner.x, inner.width) = (rect.x, rect.width));
        }
        boxes.insert(*id, rect);
    }
    boxes
}
