//! Differences for people and as JSON.

use super::comparison::{Comparison, Difference};
use crate::cli::OperationName;
use crate::output;
use crate::views::count_with_noun;
use crate::views::terminal::{bold, dim, ellipsize, swatch};
use limner_types::Operation;
use serde_json::{Value, json};
use std::fmt::Write;

/// Maximum length of a value, in characters.
const MAX_VALUE_LEN: usize = 60;

/// Formats differences by group: `+` added, `-` removed, `~` changed.
pub(super) fn text(comparison: &Comparison, threshold: usize) -> String {
    let mut shown = format!("{} of {} → {}\n", subject(comparison.operation), comparison.before, comparison.after);
    if let Some(fields) = &comparison.fields {
        let _ = writeln!(shown, "Only {}", one_line(&fields.join(", ")));
    }
    let mut group = None;
    for difference in &comparison.differences {
        if group != Some(&difference.group) {
            group = Some(&difference.group);
            let _ = writeln!(shown, "\n{}", bold(&one_line(&difference.group)));
        }
        let _ = writeln!(shown, "{}", line(difference));
    }
    let _ = writeln!(shown, "\n{}", verdict(comparison, threshold));
    shown
}

/// Returns the number of differences, and what --threshold makes of it.
fn verdict(comparison: &Comparison, threshold: usize) -> String {
    match comparison.differences.len() {
        0 => "No differences.".to_owned(),
        count if count > threshold => format!("{}. Drift: --threshold allows {threshold}.", counts(comparison)),
        _ => format!("{}. No drift: --threshold allows {threshold}.", counts(comparison)),
    }
}

fn subject(operation: Operation) -> &'static str {
    match operation {
        Operation::Extract => "Tokens",
        Operation::Brand => "Brand",
        _ => "Looks",
    }
}

fn line(difference: &Difference) -> String {
    let value = |value: &Option<String>| {
        let value = one_line(value.as_deref().unwrap_or_default());
        let swatch = swatch(&value);
        let gap = if swatch.trim().is_empty() { "" } else { " " };
        format!("{}{gap}{}", swatch.trim_end(), ellipsize(&value, MAX_VALUE_LEN))
    };
    let (mark, values) = match difference.change() {
        "added" => ("+", value(&difference.after)),
        "removed" => ("-", value(&difference.before)),
        _ => ("~", format!("{} → {}", value(&difference.before), value(&difference.after))),
    };
    let name = one_line(&difference.name);
    let name = if name.is_empty() { name } else { format!("{name}  ") };
    let distance = difference.delta_e.map(|delta_e| dim(&format!("  ΔE {delta_e:.1}"))).unwrap_or_default();
    format!("  {mark} {name}{values}{distance}")
}

/// Returns a text of a page without what could control the terminal.
fn one_line(text: &str) -> String {
    output::fit_for_views(&Value::from(text)).as_str().unwrap_or_default().to_owned()
}

fn counts(comparison: &Comparison) -> String {
    let count = |change: &str| comparison.differences.iter().filter(|one| one.change() == change).count();
    let counted = count_with_noun(comparison.differences.len(), "difference", "differences");
    format!("{counted}: {} changed, {} added, {} removed", count("changed"), count("added"), count("removed"))
}

/// Returns the comparison as one object.
pub(super) fn json(comparison: &Comparison, threshold: usize) -> Value {
    let difference = |one: &Difference| {
        let mut item = json!({ "group": one.group, "name": one.name, "change": one.change(),
            "before": one.before, "after": one.after });
        if let Some(delta_e) = one.delta_e {
            item["deltaE"] = json!((delta_e * 100.0).round() / 100.0);
        }
        item
    };
    json!({
        "operation": OperationName(comparison.operation).as_str(),
        "before": comparison.before,
        "after": comparison.after,
        "fields": comparison.fields,
        "drift": comparison.differences.len() > threshold,
        "threshold": threshold,
        "count": comparison.differences.len(),
        "differences": comparison.differences.iter().map(difference).collect::<Vec<_>>(),
    })
}
