//! A bar chart of credits and calls by day and operation.

use crate::text_format::{day, number};
use limner_proto::v1;
use limner_types::{Operation, WireEnum};
use time::{Date, Duration};

const HEIGHT: u64 = 160;
const STEP: usize = 24;
const BAR: usize = 16;

/// A segment of a bar: one operation's credits.
pub(crate) struct Segment {
    pub(crate) operation: &'static str,
    pub(crate) y: u64,
    pub(crate) height: u64,
}

/// A day.
pub(crate) struct Day {
    pub(crate) x: usize,
    pub(crate) label: String,
    pub(crate) title: String,
    /// Label below the bar: every fifth day has its date.
    pub(crate) tick: Option<String>,
    pub(crate) calls: u64,
    pub(crate) credits: u64,
    pub(crate) segments: Vec<Segment>,
}

/// A line of the y-axis.
pub(crate) struct Line {
    pub(crate) y: u64,
    pub(crate) label: String,
}

/// The chart.
pub(crate) struct Chart {
    pub(crate) width: usize,
    pub(crate) bar: usize,
    pub(crate) days: Vec<Day>,
    pub(crate) lines: Vec<Line>,
    pub(crate) legend: Vec<(&'static str, String)>,
    pub(crate) is_empty: bool,
}

impl Chart {
    /// Returns the chart of `days` days from `since` on.
    pub(crate) fn new(since: Date, days: usize, usage: &[v1::UsageDay]) -> Self {
        let dates: Vec<Date> = (0..days).map(|offset| since + Duration::days(offset as i64)).collect();
        let of_day = |date: &Date| {
            let text = date.to_string();
            usage.iter().filter(move |day| day.day == text)
        };
        let credits = |date: &Date| of_day(date).map(|day| day.credits).sum::<u64>();
        let top = ceiling(dates.iter().map(credits).max().unwrap_or_default());
        let draw = |(index, date): (usize, &Date)| {
            let (calls, credits) = (of_day(date).map(|day| day.calls).sum(), credits(date));
            let mut base = HEIGHT;
            let mut segments = Vec::new();
            for operation in Operation::ALL {
                let spent: u64 =
                    of_day(date).filter(|day| day.operation == operation.as_str()).map(|day| day.credits).sum();
                let height = (spent * HEIGHT).div_ceil(top).min(base);
                if height > 0 {
                    base -= height;
                    segments.push(Segment { operation: operation.as_str(), y: base, height });
                }
            }
            Day {
                x: index * STEP,
                title: format!("{}: {} credits, {} calls", day(*date), number(credits), number(calls)),
                label: day(*date),
                tick: (index % 5 == 4).then(|| date.day().to_string()),
                calls,
                credits,
                segments,
            }
        };
        let total = |operation: &Operation| {
            usage.iter().filter(|day| day.operation == operation.as_str()).map(|day| day.credits).sum::<u64>()
        };
        let legend = Operation::ALL.iter().map(|operation| (operation.as_str(), total(operation)));
        Self {
            width: days * STEP,
            bar: BAR,
            days: dates.iter().enumerate().map(draw).collect(),
            lines: [0, 1, 2].map(|part| Line { y: HEIGHT - HEIGHT * part / 2, label: number(top * part / 2) }).into(),
            legend: legend.filter(|(_, total)| *total > 0).map(|(name, total)| (name, number(total))).collect(),
            is_empty: usage.iter().all(|day| day.calls == 0),
        }
    }
}

/// Returns the next larger number that is easy to read: 2, 4, 10, 20, 40, 100, …
fn ceiling(most: u64) -> u64 {
    let mut step = 1_u64;
    loop {
        for factor in [2, 4, 10] {
            let top = step.saturating_mul(factor);
            if top >= most || top == u64::MAX {
                return top;
            }
        }
        step = step.saturating_mul(10);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use time::macros::date;

    #[test]
    fn chart_scale_ends_at_a_round_number() {
        for (most, top) in [(0, 2), (2, 2), (3, 4), (5, 10), (11, 20), (41, 100), (4_001, 10_000)] {
            assert_eq!(ceiling(most), top, "{most}");
        }
        assert_eq!(ceiling(u64::MAX), u64::MAX);
    }

    #[test]
    fn bars_are_stacked_within_the_drawing() {
        let day = |day: &str, operation: &str, credits| v1::UsageDay {
            day: day.to_owned(),
            operation: operation.to_owned(),
            calls: 1,
            credits,
            ..v1::UsageDay::default()
        };
        let usage = [day("2026-11-02", "code", 75), day("2026-11-02", "brand", 15), day("2026-11-03", "svg", 1)];
        let chart = Chart::new(date!(2026 - 11 - 01), 30, &usage);
        assert_eq!((chart.days.len(), chart.width, chart.is_empty), (30, 720, false));
        let (stacked, small) = (&chart.days[1].segments, &chart.days[2].segments);
        assert_eq!(stacked.iter().map(|segment| segment.height).collect::<Vec<_>>(), [120, 24]);
        assert_eq!(stacked[0].y, stacked[1].y + stacked[1].height, "segments are stacked");
        assert_eq!(small[0].height, 2, "small segments stay visible");
        assert_eq!(chart.legend, [("code", "75".to_owned()), ("brand", "15".to_owned()), ("svg", "1".to_owned())]);
        assert!(Chart::new(date!(2026 - 11 - 01), 30, &[]).is_empty);
    }
}
