//! What is measured before a page is laid out for good.
//!
//! *Columns of tables* (CSS 2, section 17.5.2.2): browsers give them room in proportion to their contents, the engine to
//! all alike. So tables are first laid out as wide as their contents, then, where these don't fit, as narrow as they go;
//! their columns' widths follow from both.
//!
//! *`content-visibility: auto`* (Containment 2, section 4.2): what is far below the viewport is as high as
//! `contain-intrinsic-size` says until somebody scrolls there. Where things are is known once everything is laid out.
//!
//! *Floats as wide as what they are in* (CSS 2, section 9.5): no line fits beside them, so lines begin below. The engine
//! squeezes words in anyway, unless what follows clears them.

use crate::boxes::Measured;
use limner_page::dom::FlatTree;
use limner_page::{Document, NodeId};
use limner_style::property::Longhand;
use limner_style::{ComputedStyle, Styles};
use std::collections::{HashMap, HashSet};

/// Most tables of a page that are measured, and most columns of one.
const MAX_TABLES: usize = 500;
const MAX_COLUMNS: usize = 50;
/// Most floats that are looked at.
const MAX_FLOATS: usize = 5_000;
/// Room beside a float that hardly any word fits into, in em.
const HARDLY_ANY: f32 = 1.0;
/// How far below the viewport things are laid out that need not be, in heights of the viewport: as far as Chromium goes.
const MARGIN: f32 = 1.5;

/// A table whose columns are to be measured.
#[derive(Debug)]
struct Candidate {
    table: NodeId,
    /// The cells of its first row.
    cells: Vec<NodeId>,
    /// What their authors ask for.
    wishes: Vec<Wish>,
    /// Widths of the columns when nothing wraps.
    widest: Vec<f32>,
    /// What all columns together have or may have.
    room: f32,
    /// Whether the table is as wide as its columns as long as there is room.
    shrinks: bool,
    /// What the table has beside its columns.
    around: f32,
}

/// The declared width of a column.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Wish {
    Auto,
    /// With padding and border.
    Px(f32),
    /// Of the table's width, from 0 to 1.
    Share(f32),
}

/// What a layout is for.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Pass {
    /// Tables are as wide as their contents.
    #[default]
    Widest,
    /// Those that do not fit are as narrow as their contents.
    Narrowest,
    Final,
}

/// What was measured so far.
#[derive(Debug, Default)]
pub(crate) struct Columns {
    pass: Pass,
    candidates: Vec<Candidate>,
    /// Tables whose columns are known, with the width of those without one, and the widths of the cells of their first rows.
    tables: HashMap<NodeId, f32>,
    of_cells: HashMap<NodeId, f32>,
    /// Cells whose own width is not to be seen while their columns are measured.
    measured: HashSet<NodeId>,
    /// Elements that may be skipped, and those that are.
    skippable: Vec<NodeId>,
    skipped: HashSet<NodeId>,
    /// Floats, and the elements after those that leave no room.
    floats: Vec<NodeId>,
    cleared: HashSet<NodeId>,
    /// Whether the last pass is not what the page looks like.
    is_outdated: bool,
}

impl Columns {
    /// Declarations for a table with that style beside its own.
    pub(crate) fn of_table(
        &mut self,
        document: &Document,
        flat: &FlatTree,
        styles: &mut Styles<'_>,
        table: NodeId,
        style: &ComputedStyle,
    ) -> Option<String> {
        let width = style.get(Longhand::Width);
        if style.get(Longhand::TableLayout) == "fixed" && width != "auto" {
            return None;
        }
        let candidate = self.candidates.iter().position(|candidate| candidate.table == table);
        match self.pass {
            Pass::Final => {
                let own = self.tables.get(&table);
                return own.map(|own| match width {
                    "auto" => format!("table-layout:fixed;box-sizing:border-box;width:{own}px;"),
                    _ => "table-layout:fixed;".to_owned(),
                });
            }
            Pass::Narrowest => {
                return candidate.map(|_| "position:absolute;left:0;right:auto;width:0;min-width:0;".to_owned());
            }
            Pass::Widest => {}
        }
        let cells = regular_cells(document, flat, styles, table)?;
        let is_alone = width != "auto" || is_in_known_room(document, styles, table);
        if !is_alone || self.candidates.len() >= MAX_TABLES {
            return None;
        }
        let wishes =
            cells.iter().map(|cell| styles.get(*cell).and_then(|style| wish(&style))).collect::<Option<_>>()?;
        self.measured.extend(&cells);
        let (widest, room) = (Vec::new(), 0.0);
        self.candidates.push(Candidate { table, cells, wishes, widest, room, shrinks: width == "auto", around: 0.0 });
        // Out of flow it is as wide as its contents, and nothing around it is wider for it.
        Some("position:absolute;left:0;right:auto;width:max-content;".to_owned())
    }

