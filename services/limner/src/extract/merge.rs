//! The tokens of several pages as one result: what a site has as a whole.

use serde_json::{Map, Value};
use std::cmp::Reverse;

/// Maximum number of selectors of a value, as in the result of one page.
const MAX_SELECTORS: usize = 3;

/// Adds the tokens of a further page. Pages of a site share their stylesheets, so the number of declarations is the largest
/// of any page; elements are added up.
pub(super) fn merge_tokens(into: &mut Map<String, Value>, from: Map<String, Value>) {
    for (name, value) in from {
        let Some(known) = into.get_mut(&name) else {
            into.insert(name, value);
            continue;
        };
        match (name.as_str(), known, value) {
            ("hint", Value::String(known), Value::String(hint)) if !known.contains(&hint) => {
                known.push(' ');
                known.push_str(&hint);
            }
            (_, Value::Array(known), Value::Array(items)) => add_new(known, items),
            ("themes" | "composites", Value::Object(known), Value::Object(parts)) => merge_parts(known, parts),
            (_, Value::Object(known), Value::Object(group)) => merge_group(known, group),
            _ => {}
        }
    }
}

/// Merges what contains groups: light and dark, or kinds of composite values.
fn merge_parts(into: &mut Map<String, Value>, from: Map<String, Value>) {
    for (name, value) in from {
        match (into.get_mut(&name), value) {
            (Some(Value::Object(known)), Value::Object(styles)) if name == "typography" => {
                // The style of a part is that of the first page that has it.
                styles.into_iter().for_each(|(part, style)| _ = known.entry(part).or_insert(style));
            }
            (Some(Value::Object(known)), Value::Object(group)) if matches!(name.as_str(), "light" | "dark") => {
                merge_parts(known, group);
            }
            (Some(Value::Object(known)), Value::Object(group)) => merge_group(known, group),
            (_, value) => _ = into.insert(name, value),
        }
    }
}

/// Merges values and their usage, and orders them as in the result of one page: by count, then by value.
fn merge_group(into: &mut Map<String, Value>, from: Map<String, Value>) {
    for (key, usage) in from {
        match (into.get_mut(&key), usage) {
            (Some(Value::Object(known)), Value::Object(usage)) => merge_usage(known, usage),
            (_, usage) => _ = into.insert(key, usage),
        }
    }
    let mut entries: Vec<(String, Value)> = std::mem::take(into).into_iter().collect();
    let count = |usage: &Value| usage["count"].as_u64().or(usage["used"].as_u64());
    entries.sort_by_cached_key(|(key, usage)| (Reverse(count(usage)), key.clone()));
    into.extend(entries);
}

fn merge_usage(into: &mut Map<String, Value>, mut from: Map<String, Value>) {
    // A value without themes applies in every theme.
    if !into.contains_key("themes") || !from.contains_key("themes") {
        into.remove("themes");
        from.remove("themes");
    }
    for (name, value) in from {
        let Some(known) = into.get_mut(&name) else {
            into.insert(name, value);
            continue;
        };
        match (name.as_str(), known.as_u64(), value) {
            ("used", Some(one), other) => *known = (one + other.as_u64().unwrap_or_default()).into(),
            (_, Some(one), other) => *known = one.max(other.as_u64().unwrap_or_default()).into(),
            (_, None, Value::Array(items)) => {
                let Value::Array(known) = known else { continue };
                add_new(known, items);
                match name.as_str() {
                    "selectors" => known.truncate(MAX_SELECTORS),
                    "properties" => known.sort_by(|a, b| a.as_str().cmp(&b.as_str())),
                    _ => {}
                }
            }
            _ => {}
        }
    }
}

fn add_new(known: &mut Vec<Value>, items: Vec<Value>) {
    for item in items {
        if !known.contains(&item) {
            known.push(item);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn merged(pages: [Value; 2]) -> Value {
        let [Value::Object(mut one), Value::Object(other)] = pages else { panic!("results are objects") };
        merge_tokens(&mut one, other);
        one.into()
    }

    #[test]
    fn values_of_all_pages_are_in_one_result() {
        let one = json!({ "url": "https://a.test/", "hint": "Slow.", "colors": {
            "#111111": { "count": 3, "used": 2, "properties": ["color"], "themes": ["light"], "selectors": ["p", "a"], "original": "#111" },
        }, "spacing": {}, "colorSchemes": ["light"] });
        let other = json!({ "url": "https://a.test/b", "hint": "Large.", "truncated": true, "colors": {
            "#222222": { "count": 5, "used": 1, "properties": ["color"] },
            "#111111": { "count": 4, "used": 6, "properties": ["background-color"], "selectors": ["b", "i"], "variables": ["--ink"] },
        }, "spacing": { "4px": { "count": 1, "used": 1, "properties": ["margin-top"] } }, "colorSchemes": ["light", "dark"] });
        assert_eq!(
            merged([one, other]),
            json!({ "url": "https://a.test/", "hint": "Slow. Large.", "colors": {
                "#222222": { "count": 5, "used": 1, "properties": ["color"] },
                "#111111": { "count": 4, "used": 8, "properties": ["background-color", "color"], "selectors": ["p", "a", "b"],
                    "original": "#111", "variables": ["--ink"] },
            }, "spacing": { "4px": { "count": 1, "used": 1, "properties": ["margin-top"] } }, "colorSchemes": ["light", "dark"], "truncated": true })
        );
    }

    #[test]
    fn themes_composites_and_breakpoints_are_merged() {
        let page = |used: u64, size: &str, query: &str| {
            json!({
                "themes": { "light": { "colors": { "#fff": { "used": used } } }, "dark": {} },
                "composites": { "typography": { "h1": { "fontSize": size, "used": used } }, "borders": { "1px solid red": { "width": "1px", "used": used } } },
                "breakpoints": { "768px": { "count": 1, "rules": used, "type": "min", "query": "(min-width: 48em)", "queries": [query] } },
            })
        };
        assert_eq!(
            merged([page(2, "3rem", "a"), page(3, "2rem", "b")]),
            json!({
                "themes": { "light": { "colors": { "#fff": { "used": 5 } } }, "dark": {} },
                "composites": { "typography": { "h1": { "fontSize": "3rem", "used": 2 } }, "borders": { "1px solid red": { "width": "1px", "used": 5 } } },
                "breakpoints": { "768px": { "count": 1, "rules": 3, "type": "min", "query": "(min-width: 48em)", "queries": ["a", "b"] } },
            })
        );
    }
}
