//! The grid of a table (HTML, "forming a table"): which cell is in which columns, and how wide their authors want these.

use crate::table_widths::Wish;
use limner_page::dom::FlatTree;
use limner_page::{Document, NodeId};
use limner_style::property::Longhand;
use limner_style::selector::PseudoElement;
use limner_style::{ComputedStyle, Styles};

/// Most columns of a table that is measured, and most cells.
const MAX_COLUMNS: usize = 100;
const MAX_CELLS: usize = 20_000;
/// Percentages by which authors say that a cell is as narrow as can be.
const SMALL_SHARE: f64 = 5.0;

/// A cell, the first of its columns, and how many they are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Cell {
    pub(crate) node: NodeId,
    pub(crate) column: usize,
    pub(crate) span: usize,
}

#[derive(Debug, Default)]
pub(crate) struct Grid {
    pub(crate) cells: Vec<Cell>,
    /// What is asked for each column.
    pub(crate) wishes: Vec<Wish>,
    /// By column: in how many more rows a cell from above is there.
    busy: Vec<usize>,
}

impl Grid {
    /// The grid of a table whose parts are all there; `None` where anonymous boxes take the place of some, and without cells.
    pub(crate) fn of(document: &Document, flat: &FlatTree, styles: &mut Styles<'_>, table: NodeId) -> Option<Self> {
        let mut reader = Reader { document, flat, styles, grid: Self::default() };
        let parts = reader.parts(table);
        if !parts.iter().all(|(_, display)| is_part(display)) {
            return None;
        }
        for (column, _) in parts.iter().filter(|(_, display)| display.starts_with("table-column")) {
            reader.column(*column);
        }
        let is_in = |section: Section, display: &str| Section::of(display) == Some(section);
        for section in [Section::Head, Section::Body, Section::Foot] {
            for (part, display) in parts.iter().filter(|(_, display)| is_in(section, display)) {
                reader.section(*part, display)?;
            }
        }
        let loose: Vec<NodeId> =
            parts.iter().filter(|(_, display)| display == "table-cell").map(|(cell, _)| *cell).collect();
        reader.row(&loose)?;
        let grid = reader.grid;
        (!grid.cells.is_empty()).then_some(grid)
    }

    /// A cell in the first free columns of the current row.
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
        if self.wishes.len() < end {
            self.wishes.resize(end, Wish::Auto);
        }
        self.cells.push(Cell { node, column, span });
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
    fn of(display: &str) -> Option<Self> {
        match display {
            "table-header-group" => Some(Self::Head),
            "table-row-group" | "table-row" => Some(Self::Body),
            "table-footer-group" => Some(Self::Foot),
            _ => None,
        }
    }
}

fn is_part(display: &str) -> bool {
    Section::of(display).is_some()
        || matches!(display, "table-cell" | "table-caption" | "table-column" | "table-column-group" | "none")
}

/// Cells that are as narrow as can be in a table without a width that is as wide as can be: it has cells of small shares beside
/// anonymous boxes that are other cells, or shares that leave nothing to others (CSS Tables 3, section 4.3). `None` when it
/// is as wide as its contents.
pub(crate) fn filling(
    document: &Document,
    flat: &FlatTree,
    styles: &mut Styles<'_>,
    table: NodeId,
) -> Option<Vec<NodeId>> {
    let share = |style: &ComputedStyle| {
        let width = style.get(Longhand::Width).strip_suffix('%')?.parse::<f64>().ok()?;
        (style.get(Longhand::Display) == "table-cell" && width > 0.0).then_some(width)
    };
    let generated = [PseudoElement::Before, PseudoElement::After];
    let generated = generated.map(|pseudo| share(&*styles.pseudo(table, pseudo)?));
    if let [Some(before), Some(after)] = generated
        && before + after >= 100.0
    {
        return Some(Vec::new());
    }
    let mut reader = Reader { document, flat, styles, grid: Grid::default() };
    let parts = reader.parts(table);
    if parts.iter().all(|(_, display)| is_part(display)) {
        return None;
    }
    let mut is_small = |part| share(&*reader.styles.get(part)?).filter(|share| *share <= SMALL_SHARE).map(|_| part);
    let small: Vec<NodeId> = parts.into_iter().filter_map(|(part, _)| is_small(part)).collect();
    (!small.is_empty()).then_some(small)
}

struct Reader<'r, 'i> {
    document: &'r Document,
    flat: &'r FlatTree,
    styles: &'r mut Styles<'i>,
    grid: Grid,
}

impl Reader<'_, '_> {
    /// The elements inside of another, with how they are displayed; without those that are out of flow.
    fn parts(&mut self, node: NodeId) -> Vec<(NodeId, String)> {
        let children = self.flat.children(self.document, node);
        let elements = children.into_iter().filter(|child| self.document.element(*child).is_some());
        let parts = elements.filter_map(|child| {
            let style = self.styles.get(child)?;
            let is_aside = matches!(style.get(Longhand::Position), "absolute" | "fixed");
            (!is_aside).then(|| (child, style.get(Longhand::Display).to_owned()))
        });
        parts.collect()
    }

    fn number(&self, node: NodeId, name: &str) -> usize {
        let given = self.document.element(node).and_then(|element| element.attr(name));
        given.and_then(|text| text.trim().parse::<usize>().ok()).unwrap_or(1).clamp(1, 1_000)
    }

    /// A column or a group of them.
    fn column(&mut self, node: NodeId) {
        let inner: Vec<NodeId> =
            self.parts(node).into_iter().filter(|(_, display)| display == "table-column").map(|(c, _)| c).collect();
        if !inner.is_empty() {
            for column in inner {
                self.column(column);
            }
            return;
        }
        let wish = self.styles.get(node).and_then(|style| Wish::of(&style)).unwrap_or(Wish::Auto);
        let room = MAX_COLUMNS.saturating_sub(self.grid.wishes.len());
        let span = self.number(node, "span").min(room);
        self.grid.wishes.extend(std::iter::repeat_n(wish, span));
    }

    fn section(&mut self, node: NodeId, display: &str) -> Option<()> {
        if display == "table-row" {
            return self.row_of(node);
        }
        // No cell is in two groups of rows.
        self.grid.busy.fill(0);
        for (row, display) in self.parts(node) {
            match display.as_str() {
                "table-row" => self.row_of(row)?,
                "none" => {}
                _ => return None,
            }
        }
        self.grid.busy.fill(0);
        Some(())
    }

    fn row_of(&mut self, row: NodeId) -> Option<()> {
        let parts = self.parts(row);
        if !parts.iter().all(|(_, display)| matches!(display.as_str(), "table-cell" | "none")) {
            return None;
        }
        let cells: Vec<NodeId> =
            parts.into_iter().filter(|(_, display)| display == "table-cell").map(|(cell, _)| cell).collect();
        self.row(&cells)
    }

    fn row(&mut self, cells: &[NodeId]) -> Option<()> {
        let mut next = 0;
        for cell in cells {
            let (span, rows) = (self.number(*cell, "colspan"), self.number(*cell, "rowspan"));
            let end = self.grid.place(*cell, span, rows, next)?;
            let style = self.styles.get(*cell)?;
            if span == 1 {
                let wish = self.grid.wishes[end - 1];
                self.grid.wishes[end - 1] = wish.or(Wish::of(&style)?);
            }
            next = end;
        }
        self.grid.busy.iter_mut().for_each(|rows| *rows = rows.saturating_sub(1));
        Some(())
    }
}
