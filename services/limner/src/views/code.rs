//! `/code` for people: a description of the component, and the page's other sections.

use super::{count_with_noun, text};
use serde_json::Value;
use std::fmt::Write;

/// Describes the component in a few lines, then the sections of the page.
pub(super) fn view(result: &Value) -> Option<String> {
    let summary = result["summary"].as_object()?;
    let count = |name: &str| summary.get(name).and_then(Value::as_u64).unwrap_or_default();
    let mut out = format!("{} component of `{}`", text(result, "framework"), text(result, "selector"));
    let theme = text(result, "theme");
    if !theme.is_empty() {
        let _ = write!(out, ", {theme}");
    }
    let coverage = summary.get("styledCoverage").and_then(Value::as_f64).unwrap_or_default();
    let _ = writeln!(out, "\n\n  {} elements, {coverage:.1} % of their styles", count("elements"));
    let (named, arbitrary) = (count("mappedToTailwind"), count("arbitrary"));
    if named + arbitrary > 0 {
        let _ = writeln!(out, "  {named} named utilities, {arbitrary} arbitrary");
    }
    if count("repeatedGroups") > 0 {
        let number = count("repeatedGroups") as usize;
        let counted = count_with_noun(number, "repeated structure", "repeated structures");
        let _ = writeln!(out, "  {counted}");
    }
    if summary.get("truncated") == Some(&Value::Bool(true)) {
        let _ = writeln!(out, "  cut: the section has too many elements");
    }
    let files = result["files"].as_array().map(Vec::as_slice).unwrap_or_default();
    if !files.is_empty() {
        let _ = writeln!(out, "\nFiles");
    }
    for file in files {
        let _ = writeln!(out, "  {}", text(file, "path"));
    }
    let sections = result["sections"].as_array().map(Vec::as_slice).unwrap_or_default();
    let _ = writeln!(out, "\nSections");
    for section in sections {
        let (role, label, selector) = (text(section, "role"), text(section, "label"), text(section, "selector"));
        let _ = writeln!(out, "  {role:<13} {label}\n                {selector}");
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn component_and_the_sections_are_named() {
        let result = json!({
            "framework": "jsx", "selector": "#top", "theme": "dark",
            "summary": { "elements": 12, "mappedToTailwind": 30, "arbitrary": 4, "styledCoverage": 99.5, "repeatedGroups": 1, "truncated": false },
            "sections": [{ "role": "hero", "label": "Ship it", "selector": "#top" }],
        });
        let mut page = result.clone();
        page["files"] = json!([{ "path": "sections/Hero.jsx", "code": "" }]);
        assert!(view(&page).unwrap().contains("\nFiles\n  sections/Hero.jsx\n"));
        let text = view(&result).unwrap();
        for part in [
            "jsx component of `#top`, dark",
            "12 elements, 99.5 %",
            "30 named utilities, 4 arbitrary",
            "hero          Ship it",
        ] {
            assert!(text.contains(part), "{part} in {text}");
        }
        assert_eq!(view(&json!({ "code": "x" })), None);
    }
}
