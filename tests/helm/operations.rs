//! Compares the documentation for operators and sites with the code.

use crate::{read, root};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

/// Parts that several roles contain.
const SHARED_PARTS: [&str; 8] = ["build", "bus", "cache", "http", "netguard", "screenshots", "store", "worker"];

#[derive(Debug, PartialEq, Eq)]
struct Metric {
    kind: String,
    labels: BTreeSet<String>,
}

#[test]
fn documentation_lists_all_recorded_metrics() {
    let (listed, recorded) = (documented_metrics(), recorded());
    assert!(recorded.len() > 50, "{recorded:#?}");
    let is_missing = |name: &str, metric: &Metric| listed.get(name).is_none_or(|row| row.metric != *metric);
    let missing: Vec<_> = recorded.iter().filter(|(name, metric)| is_missing(name, metric)).collect();
    assert!(missing.is_empty(), "docs/operations/observability.md does not list {missing:#?}");
    let unknown: Vec<&String> = listed.keys().filter(|name| !recorded.contains_key(*name)).collect();
    assert!(unknown.is_empty(), "nobody records {unknown:?}");
}

/// Returns kind and description of each metric, as `# HELP` has them.
fn described() -> BTreeMap<String, (String, String)> {
    let table = read("shared/runtime/src/metric_descriptions.rs");
    let (_, table) = table.split_once("DESCRIPTIONS").unwrap();
    let (table, _) = table.split_once("\n];").unwrap();
    // Each entry is a kind and two strings, on one line or on several.
    let strings: Vec<&str> = table.split('"').collect();
    let entries = strings.chunks_exact(4).map(|entry| {
        let &[kind, name, between, what] = entry else { unreachable!() };
        assert_eq!(between.trim(), ",", "{name}");
        let kind = kind.rsplit('(').next().unwrap().trim().trim_end_matches(',');
        (name.to_owned(), (kind.to_lowercase(), what.to_owned()))
    });
    entries.collect()
}

#[test]
fn every_metric_describes_itself_as_the_documentation_does() {
    let documented = documented_metrics();
    let documented = documented.into_iter().map(|(name, row)| (name, (row.metric.kind, row.what))).collect();
    assert_eq!(described(), documented);
}

/// Checks names, types and descriptions with Prometheus' own linter.
#[test]
fn metrics_pass_the_linter_of_promtool() {
    let mut text = String::new();
    for (name, (kind, what)) in described() {
        let samples = match kind.as_str() {
            "histogram" => format!("{name}_bucket{{le=\"+Inf\"}} 1\n{name}_sum 1\n{name}_count 1\n"),
            _ => format!("{name} 1\n"),
        };
        text.push_str(&format!("# HELP {name} {what}\n# TYPE {name} {kind}\n{samples}"));
    }
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), &text).unwrap();
    let promtool = root().join(".tools/charts/bin/promtool");
    let input = std::fs::File::open(file.path()).unwrap();
    let output = Command::new(promtool).args(["check", "metrics"]).stdin(input).output().unwrap();
    let complaints = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && complaints.is_empty(), "{complaints}");
}

#[test]
fn renamed_metrics_are_documented_with_their_previous_names() {
    let (page, code) = (read("docs/operations/observability.md"), read("shared/runtime/src/metrics.rs"));
    let (_, section) = page.split_once("## Renamed metrics").unwrap();
    let (section, _) = section.split_once("## All metrics").unwrap();
    let (section, by_rules) = section.split_once("recorded by the rules |").unwrap();
    let (_, table) = code.split_once("const PREVIOUS_NAMES").unwrap();
    let (table, _) = table.split_once("];").unwrap();
    let (documented, exported) = (names(section, '`'), names(table, '"'));
    assert!(exported.len() >= 2, "{exported:?}");
    assert_eq!(documented, exported);
    let by_rules = names(by_rules, '`');
    for pair in by_rules.chunks(2) {
        let rule = format!("- record: {}\n        expr: {}\n", pair[1], pair[0]);
        assert!(read("helm/limner/files/limner.rules.yaml").contains(&rule), "{pair:?}");
    }
    let recorded = recorded();
    for pair in exported.chunks(2).chain(by_rules.chunks(2)) {
        assert!(recorded.contains_key(&pair[0]) && !recorded.contains_key(&pair[1]), "{pair:?}");
    }
}

/// Returns the metrics' names between quotes, in order.
fn names(text: &str, quote: char) -> Vec<String> {
    text.split(quote).filter(|name| name.starts_with("limner_")).map(str::to_owned).collect()
}

#[test]
fn metric_names_follow_the_documented_scheme() {
    let services = std::fs::read_dir(root().join("services")).unwrap();
    let roles = services.map(|folder| folder.unwrap().file_name().into_string().unwrap());
    let parts: BTreeSet<String> = roles.chain(SHARED_PARTS.map(str::to_owned)).collect();
    for (name, Row { metric, unit, .. }) in documented_metrics() {
        let part = name.split('_').nth(1).unwrap();
        assert!(parts.contains(part), "{name}: `{part}` is no role and no shared part");
        let counted = name.strip_suffix("_total");
        assert_eq!(counted.is_some(), metric.kind == "counter", "{name}");
        for measured in ["seconds", "bytes"] {
            let named = counted.unwrap_or(&name).ends_with(&format!("_{measured}"));
            assert_eq!(named, unit == measured, "{name} in {unit}");
        }
        assert!(metric.kind != "histogram" || ["seconds", "bytes"].contains(&unit.as_str()), "{name} has no buckets");
    }
}

