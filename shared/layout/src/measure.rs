//! Measuring passes before the final layout of a page.
//!
//! *Columns of tables* (CSS 2, section 17.5.2.2): browsers distribute the width in proportion to the contents, the
//! engine evenly. Tables are therefore first laid out as wide as their contents, then, if these don't fit, as narrow as
//! possible; both give the widths of the columns. Tables whose available width depends on themselves, and nested
//! tables, are measured after the page was laid out: they keep the width that the engine gave them.
//!
//! *`content-visibility: auto`* (Containment 2, section 4.2): elements far below the viewport have the height in
//! `contain-intrinsic-size` until they are scrolled into view. Their positions are known after the first layout.
//!
//! *Columns of text* are as wide as their container allows, and as high as their contents require.
//!
//! *Floats as wide as their container* (CSS 2, section 9.5): no line fits beside them, so lines begin below. The engine
//! squeezes words in, unless the following content clears the float.
//!
//! *Inline blocks of several lines* (CSS 2, section 10.8.1) are aligned by their last line, in the engine by their
//! first. The distance is known after layout, and so are *boxes wider than their line*.

use crate::baselines::BaselineShift;
use crate::multicol::Multicol;
use crate::read_boxes::MeasuredBoxes;
use crate::table_grid::{self, CellGrid, GridCell};
use crate::table_widths::{self, SpanningCell, SpecifiedWidth, horizontal_edges, px};
use limner_page::dom::{Element, FlatTree};
use limner_page::{Document, NodeId};
use limner_style::computed::{BorderCollapse, BoxSizing, ContentVisibility, Display, TableLayout};
use limner_style::property::Longhand;
use limner_style::{ComputedStyle, Styles};
use std::collections::{HashMap, HashSet};

/// Maximum number of tables of a page that are measured.
const MAX_TABLES: usize = 500;
/// Maximum number of boxes of a page that is laid out again for its deferred tables.
const MAX_BOXES_AGAIN: usize = 8_000;
/// Maximum number of floats that are checked.
const MAX_FLOATS: usize = 5_000;
/// Space beside a float into which hardly any word fits, in em.
const MIN_ROOM_BESIDE_FLOAT: f32 = 1.0;
/// Distance below the viewport up to which skippable content is laid out, in heights of the viewport: as in Chromium.
const MARGIN: f32 = 1.5;
/// Maximum number of boxes of a page that is laid out again for boxes on lines.
const MAX_BOXES_ON_LINES: usize = 20_000;
/// Maximum number of passes for boxes on lines that contain others.
const MAX_ROUNDS: usize = 2;

/// Margin for out-of-flow measuring: gives all text space in one line.
macro_rules! roomy {
    () => {
        "margin-right:-100000px;"
    };
}
const ROOMY: &str = roomy!();

/// A table whose columns are measured.
#[derive(Debug)]
struct MeasuredTable {
    table: NodeId,
    grid: CellGrid,
    /// Max-content widths of the columns, and of the spanning cells.
    widest: ColumnWidths,
    /// The width available for all columns.
    available_width: f32,
    min_width: f32,
    kind: TableKind,
    /// The table's width besides its columns, and the part of it between two columns.
    outer_width: f32,
    gap: f32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TableKind {
    /// The table is as wide as its columns while they fit.
    Shrinks,
    /// The table has its specified width.
    Declared,
    /// The table keeps the width that the engine gave it.
    Laid,
}

/// Widths of the columns of a table, and of its spanning cells.
#[derive(Debug, Default)]
struct ColumnWidths {
    columns: Vec<f32>,
    spanning: Vec<SpanningCell>,
}

/// The purpose of a layout pass.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum MeasurePass {
    /// Tables are laid out at their max-content width.
    #[default]
    Widest,
    /// Tables that do not fit are laid out at their min-content width.
    Narrowest,
    Final,
    Done,
}

/// A table with known columns.
#[derive(Debug)]
struct ResolvedTable {
    columns: Vec<f32>,
    /// The table's width if it follows from the columns.
    width: Option<f32>,
}

