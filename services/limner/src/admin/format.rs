//! Formats command output for people: names and values in columns, lists as tables.

use serde_json::{Map, Value};
use std::fmt::Write;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

/// Formats the output of any admin command.
pub(super) fn lines(answer: &Value) -> String {
    let Some(object) = answer.as_object() else { return cell(answer) };
    let mut text = String::new();
    let is_nested = |value: &Value| value.is_array() || value.is_object();
    let width = object.iter().filter(|(_, value)| !is_nested(value)).map(|(name, _)| name.len()).max().unwrap_or(0);
    for (name, value) in object.iter().filter(|(_, value)| !is_nested(value)) {
        let _ = writeln!(text, "{name:<width$}  {}", named_cell(name, value));
    }
    for (name, value) in object.iter().filter(|(_, value)| is_nested(value)) {
        let _ = match value {
            Value::Array(rows) => writeln!(text, "\n{name}: {}\n{}", rows.len(), table(rows)),
            other => writeln!(text, "\n{name}\n{}", indented(&lines(other))),
        };
    }
    text
}

/// Formats objects with the same names as rows of a table.
fn table(rows: &[Value]) -> String {
    let Some(names) = rows.first().and_then(Value::as_object).map(|first| first.keys().collect::<Vec<_>>()) else {
        return indented(&rows.iter().map(cell).collect::<Vec<_>>().join("\n"));
    };
    let empty = Map::new();
    let heading: Vec<String> = names.iter().map(|name| (*name).clone()).collect();
    let body = rows.iter().map(|row| {
        let row = row.as_object().unwrap_or(&empty);
        names.iter().map(|name| row.get(*name).map_or_else(String::new, |value| named_cell(name, value))).collect()
    });
    let cells: Vec<Vec<String>> = std::iter::once(heading).chain(body).collect();
    let width = |column: usize| cells.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..names.len()).map(width).collect();
    let line = |row: &Vec<String>| {
        let columns = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}"));
        columns.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    indented(&cells.iter().map(line).collect::<Vec<_>>().join("\n"))
}

/// Formats a member: a limit that is not set as what it means.
fn named_cell(name: &str, value: &Value) -> String {
    if name == "monthly_limit" && value.is_null() { "unlimited".to_owned() } else { cell(value) }
}

/// Writes seconds since the epoch as the other times are: `period_start_unix` becomes `period_start`.
pub(super) fn with_readable_times(answer: Value) -> Value {
    match answer {
        Value::Object(members) => members.into_iter().map(readable_member).collect(),
        Value::Array(items) => items.into_iter().map(with_readable_times).collect(),
        other => other,
    }
}

fn readable_member((name, value): (String, Value)) -> (String, Value) {
    let readable = name.strip_suffix("_unix").and_then(|stem| {
        let at = OffsetDateTime::from_unix_timestamp(value.as_i64()?).ok()?;
        Some((stem.to_owned(), at.format(&Rfc3339).ok()?.into()))
    });
    readable.unwrap_or_else(|| (name, with_readable_times(value)))
}

fn cell(value: &Value) -> String {
    match value {
        Value::Null => "-".to_owned(),
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(cell).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("  {line}")).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_are_in_columns_and_lists_are_tables() {
        let answer = json!({"id": "acc_1", "plan": null, "monthly_limit": null, "keys": [
            {"key_id": "k1", "name": "first"}, {"key_id": "key2", "name": "b"},
        ]});
        let expected = "id             acc_1\nplan           -\nmonthly_limit  unlimited\n\nkeys: 2\n  key_id  name\n  k1      first\n  key2    b\n";
        assert_eq!(lines(&answer), expected);
    }

    #[test]
    fn times_are_readable_wherever_they_are() {
        let answer = json!({"account": {"period_start_unix": 1_793_491_200}, "held": 3, "at_unix": null});
        let expected = json!({"account": {"period_start": "2026-11-01T00:00:00Z"}, "held": 3, "at_unix": null});
        assert_eq!(with_readable_times(answer), expected);
    }
}
