//! Compares design tokens: custom properties by name and scheme, other values by themselves.

use super::comparison::{Difference, Tolerance, compare_named, compare_unnamed};
use crate::views::token_groups;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The schemes of a page.
const SCHEMES: [&str; 2] = ["light", "dark"];

/// Compares two results of `/extract`, group by group.
pub(super) fn compare(before: &Value, after: &Value, tolerance: Tolerance) -> Vec<Difference> {
    let mut differences: Vec<Difference> =
        token_groups().flat_map(|group| compare_group(group, &before[group], &after[group], tolerance)).collect();
    let schemes = |result: &Value| strings(&result["colorSchemes"]).into_iter().map(str::to_owned).collect();
    let (one, other): (Vec<String>, Vec<String>) = (schemes(before), schemes(after));
    let only = |in_one: &[String], in_other: &[String]| {
        in_one.iter().filter(|scheme| !in_other.contains(scheme)).cloned().collect::<Vec<_>>()
    };
    differences.extend(compare_unnamed("colorSchemes", only(&one, &other), only(&other, &one), tolerance));
    differences
}

fn compare_group(group: &str, before: &Value, after: &Value, tolerance: Tolerance) -> Vec<Difference> {
    let mut differences = Vec::new();
    let (one, other) = (named(before), named(after));
    let of_scheme = SCHEMES.map(|scheme| {
        let values = |names: &BTreeMap<(String, &'static str), BTreeSet<String>>| -> BTreeMap<String, String> {
            let values = names.iter().filter(|((_, of), _)| *of == scheme);
            values.map(|((name, _), values)| (name.clone(), joined(values))).collect()
        };
        compare_named(group, &values(&one), &values(&other), tolerance)
    });
    let [light, dark] = of_scheme;
    for (scheme, own, others) in [("light", &light, &dark), ("dark", &dark, &light)] {
        for difference in own {
            let is_in_both = others.contains(difference);
            if !is_in_both {
                let name = format!("{} ({scheme})", difference.name);
                differences.push(Difference { name, ..difference.clone() });
            } else if scheme == "light" {
                differences.push(difference.clone());
            }
        }
    }
    differences.sort_by(|a, b| a.name.cmp(&b.name));
    let (removed, added) = (unnamed_only(before, after), unnamed_only(after, before));
    differences.extend(compare_unnamed(group, removed, added, tolerance));
    differences
}

/// Returns the values of each custom property in each scheme.
fn named(group: &Value) -> BTreeMap<(String, &'static str), BTreeSet<String>> {
    let mut values: BTreeMap<_, BTreeSet<String>> = BTreeMap::new();
    for (value, usage) in group.as_object().into_iter().flatten() {
        let themes = strings(&usage["themes"]);
        let schemes = SCHEMES.into_iter().filter(|scheme| themes.is_empty() || themes.contains(scheme));
        for scheme in schemes {
            for name in strings(&usage["variables"]) {
                values.entry((name.to_owned(), scheme)).or_default().insert(value.clone());
            }
        }
    }
    values
}

/// Returns the values without a name that the other side does not have at all.
fn unnamed_only(group: &Value, other: &Value) -> Vec<String> {
    let entries = group.as_object().into_iter().flatten();
    let unnamed = entries.filter(|(_, usage)| strings(&usage["variables"]).is_empty());
    unnamed.map(|(value, _)| value).filter(|value| other.get(value.as_str()).is_none()).cloned().collect()
}

fn joined(values: &BTreeSet<String>) -> String {
    values.iter().map(String::as_str).collect::<Vec<_>>().join(" | ")
}

fn strings(list: &Value) -> Vec<&str> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn shown(before: &Value, after: &Value, tolerance: f64) -> Vec<String> {
        let differences = compare(before, after, Tolerance(tolerance));
        let line = |difference: &Difference| {
            let side = |value: &Option<String>| value.clone().unwrap_or_else(|| "-".to_owned());
            format!("{} {} {}>{}", difference.group, difference.name, side(&difference.before), side(&difference.after))
        };
        differences.iter().map(line).collect()
    }

    #[test]
    fn custom_properties_are_compared_by_name_and_scheme() {
        let before = json!({
            "colors": {
                "#d9622b": { "variables": ["--glow"], "themes": ["light"] },
                "#ff9a5c": { "variables": ["--glow"], "themes": ["dark"] },
                "#ffffff": { "variables": ["--surface"] },
                "#111111": { "variables": ["--gone"] },
            },
            "spacing": { "8px": { "variables": ["--gap"], "count": 2 } },
            "colorSchemes": ["light", "dark"],
        });
        let mut after = before.clone();
        assert!(shown(&before, &after, 1.0).is_empty());
        after["spacing"]["8px"]["count"] = 90.into();
        assert!(shown(&before, &after, 1.0).is_empty(), "how often a value is used is no difference");
        after["colors"] = json!({
            "#d9622b": { "variables": ["--glow"], "themes": ["light"] },
            "#00ff00": { "variables": ["--glow"], "themes": ["dark"] },
            "#eeeeee": { "variables": ["--surface", "--new"] },
        });
        after["colorSchemes"] = json!(["light"]);
        assert_eq!(
            shown(&before, &after, 1.0),
            [
                "colors --glow (dark) #ff9a5c>#00ff00",
                "colors --gone #111111>-",
                "colors --new ->#eeeeee",
                "colors --surface #ffffff>#eeeeee",
                "colorSchemes  dark>-",
            ]
        );
    }

    #[test]
    fn colours_without_a_name_are_paired_with_near_ones() {
        let group = |values: &[&str]| {
            let entries = values.iter().map(|value| ((*value).to_owned(), json!({ "count": 1 })));
            json!({ "colors": Value::Object(entries.collect()) })
        };
        let (before, after) = (group(&["#d9622b", "#0000ff", "#123456"]), group(&["#dc6730", "#00ff00", "#123457"]));
        assert_eq!(shown(&before, &after, 1.0), ["colors  #d9622b>#dc6730", "colors  ->#00ff00", "colors  #0000ff>-"]);
        assert_eq!(shown(&before, &after, 5.0), ["colors  ->#00ff00", "colors  #0000ff>-"]);
    }
}
