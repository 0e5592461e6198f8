//! The grid of a table (HTML, "forming a table"): the columns of each cell, and the specified widths of columns.

use crate::table_widths::SpecifiedWidth;
use limner_page::dom::FlatTree;
use limner_page::{Document, NodeId};
use limner_style::computed::Display;
use limner_style::property::Longhand;
use limner_style::selector::PseudoElement;
use limner_style::{ComputedStyle, Styles};

/// Maximum number of columns and of cells of a table that is measured.
const MAX_COLUMNS: usize = 100;
const MAX_CELLS: usize = 20_000;
/// Percentages that authors use for cells as narrow as possible.
const SMALL_SHARE: f64 = 5.0;

/// A cell, its first column, and the number of columns it spans.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct GridCell {
    pub(crate) node: NodeId,
    pub(crate) column: usize,
    pub(crate) span: usize,
}

#[derive(Debug, Default)]
pub(crate) struct CellGrid {
    pub(crate) cells: Vec<GridCell>,
    /// The specified width of each column.
    pub(crate) specified_widths: Vec<SpecifiedWidth>,
    /// For each column, the number of further rows that a cell from above spans.
    busy: Vec<usize>,
}

impl CellGrid {
    /// Returns the grid of a table; `None` if anonymous boxes replace missing parts, or if there are no cells.
    pub(crate) fn from_table(
        document: &Document,
        flat: &FlatTree,
        styles: &mut Styles<'_>,
        table: NodeId,
    ) -> Option<Self> {
        let mut reader = TableGridReader { document, flat, styles, grid: Self::default() };
        let parts = reader.parts(table);
        if !parts.iter().all(|(_, display)| is_table_part(*display)) {
            return None;
        }
        for (column, _) in parts.iter().filter(|(_, display)| is_column(*display)) {
            reader.column(*column);
        }
        let is_in = |section: Section, display: Display| Section::from_display(display) == Some(section);
        for section in [Section::Head, Section::Body, Section::Foot] {
            for (part, display) in parts.iter().filter(|(_, display)| is_in(section, *display)) {
                reader.section(*part, *display)?;
            }
        }
        let loose: Vec<NodeId> =
            parts.iter().filter(|(_, display)| *display == Display::TableCell).map(|(cell, _)| *cell).collect();
        reader.row(&loose)?;
        let grid = reader.grid;
        (!grid.cells.is_empty()).then_some(grid)
    }

