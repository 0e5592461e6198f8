//! Renders results as compact text, for the many clients that show models nothing else. It has the content of the
//! structured result in fewer words.

use super::pagination::list_name;
use limner_types::Operation;
use serde_json::{Map, Value};
use std::fmt::Write;

/// Renders a page of a JSON result.
pub(crate) fn render(operation: Operation, result: &Map<String, Value>) -> String {
    match operation {
        Operation::Extract => tokens(result),
        Operation::Code => code(result),
        Operation::Brand => brand(result),
        Operation::Svg => svgs(result),
        operation => list(operation, result),
    }
}

/// Returns a text member; empty for any other value.
fn text<'a>(object: &'a Value, name: &str) -> &'a str {
    object[name].as_str().unwrap_or_default()
}

fn member<'a>(result: &'a Map<String, Value>, name: &str) -> &'a str {
    result.get(name).and_then(Value::as_str).unwrap_or_default()
}

fn items<'a>(result: &'a Map<String, Value>, name: &str) -> &'a [Value] {
    result.get(name).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

/// Renders every member of an object, one per line: `name value, name value`.
fn render_value(value: &Value) -> String {
    match value {
        Value::Null => "none".to_owned(),
        Value::String(text) => text.clone(),
        Value::Array(items) => {
            let separator = if items.iter().any(Value::is_object) { "; " } else { " " };
            items.iter().map(render_value).collect::<Vec<_>>().join(separator)
        }
        Value::Object(members) => {
            let is_empty = |value: &Value| value.is_null() || value.as_array().is_some_and(Vec::is_empty);
            let members = members.iter().filter(|(_, value)| !is_empty(value));
            members.map(|(name, value)| format!("{name} {}", render_value(value))).collect::<Vec<_>>().join(", ")
        }
        other => other.to_string(),
    }
}

fn tokens(result: &Map<String, Value>) -> String {
    let mut out = format!("Design tokens of {}", member(result, "url"));
    if let Some(schemes) = result.get("colorSchemes") {
        let _ = write!(out, " (schemes: {})", render_value(schemes));
    }
    out.push_str(". Value, declarations, elements that have it, theme if it has only one, custom property.\n");
    for name in Operation::Extract.fields() {
        let Some(Value::Object(group)) = result.get(*name) else { continue };
        let total = result.get("totals").map_or(&Value::Null, |totals| &totals[*name]);
        let values: Vec<String> = group.iter().map(|(value, usage)| token(value, usage)).collect();
        let _ = writeln!(out, "{name} ({total}): {}", values.join("; "));
    }
    out
}

fn token(value: &str, usage: &Value) -> String {
    let mut out = value.to_owned();
    if let Some(count) = usage["count"].as_u64() {
        let _ = write!(out, " {count}x");
    }
    if let Some(used) = usage["used"].as_u64() {
        let _ = write!(out, " on {used}");
    }
    if let Some([theme]) = usage["themes"].as_array().map(Vec::as_slice) {
        let _ = write!(out, " {}", render_value(theme));
    }
    if let Some(variable) = usage["variables"].get(0).and_then(Value::as_str) {
        let _ = write!(out, " {variable}");
    }
    out
}

fn code(result: &Map<String, Value>) -> String {
    let framework = member(result, "framework");
    let selector = member(result, "selector");
    // `fields` may leave out any of them.
    let section = if selector.is_empty() { "Section".to_owned() } else { format!("Section `{selector}`") };
    let form = if framework.is_empty() { String::new() } else { format!(" as {framework}") };
    let found = if result.get("autoDetected").is_some_and(|auto| auto == true) { ", found automatically" } else { "" };
    let mut out = format!("{section} of {}{form}{found}.\n", member(result, "url"));
    let others: Vec<String> = items(result, "sections")
        .iter()
        .filter(|section| text(section, "selector") != selector)
        .map(|section| format!("`{}` {}", text(section, "selector"), text(section, "label")))
        .collect();
    if !others.is_empty() {
        let _ = writeln!(out, "Other sections: {}", others.join("; "));
    }
    for (name, language) in [("code", framework), ("css", "css")] {
        let body = member(result, name);
        if !body.is_empty() {
            let fence = fence(body);
            let _ = writeln!(out, "{fence}{language}\n{body}\n{fence}");
        }
    }
    for file in items(result, "files") {
        let (path, body) = (text(file, "path"), text(file, "code"));
        let fence = fence(body);
        let _ = writeln!(out, "{path}\n{fence}{framework}\n{body}\n{fence}");
    }
    for name in ["tokens", "assets"] {
        if let Some(value) = result.get(name) {
            let _ = writeln!(out, "{name}: {value}");
        }
    }
    out
}

