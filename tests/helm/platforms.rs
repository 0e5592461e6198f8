//! The values of the pages about platforms and servers, held against the chart.

use crate::chart::{objects, objects_with, of_kind, parse};
use crate::read;
use serde_json::{Value, json};

const PAGES: [&str; 2] = ["docs/operations/kubernetes.md", "docs/operations/managed-servers.md"];

/// Returns the indented blocks of a page.
fn blocks(page: &str) -> Vec<String> {
    let mut blocks: Vec<Vec<&str>> = vec![Vec::new()];
    for line in page.lines() {
        match line.strip_prefix("    ") {
            Some(code) => blocks.last_mut().unwrap().push(code),
            None => blocks.push(Vec::new()),
        }
    }
    blocks.iter().filter(|lines| !lines.is_empty()).map(|lines| lines.join("\n")).collect()
}

/// Returns the spans of code of a page, with those that a line break divides.
fn spans(page: &str) -> Vec<String> {
    let text = page.lines().filter(|line| !line.starts_with("    ")).collect::<Vec<_>>().join(" ");
    text.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// Returns the YAML of `a.b: value`.
fn nested(path: &str, value: &str) -> String {
    let keys: Vec<&str> = path.split('.').collect();
    format!("{}: {value}{}", keys.join(": { "), " }".repeat(keys.len() - 1))
}

/// Returns the values that the pages give, each as a file for the chart.
fn values() -> Vec<String> {
    let chart = parse(&read("helm/limner/values.yaml")).remove(0);
    let is_of_chart = |key: &str| chart.get(key).is_some();
    let mut found = Vec::new();
    for page in PAGES.map(read) {
        let of_chart = |block: &String| block.split(':').next().is_some_and(is_of_chart);
        found.extend(blocks(&page).into_iter().filter(of_chart));
        for span in spans(&page) {
            let Some((path, value)) = span.split_once(": ") else { continue };
            let path = path.replace("ROLE", "gateway");
            if path.split('.').next().is_some_and(is_of_chart) {
                found.push(nested(&path, value));
            }
        }
        let rows = page.lines().filter(|line| line.starts_with("| ") && line.contains("| `{ ports:"));
        found.extend(rows.map(|row| nested("networkPolicy.dns", row.split('`').nth(1).unwrap())));
    }
    found
}

#[test]
fn values_of_the_pages_are_accepted_and_change_what_is_rendered() {
    let usual = objects("production");
    let values = values();
    assert!(values.len() >= 14, "{values:#?}");
    let production = read("helm/limner/values/production.yaml");
    for value in values {
        let is_known = production.contains(&value);
        assert!(objects_with("production", &value) != usual || is_known, "{value}: it changes nothing");
    }
}

/// A name that the chart does not know would be a value without effect.
#[test]
fn every_value_that_the_pages_name_exists() {
    let chart = parse(&read("helm/limner/values.yaml")).remove(0);
    // `roles.ROLE` takes what stands for all roles.
    let exists = |path: &str| match path.split('.').collect::<Vec<_>>().as_slice() {
        ["roles", role, "secrets", ..] => chart["roles"].get(role).is_some() || *role == "ROLE",
        ["roles", role, rest @ ..] if *role == "ROLE" || chart["roles"].get(role).is_some() => {
            let first = rest.first().copied().unwrap_or("resources");
            chart.get(first).is_some() || chart["roles"]["gateway"].get(first).is_some()
        }
        keys => keys.iter().try_fold(&chart, |value, key| value.get(key)).is_some(),
    };
    let mut seen = 0;
    for page in PAGES {
        for span in spans(&read(page)) {
            let path = span.split(':').next().unwrap();
            let is_path = path.contains('.') && path.chars().all(|c| c.is_ascii_alphanumeric() || c == '.');
            if is_path && chart.get(path.split('.').next().unwrap()).is_some() {
                seen += 1;
                assert!(exists(path), "{page}: the chart has no {path}");
            }
        }
    }
    assert!(seen > 15, "{seen}");
}

/// Other blocks are for operators of servers and other charts: they are YAML, or commands.
#[test]
fn blocks_of_the_pages_can_be_parsed() {
    let mut kinds = Vec::new();
    for block in PAGES.map(read).iter().flat_map(|page| blocks(page)) {
        if ["limner ", "rediss://"].iter().any(|start| block.starts_with(start)) {
            continue;
        }
        let parsed = parse(&block);
        assert!(parsed.len() == 1 && parsed[0].is_object(), "{block}");
        kinds.extend(parsed[0]["kind"].as_str().map(str::to_owned));
    }
    assert_eq!(kinds, ["Cluster"], "of CloudNativePG");
}

/// Kubernetes refuses the name of a profile beside any other type than `Localhost`.
#[test]
fn profiles_are_named_only_where_they_are_on_the_node() {
    let seccomp = |more: &str| -> Value {
        let deployments = of_kind(&objects_with("production", more), "Deployment");
        let renderer = deployments.iter().find(|one| one["metadata"]["name"] == "limner-renderer").unwrap();
        renderer["spec"]["template"]["spec"]["securityContext"].clone()
    };
    let usual = json!({ "type": "Localhost", "localhostProfile": "profiles/limner-chromium.json" });
    assert_eq!(seccomp("")["seccompProfile"], usual);
    assert!(seccomp("")["appArmorProfile"].is_null());
    for kind in ["RuntimeDefault", "Unconfined"] {
        let more = format!("renderer: {{ seccomp: {{ type: {kind} }} }}");
        assert_eq!(seccomp(&more)["seccompProfile"], json!({ "type": kind }));
    }
    let more = "renderer: { appArmor: { type: Localhost, localhostProfile: limner-renderer } }";
    let expected = json!({ "type": "Localhost", "localhostProfile": "limner-renderer" });
    assert_eq!(seccomp(more)["appArmorProfile"], expected);
}