    /// Places a cell into the first free columns of the current row.
    fn place(&mut self, node: NodeId, span: usize, rows: usize, from: usize) -> Option<usize> {
        let mut column = from;
        while self.busy.get(column).is_some_and(|rows| *rows > 0) {
            column += 1;
        }
        let end = column + span;
        if end > MAX_COLUMNS || self.cells.len() >= MAX_CELLS {
            return None;
        }
        if self.busy.len() < end {
            self.busy.resize(end, 0);
        }
        self.busy[column..end].fill(rows);
        if self.specified_widths.len() < end {
            self.specified_widths.resize(end, SpecifiedWidth::Auto);
        }
        self.cells.push(GridCell { node, column, span });
        Some(end)
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Section {
    Head,
    Body,
    Foot,
}

impl Section {
    fn from_display(display: Display) -> Option<Self> {
        match display {
            Display::TableHeaderGroup => Some(Self::Head),
            Display::TableRowGroup | Display::TableRow => Some(Self::Body),
            Display::TableFooterGroup => Some(Self::Foot),
            _ => None,
        }
    }
}

fn is_table_part(display: Display) -> bool {
    display.is_layout_internal() || display == Display::None
}

fn is_column(display: Display) -> bool {
    matches!(display, Display::TableColumn | Display::TableColumnGroup)
}

/// Returns the cells that are as narrow as possible in a table that fills its container without a width: it has cells
/// of small percentages next to anonymous cells, or percentages that leave nothing for others (CSS Tables 3, section
/// 4.3). `None` if the table is as wide as its contents.
pub(crate) fn filling(
    document: &Document,
    flat: &FlatTree,
    styles: &mut Styles<'_>,
    table: NodeId,
) -> Option<Vec<NodeId>> {
    let share = |style: &ComputedStyle| {
        let width = style.get(Longhand::Width).strip_suffix('%')?.parse::<f64>().ok()?;
        (style.display() == Display::TableCell && width > 0.0).then_some(width)
    };
    let generated = [PseudoElement::Before, PseudoElement::After];
    let generated = generated.map(|pseudo| share(&*styles.pseudo(table, pseudo)?));
    if let [Some(before), Some(after)] = generated
        && before + after >= 100.0
    {
        return Some(Vec::new());
    }
    let mut reader = TableGridReader { document, flat, styles, grid: CellGrid::default() };
    let parts = reader.parts(table);
    if parts.iter().all(|(_, display)| is_table_part(*display)) {
        return None;
    }
    let mut is_small = |part| share(&*reader.styles.get(part)?).filter(|share| *share <= SMALL_SHARE).map(|_| part);
    let small: Vec<NodeId> = parts.into_iter().filter_map(|(part, _)| is_small(part)).collect();
    (!small.is_empty()).then_some(small)
}

struct TableGridReader<'r, 'i> {
    document: &'r Document,
    flat: &'r FlatTree,
    styles: &'r mut Styles<'i>,
    grid: CellGrid,
}

impl TableGridReader<'_, '_> {
    /// Returns the child elements with their `display`, without those that are absolutely positioned.
    fn parts(&mut self, node: NodeId) -> Vec<(NodeId, Display)> {
        let children = self.flat.children(self.document, node);
        let elements = children.into_iter().filter(|child| self.document.element(*child).is_some());
        let parts = elements.filter_map(|child| {
            let style = self.styles.get(child)?;
            (!style.is_absolutely_positioned()).then(|| (child, style.display()))
        });
        parts.collect()
    }

    fn number(&self, node: NodeId, name: &str) -> usize {
        let given = self.document.element(node).and_then(|element| element.attr(name));
        given.and_then(|text| text.trim().parse::<usize>().ok()).unwrap_or(1).clamp(1, 1_000)
    }

    /// Reads a column or a column group.
    fn column(&mut self, node: NodeId) {
        let inner: Vec<NodeId> = self
            .parts(node)
            .into_iter()
            .filter(|(_, display)| *display == Display::TableColumn)
            .map(|(c, _)| c)
            .collect();
        if !inner.is_empty() {
            for column in inner {
                self.column(column);
            }
            return;
        }
        let wish =
            self.styles.get(node).and_then(|style| SpecifiedWidth::from_style(&style)).unwrap_or(SpecifiedWidth::Auto);
        let room = MAX_COLUMNS.saturating_sub(self.grid.specified_widths.len());
        let span = self.number(node, "span").min(room);
        self.grid.specified_widths.extend(std::iter::repeat_n(wish, span));
    }

    fn section(&mut self, node: NodeId, display: Display) -> Option<()> {
        if display == Display::TableRow {
            return self.read_row(node);
        }
        // No cell spans two row groups.
        self.grid.busy.fill(0);
        for (row, display) in self.parts(node) {
            match display {
                Display::TableRow => self.read_row(row)?,
                Display::None => {}
                _ => return None,
            }
        }
        self.grid.busy.fill(0);
        Some(())
    }

    fn read_row(&mut self, row: NodeId) -> Option<()> {
        let parts = self.parts(row);
        if !parts.iter().all(|(_, display)| matches!(display, Display::TableCell | Display::None)) {
            return None;
        }
        let cells: Vec<NodeId> =
            parts.into_iter().filter(|(_, display)| *display == Display::TableCell).map(|(cell, _)| cell).collect();
        self.row(&cells)
    }

    fn row(&mut self, cells: &[NodeId]) -> Option<()> {
        let mut next = 0;
        for cell in cells {
            let (span, rows) = (self.number(*cell, "colspan"), self.number(*cell, "rowspan"));
            let end = self.grid.place(*cell, span, rows, next)?;
            let style = self.styles.get(*cell)?;
            if span == 1 {
                let wish = self.grid.specified_widths[end - 1];
                self.grid.specified_widths[end - 1] = wish.combine(SpecifiedWidth::from_style(&style)?);
            }
            next = end;
        }
        self.grid.busy.iter_mut().for_each(|rows| *rows = rows.saturating_sub(1));
        Some(())
    }
}