/// The results of the passes so far.
#[derive(Debug, Default)]
pub(crate) struct Measurements {
    pass: MeasurePass,
    candidates: Vec<MeasuredTable>,
    /// Tables deferred until the page is laid out, and tables that contain others.
    deferred: Vec<(NodeId, CellGrid)>,
    outer_tables: HashSet<NodeId>,
    is_deferred_pass: bool,
    resolved: HashMap<NodeId, ResolvedTable>,
    resolved_cells: HashSet<NodeId>,
    /// Cells of small percentages in a table that fills its container.
    narrow: HashSet<NodeId>,
    /// Cells whose specified width is hidden while their columns are measured, and spanning cells.
    measured: HashSet<NodeId>,
    measured_separately: HashSet<NodeId>,
    /// Elements that may be skipped, and those that are.
    skippable: Vec<NodeId>,
    skipped: HashSet<NodeId>,
    /// Floats; elements that begin below floats without space beside them; and elements whose text does.
    floats: Vec<NodeId>,
    cleared: HashSet<NodeId>,
    text_below: HashSet<NodeId>,
    line_shifts: HashMap<NodeId, BaselineShift>,
    /// Boxes on lines, and the widths by which they exceed their lines.
    overflowing: HashMap<NodeId, f32>,
    /// Number of passes after which boxes that contain others were checked.
    rounds: usize,
    multicol: Multicol,
}

impl Measurements {
    /// Returns additional declarations for a table with that style.
    pub(crate) fn table_declarations(
        &mut self,
        document: &Document,
        flat: &FlatTree,
        styles: &mut Styles<'_>,
        table: NodeId,
        style: &ComputedStyle,
    ) -> Option<String> {
        if let Some(settled) = self.resolved.get(&table) {
            let width =
                settled.width.map(|own| format!("box-sizing:border-box;width:{own}px;min-width:0;max-width:none;"));
            return Some(format!("table-layout:fixed;{}", width.unwrap_or_default()));
        }
        if self.pass == MeasurePass::Widest && !self.is_deferred_pass {
            self.consider(document, flat, styles, table, style);
        }
        let is_candidate = self.candidates.iter().any(|candidate| candidate.table == table);
        // Out of flow the table is as wide as its contents and widens no ancestor. The margin adds space, since the
        // engine wraps content wider than the viewport.
        match self.pass {
            MeasurePass::Widest if is_candidate => Some(format!(
                "table-layout:auto;position:absolute;left:0;right:auto;width:max-content;min-width:0;max-width:none;{ROOMY}"
            )),
            MeasurePass::Narrowest if is_candidate => {
                Some("table-layout:auto;position:absolute;left:0;right:auto;width:0;min-width:0;".to_owned())
            }
            // CSS 2, section 17.5.2.1: a table with `width: auto` never has fixed layout.
            _ if style.get(Longhand::Width) == "auto" => {
                let is_block = style.display() == Display::Table && is_in_block(document, styles, table);
                let narrow = if is_block { table_grid::filling(document, flat, styles, table) } else { None };
                let Some(narrow) = narrow else { return Some("table-layout:auto;".to_owned()) };
                self.narrow.extend(narrow);
                let margins = px(style, Longhand::MarginLeft) + px(style, Longhand::MarginRight);
                Some(format!("table-layout:auto;width:calc(100% - {margins}px);box-sizing:border-box;"))
            }
            _ => None,
        }
    }

    /// Makes a table a candidate now or later, if its columns depend on its contents.
    fn consider(
        &mut self,
        document: &Document,
        flat: &FlatTree,
        styles: &mut Styles<'_>,
        table: NodeId,
        style: &ComputedStyle,
    ) {
        let width = style.get(Longhand::Width);
        let around = ancestor_table(document, styles, table);
        self.outer_tables.extend(around);
        if style.table_layout() == TableLayout::Fixed && width != "auto" {
            return;
        }
        let Some(grid) = CellGrid::from_table(document, flat, styles, table) else { return };
        if self.candidates.len() + self.deferred.len() >= MAX_TABLES {
            return;
        }
        let is_known = width != "auto" || has_definite_available_width(document, styles, table);
        if around.is_some() || !is_known {
            self.deferred.push((table, grid));
            return;
        }
        let kind = if width == "auto" { TableKind::Shrinks } else { TableKind::Declared };
        self.measure(table, grid, kind);
    }

