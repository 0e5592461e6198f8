//! Breakpoints: the widths in media and container queries.

use foldhash::{HashMap, HashMapExt};
use limner_style::WidthBound;
use limner_style::value::format_decimal;
use limner_types::result::{BreakpointUsage, RangeEnd, TokenGroup};

/// Maximum number of breakpoints of a page, and of tests for one.
const MAX_BREAKPOINTS: usize = 2_000;
const MAX_TESTS: usize = 8;

/// The statistics of one width.
struct Width {
    key: String,
    original: String,
    rules: usize,
    /// Indexes of the whole queries.
    queries: Vec<u32>,
    tests: Vec<(String, RangeEnd, usize)>,
}

impl Width {
    fn ask(&mut self, bound: WidthBound) {
        self.rules += 1;
        if !self.queries.contains(&bound.query) {
            self.queries.push(bound.query);
        }
        let known = self.tests.iter().position(|(test, ..)| *test == bound.test);
        if let Some(known) = known {
            self.tests[known].2 += 1;
        } else if self.tests.len() < MAX_TESTS {
            let end = if bound.is_minimum { RangeEnd::Min } else { RangeEnd::Max };
            self.tests.push((bound.test, end, 1));
        }
    }
}

/// Returns the group, keyed by width in pixels, ordered by count, then by value.
pub fn group(bounds: Vec<WidthBound>) -> TokenGroup<BreakpointUsage> {
    let mut numbers = HashMap::new();
    let mut widths: Vec<Width> = Vec::new();
    for bound in bounds {
        // Bounds are rounded to the digits that are written, so that equal keys are equal numbers.
        let number = *numbers.entry(bound.px.to_bits()).or_insert(widths.len());
        if number >= MAX_BREAKPOINTS {
            continue;
        }
        if number == widths.len() {
            widths.push(Width {
                key: format!("{}px", format_decimal(bound.px)),
                original: bound.original.clone(),
                rules: 0,
                queries: Vec::new(),
                tests: Vec::new(),
            });
        }
        let width = &mut widths[number];
        width.ask(bound);
    }
    widths.sort_by(|a, b| b.queries.len().cmp(&a.queries.len()).then_with(|| a.key.cmp(&b.key)));
    TokenGroup(widths.into_iter().filter_map(usage).collect())
}

fn usage(mut width: Width) -> Option<(String, BreakpointUsage)> {
    width.tests.sort_by(|a, b| b.2.cmp(&a.2).then_with(|| a.0.cmp(&b.0)));
    let of = |end: RangeEnd| -> usize { width.tests.iter().filter(|(_, own, _)| *own == end).map(|(.., n)| n).sum() };
    let bound = if of(RangeEnd::Min) >= of(RangeEnd::Max) { RangeEnd::Min } else { RangeEnd::Max };
    let (query, ..) = width.tests.iter().find(|(_, own, _)| *own == bound)?.clone();
    let tests: Vec<String> = width.tests.into_iter().map(|(test, ..)| test).collect();
    let queries = if tests.len() > 1 { tests } else { Vec::new() };
    let original = (width.original != width.key).then_some(width.original);
    let usage = BreakpointUsage { count: width.queries.len(), rules: width.rules, bound, query, queries, original };
    Some((width.key, usage))
}
