//! Columns of tables that are wider than what they hold (CSS 2, section 17.5.2.2).
//!
//! Browsers give what is left to the columns in proportion to their contents, the engine to all of them alike. So a page
//! with such tables is laid out twice: once with these tables as wide as their contents, to measure their columns, and
//! then with the widths that follow.

use limner_page::{Document, NodeId};
use limner_style::layout::Boxes;
use limner_style::property::Longhand;
use limner_style::{ComputedStyle, Styles};
use std::collections::{HashMap, HashSet};

/// Most tables of a page that are measured, and most columns of one.
const MAX_TABLES: usize = 500;
const MAX_COLUMNS: usize = 50;

/// A table whose columns are to be measured, and the cells of its first row.
#[derive(Debug)]
struct Candidate {
    table: NodeId,
    cells: Vec<NodeId>,
}

/// What to do with the tables of a page.
#[derive(Debug, Default)]
pub(crate) struct Columns {
    /// While measuring.
    candidates: Vec<Candidate>,
    /// When measured.
    shares: Option<Shares>,
}

/// Tables whose columns are known, and the share of each cell of their first rows in the width.
#[derive(Debug, Default)]
struct Shares {
    tables: HashSet<NodeId>,
    of_cells: HashMap<NodeId, f32>,
}

impl Columns {
    /// Declarations for a table with that style beside its own.
    pub(crate) fn of_table(
        &mut self,
        document: &Document,
        styles: &mut Styles<'_>,
        table: NodeId,
        style: &ComputedStyle,
    ) -> Option<&'static str> {
        if style.get(Longhand::Width) == "auto" || style.get(Longhand::TableLayout) == "fixed" {
            return None;
        }
        if let Some(shares) = &self.shares {
            return shares.tables.contains(&table).then_some("table-layout:fixed;");
        }
        let cells = regular_cells(document, table)?;
        let widths =
            cells.iter().map(|cell| styles.get(*cell).is_some_and(|style| style.get(Longhand::Width) != "auto"));
        let given = widths.filter(|is_given| *is_given).count();
        if given == cells.len() {
            // Contents hardly matter then, and the engine knows percentages of columns in fixed layout only.
            return Some("table-layout:fixed;");
        }
        if given > 0 || self.candidates.len() >= MAX_TABLES {
            return None;
        }
        self.candidates.push(Candidate { table, cells });
        // Out of flow it is as wide as its contents, and nothing around it is wider for it.
        Some("position:absolute;left:0;right:auto;width:auto;")
    }

    /// The width of a cell, where measuring says it.
    pub(crate) fn of_cell(&self, cell: NodeId) -> Option<f32> {
        self.shares.as_ref()?.of_cells.get(&cell).copied()
    }

    pub(crate) fn has_candidates(&self) -> bool {
        !self.candidates.is_empty()
    }

    /// What the boxes of the measuring layout say. Tables that are narrower than their contents are left to the engine.
    pub(crate) fn measured(self, document: &Document, styles: &mut Styles<'_>, boxes: &Boxes) -> Self {
        let mut shares = Shares::default();
        for Candidate { table, cells } in &self.candidates {
            let Some(room) = room(document, styles, boxes, *table) else { continue };
            let widths: Option<Vec<f32>> = cells.iter().map(|cell| Some(boxes.get(*cell)?.width)).collect();
            let Some(widths) = widths else { continue };
            let sum: f32 = widths.iter().sum();
            if sum <= 0.0 || sum > room {
                continue;
            }
            shares.tables.insert(*table);
            shares.of_cells.extend(cells.iter().copied().zip(widths.iter().map(|width| width / sum)));
        }
        Self { candidates: Vec::new(), shares: Some(shares) }
    }
}

/// The cells of the first row of a table whose rows all have as many, each as wide as one column.
fn regular_cells(document: &Document, table: NodeId) -> Option<Vec<NodeId>> {
    let is = |node: &NodeId, names: &[&str]| {
        document.element(*node).is_some_and(|element| names.iter().any(|name| element.is_html(name)))
    };
    let children = |node: NodeId| document.child_elements(node).map(|(child, _)| child);
    let rows = children(table).flat_map(|child| {
        let group = is(&child, &["thead", "tbody", "tfoot"]);
        let inner = group.then(|| children(child)).into_iter().flatten();
        inner.chain((!group).then_some(child))
    });
    let mut first: Option<Vec<NodeId>> = None;
    for row in rows.filter(|row| is(row, &["tr"])) {
        let cells: Vec<NodeId> = children(row).filter(|cell| is(cell, &["td", "th"])).take(MAX_COLUMNS + 1).collect();
        let spans = |cell: &NodeId| {
            let element = document.element(*cell);
            element.is_some_and(|element| element.attr("colspan").is_some_and(|span| span.trim() != "1"))
        };
        if cells.is_empty() || cells.len() > MAX_COLUMNS || cells.iter().any(spans) {
            return None;
        }
        if first.get_or_insert_with(|| cells.clone()).len() != cells.len() {
            return None;
        }
    }
    first
}

/// The width that a table declares, in its container.
fn room(document: &Document, styles: &mut Styles<'_>, boxes: &Boxes, table: NodeId) -> Option<f32> {
    let declared = styles.get(table)?.get(Longhand::Width).to_owned();
    if let Some(px) = declared.strip_suffix("px") {
        return px.parse().ok();
    }
    let share: f32 = declared.strip_suffix('%')?.parse().ok()?;
    let container = document.parent(table)?;
    let style = styles.get(container)?;
    let px = |longhand| style.get(longhand).strip_suffix("px").and_then(|px| px.parse::<f32>().ok()).unwrap_or(0.0);
    let edges = [Longhand::PaddingLeft, Longhand::PaddingRight, Longhand::BorderLeftWidth, Longhand::BorderRightWidth];
    let inner = boxes.get(container)?.width - edges.into_iter().map(px).sum::<f32>();
    Some(inner * share / 100.0)
}