    fn measure(&mut self, table: NodeId, grid: CellGrid, kind: TableKind) {
        let is_apart = |cell: &&GridCell| cell.span > 1;
        self.measured.extend(grid.cells.iter().map(|cell| cell.node));
        self.measured_separately.extend(grid.cells.iter().filter(is_apart).map(|cell| cell.node));
        let widest = ColumnWidths::default();
        self.candidates.push(MeasuredTable {
            table,
            grid,
            widest,
            available_width: 0.0,
            min_width: 0.0,
            kind,
            outer_width: 0.0,
            gap: 0.0,
        });
    }

    /// Returns the widths of a table's columns, if they are known.
    pub(crate) fn column_widths(&self, table: NodeId) -> Option<&[f32]> {
        self.resolved.get(&table).map(|settled| &*settled.columns)
    }

    /// Returns additional declarations for a cell.
    pub(crate) fn cell_declarations(&self, cell: NodeId) -> Option<&'static str> {
        if self.resolved_cells.contains(&cell) {
            return Some("min-width:auto;max-width:none;");
        }
        let is_narrow = self.narrow.contains(&cell);
        let is_measured = self.is_measuring() && self.measured.contains(&cell);
        is_measured.then_some("width:auto;").or(is_narrow.then_some("width:max-content;"))
    }

    /// Returns declarations for a spanning cell that is measured separately, inside a placeholder cell.
    pub(crate) fn measure_separately(&self, cell: NodeId) -> Option<&'static str> {
        let is_apart =
            self.is_measuring() && self.measured_separately.contains(&cell) && !self.resolved_cells.contains(&cell);
        match self.pass {
            MeasurePass::Widest if is_apart => {
                Some(concat!("display:block;position:absolute;height:auto;width:max-content;", roomy!()))
            }
            MeasurePass::Narrowest if is_apart => {
                Some("display:block;position:absolute;height:auto;width:min-content;")
            }
            _ => None,
        }
    }

    fn is_measuring(&self) -> bool {
        matches!(self.pass, MeasurePass::Widest | MeasurePass::Narrowest)
    }

    /// Returns the height of an element whose contents are skipped, in CSS pixels.
    pub(crate) fn skipped_height(&mut self, node: NodeId, style: &ComputedStyle) -> Option<f32> {
        if style.content_visibility() != ContentVisibility::Auto {
            return None;
        }
        if self.pass == MeasurePass::Widest && !self.is_deferred_pass {
            self.skippable.push(node);
        }
        let height = style.get(Longhand::ContainIntrinsicHeight);
        let px = height.split(' ').find_map(|word| word.strip_suffix("px")?.parse().ok());
        self.skipped.contains(&node).then(|| px.unwrap_or(0.0))
    }

    /// Returns true if the last pass was the final layout.
    pub(crate) fn is_done(&self) -> bool {
        self.pass == MeasurePass::Done
    }

    /// Returns the multi-column containers.
    pub(crate) fn multicol(&self) -> &Multicol {
        &self.multicol
    }

    /// Returns additional declarations for any element because of floats.
    pub(crate) fn float_adjustments(&mut self, node: NodeId, style: &ComputedStyle) -> &'static str {
        let is_first = self.pass == MeasurePass::Widest && !self.is_deferred_pass;
        if is_first && style.is_floating() && self.floats.len() < MAX_FLOATS {
            self.floats.push(node);
        }
        if is_first && style.is_multi_column_container() {
            self.multicol.containers.push(node);
        }
        if self.cleared.contains(&node) { "clear:both;" } else { "" }
    }

    /// Returns true if the text of an element begins below the floats before it.
    pub(crate) fn is_text_below_floats(&self, node: NodeId) -> bool {
        self.text_below.contains(&node)
    }

    /// Returns declarations that correct the position of a box on its line.
    pub(crate) fn line_declarations(&self, node: NodeId, style: &ComputedStyle) -> String {
        let mut declarations = self.line_shifts.get(&node).map(|on_line| on_line.declarations()).unwrap_or_default();
        if let Some(excess) = self.overflowing.get(&node) {
            declarations.push_str(&format!("margin-right:{}px;", px(style, Longhand::MarginRight) - excess));
        }
        declarations
    }

    /// Derives the settings of the next pass from the boxes of this one.
    pub(crate) fn measured(mut self, document: &Document, styles: &mut Styles<'_>, boxes: &MeasuredBoxes) -> Self {
        match self.pass {
            MeasurePass::Widest => self.widest(document, styles, boxes),
            MeasurePass::Narrowest => self.narrowest(boxes),
            MeasurePass::Final => self.continue_deferred(styles, boxes),
            MeasurePass::Done => {}
        }
        self
    }

    fn widest(&mut self, document: &Document, styles: &mut Styles<'_>, boxes: &MeasuredBoxes) {
        let mut is_outdated = self.is_deferred_pass || !self.candidates.is_empty();
        if !self.is_deferred_pass {
            #[allow(clippy::cast_possible_truncation, reason = "CSS pixels of a viewport")]
            let near = styles.environment().height as f32 * (1.0 + MARGIN);
            let far = self.skippable.iter().filter(|node| boxes.boxes.get(**node).is_some_and(|rect| rect.y > near));
            self.skipped = far.copied().collect();
            for float in std::mem::take(&mut self.floats) {
                match float_without_room(document, styles, boxes, float) {
                    Some((node, true)) => self.text_below.insert(node),
                    Some((node, false)) => self.cleared.insert(node),
                    None => false,
                };
            }
            if boxes.boxes.by_node().iter().flatten().count() <= MAX_BOXES_ON_LINES {
                self.line_shifts = boxes.misplaced.iter().copied().collect();
                self.overflowing = boxes.overflowing.iter().copied().collect();
            }
            for container in std::mem::take(&mut self.multicol.containers) {
                if let (Some(style), Some(inner)) = (styles.get(container), boxes.inner_width(container)) {
                    self.multicol.plan(container, &style, inner);
                }
            }
            is_outdated |= !(self.skipped.is_empty() && self.cleared.is_empty() && self.text_below.is_empty());
            is_outdated |= !(self.line_shifts.is_empty() && self.overflowing.is_empty() && self.multicol.is_empty());
        }
        for mut candidate in std::mem::take(&mut self.candidates) {
            if candidate.kind != TableKind::Laid {
                let Some(()) = available_width(document, styles, boxes, &mut candidate) else { continue };
            }
            candidate.widest = widths(&candidate, boxes);
            let all = candidate.widest.columns.iter().sum::<f32>();
            let (fits, fills) = (all <= candidate.available_width, all >= candidate.min_width);
            let is_plain = candidate.grid.specified_widths.iter().all(|wish| *wish == SpecifiedWidth::Auto);
            let is_regular = candidate.widest.spanning.is_empty();
            if !fits || !is_plain || !is_regular {
                self.candidates.push(candidate);
            } else if candidate.kind != TableKind::Shrinks || !fills {
                let none = ColumnWidths { columns: vec![0.0; candidate.widest.columns.len()], spanning: Vec::new() };
                self.resolve_widths(candidate, none);
            }
        }
        self.pass = if !self.candidates.is_empty() {
            MeasurePass::Narrowest
        } else if is_outdated {
            MeasurePass::Final
        } else {
            self.continue_deferred(styles, boxes);
            self.pass
        };
    }

    fn narrowest(&mut self, boxes: &MeasuredBoxes) {
        for candidate in std::mem::take(&mut self.candidates) {
            let least = widths(&candidate, boxes);
            self.resolve_widths(candidate, least);
        }
        self.pass = MeasurePass::Final;
    }

    /// Continues with the deferred tables, without those that contain others, since they depend on these.
    fn continue_deferred(&mut self, styles: &mut Styles<'_>, boxes: &MeasuredBoxes) {
        if self.multicol.break_flows(&boxes.flows) || self.needs_another_line_pass(boxes) {
            self.pass = MeasurePass::Final;
            return;
        }
        self.pass = MeasurePass::Done;
        self.is_deferred_pass = true;
        if boxes.boxes.by_node().iter().flatten().count() > MAX_BOXES_AGAIN {
            return;
        }
        for (table, grid) in std::mem::take(&mut self.deferred) {
            if self.outer_tables.contains(&table) {
                continue;
            }
            self.measure(table, grid, TableKind::Laid);
            let Some(candidate) = self.candidates.last_mut() else { continue };
            match (boxes.width(table), non_column_width(styles, boxes, candidate)) {
                (Some(width), Some((around, gap))) if width > around => {
                    (candidate.available_width, candidate.outer_width, candidate.gap) = (width - around, around, gap);
                    self.pass = MeasurePass::Widest;
                }
                _ => drop(self.candidates.pop()),
            }
        }
    }

    /// Returns true if more boxes need a correction on their lines after those inside of them were corrected.
    fn needs_another_line_pass(&mut self, boxes: &MeasuredBoxes) -> bool {
        let known = self.line_shifts.len() + self.overflowing.len();
        if self.rounds < MAX_ROUNDS && known > 0 {
            self.rounds += 1;
            for (node, on_line) in &boxes.misplaced {
                self.line_shifts.entry(*node).or_insert(*on_line);
            }
            for (node, excess) in &boxes.overflowing {
                self.overflowing.entry(*node).or_insert(*excess);
            }
        }
        self.line_shifts.len() + self.overflowing.len() > known
    }

    fn resolve_widths(&mut self, candidate: MeasuredTable, least: ColumnWidths) {
        let MeasuredTable {
            table,
            grid,
            widest,
            available_width: room,
            min_width: at_least,
            kind,
            outer_width: around,
            ..
        } = candidate;
        let most =
            widest.columns.iter().zip(&least.columns).map(|(most, least)| most.max(*least)).collect::<Vec<f32>>();
        let single = table_widths::ColumnSizes {
            specified_widths: &grid.specified_widths,
            min_widths: &least.columns,
            widest: &most,
        };
        let narrowest = table_widths::widened(single, single.min_widths, least.spanning);
        let most = table_widths::widened(single, single.widest, widest.spanning);
        let columns = table_widths::ColumnSizes {
            specified_widths: &grid.specified_widths,
            min_widths: &narrowest,
            widest: &most,
        };
        let room = if kind == TableKind::Shrinks { room.min(columns.natural()).max(at_least) } else { room };
        let widths = columns.distribute(room);
        let used = widths.iter().sum::<f32>();
        let follows = kind != TableKind::Declared || used > room + 0.5;
        self.resolved_cells.extend(grid.cells.iter().map(|cell| cell.node));
        self.resolved.insert(table, ResolvedTable { columns: widths, width: follows.then_some(used + around) });
    }
}

