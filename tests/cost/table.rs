//! Prints what is counted as tables in Markdown.

use crate::callgrind::{self, Cost};
use crate::pages;
use limner_types::{Operation, WireEnum};
use std::fmt::Write;
use std::path::PathBuf;

/// The phases of a call, by the functions that begin them.
const PHASES: [(&str, &[&str]); 5] = [
    ("HTML", &["limner_page::dom::parse::parse_document"]),
    ("CSS", &["limner_style::sheet::collect::collect", "limner_style::sheet::collect::user_agent"]),
    ("matching", &["limner_style::matcher::ElementMatcher::element"]),
    ("cascade", &["limner_style::cascade::Styles::computing"]),
    ("writing", &["limner_component_emit::emit", "limner_page_view::extraction::Extraction::json"]),
];
/// Calls whose phases are shown.
const DETAILED: [(&str, &str); 9] = [
    ("extract", "windmill"),
    ("extract", "bootstrap"),
    ("extract", "bulma"),
    ("extract", "nodedoc"),
    ("code", "windmill"),
    ("code", "pydoc"),
    ("brand", "windmill"),
    ("brand", "nodedoc"),
    ("images", "nodedoc"),
];
/// Elements of the pages that show how the cost grows.
const SIZES: [usize; 3] = [3_125, 12_500, 50_000];
const MARKS: (&str, &str) = ("<!-- counted -->\n", "<!-- end of what is counted -->");

/// Counts everything and prints it; writes it into `docs/performance.md` if `LIMNER_COST` is `write`.
pub(crate) fn print() {
    if callgrind::count("images", "small", None).is_none() {
        println!("Valgrind is not installed: nothing is counted");
        return;
    }
    let text = [details(), summary(), growth()].join("\n");
    println!("{text}");
    if std::env::var("LIMNER_COST").is_ok_and(|value| value == "write") {
        let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../docs/performance.md");
        let page = std::fs::read_to_string(&file).expect("docs/performance.md");
        let (before, rest) = page.split_once(MARKS.0).expect("the mark before the tables");
        let (_, after) = rest.split_once(MARKS.1).expect("the mark after the tables");
        let page = [before, MARKS.0, "\n", &text, "\n", MARKS.1, after].concat();
        std::fs::write(file, page).expect("docs/performance.md can be written");
    }
}

fn millions(count: u64) -> String {
    format!("{:.1} M", count as f64 / 1e6)
}

fn thousands(count: u64) -> String {
    format!("{:.1} k", count as f64 / 1e3)
}

fn details() -> String {
    let names: Vec<&str> = PHASES.iter().map(|(name, _)| *name).collect();
    let phases = names.join(" | ");
    let mut text =
        format!("| Call | Page | Instructions | Allocations | {phases} | rest | With layout |\n|---|---|---|---|");
    text.push_str(&"---|".repeat(PHASES.len() + 2));
    for (operation, page) in DETAILED {
        let Some(cost) = callgrind::count(operation, page, None) else { continue };
        let share = |spent: u64| (100.0 * spent as f64 / cost.instructions as f64).round() as u64;
        let shares = PHASES.map(|(_, functions)| share(cost.within(functions)));
        let rest = 100_u64.saturating_sub(shares.iter().sum());
        let (instructions, allocations) = (millions(cost.instructions), thousands(cost.allocations));
        let _ = write!(text, "\n| `{operation}` | {page} | {instructions} | {allocations} |");
        for share in shares.into_iter().chain([rest]) {
            let _ = write!(text, " {share} % |");
        }
        let lays_out = matches!(operation, "code" | "brand");
        let with_layout = if lays_out { callgrind::count(operation, page, Some("layout")) } else { None };
        let _ = write!(text, " {} |", with_layout.map_or_else(String::new, |cost| millions(cost.instructions)));
    }
    text.push('\n');
    text
}

/// Every operation on every page: the median and the worst.
fn summary() -> String {
    let mut text = String::from(
        "| Operation | Instructions, median | Allocations, median | Worst page | Instructions | Allocations |\n",
    );
    text.push_str("|---|---|---|---|---|---|");
    let names = pages::names();
    for operation in Operation::ALL.iter().map(|operation| operation.as_str()) {
        let counted = names.iter().filter_map(|name| Some((name, callgrind::count(operation, name, None)?)));
        let mut counted: Vec<(&String, Cost)> = counted.collect();
        counted.sort_by_key(|(_, cost)| cost.instructions);
        let (Some((_, median)), Some((name, worst))) = (counted.get(counted.len() / 2), counted.last()) else {
            continue;
        };
        let cells = [
            format!("`{operation}`"),
            millions(median.instructions),
            thousands(median.allocations),
            (*name).clone(),
            millions(worst.instructions),
            thousands(worst.allocations),
        ];
        let _ = write!(text, "\n| {} |", cells.join(" | "));
    }
    text.push('\n');
    text
}

/// The cost of an element on larger and larger pages.
fn growth() -> String {
    let mut text = String::from("| Operation |");
    SIZES.iter().for_each(|size| _ = write!(text, " {size} elements |"));
    text.push_str("\n|---|");
    text.push_str(&"---|".repeat(SIZES.len()));
    for operation in ["extract", "brand", "code", "images"] {
        let _ = write!(text, "\n| `{operation}` |");
        for size in SIZES {
            let each = callgrind::count(operation, &format!("elements-{size}"), None)
                .map(|cost| cost.instructions / size as u64);
            let _ = write!(text, " {} per element |", each.map_or_else(|| "-".to_owned(), |each| each.to_string()));
        }
    }
    text.push('\n');
    text
}