    /// Declarations for a cell beside its own.
    pub(crate) fn of_cell(&self, cell: NodeId) -> Option<String> {
        if self.pass != Pass::Final {
            return self.measured.contains(&cell).then(|| "width:auto;".to_owned());
        }
        let width = self.of_cells.get(&cell)?;
        Some(format!("width:{width}px;min-width:auto;max-width:none;"))
    }

    /// The height of an element that stands for its contents, in CSS pixels.
    pub(crate) fn skipped(&mut self, node: NodeId, style: &ComputedStyle) -> Option<f32> {
        if style.get(Longhand::ContentVisibility) != "auto" {
            return None;
        }
        if self.pass == Pass::Widest {
            self.skippable.push(node);
        }
        let height = style.get(Longhand::ContainIntrinsicHeight);
        let px = height.split(' ').find_map(|word| word.strip_suffix("px")?.parse().ok());
        self.skipped.contains(&node).then(|| px.unwrap_or(0.0))
    }

    /// Whether there is nothing left to measure.
    pub(crate) fn is_final(&self) -> bool {
        self.pass == Pass::Final
    }

    /// Whether the page has to be laid out once more.
    pub(crate) fn is_outdated(&self) -> bool {
        self.is_outdated
    }

    /// Declarations for any element beside its own, for the sake of floats.
    pub(crate) fn beside_floats(&mut self, node: NodeId, style: &ComputedStyle) -> &'static str {
        if self.pass == Pass::Widest && style.get(Longhand::Float) != "none" && self.floats.len() < MAX_FLOATS {
            self.floats.push(node);
        }
        if self.cleared.contains(&node) { "clear:both;" } else { "" }
    }

    /// What follows from the boxes of this pass, for the next.
    pub(crate) fn measured(mut self, document: &Document, styles: &mut Styles<'_>, boxes: &Measured) -> Self {
        match self.pass {
            Pass::Widest => self.widest(document, styles, boxes),
            Pass::Narrowest => self.narrowest(boxes),
            Pass::Final => {}
        }
        self
    }

    fn widest(&mut self, document: &Document, styles: &mut Styles<'_>, boxes: &Measured) {
        #[allow(clippy::cast_possible_truncation, reason = "CSS pixels of a viewport")]
        let near = styles.environment().height as f32 * (1.0 + MARGIN);
        let far = self.skippable.iter().filter(|node| boxes.boxes.get(**node).is_some_and(|rect| rect.y > near));
        self.skipped = far.copied().collect();
        self.cleared = std::mem::take(&mut self.floats)
            .into_iter()
            .filter_map(|float| crowded_out(document, styles, boxes, float))
            .collect();
        self.is_outdated = !(self.candidates.is_empty() && self.skipped.is_empty() && self.cleared.is_empty());
        for mut candidate in std::mem::take(&mut self.candidates) {
            let Some((outer, around)) = room(document, styles, boxes, &candidate) else { continue };
            let Some(widths) = widths(&candidate.cells, boxes) else { continue };
            (candidate.widest, candidate.room, candidate.around) = (widths, outer - around, around);
            let fits = candidate.widest.iter().sum::<f32>() <= candidate.room;
            let is_plain = candidate.wishes.iter().all(|wish| *wish == Wish::Auto);
            if !fits || !is_plain {
                self.candidates.push(candidate);
            } else if !candidate.shrinks {
                let none = vec![0.0; candidate.widest.len()];
                self.settle(&candidate, &none);
            }
        }
        self.pass = if self.candidates.is_empty() { Pass::Final } else { Pass::Narrowest };
    }

    fn narrowest(&mut self, boxes: &Measured) {
        for candidate in std::mem::take(&mut self.candidates) {
            if let Some(least) = widths(&candidate.cells, boxes) {
                self.settle(&candidate, &least);
            }
        }
        self.pass = Pass::Final;
    }

    /// Tables that are narrower than the narrowest that they can be are left to the engine.
    fn settle(&mut self, candidate: &Candidate, least: &[f32]) {
        let Some(widths) = distribute(candidate, least) else { return };
        self.tables.insert(candidate.table, widths.iter().sum::<f32>() + candidate.around);
        self.of_cells.extend(candidate.cells.iter().copied().zip(widths));
    }
}

