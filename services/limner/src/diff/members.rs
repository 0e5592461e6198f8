//! Compares brands: every member of the result that is a value, the palette, and contrast.

use super::comparison::{Difference, Tolerance, compare_named, compare_unnamed};
use serde_json::Value;
use std::collections::BTreeMap;

/// Members that say how a result came to be, or what a page says and not how it looks.
const IGNORED: [&str; 13] = [
    "url",
    "hint",
    "screenshot",
    "usage",
    "title",
    "description",
    "confidence",
    "evidence",
    "colorNames",
    // How often and where a value is used is no difference, and files have another name with each release.
    "files",
    "count",
    "area",
    "selector",
];
/// Members with a comparison of their own, candidates for another member, and the pairs of colours that a report lists.
const LISTS: [&str; 5] = ["palette", "contrast", "contrastReport", "logos", "socials"];

/// Compares two results of `/brand`.
pub(super) fn compare(before: &Value, after: &Value, tolerance: Tolerance) -> Vec<Difference> {
    let (one, other) = (groups(before), groups(after));
    let mut names: Vec<&String> = one.keys().chain(other.keys()).collect();
    names.sort();
    names.dedup();
    let none = BTreeMap::new();
    let side = |groups: &'_ BTreeMap<String, BTreeMap<String, String>>, name: &String| {
        groups.get(name).unwrap_or(&none).clone()
    };
    let mut differences: Vec<Difference> = names
        .into_iter()
        .flat_map(|name| compare_named(name, &side(&one, name), &side(&other, name), tolerance))
        .collect();
    let only = |result: &Value, other: &Value| {
        let known = palette(other);
        palette(result).into_iter().filter(|hex| !known.contains(hex)).collect()
    };
    differences.extend(compare_unnamed("palette", only(before, after), only(after, before), tolerance));
    differences.extend(compare_named("contrast", &contrast(before), &contrast(after), tolerance));
    differences.extend(compare_named("socials", &socials(before), &socials(after), tolerance));
    differences
}

/// Returns the values of a result by group and by path in it.
fn groups(result: &Value) -> BTreeMap<String, BTreeMap<String, String>> {
    let mut groups: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    let ignored = |name: &str| IGNORED.contains(&name) || LISTS.contains(&name);
    for (name, value) in result.as_object().into_iter().flatten().filter(|(name, _)| !ignored(name)) {
        match value {
            Value::Object(_) => collect(value, "", groups.entry(name.clone()).or_default()),
            other => collect(other, name, groups.entry("brand".to_owned()).or_default()),
        }
    }
    groups
}

fn collect(value: &Value, path: &str, into: &mut BTreeMap<String, String>) {
    let below = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
    match value {
        Value::Null => {}
        Value::Object(members) => {
            let compared = members.iter().filter(|(name, _)| !IGNORED.contains(&name.as_str()));
            compared.for_each(|(name, value)| collect(value, &below(name), into));
        }
        Value::Array(items) if items.iter().any(|item| item.is_object() || item.is_array()) => {
            // By what an item is of, so that one more does not shift the others.
            let name = |at: usize, item: &Value| item["family"].as_str().map_or_else(|| at.to_string(), str::to_owned);
            items.iter().enumerate().for_each(|(at, item)| collect(item, &below(&name(at, item)), into));
        }
        Value::Array(items) => {
            into.insert(path.to_owned(), items.iter().map(plain).collect::<Vec<_>>().join(", "));
        }
        other => {
            into.insert(path.to_owned(), plain(other));
        }
    }
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn items(list: &Value) -> impl Iterator<Item = &Value> {
    list.as_array().into_iter().flatten()
}

fn palette(result: &Value) -> Vec<String> {
    items(&result["palette"]).filter_map(|color| color["hex"].as_str()).map(str::to_owned).collect()
}

/// Returns the level of each pair of text and background. Its ratio follows from the colours.
fn contrast(result: &Value) -> BTreeMap<String, String> {
    let pair = |pair: &Value| (format!("{} on {}", plain(&pair["text"]), plain(&pair["background"])), pair.clone());
    let level =
        |(name, pair): (String, Value)| (name, format!("{} ({})", plain(&pair["level"]), plain(&pair["ratio"])));
    items(&result["contrast"]).map(pair).map(level).collect()
}

fn socials(result: &Value) -> BTreeMap<String, String> {
    items(&result["socials"]).map(|social| (plain(&social["platform"]), plain(&social["url"]))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn members_palette_and_contrast_are_compared() {
        let before = json!({
            "url": "https://a.test/", "title": "One", "siteName": "Nordlys", "confidence": 0.9,
            "colors": { "primary": "#d9622b", "accent": null, "text": "#23283b" },
            "fonts": { "primary": "Inter", "families": [{ "family": "Inter", "weights": [400], "files": ["/i.1.woff2"] }] },
            "components": { "button": [{ "count": 3, "selector": ".b", "color": "#fff" }] },
            "contrastReport": { "pairs": [{ "count": 3 }] },
            "typography": { "h1": { "fontSize": "68px" }, "scale": [14, 17] },
            "palette": [{ "hex": "#d9622b" }, { "hex": "#0000ff" }],
            "contrast": [{ "text": "#ffffff", "background": "#d9622b", "ratio": 3.5, "level": "AA-large" }],
            "socials": [{ "platform": "x", "url": "https://x.com/a" }],
        });
        let mut after = before.clone();
        after["title"] = "Another".into();
        after["confidence"] = 0.1.into();
        let quay = json!({ "family": "Quay", "weights": [700] });
        after["fonts"]["families"] = json!([quay, { "family": "Inter", "weights": [400], "files": ["/i.2.woff2"] }]);
        after["components"]["button"][0]["count"] = 4.into();
        after["contrastReport"]["pairs"] = json!([]);
        let found = compare(&before, &after, Tolerance(1.0));
        assert_eq!(
            found.iter().map(|one| one.name.as_str()).collect::<Vec<_>>(),
            ["families.Quay.family", "families.Quay.weights"]
        );
        after["fonts"]["families"] = before["fonts"]["families"].clone();
        assert!(compare(&before, &after, Tolerance(1.0)).is_empty());
        after["colors"] = json!({ "primary": "#2b62d9", "accent": "#ff0000", "text": "#23283c" });
        after["fonts"]["primary"] = Value::Null;
        after["typography"]["scale"] = json!([14, 18]);
        after["palette"] = json!([{ "hex": "#d9622b" }]);
        after["contrast"][0]["level"] = "fail".into();
        after["socials"] = json!([]);
        let shown: Vec<String> = compare(&before, &after, Tolerance(1.0))
            .into_iter()
            .map(|difference| format!("{} {} {}", difference.change(), difference.group, difference.name))
            .collect();
        assert_eq!(
            shown,
            [
                "added colors accent",
                "changed colors primary",
                "removed fonts primary",
                "changed typography scale",
                "removed palette ",
                "changed contrast #ffffff on #d9622b",
                "removed socials x",
            ]
        );
    }
}
