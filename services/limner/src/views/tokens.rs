//! `limner extract tokens`: swatches in true colour, scales with bars, and how often each value is used and declared.

use super::terminal::{bold, channels, dim, ellipsize, painted, swatch};
use super::{count_with_noun, text};
use owo_colors::{OwoColorize, Stream};
use serde_json::Value;
use std::fmt::Write;

/// Maximum number of values shown of each group.
const MAX_VALUES_PER_GROUP: usize = 24;
/// Width of the longest bar and of a gradient's strip, in characters.
const WIDTH: usize = 28;
/// Maximum length of a value, list of variables and selector, in characters.
const MAX_TEXT_LEN: usize = 56;

/// The presentation of a group.
enum Style {
    Swatches,
    /// Lengths in ascending order with bars; rem counts as 16 pixels.
    Scale,
    Gradients,
    Plain,
}

/// The groups in display order.
const GROUPS: &[(&str, &str, Style)] = &[
    ("colors", "Colours", Style::Swatches),
    ("gradients", "Gradients", Style::Gradients),
    ("fontFamilies", "Font families", Style::Plain),
    ("fontSizes", "Type scale", Style::Scale),
    ("fontWeights", "Font weights", Style::Plain),
    ("lineHeights", "Line heights", Style::Plain),
    ("letterSpacings", "Letter spacings", Style::Plain),
    ("spacing", "Spacing scale", Style::Scale),
    ("borderRadiuses", "Radii", Style::Scale),
    ("borderWidths", "Border widths", Style::Plain),
    ("boxShadows", "Box shadows", Style::Plain),
    ("textShadows", "Text shadows", Style::Plain),
    ("opacities", "Opacities", Style::Plain),
    ("durations", "Durations", Style::Plain),
    ("easings", "Easings", Style::Plain),
    ("zIndexes", "Layers", Style::Plain),
    ("breakpoints", "Breakpoints", Style::Plain),
];

/// A value and its usage.
type Entry<'r> = (&'r str, &'r Value);

/// Returns the names of the groups.
pub(crate) fn groups() -> impl Iterator<Item = &'static str> {
    GROUPS.iter().map(|(field, _, _)| *field)
}

/// Returns the view of a result that has any of the groups.
pub(super) fn view(result: &Value) -> Option<String> {
    let mut shown = String::new();
    let mut is_tokens = false;
    for (field, title, style) in GROUPS {
        let Some(group) = result[field].as_object() else { continue };
        is_tokens = true;
        let entries: Vec<Entry<'_>> = group.iter().map(|(value, usage)| (value.as_str(), usage)).collect();
        if !entries.is_empty() {
            section(&mut shown, title, style, entries);
        }
    }
    let schemes: Vec<&str> =
        result["colorSchemes"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    if !schemes.is_empty() {
        shown.insert_str(0, &format!("Colour schemes: {}\n", schemes.join(", ")));
        is_tokens = true;
    }
    is_tokens.then_some(shown)
}

fn section(out: &mut String, title: &str, style: &Style, mut entries: Vec<Entry<'_>>) {
    let total = entries.len();
    // Stable: values that are used as often stay in the order of their declarations.
    entries.sort_by_key(|(_, usage)| std::cmp::Reverse(usage["used"].as_u64()));
    entries.truncate(MAX_VALUES_PER_GROUP);
    if matches!(style, Style::Scale) {
        entries.sort_by(|(a, _), (b, _)| pixels(a).total_cmp(&pixels(b)));
    }
    let largest = entries.iter().map(|(value, _)| pixels(value)).filter(|px| px.is_finite()).fold(0.0, f64::max);
    let widest = entries.iter().map(|(value, _)| ellipsize(value, MAX_TEXT_LEN).chars().count()).max().unwrap_or(0);
    // Writing to a String cannot fail.
    let _ = writeln!(out, "\n{}  {}", bold(title), dim(&count_with_noun(total, "value", "values")));
    for (value, usage) in entries {
        let mark = match style {
            Style::Swatches => format!("{}  ", swatch(value)),
            Style::Gradients => format!("{}  ", strip(value)),
            Style::Scale | Style::Plain => String::new(),
        };
        let bar =
            if matches!(style, Style::Scale) { format!("  {}", bar(pixels(value), largest)) } else { String::new() };
        let line = format!(
            "  {mark}{:<widest$}  {}{bar}  {}",
            ellipsize(value, MAX_TEXT_LEN),
            times(usage),
            dim(&origin_note(usage))
        );
        out.push_str(line.trim_end());
        out.push('\n');
    }
    if total > MAX_VALUES_PER_GROUP {
        let _ = writeln!(out, "  {}", dim(&format!("and {} more", total - MAX_VALUES_PER_GROUP)));
    }
}

/// Returns how many elements have a value, if that was counted, and how often it is declared.
fn times(usage: &Value) -> String {
    let declared = format!("{}×", usage["count"]);
    match usage["used"].as_u64() {
        Some(used) => format!("{used:>5} used {declared:>5}"),
        None => format!("{declared:>6}"),
    }
}

/// Returns the origin of a value: its variables, its themes, otherwise where it is declared; for a breakpoint, its
/// query.
fn origin_note(usage: &Value) -> String {
    let list = |member: &str| -> Vec<&str> {
        usage[member].as_array().into_iter().flatten().filter_map(Value::as_str).collect()
    };
    let (variables, themes) = (list("variables"), list("themes"));
    let from = if variables.is_empty() { list("selectors").join(", ") } else { variables.join(", ") };
    let query = text(usage, "query");
    let from = ellipsize(if query.is_empty() { &from } else { query }, MAX_TEXT_LEN);
    if themes.is_empty() { from } else { format!("{} · {from}", themes.join(", ")) }
}

/// Returns a length in pixels; infinity for other values, so that they come last.
fn pixels(value: &str) -> f64 {
    let digits = value.find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | '-'))).unwrap_or(value.len());
    let (number, unit) = value.split_at(digits);
    let factor = match unit {
        "" | "px" => 1.0,
        "rem" | "em" => 16.0,
        "pt" => 96.0 / 72.0,
        _ => f64::INFINITY,
    };
    number.parse::<f64>().map_or(f64::INFINITY, |number| number * factor)
}