/// Returns a code fence that is longer than any run of backticks in the body, so that text of a page cannot end it.
fn fence(body: &str) -> String {
    let (mut longest, mut run) = (2, 0);
    for character in body.chars() {
        run = if character == '`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    "`".repeat(longest + 1)
}

fn brand(result: &Map<String, Value>) -> String {
    let mut out = format!("Brand of {}\n", member(result, "url"));
    for (name, value) in result {
        match (name.as_str(), value) {
            ("url" | "usage" | "hint" | "screenshot" | "truncated", _) | (_, Value::Null) => {}
            (_, Value::Array(items)) if items.is_empty() => {}
            ("logo", Value::String(logo)) if logo.starts_with("data:") => {
                let _ = writeln!(out, "logo: {logo}, whose markup is in the field `logos`");
            }
            ("evidence", Value::Object(evidence)) => {
                for (of, reasons) in evidence {
                    let reasons = reasons["from"].as_array().into_iter().flatten().take(MAX_REASONS).map(render_value);
                    let _ = writeln!(out, "why {of}: {}", reasons.collect::<Vec<_>>().join(", "));
                }
            }
            ("palette", Value::Array(colors)) => {
                let color =
                    |color: &Value| format!("{} {} {}x", text(color, "hex"), text(color, "name"), color["count"]);
                let _ = writeln!(out, "palette: {}", colors.iter().map(color).collect::<Vec<_>>().join("; "));
            }
            ("logos", Value::Array(logos)) => {
                let logo = |logo: &Value| format!("{} {}", text(logo, "type"), text(logo, "url"));
                let _ = writeln!(out, "logos: {}", logos.iter().map(logo).collect::<Vec<_>>().join("; "));
                for code in logos.iter().map(|logo| text(logo, "code")).filter(|code| !code.is_empty()) {
                    let _ = writeln!(out, "{code}");
                }
            }
            ("socials", Value::Array(profiles)) => {
                let _ = writeln!(
                    out,
                    "socials: {}",
                    profiles.iter().map(|profile| text(profile, "url")).collect::<Vec<_>>().join(" ")
                );
            }
            ("fonts", Value::Object(fonts)) => {
                let roles = fonts.iter().filter_map(|(role, family)| Some(format!("{role} {}", family.as_str()?)));
                let _ = writeln!(out, "fonts: {}", roles.collect::<Vec<_>>().join(", "));
                for family in fonts.get("families").and_then(Value::as_array).into_iter().flatten() {
                    let _ = writeln!(out, "font {}", render_value(family));
                }
            }
            ("themes", Value::Object(themes)) => {
                for (theme, value) in themes.iter().filter(|(_, value)| value.is_object()) {
                    let _ = writeln!(out, "{theme}: {}", render_value(&value["colors"]));
                }
            }
            ("contrastReport", report) => contrast_report(&mut out, report),
            ("components", Value::Object(kinds)) => {
                for (kind, looks) in kinds {
                    for look in looks.as_array().into_iter().flatten() {
                        let _ = writeln!(out, "{kind} {}x: {}", look["count"], render_value(&look["style"]));
                        for (state, changes) in look["states"].as_object().into_iter().flatten() {
                            let _ = writeln!(out, "  {state}: {}", render_value(changes));
                        }
                    }
                }
            }
            ("typography", Value::Object(styles)) => {
                for (style, value) in styles {
                    let _ = writeln!(out, "{style}: {}", render_value(value));
                }
            }
            (name, value) => {
                let _ = writeln!(out, "{name}: {}", render_value(value));
            }
        }
    }
    out
}

/// Maximum number of reasons for a value in the text; the structured result has all.
const MAX_REASONS: usize = 2;
/// Maximum number of pairs of colours in the text; the structured result has all.
const MAX_PAIRS: usize = 20;

fn contrast_report(out: &mut String, report: &Value) {
    let _ = writeln!(out, "contrast: {} of {} pairs fail AA", report["failures"], report["total"]);
    for pair in report["pairs"].as_array().into_iter().flatten().take(MAX_PAIRS) {
        let level = if pair["aaa"] == true {
            "AAA"
        } else if pair["aa"] == true {
            "AA"
        } else {
            "fail"
        };
        let (text_color, background) = (text(pair, "text"), text(pair, "background"));
        let (size, state, theme) = (text(pair, "size"), text(pair, "state"), text(pair, "theme"));
        let (ratio, selector) = (&pair["ratio"], text(pair, "selector"));
        let _ = writeln!(out, "{text_color} on {background}: {ratio} {level} ({size}, {state}, {theme}) {selector}");
    }
}

fn svgs(result: &Map<String, Value>) -> String {
    let mut out = format!("{} SVGs of {}\n", render_value(&result["count"]), member(result, "url"));
    for svg in items(result, "svgs") {
        let code = text(svg, "code");
        let _ = match code.is_empty() {
            true => writeln!(out, "file {}", text(svg, "url")),
            false if text(svg, "title").is_empty() => writeln!(out, "inline: {code}"),
            false => writeln!(out, "inline {}: {code}", text(svg, "title")),
        };
    }
    out
}

fn list(operation: Operation, result: &Map<String, Value>) -> String {
    let count = result.get("count").map(render_value).unwrap_or_default();
    let mut out = format!("{count} {operation} of {}\n", member(result, "url"));
    for item in items(result, list_name(operation)) {
        let Some(members) = item.as_object() else { continue };
        let shown = members.iter().filter(|(name, value)| {
            !value.is_null()
                && *value != ""
                && !matches!(name.as_str(), "url" | "src" | "sources" | "animation" | "format" | "valid")
        });
        let rest: Vec<String> = shown.map(|(name, value)| format!("{name} {}", render_value(value))).collect();
        let facts = if rest.is_empty() { String::new() } else { format!(" ({})", rest.join(", ")) };
        let _ = writeln!(out, "{}{facts}", text(item, "url"));
        if let Some(animation) = members.get("animation").filter(|animation| !animation.is_null()) {
            let _ = writeln!(out, "{animation}");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn texts_carry_the_results() {
        let usage =
            json!({ "count": 12, "used": 4, "themes": ["dark"], "properties": ["color"], "variables": ["--ink"] });
        let table = [
            (
                Operation::Extract,
                json!({ "url": "https://a.com/", "colors": { "#111": usage }, "totals": { "colors": 1 }, "colorSchemes": ["light", "dark"] }),
                vec!["https://a.com/ (schemes: light dark)", "colors (1): #111 12x on 4 dark --ink"],
            ),
            (
                Operation::Code,
                json!({ "url": "u", "framework": "jsx", "selector": "#a", "autoDetected": true, "css": null, "code": "export `` ```",
                    "sections": [{ "selector": "#a", "label": "Hero" }, { "selector": "#b", "label": "Prices" }] }),
                vec![
                    "Section `#a` of u as jsx, found automatically",
                    "Other sections: `#b` Prices",
                    "````jsx\nexport `` ```\n````",
                ],
            ),
            (Operation::Code, json!({ "url": "u", "code": "<p>" }), vec!["Section of u.\n```\n<p>\n```"]),
            (
                Operation::Brand,
                json!({ "url": "u", "title": "A", "colors": { "primary": "#f00", "accent": null }, "logo": null,
                    "palette": [{ "hex": "#f00", "name": "Red", "count": 3 }], "socials": [{ "url": "https://x.com/a" }],
                    "contrast": [{ "text": "#000", "ratio": 21 }, { "text": "#777", "ratio": 4.5 }],
                    "evidence": { "colors.primary": { "kind": "observed", "from": ["most buttons", "--brand", "links"] } } }),
                vec![
                    "title: A",
                    "colors: primary #f00\n",
                    "palette: #f00 Red 3x",
                    "socials: https://x.com/a",
                    "text #000, ratio 21; text #777, ratio 4.5\n",
                    "why colors.primary: most buttons, --brand\n",
                ],
            ),
            (
                Operation::Brand,
                json!({ "url": "u", "logo": "data:image/svg+xml,… (722 characters left out)", "socials": [] }),
                vec![
                    "Brand of u\nlogo: data:image/svg+xml,… (722 characters left out), whose markup is in the field `logos`\n",
                ],
            ),
            (
                Operation::Brand,
                json!({ "url": "u", "fonts": { "primary": "Lato", "families": [{ "family": "Lato", "weights": ["400"], "files": [] }] } }),
                vec!["fonts: primary Lato\nfont family Lato, weights 400\n"],
            ),
            (
                Operation::Svg,
                json!({ "url": "u", "count": 2, "svgs": [{ "type": "inline", "code": "<svg/>", "title": "T" }, { "type": "file", "url": "f.svg" }, { "code": "<svg/>" }] }),
                vec!["2 SVGs of u", "inline T: <svg/>", "file f.svg", "inline: <svg/>"],
            ),
            (
                Operation::Images,
                json!({ "url": "u", "count": 1, "images": [{ "url": "a.png", "source": "img", "alt": "A", "width": 3 }, { "url": "b.png", "alt": "" }] }),
                vec!["1 images of u", "a.png (source img, alt A, width 3)", "b.png\n"],
            ),
        ];
        for (operation, result, parts) in table {
            let text = render(operation, result.as_object().unwrap());
            for part in parts {
                assert!(text.contains(part), "{part:?} in {text}");
            }
        }
    }
}
