//! Where boxes stand on their line (CSS 2, section 10.8.1), as far as the engine does not know.

use crate::tree::Mapping;
use blitz_dom::node::TextLayout;
use blitz_dom::{BaseDocument, Node};
use blitz_traits::node_id::NodeId as EngineNode;
use limner_page::{Document, NodeId};
use limner_style::property::Longhand;
use limner_style::{ComputedStyle, Styles};
use parley::{Line, PositionedInlineBox, PositionedLayoutItem};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Shifts that nobody sees, in CSS pixels.
const SLIGHT: f32 = 0.5;
/// Most nodes in a box whose places are looked at.
const MAX_INSIDE: usize = 200;

/// What is to be declared for a box to stand where it should.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum OnLine {
    /// An inline block with blocks inside: its last line is so far below its first, on which the engine puts it.
    Raised(f32),
    /// The baseline is so far above the lower edge. The engine knows that when it places the box, but not when it asks
    /// for no more than the height of the lines, as it does for items of flex and grid containers and for cells: there
    /// the box stands on its lower edge. Without a baseline of its own it stands equally in both.
    Sunk(f32),
}

impl OnLine {
    pub(crate) fn declarations(self) -> String {
        match self {
            Self::Raised(by) => format!("vertical-align:{by}px;"),
            Self::Sunk(by) => format!("contain:layout;vertical-align:{}px;", -by),
        }
    }
}

/// Whether an inline block stands on the line with its last line.
pub(crate) fn stands_on_last_line(style: &ComputedStyle) -> bool {
    style.get(Longhand::VerticalAlign) == "baseline" && matches!(style.get(Longhand::OverflowY), "visible" | "clip")
}

/// Whether the engine may forget the baseline of a box, and all that is placed inside stays where it is when told.
pub(crate) fn is_forgotten(
    document: &Document,
    styles: &mut Styles<'_>,
    node: NodeId,
    style: &Arc<ComputedStyle>,
) -> bool {
    if style.get(Longhand::VerticalAlign) != "baseline" {
        return false;
    }
    let is_short_of_one = match style.get(Longhand::Display) {
        "inline-flex" | "inline-grid" => true,
        "inline-block" => {
            stands_on_last_line(style) && (style.get(Longhand::Height) != "auto" || holds_items(document, styles, node))
        }
        _ => false,
    };
    is_short_of_one && is_asked_for_its_size(document, styles, node) && contains_its_own(document, styles, node, style)
}

/// Whether there are flex or grid containers inside.
fn holds_items(document: &Document, styles: &mut Styles<'_>, node: NodeId) -> bool {
    let mut inside = document.descendants(node).take(MAX_INSIDE).filter_map(|inner| styles.get(inner));
    inside.any(|style| matches!(style.get(Longhand::Display), "flex" | "grid"))
}

/// Whether an element is in anything that asks how high it would be.
fn is_asked_for_its_size(document: &Document, styles: &mut Styles<'_>, node: NodeId) -> bool {
    document.ancestors(node).filter_map(|around| styles.get(around)).any(|style| {
        matches!(style.get(Longhand::Display), "flex" | "inline-flex" | "grid" | "inline-grid" | "table-cell")
    })
}

/// Whether nothing inside is placed by what is around the element: without a baseline it would be placed by the element.
fn contains_its_own(document: &Document, styles: &mut Styles<'_>, node: NodeId, style: &ComputedStyle) -> bool {
    if style.get(Longhand::Position) != "static" {
        return true;
    }
    let mut position =
        |node| styles.get(node).map_or_else(String::new, |style| style.get(Longhand::Position).to_owned());
    let mut inside = document.descendants(node);
    let is_contained = inside.by_ref().take(MAX_INSIDE).all(|inner| match &*position(inner) {
        "fixed" => false,
        "absolute" => {
            document.ancestors(inner).take_while(|around| *around != node).any(|around| position(around) != "static")
        }
        _ => true,
    });
    is_contained && inside.next().is_none()
}

