//! Multi-column layout (Multicol 1), which the engine lacks.
//!
//! Column content is first laid out as one column. This shows the possible breaks, the height that columns need to hold
//! the content, and the column of each box: boxes are moved there when they are read.

use limner_page::NodeId;
use limner_style::ComputedStyle;
use limner_style::computed::Direction;
use limner_style::layout::Rect;
use limner_style::property::Longhand;
use std::collections::HashMap;

/// Maximum number of columns side by side, and of attempts to balance them.
const MAX_COLUMNS: f32 = 1_000.0;
const MAX_ATTEMPTS: usize = 1_000;
/// Tolerance within which lengths are equal.
const LENGTH_TOLERANCE: f32 = 0.02;

/// The content between two spanning elements, laid out as one column.
#[derive(Debug)]
pub(crate) struct ColumnFlow {
    pub(crate) container: NodeId,
    pub(crate) index: usize,
    pub(crate) height: f32,
    /// Extents from top to bottom: of content that must not be broken, and of all content without margins.
    pub(crate) unbreakable: Vec<(f32, f32)>,
    pub(crate) solid: Vec<(f32, f32)>,
}

impl ColumnFlow {
    pub(crate) fn new(container: NodeId, index: usize) -> Self {
        Self { container, index, height: 0.0, unbreakable: Vec::new(), solid: Vec::new() }
    }
}

/// A flow broken into columns.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Fragments {
    /// Start of each column in the flow.
    pub(crate) starts: Vec<f32>,
    pub(crate) height: f32,
    /// Distance from one column to the next.
    pub(crate) step: f32,
}

impl Fragments {
    /// Returns the bounding box of all fragments of a box in the flow, whose corner is at `origin`.
    pub(crate) fn bounding_rect(&self, rect: Rect, origin: (f32, f32)) -> Rect {
        let (top, bottom) = (rect.y - origin.1, rect.y - origin.1 + rect.height);
        let column = |y: f32| self.starts.iter().rposition(|start| *start <= y + LENGTH_TOLERANCE).unwrap_or(0);
        let first = column(top);
        let last = column((bottom - 2.0 * LENGTH_TOLERANCE).max(top)).max(first);
        #[allow(clippy::cast_precision_loss, reason = "there are few columns")]
        let (along, across) = (first as f32 * self.step, (last - first) as f32 * self.step);
        let x = rect.x + along.min(along + across);
        if first == last {
            return Rect { x, y: rect.y - self.starts[first], ..rect };
        }
        let height = self.height.max(bottom - self.starts[last]);
        Rect { x, y: origin.1, width: rect.width + across.abs(), height }
    }
}

/// The column widths of a container.
#[derive(Debug, Clone)]
pub(crate) struct ColumnPlan {
    count: usize,
    pub(crate) width: f32,
    /// Distance from one column to the next; negative from right to left.
    step: f32,
    /// Maximum height of the columns, if there is one.
    max_height: Option<f32>,
    fills: bool,
}

/// The containers of a page.
#[derive(Debug, Default)]
pub(crate) struct Multicol {
    pub(crate) containers: Vec<NodeId>,
    plans: HashMap<NodeId, ColumnPlan>,
    fragments: HashMap<(NodeId, usize), Fragments>,
    is_broken: bool,
}