/// Returns a bar in eighths of a character.
fn bar(px: f64, largest: f64) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let share = if px.is_finite() && largest > 0.0 { (px / largest).clamp(0.0, 1.0) } else { 0.0 };
    let eighths = (share * (WIDTH * 8) as f64).round() as usize;
    let text = format!("{}{}", "█".repeat(eighths / 8), EIGHTHS[eighths % 8]);
    let padding = " ".repeat(WIDTH - text.chars().count().min(WIDTH));
    format!("{}{padding}", text.if_supports_color(Stream::Stdout, |text| text.cyan()))
}

/// Renders the gradient from left to right, with its stops as given or spread evenly.
fn strip(gradient: &str) -> String {
    let stops: Vec<([f64; 3], Option<f64>)> = gradient
        .split('#')
        .skip(1)
        .filter_map(|part| {
            let end = part.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(part.len());
            let (rgb, alpha) = channels(&format!("#{}", &part[..end]))?;
            let place =
                part[end..].split([',', ')']).next()?.trim().strip_suffix('%').and_then(|text| text.parse().ok());
            Some((rgb.map(|channel| channel * alpha + 255.0 * (1.0 - alpha)), place))
        })
        .collect();
    let last = stops.len().saturating_sub(1).max(1) as f64;
    let places: Vec<f64> = stops
        .iter()
        .enumerate()
        .map(|(at, (_, place))| place.map_or(at as f64 / last, |percent| percent / 100.0))
        .collect();
    (0..WIDTH).map(|cell| painted("█", color_at(&stops, &places, cell as f64 / (WIDTH - 1) as f64))).collect()
}

fn color_at(stops: &[([f64; 3], Option<f64>)], places: &[f64], at: f64) -> [f64; 3] {
    let next = places.iter().position(|place| *place >= at);
    let Some(next) = next else { return stops.last().map_or([255.0; 3], |(rgb, _)| *rgb) };
    let Some(before) = next.checked_sub(1) else { return stops[next].0 };
    let share = (at - places[before]) / (places[next] - places[before]).max(f64::EPSILON);
    let (from, to) = (stops[before].0, stops[next].0);
    [0, 1, 2].map(|channel| from[channel] + (to[channel] - from[channel]) * share.clamp(0.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn token_view_shows_swatches_scales_and_notes() {
        let result = json!({
            "url": "u",
            "colors": { "#0d6efd": { "count": 12, "properties": ["color"], "variables": ["--brand"], "themes": ["dark"] } },
            "fontSizes": {},
            "spacing": {
                "1rem": { "count": 3, "properties": [], "selectors": ["a", "b"] },
                "8px": { "count": 2, "properties": [] },
                "calc(1px + 1em)": { "count": 1, "properties": [] },
            },
            "breakpoints": { "768px": { "count": 1, "type": "min", "query": "(min-width: 48em)" } },
            "colorSchemes": ["light", "dark"],
        });
        let expected = format!(
            "Colour schemes: light, dark\n\n\
             Colours  1 value\n  ████  #0d6efd     12×  dark · --brand\n\n\
             Spacing scale  3 values\n\
             \u{20} 8px                  2×  {}\n\
             \u{20} 1rem                 3×  {}  a, b\n\
             \u{20} calc(1px + 1em)      1×\n\n\
             Breakpoints  1 value\n  768px      1×  (min-width: 48em)\n",
            "█".repeat(14),
            "█".repeat(28)
        );
        assert_eq!(view(&result).unwrap(), expected);
        assert_eq!(view(&json!({ "url": "u" })), None);
    }

    #[test]
    fn values_are_ordered_by_the_elements_that_have_them() {
        let result = json!({ "colors": {
            "#111111": { "count": 9, "used": 0, "variables": ["--unused"], "themes": ["light"] },
            "#222222": { "count": 1, "used": 43, "variables": ["--ink"], "themes": ["dark"] },
        } });
        let expected = "\nColours  2 values\n  ████  #222222     43 used    1×  dark · --ink\n\
            \u{20} ████  #111111      0 used    9×  light · --unused\n";
        assert_eq!(view(&result).unwrap(), expected);
    }

    #[test]
    fn gradients_are_interpolated() {
        let stops = [([0.0; 3], None), ([255.0; 3], None)];
        assert_eq!(color_at(&stops, &[0.0, 1.0], 0.5), [127.5; 3]);
        assert_eq!(color_at(&stops, &[0.0, 0.5], 0.9), [255.0; 3]);
        assert_eq!(strip("linear-gradient(#ff0000, #0000ff80 50%)").chars().count(), WIDTH);
        assert_eq!(strip("linear-gradient(currentcolor)").chars().count(), WIDTH);
    }
}
