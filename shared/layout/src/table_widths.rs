//! Distributes widths to the columns of a table (CSS Tables 3, section 4).

use limner_style::ComputedStyle;
use limner_style::computed::BoxSizing;
use limner_style::property::Longhand;

/// The specified width of a column.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum SpecifiedWidth {
    Auto,
    /// In CSS pixels, with padding and border.
    Px(f32),
    /// A share of the table's width, from 0 to 1.
    Share(f32),
}

impl SpecifiedWidth {
    /// Returns the specified width of a cell or column; `None` if it is not a number.
    pub(crate) fn from_style(style: &ComputedStyle) -> Option<Self> {
        let width = style.get(Longhand::Width);
        if let Some(percent) = width.strip_suffix('%') {
            let share: f32 = percent.parse().ok()?;
            return Some(if share > 0.0 { Self::Share(share / 100.0) } else { Self::Auto });
        }
        let Some(own) = width.strip_suffix("px").and_then(|px| px.parse::<f32>().ok()) else { return Some(Self::Auto) };
        let edges = if style.box_sizing() == BoxSizing::BorderBox { 0.0 } else { horizontal_edges(style) };
        Some(Self::Px(own + edges))
    }

    /// Combines the widths of two cells in one column: percentages override lengths, and the greater of two of a kind
    /// wins.
    pub(crate) fn combine(self, other: Self) -> Self {
        match (self, other) {
            (Self::Share(one), Self::Share(two)) => Self::Share(one.max(two)),
            (Self::Px(one), Self::Px(two)) => Self::Px(one.max(two)),
            (Self::Share(_), _) | (Self::Px(_), Self::Auto) => self,
            _ => other,
        }
    }
}

/// Returns the width of paddings and borders on both sides.
pub(crate) fn horizontal_edges(style: &ComputedStyle) -> f32 {
    let edges = [Longhand::PaddingLeft, Longhand::PaddingRight, Longhand::BorderLeftWidth, Longhand::BorderRightWidth];
    edges.into_iter().map(|edge| px(style, edge)).sum()
}

pub(crate) fn px(style: &ComputedStyle, longhand: Longhand) -> f32 {
    style.get(longhand).strip_suffix("px").and_then(|px| px.parse().ok()).unwrap_or(0.0)
}

fn sum(widths: &[f32]) -> f32 {
    widths.iter().sum()
}

/// Columns with their specified, min-content and max-content widths.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ColumnSizes<'c> {
    pub(crate) specified_widths: &'c [SpecifiedWidth],
    pub(crate) min_widths: &'c [f32],
    pub(crate) widest: &'c [f32],
}