/// Returns the block after a float without space beside it, or the descendant with its first text; true for the latter.
fn float_without_room(
    document: &Document,
    styles: &mut Styles<'_>,
    boxes: &MeasuredBoxes,
    float: NodeId,
) -> Option<(NodeId, bool)> {
    let container = document.parent(float)?;
    let style = styles.get(container)?;
    let inner = boxes.inner_width(container)?;
    let own = styles.get(float)?;
    let margins = px(&own, Longhand::MarginLeft) + px(&own, Longhand::MarginRight);
    let left = inner - boxes.width(float)? - margins;
    #[allow(clippy::cast_possible_truncation, reason = "font sizes are at most 10,000")]
    let word = MIN_ROOM_BESIDE_FLOAT * style.font_size() as f32;
    if inner <= 0.0 || left >= word {
        return None;
    }
    let mut after = document.child_elements(container).map(|(child, _)| child).skip_while(|child| *child != float);
    after.next();
    let next = after.find(|child| styles.get(*child).is_some_and(|style| style.display() != Display::None))?;
    let is_table = styles.get(next).is_some_and(|style| style.is_in_flow() && style.display() == Display::Table);
    let is_replaced = document.element(next).is_some_and(Element::is_replaced);
    if is_table || !is_in_flow(styles, next)? || is_replaced {
        return Some((next, false));
    }
    // Borders extend behind the float; the first text moves below.
    let mut at = next;
    loop {
        let mut inner = document.children(at).filter(|child| match document.text(*child) {
            Some(text) => !text.trim().is_empty(),
            None => styles.get(*child).is_some_and(|style| style.display() != Display::None),
        });
        let first = inner.next()?;
        if document.text(first).is_some() {
            return Some((at, true));
        }
        if is_in_flow(styles, first) != Some(true) {
            return Some((at, true));
        }
        at = first;
    }
}

