//! Baseline alignment of boxes on a line (CSS 2, section 10.8.1), where the engine's differs.

use crate::engine_tree::NodeMapping;
use blitz_dom::node::TextLayout;
use blitz_dom::{BaseDocument, Node};
use blitz_traits::node_id::NodeId as EngineNode;
use limner_page::{Document, NodeId};
use limner_style::computed::{Display, Position};
use limner_style::property::Longhand;
use limner_style::{ComputedStyle, Styles};
use parley::{Line, PositionedInlineBox, PositionedLayoutItem};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Invisible shifts, in CSS pixels.
const NEGLIGIBLE_SHIFT: f32 = 0.5;
/// Maximum number of nodes in a box that are checked.
const MAX_DESCENDANTS: usize = 200;

/// A correction of a box's position on its line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum BaselineShift {
    /// An inline block with blocks inside: its last line is this far below its first, on which the engine aligns it.
    LastLine(f32),
    /// The baseline is this far above the lower edge. The engine uses the baseline when it places the box, but not when
    /// it only computes the height of the lines, as for items of flex and grid containers and for cells: there it
    /// aligns the lower edge. Without a baseline the box is aligned by its lower edge in both.
    BelowBaseline(f32),
}

impl BaselineShift {
    pub(crate) fn declarations(self) -> String {
        match self {
            Self::LastLine(by) => format!("vertical-align:{by}px;"),
            Self::BelowBaseline(by) => format!("contain:layout;vertical-align:{}px;", -by),
        }
    }
}

/// Returns true if an inline block is aligned by the baseline of its last line.
pub(crate) fn aligns_by_last_line(style: &ComputedStyle) -> bool {
    style.get(Longhand::VerticalAlign) == "baseline" && !style.overflow_y().scrolls()
}

/// Returns true if the engine may lose the baseline of a box, and correcting that moves no positioned descendant.
pub(crate) fn loses_baseline(
    document: &Document,
    styles: &mut Styles<'_>,
    node: NodeId,
    style: &Arc<ComputedStyle>,
) -> bool {
    if style.get(Longhand::VerticalAlign) != "baseline" {
        return false;
    }
    let is_short_of_one = match style.display() {
        Display::InlineFlex | Display::InlineGrid => true,
        Display::InlineBlock => {
            aligns_by_last_line(style)
                && (style.get(Longhand::Height) != "auto" || contains_item_container(document, styles, node))
        }
        _ => false,
    };
    is_short_of_one
        && is_intrinsically_sized(document, styles, node)
        && contains_positioned(document, styles, node, style)
}

/// Returns true if a box contains flex or grid containers.
fn contains_item_container(document: &Document, styles: &mut Styles<'_>, node: NodeId) -> bool {
    let mut inside = document.descendants(node).take(MAX_DESCENDANTS).filter_map(|inner| styles.get(inner));
    inside.any(|style| matches!(style.display(), Display::Flex | Display::Grid))
}

/// Returns true if an ancestor computes the height of its contents separately: flex and grid containers, and cells.
fn is_intrinsically_sized(document: &Document, styles: &mut Styles<'_>, node: NodeId) -> bool {
    document
        .ancestors(node)
        .filter_map(|around| styles.get(around))
        .any(|style| style.is_flex_or_grid_container() || style.display() == Display::TableCell)
}

/// Returns true if no descendant has a containing block outside of the element. The correction would make the element
/// such a containing block.
fn contains_positioned(document: &Document, styles: &mut Styles<'_>, node: NodeId, style: &ComputedStyle) -> bool {
    if style.is_positioned() {
        return true;
    }
    let mut position = |node| styles.get(node).map(|style| style.position());
    let mut inside = document.descendants(node);
    let is_contained = inside.by_ref().take(MAX_DESCENDANTS).all(|inner| match position(inner) {
        Some(Position::Fixed) => false,
        Some(Position::Absolute) => document
            .ancestors(inner)
            .take_while(|around| *around != node)
            .any(|around| position(around) != Some(Position::Static)),
        _ => true,
    });
    is_contained && inside.next().is_none()
}

/// Returns the boxes whose position on their line needs a correction.
pub(crate) fn misplaced_boxes(engine: &BaseDocument, mapping: &NodeMapping) -> Vec<(NodeId, BaselineShift)> {
    let mut found: Vec<(NodeId, BaselineShift)> = mapping
        .inline_blocks
        .iter()
        .filter_map(|(node, built)| {
            // The engine aligns a block with lines only by its last line itself.
            let block = engine.get_node(*built).filter(|node| !node.flags.is_inline_root())?;
            let (first, last) = baselines(engine, block, 0.0)?;
            (last > first + NEGLIGIBLE_SHIFT).then_some((*node, BaselineShift::LastLine(last - first)))
        })
        .collect();
    if !mapping.forgotten.is_empty() {
        let raised: HashSet<NodeId> = found.iter().map(|(node, _)| *node).collect();
        found.extend(innermost(engine, mapping).filter(|(node, _)| !raised.contains(node)));
    }
    found
}