/// Logs above `debug` are stored for long and read by many, so they must not contain the requested URLs.
#[test]
fn urls_are_logged_at_debug_only() {
    let mut seen = 0;
    for source in sources() {
        for level in ["info", "warn", "error"] {
            for arguments in calls(&source, &format!("{level}!(")).chain(calls(&source, &format!("{level}_span!("))) {
                seen += 1;
                let names_a_page = ["url.full", "page.url", "%url"].iter().any(|address| arguments.contains(address));
                assert!(!names_a_page, "at {level}: {arguments}");
            }
        }
    }
    assert!(seen > 100, "{seen} log lines");
}

/// Checks the numbers in the information for sites.
#[test]
fn sites_are_informed_about_the_bytes_read_of_their_images() {
    let (limits, told) = (read("shared/page-worker/src/subresources.rs"), read("services/gateway/src/visitor.txt"));
    for (limit, text) in [("picture_bytes: 64 << 10", "the first 64 kB"), ("pictures: 32", "at most 32 of them")] {
        assert!(limits.contains(limit) && told.contains(text), "{limit}: {text}");
    }
}

struct Row {
    metric: Metric,
    unit: String,
    what: String,
}

/// Parses the tables of the page.
fn documented_metrics() -> BTreeMap<String, Row> {
    let page = read("docs/operations/observability.md");
    let (_, tables) = page.split_once("## All metrics").unwrap();
    let rows = tables.lines().filter(|line| line.starts_with("| `limner_"));
    let row = |line: &str| {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let &[name, kind, unit, labels, what] = cells.as_slice() else { panic!("{line}") };
        assert!(!what.is_empty(), "{line}");
        let labels = labels.split(',').map(|label| label.trim().trim_matches('`').to_owned());
        let labels = labels.filter(|label| !label.is_empty()).collect();
        let metric = Metric { kind: kind.to_owned(), labels };
        (name.trim_matches('`').to_owned(), Row { metric, unit: unit.to_owned(), what: plain(what) })
    };
    let listed: Vec<_> = rows.map(row).collect();
    let count = listed.len();
    let listed: BTreeMap<_, _> = listed.into_iter().collect();
    assert_eq!(listed.len(), count, "a metric is listed twice");
    listed
}

/// Removes links and code marks.
fn plain(markdown: &str) -> String {
    let mut text = markdown.replace('`', "");
    while let Some((before, rest)) = text.split_once('[') {
        let (label, rest) = rest.split_once("](").unwrap();
        let (_, after) = rest.split_once(')').unwrap();
        text = format!("{before}{label}{after}");
    }
    text
}

/// Returns the metrics that the code records.
fn recorded() -> BTreeMap<String, Metric> {
    let mut metrics = BTreeMap::new();
    for source in sources() {
        for kind in ["counter", "gauge", "histogram"] {
            for arguments in calls(&source, &format!("{kind}!(")) {
                let (first, rest) = arguments.split_once(',').unwrap_or((arguments, ""));
                let name = match first.trim().strip_prefix('"') {
                    Some(literal) => literal.trim_end_matches('"').to_owned(),
                    None => constant(&source, first.trim()),
                };
                let labels = labels(&source, rest);
                let metric = Metric { kind: kind.to_owned(), labels };
                if let Some(other) = metrics.get(&name) {
                    assert_eq!(&metric, other, "{name} is recorded in two ways");
                }
                metrics.insert(name, metric);
            }
        }
    }
    metrics
}

/// Returns the names in `"stage" => stage, "outcome" => outcome`, or in `labels` built before.
fn labels(source: &str, rest: &str) -> BTreeSet<String> {
    let quoted = |text: &str, before: &str| -> BTreeSet<String> {
        // The text after the last one is a value.
        let pieces = text.rsplit(before).skip(1).map(|piece| piece.trim_end().strip_suffix('"').unwrap_or_default());
        let names = pieces.map(|piece| piece.rsplit('"').next().unwrap_or_default().to_owned());
        names.filter(|name| !name.is_empty()).collect()
    };
    if rest.trim() != "&labels" {
        return quoted(rest, "=>");
    }
    let (_, made) = source.split_once("let labels = [").unwrap();
    quoted(made.split_once(']').unwrap().0, ",")
}

fn constant(source: &str, name: &str) -> String {
    let (_, value) = source.split_once(&format!("const {name}: &str = \"")).unwrap_or_else(|| panic!("{name}"));
    value.split('"').next().unwrap().to_owned()
}

/// Returns the arguments of each call of a macro.
fn calls<'a>(source: &'a str, start: &str) -> impl Iterator<Item = &'a str> {
    let starts: Vec<usize> = source.match_indices(start).map(|(at, _)| at).collect();
    let length = start.len();
    // `describe_counter!` and the like are different macros.
    let whole = move |at: &usize| !source[..*at].ends_with(|before: char| before == '_' || before.is_alphanumeric());
    starts.into_iter().filter(whole).map(move |at| {
        let arguments = &source[at + length..];
        let mut open = 1;
        let end = arguments.find(|c| {
            open += i32::from(c == '(') - i32::from(c == ')');
            open == 0
        });
        &arguments[..end.unwrap()]
    })
}

/// Returns the code of every shared crate and service, without its tests.
fn sources() -> Vec<String> {
    let mut sources = Vec::new();
    for folder in ["shared", "services"] {
        collect(&root().join(folder), &mut sources);
    }
    sources
}

fn collect(folder: &Path, sources: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if path.is_dir() && !["tests", "benches"].contains(&name) {
            collect(&path, sources);
        } else if path.extension().is_some_and(|extension| extension == "rs") && name != "tests.rs" {
            let text = std::fs::read_to_string(&path).unwrap();
            sources.push(text.split("#[cfg(test)]\nmod tests").next().unwrap().to_owned());
        }
    }
}