/// Returns true for an in-flow block whose borders extend behind floats; `None` for elements that are not in-flow
/// blocks.
fn is_in_flow(styles: &mut Styles<'_>, node: NodeId) -> Option<bool> {
    let style = styles.get(node)?;
    let is_block = matches!(style.display(), Display::Block | Display::ListItem);
    (is_block && style.is_in_flow()).then_some(!style.overflow_x().scrolls())
}

/// Returns the measured widths of a table's columns and of its spanning cells.
fn widths(candidate: &MeasuredTable, boxes: &MeasuredBoxes) -> ColumnWidths {
    let mut widths = ColumnWidths { columns: vec![0.0; candidate.grid.specified_widths.len()], spanning: Vec::new() };
    for cell in &candidate.grid.cells {
        let Some(width) = boxes.width(cell.node) else { continue };
        if cell.span == 1 {
            widths.columns[cell.column] = width.max(widths.columns[cell.column]);
        } else {
            #[allow(clippy::cast_precision_loss, reason = "a table has few columns here")]
            let gaps = (cell.span - 1) as f32 * candidate.gap;
            widths.spanning.push(SpanningCell { column: cell.column, span: cell.span, width: width - gaps });
        }
    }
    widths
}

/// Returns the nearest table that contains a table.
fn ancestor_table(document: &Document, styles: &mut Styles<'_>, table: NodeId) -> Option<NodeId> {
    document.ancestors(table).find(|node| styles.get(*node).is_some_and(|style| style.display().is_table()))
}

