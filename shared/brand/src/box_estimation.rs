//! Estimates boxes without a layout engine, from computed sizes, text and structure.
//!
//! Blocks stack, rows share their width, text fills lines. This is good enough to distinguish a page's background from
//! a badge; if a layout engine is available, its boxes are used instead.

use limner_page::dom::Element;
use limner_page::{Document, NodeId};
use limner_style::computed::Display;
use limner_style::layout::{Boxes, Rect};
use limner_style::property::Longhand;
use limner_style::{ComputedStyle, Styles};
use std::sync::Arc;

/// Width of a character in em.
const CHARACTER: f64 = 0.5;
/// The viewport.
const VIEWPORT: f64 = 1440.0;
const SCREEN: f64 = 900.0;

/// Returns a box for every element that has one.
pub(super) fn boxes(document: &Document, styles: &mut Styles<'_>) -> Boxes {
    let mut estimate = BoxEstimator { document, styles, nodes: vec![BoxNode::default(); document.len()] };
    let order: Vec<NodeId> = document.descendants(document.root()).collect();
    for node in order.iter().rev() {
        estimate.content(*node);
    }
    for node in &order {
        estimate.width(*node);
    }
    for node in order.iter().rev() {
        estimate.height(*node);
    }
    for node in &order {
        estimate.place(*node);
    }
    let rect = |node: &BoxNode| {
        let BoxNode { x, y, width, height, .. } = *node;
        let [x, y, width, height] = [x, y, width, height].map(|length| length as f32);
        node.shown.then_some(Rect { x, y, width, height })
    };
    Boxes::new(estimate.nodes.iter().map(rect).collect())
}

#[derive(Debug, Clone, Default)]
struct BoxNode {
    style: Option<Arc<ComputedStyle>>,
    shown: bool,
    flow: FlowDirection,
    /// Width of the contents on one line.
    line: f64,
    /// Width of its text and of its inline descendants on one line.
    text: f64,
    /// Number of children that share a row.
    columns: usize,
    x: f64,
    y: f64,
    width: f64,
    height: f64,
    is_row: bool,
    /// Position of the next child in a row.
    next: (f64, f64),
    /// Lower edge of all children placed so far.
    row_end: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum FlowDirection {
    /// Fills its container's width, below the previous box.
    #[default]
    Block,
    /// Shrinks to fit its contents.
    Shrunk,
    /// Part of the surrounding text.
    Inline,
    /// Out of flow.
    Out,
}

struct BoxEstimator<'a, 'i> {
    document: &'a Document,
    styles: &'a mut Styles<'i>,
    nodes: Vec<BoxNode>,
}

impl BoxEstimator<'_, '_> {
    /// Computes the width of the contents on one line, from the inside out.
    fn content(&mut self, node: NodeId) {
        if let Some(text) = self.document.text(node) {
            let characters = text.split_whitespace().map(|word| word.chars().count() + 1).sum::<usize>();
            self.nodes[node.index()].line = characters as f64;
            return;
        }
        let Some(element) = self.document.element(node) else { return };
        let Some(style) = self.styles.get(node) else { return };
        let shown = !style.is_hidden();
        let flow = flow(&style);
        let row = is_row(&style);
        let (mut line, mut text, mut columns) = (0.0_f64, 0.0, 0);
        for child in self.document.children(node).filter(|_| shown) {
            let inner = &self.nodes[child.index()];
            if self.document.text(child).is_some() {
                let width = inner.line * style.font_size() * CHARACTER;
                text += width;
                line = if row { line + width } else { line.max(text) };
            } else if inner.shown && inner.flow != FlowDirection::Out {
                columns += 1;
                if inner.flow == FlowDirection::Inline {
                    text += inner.line;
                }
                let beside = row || inner.flow != FlowDirection::Block;
                line = if beside { line + inner.line } else { line.max(inner.line) };
            }
        }
        let fixed = declared_width(element, &style, None);
        line = fixed.unwrap_or(line + horizontal_padding(&style));
        let columns = if row { columns_of(&style, columns) } else { 1 };
        self.nodes[node.index()] =
            BoxNode { style: Some(style), shown, flow, line, text, columns, is_row: row, ..BoxNode::default() };
    }

