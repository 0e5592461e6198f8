//! Breakpoints: the widths that media and container queries ask for.

use limner_style::WidthBound;
use limner_style::value::format_number;
use limner_types::result::{Bound, BreakpointUse, TokenGroup};

/// Most breakpoints of a page, and most tests given for one.
const MOST: usize = 2_000;
const MOST_QUERIES: usize = 8;

/// What is known of one width.
struct Width {
    key: String,
    original: String,
    count: usize,
    queries: Vec<(String, Bound, usize)>,
}

impl Width {
    fn ask(&mut self, bound: WidthBound) {
        let known = self.queries.iter().position(|(query, ..)| *query == bound.query);
        if let Some(known) = known {
            self.queries[known].2 += 1;
        } else if self.queries.len() < MOST_QUERIES {
            let end = if bound.is_minimum { Bound::Min } else { Bound::Max };
            self.queries.push((bound.query, end, 1));
        }
    }
}

/// The group, keyed by width in pixels, ordered by count, then by value.
pub(super) fn group(bounds: Vec<WidthBound>) -> TokenGroup<BreakpointUse> {
    let mut numbers = std::collections::HashMap::new();
    let mut widths: Vec<Width> = Vec::new();
    for bound in bounds {
        let key = format!("{}px", format_number(bound.px));
        let number = *numbers.entry(key.clone()).or_insert(widths.len());
        if number >= MOST {
            continue;
        }
        if number == widths.len() {
            widths.push(Width { key, original: bound.original.clone(), count: 0, queries: Vec::new() });
        }
        let width = &mut widths[number];
        width.count += 1;
        width.ask(bound);
    }
    widths.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.key.cmp(&b.key)));
    TokenGroup(widths.into_iter().filter_map(usage).collect())
}

fn usage(mut width: Width) -> Option<(String, BreakpointUse)> {
    width.queries.sort_by(|a, b| b.2.cmp(&a.2).then_with(|| a.0.cmp(&b.0)));
    let (query, ..) = width.queries.first()?.clone();
    let of = |end: Bound| -> usize { width.queries.iter().filter(|(_, own, _)| *own == end).map(|(.., n)| n).sum() };
    let bound = if of(Bound::Min) >= of(Bound::Max) { Bound::Min } else { Bound::Max };
    let queries =
        if width.queries.len() > 1 { width.queries.into_iter().map(|(query, ..)| query).collect() } else { Vec::new() };
    let original = (width.original != width.key).then_some(width.original);
    Some((width.key, BreakpointUse { count: width.count, bound, query, queries, original }))
}