/// Returns true if an element's parent is a block container.
fn is_in_block(document: &Document, styles: &mut Styles<'_>, node: NodeId) -> bool {
    let parent = document.parent(node).and_then(|parent| styles.get(parent));
    parent.is_some_and(|parent| parent.display().is_block_container())
}

/// Returns true if the space available to a table without a width does not depend on the table: all ancestors are
/// blocks.
fn has_definite_available_width(document: &Document, styles: &mut Styles<'_>, table: NodeId) -> bool {
    if !styles.get(table).is_some_and(|style| style.is_in_flow() && style.display() == Display::Table) {
        return false;
    }
    let mut ancestors = document.ancestors(table).filter(|node| document.element(*node).is_some());
    ancestors.all(|node| {
        styles.get(node).is_some_and(|style| {
            let is_block = style.display().is_block_container() && style.display().is_block_level();
            is_block && style.is_in_flow()
        })
    })
}

/// Returns the table's width besides its columns, and the part of it between two columns.
fn non_column_width(styles: &mut Styles<'_>, boxes: &MeasuredBoxes, candidate: &MeasuredTable) -> Option<(f32, f32)> {
    let own = styles.get(candidate.table)?;
    if own.border_collapse() == BorderCollapse::Collapse {
        // Half of the outermost borders, which may be those of cells.
        return Some((boxes.horizontal_edges(candidate.table), 0.0));
    }
    let gap: f32 = own.get(Longhand::BorderSpacing).split("px").next().and_then(|px| px.parse().ok()).unwrap_or(0.0);
    #[allow(clippy::cast_precision_loss, reason = "a table has few columns here")]
    let gaps = (candidate.grid.specified_widths.len() + 1) as f32 * gap;
    Some((horizontal_edges(&own) + gaps, gap))
}

/// Computes the width that is available for a table's columns, and the width besides them.
fn available_width(
    document: &Document,
    styles: &mut Styles<'_>,
    boxes: &MeasuredBoxes,
    candidate: &mut MeasuredTable,
) -> Option<()> {
    let (around, gap) = non_column_width(styles, boxes, candidate)?;
    let own = styles.get(candidate.table)?;
    let collapses = own.border_collapse() == BorderCollapse::Collapse;
    let beside = if own.box_sizing() == BoxSizing::BorderBox || collapses { 0.0 } else { horizontal_edges(&own) };
    let inner = document.parent(candidate.table).and_then(|container| boxes.inner_width(container));
    let length = |value: &str| -> Option<f32> {
        let share = |percent: &str| Some(inner? * percent.parse::<f32>().ok()? / 100.0);
        let length = value.strip_suffix("px").map_or_else(|| share(value.strip_suffix('%')?), |px| px.parse().ok());
        Some(length? + beside)
    };
    let width = if candidate.kind == TableKind::Shrinks {
        inner? - px(&own, Longhand::MarginLeft) - px(&own, Longhand::MarginRight)
    } else {
        length(own.get(Longhand::Width))?
    };
    let at_least = length(own.get(Longhand::MinWidth)).unwrap_or(0.0);
    let width = length(own.get(Longhand::MaxWidth)).map_or(width, |most| width.min(most)).max(at_least);
    (candidate.available_width, candidate.min_width) = (width - around, at_least - around);
    (candidate.outer_width, candidate.gap) = (around, gap);
    Some(())
}