impl ColumnSizes<'_> {
    fn iter(&self) -> impl Iterator<Item = (SpecifiedWidth, f32, f32)> + '_ {
        self.specified_widths
            .iter()
            .zip(self.min_widths)
            .zip(self.widest)
            .map(|((wish, least), widest)| (*wish, *least, *widest))
    }

    /// Returns widths that add up to `room`, or to the minimum if that is more (section 4.5).
    pub(crate) fn distribute(&self, room: f32) -> Vec<f32> {
        let wanted = |wish: SpecifiedWidth, least: f32, widest: f32| match wish {
            SpecifiedWidth::Auto => widest.max(least),
            SpecifiedWidth::Px(px) => px.max(least),
            SpecifiedWidth::Share(share) => (share * room).max(least),
        };
        let guess = |wants: fn(SpecifiedWidth) -> bool| -> Vec<f32> {
            self.iter()
                .map(|(wish, least, widest)| if wants(wish) { wanted(wish, least, widest) } else { least })
                .collect()
        };
        let guesses = [
            guess(|_| false),
            guess(|wish| matches!(wish, SpecifiedWidth::Share(_))),
            guess(|wish| wish != SpecifiedWidth::Auto),
            guess(|_| true),
        ];
        if room <= sum(&guesses[0]) {
            let [least, ..] = guesses;
            return least;
        }
        for pair in guesses.windows(2) {
            let (low, high) = (sum(&pair[0]), sum(&pair[1]));
            if room <= high {
                let share = if high > low { (room - low) / (high - low) } else { 0.0 };
                return pair[0].iter().zip(&pair[1]).map(|(low, high)| low + (high - low) * share).collect();
            }
        }
        let [.., widest] = guesses;
        self.distribute_excess(widest, room)
    }

    /// Distributes surplus width: to columns without a specified width, else to those with a length, else to all.
    fn distribute_excess(&self, widths: Vec<f32>, room: f32) -> Vec<f32> {
        let takes = |kind: fn(SpecifiedWidth) -> bool| -> Vec<f32> {
            let weight = |(width, wish): (&f32, &SpecifiedWidth)| if kind(*wish) { width.max(0.01) } else { 0.0 };
            widths.iter().zip(self.specified_widths).map(weight).collect()
        };
        let weights = [
            takes(|wish| wish == SpecifiedWidth::Auto),
            takes(|wish| matches!(wish, SpecifiedWidth::Px(_))),
            takes(|_| true),
        ];
        let Some(weights) = weights.into_iter().find(|weights| sum(weights) > 0.0) else { return widths };
        let left = (room - sum(&widths)) / sum(&weights);
        widths.iter().zip(&weights).map(|(width, weight)| width + left * weight).collect()
    }

    /// Returns the width of all columns of a table that is as wide as its contents (section 4.4).
    pub(crate) fn natural(&self) -> f32 {
        let (mut plain, mut shares, mut by_share) = (0.0_f32, 0.0_f32, 0.0_f32);
        for (wish, least, widest) in self.iter() {
            match wish {
                SpecifiedWidth::Auto => plain += widest.max(least),
                SpecifiedWidth::Px(px) => plain += px.max(least),
                SpecifiedWidth::Share(share) => {
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
}

/// The width that a spanning cell requires.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct SpanningCell {
    pub(crate) column: usize,
    pub(crate) span: usize,
    pub(crate) width: f32,
}

/// Widens columns for spanning cells, beginning with the smallest spans. `widths` are the min-content or the
/// max-content widths of cells in one column.
pub(crate) fn widened(columns: ColumnSizes<'_>, widths: &[f32], mut cells: Vec<SpanningCell>) -> Vec<f32> {
    let mut widths = widths.to_vec();
    cells.sort_by_key(|cell| cell.span);
    for cell in cells {
        let range = cell.column..cell.column + cell.span;
        let own = &widths[range.clone()];
        if sum(own) < cell.width {
            let (wishes, widest) = (&columns.specified_widths[range.clone()], &columns.widest[range.clone()]);
            let wider = ColumnSizes { specified_widths: wishes, min_widths: own, widest }.distribute(cell.width);
            widths[range].copy_from_slice(&wider);
        }
    }
    widths
}

#[cfg(test)]
mod tests {
    use super::*;
    use SpecifiedWidth::{Auto, Px, Share};

    #[test]
    fn css_tables_3_section_4_5_distribution() {
        for (wishes, least, widest, room, widths) in [
            // Surplus: in proportion to the contents.
            ([Auto, Auto], [10.0, 10.0], [100.0, 300.0], 800.0, [200.0, 600.0]),
            // Between min-content and max-content.
            ([Auto, Auto], [10.0, 30.0], [110.0, 230.0], 190.0, [60.0, 130.0]),
            // Less than min-content.
            ([Auto, Auto], [60.0, 50.0], [110.0, 230.0], 90.0, [60.0, 50.0]),
            // Lengths and percentages come first.
            ([Px(50.0), Auto], [10.0, 10.0], [20.0, 100.0], 300.0, [50.0, 250.0]),
            ([Share(0.25), Auto], [10.0, 10.0], [20.0, 20.0], 400.0, [100.0, 300.0]),
            ([Px(50.0), Px(150.0)], [10.0, 10.0], [20.0, 20.0], 400.0, [100.0, 300.0]),
            // Empty columns.
            ([Auto, Auto], [0.0, 0.0], [0.0, 0.0], 80.0, [40.0, 40.0]),
        ] {
            let columns = ColumnSizes { specified_widths: &wishes, min_widths: &least, widest: &widest };
            assert_eq!(columns.distribute(room), widths, "{wishes:?} {room}");
        }
    }

    #[test]
    fn spanning_cells_widen_their_columns() {
        let (wishes, least, widest) = ([Auto, Auto, Px(40.0)], [0.0, 0.0, 0.0], [30.0, 90.0, 40.0]);
        let columns = ColumnSizes { specified_widths: &wishes, min_widths: &least, widest: &widest };
        for (cells, widths) in [
            (vec![SpanningCell { column: 0, span: 2, width: 100.0 }], [30.0, 90.0, 40.0]),
            (vec![SpanningCell { column: 0, span: 2, width: 240.0 }], [60.0, 180.0, 40.0]),
            (vec![SpanningCell { column: 0, span: 3, width: 280.0 }], [60.0, 180.0, 40.0]),
        ] {
            assert_eq!(widened(columns, &widest, cells.clone()), widths, "{cells:?}");
        }
    }
}