    /// Computes the width of the box, from the outside in.
    fn width(&mut self, node: NodeId) {
        let Some(element) = self.document.element(node) else { return };
        let parent = self.document.parent(node).map(|parent| &self.nodes[parent.index()]);
        let parent = parent.filter(|parent| parent.style.is_some());
        let whole = parent.map_or(VIEWPORT, BoxNode::inner_width);
        let share = parent.map_or(VIEWPORT, |parent| whole / parent.columns.max(1) as f64);
        let own = &self.nodes[node.index()];
        let Some(style) = own.style.as_deref() else { return };
        let natural = match own.flow {
            FlowDirection::Block => share,
            FlowDirection::Out if is_stretched(style, Longhand::Left, Longhand::Right) => whole.max(own.line),
            FlowDirection::Shrunk | FlowDirection::Inline | FlowDirection::Out => own.line.min(whole),
        };
        let width = declared_width(element, style, Some(whole)).unwrap_or(natural);
        let most = length(style, Longhand::MaxWidth, whole).unwrap_or(f64::INFINITY);
        let least = length(style, Longhand::MinWidth, whole).unwrap_or(0.0);
        self.nodes[node.index()].width = width.min(most).max(least).min(VIEWPORT * 2.0);
    }

    /// Computes the height of the box, from the inside out.
    fn height(&mut self, node: NodeId) {
        let own = &self.nodes[node.index()];
        let (Some(element), Some(style)) = (self.document.element(node), own.style.as_deref()) else { return };
        if !own.shown {
            return;
        }
        let inner_width = own.inner_width().max(1.0);
        let (mut stacked, mut row_height, mut row_width) = (0.0, 0.0_f64, 0.0);
        for child in self.document.children(node) {
            let inner = &self.nodes[child.index()];
            if !inner.shown || matches!(inner.flow, FlowDirection::Out | FlowDirection::Inline) {
                continue;
            }
            let outer = inner.height + inner.style.as_deref().map_or(0.0, vertical_margin);
            let starts_row = row_width + inner.width > inner_width + 1.0;
            if !own.places_in_row(inner) || starts_row {
                stacked += row_height;
                (row_height, row_width) = (0.0, 0.0);
            }
            row_height = row_height.max(outer);
            row_width += if own.places_in_row(inner) { inner.width } else { inner_width };
        }
        let lines = (own.text / inner_width).ceil();
        let content = stacked + row_height + lines * line_height(style);
        let natural = match own.flow {
            FlowDirection::Out if is_stretched(style, Longhand::Top, Longhand::Bottom) => content.max(SCREEN),
            _ => content + vertical_padding(style),
        };
        let height = declared_height(element, style).unwrap_or(natural);
        let least = length(style, Longhand::MinHeight, 0.0).unwrap_or(0.0);
        let most = length(style, Longhand::MaxHeight, 0.0).filter(|most| *most > 0.0).unwrap_or(f64::INFINITY);
        self.nodes[node.index()].height = height.min(most).max(least);
    }

    /// Computes the position of the box, from the outside in.
    fn place(&mut self, node: NodeId) {
        let own = &self.nodes[node.index()];
        let Some(style) = own.style.clone().filter(|_| own.shown) else { return };
        let (width, outer_height) = (own.width, own.height + vertical_margin(&style));
        let (mut x, mut y) = (0.0, 0.0);
        if let Some(parent) = self.document.parent(node) {
            let beside = self.nodes[parent.index()].places_in_row(own);
            let is_out = own.flow == FlowDirection::Out;
            let around = &mut self.nodes[parent.index()];
            let spare = around.inner_width() - width;
            if is_out {
                (x, y) = (around.x, around.y);
            } else if beside {
                if around.next.0 + width > around.x + around.width + 1.0 && around.next.0 > around.content_left() {
                    around.next = (around.content_left(), around.row_end);
                }
                (x, y) = around.next;
                around.next.0 += width;
                around.row_end = around.row_end.max(y + outer_height);
            } else {
                let is_centred = style.get(Longhand::MarginLeft) == "auto";
                x = around.content_left() + if is_centred { spare.max(0.0) / 2.0 } else { 0.0 };
                y = around.row_end;
                around.row_end += outer_height;
                around.next = (around.content_left(), around.row_end);
            }
        }
        let own = &mut self.nodes[node.index()];
        (own.x, own.y) = (x, y);
        own.row_end = y + px(style.get(Longhand::PaddingTop)).unwrap_or(0.0);
        own.next = (own.content_left(), own.row_end);
    }
}

impl BoxNode {
    fn inner_width(&self) -> f64 {
        (self.width - self.style.as_deref().map_or(0.0, horizontal_padding)).max(0.0)
    }

