//! Views of results for people: tables of names, sizes and providers.
//!
//! Pure functions of a result's JSON. A result narrowed by `fields` shows the remaining fields.

mod audio;
mod brand;
mod brand_html;
mod code;
mod fonts;
mod lottie;
mod table;
pub(crate) mod terminal;
mod tokens;
mod tree;
mod videos;

pub(crate) use brand_html::{escaped, html as brand_board};
pub(crate) use lottie::files as lottie_files;
pub(crate) use tokens::groups as token_groups;
pub(crate) use tree::view as tree;

use limner_types::Operation;
use serde_json::Value;

/// Returns the view of a result, if its operation has one and the result has its list.
pub(crate) fn render(operation: Operation, result: &Value) -> Option<String> {
    match operation {
        Operation::Brand => Some(brand::view(result)),
        Operation::Code => code::view(result),
        Operation::Extract => tokens::view(result),
        Operation::Videos => list_view(videos::view, operation, result),
        Operation::Audio => list_view(audio::view, operation, result),
        Operation::Lottie => list_view(lottie::view, operation, result),
        Operation::Fonts => list_view(fonts::view, operation, result),
        _ => None,
    }
}

/// Returns the view of an operation whose result is a list.
fn list_view(view: fn(&[Value], &Value) -> String, operation: Operation, result: &Value) -> Option<String> {
    Some(view(result[operation.fields()[0]].as_array()?, result))
}

/// Returns a text member; empty if missing.
fn text<'a>(item: &'a Value, member: &str) -> &'a str {
    item[member].as_str().unwrap_or_default()
}

/// Returns a heading such as `3 videos: 2 embed, 1 og`, in the order of first appearance.
fn heading(items: &[Value], one: &str, many: &str) -> String {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for source in items.iter().map(|item| text(item, "source")) {
        match counts.iter_mut().find(|(name, _)| *name == source) {
            Some((_, count)) => *count += 1,
            None => counts.push((source, 1)),
        }
    }
    let counts: Vec<String> = counts.iter().map(|(source, count)| format!("{count} {source}")).collect();
    let total = count_with_noun(items.len(), one, many);
    if counts.is_empty() { format!("{total}\n") } else { format!("{total}: {}\n\n", counts.join(", ")) }
}

/// `1 file`, `2 files`
pub(crate) fn count_with_noun(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// `640×360`; empty when unknown.
fn dimensions(item: &Value) -> String {
    match (item["width"].as_f64(), item["height"].as_f64()) {
        (Some(width), Some(height)) => format!("{width}×{height}"),
        _ => String::new(),
    }
}

/// `1:02:03` or `2:05`; under ten seconds with a decimal. Empty when unknown.
fn clock(seconds: Option<f64>) -> String {
    let Some(exact) = seconds else { return String::new() };
    if exact < 10.0 {
        return format!("{exact:.1} s");
    }
    let whole = exact.round() as u64;
    let (hours, minutes, seconds) = (whole / 3_600, whole / 60 % 60, whole % 60);
    if hours > 0 { format!("{hours}:{minutes:02}:{seconds:02}") } else { format!("{minutes}:{seconds:02}") }
}

/// `12 kB`, `3.4 MB`; empty when unknown.
fn bytes(count: Option<u64>) -> String {
    match count {
        None => String::new(),
        Some(count) if count < 1_000 => format!("{count} B"),
        Some(count) if count < 1_000_000 => format!("{:.0} kB", count as f64 / 1e3),
        Some(count) => format!("{:.1} MB", count as f64 / 1e6),
    }
}

/// Returns the media subtype (`mp4`, `mpeg`), or the provider.
fn kind(item: &Value) -> String {
    let provider = text(item, "provider");
    let media_type = text(item, "type").rsplit('/').next().unwrap_or_default();
    let short = media_type.trim_start_matches("vnd.").trim_start_matches("x-");
    if provider.is_empty() { short.to_owned() } else { provider.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn durations_bytes_and_dimensions_are_formatted() {
        for (seconds, shown) in [(Some(2.04), "2.0 s"), (Some(65.0), "1:05"), (Some(3_723.4), "1:02:03"), (None, "")] {
            assert_eq!(clock(seconds), shown);
        }
        for (count, shown) in [(Some(7), "7 B"), (Some(12_300), "12 kB"), (Some(3_400_000), "3.4 MB"), (None, "")] {
            assert_eq!(bytes(count), shown);
        }
        assert_eq!(dimensions(&json!({ "width": 640, "height": 360.5 })), "640×360.5");
    }

    #[test]
    fn operations_without_a_view_and_narrowed_results_have_none() {
        assert_eq!(render(Operation::Code, &json!({ "code": "" })), None);
        assert_eq!(render(Operation::Videos, &json!({ "url": "u", "count": 3 })), None);
        assert_eq!(render(Operation::Videos, &json!({ "videos": [] })).as_deref(), Some("0 videos\n"));
    }
}
