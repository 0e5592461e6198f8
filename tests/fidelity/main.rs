//! Compares components of `/code` with their original sections, in Chromium (`fidelity/states.mjs`).
#![allow(clippy::unwrap_used, reason = "a test says by panicking what is wrong")]

use limner_page::{PageSnapshot, SheetOwner, Stylesheet};
use limner_types::{Operation, request};
use serde::Deserialize;
use serde_json::{Value, json};
use std::fs::{self, Permissions};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A page with elements of every kind to hover, focus and press.
const HTML: &str = include_str!("pages/states.html");
const CSS: &str = include_str!("pages/states.css");
const SECTIONS: [&str; 3] = ["#top", "#cards", "#form"];
const FRAMEWORKS: [&str; 4] = ["html", "tailwind", "jsx", "vue"];

/// The result of comparing one component with its section.
#[derive(Debug, Deserialize)]
struct Report {
    name: String,
    compared: usize,
    changed: usize,
    differences: Vec<String>,
}

fn component(selector: &str, framework: &str) -> Value {
    let url = "https://a.test/".to_owned();
    let sheet = Stylesheet {
        owner: SheetOwner::Adopted,
        base_url: url.clone(),
        text: Some(CSS.to_owned()),
        ..Stylesheet::default()
    };
    let page = PageSnapshot { url: url.clone(), html: HTML.to_owned(), sheets: vec![sheet], ..PageSnapshot::default() };
    let pairs = [("url", url.as_str()), ("framework", framework), ("selector", selector)];
    let pairs = pairs.map(|(name, value)| (name.into(), value.into()));
    let request = request::parse(Operation::Code, &pairs).unwrap().request;
    serde_json::from_slice(&limner_extract::extract(&page, &request).unwrap().body).unwrap()
}

fn case(selector: &str, framework: &str, change: impl Fn(&str) -> String) -> Value {
    let made = component(selector, framework);
    json!({
        "name": format!("{selector} as {framework}"),
        "selector": selector,
        "framework": framework,
        "code": change(made["code"].as_str().unwrap()),
        "css": made["css"].as_str().map(change),
    })
}

/// Returns the case of a whole page: its elements below the body against those of the page that is composed of its files.
fn page_case(framework: &str) -> Value {
    let url = "https://a.test/".to_owned();
    let css = limner_test_pages::SITE_CSS.to_owned();
    let sheet =
        Stylesheet { owner: SheetOwner::Adopted, base_url: url.clone(), text: Some(css), ..Stylesheet::default() };
    let html = limner_test_pages::SITE_HTML.to_owned();
    let page = PageSnapshot { url: url.clone(), html, sheets: vec![sheet], ..PageSnapshot::default() };
    let pairs = [("url", url.as_str()), ("framework", framework), ("scope", "page")];
    let pairs = pairs.map(|(name, value)| (name.into(), value.into()));
    let request = request::parse(Operation::Code, &pairs).unwrap().request;
    let made: Value = serde_json::from_slice(&limner_extract::extract(&page, &request).unwrap().body).unwrap();
    json!({
        "name": format!("page as {framework}"),
        "selector": "body",
        "inside": true,
        "framework": framework,
        "code": made["code"],
        "css": made["css"],
        "files": made["files"],
    })
}

/// Returns Node and a browser, and the directory of the compilers.
fn programs() -> Option<(PathBuf, PathBuf)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fidelity");
    let Some(chromium) = limner_local_servers::chromium_path() else {
        eprintln!("no Chromium is here: nothing was compared");
        return None;
    };
    if !limner_tests::has_node() {
        eprintln!("Node 20 is not here: nothing was compared");
        return None;
    }
    let compilers = folder.join("../../shared/extract/tests/compilers/node_modules");
    assert!(compilers.exists(), "the compilers are not in {}: run `make setup`", compilers.display());
    Some((folder, chromium))
}

fn compare(html: &str, css: &str, cases: &[Value]) -> Option<Vec<Report>> {
    let (folder, chromium) = programs()?;
    let home = tempfile::tempdir().unwrap();
    fs::set_permissions(home.path(), Permissions::from_mode(0o777)).unwrap();
    let page = json!({ "html": html, "css": css });
    let user = limner_tests::browser_user().map_or_else(|| json!({}), |(uid, gid)| json!({ "uid": uid, "gid": gid }));
    let told =
        json!({ "chromium": chromium, "home": home.path(), "user": user, "page": page, "cases": cases }).to_string();
    let mut command = Command::new("node");
    let command = command.arg("states.mjs").current_dir(folder).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(told.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "the comparison itself failed");
    Some(serde_json::from_slice(&output.stdout).unwrap())
}

#[test]
fn components_react_like_their_original_sections() {
    let pairs = SECTIONS.iter().flat_map(|selector| FRAMEWORKS.map(|framework| (*selector, framework)));
    let mut cases: Vec<Value> = pairs.map(|(selector, framework)| case(selector, framework, str::to_owned)).collect();
    let whole = cases.len();
    // Checks that the comparison detects missing states.
    let dull = |code: &str| {
        ["hover", "focus", "active"].iter().fold(code.to_owned(), |code, state| {
            code.replace(&format!(":{state}"), ":target").replace(&format!("{state}:"), "target:")
        })
    };
    cases.extend(FRAMEWORKS.map(|framework| case("#cards", framework, dull)));
    let Some(reports) = compare(HTML, CSS, &cases) else { return };
    assert_eq!(reports.len(), cases.len());
    let (real, broken) = reports.split_at(whole);
    for Report { name, compared, changed, .. } in real {
        assert!(*compared > 500 && *changed > 50, "{name}: only {compared} values, {changed} of them changed");
    }
    let all = real.iter().flat_map(|report| report.differences.iter().map(|own| format!("{}: {own}", report.name)));
    let all: Vec<String> = all.collect();
    assert!(all.is_empty(), "{} differences:\n{}", all.len(), all.join("\n"));
    for Report { name, differences, .. } in broken {
        assert!(differences.len() > 50, "{name} without states: only {} differences", differences.len());
    }
}

/// The composed page has the elements of the original in their order, with their styles, their states and their boxes.
#[test]
fn pages_are_composed_as_their_originals() {
    let cases = FRAMEWORKS.map(page_case);
    let Some(reports) = compare(limner_test_pages::SITE_HTML, limner_test_pages::SITE_CSS, &cases) else { return };
    assert_eq!(reports.len(), cases.len());
    for Report { name, compared, changed, differences } in reports {
        assert!(compared > 2_000 && changed > 20, "{name}: only {compared} values, {changed} of them changed");
        assert!(differences.is_empty(), "{name}: {} differences:\n{}", differences.len(), differences.join("\n"));
    }
}