impl Multicol {
    /// Plans the columns of a container of that inner width.
    pub(crate) fn plan(&mut self, node: NodeId, style: &ComputedStyle, inner: f32) {
        if let Some(plan) = ColumnPlan::from_style(style, inner) {
            self.plans.insert(node, plan);
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.plans.is_empty()
    }

    pub(crate) fn plan_of(&self, node: NodeId) -> Option<&ColumnPlan> {
        self.plans.get(&node)
    }

    pub(crate) fn fragments(&self, node: NodeId, index: usize) -> Option<&Fragments> {
        self.fragments.get(&(node, index))
    }

    /// Breaks flows into columns, once; returns true if there were any.
    pub(crate) fn break_flows(&mut self, flows: &[ColumnFlow]) -> bool {
        if self.is_broken || flows.is_empty() {
            return false;
        }
        self.is_broken = true;
        for flow in flows {
            if let Some(plan) = self.plans.get(&flow.container) {
                self.fragments.insert((flow.container, flow.index), plan.fragments(flow));
            }
        }
        true
    }
}

impl ColumnPlan {
    /// Computes the columns (section 3.4); returns `None` for a single column.
    fn from_style(style: &ComputedStyle, inner: f32) -> Option<Self> {
        let px = |longhand| style.get(longhand).strip_suffix("px").and_then(|px| px.parse::<f32>().ok());
        #[allow(clippy::cast_possible_truncation, reason = "font sizes are at most 10,000")]
        let gap = match style.get(Longhand::ColumnGap) {
            "normal" => style.font_size() as f32,
            given => match given.strip_suffix('%') {
                Some(percent) => inner * percent.parse::<f32>().ok()? / 100.0,
                None => px(Longhand::ColumnGap)?,
            },
        };
        let count: Option<f32> = style.get(Longhand::ColumnCount).parse().ok();
        let fitting = px(Longhand::ColumnWidth).map(|width| ((inner + gap) / (width + gap).max(1.0)).floor());
        let count = match (count, fitting) {
            (Some(count), Some(fitting)) => count.min(fitting),
            (count, fitting) => count.or(fitting)?,
        };
        let count = count.clamp(1.0, MAX_COLUMNS);
        let width = (inner + gap) / count - gap;
        if count < 2.0 || width <= 0.0 {
            return None;
        }
        let step = if style.direction() == Direction::Rtl { -(width + gap) } else { width + gap };
        let most = px(Longhand::Height).or_else(|| px(Longhand::MaxHeight));
        let fills = style.get(Longhand::ColumnFill) == "auto" && px(Longhand::Height).is_some();
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "within bounds")]
        Some(Self { count: count as usize, width, step, max_height: most, fills })
    }

    /// Balances the columns to the minimum height (section 7.1).
    fn fragments(&self, flow: &ColumnFlow) -> Fragments {
        #[allow(clippy::cast_precision_loss, reason = "there are few columns")]
        let even = flow.height / self.count as f32;
        let mut height = flow.unbreakable.iter().map(|(top, bottom)| bottom - top).fold(even, f32::max);
        if let (true, Some(most)) = (self.fills, self.max_height) {
            height = most;
        }
        let mut starts = Vec::new();
        for _ in 0..MAX_ATTEMPTS {
            height = self.max_height.map_or(height, |most| height.min(most));
            let (found, shortage) = columns(flow, height);
            starts = found;
            let is_limit = self.max_height.is_some_and(|most| height >= most);
            if starts.len() <= self.count || is_limit {
                break;
            }
            height += shortage.max(0.1);
        }
        Fragments { starts, height, step: self.step }
    }
}

/// Returns the starts of columns of that height, and the smallest increase in height with which a column holds more.
fn columns(flow: &ColumnFlow, height: f32) -> (Vec<f32>, f32) {
    let mut starts = vec![0.0];
    let mut shortage = f32::MAX;
    let mut start = 0.0;
    while start + height < flow.height - LENGTH_TOLERANCE && starts.len() < 10_000 {
        let end = start + height;
        let mut at = end;
        while let Some((top, bottom)) = flow
            .unbreakable
            .iter()
            .find(|(top, bottom)| *top < at - LENGTH_TOLERANCE && *bottom > at + LENGTH_TOLERANCE)
        {
            if *top <= start + LENGTH_TOLERANCE {
                // Higher than any column.
                at = *bottom;
                break;
            }
            shortage = shortage.min(bottom - end);
            at = *top;
        }
        // Margins collapse to zero at the top of a column.
        let is_margin =
            !flow.solid.iter().any(|(top, bottom)| *top <= at + LENGTH_TOLERANCE && *bottom > at + LENGTH_TOLERANCE);
        if is_margin {
            let next = flow.solid.iter().map(|(top, _)| *top).filter(|top| *top >= at).fold(f32::MAX, f32::min);
            if next == f32::MAX {
                break;
            }
            at = next;
        }
        if at <= start {
            break;
        }
        starts.push(at);
        start = at;
    }
    (starts, if shortage == f32::MAX { 1.0 } else { shortage })
}