/// CSS Tables 3, section 4.5: widths between the narrowest and the widest that columns can have, by what they ask for.
fn distribute(candidate: &Candidate, least: &[f32]) -> Option<Vec<f32>> {
    let columns = || candidate.wishes.iter().zip(least).zip(&candidate.widest);
    let sum = |guess: &[f32]| guess.iter().sum::<f32>();
    let widest = |((wish, least), widest): ((&Wish, &f32), &f32), room: f32| match wish {
        Wish::Auto => widest.max(*least),
        Wish::Px(px) => px.max(*least),
        Wish::Share(share) => (share * room).max(*least),
    };
    let mut room = candidate.room;
    if candidate.shrinks {
        room = room.min(natural_width(candidate, least));
    }
    let guesses: [Vec<f32>; 4] = [
        least.to_vec(),
        columns()
            .map(|column| if let Wish::Share(_) = column.0.0 { widest(column, room) } else { *column.0.1 })
            .collect(),
        columns().map(|column| if *column.0.0 == Wish::Auto { *column.0.1 } else { widest(column, room) }).collect(),
        columns().map(|column| widest(column, room)).collect(),
    ];
    if room < sum(&guesses[0]) || sum(&guesses[3]) <= 0.0 {
        return None;
    }
    for pair in guesses.windows(2) {
        let (low, high) = (sum(&pair[0]), sum(&pair[1]));
        if room <= high {
            let share = if high > low { (room - low) / (high - low) } else { 0.0 };
            return Some(pair[0].iter().zip(&pair[1]).map(|(low, high)| low + (high - low) * share).collect());
        }
    }
    // More than enough: columns without a wish take what is left, else those with a length, else all.
    let takes = |kind: &dyn Fn(&Wish) -> bool| -> Vec<f32> {
        let weight = |(width, wish): (&f32, &Wish)| if kind(wish) { width.max(0.01) } else { 0.0 };
        guesses[3].iter().zip(&candidate.wishes).map(weight).collect()
    };
    let weights = [takes(&|wish| *wish == Wish::Auto), takes(&|wish| matches!(wish, Wish::Px(_))), takes(&|_| true)];
    let weights = weights.into_iter().find(|weights| sum(weights) > 0.0)?;
    let left = (room - sum(&guesses[3])) / sum(&weights);
    Some(guesses[3].iter().zip(&weights).map(|(width, weight)| width + left * weight).collect())
}

/// Section 4.4: the width of all columns of a table that is as wide as its contents.
fn natural_width(candidate: &Candidate, least: &[f32]) -> f32 {
    let (mut plain, mut shares, mut by_share) = (0.0_f32, 0.0_f32, 0.0_f32);
    for ((wish, least), widest) in candidate.wishes.iter().zip(least).zip(&candidate.widest) {
        match wish {
            Wish::Auto => plain += widest.max(*least),
            Wish::Px(px) => plain += px.max(*least),
            Wish::Share(share) => {
                shares += share;
                by_share = by_share.max(widest / share.max(0.001));
            }
        }
    }
    if shares <= 0.0 {
        return plain;
    }
    let rest = if shares < 1.0 {
        plain / (1.0 - shares)
    } else if plain > 0.0 {
        f32::MAX
    } else {
        0.0
    };
    by_share.max(rest)
}

/// What the author of a cell asks for.
fn wish(style: &ComputedStyle) -> Option<Wish> {
    let width = style.get(Longhand::Width);
    if let Some(percent) = width.strip_suffix('%') {
        let share: f32 = percent.parse().ok()?;
        return Some(if share > 0.0 { Wish::Share(share / 100.0) } else { Wish::Auto });
    }
    let Some(own) = width.strip_suffix("px").and_then(|px| px.parse::<f32>().ok()) else { return Some(Wish::Auto) };
    let edges = if style.get(Longhand::BoxSizing) == "border-box" { 0.0 } else { sides(style) };
    Some(Wish::Px(own + edges))
}

/// The block after a float that leaves no room in what it is in.
fn crowded_out(document: &Document, styles: &mut Styles<'_>, boxes: &Measured, float: NodeId) -> Option<NodeId> {
    let container = document.parent(float)?;
    let style = styles.get(container)?;
    let inner = boxes.inner_width(container)?;
    let own = styles.get(float)?;
    let margins = px(&own, Longhand::MarginLeft) + px(&own, Longhand::MarginRight);
    let left = inner - boxes.width(float)? - margins;
    #[allow(clippy::cast_possible_truncation, reason = "font sizes are at most 10,000")]
    let word = HARDLY_ANY * style.font_size() as f32;
    if inner <= 0.0 || left >= word {
        return None;
    }
    let mut after = document.child_elements(container).map(|(child, _)| child).skip_while(|child| *child != float);
    after.next();
    let next = after.find(|child| styles.get(*child).is_some_and(|style| style.get(Longhand::Display) != "none"))?;
    let style = styles.get(next)?;
    let is_block = matches!(style.get(Longhand::Display), "block" | "list-item");
    (is_block && style.get(Longhand::Float) == "none" && style.get(Longhand::Position) != "absolute").then_some(next)
}