/// Returns boxes that are wider than their line, and by how much: the engine begins an empty line after them.
pub(crate) fn overflowing(engine: &BaseDocument, mapping: &NodeMapping) -> Vec<(NodeId, f32)> {
    let excesses: HashMap<EngineNode, f32> =
        inline_roots(engine).flat_map(|(root, text)| is_first_in_line(root, text)).collect();
    let of = |(node, built): &(NodeId, EngineNode)| Some((*node, *excesses.get(built)?));
    if excesses.is_empty() { Vec::new() } else { mapping.elements.iter().filter_map(of).collect() }
}

fn is_first_in_line(root: &Node, text: &TextLayout) -> Vec<(EngineNode, f32)> {
    let layout = root.unrounded_layout();
    let sides = layout.padding.left + layout.padding.right + layout.border.left + layout.border.right;
    let room = layout.size.width - sides;
    let lines = text.layout.lines().zip(text.layout.lines().skip(1));
    let ends = lines.filter_map(|(line, next)| {
        let Some(PositionedLayoutItem::InlineBox(inner)) = line.items().last() else { return None };
        let has_box = next.items().any(|item| matches!(item, PositionedLayoutItem::InlineBox(_)));
        let is_nothing = !has_box && text.text.get(next.text_range()).is_some_and(|text| text.trim().is_empty());
        (is_nothing && inner.width > room).then(|| (EngineNode::from_u64(inner.id), inner.width - room))
    });
    ends.collect()
}

/// Returns the boxes that contain lines, with their text layout.
fn inline_roots(engine: &BaseDocument) -> impl Iterator<Item = (&Node, &TextLayout)> {
    let roots = engine.tree().iter().map(|(_, node)| node).filter(|node| node.flags.is_inline_root());
    roots.filter_map(|root| Some((root, &**root.element_data()?.inline_layout_data.as_ref()?)))
}

/// Returns the innermost of the boxes below their baseline: correcting them would change the baseline of the outer
/// ones.
fn innermost<'e>(
    engine: &'e BaseDocument,
    mapping: &'e NodeMapping,
) -> impl Iterator<Item = (NodeId, BaselineShift)> + 'e {
    let sunk: Vec<(EngineNode, BaselineShift)> = below_baseline_boxes(engine, mapping).collect();
    let parent = |node: EngineNode| engine.get_node(node)?.parent;
    let around = sunk.iter().flat_map(|(node, _)| std::iter::successors(parent(*node), |node| parent(*node)));
    let around: HashSet<EngineNode> = around.collect();
    let innermost = sunk.into_iter().filter(move |(node, _)| !around.contains(node));
    innermost.filter_map(|(node, on_line)| Some((*mapping.forgotten.get(&node)?, on_line)))
}

/// Returns the boxes whose baseline decides the height of a line.
fn below_baseline_boxes<'e>(
    engine: &'e BaseDocument,
    mapping: &'e NodeMapping,
) -> impl Iterator<Item = (EngineNode, BaselineShift)> + 'e {
    let lines = inline_roots(engine).flat_map(|(_, text)| text.layout.lines());
    lines.flat_map(|line| {
        let sunk = |item| {
            let PositionedLayoutItem::InlineBox(inner) = item else { return None };
            let node = EngineNode::from_u64(inner.id);
            let below = below_baseline(&line, &inner).filter(|_| mapping.forgotten.contains_key(&node))?;
            Some((node, BaselineShift::BelowBaseline(below)))
        };
        line.items().filter_map(sunk).collect::<Vec<_>>()
    })
}

/// Returns the length of a box below its baseline, if its line would have another height without that baseline.
fn below_baseline(line: &Line<'_, impl parley::Brush>, inner: &PositionedInlineBox) -> Option<f32> {
    let below = inner.height - inner.baseline?;
    let metrics = line.metrics();
    let (above_line, below_line) =
        (metrics.baseline - metrics.block_min_coord, metrics.block_max_coord - metrics.baseline);
    (below > NEGLIGIBLE_SHIFT && (inner.height > above_line + 0.1 || below > below_line - 0.1)).then_some(below)
}

/// Returns the baselines of the first and the last line of a box whose upper edge is at `top`.
fn baselines(engine: &BaseDocument, node: &Node, top: f32) -> Option<(f32, f32)> {
    let layout = node.unrounded_layout();
    let inner = top + layout.padding.top + layout.border.top;
    let text = node.element_data().and_then(|element| element.inline_layout_data.as_ref());
    if let Some(text) = text.filter(|_| node.flags.is_inline_root()) {
        let mut lines = text.layout.lines().map(|line| inner + text.block_offset + line.metrics().baseline);
        let first = lines.next()?;
        return Some((first, lines.next_back().unwrap_or(first)));
    }
    let children = node.layout_children.borrow();
    let in_flow = children.iter().flatten().filter_map(|id| engine.get_node(*id)).filter(|child| {
        child.primary_styles().is_some_and(|style| {
            !style.clone_position().is_absolutely_positioned() && !style.clone_float().is_floating()
        })
    });
    let inside = in_flow.filter_map(|child| baselines(engine, child, top + child.unrounded_layout().location.y));
    inside.reduce(|(first, last), (_, next)| (first, last.max(next)))
}