/// What stands elsewhere than on the line that the engine chose.
pub(crate) fn on_lines(engine: &BaseDocument, mapping: &Mapping) -> Vec<(NodeId, OnLine)> {
    let mut found: Vec<(NodeId, OnLine)> = mapping
        .inline_blocks
        .iter()
        .filter_map(|(node, built)| {
            // The engine knows the last line of what holds nothing but lines.
            let block = engine.get_node(*built).filter(|node| !node.flags.is_inline_root())?;
            let (first, last) = baselines(engine, block, 0.0)?;
            (last > first + SLIGHT).then_some((*node, OnLine::Raised(last - first)))
        })
        .collect();
    if !mapping.forgotten.is_empty() {
        let raised: HashSet<NodeId> = found.iter().map(|(node, _)| *node).collect();
        found.extend(innermost(engine, mapping).filter(|(node, _)| !raised.contains(node)));
    }
    found
}

/// Boxes wider than the line that they stand on, and by how much, after which the engine begins a line of nothing.
pub(crate) fn overflowing(engine: &BaseDocument, mapping: &Mapping) -> Vec<(NodeId, f32)> {
    let excesses: HashMap<EngineNode, f32> =
        inline_roots(engine).flat_map(|(root, text)| before_nothing(root, text)).collect();
    let of = |(node, built): &(NodeId, EngineNode)| Some((*node, *excesses.get(built)?));
    if excesses.is_empty() { Vec::new() } else { mapping.elements.iter().filter_map(of).collect() }
}

fn before_nothing(root: &Node, text: &TextLayout) -> Vec<(EngineNode, f32)> {
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

/// Boxes whose contents are lines, and these.
fn inline_roots(engine: &BaseDocument) -> impl Iterator<Item = (&Node, &TextLayout)> {
    let roots = engine.tree().iter().map(|(_, node)| node).filter(|node| node.flags.is_inline_root());
    roots.filter_map(|root| Some((root, &**root.element_data()?.inline_layout_data.as_ref()?)))
}

/// Those that sink and hold no others: these would change where the baseline of what is around them is.
fn innermost<'e>(engine: &'e BaseDocument, mapping: &'e Mapping) -> impl Iterator<Item = (NodeId, OnLine)> + 'e {
    let sunk: Vec<(EngineNode, OnLine)> = sunk(engine, mapping).collect();
    let parent = |node: EngineNode| engine.get_node(node)?.parent;
    let around = sunk.iter().flat_map(|(node, _)| std::iter::successors(parent(*node), |node| parent(*node)));
    let around: HashSet<EngineNode> = around.collect();
    let innermost = sunk.into_iter().filter(move |(node, _)| !around.contains(node));
    innermost.filter_map(|(node, on_line)| Some((*mapping.forgotten.get(&node)?, on_line)))
}

/// Boxes of which the height of a line depends, if it does on where their baseline is.
fn sunk<'e>(engine: &'e BaseDocument, mapping: &'e Mapping) -> impl Iterator<Item = (EngineNode, OnLine)> + 'e {
    let lines = inline_roots(engine).flat_map(|(_, text)| text.layout.lines());
    lines.flat_map(|line| {
        let sunk = |item| {
            let PositionedLayoutItem::InlineBox(inner) = item else { return None };
            let node = EngineNode::from_u64(inner.id);
            let below = below_baseline(&line, &inner).filter(|_| mapping.forgotten.contains_key(&node))?;
            Some((node, OnLine::Sunk(below)))
        };
        line.items().filter_map(sunk).collect::<Vec<_>>()
    })
}

/// How far a box reaches below its baseline, when its line would be of another height without that baseline.
fn below_baseline(line: &Line<'_, impl parley::Brush>, inner: &PositionedInlineBox) -> Option<f32> {
    let below = inner.height - inner.baseline?;
    let metrics = line.metrics();
    let (above_line, below_line) =
        (metrics.baseline - metrics.block_min_coord, metrics.block_max_coord - metrics.baseline);
    (below > SLIGHT && (inner.height > above_line + 0.1 || below > below_line - 0.1)).then_some(below)
}

/// The baselines of the first and the last line of a box whose upper edge is at `top`.
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
