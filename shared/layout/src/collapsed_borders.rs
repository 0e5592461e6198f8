//! Collapsed borders of tables (CSS 2, section 17.6.2): neighbours share a border, half of which is inside each of
//! them.
//!
//! The engine only supports one border for a whole table, so each cell gets its half as padding.

use limner_page::dom::FlatTree;
use limner_page::{Document, NodeId};
use limner_style::computed::{BorderCollapse, Display};
use limner_style::property::Longhand;
use limner_style::{ComputedStyle, Styles};
use std::collections::HashMap;

/// Maximum number of slots in a table's grid; larger tables keep separate borders.
const MAX_GRID_SLOTS: usize = 200_000;

/// Widths at the top, right, bottom and left, in CSS pixels.
type Edges = [f32; 4];

/// The tables of a page whose borders collapse.
#[derive(Debug, Default)]
pub(crate) struct CollapsedBorders {
    halves: HashMap<NodeId, Edges>,
}

/// The grid of one table: for each row, the cell in each column.
#[derive(Debug, Default)]
struct TableGrid {
    cells: Vec<TableCell>,
    rows: Vec<Vec<Option<usize>>>,
    /// The edges that rows and row groups add to each row.
    row_edges: Vec<Edges>,
    slots: usize,
}

#[derive(Debug)]
struct TableCell {
    node: NodeId,
    edges: Edges,
    row: usize,
    column: usize,
    rows: usize,
    columns: usize,
}

impl CollapsedBorders {
    /// Returns additional declarations for a table or a cell with that style; those of cells are known after
    /// [`Self::table`] was called for their table. They are paddings, since the engine rounds borders to whole pixels.
    pub(crate) fn declarations(&self, node: NodeId, style: &ComputedStyle) -> Option<String> {
        const PADDINGS: [Longhand; 4] =
            [Longhand::PaddingTop, Longhand::PaddingRight, Longhand::PaddingBottom, Longhand::PaddingLeft];
        let halves = self.halves.get(&node)?;
        let is_cell = style.display() == Display::TableCell;
        let padding = |(longhand, half): (Longhand, &f32)| {
            // Tables with collapsed borders have no padding.
            let own = if is_cell { style.get(longhand) } else { "0px" };
            format!("{}:calc({own} + {half}px);", longhand.name())
        };
        let paddings: String = PADDINGS.into_iter().zip(halves).map(padding).collect();
        Some(format!("border:0 none;{paddings}"))
    }

    /// Computes the borders of a table with that style, if they collapse.
    pub(crate) fn table(
        &mut self,
        document: &Document,
        flat: &FlatTree,
        styles: &mut Styles<'_>,
        table: NodeId,
        style: &ComputedStyle,
    ) {
        if style.border_collapse() != BorderCollapse::Collapse {
            return;
        }
        let Some(grid) = TableGrid::from_table(document, flat, styles, table) else { return };
        let own = edges(style);
        let mut outer = [0.0; 4];
        for cell in &grid.cells {
            let whole = grid.collapsed(cell, own);
            let at_edge = [
                cell.row == 0,
                cell.column + cell.columns >= grid.columns(),
                cell.row + cell.rows >= grid.rows.len(),
                cell.column == 0,
            ];
            for side in 0..4 {
                if at_edge[side] {
                    outer[side] = f32::max(outer[side], whole[side]);
                }
            }
            self.halves.insert(cell.node, whole.map(|width| width / 2.0));
        }
        let outer = if grid.cells.is_empty() { own } else { outer };
        self.halves.insert(table, outer.map(|width| width / 2.0));
    }
}

impl TableGrid {
    fn from_table(document: &Document, flat: &FlatTree, styles: &mut Styles<'_>, table: NodeId) -> Option<Self> {
        let mut grid = Self::default();
        let mut groups: [Vec<(Vec<NodeId>, Edges)>; 3] = Default::default();
        for child in flat.children(document, table) {
            let Some(style) = styles.get(child).filter(|_| document.element(child).is_some()) else { continue };
            let order = match style.display() {
                Display::TableHeaderGroup => 0,
                Display::TableFooterGroup => 2,
                Display::TableRowGroup => 1,
                Display::TableRow => {
                    groups[1].push((vec![child], [0.0; 4]));
                    continue;
                }
                _ => continue,
            };
            groups[order].push((flat.children(document, child), edges(&style)));
        }
        for (rows, around) in groups.into_iter().flatten() {
            grid.group(document, flat, styles, &rows, around)?;
        }
        Some(grid)
    }

