//! Summarizes a result for people.

use super::option_names::with_option_names;
use crate::views;
use crate::views::terminal::{bold, dim, ellipsize};
use limner_types::result::{ImagesResult, SvgItem, SvgResult};
use limner_types::{Operation, WireEnum};
use serde_json::Value;
use std::fmt::Write;

/// Maximum length of a text in a column.
const WIDTH: usize = 90;

/// Returns the summary of a result. A result without a specific summary is shown as its fields and their sizes. A
/// component is too long for that: unless it is written to files, its summary says how to get it.
pub(super) fn summarize(operation: Operation, result: &Value, is_written: bool) -> String {
    let own = match operation {
        Operation::Images => serde_json::from_value(result.clone()).ok().map(|result| images(&result)),
        Operation::Svg => serde_json::from_value(result.clone()).ok().map(|result| svgs(&result)),
        operation => views::render(operation, result),
    };
    let mut text = heading(result);
    text.push_str(&own.unwrap_or_else(|| fields(result)));
    if operation == Operation::Code && !is_written {
        text.push_str("\nThe component itself: --print prints it, --out DIR writes it with a page that shows it.\n");
    }
    if result["truncated"] == true {
        text.push_str("\nThe result is truncated: the page has more than it lists.\n");
    }
    if let Some(hint) = result["hint"].as_str() {
        let _ = writeln!(text, "\n{}", with_option_names(hint));
    }
    text
}

fn heading(result: &Value) -> String {
    let url = result["url"].as_str().unwrap_or_default();
    format!("{}\n\n", bold(url))
}

fn images(result: &ImagesResult) -> String {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for image in &result.images {
        let source = image.source.as_str();
        match counts.iter_mut().find(|(name, _)| *name == source) {
            Some((_, count)) => *count += 1,
            None => counts.push((source, 1)),
        }
    }
    let counts: Vec<String> = counts.iter().map(|(source, count)| format!("{count} {source}")).collect();
    let total = views::count_with_noun(result.count, "image", "images");
    let mut text = if counts.is_empty() { format!("{total}\n") } else { format!("{total}: {}\n\n", counts.join(", ")) };
    for image in &result.images {
        let size = match (image.width, image.height) {
            (Some(width), Some(height)) => format!("{width}×{height}"),
            _ => image.descriptor.clone().unwrap_or_default(),
        };
        let alt = image.alt.as_deref().filter(|alt| !alt.is_empty());
        let alt = alt.map(|alt| format!("  {}", dim(&ellipsize(alt, WIDTH)))).unwrap_or_default();
        let source = column(image.source.as_str(), 12);
        let _ = writeln!(text, "  {source} {}  {}{alt}", column(&size, 10), ellipsize(&image.url, WIDTH));
    }
    text
}

fn svgs(result: &SvgResult) -> String {
    let mut text = format!("{}\n\n", views::count_with_noun(result.count, "SVG", "SVGs"));
    for svg in &result.svgs {
        let _ = match svg {
            SvgItem::Inline { code, view_box, title, count, selector, .. } => {
                let name = title.as_deref().or(selector.as_deref()).unwrap_or_default();
                let view_box = column(view_box.as_deref().unwrap_or("-"), 16);
                let size = format!("{} bytes", code.len());
                writeln!(text, "  inline  {view_box} {} ×{count}  {}", column(&size, 12), ellipsize(name, WIDTH))
            }
            SvgItem::File { url, source, count } => {
                writeln!(text, "  file    {} {}  ×{count}", column(source, 16), ellipsize(url, WIDTH))
            }
        };
    }
    text
}

fn fields(result: &Value) -> String {
    let mut text = String::new();
    for (name, value) in result.as_object().into_iter().flatten().filter(|(name, _)| *name != "url") {
        let shown = match value {
            Value::Array(items) => format!("{} items", items.len()),
            Value::Object(entries) => format!("{} entries", entries.len()),
            other => ellipsize(&other.to_string(), WIDTH),
        };
        let _ = writeln!(text, "  {} {shown}", column(name, 18));
    }
    text
}

fn column(text: &str, width: usize) -> String {
    format!("{text:<width$}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn summaries_count_the_items_found() {
        let images = json!({"url": "https://a.test/", "count": 2, "hint": "Retry with render=true.", "images": [
            {"url": "https://a.test/a.png", "source": "img", "alt": "A lamp", "width": 3, "height": 4},
            {"url": "https://a.test/b.png", "source": "css"},
        ]});
        let text = summarize(Operation::Images, &images, false);
        for part in ["https://a.test/", "2 images: 1 img, 1 css", "3×4", "A lamp", "b.png", "Retry with --render."] {
            assert!(text.contains(part), "{text}");
        }
        let svgs = json!({"url": "u", "count": 2, "svgs": [
            {"type": "inline", "code": "<svg/>", "viewBox": "0 0 1 1", "title": "Logo", "count": 3},
            {"type": "file", "url": "https://a.test/i.svg", "source": "img", "count": 1},
        ]});
        let text = summarize(Operation::Svg, &svgs, false);
        for part in ["2 SVGs", "0 0 1 1", "6 bytes", "×3", "Logo", "i.svg"] {
            assert!(text.contains(part), "{text}");
        }
        let one = json!({"url": "u", "count": 1, "truncated": true, "images": [{"url": "https://a.test/a.png", "source": "img"}]});
        let text = summarize(Operation::Images, &one, false);
        assert!(text.contains("1 image: 1 img") && text.contains("The result is truncated"), "{text}");
        let none = json!({"url": "u", "count": 0, "images": []});
        assert!(summarize(Operation::Images, &none, false).ends_with("0 images\n"));
        let narrowed = json!({"url": "u", "count": 7});
        assert!(summarize(Operation::Images, &narrowed, false).contains("count              7"));
    }
}