/// The width of paddings and borders on both sides.
fn sides(style: &ComputedStyle) -> f32 {
    let edges = [Longhand::PaddingLeft, Longhand::PaddingRight, Longhand::BorderLeftWidth, Longhand::BorderRightWidth];
    edges.into_iter().map(|edge| px(style, edge)).sum()
}

fn px(style: &ComputedStyle, longhand: Longhand) -> f32 {
    style.get(longhand).strip_suffix("px").and_then(|px| px.parse().ok()).unwrap_or(0.0)
}

fn widths(cells: &[NodeId], boxes: &Measured) -> Option<Vec<f32>> {
    cells.iter().map(|cell| boxes.width(*cell)).collect()
}

/// The cells of the first row of a table whose rows all have as many, each as wide as one column.
fn regular_cells(document: &Document, flat: &FlatTree, styles: &mut Styles<'_>, table: NodeId) -> Option<Vec<NodeId>> {
    let mut parts = |node: NodeId| -> Vec<(NodeId, String)> {
        let children = flat.children(document, node).into_iter().filter(|child| document.element(*child).is_some());
        children.filter_map(|child| Some((child, styles.get(child)?.get(Longhand::Display).to_owned()))).collect()
    };
    let mut rows: Vec<Vec<(NodeId, String)>> = Vec::new();
    let mut loose: Vec<(NodeId, String)> = Vec::new();
    for (child, display) in parts(table) {
        match display.as_str() {
            "table-row" => rows.push(parts(child)),
            "table-row-group" | "table-header-group" | "table-footer-group" => {
                let inner = parts(child).into_iter().filter(|(_, display)| display == "table-row");
                rows.extend(inner.collect::<Vec<_>>().into_iter().map(|(row, _)| parts(row)));
            }
            "table-cell" => loose.push((child, display)),
            "table-caption" | "none" => {}
            // Columns have a say of their own.
            _ => return None,
        }
    }
    if !loose.is_empty() {
        // An anonymous row.
        rows.push(loose);
    }
    let mut first: Option<Vec<NodeId>> = None;
    for row in rows {
        let cells = row.iter().filter(|(_, display)| display == "table-cell").map(|(cell, _)| *cell);
        let cells: Vec<NodeId> = cells.take(MAX_COLUMNS + 1).collect();
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

/// Whether the room of a table without a width does not depend on the table: it is in blocks only.
fn is_in_known_room(document: &Document, styles: &mut Styles<'_>, table: NodeId) -> bool {
    let is_static = |style: &ComputedStyle| {
        style.get(Longhand::Float) == "none" && !matches!(style.get(Longhand::Position), "absolute" | "fixed")
    };
    if !styles.get(table).is_some_and(|style| is_static(&style) && style.get(Longhand::Display) == "table") {
        return false;
    }
    let mut ancestors = document.ancestors(table).filter(|node| document.element(*node).is_some());
    ancestors.all(|node| {
        styles.get(node).is_some_and(|style| {
            let is_block = matches!(style.get(Longhand::Display), "block" | "list-item" | "flow-root");
            is_block && is_static(&style)
        })
    })
}

/// The width that a table has or may take, and how much of it is not its columns'.
fn room(document: &Document, styles: &mut Styles<'_>, boxes: &Measured, candidate: &Candidate) -> Option<(f32, f32)> {
    let own = styles.get(candidate.table)?;
    let collapses = own.get(Longhand::BorderCollapse) == "collapse";
    let spacing: f32 =
        own.get(Longhand::BorderSpacing).split("px").next().and_then(|px| px.parse().ok()).unwrap_or(0.0);
    #[allow(clippy::cast_precision_loss, reason = "a table has at most fifty columns here")]
    let gaps = (candidate.cells.len() + 1) as f32 * spacing;
    let around = if collapses {
        // Half of the outermost borders, whosever they are.
        boxes.sides(candidate.table)
    } else {
        sides(&own) + gaps
    };
    let declared = own.get(Longhand::Width);
    let beside = if own.get(Longhand::BoxSizing) == "border-box" || collapses { 0.0 } else { sides(&own) };
    if let Some(px) = declared.strip_suffix("px") {
        return Some((px.parse::<f32>().ok()? + beside, around));
    }
    let container = document.parent(candidate.table)?;
    let inner = boxes.inner_width(container)?;
    if candidate.shrinks {
        return Some((inner - px(&own, Longhand::MarginLeft) - px(&own, Longhand::MarginRight), around));
    }
    let share: f32 = declared.strip_suffix('%')?.parse().ok()?;
    Some((inner * share / 100.0 + beside, around))
}