    fn group(
        &mut self,
        document: &Document,
        flat: &FlatTree,
        styles: &mut Styles<'_>,
        rows: &[NodeId],
        group: Edges,
    ) -> Option<()> {
        let first = self.row_edges.len();
        let mut used = first;
        for row in rows {
            let Some(style) = styles.get(*row).filter(|_| document.element(*row).is_some()) else { continue };
            if style.display() != Display::TableRow {
                continue;
            }
            let mut around = edges(&style);
            around[1] = around[1].max(group[1]);
            around[3] = around[3].max(group[3]);
            self.row_edges.push(around);
            for cell in flat.children(document, *row) {
                let Some(style) = styles.get(cell) else { continue };
                if document.element(cell).is_some() && style.display() == Display::TableCell {
                    self.place(document, cell, used, &style)?;
                }
            }
            used += 1;
        }
        // Cells end with their group.
        self.rows.truncate(used);
        self.rows.resize_with(used, Vec::new);
        for cell in &mut self.cells {
            cell.rows = cell.rows.min(used.saturating_sub(cell.row)).max(1);
        }
        if used > first {
            self.row_edges[first][0] = self.row_edges[first][0].max(group[0]);
            self.row_edges[used - 1][2] = self.row_edges[used - 1][2].max(group[2]);
        }
        Some(())
    }

    /// Places a cell in the first free slots (HTML, "algorithm for processing rows").
    fn place(&mut self, document: &Document, node: NodeId, row: usize, style: &ComputedStyle) -> Option<()> {
        let span = |name: &str, most: usize| {
            let given = document.element(node).and_then(|element| element.attr(name)?.trim().parse::<usize>().ok());
            given.unwrap_or(1).clamp(1, most)
        };
        let (columns, rows) = (span("colspan", 1_000), span("rowspan", 2_000));
        if self.rows.len() < row + rows {
            self.rows.resize_with(row + rows, Vec::new);
        }
        let own = &self.rows[row];
        let column = (0..).find(|column| own.get(*column).is_none_or(Option::is_none))?;
        self.slots += rows * (column + columns);
        if self.slots > MAX_GRID_SLOTS {
            return None;
        }
        let number = self.cells.len();
        for line in &mut self.rows[row..row + rows] {
            if line.len() < column + columns {
                line.resize(column + columns, None);
            }
            line[column..column + columns].fill(Some(number));
        }
        self.cells.push(TableCell { node, edges: edges(style), row, column, rows, columns });
        Some(())
    }

    fn columns(&self) -> usize {
        self.rows.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// Returns the widest border on `side` among the cells in the given slots.
    fn widest_adjacent_border(&self, places: impl Iterator<Item = (usize, usize)>, side: usize) -> f32 {
        let cells = places.filter_map(|(row, column)| *self.rows.get(row)?.get(column)?);
        cells.map(|cell| self.cells[cell].edges[side]).fold(0.0, f32::max)
    }

    /// Returns the used borders of a cell, each shared with the neighbour on that side.
    fn collapsed(&self, cell: &TableCell, table: Edges) -> Edges {
        let [mut top, mut right, mut bottom, mut left] = cell.edges;
        let (rows, columns) = (cell.row..cell.row + cell.rows, cell.column..cell.column + cell.columns);
        let around = |row: usize, side: usize| self.row_edges.get(row).map_or(0.0, |around| around[side]);
        let last = rows.end - 1;
        top = top.max(around(cell.row, 0));
        bottom = bottom.max(around(last, 2));
        match cell.row.checked_sub(1) {
            Some(above) => {
                let other = self.widest_adjacent_border(columns.clone().map(|column| (above, column)), 2);
                top = top.max(other).max(around(above, 2));
            }
            None => top = top.max(table[0]),
        }
        if rows.end < self.rows.len() {
            let other = self.widest_adjacent_border(columns.clone().map(|column| (rows.end, column)), 0);
            bottom = bottom.max(other).max(around(rows.end, 0));
        } else {
            bottom = bottom.max(table[2]);
        }
        match cell.column.checked_sub(1) {
            Some(before) => left = left.max(self.widest_adjacent_border(rows.clone().map(|row| (row, before)), 1)),
            None => left = left.max(table[3]).max(around(cell.row, 3)),
        }
        if columns.end < self.columns() {
            right = right.max(self.widest_adjacent_border(rows.map(|row| (row, columns.end)), 3));
        } else {
            right = right.max(table[1]).max(around(cell.row, 1));
        }
        [top, right, bottom, left]
    }
}

/// Returns the used widths of a box's borders.
fn edges(style: &ComputedStyle) -> Edges {
    use Longhand as L;
    let px = |longhand| style.get(longhand).strip_suffix("px").and_then(|px| px.parse::<f32>().ok()).unwrap_or(0.0);
    [L::BorderTopWidth, L::BorderRightWidth, L::BorderBottomWidth, L::BorderLeftWidth].map(px)
}