    fn content_left(&self) -> f64 {
        self.x + self.style.as_deref().and_then(|style| px(style.get(Longhand::PaddingLeft))).unwrap_or(0.0)
    }

    /// Returns true if a child is placed beside the previous one, not below.
    fn places_in_row(&self, child: &Self) -> bool {
        self.is_row || child.flow != FlowDirection::Block
    }
}

fn flow(style: &ComputedStyle) -> FlowDirection {
    if style.is_absolutely_positioned() {
        return FlowDirection::Out;
    }
    match style.display() {
        Display::Contents => FlowDirection::Inline,
        Display::TableCell => FlowDirection::Shrunk,
        display if display.is_atomic_inline() || style.is_floating() => FlowDirection::Shrunk,
        display if display.is_inline_level() => FlowDirection::Inline,
        _ => FlowDirection::Block,
    }
}

fn is_row(style: &ComputedStyle) -> bool {
    match style.display() {
        Display::Flex | Display::InlineFlex => style.flex_direction().is_row(),
        Display::Grid | Display::InlineGrid | Display::TableRow => true,
        _ => false,
    }
}

/// Returns the number of columns of a row with `children` children.
fn columns_of(style: &ComputedStyle, children: usize) -> usize {
    let template = style.get(Longhand::GridTemplateColumns);
    let columns = match template.strip_prefix("repeat(").and_then(|rest| rest.split(',').next()) {
        Some(count) => count.trim().parse().unwrap_or(3),
        None if template == "none" => usize::from(style.display().is_grid_container()),
        None => template.split_whitespace().count(),
    };
    if columns == 0 { children.max(1) } else { columns.min(children.max(1)) }
}

fn px(value: &str) -> Option<f64> {
    value.strip_suffix("px")?.parse().ok()
}

/// Returns a length; percentages are of `whole`.
fn length(style: &ComputedStyle, longhand: Longhand, whole: f64) -> Option<f64> {
    let value = style.get(longhand);
    px(value).or_else(|| Some(value.strip_suffix('%')?.parse::<f64>().ok()? / 100.0 * whole))
}

fn sum(style: &ComputedStyle, longhands: [Longhand; 2]) -> f64 {
    longhands.iter().filter_map(|longhand| px(style.get(*longhand))).map(|length| length.max(0.0)).sum()
}

fn horizontal_padding(style: &ComputedStyle) -> f64 {
    sum(style, [Longhand::PaddingLeft, Longhand::PaddingRight])
}

fn vertical_padding(style: &ComputedStyle) -> f64 {
    sum(style, [Longhand::PaddingTop, Longhand::PaddingBottom])
}

fn vertical_margin(style: &ComputedStyle) -> f64 {
    sum(style, [Longhand::MarginTop, Longhand::MarginBottom])
}

fn line_height(style: &ComputedStyle) -> f64 {
    style.value("line-height").as_deref().and_then(px).unwrap_or(style.font_size() * 1.2)
}

/// Returns the specified width: of the style, else of the attribute of a replaced element.
fn declared_width(element: &Element, style: &ComputedStyle, available: Option<f64>) -> Option<f64> {
    let by_style = match available {
        Some(available) => length(style, Longhand::Width, available),
        None => px(style.get(Longhand::Width)),
    };
    by_style.or_else(|| replaced(element, "width"))
}

fn declared_height(element: &Element, style: &ComputedStyle) -> Option<f64> {
    px(style.get(Longhand::Height)).or_else(|| replaced(element, "height"))
}

fn replaced(element: &Element, name: &str) -> Option<f64> {
    element.attr(name).filter(|_| element.is_replaced())?.trim().trim_end_matches("px").parse().ok()
}

/// Returns true if an out-of-flow box is pinned to both edges.
fn is_stretched(style: &ComputedStyle, one: Longhand, other: Longhand) -> bool {
    style.get(one) == "0px" && style.get(other) == "0px"
}
